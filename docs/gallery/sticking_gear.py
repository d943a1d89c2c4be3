"""A gear that sticks.

An elastic pair whose mesh loses half of the power in either direction, driven back and forth by a sine. While the loss
can carry the load the contact sticks: the mesh force lags, and nothing moves.
"""

import matplotlib.pyplot as plt

import gearwright as gw


def draw(path):
    run = gw.simulate("elastic-lossy-1dof", duration=2.0, output="sticking.nc")
    with gw.Result.open(run.result_file) as result:
        time = result.time
        normal = result.series("mesh.force").values
        speed = result.series("A.speed").values
    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(8, 4.5), layout="constrained")
    above.plot(time, normal, lw=0.8)
    above.set(ylabel="mesh force [N]")
    below.plot(time, speed, lw=0.8, color="C1")
    below.set(xlabel="time [s]", ylabel="speed of wheel A [rad/s]", xlim=(0, 2))
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return run
