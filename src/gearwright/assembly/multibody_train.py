"""A train (stages, shafts, meshes) as a mechanism: plane motions of bodies that turn as often as they like.

Every body keeps its axis parallel to x (rigid rows), turns, and moves across where a bearing has a stiffness. Meshes are rows on
the line of action of the present positions with the laws of fidelity `planar`, so that nothing is assumed small and no frame turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from gearwright.laws.clearance import clearance
from gearwright.laws.play import play
from gearwright.laws.registry import Asked, asked
from gearwright.multibody import Body, Joint, Load, Mechanism, MultibodyError
from gearwright.multibody.simulate import default_step
from gearwright.remarks import assumed
from gearwright.system import Signal
from gearwright.train.train import HOUSING, Bearing, Train
from gearwright.train.train import Body as Member

from .allowance import with_backlash
from .assemble import _carrier_inertia, _coordinates, _in_numbers, _inertias, laws_of
from .assumptions import bottoming, undamped, without_backlash
from .inputs import Inputs
from .motion import Motions, Terms, add
from .multibody_machines import Machines
from .multibody_meshes import loss_joint, mesh_joint
from .rolling import _damping, carries_inner, rolling_law, turns_read
from .vehicles import is_vehicle
from .work import Assembly

X = (1.0, 0.0, 0.0)
_RUB = ("brake", "clutch", "drag")


def train_mechanism(
    train: Train,
    law: Any,
    loads: Sequence[Load],
    motors: Sequence[Joint],
    inputs: Inputs,
    gravity: Sequence[float],
    table: Callable[[Signal], tuple[list[float], list[float]]],
) -> Mechanism:
    """The mechanism of a train, closed up.

    loads, motors : what the case does, as tables; ``inputs`` the same as the other fidelities see it (bodies named there
    need no machine); ``table`` makes a table of any other of its signals. Raises MultibodyError or AssemblyError with what is
    missing or not known here.
    """
    laws = asked(law)
    train, law = laws_of(train, "multibody", laws)
    _refuse(train)
    train = train if law == "tooth_contact" else _in_numbers(train)
    train, allowed = with_backlash(train, law)
    made = _Maker(train, law, inputs, laws)
    machines = Machines(made.work, table)
    bodies = [made.body(b) for b in train.bodies.values()]
    joints = [
        *made.supports(),
        *made.shafts(),
        *made.couplings(),
        *made.meshes(),
        *machines.machines(),
        *machines.controls(),
        *motors,
    ]
    model = train.model

    def mechanism(rubbing: Sequence[Joint] = ()) -> Mechanism:
        redundant = model.redundant or ("share" if rubbing and law == "rigid" else "drop")
        whole = Mechanism(
            bodies,
            [*joints, *rubbing],
            [*loads, *machines.loads],
            gravity,
            redundant,
            model.stabilisation,
            machines.signals,
        )
        whole.longest += [*machines.longest, *made.longest]
        return whole

    whole = mechanism()
    # how wide the transition of friction about standstill has to be follows from the step
    step = float(model.step or default_step(whole))
    rubbing = made.rubbing(machines, step)
    if rubbing:
        whole = mechanism(rubbing)
        made.work.note("friction cannot stick in fixed steps: near standstill it is viscous (docs/sticking.md)")
    whole.notes += [*allowed, *made.work.said(), *undamped(train, "multibody", law), *without_backlash(train, law)]
    whole.notes += bottoming(train, "multibody")
    return whole


def _refuse(train: Train) -> None:
    """Raise MultibodyError for what other fidelities compute and this one does not: never left out silently."""
    wrong = [f"the mesh '{m.name}' has no place" for m in train.meshes.values() if m.angle is None or m.same_sense]
    wrong += [f"the mesh '{m.name}' is no gear: {m.no_gear}" for m in train.meshes.values() if m.no_gear]
    wrong += [f"'{b.name}' stands for {b.count} bodies" for b in train.bodies.values() if b.count != 1]
    wrong += [f"'{one}' is a reduced body" for one in train.reduced]
    wrong += [f"the machine '{x.name}' is a vehicle" for x in train.machines.values() if is_vehicle(x)]
    wrong += [
        f"'{x.name}' is of type {x.type}" for x in train.couplings.values() if x.type not in ("spring", "damper", *_RUB)
    ]
    wrong += [f"the shaft '{x.name}' is a pin of a carrier" for x in train.shafts.values() if x.eccentric]
    for bearing in train.bearings.values():
        if bearing.matrix is not None:
            wrong.append(f"the bearing '{bearing.name}' has a matrix of six motions")
    for mesh in train.meshes.values():
        if mesh.skew:
            wrong.append(f"the mesh '{mesh.name}' has a misalignment or lead_slope")
    if train.damping is not None and (train.damping.modal or train.damping.mass_proportional):
        wrong.append("damping of modes or of masses (model.damping)")
    if wrong:
        more = f", and {len(wrong) - 4} more" if len(wrong) > 4 else ""
        raise MultibodyError(
            f"fidelity multibody does not compute this of a train: {'; '.join(wrong[:4])}{more}; choose planar or spatial"
        )


class _Maker:
    """A train becoming bodies and joints."""

    def __init__(self, train: Train, law: str, inputs: Inputs, laws: Asked):
        held = {b.between[0] for b in train.bearings.values() if b.stiffness is not None or b.by_elements}
        held |= {n for s in train.shafts.values() if s.lateral for n in s.between}
        self.across = {
            b.name
            for b in train.bodies.values()
            if b.mass is not None and not b.fixed and (b.name in held or b.floating)
        }
        kept: dict[str, tuple[str, ...]] = {
            b.name: () if b.fixed else ("rotation", "y", "z") if b.name in self.across else ("rotation",)
            for b in train.bodies.values()
        }
        motions = Motions(train, "planar", kept, dict.fromkeys(train.bodies))
        self.train, self.longest = train, list[tuple[float, str]]()
        # damping ratios are those of two bodies: the masses as fidelity planar has them
        self.work = Assembly(train, motions, law, inputs, laws=laws)
        _coordinates(self.work)
        _inertias(self.work)

    def place(self, b: Member) -> tuple[float, float, float]:
        """Centre of a body at the start."""
        if b.on is not None and b.pin_radius is not None:
            _, y, z = self.place(self.train.bodies[b.on])
            return b.x, y + b.pin_radius * math.cos(b.angle), z + b.pin_radius * math.sin(b.angle)
        y, z = b.place or (0.0, 0.0)
        return b.x, y, z

    def body(self, b: Member) -> Body:
        """A rigid body: the file's principal inertias, or those of a disc of its length."""
        train = self.train
        riders = [p for p in train.bodies.values() if p.on == b.name and p.pin_radius]
        x, y, z = self.place(b)
        pins = {}
        for p in riders:
            px, py, pz = self.place(p)
            ey, ez = self._pin_error(p)
            pins[_pin(p)] = (px - x, py - y + ey, pz - z + ez)
        about = _carrier_inertia(train, b, "planar")
        about += sum(0.5 * s.consistent for s in train.shafts.values() if b.name in s.between)
        if b.fixed:
            return Body(b.name, b.mass or 1.0, (1.0, 1.0, 1.0), (x, y, z), points=pins)
        if about <= 0.0:
            raise MultibodyError(f"'{b.name}' has no inertia; give 'inertia' (kg m^2), or its dimensions and density")
        mass = b.mass
        if mass is None:
            if b.on is not None:
                raise MultibodyError(f"'{b.name}' rides on '{b.on}' and has no mass; a mechanism carries it around")
            mass = 1.0
            self.work.note(
                assumed(f"'{b.name}' has no mass: it turns about a fixed axis, and its weight is left out (1 kg)")
            )
        across = b.principal[1:] if b.principal and len(b.principal) == 3 else None
        tilt = 0.5 * about + mass * (b.length or 0.0) ** 2 / 12.0
        return Body(b.name, mass, (about, *(across or (tilt, tilt))), (x, y, z), points=pins)

    def _pin_error(self, b: Member) -> tuple[float, float]:
        """How far the pin of a planet is out of its place (y, z) [m]; its bearing is stretched by that at the start."""
        for bearing in self.train.bearings.values():
            if b.name in bearing.between and any(bearing.pin_error):
                if b.name not in self.across:
                    raise MultibodyError(
                        f"the bearing '{bearing.name}' has a pin error and no stiffness: its planet cannot give way"
                    )
                radial, tangential = bearing.pin_error
                c, s = math.cos(b.angle), math.sin(b.angle)
                return radial * c - tangential * s, radial * s + tangential * c
        return 0.0, 0.0

    def _seat(self, b: Member) -> str:
        """The point that holds a body: the housing, or its pin on a carrier."""
        return HOUSING if b.on is None or b.pin_radius is None else f"{b.on}.{_pin(b)}"

    def supports(self) -> list[Joint]:
        """Rows that keep axes parallel and in place, and bearings with a stiffness."""
        made = []
        for b in self.train.bodies.values():
            if b.fixed:
                made.append(Joint("fixed", f"{b.name}_fixed", b.name, HOUSING))
            elif b.name in self.across:
                made.append(Joint("planar", f"{b.name}_plane", b.name, self._seat(b), axis=X))
            else:
                own = [x.name for x in self.train.bearings.values() if x.between[0] == b.name]
                made.append(Joint("revolute", own[0] if own else f"{b.name}_bearing", b.name, self._seat(b), axis=X))
            if b.name in self.train.holds and self.work.law == "rigid":
                made.append(Joint("lock", f"{b.name}_held", b.name, HOUSING, axis=X))
        for bearing in self.train.bearings.values():
            made += self._bearing(bearing)
        return made

    def _ends(self, bearing: Bearing) -> tuple[str, str]:
        """Body and support of a bearing."""
        one, two = bearing.between
        return (one, two) if one != HOUSING else (two, one)

    def _bearing(self, bearing: Bearing) -> list[Joint]:
        name, support = self._ends(bearing)
        b, motions, work = self.train.bodies[name], self.work.motions, self.work
        seat = self._seat(b) if support == b.on else support
        made = []
        turning = add(dict(motions.rotation(name)), motions.rotation(support) if support != HOUSING else {}, -1.0)
        if bearing.torsional and turning:
            c = work.damping(bearing.torsional_damping, bearing.torsional, turning)
            made.append(
                Joint(
                    "torsion_spring",
                    f"{bearing.name}_torsion",
                    name,
                    support,
                    axis=X,
                    angular_stiffness=bearing.torsional,
                    angular_damping=c,
                )
            )
        if bearing.by_elements and name in self.across:
            inner = carries_inner(bearing, b.on)
            law, geometry = rolling_law(bearing, inner, _damping(work, bearing), False)
            return [
                *made,
                Joint("rolling", bearing.name, name, seat, axis=X, law=law, watched=turns_read(geometry, inner, law)),
            ]
        if bearing.stiffness is None or name not in self.across:
            return made
        ((kyy, kyz), (_, kzz)), (y, z) = bearing.stiffness, motions.translation(name)
        cy, cz = work.damping(bearing.damping, kyy, y), work.damping(bearing.damping, kzz, z)
        alike = abs(kyy - kzz) <= 1e-9 * max(kyy, kzz) and not kyz
        if alike and bearing.clearance is not None:
            law = clearance(kyy, cy, bearing.clearance)
            return [*made, Joint("radial", bearing.name, name, seat, axis=X, law=law)]
        if alike:
            return [*made, Joint("radial", bearing.name, name, seat, axis=X, stiffness=kyy, damping=cy)]
        if bearing.clearance is not None:
            raise MultibodyError(
                f"the bearing '{bearing.name}' of '{name}' has clearance: it needs one radial stiffness, not {kyy:g} and {kzz:g} N/m"
            )
        k, d = ([[0.0] * 6 for _ in range(6)] for _ in range(2))
        k[1][1], k[1][2], k[2][1], k[2][2], d[1][1], d[2][2] = kyy, kyz, kyz, kzz, cy, cz
        return [*made, Joint("bushing", bearing.name, name, seat, matrix=k, damping_matrix=d)]

    def _between(self, ends: tuple[str, str]) -> Terms:
        motions = self.work.motions
        first, second = (motions.rotation(n) if n != HOUSING else {} for n in ends)
        return add(dict(first), second, -1.0)

    def shafts(self) -> list[Joint]:
        """Torsion springs between two bodies, and what holds their centres together."""
        made = []
        for shaft in self.train.shafts.values():
            one, two = shaft.between
            c = self.work.damping(shaft.damping, shaft.torsional, self._between(shaft.between))
            made.append(
                Joint(
                    "torsion_spring", shaft.name, one, two, axis=X, angular_stiffness=shaft.torsional, angular_damping=c
                )
            )
            if shaft.lateral and {one, two} & self.across:
                made.append(Joint("radial", f"{shaft.name}_bending", one, two, axis=X, stiffness=shaft.lateral))
            if shaft.consistent:
                self.work.note(
                    f"the inertia of shaft '{shaft.parent or shaft.name}' stands at the ends of its elements"
                )
        return made

    def couplings(self) -> list[Joint]:
        """Springs and dampers about x."""
        made = []
        for x in self.train.couplings.values():
            if x.type in _RUB:
                continue
            p, row = x.parameters, self._between(x.between)
            k, given = float(p.get("torsional_stiffness") or 0.0), p.get("torsional_damping")
            c = float(given or 0.0) if isinstance(given, (int, float, type(None))) else self.work.damping(given, k, row)
            one, two = x.between if x.between[0] != HOUSING else x.between[::-1]
            spring = Joint("torsion_spring", x.name, one, two, axis=X)
            if p.get("play"):
                made.append(replace(spring, law=play(k, c, float(p["play"]))))
            else:
                made.append(replace(spring, angular_stiffness=k, angular_damping=c))
        return made

    def meshes(self) -> list[Joint]:
        """Gear rows with the law of the mesh."""
        made = [mesh_joint(self.work, mesh) for mesh in self.train.meshes.values()]
        for joint in made:
            law = joint.law
            if law is not None and law.label == "elastic mesh with loss at the contact point" and law.mean is not None:
                # its contact point follows the wheels at the rate k/c
                self.longest.append((law.mean[1][0] / law.mean[0][0], joint.name))
        return made

    def rubbing(self, machines: Machines, step: float) -> list[Joint]:
        """Everything that rubs, for steps [s] of a length: losses of meshes, friction of bearings, brakes, clutches, drag."""
        made = [x for mesh in self.train.meshes.values() if (x := loss_joint(self.work, mesh, step)) is not None]
        for bearing in self.train.bearings.values():
            if bearing.friction and self.train.model.loss != "none":
                made += machines.bearing_friction(bearing.name, self._ends(bearing), bearing.friction, step)
        for coupling in self.train.couplings.values():
            if coupling.type in _RUB:
                made += machines.rubbing(coupling, step)
        return made


def _pin(b: Member) -> str:
    return "pin_" + b.name.replace(".", "_")
