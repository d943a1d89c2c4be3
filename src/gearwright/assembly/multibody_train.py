"""A train (stages, shafts, meshes) as a mechanism: plane motions of bodies that turn as often as they like.

Every body keeps its axis parallel to x (rigid rows), turns, and moves across where a bearing has a stiffness. Meshes are rows on
the line of action of the present positions with the laws of fidelity `planar`, so that nothing is assumed small and no frame turns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gearwright.drivetrain.train import HOUSING, Bearing, Mesh, Train
from gearwright.drivetrain.train import Body as Member
from gearwright.laws.clearance import clearance
from gearwright.laws.machine import torque_table
from gearwright.laws.play import play
from gearwright.laws.tooth_contact import tooth_contact
from gearwright.multibody import Body, Joint, Load, Mechanism, MultibodyError

from .assemble import _carrier_inertia, _coordinates, _in_numbers, _inertias
from .contact import contact
from .elastic import in_series
from .inputs import Inputs
from .losses import sliding_friction
from .machines import _slip_line
from .mesh_rows import _reference_stiffness
from .meshes import flank_row, mean_stiffness, mesh_act, working_angle
from .motion import AssemblyError, Motions, Terms, add
from .work import Assembly

X = (1.0, 0.0, 0.0)
LAWS = ("rigid", "linear", "periodic", "tooth_contact")


def train_mechanism(train: Train, law: str | None, loads: Sequence[Load], motors: Sequence[Joint],
                    inputs: Inputs, gravity: Sequence[float]) -> Mechanism:  # fmt: skip
    """The mechanism of a train, closed up.

    loads, motors : what the case does, as tables; ``inputs`` the same as the other fidelities see it (bodies named there
    need no machine). Raises MultibodyError or AssemblyError with what is missing or not known here.
    """
    law = law or train.model.get("law") or "linear"
    if law not in LAWS:
        raise MultibodyError(f"law '{law}' is none of {', '.join(LAWS)}")
    _refuse(train, law)
    train = train if law == "tooth_contact" else _in_numbers(train)
    made = _Maker(train, law, inputs)
    bodies = [made.body(b) for b in train.bodies.values()]
    joints = [*made.supports(), *made.shafts(), *made.couplings(), *made.meshes(), *made.machines(), *motors]
    redundant = train.model.get("redundant") or "drop"
    mechanism = Mechanism(bodies, joints, [*loads, *made.loads], gravity, redundant, train.model.get("stabilisation"))
    mechanism.notes += made.work.said()
    return mechanism


def _refuse(train: Train, law: str) -> None:
    """Raise MultibodyError for what other fidelities compute and this one does not: never left out silently."""
    wrong = [f"the mesh '{m.name}' has no place" for m in train.meshes.values() if m.angle is None or m.same_sense]
    wrong += [f"'{b.name}' stands for {b.count} bodies" for b in train.bodies.values() if b.count != 1]
    wrong += [f"'{one}' is a reduced body" for one in train.reduced]
    wrong += [f"the machine '{x.name}' is of type {x.type}" for x in train.machines.values()
              if x.type not in ("constant", "slip", "table")]  # fmt: skip
    wrong += [f"'{x.name}' is of type {x.type}" for x in train.couplings.values() if x.type not in ("spring", "damper")]
    wrong += [f"the shaft '{x.name}' is a pin of a carrier" for x in train.shafts.values() if x.eccentric]
    for bearing in train.bearings.values():
        if bearing.by_elements:
            wrong.append(f"the bearing '{bearing.name}' has a stiffness by its rolling elements")
        if bearing.matrix is not None:
            wrong.append(f"the bearing '{bearing.name}' has a matrix of six motions")
        if any(bearing.pin_error):
            wrong.append(f"the bearing '{bearing.name}' has a pin error")
        if bearing.friction and train.model.get("loss") != "none":
            wrong.append(f"the bearing '{bearing.name}' has friction (model.loss: none leaves it out)")
    for mesh in train.meshes.values():
        rubs = law == "tooth_contact" and sliding_friction(mesh) is not None
        if (mesh.loss or in_series(mesh) or rubs) and train.model.get("loss") != "none":
            wrong.append(f"the mesh '{mesh.name}' has a loss (model.loss: none leaves it out)")
        if mesh.facts.get("circumference") or any(e.base != "mesh" for e in mesh.excitation):
            wrong.append(f"the mesh '{mesh.name}' has an error over the circumference of a wheel")
        if mesh.facts.get("misalignment"):
            wrong.append(f"the mesh '{mesh.name}' has a misalignment")
    if train.damping.get("modal_ratio") or train.damping.get("mass_proportional"):
        wrong.append("damping of modes or of masses (model.damping)")
    if wrong:
        more = f", and {len(wrong) - 4} more" if len(wrong) > 4 else ""
        raise MultibodyError(
            f"fidelity multibody does not compute this of a train: {'; '.join(wrong[:4])}{more}; choose planar or spatial"
        )


class _Maker:
    """A train becoming bodies and joints."""

    def __init__(self, train: Train, law: str, inputs: Inputs):
        held = {b.between[0] for b in train.bearings.values() if b.stiffness is not None}
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
        self.train, self.inputs, self.loads = train, inputs, list[Load]()
        # damping ratios are those of two bodies: the masses as fidelity planar has them
        self.work = Assembly(train, motions, law, inputs)
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
        pins = {_pin(p): (self.place(p)[0] - x, self.place(p)[1] - y, self.place(p)[2] - z) for p in riders}
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
            self.work.note(f"'{b.name}' has no mass: it turns about a fixed axis, and its weight is left out (1 kg)")
        across = b.principal[1:] if b.principal and len(b.principal) == 3 else None
        tilt = 0.5 * about + mass * (b.length or 0.0) ** 2 / 12.0
        return Body(b.name, mass, (about, *(across or (tilt, tilt))), (x, y, z), points=pins)

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

    def _bearing(self, bearing: Bearing) -> list[Joint]:
        name, support = bearing.between if bearing.between[0] != HOUSING else bearing.between[::-1]
        b, motions, work = self.train.bodies[name], self.work.motions, self.work
        seat = self._seat(b) if support == b.on else support
        made = []
        turning = add(dict(motions.rotation(name)), motions.rotation(support) if support != HOUSING else {}, -1.0)
        if bearing.torsional and turning:
            c = work.damping(bearing.torsional_damping, bearing.torsional, turning)
            made.append(Joint("torsion_spring", f"{bearing.name}_torsion", name, support, axis=X,
                              angular_stiffness=bearing.torsional, angular_damping=c))  # fmt: skip
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
        if support != HOUSING or bearing.clearance is not None:
            raise MultibodyError(
                f"the bearing '{bearing.name}' of '{name}' is not the same in y and z: only the housing may hold a body so"
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
            made.append(Joint("torsion_spring", shaft.name, one, two, axis=X, angular_stiffness=shaft.torsional,
                              angular_damping=c))  # fmt: skip
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
            p, row = x.parameters, self._between(x.between)
            k, given = float(p.get("torsional_stiffness") or 0.0), p.get("torsional_damping")
            c = float(given or 0.0) if isinstance(given, (int, float, type(None))) else self.work.damping(given, k, row)
            one, two = x.between if x.between[0] != HOUSING else x.between[::-1]
            more: dict[str, Any] = {"angular_stiffness": k, "angular_damping": c}
            if p.get("play"):
                more = {"law": play(k, c, float(p["play"]))}
            made.append(Joint("torsion_spring", x.name, one, two, axis=X, **more))
        return made

    def meshes(self) -> list[Joint]:
        """Gear rows with the law of the mesh."""
        return [self._mesh(mesh) for mesh in self.train.meshes.values()]

    def _mesh(self, mesh: Mesh) -> Joint:
        work, motions, train = self.work, self.work.motions, self.train
        alpha = working_angle(motions, mesh)
        assert alpha is not None
        r1, r2 = (r / math.cos(alpha) for r in mesh.base_radius)
        # the tooth of a right-hand wheel turns with it like a right-hand screw
        helix = mesh.hand * mesh.helix_angle
        shared: dict[str, Any] = {
            "kind": "gear", "name": mesh.name, "first": mesh.between[0], "second": mesh.between[1], "axis": X,
            "radius": (r1, r2), "pressure_angle": math.atan(math.tan(alpha) * math.cos(helix)), "helix_angle": helix,
            "internal": mesh.internal, "flank": mesh.sigma,
        }  # fmt: skip
        if work.law == "rigid":
            return Joint(**shared)
        row = flank_row(motions, mesh, mesh.sigma)
        if work.law == "tooth_contact":
            made = contact(mesh, train, lambda k: work.damping(mesh.damping, k, row))
            for note in made.notes:
                work.note(note)
            data = replace(made.data, friction=0.0)
            law = tooth_contact(data, True, made.stiffness, data.chi * made.load)
            along = (
                (data.pitch if data.rising else -data.pitch) * mesh.phase_direction * data.teeth[0] / (2.0 * math.pi)
            )
            return Joint(**shared, law=law, travel=along, **self._phase(mesh))
        damping = work.damping(mesh.damping, _reference_stiffness(mesh), row)
        act = mesh_act(motions, mesh, work.law, damping, train.model.get("helical") == "spur")
        if act.law is None:
            return Joint(**shared, stiffness=mean_stiffness(mesh), damping=damping)
        return Joint(**shared, law=act.law, **(self._phase(mesh) if act.senses else {}))

    def _phase(self, mesh: Mesh) -> dict[str, Any]:
        if mesh.teeth is None:
            raise AssemblyError(f"mesh '{mesh.name}' has no tooth numbers; its law needs them for the mesh phase")
        return {"teeth": mesh.phase_direction * mesh.teeth[0], "phase": mesh.phase}

    def machines(self) -> list[Joint]:
        """Machines that no load or speed of the case stands for: constant torque and slip as loads, curves as laws."""
        train, made = self.train, []
        taken = {x.body for x in self.inputs.loads} | {x.body for x in self.inputs.drives}
        for machine in train.machines.values():
            if machine.body in taken:
                continue
            p, speed = machine.parameters, (train.speed or 0.0) * train.ratios.get(machine.body, 0.0)
            if machine.type == "constant" and p.get("torque") is not None:
                self.loads.append(Load(machine.body, [0.0], [float(p["torque"])], moment=X))
            elif machine.type == "slip" and p.get("synchronous_speed") is not None:
                slope, synchronous = _slip_line(p, speed)
                self.loads.append(Load(machine.body, [0.0], [0.0], moment=X, slope=-slope, reference=synchronous))
            elif machine.type == "table" and p.get("table"):
                law = torque_table([float(x[0]) for x in p["table"]], [float(x[1]) for x in p["table"]], speed)
                made.append(Joint("torsion_spring", machine.name, machine.body, HOUSING, axis=X, law=law))
        return made


def _pin(b: Member) -> str:
    return "pin_" + b.name.replace(".", "_")


__all__ = ["train_mechanism"]
