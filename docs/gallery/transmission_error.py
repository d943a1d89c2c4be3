"""Static transmission error over torque.

The curve a gear designer looks at: how far the driven wheel lags over one mesh cycle, at several torques.
"""

import matplotlib.pyplot as plt

import gearwright as gw


def draw(path):
    torques = ["10 kN m", "20 kN m", "40 kN m"]
    data = gw.transmission_error(
        "nordtank-500kw", "stage1", torques=torques, method="analytic", mesh="stage1.sun_planet1"
    )
    figure, axes = plt.subplots(figsize=(8, 3.8), layout="constrained")
    curves = data.meshes["stage1.sun_planet1"]
    for torque, curve in zip(torques, curves.error, strict=True):
        axes.plot(curves.phase, curve * 1e6, label=torque)
    axes.set(xlabel="position in the mesh cycle", ylabel="transmission error [µm]", xlim=(0, 1))
    axes.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return data
