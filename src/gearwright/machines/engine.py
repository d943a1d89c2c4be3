"""Combustion engine as a torque over speed and pedal.

    T(w, p) = closed(w) + p (full(w) - closed(w))

Either a parabola of full load, ``peak - peak ((w - w_peak)/half width)^2``, with a closed throttle of one eleventh of it
(so that ``T = (p + 0.1)/1.1`` times the parabola, which brakes beyond its zeros), or two curves of points. The engine has
no inertia of its own. Source: S3, part C, table 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.kernels import force
from gearwright.kernels.places import cell_of
from gearwright.schema.machines import EngineParameters
from gearwright.system import Law

Points = tuple[tuple[float, float], ...]
#: Part of the pedal at rest: closed throttle is 0.1/1.1 of full load (S3, table 1).
IDLE = 0.1


@dataclass(frozen=True)
class EngineMap:
    """Full load and closed throttle of an engine.

    Parameters
    ----------
    peak_torque, peak_speed, half_width : parabola [N m], [rad/s]; zero torque at ``peak_speed -+ half_width``
    full_load, closed : instead, points (speed [rad/s], torque [N m]), speeds rising; monotone cubics between, held
        beyond. Without ``closed`` the engine gives no torque with the pedal up
    """

    peak_torque: float = 0.0
    peak_speed: float = 0.0
    half_width: float = 0.0
    full_load: Points = ()
    closed: Points = ()

    @classmethod
    def of(cls, p: EngineParameters) -> EngineMap:
        """From the parameters of a file. Raises ValueError for missing or contradictory ones."""
        parabola = ("peak_torque", "peak_speed", "half_width")
        if ("full_load" in p.said) == bool(p.said & set(parabola)) or (
            "full_load" not in p.said and not p.said >= set(parabola)
        ):
            raise ValueError(f"give {', '.join(parabola)}, or full_load (and closed): [[speed, torque], ...]")
        made = cls(
            p.peak_torque or 0.0,
            p.peak_speed or 0.0,
            p.half_width or 0.0,
            tuple(p.full_load or ()),
            tuple(p.closed or ()),
        )
        for name, points in (("full_load", made.full_load), ("closed", made.closed)):
            speeds = [w for w, _ in points]
            if points and (len(points) < 2 or any(b <= a for a, b in zip(speeds, speeds[1:], strict=False))):
                raise ValueError(f"{name} needs at least two points with rising speeds")
        if not made.full_load and not (made.peak_torque > 0.0 and made.half_width > 0.0):
            raise ValueError("peak_torque and half_width must be positive")
        return made

    def torque(self, speed: ArrayLike, pedal: float) -> NDArray[np.float64]:
        """Torque [N m] at speeds [rad/s] and a pedal in 0..1."""
        from scipy.interpolate import PchipInterpolator

        w = np.asarray(speed, float)
        if not self.full_load:
            parabola = self.peak_torque * (1.0 - ((w - self.peak_speed) / self.half_width) ** 2)
            return np.asarray((pedal + IDLE) / (1.0 + IDLE) * parabola)
        curves = []
        for points in (self.closed, self.full_load):
            x, y = np.array(points or ((0.0, 0.0), (1.0, 0.0))).T
            curves.append(PchipInterpolator(x, y)(np.clip(w, x[0], x[-1])))
        return np.asarray(curves[0] + pedal * (curves[1] - curves[0]))


@force
def engine_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: signal of the pedal, 1 if held outside, first speed, width, cells, then 8 coefficients a cell: closed
    throttle and what full load has more, over the local coordinate."""
    x = (dv[0] - p[2]) / p[3]
    cells = int(p[4])
    if p[1] != 0.0:
        x = min(max(x, 0.0), 1.0 * cells)
    cell = cell_of(x, cells)
    x -= cell
    i = 5 + 8 * cell
    closed = p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3]))
    more = p[i + 4] + x * (p[i + 5] + x * (p[i + 6] + x * p[i + 7]))
    f[0] = -(closed + s[int(p[0])] * more)


def engine(data: EngineMap, pedal: int, at: float = 0.0, position: float = 1.0) -> Law:
    """An engine as a law on the rotation of its body.

    Parameters
    ----------
    data : the map
    pedal : number of the signal of the pedal
    at, position : speed [rad/s] and pedal whose slope serves linear analyses
    """
    if data.full_load:
        ends = [w for points in (data.closed, data.full_load) for w, _ in points]
        edges = np.linspace(min(ends), max(ends), 513)
        held = 1.0
    else:
        edges = np.array([data.peak_speed, data.peak_speed + data.half_width])
        held = 0.0
    h = float(edges[1] - edges[0])
    columns = []
    for pedals in ((0.0,), (1.0, 0.0)):
        # cubic through value and slope at the edges; exact for the parabola
        curve = [data.torque(edges, x) for x in pedals]
        e = 1e-3 * h
        inside = np.clip(np.array([edges - e, edges + e]), edges[0] if held else -np.inf, edges[-1] if held else np.inf)
        ends2 = [(data.torque(inside[1], x) - data.torque(inside[0], x)) / (inside[1] - inside[0]) for x in pedals]
        value = curve[0] - (curve[1] if len(curve) > 1 else 0.0)
        slope = h * (ends2[0] - (ends2[1] if len(ends2) > 1 else 0.0))
        rise = np.diff(value)
        columns += [value[:-1], slope[:-1], 3 * rise - 2 * slope[:-1] - slope[1:], slope[:-1] + slope[1:] - 2 * rise]
    gradient = float(data.torque(at - 1e-3, position) - data.torque(at + 1e-3, position)) / 2e-3
    return Law(
        force=engine_force,
        parameters=(
            float(pedal),
            held,
            float(edges[0]),
            h,
            float(len(edges) - 1),
            *np.column_stack(columns).ravel().tolist(),
        ),
        mean=((0.0,), (gradient,)),
        label="engine map",
        source="S3",
    )
