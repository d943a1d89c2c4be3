"""What a mechanism is (fidelity ``multibody``), and its modes about its equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.records import dataclass
from gearwright.remarks import sorted_remarks
from gearwright.running.mechanism import mechanism_of
from gearwright.schema.file import Drivetrain

from .describe_lines import table_lines

if TYPE_CHECKING:
    from gearwright.multibody import Mechanism


def describe_mechanism(drivetrain: Drivetrain) -> tuple[dict[str, Any], list[str]]:
    """What a file is as a mechanism: freedoms, rows and their rank, joints, notes; as data and as lines.

    A mechanism that cannot be made is a ``problem``, not an exception.
    """
    from gearwright.multibody import MultibodyError

    try:
        if drivetrain.cases:
            made, _, _, _ = mechanism_of(drivetrain, None, (), drivetrain.cases[0].duration or 1.0)
        else:
            from gearwright.assembly.multibody import mechanism

            made = mechanism(drivetrain)
    except (MultibodyError, DrivetrainError) as error:
        return {"fidelity": "multibody", "problem": str(error)}, [f"not assembled: {error}"]
    rows = {j.name: [row for row in made.rows if row.joint == j.name] for j in made.joints}
    lost = {j.name: sum(name.rpartition(".")[0] == j.name for name in made.dropped) for j in made.joints}
    joints = [
        {"name": j.name, "type": j.kind, "between": [j.first, j.second], "rows": len(rows[j.name]) + lost[j.name],
         "dropped": lost[j.name], "elastic": any(row.elastic for row in rows[j.name])}
        for j in made.joints
    ]  # fmt: skip
    data = {
        "fidelity": "multibody", "degrees_of_freedom": made.degrees_of_freedom, "rows": made.row_count, "rank": made.rank,
        "redundant_rows": list(made.redundant), "joints": joints, "notes": list(made.notes),
    }  # fmt: skip
    cells = [[str(j["name"]), str(j["type"]), "-".join(map(str, (j["between"]))), str(j["rows"]),  # type: ignore[call-overload]
              "elastic" if j["elastic"] else (f"{j['dropped']} dropped" if j["dropped"] else "")] for j in joints]  # fmt: skip
    lines = ["joints", *table_lines(["", "type", "between", "rows", ""], cells), ""]
    lines.append(
        f"model: multibody, {made.degrees_of_freedom} degrees of freedom, {made.row_count} rows of rank {made.rank}"
    )
    return data, lines


def mode_shapes(made: Mechanism, place: Any = None) -> tuple[Any, Any]:
    """Linearisation of a mechanism about a place (default: its equilibrium), and the shapes (6 bodies x modes) of its
    frequencies."""
    from gearwright.multibody import linearise

    found = linearise(made, place)
    values, shapes = np.linalg.eig(np.linalg.solve(found.mass, 0.5 * (found.stiffness + found.stiffness.T)))
    w2 = (2.0 * np.pi * found.frequencies_hz) ** 2
    picked: list[int] = []
    for w in w2:
        # a double frequency has two shapes
        order = [int(i) for i in np.argsort(np.abs(values - w)) if int(i) not in picked]
        picked.append(order[0])
    return found, found.basis @ np.real(shapes[:, picked])


def mechanism_modes(file: Any, overrides: Sequence[str] = (), case: str | None = None,
                    law: str | None = None) -> dict[str, Any]:  # fmt: skip
    """Modes of a mechanism in the form of ``gearwright modes --json``."""
    found = modes_of_mechanism(file, overrides, case, law)
    return {
        "name": found.name, "fidelity": "multibody", "law": found.law, "degrees_of_freedom": found.degrees_of_freedom,
        "frequencies_hz": found.frequencies_hz.tolist(), "damping_ratios": found.damping_ratios.tolist(),
        "kinds": list(found.kinds), "energies": [dict(e) for e in found.energies],
        "poles": [[float(s.real), float(s.imag)] for s in found.poles], "energy": "kinetic", **sorted_remarks(found.remarks),
    }  # fmt: skip


@dataclass(frozen=True)
class MechanismModes:
    """Modes of a mechanism about its equilibrium, of a train at rest and without load.

    ``frequencies_hz`` (m) undamped, ascending, without the rigid motions; ``damping_ratios`` (m), ``kinds``, ``energies``: share of a
    mode's kinetic energy by body, ``poles`` [1/s], ``shapes`` (6 bodies, m): displacement and rotation of every body in ``bodies``.
    """

    name: str
    law: str
    degrees_of_freedom: int
    bodies: tuple[str, ...]
    frequencies_hz: np.ndarray
    damping_ratios: np.ndarray
    kinds: tuple[str, ...]
    energies: tuple[dict[str, float], ...]
    poles: np.ndarray
    shapes: np.ndarray
    remarks: tuple[str, ...] = ()

    @property
    def assumed(self) -> list[str]:
        """Values with a physical meaning that nobody gave and the model took, a sentence each."""
        return sorted_remarks(self.remarks)["assumed"]

    @property
    def notes(self) -> list[str]:
        """What else is worth a sentence."""
        return sorted_remarks(self.remarks)["notes"]

    @property
    def warnings(self) -> list[str]:
        """What is likely wrong, a sentence each."""
        return sorted_remarks(self.remarks)["warnings"]

    def __repr__(self) -> str:
        listed = ", ".join(f"{f:.4g}" for f in self.frequencies_hz[:8])
        return f"MechanismModes({len(self.frequencies_hz)} modes: {listed}{', ...' if len(self.frequencies_hz) > 8 else ''} Hz)"


def modes_of_mechanism(file: Any, overrides: Sequence[str] = (), case: str | None = None,
                       law: str | None = None) -> MechanismModes:  # fmt: skip
    """Modes of a mechanism about its equilibrium, of a train at rest and without load.

    Raises DrivetrainError or MultibodyError for what a user can mend.
    """
    from gearwright.multibody import Mechanism
    from gearwright.running.mechanism_train import is_train, law_of, linear_joints, mean_twin

    made, drivetrain, _, _ = mechanism_of(file, case, overrides, None, law)
    train = is_train(drivetrain)
    if train:
        # teeth that touch nowhere have no stiffness: the mean of each mesh, as for planar
        said, made = made.notes, Mechanism(made.bodies, linear_joints(made), signals=made.signals)
        made.notes[:0] = said
    elif any(j.travel for j in made.joints):
        made = mean_twin(made)
    found, shapes = mode_shapes(made, made.start if train else None)
    names, energies = [b.name for b in made.bodies], []
    for shape in shapes.T:
        share = (made.mass.ravel() * shape**2).reshape(-1, 6).sum(axis=1)
        energies.append(
            {n: float(x) for n, x in zip(names, share / share.sum(), strict=True) if x > 0.01 * share.sum()}
        )
    # differences leave 1e-9 of an undamped mode
    damping = np.array([float(z) if abs(z) > 1e-8 else 0.0 for z in found.damping_ratios])
    return MechanismModes(
        drivetrain.name, law_of(drivetrain, law), made.degrees_of_freedom, tuple(names), np.asarray(found.frequencies_hz), damping,
        ("mechanism",) * len(energies), tuple(energies), np.asarray(found.poles), shapes, tuple(made.notes),
    )  # fmt: skip
