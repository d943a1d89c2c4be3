"""Contact pressure while a pair rolls through.

One spur pair, every tooth touching by itself: without tip relief a pair enters under a peak of pressure, with relief
matched to the load it comes in and leaves smoothly. In between both carry what the load asks for.
"""

import matplotlib.pyplot as plt
import numpy as np

from gearwright.laws.tooth_contact import look
from gearwright.running.prepare import prepare
from gearwright.running.start import initial_state
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.train.open import load

PLAIN = ["stages.pair.pinion.tip_relief=null", "stages.pair.wheel.tip_relief=null"]


def pressures(edits):
    """Arc of the wheel [mm] and pressure [MPa] of every touching pair over two mesh cycles of steady running."""
    prepared = prepare(load("spur-pair-hertz", edits))
    system, law = prepared.system, prepared.system.laws[0]
    engine, state = ExplicitEngine(), initial_state(prepared)
    plan = engine.prepare(system, (), 1e-5, 1e-4)
    engine.advance(plan, state, 4000)
    points = []
    for _ in range(1000):
        engine.advance(plan, state, 1)
        seen = look(law, state.deflections(system)[0][: law.rows + 1])
        points += zip(1e3 * seen.arc, 1e-6 * seen.pressure, strict=True)
    return np.array(points)


def draw(path):
    figure, axes = plt.subplots(figsize=(8, 3.8), layout="constrained")
    data = {}
    for label, edits in (("without tip relief", PLAIN), ("relief matched to the load", [])):
        data[label] = pressures(edits)
        axes.plot(*data[label].T, ".", markersize=2, label=label)
    axes.set(xlabel="place on the wheel's flank, by roll arc [mm]", ylabel="contact pressure [MPa]", ylim=(0, None))
    axes.invert_xaxis()  # the pinion drives: a pair enters at the wheel's tip
    axes.legend(markerscale=4)
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return data
