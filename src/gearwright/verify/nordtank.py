"""The planetary stage of the 500 kW turbine (S0, P3 section 3.2) at every level of its teeth."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

from .framework import REGISTRY

_P3 = "S0, paper P3 section 3.2"
_MESHES = ("sun_planet", "ring_planet")
_TEETH = tuple(f"stages.stage1.meshes.{m}.stiffness={{from: analytic, half_width: 0.0745 mm}}" for m in _MESHES)


def _means(fidelity: str, law: str, sets: tuple[str, ...] = (), duration: float = 1.0) -> tuple[list[float], float]:
    """Mean force of the first planet's sun and ring mesh [kN] after the first fifth, and the carrier's angle [deg]."""
    import gearwright as gw

    with tempfile.TemporaryDirectory() as folder:
        run = gw.simulate("nordtank-500kw", fidelity=fidelity, law=law, duration=duration,
                          overrides=[*sets, "cases.0.record=[meshes, bodies]"], output=Path(folder) / "run.nc")  # fmt: skip
        with gw.Result.open(run.result_file) as result:
            time = result.time
            forces = [result.series(f"stage1.{m}1.normal_force").values for m in _MESHES]
            angle = float(result.series("stage1.carrier.angle").values[-1])
    return [1e-3 * float(abs(f[time > 0.2 * duration].mean())) for f in forces], abs(math.degrees(angle))


@REGISTRY.computes("S0.n500.angle.rigid")
def _rigid_angle() -> float:
    """Rigid meshes, 2.86 rad/s for 2.5 s under torques in balance; the source's speed falls by 1e-4."""
    return _means("rigid", "rigid", duration=2.5)[1]


@REGISTRY.literature("S0.n500.F.levels", [272.0 / 3.0] * 6, "kN", _P3, rel=5e-3,
                     note="three planets: rigid, constant, over the cycle, each at sun and ring")  # fmt: skip
def _levels() -> list[float]:
    found = (_means("rigid", "rigid"), _means("torsional", "linear"), _means("torsional", "periodic"))
    return [force for forces, _ in found for force in forces]


@REGISTRY.literature("S0.n500.F.contact", [272.0 / 3.0] * 2, "kN", _P3, rel=5e-3,
                     note="tooth contact pair by pair, sun and ring")  # fmt: skip
def _contact() -> list[float]:
    return _means("torsional", "tooth_contact", _TEETH)[0]


@REGISTRY.literature("S0.n500.contact.teeth", [1.4713, 1.6793, 0.0, 2.0 / 3.0, 1.0 / 3.0], "-", _P3, abs=5e-4,
                     note="contact ratios and phases of the planets that the contact law steps with")  # fmt: skip
def _teeth() -> list[float]:
    """From the law's own parameters: length of the path over the base pitch, and phases against the first planet."""
    from gearwright.assembly import assemble
    from gearwright.drivetrain import expand, load
    from gearwright.laws import tooth_contact_pair as law

    train = expand(load("nordtank-500kw", list(_TEETH)))
    system = assemble(train, "torsional", "tooth_contact")
    blocks = {name: system.laws[i].parameters for i, name in enumerate(system.blocks) if "planet" in name}
    ratios = [
        (p[law.END] - p[law.START]) / p[law.PITCH]
        for p in (blocks["stage1.sun_planet1"], blocks["stage1.ring_planet1"])
    ]
    phases = [train.meshes[f"stage1.sun_planet{i}"].phase - train.meshes["stage1.sun_planet1"].phase for i in (1, 2, 3)]
    # S0 counts along the arc, which falls as the train turns: its planets two and three are ours exchanged in sign
    rising = blocks["stage1.sun_planet1"][law.RISING]
    return [*ratios, *(round(rising * x, 9) % 1.0 for x in phases)]
