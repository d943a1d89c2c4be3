"""Planetary stages of S0: the small one of P3 section 3.1, and that of the 500 kW turbine (3.2) at every level of its teeth."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

import gearwright as gw
from gearwright.laws import tooth_contact_pair as law

from .registry import computes, computes_each
from .shared import frequencies, record, series, system_of

_MESHES = ("sun_planet", "ring_planet")

# --- small stage: torque -4 N m for 2 s, then none, from rest ---------------------------------------------------------


def _sets(planets: int, stiffness: float, damping: float = 0.0) -> list[str]:
    values = {"stiffness": stiffness, "damping": damping}
    meshes = [f"stages.0.meshes.{m}.{key}={value:g}" for m in _MESHES for key, value in values.items()]
    # with one planet the carrier is a bar of 11.775 kg with its centre at half the arm (S0 digest 4.3)
    bar = ["stages.0.carrier.inertia=0.4112375"] if planets == 1 else []
    return [f"stages.0.planets={planets}", *meshes, *bar]


@cache
def _small(planets: int, stiffness: float, damping: float = 0.0) -> Any:
    sets = _sets(planets, stiffness, damping)
    return record("s0-small-planetary", overrides=sets, fidelity="torsional", law="linear")


def carrier_angle(planets: int, stiffness: float, damping: float) -> float:
    """Carrier angle [deg] after 5 s."""
    data = _small(planets, stiffness, damping)
    carrier = next(str(b) for b in data["body"].values if str(b).endswith("carrier"))
    return math.degrees(series(data, "body_angle", body=carrier)[-1])


@computes_each("S0.p3.flex.n*")
def _flexible(planets: str) -> float:
    return carrier_angle(int(planets), 500.0, 0.0)


@computes_each("S0.p3.damp.*")
def _damped(damping: str) -> float:
    return carrier_angle(3, 5000.0, float(damping))


@computes_each("S0.p3.period.k*")
def _period(stiffness: str) -> float:
    found = frequencies("s0-small-planetary", "torsional", _sets(3, float(stiffness)))
    return 1.0 / min(f for f in found if f > 0)


@computes_each("S0.p3.area.*")
def _impulse(which: str) -> float:
    """Time integral of a mesh force over 5 s, flexible over rigid, minus one, in percent (one planet).

    The rigid forces are those of the digest's table: constant while the torque lasts, zero after.
    """
    data = _small(1, 500.0)
    ending, rigid = {"sp": ("sun_planet1", 1.7335), "pr": ("ring_planet1", 5.2004)}[which]
    mesh = next(str(m) for m in data["mesh"].values if str(m).endswith(ending))
    force = data["mesh_force"].sel(mesh=mesh).values
    return abs(100.0 * (abs(float(np.trapezoid(force, data["time"].values))) / (2.0 * rigid) - 1.0))


# --- stage of the 500 kW turbine --------------------------------------------------------------------------------------

_TEETH = tuple(f"stages.stage1.meshes.{m}.stiffness={{from: analytic, half_width: 0.0745 mm}}" for m in _MESHES)


def _nordtank(fidelity: str, law: str, sets: tuple[str, ...] = (), duration: float = 1.0) -> Any:
    sets = (*sets, "cases.0.record=[meshes, bodies]")
    return record("nordtank-500kw-source", overrides=sets, fidelity=fidelity, law=law, duration=duration)


def _means(fidelity: str, law: str, sets: tuple[str, ...] = ()) -> list[float]:
    """Mean force of the first planet's sun and ring mesh [kN] after the first fifth."""
    data = _nordtank(fidelity, law, sets)
    late = data["time"].values > 0.2
    forces = [data["mesh_force"].sel(mesh=f"stage1.{m}1").values[late] for m in _MESHES]
    return [1e-3 * abs(float(f.mean())) for f in forces]


@computes("S0.n500.angle.rigid")
def _rigid_angle() -> float:
    """Rigid meshes, 2.86 rad/s for 2.5 s under torques in balance; the source's speed falls by 1e-4."""
    data = _nordtank("rigid", "rigid", duration=2.5)
    return abs(math.degrees(series(data, "body_angle", body="stage1.carrier")[-1]))


@computes("S0.n500.F.levels")
def _levels() -> list[float]:
    levels = (("rigid", "rigid"), ("torsional", "linear"), ("torsional", "periodic"))
    return [force for level in levels for force in _means(*level)]


@computes("S0.n500.F.contact")
def _contact() -> list[float]:
    return _means("torsional", "tooth_contact", _TEETH)


@computes("S0.n500.contact.teeth")
def _teeth() -> list[float]:
    """From the law's own parameters: length of the path over the base pitch, and phases against the first planet."""
    meshes = gw.expand(gw.load("nordtank-500kw-source", list(_TEETH))).meshes
    system = system_of("nordtank-500kw-source", "torsional", "tooth_contact", list(_TEETH))
    names = ("stage1.sun_planet1", "stage1.ring_planet1")
    sun, ring = (system.laws[system.blocks.index(name)].parameters for name in names)
    ratios = [(p[law.END] - p[law.START]) / p[law.PITCH] for p in (sun, ring)]
    phases = [meshes[f"stage1.sun_planet{i}"].phase - meshes["stage1.sun_planet1"].phase for i in (1, 2, 3)]
    # S0 counts along the arc, which falls as the train turns: its planets two and three are ours exchanged in sign
    return [*ratios, *(round(sun[law.RISING] * x, 9) % 1.0 for x in phases)]
