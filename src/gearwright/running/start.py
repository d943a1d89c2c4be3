"""The state in which a run of a train begins."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.remarks import Remark
from gearwright.solve.steady.periodic import periodic_start
from gearwright.solve.steady.static import NoEquilibrium, Unbalanced, equilibrium
from gearwright.system import State, System

from .prepare import Prepared

#: how far the speed at which machines and loads balance may lie from the operating speed
SETTLES = 0.1
#: largest unbalanced part of the torques at the start of a run with tooth contact
CONTACT_BALANCE = 1e-3


def initial_state(prepared: Prepared, state_method: str | None = None) -> State:
    """Start of a run: loaded equilibrium, operating speed without load, rest, or the periodic steady state."""
    system, how = prepared.system, state_method or prepared.case.start
    if how == "equilibrium" and not system.row_stiffness().any():
        how = "operating"  # nothing is elastic: at rest or turning, every position is one
    if how == "equilibrium":
        if any(law.label == "speed control" for law in system.laws):
            return _controlled(system)
        # rows that carry work along the way (tooth contact) leave what their damping takes and their mean is sampled for
        exact = all(law.holds is None for law in system.laws)
        tolerance = 1e-6 if exact else CONTACT_BALANCE
        try:
            return State.start(system, q=equilibrium(system, tolerance=tolerance).q)
        except Unbalanced as refused:
            return _at_balance(prepared, tolerance, refused)
    if how == "periodic":
        return periodic_start(system).state(system)
    if how == "rest" and not prepared.inputs.inputs.at_rest:
        return State.start(system, v=np.zeros(system.shape.coordinates))
    return State.start(system)


def _at_balance(prepared: Prepared, tolerance: float, refused: ValueError) -> State:
    """The start at the speed at which machines and loads balance, where a machine's torque depends on speed.

    Raises ``refused``, what the operating speed lacks, where there is none near it.
    """
    system = prepared.system
    try:
        found = equilibrium(system, tolerance=tolerance, settle_speed=True)
    except (NoEquilibrium, Unbalanced):
        raise refused from None
    begun = found.state(system)
    body, asked, balanced = _speeds_at_start(system, begun)
    if not abs(balanced - asked) <= SETTLES * abs(asked):
        raise DrivetrainError(
            f"{refused}. '{body}' balances at {balanced:.6g} rad/s ({balanced * 30.0 / math.pi:.6g} rpm), too far from the operating speed "
            f"of {asked:.6g} rad/s to be meant: set operating.speed to it, or mend machine or loads"
        )
    return begun


def _speeds_at_start(system: System, state: State) -> tuple[str, float, float]:
    """The body by which the first rigid motion counts, its speed at the operating point and in a state [rad/s]."""
    column = int(np.flatnonzero(system.u[0])[0]) if len(system.u) else 0
    return system.coordinates[column].removesuffix(".rotation"), float(system.v0[column]), float(state.v[column])


def start_remarks(prepared: Prepared, state: State) -> tuple[Remark, ...]:
    """That a run begins at another speed than the file says, where machines and loads balance."""
    if prepared.case.start != "equilibrium" or not len(prepared.system.u):
        return ()
    body, asked, balanced = _speeds_at_start(prepared.system, state)
    if abs(balanced - asked) <= 1e-9 * abs(asked):
        return ()
    return (
        Remark(
            f"'{body}' starts at {balanced:.6g} rad/s ({balanced * 30.0 / math.pi:.6g} rpm), where machines and loads balance; the operating "
            f"point says {asked:.6g} rad/s"
        ),
    )


def _controlled(system: System) -> State:
    """Equilibrium in which speed controllers already brake or drive with what the other torques leave."""
    held = [i for i, law in enumerate(system.laws) if law.label == "speed control"]
    first = equilibrium(system, allow_acceleration=True)
    rows = [system.law_rows(i).start for i in held]
    grip = system.u @ system.D[rows].toarray().T  # torque of a controller on each rigid motion
    left = system.u @ system.mass @ system.u.T @ first.acceleration
    torque = np.linalg.lstsq(grip, -left, rcond=None)[0] if len(left) else np.zeros(len(held))
    laws, z = list(system.laws), system.z0.copy()
    for i, value in zip(held, torque, strict=True):
        laws[i] = laws[i]._replace(states=(float(value), *laws[i].states[1:]))
        z[int(system.arrays.lz[i])] = value
    begun = replace(system, laws=tuple(laws), z0=z)
    return State.start(begun, q=equilibrium(begun, allow_acceleration=True).q)
