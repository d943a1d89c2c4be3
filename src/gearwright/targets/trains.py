"""Rigid trains with losses in steady motion: power flow of S3's trains and transmissions."""

from __future__ import annotations

import numpy as np

from .registry import computes, computes_each
from .shared import flow, record
from .target import Value


@computes("S3.basic.*", "willis.ring_fixed", "willis.carrier_fixed", "torques")
def _willis() -> dict[str, Value]:
    free = flow("simple-planetary", None, "model.loss=none", "operating.torque=1 N m")
    return {
        "willis.ring_fixed": flow("simple-planetary", None, "operating.fixed=ring").ratio,
        "willis.carrier_fixed": flow("simple-planetary", None, "operating.fixed=carrier").ratio,
        "torques": [free.torque(f"set.{n}") for n in ("sun", "ring", "carrier")],
    }


_MEMBERS = {"s": "sun", "r": "ring", "c": "carrier"}


@computes_each("S3.basic.eta.*")
def _inversion(letters: str) -> float | None:
    """Efficiency with an input, an output and a fixed member, in this order."""
    into, _, fixed = (_MEMBERS[x] for x in letters.split("_"))
    return flow("simple-planetary", None, f"operating.input={into}", f"operating.fixed={fixed}").efficiency


_SMALL = ("elements.sun_a.teeth=[41, 16]", "elements.a_ring.teeth=[16, 73]")
#: file and overrides, gears; the overdrive of the small 4HP22 has no number to compare with
_BOXES: dict[str, tuple[str, tuple[str, ...], tuple[str | None, ...]]] = {
    "zf4hp22_large": ("zf-4hp22", (), ("first", "second", "fourth", "reverse")),
    "zf4hp22_small": ("zf-4hp22", _SMALL, ("first", "second", None, "reverse")),
    "zf4hp14": ("zf-4hp14", (), ("first", "second", "overdrive", "reverse")),
    "zf4hp18": ("zf-4hp18", (), ("first", "second", "overdrive", "reverse")),
    "aod": ("ravigneaux", (), ("first", "second", "overdrive", "reverse")),
}


@computes_each("S3.*", *(f"{box}.{what}" for box in _BOXES for what in ("ratios", "efficiencies")))
def _gearbox(name: str) -> list[float | None]:
    box, what = name.split(".")
    file, change, gears = _BOXES[box]
    flows = [None if gear is None else flow(file, gear, *change) for gear in gears]
    return [None if f is None else f.ratio if what == "ratios" else f.efficiency for f in flows]


@computes_each(
    "S3.*", *(f"{n}.{w}" for n in ("wolfrom", "wolfrom_negative") for w in ("ratio", "eta_forward", "eta_backward"))
)
def _wolfrom(name: str) -> float | None:
    train, what = name.split(".")
    teeth = {"wolfrom": "[27, 78]", "wolfrom_negative": "[33, 84]"}[train]
    found = flow("wolfrom", "backward" if "backward" in what else "forward", f"elements.planet_ring2.teeth={teeth}")
    return found.ratio if what == "ratio" else found.efficiency


@computes("S3.split_ring_256.*")
def _split_ring() -> dict[str, float | None]:
    found = flow("split-ring-256", "forward")
    stuck = record("split-ring-256", "stuck")["body_speed"].values
    lock = float(np.abs(stuck).max())
    return {"ratio": found.ratio, "eta": found.efficiency, "eta_0.993": found.efficiency, "self_lock": lock}
