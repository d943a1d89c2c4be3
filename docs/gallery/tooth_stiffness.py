"""Stiffness of a sun-planet mesh over the mesh cycle, from finite elements and from the fast estimate.

Two pairs of teeth carry, then one: the step between them is what excites a spur gearbox.
"""

import matplotlib.pyplot as plt

import gearwright as gw


def draw(path):
    figure, axes = plt.subplots(figsize=(8, 3.8), layout="constrained")
    found = {}
    for method, label in (("fe", "finite elements"), ("analytic", "beam, foundation and Hertz")):
        mesh = gw.mesh_stiffness("nordtank-500kw", "stage1", method=method).meshes["stage1.sun_planet1"]
        found[method] = mesh
        axes.plot(mesh.phase, mesh.stiffness / 1e9, label=f"{label}, mean {mesh.mean / 1e9:.2f}")
    axes.set(xlabel="position in the mesh cycle", ylabel="mesh stiffness [GN/m]", ylim=(0, None), xlim=(0, 1))
    axes.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return found
