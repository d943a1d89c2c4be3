"""What a file holds and what was derived from it: bodies, elements, ratios, speeds, frequencies, the assembled model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from gearwright.assembly import AssemblyError, assemble
from gearwright.assembly.multibody import mechanism
from gearwright.errors import DrivetrainError
from gearwright.laws.registry import without_own
from gearwright.multibody import MultibodyError
from gearwright.remarks import KINDS, remarks_in
from gearwright.results.damping import damping_warnings
from gearwright.running.mechanism import mechanism_of
from gearwright.running.rolling import with_rolling
from gearwright.schema.case_lookup import case_warnings
from gearwright.schema.file import Drivetrain
from gearwright.stiffness.resolve import resolved
from gearwright.train.describe import describe as describe_train
from gearwright.train.expand import expand
from gearwright.train.train import Train

from .base import ASIDE, Analysis, Column, Numbers, Picture, Table, drivetrain_of
from .picture import Curve


@dataclass(frozen=True, repr=False, eq=False)
class Description(Analysis):
    """A drivetrain spelled out; SI, unless a name says otherwise.

    ``ratio`` is input over output speed, ``speed_ratio`` output over input; ``bodies``, ``meshes`` and the like hold a mapping of
    facts by name; ``derived`` are sentences; ``model`` is fidelity, law, degrees of freedom and coordinates of what is assembled,
    or the ``problem`` for which it cannot be.
    """

    name: str
    input: str | None
    output: str | None
    held: Sequence[str]
    ratio: float | None
    speed_ratio: float | None
    operating: Numbers
    model: Numbers
    gravity: Numbers | None
    bodies: Mapping[str, Numbers]
    meshes: Mapping[str, Numbers]
    bearings: Mapping[str, Numbers]
    shafts: Mapping[str, Numbers]
    couplings: Mapping[str, Numbers]
    machines: Mapping[str, Numbers]
    stages: Mapping[str, Numbers]
    mass: float | None
    alias: Mapping[str, str]
    contact_points: int | None
    mesh_frequencies_hz: Mapping[str, float]
    shaft_frequencies_hz: Mapping[str, float]
    derived: Sequence[str]
    #: what the file says of its data
    source: str = field(default="", metadata=ASIDE)
    assumed_by_the_file: Sequence[str] = field(default=(), metadata=ASIDE)
    not_claimed: Sequence[str] = field(default=(), metadata=ASIDE)

    def shown(self) -> Iterator[Table | str]:
        """Operating point, bodies, elements, what was derived, the model."""
        yield f"{self.name}: {self.source or 'no source given'}"
        if self.input:
            yield self._point()
        for part in self._elements():
            yield from ("", part) if isinstance(part, Table) else (part,)
        yield ""
        if self.derived:
            yield "\n".join(["derived", *(f"  {sentence}" for sentence in self.derived)])
        if self.assumed_by_the_file:
            yield "\n".join(["assumed by the file", *(f"  {a}" for a in self.assumed_by_the_file)])
        if self.not_claimed:
            yield "not claimed: " + ", ".join(self.not_claimed)
        yield from self._model()

    def _point(self) -> str:
        operating, point = self.operating, f"input {self.input}, output {self.output}"
        if self.speed_ratio:
            point += f", speed ratio output/input {self.speed_ratio:.6g}"
        if operating["speed_rpm"] is not None:
            point += f", {operating['speed_rpm']:.4g} rpm"
        if operating["torque"] is not None:
            point += f", {operating['torque'] / 1e3:.5g} kN m"
        if operating["power"]:
            point += f", {operating['power'] / 1e3:.5g} kW"
        return point

    def _elements(self) -> Iterator[Table | str]:
        five = {
            unit: Column(name, unit, 5)
            for name, unit in (("mass", "kg"), ("inertia", "kg m2"), ("stiffness", "GN/m"), ("mesh", "Hz"))
        }
        rows = [
            [
                name,
                b["role"],
                b["mass"],
                b["inertia"],
                b["speed_ratio"],
                b["speed_rpm"],
                "fixed" if b["fixed"] else (b["on"] or ""),
            ]
            for name, b in self.bodies.items()
        ]
        speeds = [Column("speed/input", "", 6), Column("rpm", "", 5)]
        yield Table("bodies", ["", "role", five["kg"], five["kg m2"], *speeds, "on"], rows)
        if self.meshes:
            rows = [
                [
                    name,
                    "-".join(m["between"]),
                    "/".join(map(str, m["teeth"])) if m["teeth"] else "",
                    "/".join(f"{1e3 * r:.4g}" for r in m["base_radius"] or ()),
                    m["pressure_angle_deg"],
                    m["contact_ratio"],
                    m["mean_stiffness"],
                    m["mesh_frequency"],
                    f"{m['phase']:.4f} ({m['phase_source']})",
                ]
                for name, m in self.meshes.items()
            ]
            angle, contact = Column("angle deg", "", 5), Column("contact ratio", "", 5)
            yield Table(
                "meshes",
                ["", "between", "teeth", "base radii mm", angle, contact, five["GN/m"], five["Hz"], "phase"],
                rows,
            )
            if self.contact_points and self.model.get("law") == "tooth_contact":
                yield f"  {self.contact_points} contact points: both flanks, contact ratios rounded up"
        if self.bearings:
            rows = [
                [
                    n,
                    "-".join(b["between"]),
                    *(b["stiffness"][i][i] if b["stiffness"] else None for i in (0, 1)),
                    b["torsional"],
                ]
                for n, b in self.bearings.items()
            ]
            lateral = [Column(name, "GN/m", 5) for name in ("ky", "kz")]
            yield Table("bearings", ["", "between", *lateral, Column("k about x", "N m/rad", 5)], rows)
        if self.shafts:
            rows = [[n, "-".join(s["between"]), s["torsional"], s["lateral"]] for n, s in self.shafts.items()]
            yield Table("shafts", ["", "between", Column("torsion", "N m/rad", 5), Column("lateral", "N/m", 5)], rows)

    def _model(self) -> Iterator[Table | str]:
        model = self.model
        if "problem" in model:
            yield f"not assembled: {model['problem']}"
        elif "joints" in model:
            cells = [
                [
                    j["name"],
                    j["type"],
                    "-".join(j["between"]),
                    str(j["rows"]),
                    "elastic" if j["elastic"] else (f"{j['dropped']} dropped" if j["dropped"] else ""),
                ]
                for j in model["joints"]
            ]
            yield Table("joints", ["", "type", "between", "rows", ""], cells)
            yield f"model: multibody, {model['degrees_of_freedom']} degrees of freedom, {model['rows']} rows of rank {model['rank']}"
        elif "degrees_of_freedom" in model:
            yield (
                f"model: {model['fidelity']}, law {model['law']}, {model['degrees_of_freedom']} degrees of freedom, "
                f"{model['rows']} rows"
            )

    def picture(self) -> Picture | str:
        """Mesh and shaft frequencies at the operating speed."""
        if not self.shaft_frequencies_hz:
            return "the file has no operating speed, so there are no frequencies"
        both = {**self.shaft_frequencies_hz, **self.mesh_frequencies_hz}
        return Picture(
            "body or mesh",
            "frequency [Hz]",
            [Curve("frequency", list(both), list(both.values()), "bars")],
            logarithmic=True,
        )


def describe(drivetrain: Any, fidelity: str | None = None, *, overrides: Sequence[str] = ()) -> Description:
    """What a drivetrain holds and what was derived: ``gearwright describe``.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path, the name of an example, or a Train (:func:`gearwright.expand`), which gives what is spelled
        out alone, without the assembled ``model``
    fidelity : overrides the file's
    overrides : ``path=value`` edits of a file
    """
    if isinstance(drivetrain, Train):
        if fidelity is not None or overrides:
            raise DrivetrainError("fidelity and overrides go with a drivetrain; a Train is expanded already")
        data = describe_train(drivetrain)
        return Description(**_own(data), remarks=remarks_in(data))
    made = drivetrain_of(drivetrain, overrides)
    train = expand(made, fidelity)
    with suppress(ValueError):  # what the teeth or bearings lack is said by the assembly below
        train = resolved(train)
        train = with_rolling(train, fidelity)
    data = describe_train(train)
    said = [*remarks_in(data), *case_warnings(made)]
    if (fidelity or made.model.fidelity) == "multibody":
        data["model"] = _mechanism(made)
        said += remarks_in(data["model"])
    else:
        train, own = without_own(train)
        said += own
        try:
            system = assemble(train, fidelity)
        except AssemblyError as error:
            data["model"] = {"problem": str(error)}
        else:
            said += [*system.provenance.notes, *damping_warnings(system, train)]
            data["model"] = {
                "fidelity": system.provenance.fidelity,
                "law": system.provenance.law,
                "degrees_of_freedom": system.degrees_of_freedom,
                "rows": system.shape.rows,
                "coordinates": list(system.coordinates),
            }
    return Description(
        **_own(data),
        remarks=said,
        source=made.source or "",
        assumed_by_the_file=made.assumed,
        not_claimed=made.not_claimed,
    )


def _own(data: Numbers) -> dict[str, Any]:
    """What a train is described by, without its remarks."""
    return {key: value for key, value in data.items() if key not in KINDS}


def _mechanism(drivetrain: Drivetrain) -> dict[str, Any]:
    """What a file is as a mechanism: freedoms, rows and their rank, joints, notes; a ``problem`` where it cannot be made."""
    try:
        if drivetrain.cases:
            made, _, _, _ = mechanism_of(drivetrain, None, (), drivetrain.cases[0].duration or 1.0)
        else:
            made = mechanism(drivetrain)
    except (MultibodyError, DrivetrainError) as error:
        return {"fidelity": "multibody", "problem": str(error)}
    rows = {j.name: [row for row in made.rows if row.joint == j.name] for j in made.joints}
    lost = {j.name: sum(name.rpartition(".")[0] == j.name for name in made.dropped) for j in made.joints}
    joints = [
        {
            "name": j.name,
            "type": j.kind,
            "between": [j.first, j.second],
            "rows": len(rows[j.name]) + lost[j.name],
            "dropped": lost[j.name],
            "elastic": any(row.elastic for row in rows[j.name]),
        }
        for j in made.joints
    ]
    return {
        "fidelity": "multibody",
        "degrees_of_freedom": made.degrees_of_freedom,
        "rows": made.row_count,
        "rank": made.rank,
        "redundant_rows": list(made.redundant),
        "joints": joints,
        "notes": list(made.notes),
    }
