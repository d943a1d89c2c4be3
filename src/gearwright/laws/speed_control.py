"""Torque of a speed controller (PID) on a body.

    e = w_ref(t) - w        T = k_p e + k_i int e dt + k_d (e - e_f)/T_f,    T_f de_f/dt = e - e_f

Where the torque is cut at its limit, the integral follows what is cut with the time ``k_p/k_i``, so that it does not wind
up. ``f = -T`` on the body's rotation. Source: S2 5.2 holds its load by such a controller and gives no gains.
"""

from gearwright.kernels import force
from gearwright.system import Law


@force
def speed_control_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: k_p, k_i, k_d, T_f, largest torque (0: none), signal of the reference."""
    e = s[int(p[5])] - dv[0]
    torque = p[0] * e + z[0] + p[2] * (e - z[1]) / p[3]
    zd[0] = p[1] * e
    if p[4] > 0.0 and abs(torque) > p[4]:
        held = p[4] if torque > 0.0 else -p[4]
        zd[0] += (held - torque) * p[1] / p[0]
        torque = held
    zd[1] = (e - z[1]) / p[3]
    f[0] = -torque


def speed_control(
    proportional: float, integral: float, derivative: float, filter_time: float, limit: float, reference: int
) -> Law:
    """PID speed control on one row, the rotation of a body.

    ``proportional`` [N m s/rad], ``integral`` [N m/rad], ``derivative`` [N m s²/rad] over a filter of ``filter_time`` [s],
    ``limit`` of the torque [N m] (0: none), ``reference`` number of the signal of the wanted speed [rad/s]. Two states:
    integral part of the torque [N m], filtered error [rad/s]. Raises ValueError for gains that drive the speed away.
    """
    if not (proportional > 0.0 and filter_time > 0.0) or min(integral, derivative, limit) < 0.0:
        raise ValueError("a speed control needs a positive proportional gain and filter time, and no negative gain")
    return Law(
        force=speed_control_force,
        parameters=(proportional, integral, derivative, filter_time, limit, float(reference)),
        rows=1,
        states=(0.0, 0.0),
        mean=((0.0,), (proportional,)),
        label="speed control",
        source="S2 5.2",
    )
