"""A case of a train (stages, shafts, machines) at fidelity ``multibody``: its loads, speeds and start for the mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gearwright.assembly.machines import settled
from gearwright.assembly.multibody_train import train_mechanism
from gearwright.errors import DrivetrainError
from gearwright.laws.registry import asked
from gearwright.multibody import Joint, Load, Mechanism, carried, equilibrium
from gearwright.remarks import train_remarks
from gearwright.schema.elements import GearElement
from gearwright.system import Signal
from gearwright.train.expand import expand

from .flanks import Allowance, allowances
from .inputs import case_inputs
from .mechanism_inputs import Table, sampled
from .overtime import Recordings
from .rolling import with_rolling

if TYPE_CHECKING:
    from gearwright.assembly.inputs import Inputs
    from gearwright.multibody import Joint, Load, Mechanism

_MOTIONS = {"x": (0, "force"), "y": (1, "force"), "z": (2, "force"), "tilt_y": (1, "moment"), "tilt_z": (2, "moment")}


def is_train(drivetrain: Any) -> bool:
    """Whether a file is a train, not bodies and joints spelled out."""
    return bool(drivetrain.stages or drivetrain.shafts or drivetrain.machines) or any(
        e.type in ("mesh", "bearing") for e in drivetrain.elements
    )


def mechanism_of_train(applied: Any, chosen: Any, length: float, law: Any) -> Mechanism:
    """The mechanism of a case, with its loads and at the speeds of its start.

    Raises DrivetrainError, AssemblyError, MultibodyError for what a user can mend.
    """
    # bearings of law linear get the stiffness of their rolling elements at the operating point
    train = with_rolling(expand(applied, "multibody"), "planar")
    inputs = case_inputs(train, chosen, Recordings(applied.resolve), length).inputs
    train, moved = settled(train, {load.body for load in inputs.loads} | {drive.body for drive in inputs.drives})
    gravity = train.gravity or (0.0, 0.0, 0.0)
    made = train_mechanism(
        train,
        law,
        _loads(inputs, length),
        _motors(inputs, chosen, length),
        inputs,
        gravity,
        lambda signal: _table(signal, length),
    )
    made.notes[:0] = train_remarks(train.notes)
    made.notes += moved
    _turn(made, train, inputs, chosen)
    return made


def _table(signal: Signal, length: float) -> Table:
    """A signal as a table of lines; one value where it is constant."""
    times, values = sampled(signal, length)
    return ([0.0], values[:1]) if min(values) == max(values) else (times, values)


def _loads(inputs: Inputs, length: float) -> list[Load]:
    made = []
    for load in inputs.loads:
        made.append(
            Load(
                load.body,
                *_table(load.torque, length),
                moment=(1.0, 0.0, 0.0),
                slope=load.slope,
                reference=load.reference,
            )
        )
    for push in inputs.pushes:
        axis, what = _MOTIONS[push.motion]
        along = tuple(np.eye(3)[axis].tolist())
        force, moment = (along if what == one else (0.0, 0.0, 0.0) for one in ("force", "moment"))
        made.append(Load(push.body, *_table(push.value, length), force=force, moment=moment))
    return made


def _motors(inputs: Inputs, chosen: Any, length: float) -> list[Joint]:
    made = []
    for drive in inputs.drives:
        times, values = _table(drive.speed, length)
        if any(b <= a for a, b in zip(times, times[1:], strict=False)):
            raise DrivetrainError(
                f"case '{chosen.name}': the speed of '{drive.body}' jumps, which would take an infinite torque; give a ramp"
            )
        made.append(
            Joint("motor", f"{drive.body}_speed", drive.body, "housing", axis=(1.0, 0.0, 0.0), speeds=(times, values))
        )
    return made


def _turn(made: Mechanism, train: Any, inputs: Inputs, chosen: Any) -> None:
    """Speeds at the start: the rigid motion of the whole train at its operating speed or that of a drive, planets carried
    around; at rest nothing but what ``initial`` says."""
    reference = 0.0 if chosen.start == "rest" and not inputs.drives else train.speed or 0.0
    if inputs.drives and train.ratios.get(inputs.drives[0].body):
        reference = float(inputs.drives[0].speed(0.0)) / train.ratios[inputs.drives[0].body]
    spin = {b: inputs.speeds.get(b, reference * train.ratios.get(b, 0.0)) for b in train.bodies}
    rigid = bool(train.meshes) and all(not row.elastic for row in made.rows if row.joint in train.meshes)
    given: dict[str, tuple[Sequence[float | None], Sequence[float | None]]] = {}
    for k, body in enumerate(made.bodies):
        on = train.bodies[body.name].on
        arm = made.start.r[k] - made.start.r[made.index[on]] if on else np.zeros(3)
        velocity = np.cross([spin[on] if on else 0.0, 0.0, 0.0], arm)
        given[body.name] = (velocity.tolist(), [spin[body.name], 0.0, 0.0])
    if rigid and train.input:
        # the rows give the speeds of all others, whatever the radii make of the ratios
        said = {train.input: spin[train.input], **inputs.speeds}
        given = {b: ([None] * 3, [w, None, None]) for b, w in said.items()}
    made.set_speeds(given, still={*train.shafts, *train.bearings} if rigid else ())
    if chosen.start != "rest":
        _carry(made, train)


def law_of(drivetrain: Any, law: Any) -> str:
    """Law of the meshes of a train: the one asked for, the file's, or linear. Of a mechanism: those of its gears."""
    if is_train(drivetrain):
        return asked(law).name or drivetrain.model.law or "linear"
    return ", ".join(sorted({e.acting for e in drivetrain.elements if isinstance(e, GearElement)})) or "rigid"


def allowances_of(drivetrain: Any) -> dict[str, Allowance]:
    """What the file says of the backlash of its meshes or gears."""
    if is_train(drivetrain):
        return allowances(expand(drivetrain, "multibody").meshes.values())
    return {e.name: Allowance(e.backlash is not None) for e in drivetrain.elements if isinstance(e, GearElement)}


def linear_joints(made: Mechanism) -> list[Joint]:
    """The joints of a train with the mean stiffness and damping in place of the laws of its meshes."""
    joints = []
    for j in made.joints:
        if j.kind == "gear" and j.law is not None and j.law.mean is not None:
            stiffness, damping = (values[0] for values in j.law.mean)
            j = replace(j, law=None, travel=0.0, stiffness=stiffness, damping=damping, beside=(), watched=())
        joints.append(j)
    return joints


def resting(made: Mechanism) -> Any:
    """Place of rest of a mechanism; teeth that do not touch have no stiffness to begin with, so first with the mean of each mesh.

    Raises MultibodyError where there is none.
    """
    near = None
    if any(j.travel for j in made.joints):
        near, _ = equilibrium(mean_twin(made))
    return equilibrium(made, near=near)[0]


def mean_twin(made: Mechanism) -> Mechanism:
    """The same mechanism with the mean stiffness and damping in place of the laws of its meshes."""
    gravity = made.arrays.gravity.tolist()
    return Mechanism(made.bodies, linear_joints(made), made.loads, gravity, signals=made.signals)


def _carry(made: Mechanism, train: Any) -> None:
    """Start where the springs carry the loads, the train turning at its speed; a note where that is not found."""
    carriers = [made.index[on] if (on := train.bodies[b.name].on) else -1 for b in made.bodies]

    def steady(place: Any) -> Any:
        riding = np.zeros((len(made.bodies), 6))
        for k, c in enumerate(carriers):
            if c >= 0:  # axes stay parallel to x
                spin = [place.v[c, 3], 0.0, 0.0]
                place.v[k, :3] = np.cross(spin, place.r[k] - place.r[c])
                riding[k, :3] = np.cross(spin, place.v[k, :3])
        return riding

    place = made.copy()
    if any(j.kind == "gear" and j.law is not None for j in made.joints):
        # teeth that do not touch have no stiffness to begin with: first with the mean of each mesh
        twin = mean_twin(made)
        near = twin.copy()
        near.v[:] = place.v
        if carried(twin, near, steady):
            for mine, found in zip(place[:3], near[:3], strict=True):
                mine[:] = found
    if carried(made, place, steady):
        made.start = place
    else:
        made.notes.append("no loaded position was found to start from: the run begins without load and swings")
