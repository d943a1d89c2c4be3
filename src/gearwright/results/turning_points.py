"""Compiled search for the turning points of a channel, with what a swing does between its samples.

Of a sine with ten samples a period the largest sample misses the crest by up to 5 %, by 1.6 % on average; the vertex of the parabola through
the largest and its neighbours by 0.35 % at most. Where a series is not smooth, a parabola sees more than there is: behind a step
it shoots over by a tenth of it. So a turning point goes no further than the line through the two next samples on its side
reaches, which lies beyond the crest of whatever bends one way there, and never across zero, the limit of contacts.
"""

from __future__ import annotations

from gearwright.kernels import hot
from gearwright.kernels.vectors import above, lowest

#: values of a channel that are kept from one piece to the next: those about a turning point that the next may show
HELD = 4


@hot
def vertex(before, last, value, following, after):  # type: ignore[no-untyped-def]
    """Extreme about the middle one of five samples, which none of its neighbours exceeds."""
    bend = last - 2.0 * value + following
    slope = 0.5 * (following - last)
    if bend == 0.0:
        return value
    x = -slope / bend
    found = value + 0.5 * slope * x
    line = following + (following - after) * (1.0 - x) if x > 0.0 else last + (last - before) * (1.0 + x)
    found = max(value, min(found, line)) if bend < 0.0 else min(value, max(found, line))
    return found if found * value > 0.0 else 0.0


@hot
def turns(x, place):  # type: ignore[no-untyped-def]
    """Numbers of the samples before which the slope may have changed its sign, into ``place``; returns how many.

    The first two are always among them. Signs of 64 slopes stand in the bits of two words.
    """
    place[0] = 0
    found = 1
    last_up = last_down = 0
    i = 1
    while i + 64 <= len(x):
        up, down = above(x, i, i - 1), above(x, i - 1, i)
        word = (up ^ (up << 1 | last_up)) | (down ^ (down << 1 | last_down))
        if i == 1:
            word |= 1
        while word != 0:
            place[found] = i + lowest(word)
            found += 1
            word &= word - 1
        last_up, last_down = up >> 63 & 1, down >> 63 & 1
        i += 64
    for k in range(i, len(x)):
        now, before, last = x[k], x[k - 1], x[max(k - 2, 0)]
        place[found] = k
        found += k == 1 or (now > before) != (before > last) or (now < before) != (before < last)
    return found


@hot
def _smooth(leapt, some, rough, i):  # type: ignore[no-untyped-def]
    """Whether values ``i - 3`` to ``i + 1`` of a piece, or of the one before, are all samples."""
    if i < 3 and rough >> (HELD + i - 3) != 0:
        return False
    if some:
        for k in range(max(i - 3, 0), i + 2):
            if leapt[k] != 0:
                return False
    return True


@hot
def turning_points(samples, leapt, some, still, j, turned, loads):  # type: ignore[no-untyped-def]
    """Turning points of the next values of counted channel ``j``, into ``turned``; returns how many there are.

    Parameters
    ----------
    samples : values, with what leaps between samples, if ``some`` does, where ``leapt`` is 1
    still : whether all are equal
    loads : what is known of the channel from before (``tail``, ``rough``, ``course``); ``spot`` are the numbers of the samples at which
        they are, counted from the first of ``samples``
    """
    tail, rough, place, spot = loads.tail[HELD * j : HELD * (j + 1)], loads.rough[j], loads.place, loads.spot
    sense, length, found = loads.course[j], len(samples), 0
    if sense == 0:
        for k in range(HELD):
            tail[k] = samples[0]
        rough = (1 << HELD) - 1
        sense = 2
    other = seen = 0
    place[0] = 0
    marked = 1 if still else turns(samples, place)
    # whether the last value was a turning point, or a parabola about the one before, only the next value tells
    for m in range(-1, marked):
        i = -1 if m < 0 else int(place[m])
        if i == length - 1:
            break
        value = samples[i] if i >= 0 else tail[HELD - 1]
        last = samples[i - 1] if i >= 1 else tail[HELD + i - 1]
        now = 1 if value > last else (-1 if value < last else sense)
        if now == sense:
            continue
        sense = now
        if loads.between[0] != 0 and _smooth(leapt, some, rough, i):
            second = samples[i - 2] if i >= 2 else tail[HELD + i - 2]
            third = samples[i - 3] if i >= 3 else tail[HELD + i - 3]
            last = vertex(third, second, last, value, samples[i + 1])
        if some:
            # what leaps is no sample
            while seen < i:
                if leapt[seen] != 0:
                    other += 1
                seen += 1
        turned[found] = last
        spot[found] = i - 1 - other
        found += 1
    loads.course[j] = sense
    keep = min(length, HELD)
    for k in range(HELD - keep):
        tail[k] = tail[k + keep]
    rough >>= keep
    for k in range(HELD - keep, HELD):
        i = length - HELD + k
        tail[k] = samples[i]
        rough |= (1 << k) if some and leapt[i] != 0 else 0
    loads.rough[j] = rough
    return found
