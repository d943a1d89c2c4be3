"""Compiled counting: extremes, moments, rainflow cycles and time at level, chunk by chunk.

Two loops over rows that lie in the processor's cache: one across all channels side by side (moments,
extremes, envelope; vectorised by the compiler), one down every counted channel (levels, turning points,
cycles). Each is one function: a helper that is inlined would be compiled twice.

Results do not depend on how a run is cut into chunks: extremes, cycles, levels and envelopes exactly, moments
to rounding.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.system import kernel

F8 = NDArray[np.float64]
I8 = NDArray[np.int64]

#: Rows of a tile: a column of 128 rows touches 128 cache lines, which the next seven columns find loaded.
TILE = 128


class Moments(NamedTuple):
    """Moments, extremes and envelope of n channels, all arrays one-dimensional."""

    number: I8  # samples seen, samples counted, blocks closed, samples per block, samples in the open block
    mean: F8
    square: F8  # sum of squared deviations from the mean
    low: F8
    high: F8
    low_at: I8  # sample number
    high_at: I8
    # envelope (blocks * n); the open block is the one after the last closed
    block_low: F8
    block_sum: F8
    block_high: F8
    # of the tile at hand (n): shift near the mean, sums about it, extremes
    shift: F8
    tile_sum: F8
    tile_square: F8
    tile_low: F8
    tile_high: F8


class Loads(NamedTuple):
    """Cycles and levels of c counted channels with e exponents, all arrays one-dimensional."""

    column: I8  # c: column in a chunk
    last: F8  # c: last value
    course: I8  # c: 0 nothing yet, 2 one value, 1 rising, -1 falling
    depth: I8  # c: turning points that wait for their partner
    stack: F8  # c * capacity: these turning points
    exponent: F8  # e, ascending
    step: I8  # e: multiplications from the last whole exponent to this one, -1 for one that is not whole
    damage: F8  # c * e: sum of range**exponent over closed cycles
    cycles: I8  # c * range bins: closed cycles
    range_width: F8  # c: bin width
    level: I8  # c * level bins: samples at level
    level_width: F8  # c
    level_first: F8  # c: lower edge of the first bin, in widths
    ranges: F8  # capacity: closed ranges of a tile, all those that waited included
    power: F8  # and their powers


@kernel
def scan_rows(x, start, stop, counting, moments):  # type: ignore[no-untyped-def]
    """Moments, extremes and envelope of rows start to stop of a chunk ``x`` (k, n).

    Returns -1, or the column in which a value is not finite (nothing of that tile is counted). With
    ``counting`` false only the envelope grows. The caller keeps room for all blocks that close.
    """
    number, mean, square, low, high = moments.number, moments.mean, moments.square, moments.low, moments.high
    low_at, high_at = moments.low_at, moments.high_at
    block_low, block_sum, block_high = moments.block_low, moments.block_sum, moments.block_high
    shift, tile_sum, tile_square = moments.shift, moments.tile_sum, moments.tile_square
    tile_low, tile_high = moments.tile_low, moments.tile_high
    n = len(mean)
    row = start
    while row < stop:
        end = min(stop, row + TILE, row + number[3] - number[4])
        count = end - row
        for c in range(n):
            value = x[row, c]
            shift[c] = mean[c] if number[1] else value
            tile_sum[c] = 0.0
            tile_square[c] = 0.0
            tile_low[c] = value
            tile_high[c] = value
        for i in range(row, end):
            # two short loops: with more than four arrays the compiler does not vectorise
            for c in range(n):
                difference = x[i, c] - shift[c]
                tile_sum[c] += difference
                tile_square[c] += difference * difference
            for c in range(n):
                value = x[i, c]
                least, most = tile_low[c], tile_high[c]
                tile_low[c] = value if value < least else least
                tile_high[c] = value if value > most else most
        for c in range(n):
            if not abs(tile_sum[c]) < np.inf:
                return c
        base = number[2] * n
        fresh = number[4] == 0
        for c in range(n):
            total = tile_sum[c] + count * shift[c]
            block_sum[base + c] = total if fresh else block_sum[base + c] + total
            if fresh or tile_low[c] < block_low[base + c]:
                block_low[base + c] = tile_low[c]
            if fresh or tile_high[c] > block_high[base + c]:
                block_high[base + c] = tile_high[c]
        number[4] += count
        if number[4] == number[3]:
            number[2] += 1
            number[4] = 0
        if counting:
            # join the tile with what was counted before (Chan, Golub and LeVeque 1983)
            before = number[1]
            part = count / (before + count)
            for c in range(n):
                step = shift[c] + tile_sum[c] / count - mean[c]
                own = tile_square[c] - tile_sum[c] * tile_sum[c] / count
                mean[c] = mean[c] + step * part if before else shift[c] + tile_sum[c] / count
                square[c] += own + step * step * (before * part) if before else own
                if before == 0 or tile_low[c] < low[c]:
                    low[c] = tile_low[c]
                    i = row
                    while x[i, c] != low[c]:
                        i += 1
                    low_at[c] = number[0] + i - row
                if before == 0 or tile_high[c] > high[c]:
                    high[c] = tile_high[c]
                    i = row
                    while x[i, c] != high[c]:
                        i += 1
                    high_at[c] = number[0] + i - row
            number[1] += count
        number[0] += count
        row = end
    return -1


@kernel
def count_rows(x, start, stop, loads):  # type: ignore[no-untyped-def]
    """Turning points, closed cycles and levels of the counted columns of rows start to stop.

    The caller keeps ``depth + stop - start + 1`` below the capacity of every stack, all values inside the level
    bins and all possible ranges inside the range bins.
    """
    column, last, course, depth, stack = loads.column, loads.last, loads.course, loads.depth, loads.stack
    exponent, step, damage, power = loads.exponent, loads.step, loads.damage, loads.power
    cycles, range_width = loads.cycles, loads.range_width
    level, level_width, level_first, ranges = loads.level, loads.level_width, loads.level_first, loads.ranges
    channels = len(column)
    exponents = len(exponent)
    capacity = len(stack) // max(channels, 1)
    range_bins = len(cycles) // max(channels, 1)
    level_bins = len(level) // max(channels, 1)
    for row in range(start, stop, TILE):
        end = min(stop, row + TILE)
        for j in range(channels):
            at = column[j]
            base = j * capacity
            top = base + depth[j]
            previous = last[j]
            sense = course[j]
            if sense == 0:
                previous = x[row, at]
                sense = 2
            inverse = 1.0 / level_width[j]
            first = level_first[j]
            first_level = j * level_bins
            found = 0
            for i in range(row, end):
                value = x[i, at]
                level[first_level + int(value * inverse - first)] += 1
                now = 1 if value > previous else (-1 if value < previous else sense)
                if now != sense:
                    # the previous value is a turning point: an inner range of the last four that neither
                    # neighbour undercuts is a closed cycle
                    while top - base >= 3:
                        inner = abs(stack[top - 1] - stack[top - 2])
                        if inner > abs(previous - stack[top - 1]) or inner > abs(stack[top - 2] - stack[top - 3]):
                            break
                        ranges[found] = inner
                        found += 1
                        top -= 2
                    stack[top] = previous
                    top += 1
                    sense = now
                previous = value
            last[j] = previous
            course[j] = sense
            depth[j] = top - base
            inverse = 1.0 / range_width[j]
            for i in range(found):
                cycles[j * range_bins + int(ranges[i] * inverse)] += 1
            for i in range(found):
                power[i] = 1.0
            for e in range(exponents):
                total = 0.0
                if step[e] >= 0:
                    # from the last whole exponent on by multiplications: a power costs more than the count
                    for _ in range(step[e]):
                        for i in range(found):
                            power[i] *= ranges[i]
                    for i in range(found):
                        total += power[i]
                else:
                    for i in range(found):
                        total += ranges[i] ** exponent[e]
                damage[j * exponents + e] += total


@kernel
def extend_rows(x, out, operation, factor, pointer, index):  # type: ignore[no-untyped-def]
    """Copy the rows of ``x`` to ``out`` and add derived columns: 0 norm, 1 product, 2 share of the first input, each times its factor.

    Inputs of derived column d are the columns ``index[pointer[d]:pointer[d + 1]]`` of ``out``.
    """
    given = x.shape[1]
    for i in range(len(x)):
        for c in range(given):
            out[i, c] = x[i, c]
        for d in range(len(operation)):
            total = 1.0 if operation[d] == 1 else 0.0
            for k in range(pointer[d], pointer[d + 1]):
                value = out[i, index[k]]
                if operation[d] == 0:
                    total += value * value
                elif operation[d] == 1:
                    total *= value
                else:
                    total += value
            if operation[d] == 0:
                total = np.sqrt(total)
            elif operation[d] == 2:
                # the even share where nothing is carried
                own = out[i, index[pointer[d]]] * (pointer[d + 1] - pointer[d])
                total = own / total if total != 0.0 else 1.0
            out[i, given + d] = factor[d] * total


@kernel
def count_series(x, begin, end, stack):  # type: ignore[no-untyped-def]
    """Closed cycles of a series by the four-point rule, in the order in which they close.

    Writes the turning points that open and close each cycle to ``begin, end`` and the residue to ``stack``
    (each at least half as long as the series plus two); returns the number of cycles and of residue points.
    """
    found = 0
    top = 0
    if len(x) == 0:
        return found, top
    last = x[0]
    rising = False
    falling = False
    for i in range(1, len(x) + 1):
        value = x[i] if i < len(x) else last
        if (value > last and not rising) or (value < last and not falling) or i == len(x):
            rising = value > last
            falling = value < last
            while top >= 3:
                a, b = stack[top - 2], stack[top - 1]
                inner = abs(b - a)
                if inner > abs(last - b) or inner > abs(a - stack[top - 3]):
                    break
                begin[found] = a
                end[found] = b
                found += 1
                top -= 2
            if top == 0 or stack[top - 1] != last:
                stack[top] = last
                top += 1
        last = value
    return found, top
