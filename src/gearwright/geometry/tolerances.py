"""Flank tolerances of ISO 1328-1:2013, and tooth errors that just keep within them.

With d the reference diameter and m_n the normal module in mm, grade A, in um (all times ``sqrt(2)^(A - 5)``):

    single pitch       f_pT = 0.001 d + 0.4 m_n + 5
    cumulative pitch   F_pT = 0.002 d + 0.55 sqrt(d) + 0.7 m_n + 12
    profile form       f_faT = 0.55 m_n + 5
"""

import math
import random

#: share of the cumulative tolerance that a part eccentric on its arbor takes: the rest is left to single teeth
RUN_OUT = 0.7


def _of_grade(value: float, grade: float) -> float:
    """A tolerance [m] of grade 5 [um] at another grade."""
    return 1e-6 * value * math.sqrt(2.0) ** (grade - 5.0)


def pitch_deviation(diameter: float, module: float, grade: float) -> float:
    """Single pitch tolerance f_pT [m]; reference diameter and normal module [m]."""
    return _of_grade(1.0 * diameter + 0.4e3 * module + 5.0, grade)


def cumulative_pitch_deviation(diameter: float, module: float, grade: float) -> float:
    """Total cumulative pitch tolerance F_pT [m]; reference diameter and normal module [m]."""
    return _of_grade(2.0 * diameter + 0.55 * math.sqrt(1e3 * diameter) + 0.7e3 * module + 12.0, grade)


def profile_form_deviation(module: float, grade: float) -> float:
    """Profile form tolerance f_faT [m]; normal module [m]."""
    return _of_grade(0.55e3 * module + 5.0, grade)


def pitch_errors(count: int, diameter: float, module: float, grade: float, seed: str) -> list[float]:
    """Places of the flanks of all teeth against true ones [m], as a gear of this grade may have them.

    A sinusoid once per turn (an eccentric blank) with a range of 0.7 F_pT, at a random place, and random teeth on top as a
    capable process makes them: five standard deviations of a pitch are f_pT (capability 1.67). No pitch is beyond f_pT, the
    range at most F_pT, the mean zero. The same ``seed`` gives the same teeth everywhere.
    """
    single, total = (f(diameter, module, grade) for f in (pitch_deviation, cumulative_pitch_deviation))
    source = random.Random(seed)
    start = source.random()
    wave = [0.5 * RUN_OUT * total * math.sin(2.0 * math.pi * (i / count + start)) for i in range(count)]
    noise = [source.uniform(-1.0, 1.0) for _ in range(count)]
    steps = [(wave[i] - wave[i - 1], noise[i] - noise[i - 1]) for i in range(count)]
    steepest = max(abs(a) for a, _ in steps)
    if steepest >= single:  # few teeth: the sinusoid alone reaches the tolerance of a pitch
        wave, size = [w * single / steepest for w in wave], 0.0
    else:
        most = min((single - math.copysign(a, a * b)) / abs(b) for a, b in steps if b)
        # the difference of two uniform values within +-size has the standard deviation size sqrt(2/3)
        size = min(most, single / 5.0 / math.sqrt(2.0 / 3.0))
    made = [w + size * n for w, n in zip(wave, noise, strict=True)]
    spread = max(made) - min(made)
    scale = min(1.0, total / spread) if spread else 1.0
    mean = sum(made) / count
    return [scale * (value - mean) for value in made]
