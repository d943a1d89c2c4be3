"""What every pair of teeth did in a run with tooth contact, from the stored motion and the law's own numbers.

A result keeps, per mesh in contact, the parameters of its law (attribute ``contact_json``) and the motion along its rows; a
look at the law then gives each pair's force and pressure, so nothing of it needs to be stored pair by pair.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gearwright.laws import tooth_contact_pair as P
from gearwright.laws.tooth_contact import look, tooth_contact_look
from gearwright.system import Law, System

from .file import Attribute
from .layout import ResultError

if TYPE_CHECKING:
    from .result import Result

Float = NDArray[np.float64]
#: samples per mesh cycle below which a course is no course
SPARSE = 8.0
#: samples that are looked at, at most
MOST = 4000
#: phases of a static course
PHASES = 64


def contact_record(system: System) -> str:
    """Parameters of all laws of tooth contact of a system, by mesh, as JSON; empty without any."""
    found = {
        system.blocks[i]: {"rows": law.rows, "parameters": list(law.parameters)}
        for i, law in enumerate(system.laws)
        if law.label == "tooth contact pair by pair"
    }
    return json.dumps(found) if found else ""


def contact_laws(attributes: Mapping[str, Attribute]) -> dict[str, Law]:
    """Laws of tooth contact of a result, by mesh, to be looked at; none where the run had another law."""
    text = attributes.get("contact_json")
    if not text:
        return {}
    return {
        mesh: Law(force=tooth_contact_look, parameters=tuple(record["parameters"]), rows=int(record["rows"]), senses=1)
        for mesh, record in json.loads(str(text)).items()
    }


@dataclass(frozen=True)
class Course:
    """Touching pairs over time, one entry each: ``time`` [s], ``flank`` (0 drive, 1 coast), ``pair`` (its number),
    ``roll_angle`` of wheel 1 [rad] (arc over base radius: zero at the base circle), ``force`` [N], ``pressure`` [Pa] (largest
    over the slices of a pair; zero for teeth without contact data), and ``wheel`` that the angle is of (index 0)."""

    time: Float
    flank: NDArray[np.int64]
    pair: NDArray[np.int64]
    roll_angle: Float
    force: Float
    pressure: Float

    def passes(self, flank: int = 0) -> list[tuple[Float, Float, Float, Float]]:
        """Time, roll angle, force and pressure of every pair of a flank, one after the other."""
        found = []
        for number in np.unique(self.pair[self.flank == flank]):
            which = (self.flank == flank) & (self.pair == number)
            found.append((self.time[which], self.roll_angle[which], self.force[which], self.pressure[which]))
        return found


def contact_course(result: Result, mesh: str, *, begin: float | None = None, cycles: float = 4.0) -> Course:
    """Every touching pair of a mesh over some mesh cycles of a result.

    Parameters
    ----------
    result : of a run with law ``tooth_contact``
    mesh : its name
    begin : time [s] from which on (None: the last ``cycles`` of the run)
    cycles : how many mesh cycles

    Raises ResultError where the run had no tooth contact, the mesh does not exist, its motion was not recorded, or the
    stored samples are too far apart to follow a pair.
    """
    laws = contact_laws(result.attributes)
    if mesh not in laws:
        known = ", ".join(laws) or "none: the run had another law"
        raise ResultError(f"no tooth contact of mesh '{mesh}' in this result; meshes in contact: {known}")
    law = laws[mesh]
    time = result.time
    motion = _motion(result, mesh, law)
    phase = motion[:, -1]
    travelled = np.abs(phase - phase[-1] if begin is None else phase - phase[np.searchsorted(time, begin)])
    chosen = travelled <= cycles
    if begin is not None:
        chosen &= time >= begin - 1e-12
    chosen &= np.isfinite(motion).all(axis=1)
    index = np.flatnonzero(chosen)
    if len(index) < 2:
        raise ResultError(f"mesh '{mesh}': no samples where its pairs are to be followed")
    per_cycle = len(index) / max(float(np.ptp(phase[index])), 1e-9)
    if per_cycle < SPARSE:
        raise ResultError(
            f"mesh '{mesh}': {per_cycle:.2g} stored samples a mesh cycle do not follow a pair of teeth; store more with "
            f"output_interval: {_interval(time, per_cycle):.2g} s in the case, or a shorter run"
        )
    index = index[:: max(1, math.ceil(len(index) / MOST))]
    rb1 = law.parameters[P.RB1]
    rows: list[tuple[float, int, int, float, float, float]] = []
    for i in index:
        seen = look(law, motion[i])
        pairs: dict[tuple[int, int], list[float]] = {}
        for side, n, arc, force, pressure in zip(
            seen.flank, seen.pair, seen.arc, seen.force, seen.pressure, strict=True
        ):
            kept = pairs.setdefault((int(side), int(n)), [0.0, 0.0, 0.0])
            kept[0] += arc * force
            kept[1] += force
            kept[2] = max(kept[2], pressure)
        rows += [(time[i], side, n, s / f / rb1, f, p) for (side, n), (s, f, p) in pairs.items()]
    table = np.array(rows).reshape(-1, 6)
    return Course(table[:, 0], table[:, 1].astype(int), table[:, 2].astype(int), table[:, 3], table[:, 4], table[:, 5])


def _interval(time: Float, per_cycle: float) -> float:
    return float(time[1] - time[0]) * per_cycle / (4.0 * SPARSE)


def _motion(result: Result, mesh: str, law: Law) -> Float:
    """Deflections of the law's rows over time (samples, rows + 1), the phase last."""
    p = law.parameters

    def series(quantity: str) -> Float:
        if quantity not in result.quantities.get("mesh", ()) or mesh not in result.elements("mesh"):
            raise ResultError(f"mesh '{mesh}': '{quantity}' is not recorded (record: [meshes])")
        return np.asarray(result.values(f"mesh_{quantity}", result.elements("mesh").index(mesh)), float)

    drive = series("deflection")
    found = np.zeros((len(drive), law.rows + 1))
    found[:, 0], found[:, 1], found[:, -1] = drive, -drive, series("phase")
    if p[P.PLANAR] != 0.0:
        found[:, 5], found[:, 6] = series("centre_distance_change"), series("centre_shift")
        # both flanks share the turning; the line of action of the other one leans the other way
        found[:, 1] -= 2.0 * p[P.KIND] * p[P.L0] / p[P.A0] * found[:, 5]
    tilts = int(p[P.TILT])
    if tilts:
        found[:, 1] = series("coast_deflection")
        found[:, tilts], found[:, tilts + 1] = series("face_tilt_drive"), series("face_tilt_coast")
    return found


# --- at rest under a load ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rest:
    """A mesh at rest under a force [N] over one cycle: ``phase``, deflection ``error`` [m] (the static transmission error),
    tangent ``stiffness`` [N/m]."""

    phase: Float
    error: Float
    stiffness: Float


def at_rest(law: Law, force: float) -> Rest:
    """Static transmission error and stiffness of a law of tooth contact over one cycle, teeth alike.

    Raises ValueError for a force that is not positive, or that the contact cannot carry.
    """
    if not force > 0.0:
        raise ValueError(f"a mesh at rest carries a positive force, got {force:g} N")
    numbers = list(law.parameters)
    numbers[P.DATA], numbers[P.REACH] = 0.0, 0.0
    alike = law._replace(parameters=tuple(numbers))
    phase = (np.arange(PHASES) + 0.5) / PHASES
    error, stiffness = np.empty(PHASES), np.empty(PHASES)
    guess = 1e-6
    for i, at in enumerate(phase):
        guess = error[i] = _carrying(alike, force, float(at), guess)
        step = 1e-4 * guess
        high, low = (float(look(alike, guess + side * step, float(at)).force.sum()) for side in (1.0, -1.0))
        stiffness[i] = (high - low) / (2.0 * step)
    return Rest(phase, error, stiffness)


def _carrying(law: Law, force: float, phase: float, guess: float) -> float:
    from scipy.optimize import brentq

    def left(d: float) -> float:
        return float(look(law, d, phase).force.sum()) - force

    low, high = 0.0, 1.1 * guess
    for _ in range(80):
        if left(high) > 0.0:
            return float(brentq(left, low, high, xtol=1e-13, rtol=1e-9))
        low, high = high, 1.5 * high
    raise ValueError(f"no deflection carries {1e-3 * force:.4g} kN: the contact gives way beyond elastic")
