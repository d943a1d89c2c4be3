"""Analyses of a file without a run: description, modes, Campbell, copies of examples."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from gearwright.assembly import assemble
from gearwright.drivetrain import DrivetrainError, describe, example_path, expand, load
from gearwright.drivetrain.train import Train
from gearwright.system import System


def describe_file(file: str, overrides: Sequence[str], fidelity: str | None) -> tuple[dict[str, Any], list[str]]:
    """Description of a file as data and as lines for a terminal; degrees of freedom included."""
    from gearwright.assembly import AssemblyError
    from gearwright.drivetrain.describe import describe_lines

    drivetrain = load(file, overrides)
    train = expand(drivetrain, fidelity)
    data = describe(train)
    lines = describe_lines(data)
    try:
        system = assemble(train, fidelity)
    except AssemblyError as error:
        data["model"] = {"problem": str(error)}
        lines.append(f"not assembled: {error}")
        return data, lines
    warnings = damping_warnings(system, train)
    data["model"] = {
        "fidelity": system.provenance.fidelity, "law": system.provenance.law,
        "degrees_of_freedom": system.shape.coordinates, "rows": system.shape.rows,
        "coordinates": list(system.coordinates), "notes": [*system.provenance.notes, *warnings],
    }  # fmt: skip
    shape = system.shape
    lines.append(
        f"model: {system.provenance.fidelity}, law {system.provenance.law}, {shape.coordinates} degrees of freedom, "
        f"{shape.rows} rows, {shape.laws} laws"
    )
    lines += [f"note: {n}" for n in data["model"]["notes"]]
    return data, lines


def damping_warnings(system: System, train: Train) -> list[str]:
    """Modes below the second mesh harmonic with more than 20 % damping: what stiffness-proportional data do."""
    from gearwright.solve import modes

    meshes = [abs(m) for m in describe(train).get("mesh_frequencies_hz", {}).values() if m]
    if not meshes:
        return []
    limit = 2.0 * max(meshes)
    found = modes(system)
    heavy = [
        (f, z) for f, z in zip(found.frequencies_hz, found.damping_ratios, strict=True) if 0 < f < limit and z > 0.2
    ]
    if not heavy:
        return []
    f, z = max(heavy, key=lambda item: item[1])
    first = next((x for x in found.damping_ratios if np.isfinite(x)), 0.05)
    return [
        f"{len(heavy)} modes below the second mesh harmonic ({limit:.3g} Hz) have more than 20 % damping (up to "
        f"{z:.2g} at {f:.4g} Hz), as stiffness-proportional damping does; 'model.damping: {{modal: {first:.3g}}}' keeps "
        f"the value of the first mode"
    ]


def modes_data(system: System, train: Train, speed: float | None = None) -> dict[str, Any]:
    """Modes of a system as plain data: frequencies, damping, kinds, energies by element."""
    from gearwright.results.modal import classify, energies
    from gearwright.solve import modes

    found = modes(system)
    damping = [None if not np.isfinite(z) else float(z) for z in found.damping_ratios]
    kinds = classify(found, system, train)
    return {
        "frequencies_hz": [float(f) for f in found.frequencies_hz], "damping_ratios": damping,
        "kinds": list(kinds), "energies": energies(found, system),
        "poles": [[float(p.real), float(p.imag)] for p in found.poles],
    }  # fmt: skip


def campbell_data(system: System, train: Train) -> dict[str, Any]:
    """Campbell diagram as plain data; empty without an operating speed."""
    from gearwright.results.campbell import campbell

    if not train.speed:
        return {}
    return campbell(system, train).as_dict()


def modes_of_file(file: str, overrides: Sequence[str], fidelity: str | None, law: str | None, case: str | None,
                  speed: str | None, mac: str | None) -> dict[str, Any]:  # fmt: skip
    """Modes of a drivetrain file (as a case has it, if named)."""
    drivetrain = load(file, overrides)
    if case is not None:
        drivetrain = drivetrain.for_case(case)
    train = expand(drivetrain, fidelity)
    system = assemble(train, fidelity, law)
    data = {
        "name": drivetrain.name, "fidelity": system.provenance.fidelity, "law": system.provenance.law,
        **modes_data(system, train), "warnings": [*system.provenance.notes, *damping_warnings(system, train)],
        "crossings": campbell_data(system, train).get("crossings", []),
    }  # fmt: skip
    return data


def write_campbell(data: dict[str, Any], path: Path) -> None:
    """Write the Campbell diagram of ``data`` as a page."""
    raise DrivetrainError(f"{path}: no operating speed in the file, so no Campbell diagram")


def copy_example(name: str, to: Path) -> list[Path]:
    """Copy an example and the series it reads; refuses to overwrite."""
    source = example_path(name)
    target = to / source.name if to.is_dir() or not to.suffix else to
    drivetrain = load(name)
    files = {source: target}
    for case in drivetrain.cases:
        values = [*case.speeds.values(), *(load.torque for load in case.loads if load.torque is not None)]
        for value in values:
            if value.form == "file":
                files[drivetrain.resolve(value.value.path)] = target.parent / value.value.path
    for destination in files.values():
        if destination.exists():
            raise DrivetrainError(f"{destination} exists already; copy to another folder")
    for origin, destination in files.items():
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(origin, destination)
    return list(files.values())


@dataclass(frozen=True)
class ModalAnalysis:
    """Modes of a drivetrain with their kinds and energies.

    ``modes`` holds shapes and poles, ``system`` names the coordinates of the shapes.
    """

    frequencies_hz: np.ndarray
    damping_ratios: np.ndarray
    kinds: tuple[str, ...]
    energies: tuple[dict[str, float], ...]
    modes: Any
    system: System

    def __repr__(self) -> str:
        listed = ", ".join(f"{f:.4g}" for f in self.frequencies_hz[:8])
        return f"ModalAnalysis({len(self.frequencies_hz)} modes: {listed}{', ...' if len(self.frequencies_hz) > 8 else ''} Hz)"


def modes(drivetrain: Any, *, fidelity: str | None = None, law: str | None = None,
          held: Sequence[str] = ()) -> ModalAnalysis:  # fmt: skip
    """Natural frequencies, damping, kinds and energies.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    fidelity, law : override the file's
    held : bodies whose rotation is held
    """
    from gearwright.assembly import Drive, Inputs
    from gearwright.drivetrain import Drivetrain
    from gearwright.results.modal import classify, energies
    from gearwright.solve import modes as solve_modes
    from gearwright.system import constant

    made = drivetrain if isinstance(drivetrain, Drivetrain) else load(drivetrain)
    train = expand(made, fidelity)
    drives = tuple(Drive(train.alias.get(body, body), constant(0.0)) for body in held)
    system = assemble(train, fidelity, law, Inputs(drives=drives))
    found = solve_modes(system)
    kinds, energy = classify(found, system, train), energies(found, system)
    return ModalAnalysis(found.frequencies_hz, found.damping_ratios, tuple(kinds), tuple(energy), found, system)


def static_loads(drivetrain: Any, torques: dict[str, float], *, fidelity: str | None = None,
                 law: str | None = None) -> dict[str, float]:  # fmt: skip
    """Loads of the static equilibrium under torques by body [N m], by channel name (``element.quantity``).

    What is out of balance is taken by the output (the machine): its torque is the balancing one. Raises
    DrivetrainError if the train has no output.
    """
    from gearwright.assembly import Drive, Inputs, Load
    from gearwright.drivetrain import Drivetrain
    from gearwright.solve import equilibrium
    from gearwright.system import constant

    from .inputs import body_named

    made = drivetrain if isinstance(drivetrain, Drivetrain) else load(drivetrain)
    train = expand(made, fidelity)
    if train.output is None:
        raise DrivetrainError(f"{train.name}: static loads need operating.output, the body that takes the torque")
    loads = tuple(Load(body_named(train, b, "static loads"), constant(t)) for b, t in torques.items())
    # the output held at rest takes the balance
    system = assemble(train, fidelity, law, Inputs(loads, (Drive(train.output, constant(0.0)),)))
    return channel_values(system, equilibrium(system))


def channel_values(system: System, found: Any) -> dict[str, float]:
    """Values of all channels of a system in an equilibrium."""
    sizes = system.shape
    stacked = np.concatenate(
        [found.forces, found.q, system.v0, np.zeros(sizes.coordinates), system.z0,
         [float(s(0.0)) for s in system.signals], np.zeros(sizes.rigid), [1.0]]
    )  # fmt: skip
    lines = system.lines()
    matrix = csr_matrix((lines.coef, lines.idx.astype(np.int64), lines.ptr.astype(np.int64)), shape=(len(lines.ptr) - 1, len(stacked)))
    values = matrix @ stacked
    return {c.name: float(v) for c, v in zip(system.channels, values, strict=True)}
