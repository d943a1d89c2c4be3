"""Forces of all laws at once, and their tangents: a loop over blocks, mean points and columns in compiled code.

What static analyses ask of a model with many laws is thousands of calls of short functions. A *mean point* is a shift of
the senses of a block with a weight: one of zero and one takes the law where it stands, several take its mean over a cycle.
"""

from __future__ import annotations

from gearwright.kernels import START, kernel
from gearwright.kernels.law_functions import law_force, law_guard
from gearwright.kernels.pointers import f8, shift

_START = START
#: What :func:`law_means` forms: forces, tangents by the deflections, tangents by the rates, what laws report by their sense rows.
FORCE, STIFFNESS, DAMPING, REPORT = 0, 1, 2, 3


@kernel
def law_means(what, t, laws, points, d, dv, z, s, at, rate, f, zd, out):  # type: ignore[no-untyped-def]
    """Write what is asked for into ``out`` (m, columns): row ``i`` the force of row ``i`` or its change with the block's
    rows ``0, 1, ..``, by central differences. ``REPORT`` writes what stands in the places of the sense rows, which is no force
    on anything (a load factor, a power).

    ``laws``: arrays (address, guard, first row, force rows, senses, parameter offsets, state offsets, parameters);
    ``points``: (offsets into the points by block, offsets into the shifts by block, weights, shifts); ``d, dv`` (m) of all rows,
    ``z`` states, ``s`` signals; the others are scratch: ``at, rate, f`` as many as the longest block has rows,
    ``zd`` states.
    """
    address, guard, first, forces, senses, ip, iz, p = laws
    begin, shifted, weight, move = points
    at_, rate_, f_, s_ = f8(at.ctypes.data), f8(rate.ctypes.data), f8(f.ctypes.data), f8(s.ctypes.data)
    margin = shift(f_, f.shape[0] - 2)
    for block in range(address.shape[0]):
        row, nf, ns = int(first[block]), int(forces[block]), int(senses[block])
        p_ = shift(f8(p.ctypes.data), int(ip[block]))
        z_, zd_ = shift(f8(z.ctypes.data), int(iz[block])), shift(f8(zd.ctypes.data), int(iz[block]))
        for point in range(begin[block], begin[block + 1]):
            w = weight[point]
            for i in range(nf + ns):
                at[i], rate[i] = d[row + i], dv[row + i]
            for i in range(ns):
                at[nf + i] += move[shifted[block] + (point - begin[block]) * ns + i]
            plain = what in (FORCE, REPORT)
            for column in range(1 if plain else nf):
                base, step = 0.0, 0.0
                if what == STIFFNESS:
                    base = at[column]
                    step = 1e-6 * max(abs(base), 1e-6)
                elif what == DAMPING:
                    base = rate[column]
                    step = max(1e-6 * abs(base), 1e-5)
                for side in range(1 if plain else 2):
                    factor = w
                    for i in range(nf + ns):
                        f[i] = 0.0
                    if not plain:
                        way = 1.0 - 2.0 * side
                        factor = w * way / (2.0 * step)
                        if what == STIFFNESS:
                            at[column] = base + way * step
                        else:
                            rate[column] = base + way * step
                    mode = 0
                    if guard[block] != 0:
                        mode = law_guard(guard[block], t, at_, rate_, p_, z_, s_, _START, margin)
                    law_force(address[block], t, at_, rate_, p_, z_, s_, mode, f_, zd_)
                    if what == REPORT:
                        for i in range(nf, nf + ns):
                            out[row + i, 0] += factor * f[i]
                    else:
                        for i in range(nf):
                            out[row + i, column] += factor * f[i]
                if what == STIFFNESS:
                    at[column] = base
                elif what == DAMPING:
                    rate[column] = base
    return 0
