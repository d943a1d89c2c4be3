"""What a finished run is compared with and what its file carries for the report."""

from __future__ import annotations

import hashlib
import json
import math
import platform
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from gearwright._version import __version__
from gearwright.assembly.rigid import compliances
from gearwright.errors import DrivetrainError, listed
from gearwright.figures.format import finite
from gearwright.figures.record import train_record
from gearwright.kernels.native import version
from gearwright.remarks import sorted_remarks, warning
from gearwright.results import Result, changing
from gearwright.results.contact import contact_record
from gearwright.results.planet_sharing import planet_sharing
from gearwright.schema.file import Drivetrain, PlanetaryStage
from gearwright.schema.places import JSON
from gearwright.solve.runge_kutta.fill import dependent_rows
from gearwright.train.train import Train

from .prepare import Prepared

#: correlation of a computed and a recorded shaft torque below which the record is likely not that of this train
LEAST_CORRELATION = 0.7
#: part by which the mean force of a mesh may leave the load that its law is linear about
OFF_REFERENCE = 0.3


def shared_load(drivetrain: Drivetrain, train: Train, discard: float, path: Path) -> dict[str, str]:
    """Load sharing of the planets of a result, kept in the file too: ``load_sharing``, JSON by stage; empty without planets.

    What was measured on the gearbox (``measured_load_sharing`` of a planet's data) stands beside it.
    """
    with Result.open(path) as result:
        found = planet_sharing(result, train, discard)
    if not found:
        return {}
    measured = {
        drivetrain.stage_name(i): stage.planet.data["measured_load_sharing"]
        for i, stage in enumerate(drivetrain.stages)
        if isinstance(stage, PlanetaryStage) and "measured_load_sharing" in stage.planet.data
    }
    told = {
        name: {**asdict(one), **({"measured": measured[name]} if name in measured else {})}
        for name, one in found.items()
    }
    figures = {"load_sharing": json.dumps(told)}
    with changing(path) as file:
        file.setncatts(figures)
    return figures


def compare_with_record(prepared: Prepared, path: Path, said: list[str]) -> dict[str, float]:
    """Correlation and standard deviations of a computed and a recorded shaft torque, after the discarded part; kept in
    the file too.

    ``said``: what the run has to tell, to which a warning is added where the two do not go together; in the file too.

    Keys: ``recorded_torque_correlation``, ``recorded_torque_std``, ``computed_torque_std`` [N m]. Empty if the
    case compares nothing. Raises DrivetrainError for a shaft that is not in the train.
    """
    wanted = prepared.case.compare
    if wanted is None:
        return {}
    files = [v.value.path for v in prepared.case.speeds.values() if v.form == "file"]
    files += [load.torque.value.path for load in prepared.case.loads if load.torque and load.torque.form == "file"]
    source = wanted.path or (files[0] if files else None)
    if source is None:
        raise DrivetrainError(f"case '{prepared.case.name}': compare needs a path, since the case reads no file")
    time, recorded = prepared.inputs.recordings.series(source, wanted.channel, dimension="torque")
    start = prepared.inputs.recordings.used[0].start_s if prepared.inputs.recordings.used else float(time[0])
    with Result.open(path) as result:
        shafts = result.elements("shaft") if "shaft" in result.quantities else ()
        if wanted.shaft not in shafts:
            raise DrivetrainError(
                f"case '{prepared.case.name}': compare names the shaft '{wanted.shaft}'; the result has "
                f"{', '.join(shafts) or 'no shafts (record: [shafts])'}"
            )
        own_time = result.time
        own = np.asarray(result.values("shaft_torque", shafts.index(wanted.shaft)), float)
    local = time - start
    inside = (local >= max(prepared.case.discard, own_time[0])) & (local <= own_time[-1])
    if inside.sum() < 10:
        return {}
    computed = np.interp(local[inside], own_time, own)
    reference = recorded[inside]
    found = correlation(computed, reference)
    said += _doubts(wanted, found, computed, reference)
    figures = {
        "recorded_torque_correlation": found,
        "recorded_torque_std": float(reference.std()),
        "computed_torque_std": float(computed.std()),
    }
    with changing(path) as file:
        file.setncatts({**figures, **{kind: json.dumps(found) for kind, found in sorted_remarks(said).items()}})
    return figures


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Correlation of two series; not a number where either does not vary."""
    if not (one.std() > 1e-9 * abs(one).max() and other.std() > 1e-9 * abs(other).max()):
        return math.nan
    return float(np.corrcoef(one, other)[0, 1])


def _doubts(wanted: Any, found: float, computed: np.ndarray, reference: np.ndarray) -> list[str]:
    """A warning where a computed torque does not follow the recorded one."""
    if math.isnan(found) or found >= LEAST_CORRELATION:
        return []
    why = (
        "a sign is turned"
        if found < -LEAST_CORRELATION
        else "the record may be of another turbine, or of another channel"
    )
    return [
        warning(
            f"the torque of shaft '{wanted.shaft}' does not follow the recorded '{wanted.channel}': correlation {found:.2f}, means "
            f"{computed.mean() / 1e3:.4g} and {reference.mean() / 1e3:.4g} kN m; {why}"
        )
    ]


def model_attributes(prepared: Prepared) -> dict[str, str]:
    """Description of the model, as JSON, for the report."""
    described = {"train": train_record(prepared.train), "degrees_of_freedom": prepared.system.degrees_of_freedom}
    return {"describe_json": json.dumps(described, default=str)}


def attributes_of(prepared: Prepared, method: str, reason: str, tolerance: float, notes: list[str]) -> dict[str, JSON]:
    """Facts about a run that its file carries from the begin; ``notes`` may grow until the file is closed."""
    train, system, case = prepared.train, prepared.system, prepared.case
    text = prepared.drivetrain.text
    touching = contact_record(system)
    digest = hashlib.sha256()
    digest.update(json.dumps(prepared.drivetrain.raw, sort_keys=True, default=str).encode())
    digest.update(json.dumps(case.model_dump(mode="json"), sort_keys=True, default=str).encode())
    own = dict(sorted(system.provenance.own_laws.items()))
    digest.update("".join(f"{name} {text}" for name, text in own.items()).encode())
    shape = system.shape
    return {
        "drivetrain": train.name, "drivetrain_text": text, "overrides": list(prepared.drivetrain.overrides),
        "drivetrain_json": json.dumps(prepared.drivetrain.raw, default=str),
        "case": case.name, "case_json": json.dumps(case.model_dump(mode="json"), default=str),
        "fidelity": system.provenance.fidelity, "law": system.provenance.law,
        "method": method, "method_reason": reason, "tolerance": tolerance,
        "degrees_of_freedom": system.degrees_of_freedom, "rows": shape.rows,
        "notes": notes, **shares(prepared), "recordings": finite(prepared.inputs.recordings.used),
        "content_hash": digest.hexdigest(), "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "gearwright_version": __version__,
        **({"mesh_references_json": json.dumps(dict(system.provenance.references))} if system.provenance.references else {}),
        **({"contact_json": touching} if touching else {}), **({"own_laws_json": json.dumps(own)} if own else {}),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": version("scipy"),
                     "numba": version("numba")},
    }  # fmt: skip


def off_reference(references: Mapping[str, float], forces: Mapping[str, float], notes: list[str], path: Path) -> None:
    """Note the meshes whose mean force [N] is more than 30 % off the load that their law is linear about; in the file too."""
    means = {name: abs(forces[key]) for name in references if (key := f"{name}.force") in forces}
    off = [
        f"{name} ({1e-3 * means[name]:.4g} of {1e-3 * references[name]:.4g} kN)"
        for name in means
        if abs(means[name] / references[name] - 1.0) > OFF_REFERENCE
    ]
    if not off:
        return
    notes.append(
        f"the load left that of reference by more than {100 * OFF_REFERENCE:.0f} % in {listed(off, 4)}: the stiffness of these meshes "
        f"belongs to another load; model.mesh_form: table follows it"
    )
    with changing(path) as file:
        file.setncatts({kind: json.dumps(found) for kind, found in sorted_remarks(notes).items()})


def shares(prepared: Prepared) -> dict[str, str | list[str]]:
    """Redundant rigid meshes and the weights [N/m, or equal ones] of the least squares by which forces are shared."""
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
