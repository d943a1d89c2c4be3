"""Recorded loads of other programs as a case: which channel drives what, with signs and the ratio of the record.

The default is what recorded runs of turbines allow best: the recorded rotor speed turns the input, the recorded generator torque
brakes the output, and the recorded torque of the low-speed shaft is compared with the computed one. With fidelity ``spatial``
the forces and moments of the hub act on the input as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gearwright import units
from gearwright.errors import DrivetrainError
from gearwright.interchange import QUANTITIES, ReadError, quantity_series, read_mapping
from gearwright.interchange.by_quantity import gage_moments, resolve
from gearwright.interchange.names import Entry
from gearwright.remarks import assumed, warning
from gearwright.schema.case_lookup import find_case, with_case
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import JSON, Values, groups
from gearwright.schema.read import from_mapping
from gearwright.train.expand import expand
from gearwright.train.train import Train

CASE = "recorded-loads"
DRIVES = ("speed", "torque")
_HUB = ("hub_force_x", "hub_force_y", "hub_force_z", "hub_moment_y", "hub_moment_z")
_DISCARD = 60.0
#: what stays of the rotor's mass and inertia where the hub's loads hold them: enough for a body to have some
_KEPT = 1e-4


@dataclass(frozen=True)
class Recorded:
    """A drivetrain with a case made of a record, and what was decided on the way."""

    drivetrain: Drivetrain
    case: str
    channels: dict[str, str]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """How a record is read and what of it drives: the arguments of :func:`with_loads` of the same names."""

    mapping: Mapping[str, Entry] | None = None
    time_column: str | None = None
    gaps: str = "refuse"
    drive: str = "speed"
    recorded_ratio: float | None = None
    gage: float | None = None


def mapping_of(mapping: str | Path | Values | None, pairs: Sequence[str] = ()) -> tuple[dict[str, Entry], str | None]:
    """A mapping from a file or as one, and ``quantity=channel`` pairs, which come before it.

    Raises DrivetrainError for what is not known.
    """
    try:
        entries, time = read_mapping(mapping) if mapping is not None else ({}, None)
        given: dict[str, str] = {}
        for pair in pairs:
            name, sign, channel = pair.partition("=")
            if not sign or not channel.strip():
                raise ReadError("is no quantity=channel, such as rotor_speed=Omega", pair)
            given[name.strip()] = channel.strip()
        more, clock = read_mapping(given, "--map")
    except ReadError as error:
        raise DrivetrainError(str(error)) from None
    return {**entries, **more}, clock or time


def with_loads(
    drivetrain: Drivetrain,
    path: str | Path,
    case: str | None = None,
    *,
    fidelity: str | None = None,
    law: str | None = None,
    mapping: Mapping[str, Entry] | None = None,
    time_column: str | None = None,
    gaps: str = "refuse",
    drive: str = "speed",
    recorded_ratio: float | None = None,
    duration: float | None = None,
    gage: float | None = None,
) -> Recorded:
    """The drivetrain with one more case, driven by a recorded file.

    Parameters
    ----------
    drivetrain : with operating input and output
    path : a record of any kind that :func:`gearwright.read` reads as series
    case : a case of the file whose other keys are taken over (what it records, counts, discards, changes)
    fidelity, law : as in the run; ``spatial`` takes the hub's forces and moments too
    mapping : quantity to channel, before the names that are known
    gaps : missing samples ``refuse`` the run, or straight lines ``bridge`` them
    drive : ``speed`` (recorded rotor speed turns the input) or ``torque`` (recorded aerodynamic torque does, with a slow trim)
    recorded_ratio : ratio of the recorded drivetrain; None: recorded generator over rotor speed, else the own one
    duration : seconds; None: all that is recorded
    gage : how far the strain gages of the shaft lie behind the rotor's apex [m] (OpenFAST: ShftGagL), where the record has the moments
        there and not at the hub

    Raises DrivetrainError for a quantity that no channel is known to be, and a drivetrain that has no input or output.
    """
    _check(drivetrain, drive, gaps)
    # what a case changes does not change ends and ratios
    train = expand(with_case(drivetrain, case) if case is not None else drivetrain, fidelity)
    if not train.input or not train.output:
        raise DrivetrainError("recorded loads need operating.input and operating.output of the drivetrain")
    own = _own_ratio(train)
    spatial = (fidelity or train.model.fidelity or "torsional") == "spatial"
    try:
        if spatial:
            mapping = _with_gage(path, mapping or {}, time_column, gage)
        found = resolve(path, mapping, time_column)
        span, ratio, notes = _figures(path, found, time_column, gaps)
    except ReadError as error:
        raise DrivetrainError(str(error)) from None
    twists = any(train.input in shaft.between and shaft.torsional for shaft in train.shafts.values())
    if drive == "speed" and "rigid" in (law or train.model.law, fidelity or train.model.fidelity) and not twists:
        raise DrivetrainError(
            "a rigid train that follows a recorded speed has nothing to compute; take law linear, a shaft that twists, or drive torque"
        )
    if (ratio := recorded_ratio or ratio) is None:
        notes.append(
            assumed("the record has not both speeds: its generator torque is taken as that of a train of the own ratio")
        )
    source = _Source(str(Path(path).resolve()), found, time_column, gaps, mapping or {}, drivetrain, drive)
    used = source.needed("rotor_speed" if drive == "speed" else "aerodynamic_torque", "generator_torque")
    length = duration or span
    begin, said = _begin(drivetrain, case, length)
    notes += said
    told = f"recorded loads of {Path(path).name}"
    raw: Any = {
        "name": CASE,
        "description": told,
        "duration": f"{length:.9g} s",
        **begin,
        **_driven(train, source, ratio, own),
    }
    if spatial:
        load, changes, more = _hub(train.input, source, begin.get("base"), notes)
        raw |= {"loads": [*raw["loads"], *load], **changes}
        used += more
    compare = _compared(train, source)
    if compare is not None:
        raw["compare"], used = compare, [*used, "rotor_torque"]
    data = {**drivetrain.raw, "cases": [*groups(drivetrain.raw.get("cases")), raw]}
    made = from_mapping(data, drivetrain.file, drivetrain.text, tuple(drivetrain.overrides))
    return Recorded(made, CASE, {q: found[q].channel for q in dict.fromkeys(used)}, tuple(notes))


def _driven(train: Train, source: _Source, ratio: float | None, own: float) -> Values:
    """Loads, speeds and trim of the case: what turns the input, what brakes the output."""
    brake = source.file("generator_torque", -math.copysign(1.0, own))
    if ratio is not None:
        brake = {**brake, "recorded_ratio": abs(ratio)}
    loads: list[JSON] = [{"on": train.output, "torque": {"file": brake}}]
    if source.drive == "speed":
        return {"loads": loads, "speeds": {str(train.input): {"file": source.file("rotor_speed")}}}
    loads.append({"on": train.input, "torque": {"file": source.file("aerodynamic_torque")}})
    return {"loads": loads, "speeds": {}, "trim": {"on": train.input, "time_constant": "10 s"}}


def _with_gage(
    path: str | Path, mapping: Mapping[str, Entry], time_column: str | None, gage: float | None
) -> Mapping[str, Entry]:
    """The mapping, with the moments at the strain gages where the record knows none at the hub. Raises DrivetrainError where it is not
    said how far they are apart."""
    found = resolve(path, mapping, time_column)
    if all(q in found for q in _HUB[3:]):
        return mapping
    moments = gage_moments(path, gage or 0.0, time_column)
    if not moments:
        return mapping
    if gage is None:
        raise DrivetrainError(
            f"{path}: moments are known at the strain gages of the shaft alone ({moments['hub_moment_y'].channel}); say how far behind the "
            "rotor's apex they are: --gage '1.912 m' (ShftGagL of the ElastoDyn file)"
        )
    return {**moments, **mapping}


def _begin(drivetrain: Drivetrain, case: str | None, length: float) -> tuple[dict[str, str], list[str]]:
    """Keys of the case that is taken over, and of what is discarded as start; remarks."""
    base = None if case is None else find_case(drivetrain, case)
    keys = {} if base is None else {"base": base.name}
    if base is not None and base.discard is not None:
        return keys, []
    keys["discard"] = f"{min(_DISCARD, 0.1 * length):.6g} s"
    return keys, [assumed(f"the first {keys['discard']} are discarded as start")]


def _check(drivetrain: Drivetrain, drive: str, gaps: str) -> None:
    """Raise DrivetrainError for a drivetrain that no record can drive so."""
    if drive not in DRIVES:
        raise DrivetrainError(f"a record drives by {' or '.join(DRIVES)}, not '{drive}'")
    if gaps not in ("refuse", "bridge"):
        raise DrivetrainError(f"gaps of a record refuse or bridge, not '{gaps}'")
    if drivetrain.turbine is not None:
        raise DrivetrainError("recorded loads do not go with a turbine, which makes its own; run the drivetrain alone")
    if any(c.get("name") == CASE for c in groups(drivetrain.raw.get("cases"))):
        raise DrivetrainError(f"the drivetrain already has a case '{CASE}'; rename it")


def _own_ratio(train: Train) -> float:
    """Speed of the output over that of the input."""
    first, last = train.ratios.get(train.input or ""), train.ratios.get(train.output or "")
    if not first or not last:
        raise DrivetrainError(
            f"recorded loads need a train whose output turns at a ratio to its input; '{train.output}' and '{train.input}' do not"
        )
    return last / first


def _compared(train: Train, source: _Source) -> dict[str, str] | None:
    """The recorded torque of the first shaft beside the computed one, where it is known as it stands."""
    shaft = next((s for s in train.shafts.values() if train.input in s.between), None)
    torque = source.found.get("rotor_torque")
    if shaft is None or torque is None or torque.unit is not None or torque.scale != 1.0:
        return None
    return {"shaft": shaft.name, "channel": torque.channel, "path": source.path}


@dataclass(frozen=True)
class _Source:
    """A record and what its channels are."""

    path: str
    found: Mapping[str, Entry]
    time_column: str | None
    gaps: str
    mapping: Mapping[str, Entry]
    drivetrain: Drivetrain
    drive: str

    def needed(self, *quantities: str) -> list[str]:
        """The quantities, if a channel is known for each. Raises DrivetrainError."""
        for quantity in quantities:
            if quantity not in self.found:
                known = ", ".join(f"{q} ({e.channel})" for q, e in self.found.items()) or "none"
                raise DrivetrainError(
                    f"{self.path}: no channel is known to be {quantity} ({QUANTITIES[quantity][1]}); say which with "
                    f"--map {quantity}=CHANNEL or a mapping file. Known in it: {known}"
                )
        return list(quantities)

    def file(self, quantity: str, scale: float = 1.0) -> Values:
        """The form ``file`` of a value over time; one in the rotating frame, or of another place, is named by its quantity."""
        entry = self.found[quantity]
        made: Any = {"path": self.path, "channel": entry.channel, "scale": scale * entry.scale}
        if self.time_column is not None:
            made["time_column"] = self.time_column
        if self.gaps != "refuse":
            made["gaps"] = self.gaps
        if entry.unit is not None:
            made["unit"] = entry.unit
        if entry.rotating or entry.at:
            made.update(channel=quantity, scale=scale)
            made.pop("unit", None)
            if self.mapping:
                made["mapping"] = {
                    q: {
                        "channel": e.channel,
                        "scale": e.scale,
                        "frame": "rotating" if e.rotating else "standing",
                        **({"unit": e.unit} if e.unit else {}),
                        **({"at": f"{e.at:.9g} m"} if e.at else {}),
                    }
                    for q, e in self.mapping.items()
                }
        return made


def _figures(
    path: str | Path, found: Mapping[str, Entry], time_column: str | None, gaps: str
) -> tuple[float, float | None, list[str]]:
    """How long the record is [s], its ratio from both speeds, and remarks."""
    span, speeds = math.inf, {}
    for quantity in ("rotor_speed", "generator_speed", "generator_torque", "aerodynamic_torque"):
        if quantity in found:
            time, values, unit = quantity_series(path, quantity, found, time_column, gaps)
            span = min(span, float(time[-1] - time[0]))
            speeds[quantity] = (values, unit)
    if not math.isfinite(span):
        return 0.0, None, []
    if "rotor_speed" not in speeds or "generator_speed" not in speeds:
        return span, None, []
    both: list[Any] = []
    for quantity in ("rotor_speed", "generator_speed"):
        values, unit = speeds[quantity]
        try:
            both.append(np.abs(values) * units.factor_to(unit, units.DIMENSIONS["rotational speed"]))
        except units.UnitError:
            return span, None, []
    turning = both[0] > 0.5 * both[0].max() if both[0].shape == both[1].shape else np.zeros(0, bool)
    ratio = float(np.median(both[1][turning] / both[0][turning])) if turning.any() else 0.0
    if ratio <= 0.0:
        return span, None, [assumed("the recorded speeds tell no ratio: the own one is taken for the recorded one")]
    return span, ratio, [f"ratio of the record {ratio:.5g}, by its speeds"]


def _hub(body: str, source: _Source, base: str | None, notes: list[str]) -> tuple[list[Values], Values, list[str]]:
    """Forces and moments of the hub as a load, what else the case changes for them, and the quantities used."""
    lost = [q for q in _HUB if q not in source.found]
    if lost:
        notes.append(f"forces and moments of the hub are left out: no channel is known to be {', '.join(lost)}")
        return [], {}, []
    force, moment = ([{"file": source.file(q)} for q in part] for part in (_HUB[:3], _HUB[3:]))
    load: Values = {"on": body, "force": force, "moment": moment}
    turned = [q for q in _HUB if source.found[q].rotating]
    if turned:
        notes.append(f"{', '.join(turned)} are recorded in the rotating frame and turned by the recorded azimuth")
    moved = source.found["hub_moment_y"].at
    if moved:
        notes.append(f"moments are recorded {moved:g} m behind the hub and taken to it by the forces there")
    changes = _without_rotor(body, source.drivetrain, source.drive, notes)
    if changes:
        changes = {"set": {**({} if base is None else find_case(source.drivetrain, base).set), **changes}}
    return [load], changes, list(_HUB)


def _without_rotor(body: str, drivetrain: Drivetrain, drive: str, notes: list[str]) -> Values:
    """Values by path that take mass and inertia of the rotor out: what is recorded between hub and shaft holds its weight and its inertia."""
    at = next((i for i, b in enumerate(groups(drivetrain.raw.get("bodies"))) if b.get("name") == body), None)
    own = next((b for b in drivetrain.bodies if b.name == body), None)
    if at is None or own is None or own.mass is None:
        return {}
    mass = {f"bodies.{at}.mass": f"{_KEPT * own.mass:.6g} kg"}
    if drive != "speed":
        said = f"the mass of '{body}' is left out: the loads recorded between hub and shaft hold it; its inertia across the shaft stays, since "
        notes.append(
            warning(said + "the torque of the air turns it: what tilts the shaft is too large near its frequency")
        )
        return mass
    air = {
        f"shafts.{i}.bearings.{j}.torsional_damping": None
        for i, shaft in enumerate(groups(drivetrain.raw.get("shafts")))
        if isinstance(ends := shaft.get("between"), list) and body in ends
        for j, held in enumerate(groups(shaft.get("bearings")))
        if "torsional_damping" in held and not {"stiffness", "matrix", "rolling"} & held.keys()
    }
    inertia: Any = own.inertia if isinstance(own.inertia, (list, tuple)) else [own.inertia or 1.0] * 3
    said = f"mass and inertia of '{body}' are left out: the loads recorded between hub and shaft hold them, weight included"
    if air:
        said += f"; so is the damping of the air against the tilting of '{body}'"
    notes.append(said)
    return {**mass, **air, f"bodies.{at}.inertia": [f"{_KEPT * x:.6g} kg m^2" for x in inertia]}
