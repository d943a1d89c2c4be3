"""Load sharing of planets by closed forms: a pin that is off along its circle, the weight of a sun that floats."""

from __future__ import annotations

import math

import gearwright as gw
from gearwright.geometry.involute import backlash_by_rule
from gearwright.rating.load_factors import mesh_load_factor

from .registry import computes
from .shared import Overrides

_FILE, _TORQUE = "nrel-5mw-nejad-source", 3945.9903e3
#: sun and carrier held against each other: a thousand times stiffer than the meshes
_HELD = (
    "stages.stage1.bearings.sun={stiffness: 1e13 N/m}",
    *(f"stages.stage1.bearings.carrier.{row}.stiffness=1e13 N/m" for row in ("PLC_A", "PLC_B")),
)


def _shares(stage: str, planets: int, torque: float, overrides: Overrides) -> list[float]:
    """Forces of the sun meshes of a stage over their mean, planar statics."""
    loads = gw.static_loads(gw.load(_FILE, list(overrides)), {"rotor": torque}, fidelity="planar")
    forces = [abs(float(loads[f"{stage}.sun_planet{i + 1}.force"])) for i in range(planets)]
    return [force * planets / sum(forces) for force in forces]


@computes("P.kgamma.pin")
def _pin() -> dict[str, float]:
    """Share of the planet whose pin is 50 um off."""

    def one(planets: int, *more: str) -> float:
        errors = ", ".join(["[0 um, 50 um]", *["[0 um, 0 um]"] * (planets - 1)])
        edits = [f"stages.stage1.planets={planets}", f"stages.stage1.pin_errors=[{errors}]", *more]
        shares = _shares("stage1", planets, _TORQUE, edits)
        return 1.0 + abs(shares[0] - 1.0)

    return {"three_free": one(3), "three_fixed": one(3, *_HELD), "five_free": one(5)}


@computes("P.kgamma.gravity")
def _gravity() -> dict[str, float]:
    """Largest share of a turn: shares are 1 + a cos(angle - direction) of three planets, which gives a at any position."""
    found = {}
    for stage in ("stage1", "stage2"):
        for part, end in ((1.0, ""), (0.1, "_tenth")):
            shares = _shares(stage, 3, part * _TORQUE, ["model.gravity=true"])
            found[stage + end] = 1.0 + math.sqrt(2.0 / 3.0 * sum((share - 1.0) ** 2 for share in shares))
    return found


@computes("P.kgamma.table")
def _table() -> dict[str, float | None]:
    return {word: mesh_load_factor(n) for n, word in enumerate(("three", "four", "five", "six", "seven"), 3)}


@computes("P.backlash")
def _backlash() -> dict[str, float]:
    """Of the three stages of the 5 MW gearbox, in mm."""
    pairs = ((0.863, 0.045), (0.584, 0.021), (0.861, 0.014))
    return {f"stage{i}": 1e3 * backlash_by_rule(*pair) for i, pair in enumerate(pairs, 1)}


__all__: list[str] = []
