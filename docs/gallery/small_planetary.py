"""One to four planets, soft and stiff meshes, with and without damping.

The parameter study of the small planetary stage of S0 (paper P3): -4 N m on the carrier for two seconds, then none. Above the
carrier's angle, rigid dashed and flexible (500 N/m) solid, and mesh forces with and without damping; below the final angle
over planets and over damping, circles as printed in the source.
"""

import matplotlib.pyplot as plt
import numpy as np

import gearwright as gw

FILE = "s0-small-planetary"
PRINTED = {"flexible": [-100.25, -58.40, -40.96, -31.54], "rigid": [-100.92, -58.73, -41.17, -31.69]}
DAMPED = {0: -41.127, 10: -41.143, 30: -41.157, 60: -41.164}


def run(planets, stiffness, damping=0.0, law="linear"):
    """Time, carrier angle [deg], force of the first sun mesh [N]."""
    sets = [f"stages.0.planets={planets}", "cases.0.output_interval=0.01 s"]
    for mesh in ("sun_planet", "ring_planet"):
        sets += [f"stages.0.meshes.{mesh}.stiffness={stiffness:g}", f"stages.0.meshes.{mesh}.damping={damping:g}"]
    if planets == 1:  # the carrier is a bar with its centre at half the arm
        sets.append("stages.0.carrier.inertia=0.4112375")
    made = gw.simulate(
        FILE, overrides=sets, fidelity="rigid" if law == "rigid" else "torsional", law=law, output="small.nc"
    )
    with gw.Result.open(made.result_file) as result:
        angle = np.degrees(result.series("stage.carrier.angle").values)
        return result.time, angle, result.series("stage.sun_planet1.force").values


def draw(path):
    figure, axes = plt.subplots(2, 2, figsize=(9, 6.5), layout="constrained")
    final = {"flexible": [], "rigid": []}
    for n in (1, 2, 3, 4):
        for name, law, style in (("rigid", "rigid", "--"), ("flexible", "linear", "-")):
            time, angle, _ = run(n, 500.0, law=law)
            axes[0, 0].plot(time, angle, style, color=f"C{n}", lw=1, label=f"{n}" if law == "linear" else None)
            final[name].append(float(angle[-1]))
    axes[0, 0].set(xlabel="time [s]", ylabel="carrier angle [deg]")
    axes[0, 0].legend(title="planets")
    for k, d in ((500.0, 0.0), (5000.0, 0.0), (5000.0, 60.0)):
        time, _, force = run(3, k, d)
        axes[0, 1].plot(time, force, lw=0.8, label=f"{k:g} N/m, {d:g} N s/m")
    axes[0, 1].set(xlabel="time [s]", ylabel="sun mesh force, 3 planets [N]")
    axes[0, 1].legend(loc="lower right", fontsize="small")
    planets = np.arange(1, 5)
    for name, marker in (("rigid", "s"), ("flexible", "o")):
        axes[1, 0].plot(planets, final[name], ".-", lw=0.8, label=name)
        axes[1, 0].plot(planets, PRINTED[name], marker, mfc="none", color="k", ms=8)
    axes[1, 0].set(xlabel="planets", ylabel="angle after 5 s [deg]", xticks=planets)
    axes[1, 0].legend()
    damped = [float(run(3, 5000.0, float(d))[1][-1]) for d in DAMPED]
    axes[1, 1].plot(list(DAMPED), damped, ".-", lw=0.8)
    axes[1, 1].plot(list(DAMPED), list(DAMPED.values()), "o", mfc="none", color="k", ms=8)
    axes[1, 1].set(xlabel="damping of a mesh [N s/m]", ylabel="angle after 5 s [deg]")
    axes[1, 1].ticklabel_format(useOffset=False)
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return {"final": final, "damped": damped}
