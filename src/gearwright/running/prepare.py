"""A case of a train made ready: expanded, rolling bearings found, inputs read, system assembled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gearwright.assembly import assemble
from gearwright.errors import DrivetrainError
from gearwright.remarks import train_remarks
from gearwright.schema.case_lookup import case_warnings, find_case, with_case
from gearwright.stiffness.resolve import resolved
from gearwright.system import System
from gearwright.train.expand import expand
from gearwright.train.train import Train

from .inputs import CaseInputs, body_named, case_inputs, trim_load
from .intervals import discarded
from .overtime import Recordings
from .rolling import with_rolling

#: up to how many times the highest frequency wanted motions are kept
MODES = 2.5


@dataclass(frozen=True)
class Prepared:
    """A case made ready: drivetrain, train, system, inputs, case."""

    drivetrain: Any
    train: Train
    case: Any
    system: System
    inputs: CaseInputs
    duration: float
    notes: tuple[str, ...] = ()


def prepare(
    drivetrain: Any,
    case: str | None = None,
    *,
    fidelity: str | None = None,
    law: Any = None,
    duration: float | None = None,
) -> Prepared:
    """Read a case of a drivetrain and assemble its system.

    Raises DrivetrainError or AssemblyError for anything a user can mend.
    """
    chosen = find_case(drivetrain, case)
    applied = with_case(drivetrain, case)
    for key in ("step", "stabilisation"):
        if getattr(applied.model, key) is not None:
            raise DrivetrainError(
                f"model.{key} is for fidelity multibody; at {fidelity or applied.model.fidelity or 'torsional'} the engine "
                f"chooses its steps to model.tolerance: take model.{key} out"
            )
    train = with_rolling(resolved(expand(applied, fidelity)), fidelity)
    length = duration if duration is not None else chosen.duration
    if length is None:
        raise DrivetrainError(f"case '{chosen.name}' has no duration; give one in the file or with --duration")
    if not length > 0.0:
        raise DrivetrainError(f"a run needs a positive duration, got {length:g} s")
    notes = tuple(case_warnings(drivetrain, chosen.name))
    recordings = Recordings(applied.resolve)
    inputs = case_inputs(train, chosen, recordings, length)
    notes += inputs.notes
    system = assemble(train, fidelity, law, inputs.inputs)
    trim = trim_load(train, chosen, _reduced_inertia(system, train, chosen)) if chosen.trim else None
    if trim is not None:
        inputs = replace(inputs, inputs=replace(inputs.inputs, loads=(*inputs.inputs.loads, trim)))
        system = assemble(train, fidelity, law, inputs.inputs)
    system = _fewer(system, applied.model.highest_frequency)
    if chosen.start != "rest" or inputs.inputs.at_rest:
        notes += _projection(system)
    chosen, said = discarded(system, chosen, length)
    return Prepared(applied, train, chosen, system, inputs, length, (*notes, *said))


def _fewer(system: System, highest: float | None) -> System:
    """The system without coordinates that no load wanted depends on."""
    if system.provenance.fidelity != "spatial" and highest is None:
        return system
    # with them comes SciPy, which no other start needs
    from gearwright.solve.steady.condense import condensed
    from gearwright.solve.steady.reduce import reduce_system

    whole = condensed(system) if system.provenance.fidelity == "spatial" else system
    if highest is None:
        return whole
    try:
        fewer = reduce_system(whole, MODES * highest)
        return fewer if fewer is not whole else condensed(whole, MODES * highest)
    except ValueError as error:
        raise DrivetrainError(f"model.highest_frequency: {error}") from None


def _reduced_inertia(system: System, train: Train, case: Any) -> float:
    body = body_named(train, case.trim.on, f"case '{case.name}'.trim")
    column = system.coordinates.index(f"{body}.rotation")
    u = system.u
    if not len(u) or u[0, column] == 0.0:
        raise DrivetrainError(f"case '{case.name}': a trim needs a train that can turn as a whole")
    scaled = u[0] / u[0, column]
    return float(scaled @ (system.mass @ scaled))


def _projection(system: System) -> tuple[str, ...]:
    """A note of how far the initial speeds are from what rigid rows allow; the run begins by projecting them."""
    rows = system.arrays.hard.astype(int)
    if not len(rows):
        return ()
    rate = np.asarray(system.D[rows] @ system.v0)
    size = np.asarray(abs(system.D[rows]) @ np.abs(system.v0))
    off = np.abs(rate) / np.where(size > 0.0, size, 1.0)
    if off.max() <= 1e-9:
        return ()
    constraint = system.D[rows].toarray()
    mass = system.mass.toarray()
    moved = np.linalg.solve(mass, constraint.T)
    step = moved @ (np.linalg.pinv(constraint @ moved, rcond=1e-10) @ rate)
    worst = int(np.abs(step).argmax())
    lost = float(step @ mass @ (system.v0 - 0.5 * step))
    return (
        f"initial speeds do not fit rigid row '{system.rows[int(rows[off.argmax()])]}' (off by {off.max():.3g} of its parts): they are "
        f"projected; {system.coordinates[worst]} changes most, by {-step[worst]:.4g} to {system.v0[worst] - step[worst]:.4g}, and "
        f"{lost:.4g} J are booked as impact",
    )


def remarks_of(prepared: Prepared) -> list[str]:
    """What the train, its assembly and its case have to tell: assumptions, notes and warnings."""
    return [*train_remarks(prepared.train.notes), *prepared.system.provenance.notes, *prepared.notes]
