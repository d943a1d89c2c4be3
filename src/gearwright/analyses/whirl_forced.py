"""What unbalances and transmission errors do to the shafts of a train: amplitudes, phases, orbits, forces of bearings and meshes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.progress import each
from gearwright.remarks import assumed
from gearwright.running.inputs import body_named
from gearwright.solve.steady.whirl import circles
from gearwright.system import Source
from gearwright.train.train import Train
from gearwright.units import in_si

from .base import quantities
from .campbell import Excitation
from .whirl_model import WhirlModel, degrees

Float = NDArray[np.float64]
Complex = NDArray[np.complex128]

#: balance grade [m/s] of ISO 21940-11 where nobody gave unbalances, transmission error [m] where nobody gave one
GRADE, ERROR = 6.3e-3, 1e-6
#: largest orbit of a station, of that of all, from which on it is shown unasked; at most so many
TELLING, MOST = 0.02, 8
RPM = 30.0 / math.pi


@dataclass(frozen=True)
class StationResponse:
    """Motion of a body across its axis over speed: amplitudes [m] and phases [deg] along y and z, half axes of its orbit [m].

    ``y = y_amplitude cos(w t + y_phase_deg)``; at t = 0 an unbalance of phase 0 points along +y. ``minor`` is negative where the orbit
    runs against the sense in which the body turns.
    """

    station: str
    y_amplitude: Sequence[float]
    y_phase_deg: Sequence[float]
    z_amplitude: Sequence[float]
    z_phase_deg: Sequence[float]
    major: Sequence[float]
    minor: Sequence[float]


@dataclass(frozen=True)
class Peak:
    """The largest orbit of a station: where, half axis [m], and the phase of y [deg] there."""

    station: str
    speed_rpm: float
    frequency_hz: float
    major: float
    phase_deg: float


@dataclass(frozen=True)
class ForcedResponse:
    """Response to one line of excitation over the speed of the input.

    ``source`` are unbalances [kg m] by body, or transmission errors [m] by mesh; ``forces`` amplitudes [N] by bearing (half axis of the
    force's orbit) and mesh (normal force).
    """

    kind: Literal["unbalance", "mesh"]
    line: str
    order: float
    source: Mapping[str, float]
    speeds_rpm: Sequence[float]
    frequencies_hz: Sequence[float]
    stations: Sequence[StationResponse]
    forces: Mapping[str, Sequence[float]]

    def __getitem__(self, station: str) -> StationResponse:
        """The response of one station."""
        return next(s for s in self.stations if s.station == station)

    @property
    def peaks(self) -> list[Peak]:
        """Where each station moves most, the largest first."""
        found = []
        for s in self.stations:
            i = int(np.argmax(s.major))
            found.append(Peak(s.station, self.speeds_rpm[i], self.frequencies_hz[i], s.major[i], s.y_phase_deg[i]))
        return sorted(found, key=lambda p: -p.major)

    def orbit(self, station: str, speed_rpm: float, points: int = 73) -> tuple[Float, Float]:
        """Orbit (y, z) [m] of a station, from the nearest of the computed speeds."""
        i = int(np.argmin(np.abs(np.asarray(self.speeds_rpm) - speed_rpm)))
        t = np.linspace(0.0, 2.0 * np.pi, points)
        s = self[station]
        return (
            s.y_amplitude[i] * np.cos(t + math.radians(s.y_phase_deg[i])),
            s.z_amplitude[i] * np.cos(t + math.radians(s.z_phase_deg[i])),
        )


def read_unbalances(train: Train, given: Mapping[str, str | float] | None) -> dict[str, complex] | None:
    """Unbalances by body as complex numbers [kg m]: ``5e-3``, ``"500 g mm"``, ``"500 g mm at 90 deg"``; None for none given.

    Raises DrivetrainError for a body that there is not, and what is no unbalance.
    """
    if given is None:
        return None
    found: dict[str, complex] = {}
    for name, value in given.items():
        what = f"unbalance of '{name}'"
        body = body_named(train, name, "unbalance")
        amount, _, angle = value.partition(" at ") if isinstance(value, str) else (value, "", "")
        size = in_si(amount, "unbalance", what)
        phase = in_si(angle, "angle", what) if angle else 0.0
        if size < 0.0:
            raise DrivetrainError(
                f"{what} = {value}: is negative. Allowed: an amount from 0 on, its place by 'at 180 deg'."
            )
        found[body] = found.get(body, 0.0) + size * complex(math.cos(phase), math.sin(phase))
    return found


def unbalances_of_grade(model: WhirlModel, grade: float, speed: float) -> dict[str, complex]:
    """What a balance grade [m/s] leaves of unbalance [kg m] in every body at an input speed, all at one angle: mass times grade over
    the body's own speed (ISO 21940-11)."""
    bodies = {s.name: s.ratio for s in model.stations if s.ratio}
    return {
        b.name: (b.mass or 0.0) * b.count * grade / abs(bodies[b.name] * speed) + 0j
        for b in model.train.bodies.values()
        if b.name in bodies and b.mass
    }


def read_errors(
    train: Train, given: Mapping[str, str | float | Sequence[float | str]] | None
) -> tuple[dict[str, list[float]], list[str]]:
    """Amplitudes of the transmission error [m] by mesh, one a mesh harmonic; and what was assumed.

    Names are meshes or stages. Raises DrivetrainError for others.
    """
    if given is None:
        if not train.meshes:
            return {}, []
        return {m: [ERROR] for m in train.meshes}, [
            assumed(
                f"a transmission error of {1e6 * ERROR:g} um at the mesh frequency of every mesh: what it causes goes with it"
            )
        ]
    found: dict[str, list[float]] = {}
    for name, value in given.items():
        meshes = [m.name for m in train.meshes.values() if name in (m.name, m.stage)]
        if not meshes:
            known = [*train.meshes, *dict.fromkeys(m.stage for m in train.meshes.values() if m.stage)]
            meant = nearest(name, known)
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise DrivetrainError(
                f"transmission error: there is no mesh or stage '{name}'. There are: {listed(known)}.{hint}"
            )
        amounts = quantities(value, "length", f"transmission error of '{name}'")
        found.update(dict.fromkeys(meshes, amounts))
    return found, []


def unbalance_responses(
    model: WhirlModel, unbalances: Mapping[str, complex], speeds: Mapping[str, Float], wanted: Sequence[str]
) -> list[ForcedResponse]:
    """Response to unbalances, for each speed of bodies that has one; ``speeds`` [rad/s] of the input by line."""
    found = []
    ratio = {s.name: s.ratio for s in model.stations}
    lines = [line for line in model.lines if line.kind == "shaft"]
    for name in unbalances:
        if not ratio.get(name):
            raise DrivetrainError(
                f"unbalance of '{name}': it does not turn, or does not move across its axis. "
                f"Allowed: {listed([n for n, r in ratio.items() if r])}."
            )
    for line in each("unbalance", lines):
        mine = {b: u for b, u in unbalances.items() if abs(abs(ratio[b]) - line.order) <= 1e-6 * line.order and u}
        if not mine:
            continue
        at = speeds[line.name]
        w = line.order * at
        load = np.zeros((len(at), len(model.rotor.turning)), complex)
        for body, amount in mine.items():
            station, sense = model.station(body), math.copysign(1.0, ratio[body])
            force = w**2 * (amount if sense > 0.0 else amount.conjugate())
            load[:, station.y] += force
            load[:, station.z] += -1j * sense * force
        q = model.rotor.respond(at, w, load)
        found.append(
            _response(model, "unbalance", line, {b: abs(u) for b, u in mine.items()}, (at, w), q, None, wanted)
        )
    return found


def mesh_responses(
    model: WhirlModel, errors: Mapping[str, Sequence[float]], speeds: Mapping[str, Float], wanted: Sequence[str]
) -> list[ForcedResponse]:
    """Response to transmission errors, for each mesh frequency and harmonic."""
    found = []
    for line in each("mesh", [line for line in model.lines if line.kind == "mesh"]):
        rows: list[int] = []
        amounts: list[complex] = []
        source = {}
        for name in line.elements:
            harmonics = errors.get(name, ())
            if line.harmonic > len(harmonics) or not harmonics[line.harmonic - 1]:
                continue
            source[name] = harmonics[line.harmonic - 1]
            angle = 2.0 * math.pi * line.harmonic * model.train.meshes[name].phase
            part = re.compile(rf"{re.escape(name)}(\.slice\d+)?\.drive$")
            mine = [i for i, row in enumerate(model.rotor.system.rows) if part.match(row)]
            rows += mine
            amounts += [source[name] * complex(math.cos(angle), math.sin(angle))] * len(mine)
        if not rows:
            continue
        at = speeds[line.name]
        w = line.order * at
        load, on_row = model.rotor.imposed(rows, amounts, w)
        q = model.rotor.respond(at, w, load)
        found.append(_response(model, "mesh", line, source, (at, w), q, on_row, wanted))
    return found


def _response(
    model: WhirlModel,
    kind: Literal["unbalance", "mesh"],
    line: Excitation,
    source: Mapping[str, float],
    places: tuple[Float, Float],
    q: Complex,
    on_row: Complex | None,
    wanted: Sequence[str],
) -> ForcedResponse:
    """Motions (p, n) as orbits of the stations that move most, or of those wanted, and forces of bearings and meshes."""
    at, w = places
    made = []
    for s in model.stations:
        y, z = q[:, s.y], q[:, s.z]
        forward, backward = circles(y, z) if s.ratio >= 0.0 else circles(y, z)[::-1]
        made.append(
            StationResponse(
                s.name,
                np.abs(y).tolist(),
                degrees(y).tolist(),
                np.abs(z).tolist(),
                degrees(z).tolist(),
                (forward + backward).tolist(),
                (forward - backward).tolist(),
            )
        )
    bodies = set(model.train.bodies) - {b.name for b in model.train.bodies.values() if not b.mass}
    top = max((max(s.major) for s in made), default=0.0)
    if wanted:
        shown = [s for s in made if s.station in wanted]
    else:
        telling = [s for s in made if s.station in bodies and max(s.major) >= TELLING * top]
        shown = sorted(telling or made, key=lambda s: -max(s.major))[:MOST]
    deflection = q @ model.rotor.rows.T + (0.0 if on_row is None else on_row)
    forces = _forces(model, model.rotor.row_forces(deflection, w))
    return ForcedResponse(
        kind, line.name, line.order, dict(source), (at * RPM).tolist(), (w / (2.0 * math.pi)).tolist(), shown, forces
    )


def _forces(model: WhirlModel, rows: Complex) -> dict[str, list[float]]:
    """Amplitudes of the forces of bearings and meshes from those of all rows (p, m)."""
    sums: dict[tuple[str, str], Complex] = {}
    for channel in model.rotor.system.channels:
        if (channel.kind, channel.quantity) in (
            ("bearing", "force_y"),
            ("bearing", "force_z"),
            ("mesh", "normal_force"),
        ):
            total = np.zeros(len(rows), complex)
            for source, index, value in channel.terms:
                if source is Source.FORCE:
                    total += value * rows[:, index]
            sums[channel.element, channel.quantity] = total
    found = {}
    for element in dict.fromkeys(element for element, _ in sums):
        if (element, "normal_force") in sums:
            found[element] = np.abs(sums[element, "normal_force"]).tolist()
        else:
            nothing = np.zeros(len(rows), complex)
            y, z = (sums.get((element, f"force_{axis}"), nothing) for axis in "yz")
            found[element] = np.sum(circles(y, z), axis=0).tolist()
    return found
