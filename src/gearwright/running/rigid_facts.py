"""What the result of a rigid train says of itself: shares of redundant meshes, steady power flow, steps and events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Prepared


def shares(prepared: Prepared) -> dict[str, Any]:
    """Redundant rigid meshes and the weights [N/m, or equal ones] of the least squares by which forces are shared."""
    from gearwright.assembly.rigid import compliances
    from gearwright.solve.runge_kutta.fill import dependent_rows

    found = dependent_rows(prepared.system)
    if not found:
        return {}
    weights = {name: 1.0 / c for name, c in compliances(prepared.train).items()}
    return {"redundant_rows": list(found), "share_weights_json": json.dumps(weights)}


def counted(plan: Any, notes: list[str]) -> dict[str, int]:
    """Steps and events of a run with rows that stick or slip; adds a note where their states were hard to decide."""
    if not plan.system.shape.friction:
        return {}
    made: dict[str, int] = plan.statistics
    if made["fallbacks"]:
        said = f"which rows stick was decided by relaxation instead of pivoting in {made['fallbacks']} of {made['settles']} cases"
        if made["unsettled"]:
            said += f", {made['unsettled']} times short of its tolerance: take the split of forces at rest with care"
        notes.append(said)
    return {f"engine_{k}": made[k] for k in ("steps", "events", "settles", "fallbacks", "unsettled")}
