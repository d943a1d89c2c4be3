"""Bearing with radial clearance: no force inside, a spring on the excess outside.

    r = |(dy, dz)|;   F = [k (r - g) + c r'] (dy, dz)/r for r > g where that pushes, else 0

Source: physics notes (bearings); S1 section 3.3 without the rollers.
"""

import math

from gearwright.kernels import force
from gearwright.system import Law


@force
def clearance_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: stiffness k, damping c, radial clearance g."""
    f[0] = 0.0
    f[1] = 0.0
    r = math.sqrt(d[0] * d[0] + d[1] * d[1])
    if r > p[2]:
        rate = (d[0] * dv[0] + d[1] * dv[1]) / r
        load = p[0] * (r - p[2]) + p[1] * rate
        if load > 0.0:
            f[0] = load * d[0] / r
            f[1] = load * d[1] / r


def clearance(stiffness: float, damping: float, gap: float) -> Law:
    """Radial clearance ``gap`` [m] (half the diametral play), ``stiffness`` [N/m] and ``damping`` [N s/m] beyond it.

    Two force rows: y and z. Raises ValueError for a stiffness that is not positive or a negative gap.
    """
    if not (stiffness > 0 and damping >= 0 and gap >= 0):
        raise ValueError(f"a bearing with clearance needs a positive stiffness, got {stiffness:g}, gap {gap:g}")

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        return 0.5 * stiffness * max(math.hypot(d[0], d[1]) - gap, 0.0) ** 2

    return Law(
        force=clearance_force,
        parameters=(stiffness, damping, gap),
        rows=2,
        mean=((stiffness, stiffness), (damping, damping)),
        energy=energy,
        label="bearing with clearance",
        source="physics notes",
    )
