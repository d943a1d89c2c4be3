"""An FMU as the machine or as the load of a drivetrain: both step by step, torque at the end of the unit's step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.controllers.fmu_import import Fmu
from gearwright.errors import CouplingError, listed
from gearwright.progress import each
from gearwright.remarks import assumed, sorted_remarks, warning
from gearwright.results import Recorder
from gearwright.results.channels import derived_channels, recorded_channels
from gearwright.schema.places import JSON
from gearwright.system import Block, Channel, Source
from gearwright.train.expand import expand
from gearwright.units import table_unit

from .plant import Stepper, make_plant

#: what the unit can be
ROLES = {"machine": "generator_torque", "load": "rotor_torque"}


@dataclass(frozen=True)
class FmuRun:
    """A run with an FMU: the result file, steps, the mean torque of the unit [N m], the engine, and what is to be said of it."""

    result_file: str
    steps: int
    mean_torque: float
    method: str
    remarks: Sequence[str]

    def to_dict(self) -> dict[str, JSON]:
        """For ``--json``."""
        return {**{k: v for k, v in vars(self).items() if k != "remarks"}, **sorted_remarks(self.remarks)}


def run_with_fmu(
    drivetrain: Any, file: str | Path, role: str, *, torque: str, inputs: Mapping[str, str],
    parameters: Mapping[str, float] | None = None, fidelity: str | None = None, law: str | None = None,
    step: float = 1e-3, duration: float = 10.0, output: str | Path | None = None, overrides: Any = (),
    record: tuple[str, ...] = ("shafts", "machines", "meshes", "bearings"),
) -> FmuRun:  # fmt: skip
    """Run a drivetrain with an FMU at one end; the other end holds the torque of the operating point.

    Parameters
    ----------
    role : ``machine``: the unit's torque brakes the output body when positive; ``load``: it drives the input body
    torque : output of the unit [N m]
    inputs : channel of the drivetrain, ``element.quantity``, to input of the unit
    parameters : values of the unit before the start
    step : exchange step [s]; the unit goes first, with the channels of the step before, and what it asks for holds

    Raises CouplingError for names that either side lacks, a ``torque`` that
    is no output or has the unit of something else, and a channel whose unit is not that of the input it goes to. Inputs of the
    unit that nothing feeds are warned of.
    """
    if role not in ROLES:
        raise CouplingError(f"an FMU can be {' or '.join(ROLES)} here, not '{role}'")
    if not (step > 0.0 and duration >= step):
        raise CouplingError(f"step {step:g} s and duration {duration:g} s do not fit")
    plant = make_plant(drivetrain, fidelity, law, overrides=overrides)
    sources = [plant.channel(name) for name in inputs]
    stored = recorded_channels(plant.system, record)
    known = {id(c): i for i, c in enumerate(plant.system.channels)}
    numbers = [known[id(c)] for c in stored]
    stepper = Stepper(plant, step, channels=[*sources, *numbers])
    place = [p.name for p in plant.ports].index(ROLES[role])
    values = [p.start for p in plant.ports]
    path = Path(output) if output is not None else Path(f"{plant.drivetrain.name}-fmu.nc")
    steps = round(duration / step)
    asked = np.zeros(steps)
    with Fmu(file) as unit:
        said = [
            *plant.remarks,
            *_wiring(unit, torque, inputs, parameters or {}, [plant.system.channels[n] for n in sources]),
        ]
        seen = _start(plant, sources)
        unit.start({**(parameters or {}), **dict(zip(inputs.values(), seen, strict=True))})
        recorder = Recorder(path, stored, derived_channels(stored, _train(plant)), step, step, attributes={
            "drivetrain": plant.drivetrain.name, "case": f"fmu as {role}", "fidelity": plant.system.provenance.fidelity,
            "law": plant.system.provenance.law, "method": stepper.engine.name, "method_reason": "co-simulation",
            "notes": said,
        })  # fmt: skip
        rows: list[np.ndarray] = []
        try:
            for k in each("step", range(steps)):
                unit.step(step, dict(zip(inputs.values(), seen, strict=True)))
                values[place] = asked[k] = float(unit.get([torque])[0])
                if not np.isfinite(values[place]):
                    raise CouplingError(f"the FMU gives the torque {values[place]} at {k * step:.6g} s")
                line = stepper.step(values)
                seen = line[: len(sources)]
                rows.append(line[len(sources) :])
                if len(rows) == 4096 or k == steps - 1:
                    first = k + 2 - len(rows)
                    recorder.append(Block(step * np.arange(first, k + 2.0), np.array(rows)))
                    rows = []
        except BaseException as error:
            recorder.abort(str(error))
            raise
        recorder.finish(None, {"duration_s": duration})
    return FmuRun(str(path), steps, float(asked.mean()), stepper.engine.name, said)


def _wiring(
    unit: Fmu, torque: str, inputs: Mapping[str, str], parameters: Mapping[str, float], channels: Sequence[Channel]
) -> list[str]:
    """Refuse what cannot be meant, and say what is open: units are compared where the unit's description gives them."""
    given = unit.unit_of(torque)
    if torque not in unit.outputs:
        raise CouplingError(f"'{torque}' is no output of '{unit.path.name}'; outputs are {listed(unit.outputs, 20)}")
    if given and not _same(given, "N m"):
        torques = [name for name in unit.outputs if _same(unit.unit_of(name), "N m")]
        have = f"outputs in N m: {listed(torques, 20)}" if torques else "it has no output in N m"
        raise CouplingError(f"'{torque}' of '{unit.path.name}' is in {given}, no torque; {have}")
    said: list[str] = []
    if not given:
        said.append(
            assumed(f"output '{torque}' of '{unit.path.name}' is a torque in N m; its description gives no unit")
        )
    for name, channel in zip(inputs.values(), channels, strict=True):
        if name not in unit.inputs:
            unit.unit_of(name)
            raise CouplingError(f"'{name}' is no input of '{unit.path.name}'; inputs are {', '.join(unit.inputs)}")
        wanted = unit.unit_of(name)
        if wanted and not _same(wanted, channel.unit):
            raise CouplingError(
                f"input '{name}' of '{unit.path.name}' is in {wanted}, channel '{channel.name}' in {channel.unit}"
            )
    for name in unit.inputs:
        if name not in inputs.values() and name not in parameters:
            start = unit.start_of(name)
            stays = "what the unit starts with" if start is None else f"{start} {unit.unit_of(name)}".rstrip()
            said.append(
                warning(
                    f"input '{name}' of '{unit.path.name}' is not wired and stays at {stays}; --input {name}=CHANNEL feeds it"
                )
            )
    return said


def _same(one: str, other: str) -> bool:
    """Whether two units are of one kind and size; true where this program does not know one of them."""
    try:
        (size, kind), (other_size, other_kind) = (table_unit(text.replace(".", " ") or "1") for text in (one, other))
    except ValueError:
        return True
    return kind == other_kind and math.isclose(size, other_size, rel_tol=1e-9)


def _train(plant: Any) -> Any:
    return expand(plant.drivetrain, plant.system.provenance.fidelity)


def _start(plant: Any, sources: list[int]) -> Any:
    """Channels at the operating point: those of speeds; anything else begins at zero and comes with the first step."""
    made = np.zeros(len(sources))
    for i, number in enumerate(sources):
        for source, index, factor in plant.system.channels[number].terms:
            if source is Source.SPEED:
                made[i] += factor * plant.state.v[index]
    return made
