"""A vehicle on two driven wheels: chassis with three motions, tyres, front wheel, rolling and air resistance.

Axes of the chassis: x forward, y to the RIGHT, z down; a positive yaw rate turns to the right. With ``B`` the track and
``L`` the base, for the left (upper sign) and right wheel::

    V_x = vx +- wz B/2,  V_y = vy - wz L/2           speed of the wheel's hub
    s_x = (R w - V_x)/|V_x|,  s_y = -V_y/|V_x|       slip
    F = mu N (2/pi) atan(k s),  s = |(s_x, s_y)|,  k = tan(0.9 pi/2)/s_90,  along the slip

    m (dvx/dt - vy wz) = F_xL + F_xR - c_r m g - c_w vx |vx|
    m (dvy/dt + vx wz) = F_yL + F_yR + F_f
    J_z dwz/dt = F_f L/2 - (F_yL + F_yR) L/2 + (F_xL - F_xR) B/2
    F_f = 2 C_f atan(-(vy + wz L/2)/vx)              both front wheels

``N`` is the driven axle's share of the weight by two. The chassis' motions are coordinates of the system, so its kinetic
energy is the system's; the terms with ``vy wz`` and ``vx wz`` do no work. Source: S3, part C, tables 2 and 3, with the
errata of its digest: the factor of the tyre is a quotient (printed as a product, which ``tyre: printed`` keeps), rolling
resistance follows the sign of the speed, zero slip and zero speed are regularised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from gearwright.kernels import force
from gearwright.schema.machines import ChassisParameters
from gearwright.system import Law

GRAVITY = 9.81
#: Speed [m/s] below which slip is referred to this one, and slip below which the tyre is linear.
SLOWEST, LEAST_SLIP = 1e-3, 1e-7


@dataclass(frozen=True)
class TrackedChassis:
    """Data of the vehicle; SI. ``slip_90``: slip at which the tyre has nine tenths of its peak.

    ``rear_share``: part of the weight on the driven axle; ``front_stiffness``: side force per angle of one of two front
    wheels [N/rad]; ``drag`` [N s^2/m^2]; ``tyre``: ``corrected`` or ``printed``.
    """

    mass: float
    yaw_inertia: float
    track: float
    base: float
    wheel_radius: float
    friction: float = 1.0
    slip_90: float = 0.1
    rear_share: float = 0.5
    rolling: float = 0.0
    drag: float = 0.0
    front_stiffness: float = 0.0
    tyre: str = "corrected"

    @classmethod
    def of(cls, parameters: ChassisParameters) -> TrackedChassis:
        """From the parameters of a file. Raises ValueError for missing ones."""
        values = {f.name: x for f in fields(cls) if (x := getattr(parameters, f.name)) is not None}
        missing = [f.name for f in fields(cls)[:5] if f.name not in values]
        if missing:
            raise ValueError(f"missing: {', '.join(missing)}")
        return cls(**values)

    @property
    def tyre_factor(self) -> float:
        """Factor of the slip inside the arctangent."""
        bend = math.tan(0.9 * math.pi / 2.0)
        return bend / self.slip_90 if self.tyre == "corrected" else bend * self.slip_90

    @property
    def wheel_load(self) -> float:
        """Load on each driven wheel [N]."""
        return 0.5 * self.rear_share * self.mass * GRAVITY


@force
def vehicle_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Rows: left wheel, right wheel, forward, lateral, yaw; then seven that report.

    Parameters: mass, half track, half base, wheel radius, mu N 2/pi, tyre factor, rolling force, drag, 2 C_f.
    States: X, Y, heading, then heat of tyres, rolling, air.
    """
    vx, vy, wz = dv[2], dv[3], dv[4]
    radius, peak, bend = p[3], p[4], p[5]
    fx_sum, fx_turn, fy_sum, lost = 0.0, 0.0, 0.0, 0.0
    hub_y = vy - wz * p[2]
    for wheel in range(2):
        side = 1.0 if wheel == 0 else -1.0
        hub_x = vx + side * wz * p[1]
        base = max(abs(hub_x), 1e-3)
        slide = radius * dv[wheel] - hub_x
        sx, sy = slide / base, -hub_y / base
        slip = math.sqrt(sx * sx + sy * sy + 1e-14)
        size = peak * math.atan(bend * slip) / slip
        fx, fy = size * sx, size * sy
        f[wheel] = radius * fx
        fx_sum += fx
        fx_turn += side * fx
        fy_sum += fy
        lost += fx * slide - fy * hub_y
        f[5 + wheel] = fx
        f[7 + wheel] = fy
        f[9 + wheel] = slip
    front = vy + wz * p[2]
    steer = -p[8] * math.atan(front / vx) if abs(vx) > 1e-3 else -p[8] * math.atan(front / 1e-3)
    if vx < -1e-3:
        steer = p[8] * math.atan(front / vx)
    rolling = p[6] * vx / max(abs(vx), 1e-3)
    air = p[7] * vx * abs(vx)
    f[2] = -(p[0] * vy * wz + fx_sum - rolling - air)
    f[3] = -(-p[0] * vx * wz + fy_sum + steer)
    f[4] = -(steer * p[2] - fy_sum * p[2] + fx_turn * p[1])
    f[11] = wz / vx if abs(vx) > 1e-3 else 0.0
    c, q = math.cos(z[2]), math.sin(z[2])
    zd[0] = vx * c - vy * q
    zd[1] = vx * q + vy * c
    zd[2] = wz
    zd[3] = lost - steer * front
    zd[4] = rolling * vx
    zd[5] = air * vx


def vehicle(data: TrackedChassis) -> Law:
    """The vehicle as a law.

    Five force rows: rotations of the left and the right driven wheel [rad/s], speed forward, to the right [m/s] and yaw
    rate [rad/s] of the chassis. Seven sense rows report: drive forces left, right, side forces left, right [N], slips
    left, right, curvature of the path [1/m]. States: X, Y [m], heading [rad], heat of tyres, rolling and air [J].
    """
    parameters = (
        data.mass,
        0.5 * data.track,
        0.5 * data.base,
        data.wheel_radius,
        data.friction * data.wheel_load * 2.0 / math.pi,
        data.tyre_factor,
        data.rolling * data.mass * GRAVITY,
        data.drag,
        2.0 * data.front_stiffness,
    )
    return Law(
        force=vehicle_force,
        parameters=parameters,
        rows=5,
        senses=7,
        states=(0.0,) * 6,
        mean=((0.0,) * 5, (0.0,) * 5),
        energy=lambda d, dv, z, mode: 0.0,
        heat=("tyres", "rolling", "air"),
        parametric=False,
        label="vehicle on two driven wheels",
        source="S3",
    )
