"""Channels that a run records, and those that follow from them while it goes on."""

from __future__ import annotations

from collections.abc import Sequence

from gearwright.system import Channel, System
from gearwright.system.channels import CHANNELS
from gearwright.train.train import Train

from .derive import AT_REST, Derived

#: kinds of channels by the words of ``record``
KINDS = {"meshes": "mesh", "bearings": "bearing", "shafts": "shaft", "machines": "machine", "bodies": "body"}
#: torques that rub, and the rate that makes heat of them
_LOST = {
    ("mesh", "friction_force"): "friction_rate",
    ("mesh", "friction_torque"): "friction_speed",
    ("shaft", "torque"): "slip_speed",
    ("bearing", "friction_torque"): "slip_speed",
}


def recorded_channels(system: System, record: Sequence[str]) -> tuple[Channel, ...]:
    """Channels of a system that a case records."""
    kinds = {KINDS[word] for word in record if word in KINDS}
    return tuple(c for c in system.channels if c.kind in kinds and c.stored)


def watched_channels(system: System, record: Sequence[str]) -> tuple[Channel, ...]:
    """Channels that the loop of a run watches without storing them, of the kinds that a case records."""
    kinds = {KINDS[word] for word in record if word in KINDS}
    return tuple(c for c in system.channels if c.kind in kinds and not c.stored)


def derived_channels(channels: Sequence[Channel], train: Train) -> list[Derived]:
    """Magnitudes of bearing forces, power of machines, share of each planet."""
    have = {c.name: c for c in channels}
    made: list[Derived] = []
    for c in channels:
        if c.kind == "bearing" and c.quantity == "force_y" and f"{c.element}.force_z" in have:
            inputs = (c.name, f"{c.element}.force_z")
            made.append(_derived("bearing", c.element, "force", "norm", inputs, "magnitude"))
        lost = _LOST.get((c.kind, c.quantity))
        if lost and f"{c.element}.{lost}" in have:
            inputs = (c.name, f"{c.element}.{lost}")
            made.append(_derived(c.kind, c.element, "loss_power", "product", inputs, "heat, never negative"))
        if c.kind == "machine" and c.quantity == "torque" and f"{c.element}.speed" in have:
            sign = "positive when the machine feeds the train"
            inputs = (c.name, f"{c.element}.speed")
            made.append(_derived("machine", c.element, "power", "product", inputs, sign))
        if c.kind == "shaft" and c.quantity == "capacity" and f"{c.element}.slip_speed" in have:
            inputs = (c.name, f"{c.element}.slip_speed")
            made.append(_derived("shaft", c.element, "phase", "phase", inputs, "0 free, 1 slips, 2 locked", AT_REST))
        if c.kind == "shaft" and c.quantity == "torque":
            made += _kinematic_estimate(c, train)
    return made


def _derived(
    kind: str, element: str, quantity: str, operation: str, inputs: tuple[str, ...], sign: str, factor: float = 1.0
) -> Derived:
    known = CHANNELS[kind][quantity]
    return Derived(kind, element, quantity, known.unit, operation, inputs, sign, known.counted, factor)


def _kinematic_estimate(torque: Channel, train: Train) -> list[Derived]:
    """What a model without elastic gears says of planet bearings: ``T / (N r_c)`` (S1 eq. 4.4), counted beside them."""
    shaft = train.shafts.get(torque.element)
    for end in shaft.between if shaft is not None else ():
        planets = [b for b in train.bodies.values() if b.on == end and b.role == "planet" and b.pin_radius]
        if planets and train.bodies[end].stage:
            factor = 1.0 / sum(b.count * b.pin_radius for b in planets if b.pin_radius)
            sign = "magnitude of T / (N r_c): the even share of the carrier's torque, without dynamics of the gears"
            element = f"{train.bodies[end].stage}.planet_bearing_kinematic"
            return [_derived("bearing", element, "force", "norm", (torque.name,), sign, factor)]
    return []
