"""Names that channels have in the programs of the trade, and the quantities they stand for.

A mapping says which channel is which quantity where the names are others: ``{rotor_speed: Omega}``, or with what a channel
lacks: ``{generator_torque: {channel: Tgen, unit: kN m, scale: -1}}``, ``{hub_moment_y: {channel: My, frame: rotating}}``. Moments that are known at
another place of the shaft than the hub, ``{hub_moment_y: {channel: LSSGagMys, at: 1.912 m}}``, go to the hub by the forces across it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gearwright.errors import GearwrightError, listed, nearest
from gearwright.schema.places import JSON, Values
from gearwright.units import in_si

from .record import ReadError, decode, load_bytes

_HUB = "hub, shaft axes: x along the shaft downwind, z up at azimuth zero"

#: Quantities: dimension (of drivetrain files) and meaning.
QUANTITIES: dict[str, tuple[str, str]] = {
    "rotor_speed": ("rotational speed", "of the low-speed shaft at the rotor"),
    "rotor_torque": ("torque", "in the low-speed shaft, positive when the rotor drives"),
    "aerodynamic_torque": ("torque", "of the wind on the rotor"),
    "rotor_azimuth": ("angle", "of blade 1, zero up"),
    "wind_speed": ("speed", "of the wind at the hub, along it"),
    "generator_speed": ("rotational speed", "of the high-speed shaft"),
    "generator_torque": ("torque", "of the generator, positive when it brakes"),
    "hub_force_x": ("force", f"thrust on the {_HUB}"),
    "hub_force_y": ("force", f"on the {_HUB}; y to the left looking downwind"),
    "hub_force_z": ("force", f"on the {_HUB}"),
    "hub_moment_y": ("torque", f"on the {_HUB}"),
    "hub_moment_z": ("torque", f"on the {_HUB}"),
}

#: Known names of each quantity, best first; compared without case, blanks and signs.
KNOWN: dict[str, tuple[str, ...]] = {
    "rotor_speed": ("RotSpeed", "LSSTipVxa", "LSSTipVxs", "LSSTipV", "rotor speed", "shaft_rot angle speed", "av_rotor"),
    "rotor_torque": ("RotTorq", "LSShftTq", "LSShftMxa", "LSShftMxs", "LSSGagMxa", "LSSGagMxs", "rotor torque", "LSS torque",
                     "Stationary hub Mx", "Rotating hub Mx"),
    "aerodynamic_torque": ("RtAeroMxh", "aerodynamic torque", "Ae rot. torque"),
    "rotor_azimuth": ("LSSTipPxa", "LSSTipPxs", "LSSTipP", "Azimuth", "rotor azimuth", "Rotor azimuth angle",
                      "shaft_rot angle", "ang_azi"),
    "wind_speed": ("Wind1VelX", "WindVxi", "WindHubVelX", "RtVAvgxh", "HorWindV", "wind speed", "Hub wind speed magnitude",
                   "Free wind speed Vy"),
    "generator_speed": ("GenSpeed", "HSShftV", "generator speed", "Measured generator speed"),
    "generator_torque": ("GenTq", "generator torque", "electrical torque"),
    "hub_force_x": ("RotThrust", "LSShftFxa", "LSShftFxs", "LSSGagFxa", "LSSGagFxs", "hub force x", "Stationary hub Fx",
                    "Rotating hub Fx"),
    "hub_force_y": ("LSShftFys", "LSSGagFys", "hub force y", "Stationary hub Fy"),
    "hub_force_z": ("LSShftFzs", "LSSGagFzs", "hub force z", "Stationary hub Fz"),
    "hub_moment_y": ("LSSTipMys", "hub moment y", "Stationary hub My"),
    "hub_moment_z": ("LSSTipMzs", "hub moment z", "Stationary hub Mz"),
}  # fmt: skip

#: The same in the frame that turns with the rotor.
TURNING: dict[str, tuple[str, ...]] = {
    "hub_force_y": ("LSShftFya", "LSSGagFya", "Rotating hub Fy"),
    "hub_force_z": ("LSShftFza", "LSSGagFza", "Rotating hub Fz"),
    "hub_moment_y": ("LSSTipMya", "Rotating hub My"),
    "hub_moment_z": ("LSSTipMza", "Rotating hub Mz"),
}

#: Moments at the strain gages of the low-speed shaft, in OpenFAST ``ShftGagL`` behind the rotor's apex: standing, then turning.
GAGE: dict[str, tuple[str, str]] = {
    "hub_moment_y": ("LSSGagMys", "LSSGagMya"),
    "hub_moment_z": ("LSSGagMzs", "LSSGagMza"),
}

_KEYS = {"channel", "unit", "scale", "frame", "at"}


def _fold(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def known_names(names: Sequence[str]) -> dict[str, str]:
    """Which quantity which of some channel names stands for: quantity to name. Only names in the standing frame."""
    place = {_fold(name): name for name in reversed(list(names))}
    found = {}
    for quantity, options in KNOWN.items():
        match = next((place[_fold(o)] for o in (quantity, *options) if _fold(o) in place), None)
        if match is not None:
            found[quantity] = match
    return found


def turning_names(names: Sequence[str]) -> dict[str, str]:
    """As :func:`known_names`, for names in the frame that turns with the rotor."""
    place = {_fold(name): name for name in reversed(list(names))}
    return {
        quantity: next(place[_fold(o)] for o in options if _fold(o) in place)
        for quantity, options in TURNING.items()
        if any(_fold(o) in place for o in options)
    }


def gage_names(names: Sequence[str]) -> dict[str, tuple[str, bool]]:
    """The moments at the strain gages: quantity to name, and whether it turns with the rotor; both standing, or both turning."""
    place = {_fold(name): name for name in reversed(list(names))}
    for turning in (False, True):
        found = {q: place.get(_fold(options[turning])) for q, options in GAGE.items()}
        if all(found.values()):
            return {q: (str(name), turning) for q, name in found.items()}
    return {}


@dataclass(frozen=True)
class Entry:
    """One channel of a mapping: its name, the unit it is in (None: that of the file), a factor, its frame, and for a moment the distance
    ``at`` of its place behind the rotor's apex [m], towards the machine."""

    channel: str
    unit: str | None = None
    scale: float = 1.0
    rotating: bool = False
    at: float = 0.0


def read_mapping(given: str | Path | Values, where: str = "mapping") -> tuple[dict[str, Entry], str | None]:
    """A mapping, from a YAML file or as one; and the name of the time column (key ``time``), if it gives one.

    Raises
    ------
    ReadError : no such file, no mapping, a quantity or key that is not known (the nearest is named), a bad value.
    """
    if not isinstance(given, Mapping):
        where = str(given)
        given = _yaml(Path(given))
    entries: dict[str, Entry] = {}
    time: str | None = None
    for quantity, value in given.items():
        if quantity == "time":
            time = str(value["channel"] if isinstance(value, Mapping) and "channel" in value else value)
            continue
        if quantity not in QUANTITIES:
            meant = nearest(str(quantity), list(QUANTITIES))
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise ReadError(
                f"there is no quantity '{quantity}'; there are {listed(list(QUANTITIES), 20)}.{hint}", where
            )
        facts: Values = value if isinstance(value, Mapping) else {"channel": value}
        for key in facts:
            if key not in _KEYS:
                raise ReadError(f"{quantity}: there is no key '{key}'; there are {', '.join(sorted(_KEYS))}", where)
        if "channel" not in facts:
            raise ReadError(f"{quantity}: the name of a channel is wanted (channel: ...)", where)
        frame = str(facts.get("frame", "standing"))
        if frame not in ("standing", "rotating"):
            raise ReadError(f"{quantity}: the frame is 'standing' or 'rotating', not '{frame}'", where)
        if frame == "rotating" and quantity not in TURNING:
            raise ReadError(f"{quantity}: only {', '.join(TURNING)} can be in the rotating frame", where)
        try:
            scale = float(facts.get("scale", 1.0))  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise ReadError(f"{quantity}: scale is a number, not {facts['scale']!r}", where) from None
        if not math.isfinite(scale):
            raise ReadError(f"{quantity}: scale is a finite number, not {scale}", where)
        spelled = facts.get("unit")
        entries[quantity] = Entry(
            str(facts["channel"]),
            None if spelled is None else str(spelled),
            scale,
            frame == "rotating",
            _distance(quantity, facts["at"], where) if "at" in facts else 0.0,
        )
    return entries, time


def _distance(quantity: str, given: JSON, where: str) -> float:
    """Where a moment acts [m]. Raises ReadError."""
    if quantity not in GAGE:
        raise ReadError(f"{quantity}: only {' and '.join(GAGE)} have a place ('at')", where)
    try:
        return in_si(given, "length", f"{quantity}: at")
    except GearwrightError as error:
        raise ReadError(str(error), where) from None


def _yaml(path: Path) -> Values:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        found = YAML(typ="safe", pure=True).load(decode(load_bytes(path)))
    except YAMLError as error:
        raise ReadError(f"is not YAML: {' '.join(str(error).split())[:160]}", path) from None
    if not isinstance(found, Mapping):
        raise ReadError("is not a mapping of quantities to channels", path)
    return found
