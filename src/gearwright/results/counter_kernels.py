"""Compiled counting: extremes, moments, rainflow cycles and time at level in one pass over a chunk.

The pass goes over tiles of a few hundred rows that stay in the processor's cache: once across all channels
(moments and extremes, vectorised by the compiler), then down every counted channel (levels, turning points,
cycles). Results do not depend on how a run is cut into chunks: extremes, cycles, levels and envelopes
exactly, moments to rounding.

Histograms have bins whose width is a power of two and whose edges are multiples of the width. A value out
of range doubles the width and joins bins in pairs, so nothing must be known in advance, no count is ever
moved to a wrong bin, and histograms of different runs can be added exactly.
"""

from __future__ import annotations

from math import frexp, ldexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.system import hot, kernel

F8 = NDArray[np.float64]
I8 = NDArray[np.int64]

#: Rows of a tile: 256 rows of 130 channels are a quarter of a megabyte.
TILE = 256


class Tally(NamedTuple):
    """Everything counted so far; n channels, c counted channels, e exponents, all arrays one-dimensional.

    ``number`` holds: samples seen, samples counted, blocks closed, samples per block, samples in the open block.
    """

    number: I8
    # moments and extremes of every channel (n)
    mean: F8
    square: F8  # sum of squared deviations from the mean
    low: F8
    high: F8
    low_at: I8  # sample number
    high_at: I8
    # envelope (blocks, n): lowest, sum, highest; the open block is the one after the last closed
    block_low: F8
    block_sum: F8
    block_high: F8
    # counted channels
    column: I8  # c: column in a chunk
    last: F8  # c: last value
    course: I8  # c: 0 nothing yet, 2 one value, 1 rising, -1 falling
    depth: I8  # c: turning points that wait for their partner
    stack: F8  # c * capacity: these turning points
    exponent: F8  # e
    damage: F8  # c * e: sum of range**exponent over closed cycles
    cycles: F8  # c * range bins
    range_width: F8  # c: bin width, 0 before the first cycle
    level: I8  # c * level bins: samples at level
    level_width: F8  # c
    level_first: I8  # c: lower edge of the first bin, in widths
    # workspace: shift, sum, sum of squares, low, high of a tile (n each)
    work: F8
    ranges: F8  # closed ranges of a tile


@hot
def close_cycles(stack, base, depth, point, ranges, found):  # type: ignore[no-untyped-def]
    """Take one turning point; write the ranges of the cycles it closes to ``ranges`` from ``found`` on.

    Four-point rule: the inner range of the last four turning points is a closed cycle if neither neighbour
    is smaller. Returns the new number of waiting points and of ranges found.
    """
    top = base + depth
    while top - base >= 3:
        inner = abs(stack[top - 1] - stack[top - 2])
        if inner > abs(point - stack[top - 1]) or inner > abs(stack[top - 2] - stack[top - 3]):
            break
        ranges[found] = inner
        found += 1
        top -= 2
    stack[top] = point
    return top - base + 1, found


@hot
def raised(value, exponent):  # type: ignore[no-untyped-def]
    """``value ** exponent`` for value >= 0, by multiplications where the exponent is a whole number."""
    whole = int(exponent)
    if whole != exponent or whole < 1 or whole > 64:
        return value**exponent
    result = 1.0
    while whole > 1:
        if whole & 1:
            result *= value
        value *= value
        whole >>= 1
    return result * value


@hot
def add_range(cycles, base, bins, width, size, weight):  # type: ignore[no-untyped-def]
    """Add a cycle of range ``size`` > 0 to a histogram from 0; returns the (possibly new) bin width."""
    if width == 0.0:
        width = ldexp(1.0, frexp(size)[1] - frexp(float(bins))[1] + 1)
    while size >= width * bins:
        for i in range(bins // 2):
            cycles[base + i] = cycles[base + 2 * i] + cycles[base + 2 * i + 1]
        for i in range(bins // 2, bins):
            cycles[base + i] = 0.0
        width *= 2.0
    cycles[base + int(size / width)] += weight
    return width


@hot
def widen_levels(level, base, bins, width, first, value):  # type: ignore[no-untyped-def]
    """Double the bins until ``value`` is inside; returns the new width and first edge (in widths)."""
    while True:
        place = value / width - first
        if 0.0 <= place < bins:
            return width, first
        # join pairs on the grid of the doubled width; what was counted goes to the lower or upper half
        new_first = first // 2 if place > 0.0 else first // 2 - bins // 2 + (first & 1)
        if place > 0.0:
            for i in range(bins):
                count = level[base + i]
                level[base + i] = 0
                level[base + (first + i) // 2 - new_first] += count
        else:
            for i in range(bins - 1, -1, -1):
                count = level[base + i]
                level[base + i] = 0
                level[base + (first + i) // 2 - new_first] += count
        first = new_first
        width *= 2.0


@hot
def tile_moments(x, start, stop, n, first_ever, mean, work):  # type: ignore[no-untyped-def]
    """Sums about a shift near the mean, and extremes, of rows start to stop, all channels side by side."""
    for c in range(n):
        shift = x[start, c] if first_ever else mean[c]
        work[c] = shift
        work[n + c] = 0.0
        work[2 * n + c] = 0.0
        work[3 * n + c] = x[start, c]
        work[4 * n + c] = x[start, c]
    for i in range(start, stop):
        for c in range(n):
            value = x[i, c]
            difference = value - work[c]
            work[n + c] += difference
            work[2 * n + c] += difference * difference
            low = work[3 * n + c]
            high = work[4 * n + c]
            work[3 * n + c] = value if value < low else low
            work[4 * n + c] = value if value > high else high


@hot
def merge_moments(x, start, stop, sample, n, counted, mean, square, low, high, low_at, high_at, work):  # type: ignore[no-untyped-def]
    """Join a tile with what was counted before (Chan, Golub and LeVeque: pairwise update of the variance)."""
    count = stop - start
    for c in range(n):
        tile_mean = work[c] + work[n + c] / count
        tile_square = work[2 * n + c] - work[n + c] * work[n + c] / count
        step = tile_mean - mean[c]
        total = counted + count
        if counted == 0:
            mean[c] = tile_mean
            square[c] = tile_square
        else:
            mean[c] += step * count / total
            square[c] += tile_square + step * step * (counted * (count / total))
        if counted == 0 or work[3 * n + c] < low[c]:
            low[c] = work[3 * n + c]
            for i in range(start, stop):
                if x[i, c] == low[c]:
                    low_at[c] = sample + i - start
                    break
        if counted == 0 or work[4 * n + c] > high[c]:
            high[c] = work[4 * n + c]
            for i in range(start, stop):
                if x[i, c] == high[c]:
                    high_at[c] = sample + i - start
                    break


@hot
def merge_envelope(n, count, open_samples, base, block_low, block_sum, block_high, work):  # type: ignore[no-untyped-def]
    """Join a tile with the open block of the envelope, which starts at ``base``."""
    for c in range(n):
        total = work[n + c] + count * work[c]
        low, high = work[3 * n + c], work[4 * n + c]
        if open_samples == 0:
            block_low[base + c] = low
            block_sum[base + c] = total
            block_high[base + c] = high
        else:
            block_sum[base + c] += total
            if low < block_low[base + c]:
                block_low[base + c] = low
            if high > block_high[base + c]:
                block_high[base + c] = high


@hot
def halve_envelope(n, blocks, block_low, block_sum, block_high):  # type: ignore[no-untyped-def]
    """Join the closed blocks in pairs."""
    for b in range(blocks // 2):
        for c in range(n):
            i, j, k = b * n + c, 2 * b * n + c, (2 * b + 1) * n + c
            block_low[i] = min(block_low[j], block_low[k])
            block_sum[i] = block_sum[j] + block_sum[k]
            block_high[i] = max(block_high[j], block_high[k])


@hot
def count_column(x, start, stop, column, base, last, course, depth, stack, ranges,
                 level, level_base, level_bins, level_width, level_first):  # type: ignore[no-untyped-def]  # fmt: skip
    """Turning points, closed ranges and levels of one channel over a tile."""
    found = 0
    inverse = 1.0 / level_width
    bins = float(level_bins)
    edge = float(level_first)
    for i in range(start, stop):
        value = x[i, column]
        place = value * inverse - edge
        if not (0.0 <= place < bins):
            level_width, level_first = widen_levels(level, level_base, level_bins, level_width, level_first, value)
            inverse = 1.0 / level_width
            edge = float(level_first)
            place = value * inverse - edge
        level[level_base + int(place)] += 1
        if value > last:
            if course != 1:
                depth, found = close_cycles(stack, base, depth, last, ranges, found)
                course = 1
        elif value < last and course != -1:
            depth, found = close_cycles(stack, base, depth, last, ranges, found)
            course = -1
        last = value
    return last, course, depth, found, level_width, level_first


@kernel
def count_rows(x, start, stop, counting, tally):  # type: ignore[no-untyped-def]
    """Count rows start to stop of a chunk ``x`` (k, n); returns -1, or the column that is not finite.

    The caller keeps ``depth + stop - start + 1`` below the capacity of every stack. With ``counting`` false
    only the envelope grows.
    """
    number, mean, square, low, high = tally.number, tally.mean, tally.square, tally.low, tally.high
    low_at, high_at = tally.low_at, tally.high_at
    block_low, block_sum, block_high = tally.block_low, tally.block_sum, tally.block_high
    column, last, course, depth, stack = tally.column, tally.last, tally.course, tally.depth, tally.stack
    exponent, damage, cycles, range_width = tally.exponent, tally.damage, tally.cycles, tally.range_width
    level, level_width, level_first = tally.level, tally.level_width, tally.level_first
    work, ranges = tally.work, tally.ranges
    n = len(mean)
    n_counted = len(column)
    n_exponent = len(exponent)
    capacity = len(stack) // max(n_counted, 1)
    range_bins = len(cycles) // max(n_counted, 1)
    level_bins = len(level) // max(n_counted, 1)
    blocks = len(block_low) // n - 1
    row = start
    while row < stop:
        end = min(stop, row + TILE, row + number[3] - number[4])
        count = end - row
        tile_moments(x, row, end, n, number[1] == 0, mean, work)
        for c in range(n):
            if not abs(work[n + c]) < np.inf:
                return c
        merge_envelope(n, count, number[4], number[2] * n, block_low, block_sum, block_high, work)
        number[4] += count
        if number[4] == number[3]:
            number[2] += 1
            number[4] = 0
            if number[2] == blocks:
                halve_envelope(n, blocks, block_low, block_sum, block_high)
                number[2] = blocks // 2
                number[3] *= 2
        if counting:
            merge_moments(x, row, end, number[0], n, number[1], mean, square, low, high, low_at, high_at, work)
            for j in range(n_counted):
                if course[j] == 0:
                    last[j] = x[row, column[j]]
                    course[j] = 2
                    size = abs(last[j])
                    # about a billionth of the first value: doubled as often as needed
                    level_width[j] = ldexp(1.0, frexp(size)[1] - 30) if size > 0.0 else ldexp(1.0, -60)
                    level_first[j] = int(np.floor(last[j] / level_width[j])) - level_bins // 2
                last[j], course[j], depth[j], found, level_width[j], level_first[j] = count_column(
                    x, row, end, column[j], j * capacity, last[j], course[j], depth[j], stack, ranges,
                    level, j * level_bins, level_bins, level_width[j], level_first[j],
                )  # fmt: skip
                for i in range(found):
                    range_width[j] = add_range(cycles, j * range_bins, range_bins, range_width[j], ranges[i], 1.0)
                for e in range(n_exponent):
                    total = 0.0
                    for i in range(found):
                        total += raised(ranges[i], exponent[e])
                    damage[j * n_exponent + e] += total
            number[1] += count
        number[0] += count
        row = end
    return -1


@kernel
def count_ranges(ranges, weight, damage, exponent, cycles, width):  # type: ignore[no-untyped-def]
    """Add ranges of one channel to its sums and histogram; returns the bin width."""
    for i in range(len(ranges)):
        width = add_range(cycles, 0, len(cycles), width, ranges[i], weight)
        for e in range(len(exponent)):
            damage[e] += weight * raised(ranges[i], exponent[e])
    return width


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
