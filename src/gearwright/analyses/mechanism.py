"""Modes of a mechanism (fidelity ``multibody``) about its equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gearwright.multibody import Mechanism, linearise
from gearwright.running.mechanism import mechanism_of
from gearwright.running.mechanism_train import is_train, law_of, linear_joints, mean_twin

from .base import ASIDE
from .mode_list import ModeList

if TYPE_CHECKING:
    from gearwright.multibody import Mechanism


def mode_shapes(made: Mechanism, place: Any = None) -> tuple[Any, Any]:
    """Linearisation of a mechanism about a place (default: its equilibrium), and the shapes (6 bodies x modes) of its
    frequencies."""
    found = linearise(made, place)
    values, shapes = np.linalg.eig(np.linalg.solve(found.mass, 0.5 * (found.stiffness + found.stiffness.T)))
    w2 = (2.0 * np.pi * found.frequencies_hz) ** 2
    picked: list[int] = []
    for w in w2:
        # a double frequency has two shapes
        order = [int(i) for i in np.argsort(np.abs(values - w)) if int(i) not in picked]
        picked.append(order[0])
    return found, found.basis @ np.real(shapes[:, picked])


@dataclass(frozen=True, repr=False, eq=False)
class MechanismModes(ModeList):
    """Modes of a mechanism about its equilibrium, of a train at rest and without load.

    ``frequencies_hz`` (m) undamped, ascending, without the rigid motions; ``damping_ratios`` (m), ``kinds``, ``energies``: share of a
    mode's kinetic energy by body, ``poles`` [1/s], ``shapes`` (6 bodies, m): displacement and rotation of every body in ``bodies``.
    """

    name: str
    law: str
    degrees_of_freedom: int
    bodies: tuple[str, ...] = field(metadata=ASIDE)
    poles: np.ndarray
    shapes: np.ndarray = field(metadata=ASIDE)
    fidelity: str = "multibody"
    energy: str = "kinetic"


def modes_of_mechanism(
    file: Any, overrides: Sequence[str] = (), case: str | None = None, law: str | None = None
) -> MechanismModes:
    """Modes of a mechanism about its equilibrium, of a train at rest and without load.

    Raises DrivetrainError or MultibodyError for what a user can mend.
    """
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
        name=drivetrain.name,
        law=law_of(drivetrain, law),
        degrees_of_freedom=made.degrees_of_freedom,
        bodies=tuple(names),
        frequencies_hz=np.asarray(found.frequencies_hz),
        damping_ratios=damping,
        kinds=("mechanism",) * len(energies),
        energies=tuple(energies),
        poles=np.asarray(found.poles, complex),
        shapes=shapes,
        remarks=tuple(made.notes),
    )
