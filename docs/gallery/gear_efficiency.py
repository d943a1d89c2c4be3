"""Ratio and efficiency of every gear of an automatic transmission.

The ZF 4HP22: three planetary sets, four forward gears and reverse, with the losses of its meshes.
"""

import matplotlib.pyplot as plt

import gearwright as gw


def draw(path):
    flows = gw.power_flows("zf-4hp22").flows
    names = [flow.case for flow in flows]
    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(8, 4.5), layout="constrained")
    above.bar(names, [flow.ratio for flow in flows], width=0.5)
    above.axhline(0, color="k", lw=0.8)
    above.set(ylabel="ratio")
    below.bar(names, [100 * flow.efficiency for flow in flows], width=0.5, color="C2")
    below.set(ylabel="efficiency [%]", ylim=(90, 100.5))
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return flows
