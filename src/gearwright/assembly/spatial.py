"""Bodies with six motions: inertia, bearings with every term, helical meshes across the face, beams, non-torque loads.

Displacements are small about the rotating train; rows and acts are those of the other fidelities with more
entries, so ``planar`` is what is left when nothing moves along x or tilts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gearwright.laws.gyroscopic import gyroscopic_tilt
from gearwright.remarks import assumed
from gearwright.system import Row, Source, Spring
from gearwright.train.train import Body

from .motion import AssemblyError
from .spatial_beams import gyroscopic_beams

if TYPE_CHECKING:
    from gearwright.system import System

    from .work import Assembly

#: scale that makes a tilt a length, for tolerances [m]
TILT_SCALE = 0.1


def transverse_inertia(body: Body) -> tuple[float, float]:
    """Inertias about y and z [kg m^2]: the principal ones given, or those of a cylinder of its length."""
    if body.principal is not None:
        return body.principal[1], body.principal[2]
    value = 0.5 * (body.inertia or 0.0) + (body.mass or 0.0) * (body.length or 0.0) ** 2 / 12.0
    return value, value


def check_inertia(body: Body) -> None:
    """Raise AssemblyError for principal inertias that no mass distribution has (triangle inequality)."""
    if body.principal is None:
        return
    a, b, c = body.principal
    if min(a, b, c) <= 0.0 or max(a, b, c) > 0.5 * (a + b + c) * (1.0 + 1e-9):
        raise AssemblyError(
            f"'{body.name}': principal inertias {a:g}, {b:g}, {c:g} kg m^2 belong to no body; each must be positive "
            f"and at most the sum of the other two"
        )


def spatial_inertia(work: Assembly, body: Body) -> None:
    """Inertia of the motions along x and of the tilts (rotation, y, z are put by all fidelities)."""
    check_inertia(body)
    if body.mass and work.motions.keeps(body.name, "x"):
        work.put(body.mass * body.count, {f"{body.name}.x": 1.0})
    if body.mass and work.motions.keeps(body.name, "tilt_y"):
        for motion, value in zip(("tilt_y", "tilt_z"), transverse_inertia(body), strict=True):
            work.put(value * body.count, {f"{body.name}.{motion}": 1.0})


def note_followers(work: Assembly) -> None:
    """Say which bodies follow their support along x or in tilt, and which helical meshes have no hand."""
    motions = work.motions
    moving = [b for b in work.train.bodies.values() if motions.keeps(b.name, "y")]
    for label, motion in (("along x", "x"), ("in tilt", "tilt_y")):
        names = [b.name for b in moving if not motions.keeps(b.name, motion)]
        if names:
            shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
            work.note(
                f"{label} these follow their support, since no bearing or beam of theirs has a stiffness there: {shown}"
            )
    free = sorted(
        {
            m.stage or m.name
            for m in work.train.meshes.values()
            if m.helix_angle
            and not m.hand
            and any(motions.keeps(n, "x") or motions.keeps(n, "tilt_y") for n in m.between)
        }
    )
    if free:
        work.note(
            assumed(f"the hand of the helical teeth of {', '.join(free)} is not given: sun or first wheel right-handed")
        )


def apply_pushes(work: Assembly) -> None:
    """Non-torque loads on bodies in the standing frame."""
    for i, push in enumerate(work.inputs.pushes):
        if work.motions.fidelity != "spatial":
            raise AssemblyError(
                f"the load on '{push.body}' has a force or moment across its rotation; that needs fidelity spatial"
            )
        if not work.motions.keeps(push.body, push.motion):
            kept = ", ".join(work.motions.kept[push.body]) or "nothing"
            raise AssemblyError(
                f"a load on '{push.body}' in {push.motion}, which it does not keep (it keeps {kept}): give it a mass, and "
                f"a bearing or a shaft with dimensions that holds it there"
            )
        frame = work.motions.frame[push.body]
        if frame is not None and push.motion != "x":
            raise AssemblyError(
                f"a load on '{push.body}', which is described in the turning frame of '{frame}': give it to a body of the "
                f"standing frame, such as the rotor at the other end of its shaft, or model.frames: frozen"
            )
        signal = work.builder.signal(push.name or f"load {i + 1} on {push.body} in {push.motion}", push.value)
        work.builder.input(f"{push.body}.{push.motion}", signal)


def magnetic_pulls(work: Assembly) -> None:
    """Unbalanced magnetic pull: the force on a rotor grows with its displacement, a spring that pushes."""
    for machine in work.train.machines.values():
        pull = machine.magnetic_pull
        if not pull:
            continue
        if not work.motions.keeps(machine.body, "y"):
            raise AssemblyError(
                f"machine '{machine.name}' has a magnetic pull, but '{machine.body}' cannot move sideways: give it a mass "
                f"and a bearing or a shaft with dimensions"
            )
        for motion, terms in zip("yz", work.motions.translation(machine.body), strict=True):
            name = f"{machine.name}.pull_{motion}"
            work.builder.row(name, terms, Spring(-float(pull), 0.0, pull=True))
            sign = "pull of the stator on the rotor"
            work.builder.channel("machine", machine.name, f"pull_{motion}", "N", sign, [(Source.FORCE, name, -1.0)])


def gyroscopic_moments(work: Assembly) -> None:
    """Gyroscopic moments of all bodies that tilt and of all beams."""
    beams = gyroscopic_beams(work)
    for body in work.train.bodies.values():
        if not work.motions.keeps(body.name, "tilt_y"):
            continue
        polar, transverse = beams.get(body.name, (0.0, 0.0))
        if body.mass:
            a, b = transverse_inertia(body)
            transverse += 0.5 * (a + b) * body.count
            polar += (body.inertia or 0.0) * body.count
        frame = work.motions.frame[body.name]
        spin = work.motions.rotation(body.name)
        if not polar or not spin:
            continue
        rows = [Row(f"{body.name}.gyro_{m}", {f"{body.name}.{m}": 1.0}) for m in ("tilt_y", "tilt_z")]
        senses = [
            Row(f"{body.name}.gyro_spin", spin),
            Row(
                f"{body.name}.gyro_frame", work.motions.rotation(frame) if frame else {f"{body.name}.rotation": 1e-300}
            ),
        ]
        work.builder.block(f"{body.name}.gyro", rows, gyroscopic_tilt(transverse, polar), senses)


def refuse_loose(system: System) -> None:
    """Refuse a model in which something besides the train's rotation moves without resistance."""
    for u in system.u:
        loose = [
            c
            for c, v in zip(system.coordinates, u, strict=True)
            if abs(v) > 1e-9 and c.endswith((".x", ".tilt_y", ".tilt_z"))
        ]
        turning = any(abs(v) > 1e-12 for c, v in zip(system.coordinates, u, strict=True) if c.endswith(".rotation"))
        if not turning:
            loose = loose or [c for c, v in zip(system.coordinates, u, strict=True) if abs(v) > 1e-9]
        if loose:
            shown = ", ".join(loose[:6]) + (", ..." if len(loose) > 6 else "")
            raise AssemblyError(
                f"nothing holds {shown}: give a bearing there an axial_stiffness or tilt_stiffness, or a second bearing "
                f"beside it (x)"
            )
