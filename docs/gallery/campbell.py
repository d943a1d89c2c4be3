"""Campbell diagram of the 750 kW gearbox.

Natural frequencies over the speed of the rotor, with the mesh frequencies and their harmonics. Where a line crosses a
frequency and the mode has its energy in that mesh, a resonance is possible.
"""

import matplotlib.pyplot as plt

import gearwright as gw


def draw(path):
    data = gw.campbell("grc-750kw", fidelity="torsional")
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    axes.plot(data.speeds_rpm, [list(row) for row in zip(*data.frequencies_hz, strict=True)], "k-", lw=1)
    for line in (line for line in data.lines if "mesh" in line.name):
        axes.plot(data.speeds_rpm, [line.order * n / 60 for n in data.speeds_rpm], lw=0.8, label=line.name)
    axes.axvline(data.operating_rpm, color="0.6", ls=":")
    axes.set(xlabel="rotor speed [rpm]", ylabel="frequency [Hz]", ylim=(0, 1500), xlim=(0, None))
    axes.legend(fontsize=8, loc="upper left")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return data
