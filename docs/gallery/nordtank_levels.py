"""One gearbox, five levels of teeth.

The planetary stage of the 500 kW turbine of S0 (paper P3) under constant torque: rigid meshes on one planet (272 kN as in the
source) and on three, a constant stiffness, the stiffness over the cycle, and tooth contact pair by pair on both from the
teeth alone. Three planets carry a third of the one each; the means agree, what swings about them is the model of the teeth.
"""

import matplotlib.pyplot as plt
import numpy as np

import gearwright as gw

FILE = "nordtank-500kw"
TEETH = [
    f"stages.stage1.meshes.{m}.stiffness={{from: analytic, half_width: 0.0745 mm}}"
    for m in ("sun_planet", "ring_planet")
]
LEVELS = {
    "rigid, one planet": ("rigid", "rigid", ["stages.stage1.planets=1"]),
    "rigid": ("rigid", "rigid", []),
    "constant": ("torsional", "linear", []),
    "over the cycle": ("torsional", "periodic", []),
    "tooth contact": ("torsional", "tooth_contact", TEETH),
}


def draw(path):
    figure, (above, below) = plt.subplots(2, figsize=(9, 6), layout="constrained")
    means = {}
    for name, (fidelity, law, sets) in LEVELS.items():
        made = gw.simulate(
            FILE,
            overrides=[*sets, "cases.0.output_interval=0.0002 s"],
            fidelity=fidelity,
            law=law,
            duration=1.0,
            output="levels.nc",
        )
        with gw.Result.open(made.result_file) as result:
            time = np.asarray(result.time)
            force = np.asarray(result.series("stage1.sun_planet1.force").values) / 1e3
            ring = np.asarray(result.series("stage1.ring_planet1.force").values) / 1e3
        last = time > time[-1] - 4.0 * 2.0 * np.pi / (91.0 * 2.86)  # four mesh cycles
        means[name] = float(force[time > 0.2].mean())
        if name == "rigid, one planet":
            above.axhline(means[name] / 3.0, color="k", lw=0.8, ls=":", label="a third of rigid, one planet")
            continue
        for axes, values in ((above, force), (below, ring)):
            axes.plot(time[last] - time[last][0], values[last], lw=1, label=name)
    above.set(ylabel="sun mesh, planet 1 [kN]", ylim=(0, 260))
    below.set(xlabel="time [s]", ylabel="ring mesh, planet 1 [kN]")
    above.legend(fontsize="small", ncols=5, loc="upper center")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return means
