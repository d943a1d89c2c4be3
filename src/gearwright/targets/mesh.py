"""Mesh excitation: statics of loaded teeth, one mesh in motion by five forms, the gearbox nejad beside tooth contact."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gearwright.laws.loaded_error import loaded_error
from gearwright.laws.mesh_by_table import mesh_by_table
from gearwright.laws.mesh_cycle import mesh_cycle, sampled_curve
from gearwright.laws.two_level import two_level
from gearwright.solve.choose import engine
from gearwright.solve.steady.static import equilibrium
from gearwright.stiffness.mesh_table import PairStatics, mesh_table
from gearwright.system import Builder, Law, Provenance, Row, Source, constant

from .registry import computes, computes_each
from .shared import call_law, record
from .target import given

Array = NDArray[np.float64]

# --- one mesh ------------------------------------------------------------------------------------------------------------

MASS, FORCE, PAIR = 649.75, 829478.55, 7.026e9
PITCH, START, END = 0.1328459, 0.1314641, 0.2795606


@cache
def one_mesh(relief: float = 0.0) -> PairStatics:
    """The pair of the targets, with linear relief [m] over 26.569 mm of both ends, which goes on beyond them."""
    span, over = (END - START) / PITCH, 26.569e-3
    travel = np.linspace(-0.4, span + 0.4, 8001)
    arc = START + travel * PITCH
    gap = np.where(arc < START, 3.29572 * (START - arc) ** 2, np.where(arc > END, 2.77050 * (arc - END) ** 2, 0.0))
    for beyond in (arc - START, END - arc):
        gap = gap + relief * np.maximum(1.0 - beyond / over, 0.0)
    return PairStatics(travel, np.full_like(travel, PAIR), gap, span)


@computes("M.ste.*", "none", "none_harmonics", "relief", "two_pair_share")
def _statics() -> dict[str, list[float] | dict[str, float]]:
    plain, relieved = (one_mesh(relief).error(FORCE, 4096) for relief in (0.0, 108e-6))
    return {
        **{
            name: {"mean": 1e6 * float(one.error.mean()), "peak_to_peak": 1e6 * float(np.ptp(one.error))}
            for name, one in (("none", plain), ("relief", relieved))
        },
        "none_harmonics": (1e6 * plain.harmonics()).tolist(),
        "two_pair_share": [float((one.tangent > 1.5 * PAIR).mean()) for one in (plain, relieved)],
    }


def forms() -> dict[str, Law]:
    """Laws of the one mesh: table with backlash, secant stiffness, constant stiffness with transmission error, square wave."""
    loaded = one_mesh().error(FORCE, 1024)
    mean = float(one_mesh().error(FORCE, 4096).secant.mean())
    damping, share = 0.1 * float(np.sqrt(mean * MASS)), one_mesh().span - 1.0
    low = mean / (1.0 + share)
    return {
        "table": mesh_by_table(mesh_table(one_mesh(), FORCE), damping, backlash=0.6e-3),
        "secant": mesh_cycle(sampled_curve(loaded.secant.tolist(), ()), damping),
        "ste": loaded_error(loaded.error, FORCE, damping, one_mesh().span, 0.0),
        "square": two_level(2.0 * low, low, damping, share),
    }


def swing(law: Law, ratio: float, part: float = 1.0, method: str = "explicit", tolerance: float = 1e-6) -> Array:
    """Force over its mean, 2000 samples in each of 40 cycles, of a mass on a mesh whose frequency is ``ratio`` times the natural one
    of the mean stiffness, under a ``part`` of the load, once its transient is over."""
    mean = float(one_mesh().error(FORCE, 4096).secant.mean())
    natural = float(np.sqrt(mean / MASS))
    cycle = ratio * natural / (2.0 * np.pi)
    b = Builder()
    b.coordinate("approach")
    b.inertia(MASS, {"approach": 1.0})
    b.coordinate("phase")
    b.inertia(1.0, {"phase": 1.0})
    b.input("approach", b.signal("load", constant(part * FORCE)))
    rows = [Row("mesh.drive", {"approach": 1.0}), Row("mesh.coast", {"approach": -1.0})]
    b.block("mesh", rows[: law.rows], law, [Row("mesh.phase", {"phase": 1.0}, 1e-6)])
    b.channel("mesh", "mesh", "force", "N", "", [(Source.FORCE, "mesh.drive", 1.0)], counted=True)
    # off by a little, so that samples lie just behind a jump
    system = b.build(Provenance(), {"phase": cycle})
    state, chosen, samples = equilibrium(system).state(system), engine(method), 2000
    plan = chosen.prepare(system, system.channels, 1.0 / (samples * cycle), tolerance)
    settled = int(max(20.0, 16.0 / (0.05 * natural) * cycle))
    for _ in range(settled):
        chosen.advance(plan, state, samples)
    found = [np.asarray(chosen.advance(plan, state, samples).lines)[:, 0] for _ in range(40)]
    return np.asarray(np.concatenate(found) / (part * FORCE))


@computes_each("M.sdof.*")
def _one_mesh(name: str) -> list[float]:
    form, _, ratio = name.partition(".N")
    force = swing(forms()[form], float(ratio))
    figures = [float(force.std()), float(force.max()), float(force.min())]
    return figures[:2] if name == "table.N0.31" else figures


# --- the gearbox ---------------------------------------------------------------------------------------------------------

_MESHES = ("stage1.sun_planet1", "stage1.ring_planet1", "stage2.sun_planet1", "stage2.ring_planet1")
_KEYS = {
    "stage1.sun_planet1": "stages.0.meshes.sun_planet",
    "stage1.ring_planet1": "stages.0.meshes.ring_planet",
    "stage2.sun_planet1": "stages.1.meshes.sun_planet",
    "stage2.ring_planet1": "stages.1.meshes.ring_planet",
    "stage3.mesh": "stages.2.mesh",
}


def _pairs_of_contact() -> list[str]:
    """Mean values under load whose pairs are as stiff as tooth contact has them: the stated mean over the contact ratio."""
    means = given("M.planar.nejad.secant.std")
    return [f"{key}.stiffness={mean:.8g}" for key, mean in zip(_KEYS.values(), means, strict=True)]


@cache
def _gearbox(form: str) -> dict[str, list[float]]:
    law, sets = {
        "contact": ("tooth_contact", [f"{key}.backlash=0.6 mm" for key in _KEYS.values()]),
        "table": ("periodic", []),
        "secant": ("periodic", ["model.mesh_form=secant", *_pairs_of_contact()]),
        "square": ("two_level", []),
    }[form]
    # samples as they are: a stored series that is thinned is filtered before, which takes the peaks of jumps away
    sets = [*sets, "cases.0.record=[meshes]", "cases.0.counting_interval=0.1 ms", "cases.0.output_interval=0.1 ms"]
    data = record("nrel-5mw-nejad-source", "rated", sets, fidelity="planar", law=law, duration=3.0)
    late = np.asarray(data["time"]) > 1.0
    force = [np.asarray(data["mesh_force"].sel(mesh=name).values, float)[late] / 1e3 for name in _MESHES]
    return {"std": [float(f.std()) for f in force], "max": [float(f.max()) for f in force]}


@computes_each("M.planar.nejad.*")
def _whole(name: str) -> list[float]:
    form, _, what = name.partition(".")
    return _gearbox(form)[what]


@computes("M.mirror")
def _mirror() -> float:
    """Joined flanks: the force turned and loaded the other way, from the mirrored place."""
    law, worst = mesh_by_table(mesh_table(one_mesh(), FORCE), 2e5), 0.0
    for phase in np.linspace(0.0, 1.0, 97):
        for d in (1e-6, 3e-5, 1e-4, 1e-3):
            forward = call_law(law, [d, phase], [1e-3, 40.0])[0][0]
            backward = call_law(law, [-d, one_mesh().span - phase], [-1e-3, -40.0])[0][0]
            worst = max(worst, abs(forward + backward) / FORCE)
    return worst
