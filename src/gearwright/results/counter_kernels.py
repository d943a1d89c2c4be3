"""Compiled counting: extremes, moments, rainflow cycles and time at level, chunk by chunk.

A chunk is turned so that the samples of one channel lie side by side; every loop then runs along a channel, and
the compiler forms sums, extremes and histogram places several samples at a time.

Results do not depend on how a run is cut into chunks: extremes, cycles, levels and envelopes exactly, moments
to rounding.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import hot, kernel, summed
from gearwright.kernels.places import cell_of, within_cells
from gearwright.kernels.vectors import extremes

from .turning_points import turning_points

F8 = NDArray[np.float64]
I8 = NDArray[np.int64]
U2 = NDArray[np.uint16]

#: Most samples of a channel that are worked on at a time: those of 60 channels stay in the processor's cache.
PIECE = 1024
#: Most values of a channel in a piece with the limits of its leaps, and most leaps of all channels in a piece.
WITH_LEAPS, MOST_LEAPS = 3 * PIECE, 16 * PIECE


#: bins of the histograms of ranges and of levels in one of the range-mean matrix
RANGE_STEP, MEAN_STEP = 4, 8
#: the first level bin begins at a multiple of so many
LEVEL_GRID = 32
#: neighbouring samples are tallied in different lanes: adding to one place of memory again and again is slow
LANES = 4
#: up to so many level bins are counted by comparing all samples with each
FEW = 6

#: magnitudes that are counted; beyond, squares and differences do not fit a number any more, below, widths of bins do not
LARGEST, SMALLEST = 1e150, 2.0**-900

#: what the caller of :func:`count_samples` has to do: nothing; move counts to the bins that were fitted; make the stacks
#: longer; halve the envelope; name a value that is not finite, in the channel of the number from here on
DONE, BINS, STACKS, ENVELOPE, BAD = 0, 1, 2, 3, 4


class Moments(NamedTuple):
    """Moments, extremes and envelope of n channels, all arrays one-dimensional."""

    number: I8  # samples seen, samples counted, blocks closed, samples per block, samples in the open block, 1 where
    # extremes have moved since bins were last fitted to them
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
    # the piece at hand (n): sums of differences from its first sample and of their squares, extremes
    piece_sum: F8
    piece_square: F8
    piece_low: F8
    piece_high: F8
    # extremes of the samples that are counted next (n)
    next_low: F8
    next_high: F8


class Loads(NamedTuple):
    """Cycles and levels of c counted channels with e exponents, all arrays one-dimensional."""

    column: I8  # c: column in a chunk
    tail: F8  # c * HELD: last values
    rough: I8  # c: bits of those of them about which no parabola is laid, 1 << place
    course: I8  # c: 0 nothing yet, 2 one value, 1 rising, -1 falling
    between: I8  # 1: whether turning points lie on parabolas through samples
    turned: F8  # c * (WITH_LEAPS + 1): turning points of the piece at hand
    turns: I8  # c: how many
    spot: I8  # WITH_LEAPS + 1: numbers of the samples of those of a channel
    depth: I8  # c: turning points that wait for their partner
    stack: F8  # c * capacity: these turning points
    exponent: F8  # e, ascending
    step: I8  # e: multiplications from the last whole exponent to this one, -1 for one that is not whole
    damage: F8  # c * e: sum of range**exponent over closed cycles
    cycles: I8  # c * range bins: closed cycles
    extent: F8  # c * range bins: sum of their ranges
    range_width: F8  # c: bin width
    level: I8  # c * level bins: samples at level
    level_width: F8  # c
    level_first: F8  # c: lower edge of the first bin, in widths
    matrix: I8  # c * (range bins / RANGE_STEP) * (level bins / MEAN_STEP): closed cycles by range and mean
    ranges: F8  # capacity: closed ranges of a piece, all those that waited included
    means: F8  # and the sums of their ends
    power: F8  # and their powers
    place: (
        U2  # WITH_LEAPS + 1: level bins of the samples of a piece, then numbers of samples that follow turning points
    )
    tally: I8  # LANES * level bins: samples by bin, in lanes
    fitted: F8  # 3 * c: bins that hold the extremes: range width, level width, first level edge


class LeapTable(NamedTuple):
    """Leaps of channels between two samples: both limits at instants at which a force jumps."""

    first: I8  # n + 1: number of the first of every channel, then of all
    at: I8  # column of the sample before which each is, ascending within a channel
    before: F8
    after: F8
    series: F8  # WITH_LEAPS: samples of a channel in a piece, and what leaps between them
    leapt: U2  # WITH_LEAPS: 1 for what leaps


@summed
def sum_about(x, shift):  # type: ignore[no-untyped-def]
    """Sum of the differences from ``shift``, and of their squares."""
    total = 0.0
    square = 0.0
    for i in range(len(x)):
        difference = x[i] - shift
        total += difference
        square += difference * difference
    return total, square


@hot
def place_of(x, value):  # type: ignore[no-untyped-def]
    """First place of a value which is there."""
    i = 0
    while x[i] != value:
        i += 1
    return i


@hot
def keep_extreme(value, sample, c, counting, moments):  # type: ignore[no-untyped-def]
    """Let extremes and envelope of channel ``c`` hold a value at the number of a sample that has been seen."""
    number, n = moments.number, len(moments.mean)
    block = sample // number[3] * n + c
    moments.block_low[block] = min(moments.block_low[block], value)
    moments.block_high[block] = max(moments.block_high[block], value)
    if counting and value < moments.low[c]:
        moments.low[c] = value
        moments.low_at[c] = sample
        number[5] = 1
    if counting and value > moments.high[c]:
        moments.high[c] = value
        moments.high_at[c] = sample
        number[5] = 1


@hot
def scan_leaps(start, stop, counting, moments, leaps):  # type: ignore[no-untyped-def]
    """Extremes and envelope of what leaps before one of the samples start to stop, the last of which was seen just now."""
    first = moments.number[0] - (stop - start)
    for c in range(len(moments.mean)):
        for q in range(leaps.first[c], leaps.first[c + 1]):
            if not start <= leaps.at[q] < stop:
                continue
            for value in (leaps.before[q], leaps.after[q]):
                if abs(value) <= LARGEST:
                    moments.next_low[c] = min(moments.next_low[c], value)
                    moments.next_high[c] = max(moments.next_high[c], value)
                    keep_extreme(value, first + leaps.at[q] - start, c, counting, moments)


@hot
def with_leaps(samples, channel, start, leaps):  # type: ignore[no-untyped-def]
    """Samples of a channel, which begin at column ``start``, with both limits of its leaps between them, into ``series``, and which
    are which into ``leapt``; how many values these are."""
    room, q, filled = len(leaps.series) - len(samples), leaps.first[channel], 0
    for i in range(len(samples)):
        while q < leaps.first[channel + 1] and leaps.at[q] <= start + i:
            sound = abs(leaps.before[q]) <= LARGEST and abs(leaps.after[q]) <= LARGEST
            if leaps.at[q] >= start and room >= 2 and sound:
                leaps.series[filled] = leaps.before[q]
                leaps.series[filled + 1] = leaps.after[q]
                leaps.leapt[filled] = leaps.leapt[filled + 1] = 1
                filled += 2
                room -= 2
            q += 1
        leaps.series[filled] = samples[i]
        leaps.leapt[filled] = 0
        filled += 1
    return filled


@hot
def scan_turns(x, start, stop, moments, loads, leaps):  # type: ignore[no-untyped-def]
    """Turning points of the counted channels of samples start to stop of ``x`` (n, k), which were seen just now, and their extremes."""
    column, next_low, next_high = loads.column, moments.next_low, moments.next_high
    first = moments.number[0] - (stop - start)
    room = len(loads.turned) // max(len(column), 1)
    for j in range(len(column)):
        c = column[j]
        samples = x[c, start:stop]
        leapt = leaps.first[c + 1] > leaps.first[c]
        if leapt:
            samples = leaps.series[: with_leaps(samples, c, start, leaps)]
        turned = loads.turned[j * room : (j + 1) * room]
        still = next_low[c] == next_high[c]
        loads.turns[j] = turning_points(samples, leaps.leapt, leapt, still, j, turned, loads)
        for k in range(loads.turns[j]):
            keep_extreme(turned[k], max(first + loads.spot[k], 0), c, True, moments)


@hot
def scan_channels(x, start, stop, counting, moments):  # type: ignore[no-untyped-def]
    """Moments, extremes and envelope of samples start to stop of a chunk ``x`` (n, k).

    Returns -1, or the channel in which a value is not finite (nothing of that piece is counted). With
    ``counting`` false only the envelope grows. The caller keeps room for all blocks that close.
    """
    number, mean, square, low, high = moments.number, moments.mean, moments.square, moments.low, moments.high
    low_at, high_at = moments.low_at, moments.high_at
    block_low, block_sum, block_high = moments.block_low, moments.block_sum, moments.block_high
    piece_sum, piece_square = moments.piece_sum, moments.piece_square
    piece_low, piece_high = moments.piece_low, moments.piece_high
    next_low, next_high = moments.next_low, moments.next_high
    n = len(mean)
    first = start
    while first < stop:
        end = min(stop, first + PIECE, first + number[3] - number[4])
        count = end - first
        for c in range(n):
            samples = x[c, first:end]
            piece_sum[c], piece_square[c] = sum_about(samples, samples[0])
            if not abs(piece_sum[c]) < np.inf:
                return c
            piece_low[c], piece_high[c] = extremes(samples)
            if piece_low[c] < -LARGEST or piece_high[c] > LARGEST:
                return c
        base = number[2] * n
        fresh = number[4] == 0
        before = number[1]
        part = count / (before + count)
        for c in range(n):
            total, shift, least, most = piece_sum[c], x[c, first], piece_low[c], piece_high[c]
            whole = total + count * shift
            block_sum[base + c] = whole if fresh else block_sum[base + c] + whole
            if fresh or least < block_low[base + c]:
                block_low[base + c] = least
            if fresh or most > block_high[base + c]:
                block_high[base + c] = most
            if first == start or least < next_low[c]:
                next_low[c] = least
            if first == start or most > next_high[c]:
                next_high[c] = most
            if counting:
                # join the piece with what was counted before (Chan, Golub and LeVeque 1983)
                rest = total / count
                step = shift + rest - mean[c]
                own = max(piece_square[c] - rest * total, 0.0)
                mean[c] = mean[c] + step * part if before else shift + rest
                square[c] += own + step * step * (before * part) if before else own
                if before == 0 or least < low[c]:
                    low[c] = least
                    low_at[c] = number[0] + place_of(x[c, first:end], least)
                    number[5] = 1
                if before == 0 or most > high[c]:
                    high[c] = most
                    high_at[c] = number[0] + place_of(x[c, first:end], most)
                    number[5] = 1
        number[4] += count
        if number[4] == number[3]:
            number[2] += 1
            number[4] = 0
        if counting:
            number[1] += count
        number[0] += count
        first = end
    return -1


@hot
def power_above(size):  # type: ignore[no-untyped-def]
    """The power of two above a size, not below that of ``SMALLEST``; zero for zero."""
    return math.ldexp(1.0, math.frexp(max(size, SMALLEST))[1]) if size > 0.0 else 0.0


@hot
def fit_bins(low, high, loads):  # type: ignore[no-untyped-def]
    """Bins that hold the extremes of all counted channels, a function of these alone, into ``fitted``.

    Returns whether any differs from those in use.
    """
    changed = False
    fitted, channels = loads.fitted, len(loads.column)
    range_bins, level_bins = len(loads.cycles) // channels, len(loads.level) // channels
    for j in range(channels):
        least, most = low[loads.column[j]], high[loads.column[j]]
        spread = power_above(most - least)
        size = power_above(max(abs(least), abs(most)))
        # a constant load: a billionth of it
        width = max(spread / level_bins, size * 2.0**-30 if size > 0.0 else 2.0**-60)
        # the first edge lies on a coarser grid, so that a falling minimum moves the counts rarely; the last bin is
        # kept free for rounding
        first = LEVEL_GRID * np.floor(least / (LEVEL_GRID * width))
        if np.floor(most / width) - first > level_bins - 2:
            width *= 2.0
            first = LEVEL_GRID * np.floor(least / (LEVEL_GRID * width))
        fitted[j], fitted[channels + j], fitted[2 * channels + j] = spread / range_bins, width, first
        changed = changed or fitted[j] != loads.range_width[j]
        changed = changed or width != loads.level_width[j] or first != loads.level_first[j]
    return changed


@hot
def level_of(value, inverse, first, bins):  # type: ignore[no-untyped-def]
    """Level bin of a value."""
    return np.int32(within_cells(value * inverse - first, bins))


@hot
def level_places(x, inverse, first, bins, place):  # type: ignore[no-untyped-def]
    """Level bins of a channel's samples."""
    for i in range(len(x)):
        place[i] = np.uint16(level_of(x[i], inverse, first, bins))


@hot
def up_to(place, bin):  # type: ignore[no-untyped-def]
    """Number of samples in bins up to ``bin``."""
    count = np.int32(0)
    for i in range(len(place)):
        count += np.int32(place[i] <= bin)
    return count


@hot
def add_levels(place, least, most, level, first, tally):  # type: ignore[no-untyped-def]
    """Add the samples in bins ``least`` to ``most`` to a channel's counts, which begin at ``level[first]``."""
    if most - least < FEW:
        below = 0
        for bin in range(least, most):
            count = up_to(place, bin)
            level[first + bin] += count - below
            below = count
        level[first + most] += len(place) - below
        return
    bins = len(tally) // LANES
    t0, t1, t2, t3 = tally[:bins], tally[bins : 2 * bins], tally[2 * bins : 3 * bins], tally[3 * bins :]
    for bin in range(least, most + 1):
        t0[bin] = t1[bin] = t2[bin] = t3[bin] = 0
    whole = len(place) // LANES * LANES
    for i in range(0, whole, LANES):
        t0[place[i]] += 1
        t1[place[i + 1]] += 1
        t2[place[i + 2]] += 1
        t3[place[i + 3]] += 1
    for i in range(whole, len(place)):
        t0[place[i]] += 1
    for bin in range(least, most + 1):
        level[first + bin] += t0[bin] + t1[bin] + t2[bin] + t3[bin]


@hot
def add_damage(loads, j, found):  # type: ignore[no-untyped-def]
    """Add the powers of the ranges of the cycles that closed to the damage of counted channel ``j``, for each exponent."""
    exponent, step, damage, power, ranges = loads.exponent, loads.step, loads.damage, loads.power, loads.ranges
    exponents = len(exponent)
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


@hot
def count_channels(x, start, stop, low, high, loads):  # type: ignore[no-untyped-def]
    """Closed cycles by the turning points that were found, and levels of the counted channels of samples start to stop of ``x`` (n, k).

    At most PIECE samples, the extremes of which and of what leaps between them are ``low`` and ``high``. A leap takes no time: it
    is part of the cycles, not of the levels. The caller keeps ``depth`` and the turning points below the
    capacity of every stack, all values inside the level bins and all possible ranges inside the range bins.
    """
    column, depth, stack, turned = loads.column, loads.depth, loads.stack, loads.turned
    cycles, range_width, place, tally = loads.cycles, loads.range_width, loads.place, loads.tally
    extent = loads.extent
    level, level_width, level_first, ranges = loads.level, loads.level_width, loads.level_first, loads.ranges
    matrix, means = loads.matrix, loads.means
    channels = len(column)
    capacity, room = len(stack) // max(channels, 1), len(turned) // max(channels, 1)
    range_bins = len(cycles) // max(channels, 1)
    level_bins = len(level) // max(channels, 1)
    length = stop - start
    for j in range(channels):
        samples = x[column[j], start:stop]
        least, most = low[column[j]], high[column[j]]
        inverse, lower = 1.0 / level_width[j], level_first[j]
        first_bin = int(level_of(least, inverse, lower, level_bins))
        last_bin = int(level_of(most, inverse, lower, level_bins))
        if first_bin == last_bin:
            level[j * level_bins + first_bin] += length
        else:
            level_places(samples, inverse, lower, level_bins, place)
            add_levels(place[:length], first_bin, last_bin, level, j * level_bins, tally)
        base = j * capacity
        top = base + depth[j]
        found = 0
        for i in range(j * room, j * room + loads.turns[j]):
            value = turned[i]
            # an inner range of the last four that neither neighbour undercuts is a closed cycle
            while top - base >= 3:
                inner = abs(stack[top - 1] - stack[top - 2])
                if inner > abs(value - stack[top - 1]) or inner > abs(stack[top - 2] - stack[top - 3]):
                    break
                ranges[found] = inner
                means[found] = stack[top - 1] + stack[top - 2]
                found += 1
                top -= 2
            stack[top] = value
            top += 1
        depth[j] = top - base
        inverse = 1.0 / range_width[j]
        half, columns = 0.5 / level_width[j], level_bins // MEAN_STEP
        corner = j * (range_bins // RANGE_STEP) * columns
        for i in range(found):
            bin = cell_of(ranges[i] * inverse, range_bins)
            column_of = cell_of(means[i] * half - lower, level_bins) // MEAN_STEP
            cycles[j * range_bins + bin] += 1
            extent[j * range_bins + bin] += ranges[i]
            matrix[corner + bin // RANGE_STEP * columns + column_of] += 1
        add_damage(loads, j, found)


@kernel
def count_samples(x, start, scanned, stop, counting, moments, loads, leaps):  # type: ignore[no-untyped-def]
    """Count samples ``start`` to ``stop`` of ``x`` (n, k), of which those before ``scanned`` have been seen already.

    Returns up to where samples are counted and seen, and what the caller has to do before it calls again to go on. With
    ``counting`` false only the envelope grows.
    """
    number, depth = moments.number, loads.depth
    blocks = len(moments.block_low) // len(moments.mean) - 1
    capacity = len(loads.stack) // max(len(depth), 1)
    while start < stop:
        bad = -1
        if scanned <= start:
            seen = number[0]
            room = (blocks - number[2]) * number[3] - number[4]
            bad = scan_channels(x, start, min(stop, start + PIECE, start + room), counting, moments)
            scanned = start + number[0] - seen
            if scanned > start:
                scan_leaps(start, scanned, counting, moments, leaps)
                if counting:
                    scan_turns(x, start, scanned, moments, loads, leaps)
        if counting and len(depth) > 0 and scanned > start:
            if number[5] != 0:
                number[5] = 0
                if fit_bins(moments.low, moments.high, loads):
                    return start, scanned, BINS
            # a stack holds any residue: it grows before it could be full
            for j in range(len(depth)):
                if depth[j] + loads.turns[j] > capacity:
                    return start, scanned, STACKS
            count_channels(x, start, scanned, moments.next_low, moments.next_high, loads)
        start = scanned
        if bad >= 0:
            return start, scanned, BAD + bad
        if number[2] == blocks:
            return start, scanned, ENVELOPE
    return start, scanned, DONE


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


@kernel
def count_three_points(x, begin, end, counts, stack):  # type: ignore[no-untyped-def]
    """Cycles of a series by the three-point rule (ASTM E1049-85, section 5.4.4).

    Writes the turning points of every cycle to ``begin, end`` and 1 or 0.5 to ``counts`` (each, and the workspace ``stack``,
    as long as the series plus two) and returns their number. A range that contains the start of the history is half a cycle, and so is what
    is left at the end.
    """
    found = 0
    top = 0
    if len(x) == 0:
        return found
    last = x[0]
    rising = False
    falling = False
    for i in range(1, len(x) + 1):
        value = x[i] if i < len(x) else last
        if (value > last and not rising) or (value < last and not falling) or i == len(x):
            rising = value > last
            falling = value < last
            if top == 0 or stack[top - 1] != last:
                stack[top] = last
                top += 1
            while top >= 3:
                newest = abs(stack[top - 1] - stack[top - 2])
                before = abs(stack[top - 2] - stack[top - 3])
                if newest < before:
                    break
                begin[found] = stack[top - 3]
                end[found] = stack[top - 2]
                if top == 3:
                    # the range before contains the start: half a cycle, and its first point is discarded
                    counts[found] = 0.5
                    stack[0] = stack[1]
                    stack[1] = stack[2]
                    top = 2
                else:
                    counts[found] = 1.0
                    stack[top - 3] = stack[top - 1]
                    top -= 2
                found += 1
        last = value
    for k in range(top - 1):
        begin[found] = stack[k]
        end[found] = stack[k + 1]
        counts[found] = 0.5
        found += 1
    return found
