"""Analyses of a file without a run: description, modes, Campbell, copies of examples."""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gearwright.assembly import assemble
from gearwright.errors import DrivetrainError
from gearwright.records import dataclass
from gearwright.remarks import assumed, remark_lines, remarks_in, sorted_remarks, train_remarks
from gearwright.results.damping import damping_warnings
from gearwright.schema.case_lookup import case_warnings, with_case
from gearwright.schema.file import Drivetrain
from gearwright.schema.read import example_path
from gearwright.system import System
from gearwright.system.sparse import Sparse
from gearwright.train.describe import describe as describe_train
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.train import Train
from gearwright.units import in_si

if TYPE_CHECKING:
    from gearwright.analyses.mechanism import MechanismModes
    from gearwright.analyses.modal import ModalTable


def describe_file(file: str, overrides: Sequence[str], fidelity: str | None) -> tuple[dict[str, Any], list[str]]:
    """Description of a file as data and as lines for a terminal; degrees of freedom included."""
    return _described(load(file, overrides), fidelity)


def describe(drivetrain: Any, fidelity: str | None = None, *, overrides: Sequence[str] = ()) -> dict[str, Any]:
    """What a drivetrain holds and what was derived, as plain data: what ``gearwright describe --json`` prints.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path, the name of an example, or a Train (:func:`gearwright.expand`), which gives what is spelled
        out alone, without the assembled ``model``
    fidelity : overrides the file's
    overrides : ``path=value`` edits of a file

    Returns
    -------
    Keys of :func:`gearwright.train.describe`, ``model`` (fidelity, law, degrees of freedom, coordinates; a ``problem`` where it
    cannot be assembled), and the lists ``assumed``, ``notes``, ``warnings``. SI, unless a key says otherwise.
    """
    if isinstance(drivetrain, Train):
        if fidelity is not None or overrides:
            raise DrivetrainError("fidelity and overrides go with a drivetrain; a Train is expanded already")
        return describe_train(drivetrain)
    return _described(load(drivetrain, overrides), fidelity)[0]


def _described(drivetrain: Drivetrain, fidelity: str | None) -> tuple[dict[str, Any], list[str]]:
    """Description as data and as lines for a terminal."""
    from gearwright.assembly import AssemblyError
    from gearwright.running.rolling import with_rolling
    from gearwright.stiffness.resolve import resolved

    from .describe_lines import describe_lines

    train = expand(drivetrain, fidelity)
    with suppress(ValueError):  # what the teeth or bearings lack is said by the assembly below
        train = resolved(train)
        train = with_rolling(train, fidelity)
    data = describe_train(train)
    lines = describe_lines(data, drivetrain)
    said = [*remarks_in(data), *case_warnings(drivetrain)]
    if (fidelity or drivetrain.model.fidelity) == "multibody":
        from gearwright.analyses.mechanism import describe_mechanism

        data["model"], more = describe_mechanism(drivetrain)
        said += remarks_in(data["model"])
        return {**data, **sorted_remarks(said)}, lines + more + remark_lines(said)
    try:
        system = assemble(train, fidelity)
    except AssemblyError as error:
        data["model"] = {"problem": str(error)}
        return data, [*lines, f"not assembled: {error}", *remark_lines(said)]
    said += [*system.provenance.notes, *damping_warnings(system, train)]
    data["model"] = {
        "fidelity": system.provenance.fidelity, "law": system.provenance.law,
        "degrees_of_freedom": system.degrees_of_freedom, "rows": system.shape.rows,
        "coordinates": list(system.coordinates),
    }  # fmt: skip
    shape = system.shape
    lines.append(
        f"model: {system.provenance.fidelity}, law {system.provenance.law}, {system.degrees_of_freedom} degrees of freedom, "
        f"{shape.rows} rows, {shape.laws} laws"
    )
    return {**data, **sorted_remarks(said)}, lines + remark_lines(said)


def modes_data(table: ModalTable) -> dict[str, Any]:
    """Modes as plain data: frequencies, damping, kinds, energies by element, poles."""
    return {
        "frequencies_hz": [float(f) for f in table.modes.frequencies_hz],
        "damping_ratios": [None if not np.isfinite(z) else float(z) for z in table.modes.damping_ratios],
        "kinds": list(table.kinds), "energies": element_energies(table), "poles": table.pole_map(),
    }  # fmt: skip


def element_energies(table: ModalTable, floor: float = 0.01) -> list[dict[str, float]]:
    """Strain energy share by element, per mode, shares above ``floor``."""
    return [
        {name: float(x) for name, x in zip(table.elements, row, strict=True) if x > floor}
        for row in table.element_energy
    ]


def blades_of(drivetrain: Any, train: Train) -> tuple[int | None, list[str]]:
    """Blades of the rotor at the input (None: it is no rotor), and what was assumed of them: three without data of the turbine."""
    if drivetrain.turbine is not None:
        from gearwright.running.setup import turbine_of

        return turbine_of(drivetrain).blades, []
    if train.input is None or train.bodies[train.input].role != "rotor":
        return None, []
    return 3, [assumed(f"'{train.input}' has three blades, which pass at 3P; the file names no turbine")]


def campbell_data(
    system: System, train: Train, table: ModalTable | None = None, blades: int | None = None
) -> dict[str, Any]:
    """Campbell diagram up to 1.2 times the operating speed as plain data; empty without an operating speed. ``table``: the
    modes at rest, where they are known; ``blades`` of a rotor at the input."""
    from gearwright.analyses.campbell import campbell

    if not train.speed or not train.ratios or train.input is None:
        return {}
    top = abs(train.speed)
    found = campbell(system, train, np.linspace(0.05 * top, 1.2 * top, 24), at_rest=table, blades=blades)
    rpm = 30.0 / np.pi
    crossings = [
        {"mode": c["mode"] + 1, "line": c["line"], "order": c["order"], "speed_rpm": c["speed_rpm"],
         "frequency_hz": c["frequency_hz"], "share": c["energy_share"], "margin": c["margin"], "kind": c["kind"]}
        for c in found.table()
    ]  # fmt: skip
    return {
        "speeds_rpm": [float(x) * rpm for x in found.speeds],
        "frequencies_hz": np.asarray(found.frequencies_hz).T.tolist(),
        "lines": [{"name": line.name, "order": line.order, "elements": line.elements} for line in found.lines],
        "crossings": crossings, "operating_rpm": top * rpm,
    }  # fmt: skip


def modes_of_file(file: str, overrides: Sequence[str], fidelity: str | None, law: str | None, case: str | None,
                  speed: str | None, other: str | None) -> dict[str, Any]:  # fmt: skip
    """Modes of a drivetrain file (as a case has it, if named), at a speed if one is given.

    ``other`` is a second file whose shapes are compared (MAC) on the coordinates both have.
    """
    drivetrain = load(file, overrides, case)
    if case is not None:
        drivetrain = with_case(drivetrain, case)
    found = modes_of(drivetrain, fidelity, law, speed=speed)
    blades, said = blades_of(drivetrain, found.train)
    campbell = campbell_data(found.system, found.train, blades=blades)
    data = {
        "name": drivetrain.name, "fidelity": found.system.provenance.fidelity, "law": found.system.provenance.law,
        **modes_data(found.table),
        **sorted_remarks([*found.remarks, *(said if campbell else ())]),
        "campbell": campbell,
    }  # fmt: skip
    if other is not None:
        data["mac"] = _mac(found, modes_of(load(other), fidelity, law))
    return data


def _mac(first: ModalAnalysis, second: ModalAnalysis) -> list[list[float]]:
    from gearwright.solve.steady.modes import mac

    return [[float(x) for x in row] for row in mac(first.modes, second.modes)]


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

    ``table`` has kinds, multiplicities, energies by body and element; ``modes`` the shapes and poles; ``system``
    names the coordinates of the shapes; ``train`` the bodies.
    """

    table: ModalTable
    system: System
    train: Train

    @property
    def remarks(self) -> list[str]:
        """What the model has to tell: assumptions, notes and warnings."""
        said = [*train_remarks(self.train.notes), *self.system.provenance.notes]
        return said + damping_warnings(self.system, self.train, self.modes)

    @property
    def assumed(self) -> list[str]:
        """Values with a physical meaning that nobody gave and the model took, a sentence each."""
        return sorted_remarks(self.remarks)["assumed"]

    @property
    def notes(self) -> list[str]:
        """What else is worth a sentence."""
        return sorted_remarks(self.remarks)["notes"]

    @property
    def warnings(self) -> list[str]:
        """What is likely wrong, a sentence each."""
        return sorted_remarks(self.remarks)["warnings"]

    @property
    def modes(self) -> Any:
        """The modes themselves."""
        return self.table.modes

    @property
    def frequencies_hz(self) -> np.ndarray:
        """Undamped natural frequencies [Hz], ascending, with multiplicity."""
        return np.asarray(self.modes.frequencies_hz)

    @property
    def damping_ratios(self) -> np.ndarray:
        """Damping ratios, NaN for rigid modes."""
        return np.asarray(self.modes.damping_ratios)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kind of every mode."""
        return self.table.kinds

    def _repr_html_(self) -> str:
        """Frequencies, damping, kinds and where the strain energy is, as a table."""
        from html import escape

        rows, energies = "", element_energies(self.table)
        for i, (f, z) in enumerate(zip(self.frequencies_hz, self.damping_ratios, strict=True)):
            share = sorted(energies[i].items(), key=lambda item: -item[1])[:2]
            where = ", ".join(f"{name} {100 * value:.0f} %" for name, value in share)
            damping = f"{100 * z:.3g}" if np.isfinite(z) else ""
            rows += (
                f"<tr><td>{i + 1}</td><td>{f:.6g}</td><td>{damping}</td><td>{escape(self.kinds[i])}</td>"
                f"<td style='text-align:left'>{escape(where)}</td></tr>"
            )
        head = "<th>mode</th><th>frequency [Hz]</th><th>damping [%]</th><th>kind</th><th>strain energy in</th>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def __repr__(self) -> str:
        listed = ", ".join(f"{f:.4g}" for f in self.frequencies_hz[:8])
        more = ", ..." if len(self.frequencies_hz) > 8 else ""
        return f"ModalAnalysis({len(self.frequencies_hz)} modes: {listed}{more} Hz)"


def modes(drivetrain: Any, *, fidelity: str | None = None, law: str | None = None, held: Sequence[str] = (),
          speed: str | float | None = None, case: str | None = None) -> ModalAnalysis | MechanismModes:  # fmt: skip
    """Natural frequencies, damping, kinds and energies; of a mechanism (fidelity ``multibody``) about its equilibrium.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    fidelity, law : override the file's
    held : bodies whose rotation is held
    speed : speed of the input (rad/s, or a string with a unit); with it the inertia forces of turning frames
        (Coriolis, centripetal) are in, without it the modes are those at standstill
    case : the model as this case has it

    A mechanism takes neither ``held`` nor ``speed``. Raises DrivetrainError, AssemblyError or MultibodyError.
    """
    made = drivetrain if isinstance(drivetrain, Drivetrain) else load(drivetrain)
    if (fidelity or made.model.fidelity) == "multibody":
        from gearwright.analyses.mechanism import modes_of_mechanism

        if held or speed is not None:
            raise DrivetrainError(
                "held and speed mean nothing to fidelity multibody: a mechanism has its modes at its equilibrium"
            )
        return modes_of_mechanism(made, (), case, law)
    return modes_of(made if case is None else with_case(made, case), fidelity, law, held, speed)


def modes_of(made: Drivetrain, fidelity: str | None, law: str | None, held: Sequence[str] = (),
           speed: str | float | None = None) -> ModalAnalysis:  # fmt: skip
    """Modes of a train."""
    from gearwright.analyses.modal import classify
    from gearwright.assembly import Drive, Inputs
    from gearwright.running.rolling import with_rolling
    from gearwright.solve.steady.modes import modes as solve_modes
    from gearwright.system import constant

    if speed is not None:
        in_si(speed, "rotational speed", "speed")
        made = load(made, [f"operating.speed={speed}", "model.gyroscopic=true"])
    train = with_rolling(expand(made, fidelity), fidelity, linear=True)
    drives = tuple(Drive(train.alias.get(body, body), constant(0.0)) for body in held)
    system = assemble(train, fidelity, law, Inputs(drives=drives))
    turning = None
    if speed is not None and system.shape.rigid:
        # speed of the reference coordinate of the rigid motion, whose other speeds follow
        reference = int(np.flatnonzero(system.u[0])[0])
        turning = float(system.v0[reference] / system.u[0, reference])
    found = solve_modes(system, turning)
    return ModalAnalysis(classify(found, system, train), system, train)


def static_loads(drivetrain: Any, torques: Mapping[str, float | str], *, fidelity: str | None = None,
                 law: str | None = None, forces: Mapping[str, Sequence[float | str]] | None = None,
                 moments: Mapping[str, Sequence[float | str]] | None = None) -> dict[str, float]:  # fmt: skip
    """Loads of the static equilibrium under torques by body [N m], by channel name (``element.quantity``).

    What bearings carry to the housing is given in standing axes, also of members that turn with a carrier, which stands as far
    What bearings carry to the housing is given in standing axes, also of members that turn with a carrier, which stands as far
    round as the torques twist it: these forces add up to what acts on the train. ``forces`` (x, y, z) [N] and ``moments`` (about y,
    about z) [N m] by body are the non-torque loads of fidelity spatial, in the standing frame. Numbers are SI; text has a unit
    (``"4 MN m"``). What is out of balance is taken by the output (the machine): its torque is the balancing one. Raises
    DrivetrainError if the train has no output.
    """
    from gearwright.assembly import Drive, Inputs, Load, Push
    from gearwright.running.inputs import body_named
    from gearwright.running.rolling import with_rolling
    from gearwright.solve.steady.static import equilibrium
    from gearwright.system import constant

    made = drivetrain if isinstance(drivetrain, Drivetrain) else load(drivetrain)
    train = with_rolling(expand(made, fidelity), fidelity)
    if train.output is None:
        raise DrivetrainError(f"{train.name}: static loads need operating.output, the body that takes the torque")
    loads = tuple(
        Load(body_named(train, b, "static loads"), constant(in_si(t, "torque", f"torques['{b}']")))
        for b, t in torques.items()
    )
    # the output held at rest takes the balance
    pushes = tuple(
        Push(body_named(train, body, "static loads"), motion, constant(value))
        for what, given, motions in (
            ("force", forces or {}, ("x", "y", "z")),
            ("torque", moments or {}, ("tilt_y", "tilt_z")),
        )
        for body, values in given.items()
        for motion, value in zip(motions, (in_si(v, what, f"{body}: {what}") for v in values), strict=True)
        if value
    )
    system = assemble(train, fidelity, law, Inputs(loads, (Drive(train.output, constant(0.0)),), pushes=pushes))
    found = equilibrium(system)
    return _standing(system, train, found, channel_values(system, found))


def _standing(system: System, train: Train, found: Any, values: dict[str, float]) -> dict[str, float]:
    """Loads on the housing whose axes turn with a body, brought into standing axes from where it stands; what a carrier holds
    keeps the axes of the carrier."""
    held = tuple(f"{b.name}_" for b in train.bodies.values() if b.on is not None)
    by = {c.name: c for c in system.channels if c.kind == "bearing" and not c.element.startswith(held)}
    place = found.q + found.phi @ system.u if len(found.phi) else found.q
    for name, channel in by.items():
        other = f"{name[:-1]}z"
        coordinate = f"{channel.turns_with}.rotation"
        if channel.turns_with and name.endswith("_y") and other in by and coordinate in system.coordinates:
            angle = float(place[system.coordinates.index(coordinate)])
            turned = complex(values[name], values[other]) * complex(math.cos(angle), math.sin(angle))
            values[name], values[other] = turned.real, turned.imag
    return values


def channel_values(system: System, found: Any) -> dict[str, float]:
    """Values of all channels of a system in an equilibrium."""
    sizes = system.shape
    stacked = np.concatenate(
        [found.forces, found.q, system.v0, np.zeros(sizes.coordinates), system.z0,
         [float(s(0.0)) for s in system.signals], np.zeros(sizes.rigid), [1.0]]
    )  # fmt: skip
    lines = system.lines()
    values = Sparse(lines.coef, lines.idx, lines.ptr, (len(lines.ptr) - 1, len(stacked))) @ stacked
    return {c.name: float(v) for c, v in zip(system.channels, values, strict=True)}
