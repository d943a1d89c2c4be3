"""One mesh, five forms: from the square wave to tooth contact.

The sun mesh of the first stage of the 5 MW gearbox, planar, under rated torque: stiffness that jumps where pairs enter and leave (law
`two_level`), the secant stiffness, constant stiffness with the loaded transmission error, the table over phase and deflection
(law `periodic` in its three forms) and tooth contact pair by pair. The jump doubles the force at every entry; teeth take
4 % of a cycle to take up their load.
"""

import matplotlib.pyplot as plt
import numpy as np

import gearwright as gw

FILE = "nrel-5mw-nejad-source"
PLAY = [
    *(f"stages.{i}.meshes.{m}.backlash=0.6 mm" for i in (0, 1) for m in ("sun_planet", "ring_planet")),
    "stages.2.mesh.backlash=0.6 mm",
]
FORMS = {
    "square wave": ("two_level", []),
    "secant": ("periodic", ["model.mesh_form=secant"]),
    "constant, loaded error": ("periodic", ["model.mesh_form=ste"]),
    "table": ("periodic", []),
    "tooth contact": ("tooth_contact", PLAY),
}


def draw(path):
    figure, axes = plt.subplots(len(FORMS), figsize=(9, 9), sharex=True, layout="constrained")
    figures = {}
    for ax, (name, (law, sets)) in zip(axes, FORMS.items(), strict=True):
        made = gw.simulate(
            FILE,
            "rated",
            overrides=[*sets, "cases.0.record=[meshes]"],
            fidelity="planar",
            law=law,
            duration=2.0,
            output="forms.nc",
        )
        with gw.Result.open(made.result_file) as result:
            time = np.asarray(result.time)
            force = np.asarray(result.series("stage1.sun_planet1.force").values) / 1e3
        last = time > time[-1] - 0.3
        figures[name] = (float(force[time > 1.0].std()), float(force[time > 1.0].max()))
        ax.plot(time[last] - time[last][0], force[last], lw=1)
        ax.set(
            ylabel="[kN]",
            title=f"{name}: largest {figures[name][1]:.0f} kN, standard deviation {figures[name][0]:.1f} kN",
        )
    axes[-1].set(xlabel="time [s]")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return figures
