"""One run: load, assemble, choose an engine, step, count, store."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from gearwright.assembly import assemble
from gearwright.errors import DrivetrainError, RunError
from gearwright.kernels.native import waited
from gearwright.progress import stage
from gearwright.records import dataclass
from gearwright.remarks import Remark, remarks_in, sorted_remarks, train_remarks, with_lists
from gearwright.schema.case_lookup import find_case, with_case
from gearwright.system import Channel, Diverged, State, System
from gearwright.train.train import Train
from gearwright.units import optional

from .chunks import diverged, sound_chunk
from .inputs import CaseInputs, case_inputs, trim_load
from .intervals import interval_remarks, intervals, kept_of
from .overtime import Recordings
from .rigid_facts import counted, shares

#: kinds of channels by the words of ``record``
KINDS = {"meshes": "mesh", "bearings": "bearing", "shafts": "shaft", "machines": "machine", "bodies": "body"}
#: torques that rub, and the rate that makes heat of them
_LOST = {
    ("mesh", "friction_force"): "friction_rate", ("mesh", "friction_torque"): "friction_speed", ("shaft", "torque"): "slip_speed", ("bearing", "friction_torque"): "slip_speed",
}  # fmt: skip
#: samples of one chunk: long enough that what an engine does per chunk costs nothing, short enough for progress and
#: Ctrl-C; and as many values as three chunks at work may hold in memory
SHORTEST_CHUNK = 8192
VALUES = 2**20
#: up to how many times the highest frequency wanted motions are kept
MODES = 2.5
#: how far the speed at which machines and loads balance may lie from the operating speed
SETTLES = 0.1
#: largest unbalanced part of the torques at the start of a run with tooth contact
CONTACT_BALANCE = 1e-3

Progress = Callable[[float, float], None]


@dataclass(frozen=True)
class Prepared:
    """A case made ready: drivetrain, train, system, inputs, case."""

    drivetrain: Any
    train: Train
    case: Any
    system: System
    inputs: CaseInputs
    duration: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """What a run left behind."""

    result_file: Path
    method: str
    reason: str
    duration_s: float
    wall_s: float
    energy_error: float
    channels: dict[str, dict[str, Any]]
    attributes: dict[str, Any]

    @property
    def wedged(self) -> dict[str, float]:
        """Meshes in which both flanks of a tooth carried at once (law tooth_contact), with the largest force [N] that
        both had: above a thousandth of the mesh's largest force, which damping alone may leave."""
        found = {}
        for name, values in self.channels.items():
            mesh, _, quantity = name.rpartition(".")
            force = self.channels.get(f"{mesh}.normal_force")
            if quantity != "wedging_force" or force is None:
                continue
            if values["max"] > 1e-3 * max(abs(force["min"]), abs(force["max"])):
                found[mesh] = values["max"]
        return found

    @property
    def assumed(self) -> list[str]:
        """Values with a physical meaning that nobody gave and the run took, a sentence each."""
        return sorted_remarks(remarks_in(self.attributes))["assumed"]

    @property
    def notes(self) -> list[str]:
        """What else is worth a sentence."""
        return sorted_remarks(remarks_in(self.attributes))["notes"]

    @property
    def warnings(self) -> list[str]:
        """What is likely wrong, a sentence each."""
        return sorted_remarks(remarks_in(self.attributes))["warnings"]

    @property
    def compile_s(self) -> float:
        """Time that machine code took which was not on disk [s]; ``wall_s`` leaves it out."""
        return float(self.attributes.get("compile_s", 0.0))

    @property
    def real_time_factor(self) -> float:
        """Simulated time over wall time, compilation left out."""
        return self.duration_s / self.wall_s if self.wall_s > 0 else math.inf


def prepare(drivetrain: Any, case: str | None = None, *, fidelity: str | None = None, law: str | None = None,
            duration: float | None = None) -> Prepared:  # fmt: skip
    """Read a case of a drivetrain and assemble its system.

    Raises DrivetrainError or AssemblyError for anything a user can mend.
    """
    from gearwright.schema.case_lookup import case_warnings
    from gearwright.stiffness.resolve import resolved
    from gearwright.train.expand import expand

    from .rolling import with_rolling

    chosen = find_case(drivetrain, case)
    applied = with_case(drivetrain, case)
    for key in ("step", "stabilisation"):
        if getattr(applied.model, key) is not None:
            raise DrivetrainError(
                f"model.{key} is for fidelity multibody; at {fidelity or applied.model.fidelity or 'torsional'} the engine "
                f"chooses its steps to model.tolerance: take model.{key} out"
            )
    train = with_rolling(resolved(expand(applied, fidelity)), fidelity)
    length = duration if duration is not None else chosen.duration
    if length is None:
        raise DrivetrainError(f"case '{chosen.name}' has no duration; give one in the file or with --duration")
    if not length > 0.0:
        raise DrivetrainError(f"a run needs a positive duration, got {length:g} s")
    notes: tuple[str, ...]
    chosen, notes = kept_of(chosen, length, duration is not None)
    notes += tuple(case_warnings(drivetrain, chosen.name))
    recordings = Recordings(applied.resolve)
    inputs = case_inputs(train, chosen, recordings, length)
    notes += inputs.notes
    system = assemble(train, fidelity, law, inputs.inputs)
    trim = trim_load(train, chosen, _reduced_inertia(system, train, chosen)) if chosen.trim else None
    if trim is not None:
        inputs = replace(inputs, inputs=replace(inputs.inputs, loads=(*inputs.inputs.loads, trim)))
        system = assemble(train, fidelity, law, inputs.inputs)
    system = _fewer(system, applied.model.highest_frequency)
    if chosen.start != "rest" or inputs.inputs.at_rest:
        notes += _projection(system)
    return Prepared(applied, train, chosen, system, inputs, length, notes)


def _fewer(system: System, highest: float | None) -> System:
    """The system without coordinates that no load wanted depends on."""
    if system.provenance.fidelity != "spatial" and highest is None:
        return system
    from gearwright.solve.steady.condense import condensed
    from gearwright.solve.steady.reduce import reduce_system

    whole = condensed(system) if system.provenance.fidelity == "spatial" else system
    if highest is None:
        return whole
    try:
        fewer = reduce_system(whole, MODES * highest)
        return fewer if fewer is not whole else condensed(whole, MODES * highest)
    except ValueError as error:
        raise DrivetrainError(f"model.highest_frequency: {error}") from None


def _reduced_inertia(system: System, train: Train, case: Any) -> float:
    from .inputs import body_named

    body = body_named(train, case.trim.on, f"case '{case.name}'.trim")
    column = system.coordinates.index(f"{body}.rotation")
    u = system.u
    if not len(u) or u[0, column] == 0.0:
        raise DrivetrainError(f"case '{case.name}': a trim needs a train that can turn as a whole")
    scaled = u[0] / u[0, column]
    return float(scaled @ (system.mass @ scaled))


def _projection(system: System) -> tuple[str, ...]:
    """A note of how far the initial speeds are from what rigid rows allow; the run begins by projecting them."""
    rows = system.arrays.hard.astype(int)
    if not len(rows):
        return ()
    rate = np.asarray(system.D[rows] @ system.v0)
    size = np.asarray(abs(system.D[rows]) @ np.abs(system.v0))
    off = np.abs(rate) / np.where(size > 0.0, size, 1.0)
    if off.max() <= 1e-9:
        return ()
    constraint = system.D[rows].toarray()
    mass = system.mass.toarray()
    moved = np.linalg.solve(mass, constraint.T)
    step = moved @ (np.linalg.pinv(constraint @ moved, rcond=1e-10) @ rate)
    worst = int(np.abs(step).argmax())
    lost = float(step @ mass @ (system.v0 - 0.5 * step))
    return (
        f"initial speeds do not fit rigid row '{system.rows[int(rows[off.argmax()])]}' (off by {off.max():.3g} of its parts): they are "
        f"projected; {system.coordinates[worst]} changes most, by {-step[worst]:.4g} to {system.v0[worst] - step[worst]:.4g}, and "
        f"{lost:.4g} J are booked as impact",
    )


def recorded_channels(system: System, record: Sequence[str]) -> tuple[Channel, ...]:
    """Channels of a system that a case records."""
    kinds = {KINDS[word] for word in record if word in KINDS}
    return tuple(c for c in system.channels if c.kind in kinds)


def derived_channels(channels: Sequence[Channel], train: Train) -> list[Any]:
    """Magnitudes of bearing forces, power of machines, share of each planet."""
    from gearwright.results.derive import AT_REST, Derived

    have = {c.name: c for c in channels}
    made = []
    for c in channels:
        if c.kind == "bearing" and c.quantity == "force_y" and f"{c.element}.force_z" in have:
            inputs = (c.name, f"{c.element}.force_z")
            made.append(Derived("bearing", c.element, "force", "N", "norm", inputs, "magnitude", True))
        lost = _LOST.get((c.kind, c.quantity))
        if lost and f"{c.element}.{lost}" in have:
            inputs = (c.name, f"{c.element}.{lost}")
            made.append(Derived(c.kind, c.element, "loss_power", "W", "product", inputs, "heat, never negative", True))
        if c.kind == "machine" and c.quantity == "torque" and f"{c.element}.speed" in have:
            sign = "positive when the machine feeds the train"
            inputs = (c.name, f"{c.element}.speed")
            made.append(Derived("machine", c.element, "power", "W", "product", inputs, sign, True))
        if c.kind == "shaft" and c.quantity == "capacity" and f"{c.element}.slip_speed" in have:
            inputs = (c.name, f"{c.element}.slip_speed")
            made.append(
                Derived("shaft", c.element, "phase", "1", "phase", inputs, "0 free, 1 slips, 2 locked", False, AT_REST)
            )
        if c.kind == "shaft" and c.quantity == "torque":
            made += _kinematic_estimate(c, train)
    return made


def _kinematic_estimate(torque: Channel, train: Train) -> list[Any]:
    """What a model without elastic gears says of planet bearings: ``T / (N r_c)`` (S1 eq. 4.4), counted beside them."""
    from gearwright.results.derive import Derived

    shaft = train.shafts.get(torque.element)
    for end in shaft.between if shaft is not None else ():
        planets = [b for b in train.bodies.values() if b.on == end and b.role == "planet" and b.pin_radius]
        if planets and train.bodies[end].stage:
            factor = 1.0 / sum(b.count * b.pin_radius for b in planets if b.pin_radius)
            sign = "magnitude of T / (N r_c): the even share of the carrier's torque, without dynamics of the gears"
            return [Derived("bearing", f"{train.bodies[end].stage}.planet_bearing_kinematic", "force", "N", "norm",
                            (torque.name,), sign, True, factor)]  # fmt: skip
    return []


def initial_state(prepared: Prepared, state_method: str | None = None) -> State:
    """Start of a run: loaded equilibrium, operating speed without load, rest, or the periodic steady state."""
    from gearwright.solve.steady.static import Unbalanced, equilibrium

    system, how = prepared.system, state_method or prepared.case.start
    if how == "equilibrium" and not system.row_stiffness().any():
        how = "operating"  # nothing is elastic: at rest or turning, every position is one
    if how == "equilibrium":
        if any(law.label == "speed control" for law in system.laws):
            return _controlled(system)
        # rows that carry work along the way (tooth contact) leave what their damping takes and their mean is sampled for
        exact = all(law.holds is None for law in system.laws)
        tolerance = 1e-6 if exact else CONTACT_BALANCE
        try:
            return State.start(system, q=equilibrium(system, tolerance=tolerance).q)
        except Unbalanced as refused:
            return _at_balance(prepared, tolerance, refused)
    if how == "periodic":
        from gearwright.solve.steady.periodic import periodic_start

        return periodic_start(system).state(system)
    if how == "rest" and not prepared.inputs.inputs.at_rest:
        return State.start(system, v=np.zeros(system.shape.coordinates))
    return State.start(system)


def _at_balance(prepared: Prepared, tolerance: float, refused: ValueError) -> State:
    """The start at the speed at which machines and loads balance, where a machine's torque depends on speed.

    Raises ``refused``, what the operating speed lacks, where there is none near it.
    """
    from gearwright.solve.steady.static import NoEquilibrium, Unbalanced, equilibrium

    system = prepared.system
    try:
        found = equilibrium(system, tolerance=tolerance, settle_speed=True)
    except (NoEquilibrium, Unbalanced):
        raise refused from None
    begun = found.state(system)
    body, asked, balanced = _speeds_at_start(system, begun)
    if not abs(balanced - asked) <= SETTLES * abs(asked):
        raise DrivetrainError(
            f"{refused}. '{body}' balances at {balanced:.6g} rad/s ({balanced * 30.0 / math.pi:.6g} rpm), too far from the operating speed "
            f"of {asked:.6g} rad/s to be meant: set operating.speed to it, or mend machine or loads"
        )
    return begun


def _speeds_at_start(system: System, state: State) -> tuple[str, float, float]:
    """The body by which the first rigid motion counts, its speed at the operating point and in a state [rad/s]."""
    column = int(np.flatnonzero(system.u[0])[0]) if len(system.u) else 0
    return system.coordinates[column].removesuffix(".rotation"), float(system.v0[column]), float(state.v[column])


def _start_remarks(prepared: Prepared, state: State) -> tuple[Remark, ...]:
    """That a run begins at another speed than the file says, where machines and loads balance."""
    if prepared.case.start != "equilibrium" or not len(prepared.system.u):
        return ()
    body, asked, balanced = _speeds_at_start(prepared.system, state)
    if abs(balanced - asked) <= 1e-9 * abs(asked):
        return ()
    return (
        Remark(
            f"'{body}' starts at {balanced:.6g} rad/s ({balanced * 30.0 / math.pi:.6g} rpm), where machines and loads balance; the operating "
            f"point says {asked:.6g} rad/s"
        ),
    )


def _controlled(system: System) -> State:
    """Equilibrium in which speed controllers already brake or drive with what the other torques leave."""
    from gearwright.solve.steady.static import equilibrium

    held = [i for i, law in enumerate(system.laws) if law.label == "speed control"]
    first = equilibrium(system, allow_acceleration=True)
    rows = [system.law_rows(i).start for i in held]
    grip = system.u @ system.D[rows].toarray().T  # torque of a controller on each rigid motion
    left = system.u @ system.mass @ system.u.T @ first.acceleration
    torque = np.linalg.lstsq(grip, -left, rcond=None)[0] if len(left) else np.zeros(len(held))
    laws, z = list(system.laws), system.z0.copy()
    for i, value in zip(held, torque, strict=True):
        laws[i] = laws[i]._replace(states=(float(value), *laws[i].states[1:]))
        z[int(system.arrays.lz[i])] = value
    begun = replace(system, laws=tuple(laws), z0=z)
    return State.start(begun, q=equilibrium(begun, allow_acceleration=True).q)


def simulate(drivetrain: Any, case: str | None = None, *, fidelity: str | None = None, law: str | None = None,
             duration: float | str | None = None, method: str | None = None, tolerance: float | None = None,
             output: str | Path | None = None, progress: Progress | None = None,
             overrides: Sequence[str] = ()) -> Run:  # fmt: skip
    """Run one load case in the time domain and write its result file: of a train, a mechanism (fidelity ``multibody``) or a
    set-up with a turbine.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path, or the name of a shipped example
    case : name of a case of the file; default: the first
    fidelity, law, duration, method, tolerance : override the file's; ``duration`` is in seconds, or text with a unit
        (``"10 min"``); ``method`` is ``exact``, ``explicit`` or
        ``exponential``; ``tolerance`` is relative, on loads
    output : result file; default ``<drivetrain>-<case>.nc`` in the working folder
    progress : called with (time, duration) after every chunk
    overrides : ``path=value`` edits of the file

    Raises DrivetrainError, AssemblyError (input to be mended), RunError (diverged; what was computed is kept).
    KeyboardInterrupt passes through after what was computed has been stored.
    """
    from gearwright.kernels.ahead import ahead
    from gearwright.results import Recorder, ResultError, energy_book
    from gearwright.results.damping import damping_warnings
    from gearwright.schema.file import Drivetrain
    from gearwright.solve.choose import choose
    from gearwright.train.open import load

    from .facts import compare_with_record, model_attributes

    before = waited()
    if not isinstance(drivetrain, Drivetrain):
        drivetrain = load(drivetrain, overrides, case)
    elif overrides:
        raise DrivetrainError("overrides go with a path or an example's name; edit the Drivetrain otherwise")
    duration = optional(duration, "time", "duration")
    if duration is not None and not 0.0 < duration < math.inf:
        raise DrivetrainError(f"a run needs a positive duration, got {duration:g} s")
    if (fidelity or drivetrain.model.fidelity) == "multibody":
        from .mechanism import simulate_mechanism

        if method is not None or tolerance is not None:
            raise DrivetrainError(
                "method and tolerance mean nothing to fidelity multibody: its steps are fixed (model.step)"
            )
        return simulate_mechanism(drivetrain, case, duration=duration, output=output, progress=progress, law=law)
    if drivetrain.turbine is not None:
        from .turbine_run import simulate_setup

        return simulate_setup(drivetrain, case, fidelity=fidelity, law=law, duration=duration, method=method,
                              tolerance=tolerance, output=output, progress=progress)  # fmt: skip
    if tolerance is not None and not 0.0 < tolerance < 1.0:
        raise DrivetrainError(f"a tolerance is a part of the loads between 0 and 1, such as 1e-6; got {tolerance:g}")
    prepared = prepare(drivetrain, case, fidelity=fidelity, law=law, duration=duration)
    system, chosen = prepared.system, prepared.case
    tolerance = tolerance or prepared.drivetrain.model.tolerance or 1e-6
    counting, storing = intervals(system, chosen, prepared.duration)
    seen = interval_remarks(system, chosen, counting, prepared.duration)
    prepared = replace(prepared, notes=(*prepared.notes, *seen))
    channels = recorded_channels(system, chosen.record)
    if not channels:
        raise DrivetrainError(f"case '{chosen.name}' records nothing that fidelity {system.provenance.fidelity} has")
    path = Path(output) if output is not None else Path(f"{drivetrain.name}-{chosen.name}.nc")
    recorder = Recorder(
        path, channels, derived_channels(channels, prepared.train), counting, storing,
        exponents=tuple(chosen.exponents), reference_frequency=_reference(chosen, prepared.duration),
        discard=chosen.discard, spectra=_densities(chosen, prepared.duration),
    )  # fmt: skip
    # what a first run has to compile is shared between two processes, which start before the engine is known
    ahead(recorder.compiled(), more=True)
    engine, reason = choose(system, counting, tolerance, method or prepared.drivetrain.model.method)
    state = initial_state(prepared)
    prepared = replace(prepared, notes=(*prepared.notes, *_start_remarks(prepared, state)))
    start = state.copy()
    total = max(round(prepared.duration / counting), 1)
    attributes = _attributes(prepared, engine.name, reason, tolerance)
    said = attributes["notes"]  # grows until the file is closed
    recorder.describe(attributes)
    ahead([*engine.compiled(system, tolerance), *recorder.compiled()])
    described = model_attributes(prepared)
    said += damping_warnings(system, prepared.train)
    begin, begun = time.perf_counter(), waited()
    done, chunk, book = 0, max(SHORTEST_CHUNK, VALUES // len(channels)), None
    try:
        # one linear-algebra thread: its threads would fight the recorder and other cases
        with threadpool_limits(1), stage("simulated", prepared.duration, "s") as going:
            plan = engine.prepare(system, channels, counting, tolerance)
            while done < total:
                steps = min(chunk, total - done)
                for block in sound_chunk(engine, plan, state, steps, counting):
                    recorder.append(block)
                done += steps
                going.at(state.t)
                book = energy_book(system, start, state, book)
                if progress is not None:
                    progress(state.t, prepared.duration)
    except (Diverged, ResultError) as error:
        kept = recorder.abort(str(error), energy_book(system, start, state, book))
        raise RunError(diverged(error, kept), kept) from None
    except KeyboardInterrupt:
        reason = f"interrupted at {state.t:.6g} s"
        kept = recorder.abort(reason, energy_book(system, start, state, book))
        raise KeyboardInterrupt(
            reason + (f"; what was computed is in {kept}" if kept else ", before there was a result")
        ) from None
    wall = time.perf_counter() - begin - (waited() - begun)
    book = book or energy_book(system, start, state)
    figures = {
        "duration_s": done * counting, "wall_s": wall, "real_time_factor": done * counting / wall,
        "compile_s": waited() - before, "energy_error": book.error, **counted(plan, said),
    }  # fmt: skip
    recorder.finish(book, {**figures, **described})
    figures.update(compare_with_record(prepared, path, said))
    attributes = with_lists({**attributes, **figures})
    return Run(path, engine.name, reason, done * counting, wall, book.error, recorder.summary(), attributes)


def _densities(case: Any, duration: float) -> Any:
    """What the case asks for in spectra."""
    from gearwright.results.welch import Densities

    if case.spectra is None:
        return None
    kinds = tuple({**KINDS, "turbine": "turbine"}[word] for word in case.spectra.of)
    return Densities(kinds, case.spectra.resolution, duration - case.discard)


def _reference(case: Any, duration: float) -> float:
    if case.reference_cycles is None:
        return 1.0
    return float(case.reference_cycles) / max(duration - case.discard, 1e-300)


def remarks_of(prepared: Prepared) -> list[str]:
    """What the train, its assembly and its case have to tell: assumptions, notes and warnings."""
    return [*train_remarks(prepared.train.notes), *prepared.system.provenance.notes, *prepared.notes]


def _attributes(prepared: Prepared, method: str, reason: str, tolerance: float) -> dict[str, Any]:
    import hashlib
    import platform

    from gearwright._version import __version__
    from gearwright.kernels.native import version
    from gearwright.results.contact import contact_record

    train, system, case = prepared.train, prepared.system, prepared.case
    text = prepared.drivetrain.text
    touching = contact_record(system)
    digest = hashlib.sha256()
    digest.update(json.dumps(prepared.drivetrain.raw, sort_keys=True, default=str).encode())
    digest.update(json.dumps(case.model_dump(mode="json"), sort_keys=True, default=str).encode())
    shape = system.shape
    return {
        "drivetrain": train.name, "drivetrain_text": text, "overrides": list(prepared.drivetrain.overrides),
        "drivetrain_json": json.dumps(prepared.drivetrain.raw, default=str),
        "case": case.name, "case_json": json.dumps(case.model_dump(mode="json"), default=str),
        "fidelity": system.provenance.fidelity, "law": system.provenance.law,
        "method": method, "method_reason": reason, "tolerance": tolerance,
        "degrees_of_freedom": system.degrees_of_freedom, "rows": shape.rows,
        "notes": remarks_of(prepared), **shares(prepared), "recordings": prepared.inputs.recordings.used,
        "content_hash": digest.hexdigest(), "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "gearwright_version": __version__,
        **({"contact_json": touching} if touching else {}),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": version("scipy"),
                     "numba": version("numba")},
    }  # fmt: skip
