"""From the facts of a file (type and parameters of a machine) to its data and its law."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from gearwright.system import Law

from .alone import linearise, unstable
from .dfig import Dfig, dfig
from .induction import Induction, induction
from .pmsg import Pmsg, pmsg

#: types of machine with equations of their own
ELECTRIC = ("dfig", "pmsg", "induction")
#: facts of the plate of an induction machine, and the words for them in :meth:`Induction.rated`
_PLATE = {"rated_power": "power", "synchronous_speed": "synchronous_speed", "rated_slip": "slip", "breakdown": "breakdown",
          "line_voltage": "line_voltage", "frequency": "frequency", "magnetising": "magnetising", "resistance": "resistance",
          "order": "order"}  # fmt: skip
_WHOLE = {"order", "pole_pairs"}
_ENDLESS = {"current_limit", "voltage_limit"}
_SAID = {"direct_torque", "crowbar", "unchecked"}

#: sub-steps of a millisecond by type and order: third order 0.5 ms, fifth 25 us, slip curve none, PMSG 0.25 ms
_PARTS = {
    ("dfig", 3): 2,
    ("dfig", 5): 40,
    ("induction", 1): 1,
    ("induction", 3): 4,
    ("induction", 5): 40,
    ("pmsg", 0): 4,
}


class MachineError(ValueError):
    """Facts of a machine that have to be mended; the message says which."""


def known_facts(kind: str) -> set[str]:
    """Names of the parameters of a type of machine."""
    if kind == "ideal":
        return {"lag"}
    if kind == "induction":
        return {f.name for f in dataclasses.fields(Induction)} | set(_PLATE)
    data: Any = Dfig if kind == "dfig" else Pmsg
    return {f.name for f in dataclasses.fields(data)} | {"limits"}


def machine_data(kind: str, facts: Mapping[str, Any]) -> Dfig | Pmsg | Induction:
    """Data of a machine of type ``dfig``, ``pmsg`` or ``induction``.

    ``current_limit`` and ``voltage_limit`` may be ``none``; ``limits: none`` takes both away. An induction machine is
    given by its circuit or by its plate (``rated_power``, ``synchronous_speed``, ``rated_slip``).
    Raises MachineError naming what is unknown, missing or impossible.
    """
    from gearwright.drivetrain.errors import nearest

    known = known_facts(kind)
    for key in facts:
        if key not in known:
            meant = nearest(key, sorted(known))
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise MachineError(f"parameters know no '{key}'; they know {', '.join(sorted(known))}.{hint}")
    given = {key: _value(key, value) for key, value in facts.items() if key != "limits"}
    limits = facts.get("limits")
    if limits is not None:
        if _none(limits) or limits is False:
            given |= dict.fromkeys(_ENDLESS, math.inf)
        elif limits is not True:
            raise MachineError(f"limits: none, or leave it out and give current_limit, voltage_limit; not '{limits}'")
    try:
        if kind == "dfig":
            return Dfig(**given)
        if kind == "pmsg":
            return Pmsg(**given)
        return _induction(given)
    except ValueError as error:
        raise MachineError(str(error)) from None


def _induction(given: dict[str, Any]) -> Induction:
    plate = {"rated_power", "synchronous_speed", "rated_slip"}
    circuit = {f.name for f in dataclasses.fields(Induction) if f.default is dataclasses.MISSING}
    if plate & set(given):
        missing, strange = sorted(plate - set(given)), sorted(set(given) - set(_PLATE))
        if missing or strange:
            what = f"{', '.join(missing)} is missing" if missing else f"{', '.join(strange)} belongs to a circuit"
            raise MachineError(f"an induction machine by its plate: {what}; give the plate or the circuit")
        return Induction.rated(**{_PLATE[k]: v for k, v in given.items()})
    missing = sorted(circuit - set(given))
    if missing:
        raise MachineError(
            f"an induction machine needs its plate ({', '.join(sorted(plate))}) or its circuit; missing of that: {', '.join(missing)}"
        )
    return Induction(**given)


def _none(value: Any) -> bool:
    return value is None or str(value).lower() in ("none", "infinite", "inf")


def _value(key: str, value: Any) -> Any:
    if key in _SAID:
        if not isinstance(value, bool):
            raise MachineError(f"{key} is true or false, not '{value}'")
        return value
    if key in _ENDLESS and _none(value):
        return math.inf
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise MachineError(f"{key} has to be a number, got '{value}'") from None
    if key in _WHOLE:
        if number != int(number):
            raise MachineError(f"{key} has to be a whole number, got {number:g}")
        return int(number)
    return number


def sub_steps(data: Dfig | Pmsg | Induction) -> int:
    """Sub-steps of a millisecond that a machine needs."""
    kind = type(data).__name__.lower()
    return _PARTS[kind, int(getattr(data, "order", 0))]


def law_of(data: Dfig | Pmsg | Induction, torque: float, speed: float, sense: float = 1.0,
           signals: tuple[int, int, int, int] = (0, 1, 2, 3)) -> Law:  # fmt: skip
    """The law of a machine at rest at a torque [N m] and speed [rad/s] (an induction machine: at the speed).

    ``signals`` = numbers of voltage, torque reference, frequency, negative sequence.
    Raises MachineError for a point that the machine cannot hold.
    """
    v, r, f, n = signals
    try:
        if isinstance(data, Dfig):
            return dfig(data, torque, speed, sense=sense, voltage=v, reference=r, frequency=f, negative=n)
        if isinstance(data, Pmsg):
            return pmsg(data, torque, speed, sense=sense, voltage=v, reference=r)
        return induction(data, speed, sense=sense, voltage=v, frequency=f, negative=n)
    except ValueError as error:
        raise MachineError(str(error)) from None


def model_of(data: Dfig | Pmsg | Induction) -> str:
    """What a machine is computed with, for people."""
    if isinstance(data, Dfig):
        extras = [w for w, on in (("crowbar", data.crowbar), ("reactive support", data.reactive_support > 0.0),
                                  ("direct torque reference", data.direct_torque), ("outer loops held in dips", data.hold_below > 0.0),
                                  ("no limits", math.isinf(data.current_limit) and math.isinf(data.voltage_limit))) if on]  # fmt: skip
        order = "third order (stator transients neglected)" if data.order == 3 else "fifth order"
        return ", ".join([f"DFIG, {order}", *extras])
    if isinstance(data, Pmsg):
        fault = "a chopper carries faults" if data.chopper > 0.0 else "faults scale its torque reference"
        return f"PMSG with cascade, {fault}"
    return {1: "induction machine, slip curve", 3: "induction machine, third order (stator transients neglected)",
            5: "induction machine, fifth order"}[data.order]  # fmt: skip


def check(data: Dfig | Pmsg | Induction, torque: float, speed: float) -> list[complex]:
    """Poles [1/s] of the machine's linearised loop at a point, constant speed; the slowest first.

    Raises MachineError for a point that it cannot hold, and for poles in the right half plane (unless ``unchecked``).
    """
    law = law_of(data, torque, speed)
    if not law.states:
        return []
    linear = linearise(law, speed, torque)
    wrong = unstable(linear)
    if wrong and not getattr(data, "unchecked", False):
        raise MachineError(
            f"the gains make the machine unstable at {torque / 1e3:.5g} kN m and {speed:.5g} rad/s: {wrong}; lower the "
            f"bandwidths or gains of the loops"
        )
    return [complex(x) for x in linear.poles]


__all__ = ["ELECTRIC", "MachineError", "check", "known_facts", "law_of", "machine_data", "model_of", "sub_steps"]
