"""Compiled sums over the rolling elements of a bearing; see :mod:`gearwright.bearings.stiffness` for the meaning."""

from __future__ import annotations

import math

from gearwright.kernels import kernel


@kernel
def roller_bearing(d, radius, constant, angle, gap, first, offset, place, lowered, load, stiffness, elements):
    """Add load (6), stiffness (36) and slice loads (Z times slices) of rollers with a fixed contact angle.

    ``place`` (slices) is where a slice sits along the roller, ``lowered`` how much both surfaces of it are set back.
    """
    n = 10.0 / 9.0
    slices = place.shape[0]
    count = elements.shape[0] // slices
    ca, sa = math.cos(angle), math.sin(angle)
    share = constant / slices
    lever = radius * sa - offset * ca
    for j in range(count):
        psi = first + 2.0 * math.pi * j / count
        c, s = math.cos(psi), math.sin(psi)
        middle = (d[1] * c + d[2] * s - gap) * ca + d[0] * sa
        lean = d[4] * s - d[5] * c
        for k in range(slices):
            # a point on the roller's line: the lever of a tilt shrinks by its distance from the middle
            arm = lever - place[k]
            delta = middle + arm * lean - lowered[k]
            if delta <= 0.0:
                continue
            force = share * delta**n
            slope = n * force / delta
            elements[j * slices + k] = force
            row = (sa, ca * c, ca * s, 0.0, arm * s, -arm * c)
            for p in range(6):
                load[p] += force * row[p]
                for q in range(6):
                    stiffness[6 * p + q] += slope * row[p] * row[q]


@kernel
def ball_bearing(d, radius, constant, angle, gap, first, offset, distance, load, stiffness, elements):
    """Add load (6), stiffness (36) and element loads (Z) of balls, whose contact angle follows the displacement."""
    n = 1.5
    count = elements.shape[0]
    radial_0, axial_0 = distance * math.cos(angle), distance * math.sin(angle)
    for j in range(count):
        psi = first + 2.0 * math.pi * j / count
        c, s = math.cos(psi), math.sin(psi)
        lean = d[4] * s - d[5] * c
        radial = radial_0 + d[1] * c + d[2] * s - gap - offset * lean
        axial = axial_0 + d[0] + radius * lean
        now = math.sqrt(radial * radial + axial * axial)
        delta = now - distance
        if delta <= 0.0:
            continue
        force = constant * delta**n
        slope = n * force / delta
        # the direction turns as well: the part of the tangent across the contact
        across = force / now
        elements[j] = force
        cr, sx = radial / now, axial / now
        near, far = radius * sx - offset * cr, radius * cr + offset * sx
        along = (sx, cr * c, cr * s, 0.0, near * s, -near * c)
        beside = (cr, -sx * c, -sx * s, 0.0, far * s, -far * c)
        for p in range(6):
            load[p] += force * along[p]
            for q in range(6):
                stiffness[6 * p + q] += slope * along[p] * along[q] + across * beside[p] * beside[q]
