"""Parts of the exact engine: margins of switches, the search for the next one, and switching."""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8

from . import places as at
from .kernels import product, theta_at
from .pointers import call_part, part

#: A phase counts as on its boundary within this many cycles (relative beyond one cycle).
PHASE_SLACK = 4e-15


@part
def events_at(H, slot, degree, tau):
    """Phases and their rates, deflections beyond the gap and their rates, where ``w`` and the integrals stand."""
    size = i8(H[at.SIZE])
    ppsi = f8(H[at.PPSI])
    ptheta = f8(H[at.PTHETA])
    goff = f8(H[at.GOFF])
    modes = i8(H[at.MODES])
    sight = f8(H[at.SIGHT])
    pbase = f8(H[at.PBASE])
    w = f8(H[at.W])
    integrals = f8(H[at.INTEGRALS])
    out = f8(H[at.EVENTS])
    angle, speed = theta_at(H, tau)
    n, free, np_, ng, ne = size[at.N_STATES], size[at.N_FREE], size[at.N_PHASES], size[at.N_GAPS], size[at.N_EVENTS]
    released = modes[4 * slot + 2]
    product(sight, slot * n * ne, ne, n, w, out)
    for k in range(np_):
        shift = pbase[k] + ptheta[k] * angle
        for a in range(free):
            shift += ppsi[k * free + a] * integrals[released + a]
        out[2 * k] += shift
        out[2 * k + 1] += ptheta[k] * speed
    for g in range(ng):
        out[2 * np_ + 2 * g] += goff[g]
    return 0


@hot
def phase_margins(H, k, phase):
    """Distance to the upper and from the lower end of the present piece of phase ``k``."""
    pcount = i8(H[at.PCOUNT])
    pptr = i8(H[at.PPTR])
    pedge = f8(H[at.PEDGE])
    pieces = i8(H[at.PIECES])
    cycles = i8(H[at.CYCLES])
    o = pptr[k]
    count = pcount[k]
    piece = pieces[k]
    low = cycles[k] + pedge[o + piece]
    high = cycles[k] + (pedge[o + piece + 1] if piece + 1 < count else pedge[o] + 1.0)
    return high - phase, phase - low


@hot
def gap_margin(H, g, event):
    """Margin of the contact state of gap row ``g``: the force while closed; while open, what keeps it open."""
    size = i8(H[at.SIZE])
    gphase = i8(H[at.GPHASE])
    gptr = i8(H[at.GPTR])
    glevel = f8(H[at.GLEVEL])
    gdamping = f8(H[at.GDAMPING])
    pieces = i8(H[at.PIECES])
    contacts = i8(H[at.CONTACTS])
    p = size[at.N_PHASES]
    beyond, rate = event[2 * p + 2 * g], event[2 * p + 2 * g + 1]
    k = gphase[g]
    level = glevel[gptr[g] + (pieces[k] if k >= 0 else 0)]
    force = level * beyond + gdamping[g] * rate
    if contacts[g] != 0:
        return force
    return -min(level * beyond, force)


@hot
def _turning_point(event0, event, e, h, contact):
    """Where in (0, h) the cubic between the ends of a step crosses its gap although both ends do not; else inf."""
    d0, rate0, d, rate = event0[e], event0[e + 1], event[e], event[e + 1]
    turns = rate0 > 0.0 > rate if contact == 0 else rate0 < 0.0 < rate
    if not turns:
        return np.inf
    x = rate0 / (rate0 - rate)
    y = 1.0 - x
    cubic = (1.0 + 2.0 * x) * y * y * d0 + x * y * y * h * rate0 + x * x * (1.0 + 2.0 * y) * d - x * x * y * h * rate
    leaves = cubic > 0.0 if contact == 0 else cubic < 0.0
    return x * h if leaves and 1e-3 < x < 0.999 else np.inf


@hot
def _phase_events(H):
    """Phases at a try: whether one passed its limit, touches it, turned back since the begin; how long ago, how far ahead."""
    size = i8(H[at.SIZE])
    prow = i8(H[at.PROW])
    number = i8(H[at.NUMBER])
    events = f8(H[at.EVENTS])
    events0 = f8(H[at.EVENTS0])
    passed = touched = reversing = False
    back, ahead = 0.0, np.inf
    for k in range(size[at.N_PHASES]):
        phase, rate = events[2 * k], events[2 * k + 1]
        up, down = phase_margins(H, k, phase)
        slack = PHASE_SLACK * max(abs(phase), 1.0)
        pace = abs(rate)
        worst = min(up, down)
        reversing = reversing or rate * events0[2 * k + 1] < 0.0
        if worst < -slack:
            passed = True
            if -worst > back * pace:
                back = -worst / pace
                number[at.ROW] = prow[k]
        elif (rate > 0.0 and up <= slack) or (rate < 0.0 and down <= slack):
            touched = True
            number[at.ROW] = prow[k]
        else:
            left = up if rate > 0.0 else down
            if left < ahead * pace:
                ahead = left / pace
    return passed, touched, reversing, back, ahead


@part
def search(H, slot, degree, limit):
    """Length of the step: to ``limit`` or to the earliest event before it; leaves the values at its end.

    A bracket is kept: ``good`` is the longest step known to pass no event, ``bad`` the shortest known to have
    passed one. Inside it Newton steps on phases and secant steps on gaps, halving when they leave it. Where a
    gap may be crossed twice between the ends of a step, or a phase turns back, the step is shortened.
    Leaves the length in ``motion[at.LENGTH]`` and returns 1 if an event is there.
    """
    size = i8(H[at.SIZE])
    real = f8(H[at.REAL])
    grow = i8(H[at.GROW])
    motion = f8(H[at.MOTION])
    number = i8(H[at.NUMBER])
    contacts = i8(H[at.CONTACTS])
    events = f8(H[at.EVENTS])
    events0 = f8(H[at.EVENTS0])
    events1 = f8(H[at.EVENTS1])
    np_, ng = size[at.N_PHASES], size[at.N_GAPS]
    before = events1  # events at the last try, h = last
    for i in range(2 * np_ + 2 * ng):
        before[i] = events0[i]
    good, bad, last = 0.0, np.inf, 0.0
    motion[at.REACHED] = 0.0
    h = min(limit, motion[at.SOONEST])
    calm = real[2]
    largest = f8(H[at.BOUNDS])[2 * slot]
    enough = 1e-15 + 2e-16 * motion[at.TIME]
    for _ in range(100):
        motion[at.LENGTH] = h
        call_part(H[at.DO_MOVE], H, slot, degree, h)
        call_part(H[at.DO_VALUES], H, slot, degree, h)
        way = h - last
        if ng == 0 and last > 0.0 and abs(way) * largest < 1e-5:  # phases go straight on over so short a way
            for k in range(np_):
                events[2 * k] += events[2 * k + 1] * way
        else:
            call_part(H[at.DO_EVENTS], H, slot, degree, h)
        # back: how long ago the earliest event was; ahead: how far the next one is
        passed, touched, reversing, back, ahead = _phase_events(H)
        look = np.inf  # where to look for one between the ends
        for g in range(ng):
            margin = gap_margin(H, g, events)
            slope = margin - gap_margin(H, g, before)
            if margin < 0.0:
                passed = True
                gone = margin / slope * (h - last) if slope * (h - last) < 0.0 else 0.5 * (h - good)
                if gone > back:
                    back = gone
                    number[at.ROW] = grow[g]
            else:
                if bad < np.inf and slope * (h - last) < 0.0:
                    ahead = min(ahead, -margin / slope * (h - last) * 1.000001 + 0.1 * enough)
                look = min(look, _turning_point(events0, events, 2 * np_ + 2 * g, h, contacts[g]))
        for i in range(2 * np_ + 2 * ng):
            before[i] = events[i]
        last = h
        if passed:
            bad = h
            if back <= enough or bad - good <= enough:
                return 1
            h -= back
            if not good < h < bad:
                h = 0.5 * (good + bad)
        elif touched:
            return 1
        else:
            if bad == np.inf and (look < h or (reversing and h > calm)):
                limit = look if look < h else max(calm, 0.5 * h)
                h = limit
                continue
            good = h
            if h >= limit:
                return 0
            h = min(limit, good + max(ahead, 0.5 * enough))
            if h >= bad:
                h = 0.5 * (good + bad)
    return 1


@part
def switch(H, slot, degree, h):
    """Change the pieces and contacts whose margins are used up; returns how many changed."""
    size = i8(H[at.SIZE])
    pcount = i8(H[at.PCOUNT])
    pieces = i8(H[at.PIECES])
    cycles = i8(H[at.CYCLES])
    contacts = i8(H[at.CONTACTS])
    events = f8(H[at.EVENTS])
    np_, ng = size[at.N_PHASES], size[at.N_GAPS]
    changed = 0
    for g in range(ng):
        margin = gap_margin(H, g, events)
        if margin < 0.0:
            contacts[g] = 1 - contacts[g]
            changed += 1
    for k in range(np_):
        phase, rate = events[2 * k], events[2 * k + 1]
        slack = PHASE_SLACK * max(abs(phase), 1.0)
        up, down = phase_margins(H, k, phase)
        if up < -slack or (rate > 0.0 and up <= slack):
            pieces[k] += 1
            if pieces[k] == pcount[k]:
                pieces[k] = 0
                cycles[k] += 1
            changed += 1
        elif down < -slack or (rate < 0.0 and down <= slack):
            pieces[k] -= 1
            if pieces[k] < 0:
                pieces[k] = pcount[k] - 1
                cycles[k] -= 1
            changed += 1
    return changed
