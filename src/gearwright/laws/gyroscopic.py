"""Inertia forces of a body that rides in a turning frame.

In a frame that turns with speed W the equations of a mass carry, all four or none,

    m [q'' + 2 W J q' + (W' J - W^2) q] = F + m W^2 r_c e_r,     J = [[0, -1], [1, 0]]

The part with W' is carried by the mass rows (the tangential motion of the pin belongs to the coordinates);
what is left are the Coriolis force, the centripetal softening and the constant centrifugal load. Source:
physics notes 2.
"""

from gearwright.kernels import force
from gearwright.system import Law


@force
def gyroscopic_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: mass, pin radius times cosine and sine of the pin angle. Senses: y, z from the pin, frame angle."""
    w = dv[4]
    f[0] = p[0] * (-2.0 * w * dv[3] - w * w * (d[2] + p[1]))
    f[1] = p[0] * (2.0 * w * dv[2] - w * w * (d[3] + p[2]))


def gyroscopic(mass: float, pin_y: float, pin_z: float) -> Law:
    """Coriolis, centripetal and centrifugal force on a body of ``mass`` [kg] in a turning frame.

    ``pin_y, pin_z`` [m]: its place in the frame (zero on the axis). Two force rows (y, z of the body), three
    senses: y and z seen from its place, and the angle of the frame [rad].
    """
    return Law(
        force=gyroscopic_force,
        parameters=(mass, pin_y, pin_z),
        rows=2,
        senses=3,
        mean=((0.0, 0.0), (0.0, 0.0)),
        period=0.0,
        label="inertia in a turning frame",
        source="physics notes 2",
    )


@force
def gyroscopic_tilt_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters: transverse and polar inertia. Rows tilt_y, tilt_z; senses: rotation of the body, angle of its frame."""
    spin, w = dv[2], dv[3]
    f[0] = p[0] * (-2.0 * w * dv[1] - w * w * d[0]) + p[1] * spin * (dv[1] + w * d[0])
    f[1] = p[0] * (2.0 * w * dv[0] - w * w * d[1]) - p[1] * spin * (dv[0] - w * d[1])


def gyroscopic_tilt(transverse: float, polar: float) -> Law:
    """Gyroscopic moments of a body that turns about x and tilts, described in a frame that may turn itself.

    ``J_t (tau'' + 2 W J tau' - W^2 tau) - J_p spin (J tau' - W tau)``, inertias in kg m^2, J as above; in a standing
    frame the moment is ``J_p spin`` times the other tilt's rate. Two force rows (tilt_y, tilt_z), two senses (rotation of the
    body, angle of its frame [rad]; both absolute).
    """
    return Law(
        force=gyroscopic_tilt_force,
        parameters=(transverse, polar),
        rows=2,
        senses=2,
        mean=((0.0, 0.0), (0.0, 0.0)),
        period=0.0,
        label="gyroscopic moment",
        source="physics notes 2",
    )
