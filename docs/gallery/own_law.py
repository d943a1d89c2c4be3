"""A law of your own.

A spur pair with backlash that a sine drives so that its teeth part in every cycle: with law linear, and with the law of the page
"Write a law", whose teeth stiffen as they are pressed. The dashed line is the closed form of that law.
"""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gearwright as gw

PAGE = Path(__file__).resolve().parents[1] / "write-a-law.md"
STIFFNESS, GROWTH = 39.4784176e6, 1e-6  # of the shipped file [N/m]; deflection at which it has doubled [m]


def draw(path):
    law = re.search(r"```python\n(# stiffening\.py.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    Path("stiffening.py").write_text(law[1], encoding="utf-8")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", width_ratios=(1, 2))
    found = {}
    for name, law in (("law linear", "linear"), ("the law of the page", "stiffening:mesh")):
        run = gw.simulate("kahraman-oscillator", law=law, allow_code=True, duration=0.2, output=f"{name}.nc",
                          overrides=["cases.0.output_interval=0.00002 s", "cases.0.loads.0.torque.sine.frequency=1100 Hz"])  # fmt: skip
        with gw.Result.open(run.result_file) as result:
            time = np.asarray(result.time)
            force, deflection = (
                np.asarray(result.series(f"pair.mesh.{what}").values) for what in ("force", "deflection")
            )
        last = time > 0.19
        left.plot(1e6 * deflection[last], force[last], ".", ms=2)
        right.plot(1e3 * time[last], force[last], label=name)
        found[law] = deflection, force, run.energy_error
    x = np.linspace(0.0, left.get_xlim()[1] * 1e-6, 100)
    left.plot(1e6 * x, STIFFNESS * x * (1.0 + (x / GROWTH) ** 2), "k--", lw=0.8)
    left.set(xlabel="deflection [µm]", ylabel="mesh force [N]", ylim=right.get_ylim())
    right.set(xlabel="time [ms]")
    right.legend(loc="upper right")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return found
