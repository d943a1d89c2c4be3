"""From the facts of a file (type and parameters of a machine) to its data and its law."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping

from gearwright.errors import InputError
from gearwright.remarks import Remark, assumed
from gearwright.schema.machines import DfigParameters, MachineParameters, PmsgParameters
from gearwright.system import Law

from .alone import linearise, unstable
from .dfig import Dfig, dfig
from .induction import Induction, induction
from .pmsg import Pmsg, pmsg

#: types of machine with equations of their own
ELECTRIC = ("dfig", "pmsg", "induction")
#: facts of the plate of an induction machine, and the words for them in :meth:`Induction.rated`
_PLATE = {
    "rated_power": "power",
    "synchronous_speed": "synchronous_speed",
    "rated_slip": "slip",
    "breakdown": "breakdown",
    "line_voltage": "line_voltage",
    "frequency": "frequency",
    "magnetising": "magnetising",
    "resistance": "resistance",
    "order": "order",
}
#: whole machines by type and name, as ``parameters: {data: NAME, ...}``, each made with changes
SETS: dict[str, dict[str, Callable[..., Dfig | Pmsg]]] = {
    "dfig": {"nrel-5mw": Dfig.nrel_5mw},
    "pmsg": {"nrel-5mw": Pmsg.nrel_5mw},
}
#: what is taken where a machine with data of its own does not say it: value, words
_TAKEN: dict[str, dict[str, tuple[float, str]]] = {
    "dfig": {
        "voltage_limit": (0.5, "rotor voltage limited to 0.5 p.u."),
        "current_bandwidth": (200.0, "current loop of 200 1/s"),
        "torque_bandwidth": (40.0, "torque loop of 40 1/s"),
        "reactive_bandwidth": (20.0, "loop of the reactive power of 20 1/s"),
    },
    "pmsg": {},
    "induction": {
        "breakdown": (2.2, "breakdown torque 2.2 times rated"),
        "line_voltage": (690.0, "line voltage 690 V"),
        "magnetising": (3.5, "magnetising reactance of 3.5 V^2/P"),
        "resistance": (0.008, "stator resistance of 0.008 V^2/P"),
    },
    "engine_map": {"pedal": (1.0, "pedal at full load")},
    "tracked_chassis": {
        "friction": (1.0, "friction of the tyres 1"),
        "slip_90": (0.1, "nine tenths of it at a slip of 0.1"),
        "rear_share": (0.5, "half of the weight on the driven axle"),
        "rolling": (0.0, "no rolling resistance"),
        "drag": (0.0, "no resistance of the air"),
        "front_stiffness": (0.0, "no side force of the front wheels"),
    },
    "ideal": {"lag": (0.02, "torque follows its reference with a lag of 0.02 s")},
}
#: gains that take the place of a bandwidth
_GAINS = {
    "current_bandwidth": ("current_kp", "current_ki", "active_resistance"),
    "torque_bandwidth": ("torque_kp", "torque_ki"),
    "reactive_bandwidth": ("reactive_kp", "reactive_ki"),
}
#: sub-steps of a millisecond by type and order: third order 0.5 ms, fifth 25 us, slip curve none, PMSG 0.25 ms
_PARTS = {
    ("dfig", 3): 2,
    ("dfig", 5): 40,
    ("induction", 1): 1,
    ("induction", 3): 4,
    ("induction", 5): 40,
    ("pmsg", 0): 4,
}


class MachineError(InputError):
    """Facts of a machine that have to be mended; the message says which."""


def machine_assumed(kind: str, parameters: MachineParameters | None, pedal: float | None = None) -> list[Remark]:
    """What is taken for a machine of any type that its file does not say, as sentences.

    Nothing for a named set of data, nor for facts that make no machine.
    """
    facts = (set() if parameters is None else parameters.said) | ({"pedal"} if pedal is not None else set())
    if "data" in facts:
        return []
    free = getattr(parameters, "limits", None) not in (None, True)
    taken = {k: words for k, (_, words) in _TAKEN.get(kind, {}).items() if k not in facts}
    for key, gains in _GAINS.items():
        if all(g in facts for g in gains):
            taken.pop(key, None)
    if kind == "induction" and not facts & {"rated_power", "rated_slip"}:
        taken = {}
    if free:
        taken.pop("voltage_limit", None)
    if kind in SETS and "current_limit" not in facts and not free:
        taken["current_limit"] = "current limited to 1.2 times rated"
    if kind == "pmsg" and getattr(parameters, "chopper", None):
        taken |= {
            k: w
            for k, w in (
                ("link_energy", "the link holds 10 ms of rated power"),
                ("grid_current", "the grid takes 1.1 p.u. of current"),
            )
            if k not in facts
        }
    return [assumed(f"{', '.join(taken.values())} ({', '.join(taken)} not given)")] if taken else []


def _whole(kind: str, data: type[Dfig | Pmsg], given: Mapping[str, float], name: str | None) -> Dfig | Pmsg:
    """A machine with converter: what is given over a named set, or with what follows from it.

    Raises MachineError naming what is missing.
    """
    if name is not None:
        if name not in SETS[kind]:
            raise MachineError(f"there is no set of data '{name}' for a {kind}; there is {', '.join(SETS[kind])}")
        return SETS[kind][name](**given)
    made = {k: value for k, (value, _) in _TAKEN[kind].items()} | dict(given)
    if kind == "dfig" and "rated_current" in made:
        made.setdefault("current_limit", 1.2 * made["rated_current"])
    if kind == "pmsg" and made.get("pole_pairs") and made.get("flux") and "rated_torque" in made:
        made.setdefault("current_limit", 1.2 * made["rated_torque"] / (1.5 * made["pole_pairs"] * made["flux"]))
    if kind == "pmsg" and "rated_power" in made:
        made.setdefault("link_energy", 0.01 * made["rated_power"])
    needed = [f.name for f in dataclasses.fields(data) if f.default is dataclasses.MISSING]
    missing = [key for key in needed if key not in made and key not in ("current_limit", "link_energy")]
    if missing:
        raise MachineError(
            f"parameters of a {kind} lack {', '.join(missing)}; give them, or a whole machine by name: data: "
            f"{' or '.join(SETS[kind])}"
        )
    return data(**made)  # type: ignore[arg-type]


def machine_data(parameters: MachineParameters | None) -> Dfig | Pmsg | Induction:
    """Data of a machine of type ``dfig``, ``pmsg`` or ``induction``.

    ``current_limit`` and ``voltage_limit`` may be ``none``; ``limits: none`` takes both away. ``data`` names a whole machine
    (``nrel-5mw``), whose facts hold where no others are given. An induction machine is
    given by its circuit or by its plate (``rated_power``, ``synchronous_speed``, ``rated_slip``). What is taken beside that
    is said by :func:`machine_assumed`.
    Raises MachineError naming what is missing or impossible.
    """
    said = set() if parameters is None else parameters.said - {"limits", "data", "torque"}
    given = {key: getattr(parameters, key) for key in sorted(said)}
    given |= {key: math.inf for key in ("current_limit", "voltage_limit") if isinstance(given.get(key), str)}
    try:
        if isinstance(parameters, (DfigParameters, PmsgParameters)):
            if parameters.limits in ("none", False):
                given |= {"current_limit": math.inf, "voltage_limit": math.inf}
            if isinstance(parameters, DfigParameters):
                return _whole("dfig", Dfig, given, parameters.data)
            return _whole("pmsg", Pmsg, given, parameters.data)
        return _induction(given)
    except MachineError:
        raise
    except ValueError as error:
        raise MachineError(str(error)) from None


def _induction(given: Mapping[str, float]) -> Induction:
    plate = {"rated_power", "synchronous_speed", "rated_slip"}
    circuit = {f.name for f in dataclasses.fields(Induction) if f.default is dataclasses.MISSING}
    if plate & set(given):
        missing, strange = sorted(plate - set(given)), sorted(set(given) - set(_PLATE))
        if missing or strange:
            what = f"{', '.join(missing)} is missing" if missing else f"{', '.join(strange)} belongs to a circuit"
            raise MachineError(f"an induction machine by its plate: {what}; give the plate or the circuit")
        return Induction.rated(**{_PLATE[k]: v for k, v in given.items()})  # type: ignore[arg-type]
    missing = sorted(circuit - set(given))
    if missing:
        raise MachineError(
            f"an induction machine needs its plate ({', '.join(sorted(plate))}) or its circuit; missing of that: {', '.join(missing)}"
        )
    return Induction(**given)  # type: ignore[arg-type]


def sub_steps(data: Dfig | Pmsg | Induction) -> int:
    """Sub-steps of a millisecond that a machine needs."""
    kind = type(data).__name__.lower()
    return _PARTS[kind, int(getattr(data, "order", 0))]


def law_of(
    data: Dfig | Pmsg | Induction,
    torque: float,
    speed: float,
    sense: float = 1.0,
    signals: tuple[int, int, int, int] = (0, 1, 2, 3),
) -> Law:
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
        extras = [
            w
            for w, on in (
                ("crowbar", data.crowbar),
                ("reactive support", data.reactive_support > 0.0),
                ("direct torque reference", data.direct_torque),
                ("outer loops held in dips", data.hold_below > 0.0),
                ("no limits", math.isinf(data.current_limit) and math.isinf(data.voltage_limit)),
            )
            if on
        ]
        order = "third order (stator transients neglected)" if data.order == 3 else "fifth order"
        return ", ".join([f"DFIG, {order}", *extras])
    if isinstance(data, Pmsg):
        fault = "a chopper carries faults" if data.chopper > 0.0 else "faults scale its torque reference"
        return f"PMSG with cascade, {fault}"
    return {
        1: "induction machine, slip curve",
        3: "induction machine, third order (stator transients neglected)",
        5: "induction machine, fifth order",
    }[data.order]


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
