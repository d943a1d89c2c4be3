"""Parts of the exact engine: margins of switches, the search for the next one, and switching."""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot

from . import places as at
from .arrays import arrays
from .kernels import product, theta_at
from .pointers import call_part, part

#: A phase counts as on its boundary within this many cycles (relative beyond one cycle).
PHASE_SLACK = 4e-15


@part
def events_at(H, slot, degree, tau):
    """Phases and their rates, deflections beyond the gap and their rates, where ``w`` and the integrals stand."""
    A = arrays(H)
    angle, speed = theta_at(H, tau)
    size = A.size
    n, free, np_, ng, ne = size[at.N_STATES], size[at.N_FREE], size[at.N_PHASES], size[at.N_GAPS], size[at.N_EVENTS]
    released = A.modes[4 * slot + 2]
    product(A.sight, slot * n * ne, ne, n, A.w, A.events)
    for k in range(np_):
        shift = A.pbase[k] + A.ptheta[k] * angle
        for a in range(free):
            shift += A.ppsi[k * free + a] * A.integrals[released + a]
        A.events[2 * k] += shift
        A.events[2 * k + 1] += A.ptheta[k] * speed
    for g in range(ng):
        A.events[2 * np_ + 2 * g] += A.goff[g]
    return 0


@hot
def phase_margins(H, k, phase):
    """Distance to the upper and from the lower end of the present piece of phase ``k``."""
    A = arrays(H)
    o = A.pptr[k]
    count = A.pcount[k]
    piece = A.pieces[k]
    low = A.cycles[k] + A.pedge[o + piece]
    high = A.cycles[k] + (A.pedge[o + piece + 1] if piece + 1 < count else A.pedge[o] + 1.0)
    return high - phase, phase - low


@hot
def gap_margin(H, g, event):
    """Margin of the contact state of gap row ``g``: the force while closed; while open, what keeps it open."""
    A = arrays(H)
    p = A.size[at.N_PHASES]
    beyond, rate = event[2 * p + 2 * g], event[2 * p + 2 * g + 1]
    k = A.gphase[g]
    level = A.glevel[A.gptr[g] + (A.pieces[k] if k >= 0 else 0)]
    force = level * beyond + A.gdamping[g] * rate
    if A.contacts[g] != 0:
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
    A = arrays(H)
    passed = touched = reversing = False
    back, ahead = 0.0, np.inf
    for k in range(A.size[at.N_PHASES]):
        phase, rate = A.events[2 * k], A.events[2 * k + 1]
        up, down = phase_margins(H, k, phase)
        slack = PHASE_SLACK * max(abs(phase), 1.0)
        pace = abs(rate)
        worst = min(up, down)
        reversing = reversing or rate * A.events0[2 * k + 1] < 0.0
        if worst < -slack:
            passed = True
            if -worst > back * pace:
                back = -worst / pace
                A.number[at.ROW] = A.prow[k]
        elif (rate > 0.0 and up <= slack) or (rate < 0.0 and down <= slack):
            touched = True
            A.number[at.ROW] = A.prow[k]
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
    A = arrays(H)
    np_, ng = A.size[at.N_PHASES], A.size[at.N_GAPS]
    before = A.events1  # events at the last try, h = last
    for i in range(2 * np_ + 2 * ng):
        before[i] = A.events0[i]
    good, bad, last = 0.0, np.inf, 0.0
    A.motion[at.REACHED] = 0.0
    h = min(limit, A.motion[at.SOONEST])
    calm = A.real[2]
    largest = A.bounds[2 * slot]
    enough = 1e-15 + 2e-16 * A.motion[at.TIME]
    for _ in range(100):
        A.motion[at.LENGTH] = h
        call_part(A.do_move, H, slot, degree, h)
        call_part(A.do_values, H, slot, degree, h)
        way = h - last
        if ng == 0 and last > 0.0 and abs(way) * largest < 1e-5:  # phases go straight on over so short a way
            for k in range(np_):
                A.events[2 * k] += A.events[2 * k + 1] * way
        else:
            call_part(A.do_events, H, slot, degree, h)
        # back: how long ago the earliest event was; ahead: how far the next one is
        passed, touched, reversing, back, ahead = _phase_events(H)
        look = np.inf  # where to look for one between the ends
        for g in range(ng):
            margin = gap_margin(H, g, A.events)
            slope = margin - gap_margin(H, g, before)
            if margin < 0.0:
                passed = True
                gone = margin / slope * (h - last) if slope * (h - last) < 0.0 else 0.5 * (h - good)
                if gone > back:
                    back = gone
                    A.number[at.ROW] = A.grow[g]
            else:
                if bad < np.inf and slope * (h - last) < 0.0:
                    ahead = min(ahead, -margin / slope * (h - last) * 1.000001 + 0.1 * enough)
                look = min(look, _turning_point(A.events0, A.events, 2 * np_ + 2 * g, h, A.contacts[g]))
        for i in range(2 * np_ + 2 * ng):
            before[i] = A.events[i]
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
    A = arrays(H)
    np_, ng = A.size[at.N_PHASES], A.size[at.N_GAPS]
    changed = 0
    for g in range(ng):
        margin = gap_margin(H, g, A.events)
        if margin < 0.0:
            A.contacts[g] = 1 - A.contacts[g]
            changed += 1
    for k in range(np_):
        phase, rate = A.events[2 * k], A.events[2 * k + 1]
        slack = PHASE_SLACK * max(abs(phase), 1.0)
        up, down = phase_margins(H, k, phase)
        if up < -slack or (rate > 0.0 and up <= slack):
            A.pieces[k] += 1
            if A.pieces[k] == A.pcount[k]:
                A.pieces[k] = 0
                A.cycles[k] += 1
            changed += 1
        elif down < -slack or (rate < 0.0 and down <= slack):
            A.pieces[k] -= 1
            if A.pieces[k] < 0:
                A.pieces[k] = A.pcount[k] - 1
                A.cycles[k] -= 1
            changed += 1
    return changed
