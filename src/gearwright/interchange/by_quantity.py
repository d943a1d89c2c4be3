"""Series of a file by what they stand for: a quantity is found by the mapping, else by the names that are known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from gearwright.units import DIMENSIONS, UnitError, factor_to

from .names import QUANTITIES, Entry, gage_names, known_names, turning_names
from .read import records_of, series
from .record import Float, ReadError, unit


def resolve(
    path: str | Path, mapping: Mapping[str, Entry] | None = None, time_column: str | None = None
) -> dict[str, Entry]:
    """Which channels of a file are which quantities: by the mapping first, then by known names.

    Forces and moments across the shaft are taken from the standing frame, and from the rotating one where a file has no
    others and tells the azimuth.
    """
    names = [name for record in records_of(path, time_column=time_column) for name in record.names]
    found = {quantity: Entry(name) for quantity, name in known_names(names).items()}
    if "rotor_azimuth" in found or "rotor_azimuth" in (mapping or {}):
        for quantity, name in turning_names(names).items():
            found.setdefault(quantity, Entry(name, rotating=True))
    found.update(mapping or {})
    return found


def gage_moments(path: str | Path, at: float, time_column: str | None = None) -> dict[str, Entry]:
    """The moments at the strain gages of the low-speed shaft, which lie ``at`` behind the rotor's apex [m], as a mapping; empty where a file has none."""
    names = [name for record in records_of(path, time_column=time_column) for name in record.names]
    return {q: Entry(name, rotating=turning, at=at) for q, (name, turning) in gage_names(names).items()}


def quantity_series(
    path: str | Path,
    quantity: str,
    mapping: Mapping[str, Entry] | None = None,
    time_column: str | None = None,
    gaps: str = "refuse",
) -> tuple[Float, Float, str]:
    """Times [s], values and unit of a quantity, gaps as :func:`.read.series` has them; what is in the rotating frame is turned into the standing one.

    ``y = y_r cos psi - z_r sin psi``, ``z = y_r sin psi + z_r cos psi`` with the azimuth psi of the rotor. A moment that is known at a
    place ``at`` behind the hub goes to the hub by the forces there: ``M_y - at F_z``, ``M_z + at F_y``.

    Raises
    ------
    ReadError : the file does not have the quantity under a known name, nor the mapping; or not the azimuth and the other
        component that a rotating one needs.
    """
    if quantity not in QUANTITIES:
        raise ReadError(f"'{quantity}' is no quantity; a mapping knows {', '.join(QUANTITIES)}", path)
    found = resolve(path, mapping, time_column)
    if quantity not in found:
        raise ReadError(
            f"no channel is known to be {quantity} ({QUANTITIES[quantity][1]}); name it in a mapping. Known in it: "
            f"{', '.join(f'{q} ({e.channel})' for q, e in found.items()) or 'none'}",
            path,
        )
    time, values, spelled = _standing(path, quantity, found, time_column, gaps)
    if not found[quantity].at:
        return time, values, spelled
    force = "hub_force_z" if quantity == "hub_moment_y" else "hub_force_y"
    if force not in found:
        raise ReadError(f"{quantity} is known {found[quantity].at:g} m behind the hub; {force} is wanted too", path)
    _, across, force_unit = _standing(path, force, found, time_column, gaps)
    if across.shape != values.shape:
        raise ReadError(f"{quantity} and {force} are wanted at the same times", path)
    try:
        factor = factor_to(force_unit, DIMENSIONS["force"]) / factor_to(spelled, DIMENSIONS["torque"])
    except UnitError as error:
        raise ReadError(f"{quantity} in '{spelled}', {force} in '{force_unit}': {error}", path) from None
    sense = -1.0 if quantity == "hub_moment_y" else 1.0
    return time, values + sense * factor * found[quantity].at * across, spelled


def _standing(
    path: str | Path, quantity: str, found: Mapping[str, Entry], time_column: str | None, gaps: str
) -> tuple[Float, Float, str]:
    """A quantity in the standing frame, at its place."""
    entry = found[quantity]
    time, values, spelled = _entry_series(path, entry, time_column, gaps)
    if not entry.rotating:
        return time, values, spelled
    other = quantity[:-1] + ("z" if quantity.endswith("y") else "y")
    for needed in (other, "rotor_azimuth"):
        if needed not in found:
            raise ReadError(f"{quantity} is in the rotating frame; {needed} is wanted too", path)
    if not found[other].rotating:
        raise ReadError(f"{quantity} is in the rotating frame, {other} is not; both are wanted in one", path)
    _, across, other_unit = _entry_series(path, found[other], time_column, gaps)
    _, azimuth, angle_unit = _entry_series(path, found["rotor_azimuth"], time_column, gaps)
    if other_unit != spelled:
        raise ReadError(f"{quantity} is in {spelled}, {other} in {other_unit}", path)
    if angle_unit not in ("deg", "rad"):
        raise ReadError(
            f"rotor_azimuth ({found['rotor_azimuth'].channel}) is in '{angle_unit}'; deg or rad is wanted", path
        )
    if across.shape != values.shape or azimuth.shape != values.shape:
        raise ReadError(f"{quantity}, {other} and rotor_azimuth are wanted at the same times", path)
    psi = np.radians(azimuth) if angle_unit == "deg" else azimuth
    if quantity.endswith("y"):
        return time, values * np.cos(psi) - across * np.sin(psi), spelled
    return time, across * np.sin(psi) + values * np.cos(psi), spelled


def _entry_series(path: str | Path, entry: Entry, time_column: str | None, gaps: str) -> tuple[Float, Float, str]:
    time, values, spelled = series(path, entry.channel, time_column=time_column, gaps=gaps)
    return time, entry.scale * values, unit(entry.unit) if entry.unit is not None else spelled
