"""Fidelity spatial against closed forms: planar limit, thick beam, whirl of a disc, thrust of helical wheels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gearwright.stiffness.beam import Beam

from .framework import REGISTRY

_BEAM = Beam(2.0, 0.3)
_SHAFT = Beam(0.5, 0.05)
_DISC = {"mass": 20.0, "polar": 0.4, "transverse": 0.22, "speed": 400.0}


def thick_beam(order: int) -> float:
    """Bending frequency [Hz] of a Timoshenko beam on two supports: its shapes are sines.

    ``E I b^4 - rho A w^2 - rho I (1 + E/kG) b^2 w^2 + rho^2 I/(kG) w^4 = 0`` with ``b = n pi / L``.
    """
    b, rho, e = order * math.pi / _BEAM.length, _BEAM.density, _BEAM.young
    kg, i = _BEAM.shear_coefficient * _BEAM.shear, _BEAM.second_moment
    a2 = rho * _BEAM.area + rho * i * (1.0 + e / kg) * b**2
    root = math.sqrt(a2**2 - 4.0 * rho**2 * i / kg * e * i * b**4)
    return math.sqrt((a2 - root) / (2.0 * rho**2 * i / kg)) / (2.0 * math.pi)


def disc_whirl() -> list[float]:
    """Whirl frequencies [Hz] of a disc at the end of a massless shaft, forward positive, backward negative.

    ``(k11 - m w^2)(k22 - J_t w^2 + J_p W w) = k12^2``.
    """
    length = _SHAFT.length
    c = _SHAFT.young * _SHAFT.second_moment / length**3 / (1.0 + _SHAFT.phi)
    k11, k12, k22 = 12.0 * c, -6.0 * length * c, (4.0 + _SHAFT.phi) * length**2 * c
    m, jp, jt, speed = (_DISC[key] for key in ("mass", "polar", "transverse", "speed"))
    product = np.polymul([-m, 0.0, k11], [-jt, jp * speed, k22])
    return sorted(float(w.real) / (2.0 * math.pi) for w in np.roots(np.polysub(product, [k12**2])))


def _rotor(bodies: list[dict[str, Any]], bearings: list[dict[str, Any]], sections: list[dict[str, Any]],
           **more: Any) -> Any:  # fmt: skip
    from gearwright.drivetrain.read import from_mapping

    ends = [bodies[0]["name"], bodies[1]["name"]]
    return from_mapping({
        "name": "rotor", "bodies": bodies, "elements": [{"type": "bearing", **b} for b in bearings],
        "shafts": [{"name": "shaft", "between": ends, "sections": sections, **more.get("shaft", {})}],
        "model": {"fidelity": "spatial", "law": "linear", "gyroscopic": True}, **more.get("top", {}),
    })  # fmt: skip


_SOURCE = "closed form: sine shapes of a Timoshenko beam on two supports"


@REGISTRY.literature("SPACE.beam.1", thick_beam(1), "Hz", _SOURCE, rel=1e-3)
def _beam_first() -> float:
    return _beams()[0]


@REGISTRY.literature("SPACE.beam.2", thick_beam(2), "Hz", _SOURCE, rel=1e-3)
def _beam_second() -> float:
    return _beams()[2]


def _beams() -> list[float]:
    from gearwright.cases import ModalAnalysis, modes

    tiny, held, count = {"inertia": 1e-9, "mass": 1e-9}, {"stiffness": 1e13}, 24
    made = _rotor(
        [{"name": "left", **tiny}, {"name": "right", **tiny}],
        [{"name": "a", "between": ["left", "housing"], **held, "axial_stiffness": 1e13},
         {"name": "b", "between": ["right", "housing"], **held}],
        [{"length": _BEAM.length / count, "diameter": _BEAM.diameter}] * count,
    )  # fmt: skip
    found = modes(made)
    assert isinstance(found, ModalAnalysis)
    across = found.table.parts[:, 1] > 0.5
    return [float(f) for f in found.frequencies_hz[across][:4]]


_WHIRL = disc_whirl()


@REGISTRY.literature("SPACE.whirl", _WHIRL, "Hz", "closed form: disc with gyroscopic moment on a massless cantilever",
                     rel=1e-4)  # fmt: skip
def _whirl() -> list[float]:
    from gearwright.assembly import assemble
    from gearwright.drivetrain import expand
    from gearwright.solve.modes import modes

    clamp = {"stiffness": 1e14, "axial_stiffness": 1e14, "tilt_stiffness": 1e14}
    made = _rotor(
        [{"name": "root", "inertia": 1e4, "mass": 1e4},
         {"name": "disc", "inertia": [_DISC["polar"], _DISC["transverse"], _DISC["transverse"]], "mass": _DISC["mass"]}],
        [{"name": "clamp", "between": ["root", "housing"], **clamp}],
        [{"length": _SHAFT.length, "diameter": _SHAFT.diameter}],
        shaft={"material": "light"}, top={"materials": {"light": {"density": 1e-3}}},
    )  # fmt: skip
    system = assemble(expand(made))
    found = modes(system, _DISC["speed"])
    y, z = (system.coordinates.index(f"disc.{m}") for m in "yz")
    whirls = []
    for f, shape in zip(found.frequencies_hz, found.shapes.T, strict=True):
        size = max(abs(shape[y]), abs(shape[z]))
        if f < 1e4 and size > 1e-3 * np.abs(shape).max():
            # forward whirl runs from y to z: z lags a quarter turn behind y in the time exp(i w t)
            forward = (shape[z] / shape[y]).imag < 0.0
            whirls.append(float(f) if forward else -float(f))
    return sorted(whirls)


@REGISTRY.literature("SPACE.planar_limit", 0.0, "", "limit: nothing moves along x or tilts (grc-750kw, helical)", abs=3e-4,
                     note="largest relative difference to fidelity planar, axial and tilting stiffness 1e14")  # fmt: skip
def _planar_limit() -> float:
    from gearwright.cases import modes
    from gearwright.drivetrain import load

    members = {
        "stage1": ("sun", "ring", "carrier", "planet"),
        "stage2": ("wheel", "pinion"),
        "stage3": ("wheel", "pinion"),
    }
    sets = [
        f"stages.{stage}.bearings.{member}.{key}=1e14"
        for stage, names in members.items()
        for member in names
        for key in ("axial_stiffness", "tilt_stiffness")
    ]
    planar = modes("grc-750kw", fidelity="planar", law="linear").frequencies_hz[1:]
    spatial = modes(load("grc-750kw", sets), fidelity="spatial", law="linear").frequencies_hz[1 : len(planar) + 1]
    return float(np.abs(spatial / planar - 1.0).max())
