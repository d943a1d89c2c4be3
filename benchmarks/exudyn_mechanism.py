"""The same mechanisms in Exudyn: rigid bodies with Euler parameters and generic joints, index-2 time integration."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from .common import Float

#: Free axes of joints: three translations and three rotations in axes whose x is the joint's axis; 1 is held.
_HELD = {
    "spherical": (1, 1, 1, 0, 0, 0), "revolute": (1, 1, 1, 0, 1, 1), "cylindrical": (0, 1, 1, 0, 1, 1),
    "translational": (0, 1, 1, 1, 1, 1), "fixed": (1, 1, 1, 1, 1, 1),
}  # fmt: skip


def axes_along(axis: Any) -> Float:
    """Rotation matrix whose first column is an axis."""
    first = np.asarray(axis, float) / np.linalg.norm(axis)
    other = np.eye(3)[int(np.argmin(np.abs(first)))]
    second = np.cross(first, other)
    second /= np.linalg.norm(second)
    return np.stack([first, second, np.cross(first, second)], axis=1)


def _solve(exudyn: Any, mbs: Any, duration: float, step: float, every: int, position: bool = False) -> float:
    """Integrate with the trapezoidal rule and index-2 constraints, sensors at every ``every``-th step; the seconds taken.

    ``position``: constraints met in the positions (index 3), by generalised alpha with some damping.
    """
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    integration = settings.timeIntegration
    integration.endTime = duration
    integration.numberOfSteps = round(duration / step)
    integration.generalizedAlpha.spectralRadius = 0.8 if position else 1.0
    integration.generalizedAlpha.useIndex2Constraints = not position
    integration.generalizedAlpha.useNewmark = not position
    integration.newton.relativeTolerance = integration.newton.absoluteTolerance = 1e-10
    integration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = step * every
    begin = time.process_time()
    if not mbs.SolveDynamic(settings):
        raise RuntimeError("Exudyn did not solve the mechanism")
    return time.process_time() - begin


def run(exudyn: Any, mechanism: Any, duration: float, step: float, every: int) -> tuple[Float, Float, float]:
    """Time, positions (samples, bodies, 3) and seconds of a mechanism of joints without gears and loads."""
    from exudyn.utilities import RigidBodyInertia, SensorBody, SensorNode  # noqa: F401

    from gearwright.multibody.elements import GROUND, matrix

    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    numbers = {GROUND: mbs.CreateGround()}
    gravity = [float(x) for x in mechanism.arrays.gravity]
    start = mechanism.start
    for k, body in enumerate(mechanism.bodies):
        turn = matrix(start.p[k])
        numbers[body.name] = mbs.CreateRigidBody(
            inertia=RigidBodyInertia(body.mass, np.diag(body.inertia)), referencePosition=list(start.r[k]),
            referenceRotationMatrix=turn, initialVelocity=list(start.v[k, :3]),
            initialAngularVelocity=list(turn @ start.v[k, 3:]), gravity=gravity,
        )  # fmt: skip
    for joint in mechanism.joints:
        row = next(r for r in mechanism.rows if r.joint == joint.name)
        names = [*(b.name for b in mechanism.bodies), GROUND]
        first, second = names[row.bodies[0]], names[row.bodies[1]]
        b = row.bodies[0] if row.bodies[0] < len(mechanism.bodies) else row.bodies[1]
        local = row.local[0:3] if b == row.bodies[0] else row.local[3:6]
        place = start.r[b] + matrix(start.p[b]) @ local
        mbs.CreateGenericJoint(
            itemNumbers=[numbers[second], numbers[first]], position=list(place), useGlobalFrame=True,
            rotationMatrixAxes=axes_along(joint.axis if joint.axis is not None else (1.0, 0.0, 0.0)),
            constrainedAxes=list(_HELD[joint.kind]), show=False,
        )  # fmt: skip
    sensors = [
        mbs.AddSensor(SensorBody(bodyNumber=numbers[b.name], storeInternal=True,
                                 outputVariableType=exudyn.OutputVariableType.Position))
        for b in mechanism.bodies
    ]  # fmt: skip
    seconds = _solve(exudyn, mbs, duration, step, every)
    data = [mbs.GetSensorStoredData(s) for s in sensors]
    return data[0][:, 0], np.stack([d[:, 1:4] for d in data], axis=1), seconds


def run_train(exudyn: Any, mechanism: Any, torque: Any, slope: float, reference: float, speed: float, duration: float,
              step: float, every: int) -> tuple[Float, Float, Float, float]:  # fmt: skip
    """Plane model of the gearbox of eight bodies: time, carrier angle, position of planet 1 (samples, 2), seconds.

    Bodies in the plane on pins, wheels coupled by their radii through coordinate constraints; ``torque(t)`` on the
    carrier, ``-slope (speed - reference)`` on the generator. Written from the file's facts, not from our rows.
    """
    from exudyn.utilities import (
        CoordinateConstraint,
        CoordinateSpringDamper,
        LoadCoordinate,
        MarkerBodyPosition,
        MarkerNodeCoordinate,
        NodePointGround,
        NodeRigidBody2D,
        ObjectGround,
        RevoluteJoint2D,
        RigidBody2D,
        SensorNode,
    )

    bodies = {b.name: (k, b) for k, b in enumerate(mechanism.bodies)}
    radius = {j.name: j.radius for j in mechanism.joints if j.radius is not None}
    ring, planet = radius["ring_planet1"][1], radius["ring_planet1"][0]
    sun, sun_side = radius["sun_planet1"]
    ratios = {"main_shaft": 1.0, "sun_shaft": 1.0 + ring / planet * sun_side / sun}
    for name in ("planet1", "planet2", "planet3"):
        ratios[name] = 1.0 - ring / planet
    ratios["intermediate"] = -ratios["sun_shaft"] * radius["stage2"][0] / radius["stage2"][1]
    ratios["generator"] = -ratios["intermediate"] * radius["stage3"][0] / radius["stage3"][1]
    gravity = mechanism.arrays.gravity
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(ObjectGround())
    zero = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    nodes, objects, angles = {}, {}, {}
    for name, ratio in ratios.items():
        k, body = bodies[name]
        place = mechanism.start.r[k]
        moving = [0.0, 0.0, ratio * speed]
        if name.startswith("planet"):
            moving[:2] = [-speed * place[1], speed * place[0]]
        nodes[name] = mbs.AddNode(
            NodeRigidBody2D(referenceCoordinates=[place[0], place[1], 0.0], initialVelocities=moving)
        )
        objects[name] = mbs.AddObject(RigidBody2D(mass=body.mass, inertia=body.inertia[2], nodeNumber=nodes[name]))
        angles[name] = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[name], coordinate=2))
        for c in (0, 1):
            at = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[name], coordinate=c))
            mbs.AddLoad(LoadCoordinate(markerNumber=at, load=body.mass * float(gravity[c])))
        on, point = (objects["main_shaft"], place) if name.startswith("planet") else (ground, place)
        base = mechanism.start.r[bodies["main_shaft"][0]] if name.startswith("planet") else np.zeros(3)
        local = [float(point[0] - base[0]), float(point[1] - base[1]), 0.0]
        mbs.AddObject(RevoluteJoint2D(markerNumbers=[
            mbs.AddMarker(MarkerBodyPosition(bodyNumber=on, localPosition=local)),
            mbs.AddMarker(MarkerBodyPosition(bodyNumber=objects[name], localPosition=[0.0, 0.0, 0.0])),
        ]))  # fmt: skip
        if name != "main_shaft":
            mbs.AddObject(CoordinateConstraint(markerNumbers=[angles[name], angles["main_shaft"]], factor1=ratio))
    mbs.AddLoad(
        LoadCoordinate(markerNumber=angles["main_shaft"], load=1.0, loadUserFunction=lambda mbs, t, load: torque(t))
    )
    mbs.AddLoad(LoadCoordinate(markerNumber=angles["generator"], load=slope * reference))
    mbs.AddObject(CoordinateSpringDamper(markerNumbers=[zero, angles["generator"]], stiffness=0.0, damping=slope))
    sensors = [mbs.AddSensor(SensorNode(nodeNumber=nodes[name], storeInternal=True,
                                        outputVariableType=exudyn.OutputVariableType.Coordinates))
               for name in ("main_shaft", "planet1")]  # fmt: skip
    seconds = _solve(exudyn, mbs, duration, step, every)
    carrier, planet1 = (mbs.GetSensorStoredData(s) for s in sensors)
    start = mechanism.start.r[bodies["planet1"][0]][:2]
    return carrier[:, 0], carrier[:, 3], planet1[:, 1:3] + start, seconds


def run_stage(exudyn: Any, mechanism: Any, speed: float, duration: float, step: float,
              every: int) -> tuple[Float, float, float]:  # fmt: skip
    """Plane model of the planetary stage by joints: positions of planet 1 (samples, 2), largest gap of its pin [m], seconds.

    Carrier, sun and planets in the plane on revolute joints, wheels coupled to the carrier by their ratios, positions met
    at every step (index 3). Written from the file's facts, not from our rows.
    """
    from exudyn.utilities import (
        CoordinateConstraint,
        MarkerBodyPosition,
        MarkerNodeCoordinate,
        NodeRigidBody2D,
        ObjectGround,
        RevoluteJoint2D,
        RigidBody2D,
        SensorNode,
    )

    radius = {j.name: j.radius for j in mechanism.joints if j.radius is not None}
    sun, planet = radius["sun_planet1"]
    ring = radius["ring_planet1"][1]
    ratios = {"carrier": 1.0, "sun": 1.0 + ring / sun, **{f"planet{i}": 1.0 - ring / planet for i in (1, 2, 3)}}
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(ObjectGround())
    nodes, objects, angles = {}, {}, {}
    for k, body in enumerate(mechanism.bodies):
        if body.name not in ratios:
            continue
        place = mechanism.start.r[k][1:]
        moving = [-speed * place[1], speed * place[0], ratios[body.name] * speed]
        nodes[body.name] = mbs.AddNode(
            NodeRigidBody2D(referenceCoordinates=[*map(float, place), 0.0], initialVelocities=list(map(float, moving)))
        )
        objects[body.name] = mbs.AddObject(
            RigidBody2D(mass=body.mass, inertia=body.inertia[0], nodeNumber=nodes[body.name])
        )
        angles[body.name] = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[body.name], coordinate=2))
        on = objects["carrier"] if body.name.startswith("planet") else ground
        mbs.AddObject(RevoluteJoint2D(markerNumbers=[
            mbs.AddMarker(MarkerBodyPosition(bodyNumber=on, localPosition=[*map(float, place), 0.0])),
            mbs.AddMarker(MarkerBodyPosition(bodyNumber=objects[body.name], localPosition=[0.0, 0.0, 0.0])),
        ]))  # fmt: skip
    for name, ratio in ratios.items():
        if name != "carrier":
            mbs.AddObject(CoordinateConstraint(markerNumbers=[angles[name], angles["carrier"]], factor1=ratio))
    sensors = [mbs.AddSensor(SensorNode(nodeNumber=nodes[name], storeInternal=True,
                                        outputVariableType=exudyn.OutputVariableType.Coordinates))
               for name in ("carrier", "planet1")]  # fmt: skip
    seconds = _solve(exudyn, mbs, duration, step, every, position=True)
    carrier, first = (mbs.GetSensorStoredData(s) for s in sensors)
    start = mechanism.start.r[[b.name for b in mechanism.bodies].index("planet1")][1:]
    at = first[:, 1:3] + start
    arm = float(np.hypot(*start))
    pin = arm * np.stack([np.cos(carrier[:, 3]), np.sin(carrier[:, 3])], axis=1)
    return at, float(np.abs(at - pin).max()), seconds
