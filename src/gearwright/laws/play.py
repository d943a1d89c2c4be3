"""Torsional spring and damper with play, whose damping torque never exceeds the spring's.

With ``e`` the deflection beyond half the play and ``T_c = k e``, ``T_d = c w`` on the touching side::

    T = 0 if T_c + T_d <= 0 (the sides never pull), else T_c + min(T_c, T_d)

so that the torque begins at zero when the sides meet, whatever the speed. Source: literature benchmark 5.4 (the
elastic backlash of the Modelica Standard Library); :mod:`.backlash` is the mesh of physics notes 5 and 6, which does
not cap its damping.
"""

from gearwright.kernels import START, force, guard
from gearwright.system import Law


@force
def play_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: k, c, half the play. Modes: 0 free; 1 and 2 touch on the positive side, 3 and 4 on the negative; even
    ones have their damping capped."""
    if mode == 0:
        f[0] = 0.0
        return
    side = 1.0 if mode <= 2 else -1.0
    spring = p[0] * (side * d[0] - p[2])
    f[0] = side * (2.0 * spring if mode == 2 or mode == 4 else spring + p[1] * side * dv[0])


@guard
def play_guard(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Margins in deflection: to contact, to the cap of the damping, to release."""
    lag = p[1] / p[0]
    if mode == START or mode == 0:
        side = 1.0 if d[0] >= 0.0 else -1.0
        e, w = side * d[0] - p[2], side * dv[0]
        first = 2 if lag * w > e else 1
        following = first if side > 0.0 else first + 2
        if mode == START:
            return following if e > 0.0 and e + lag * w > 0.0 else 0
        if e < e + lag * w:
            g[0], g[1] = -e, -w
        else:
            g[0], g[1] = -(e + lag * w), -w
        return following
    side = 1.0 if mode <= 2 else -1.0
    e, w = side * d[0] - p[2], side * dv[0]
    base = 1 if side > 0.0 else 3
    if mode == base:  # spring and damper
        if lag * w > 0.0:
            g[0], g[1] = e - lag * w, w
            return base + 1
        g[0], g[1] = e + lag * w, w
        return 0
    g[0], g[1] = lag * w - e, -w
    return base


def play(stiffness: float, damping: float, total: float) -> Law:
    """Spring [N m/rad], damper [N m s/rad] and the total play [rad] between both sides; one force row, the twist.

    Raises ValueError for a stiffness that is not positive, negative damping or play.
    """
    if not (stiffness > 0.0 and damping >= 0.0 and total >= 0.0):
        raise ValueError(
            f"play needs a positive stiffness, no negative damping or play; got {stiffness:g}, {damping:g}, {total:g}"
        )

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        return 0.5 * stiffness * max(abs(d[0]) - 0.5 * total, 0.0) ** 2

    return Law(
        force=play_force,
        guard=play_guard,
        parameters=(stiffness, damping, 0.5 * total),
        mean=((stiffness,), (damping,)),
        energy=energy,
        label="spring with play",
        source="literature benchmark 5.4",
    )
