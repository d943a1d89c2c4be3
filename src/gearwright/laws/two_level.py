"""Mesh stiffness that alternates between two and one pairs of teeth (spur gears, contact ratio 1 to 2).

    F = k(phase) d + c dv,     two pairs while the phase is below ``fraction`` of the cycle, one pair after

The phase is in cycles, rises or falls without bound and is never wrapped: the mode of the law counts pieces,
so reversal of speed needs nothing. Damping is constant (decisions: mean stiffness), so it is the same in
both levels. Source: S0 chapter 4 and P3; numerics page 1 (problem P1).
"""

from gearwright.kernels import START, force, guard
from gearwright.kernels.places import whole_of
from gearwright.system import Law, Pieces


@force
def two_level_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: k of two pairs, k of one pair, c, fraction of the cycle with two pairs."""
    k = p[0] if mode % 2 == 0 else p[1]
    f[0] = k * d[0] + p[2] * dv[0]


@guard
def two_level_guard(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Piece 2n is two pairs in cycle n, piece 2n + 1 one pair; margin: phase left to the next switch."""
    phase, rate = d[1], dv[1]
    if mode == START:
        cycle = whole_of(phase)
        piece = 2 * cycle
        if phase - cycle >= p[3]:
            piece += 1
        return piece
    cycle_of = mode // 2
    low = cycle_of + (p[3] if mode % 2 else 0.0)
    high = cycle_of + (1.0 if mode % 2 else p[3])
    if rate >= 0.0:
        g[0] = high - phase
        g[1] = -rate
        return mode + 1
    g[0] = phase - low
    g[1] = rate
    return mode - 1


def two_level(two_pairs: float, one_pair: float, damping: float, fraction: float) -> Law:
    """Two-level mesh stiffness.

    Parameters
    ----------
    two_pairs, one_pair : stiffness along the line of action [N/m] with two pairs and with one pair in contact
    damping : constant damping along the line of action [N s/m]
    fraction : part of the cycle with two pairs, the contact ratio minus one, in (0, 1)

    The block has one force row (deflection along the line of action, positive when the drive flanks are
    pressed) and one sense row (mesh phase in cycles, 0 where the two-pair region begins).

    Raises ValueError for values that are not positive or a fraction outside (0, 1).
    """
    if not (two_pairs > 0 and one_pair > 0 and damping >= 0 and 0.0 < fraction < 1.0):
        raise ValueError(
            f"two-level stiffness needs positive levels and a fraction between 0 and 1, "
            f"got {two_pairs:g}, {one_pair:g}, {fraction:g}"
        )
    mean = fraction * two_pairs + (1 - fraction) * one_pair

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        return 0.5 * (two_pairs if mode % 2 == 0 else one_pair) * d[0] ** 2

    return Law(
        force=two_level_force,
        guard=two_level_guard,
        parameters=(two_pairs, one_pair, damping, fraction),
        rows=1,
        senses=1,
        mean=((mean,), (damping,)),
        damping=(damping,),
        pieces=Pieces((0.0, fraction), ((two_pairs, one_pair),), (damping,), (None,)),
        energy=energy,
        corners=(0.0, fraction),
        label="two-level mesh stiffness",
        source="S0 chapter 4; P3",
    )
