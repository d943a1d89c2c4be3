"""Shaft torque and tooth load of a 5 MW gearbox under a recorded load.

Rotor speed and generator torque come from a recorded run in turbulent wind; the loads inside are computed.
"""

import matplotlib.pyplot as plt

import gearwright as gw


def draw(path):
    run = gw.simulate("nrel-5mw-gallego", "recorded-18ms", duration=100.0, output="gallego.nc")
    with gw.Result.open(run.result_file) as result:
        time = result.time
        torque = result.series("main.torque").values
        sun = result.series("stage1.sun_planet1.force").values
    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(8, 4.5), layout="constrained")
    above.plot(time, torque / 1e6, lw=0.8)
    above.set(ylabel="main shaft [MN m]")
    below.plot(time, sun / 1e3, lw=0.4, color="C3")
    below.set(xlabel="time [s]", ylabel="sun-planet mesh [kN]", xlim=(0, 100))
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return run
