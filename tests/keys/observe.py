"""What a run makes of a file, as text that can be compared: everything of the assembled system, of what the run counts and stores,
and of what it tells. Not what the train merely remembers."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from gearwright.analyses.power_flow import power_flow
from gearwright.results.channels import derived_channels, recorded_channels
from gearwright.running.intervals import intervals
from gearwright.running.prepare import prepare, remarks_of
from gearwright.running.record import densities_of, reference_of

#: what refuses: a sentence of ours for a person
REFUSALS = (ValueError, RuntimeError)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(f.name, _plain(getattr(value, f.name))) for f in dataclasses.fields(value)]
    if hasattr(value, "toarray"):
        return _plain(value.toarray())
    if isinstance(value, np.ndarray):
        return hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
    if isinstance(value, dict):
        return sorted((str(k), _plain(v)) for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return (
        value
        if isinstance(value, (str, int, float, bool, type(None)))
        else getattr(value, "__name__", type(value).__name__)
    )


def assembled(d: Any, case: str, fidelity: str | None, law: str | None) -> str:
    """A case made ready to run: system, sampling, channels, remarks; or the sentence that refuses it."""
    try:
        made = prepare(d, case, fidelity=fidelity, law=law)
        counting = intervals(made.system, made.case, made.duration)
        channels = recorded_channels(made.system, made.case.record)
        system = {
            k: getattr(made.system, k)
            for k in (
                "arrays",
                "shape",
                "coordinates",
                "rows",
                "laws",
                "signals",
                "mass",
                "prescribed",
                "v0",
                "q0",
                "landings",
            )
            if hasattr(made.system, k)
        }
        model = made.drivetrain.model
        seen = [system, counting, channels, derived_channels(channels, made.train), made.case.exponents, made.case.discard, made.case.start,
                reference_of(made.case, made.duration), densities_of(made.case, made.duration), made.case.compare, made.duration,
                model.method, model.tolerance, made.inputs.recordings.used, [str(r) for r in remarks_of(made)]]  # fmt: skip
    except REFUSALS as refusal:
        return f"refused: {refusal}"
    return repr(_plain(seen))


def flows(d: Any, case: str) -> str:
    """The steady power flow, or the sentence that refuses it."""
    try:
        return repr(power_flow(d, case))
    except REFUSALS as refusal:
        return f"refused: {refusal}"


def observations(d: Any, case: str, ways: tuple[Any, ...]) -> Iterator[str]:
    """What several ways of computing make of a file, one after the other."""
    for way in ways:
        yield flows(d, case) if way == "flow" else assembled(d, case, *way)
