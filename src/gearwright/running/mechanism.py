"""Runs and modes of mechanisms (fidelity ``multibody``): file and case in, plain data and a result file out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gearwright.assembly.multibody import mechanism
from gearwright.errors import DrivetrainError
from gearwright.kernels.native import waited
from gearwright.laws.registry import asked
from gearwright.multibody import simulate
from gearwright.multibody.simulate import Interrupted, default_step
from gearwright.schema.case_lookup import find_case, with_case
from gearwright.schema.cases import StartSpeed
from gearwright.schema.file import Drivetrain
from gearwright.train.open import load

from .mechanism_inputs import capacities, loads, motors, refuse_unknown_events
from .mechanism_result import write
from .mechanism_train import allowances_of, is_train, law_of, mechanism_of_train, resting
from .model import ConstraintError, MechanismFigures, Options, Progress, Run

if TYPE_CHECKING:
    from gearwright.multibody import Mechanism

    from .mechanism_result import Written


def mechanism_of(
    file: Any, case: str | None = None, overrides: Sequence[str] = (), duration: float | None = None, law: Any = None
) -> tuple[Mechanism, Drivetrain, Any, float]:
    """Mechanism of a case with its loads and speeds at the start; the drivetrain, the case and the duration.

    ``law`` is for the meshes of a train; the file's otherwise.

    Raises DrivetrainError or MultibodyError for what a user can mend.
    """
    drivetrain = file if isinstance(file, Drivetrain) and not overrides else load(file, overrides, case)
    chosen = find_case(drivetrain, case)
    applied = with_case(drivetrain, case)
    length = duration if duration is not None else chosen.duration
    if length is None or not length > 0.0:
        raise DrivetrainError(f"case '{chosen.name}' needs a positive duration; give one in the file or --duration")
    for name in ("trim", "wind", "spectra"):
        if getattr(chosen, name):
            raise DrivetrainError(f"case '{chosen.name}': '{name}' is not known to fidelity multibody")
    train = is_train(applied)
    foreign = ("highest_frequency",) if train else ("tolerance", "method", "damping", "highest_frequency", "law")
    for key in foreign:
        if getattr(applied.model, key) is not None:
            raise DrivetrainError(
                f"model.{key} is not known to fidelity multibody, which has rigid bodies, rows of joints, and damping at "
                f"the joints; it takes model.step, redundant and stabilisation"
            )
    if asked(law).name is not None and not train:
        raise DrivetrainError("--law is for the meshes of a train; a mechanism says of each gear what it is")
    if train:
        made = mechanism_of_train(applied, chosen, float(length), law)
        unused = [f"model.{key}" for key in ("tolerance", "method") if getattr(applied.model, key) is not None]
        if unused:
            made.notes.append(f"{' and '.join(unused)} of the file: not used here, steps are fixed (model.step)")
        return made, applied, chosen, float(length)
    refuse_unknown_events(applied, chosen)
    made = mechanism(
        applied,
        loads(applied, chosen, float(length)),
        motors(applied, chosen, float(length)),
        capacities(applied, chosen, float(length)),
    )
    _speeds(made, chosen)
    return made, applied, chosen, float(length)


def _speeds(made: Mechanism, case: Any) -> None:
    given = {}
    for name, item in case.initial.items():
        if name not in made.index or not isinstance(item, StartSpeed) or item.speed is not None:
            raise DrivetrainError(
                f"case '{case.name}'.initial.{name}: body names with velocity (global) and spin (body axes) are wanted"
            )
        nothing = [None, None, None]
        given[name] = (item.velocity or nothing, item.spin or nothing)
    if given or any(j.kind == "motor" for j in made.joints):
        made.set_speeds(given)


class MechanismModel:
    """A case of a mechanism made ready; see :class:`gearwright.running.model.Model`."""

    def __init__(self, drivetrain: Drivetrain, case: str | None, options: Options):
        if options.method is not None or options.tolerance is not None:
            raise DrivetrainError(
                "method and tolerance mean nothing to fidelity multibody: its steps are fixed (model.step)"
            )
        self.drivetrain, self.case, self.options = drivetrain, case, options
        self.path = Path(f"{drivetrain.name}-{find_case(drivetrain, case).name}.nc")

    def run(self, output: Path | None, progress: Progress | None) -> Run:
        """Run the case and write its result file."""
        found, written = self._ran(output or self.path, progress)
        return Run(
            found.result_file,
            found.method,
            str(written.attributes["method_reason"]),
            found.duration_s,
            found.wall_s,
            found.energy_error,
            written.channels,
            {**written.attributes, "compile_s": found.compile_s},
            mechanism=found,
        )

    def _ran(self, path: Path, progress: Progress | None) -> tuple[MechanismFigures, Written]:
        """What a run gave, and what its result file says."""
        before, law = waited(), self.options.law
        made, drivetrain, chosen, length = mechanism_of(
            self.drivetrain, self.case, duration=self.options.duration, law=law
        )
        step = step_of(made, drivetrain)
        if (
            chosen.start == "equilibrium"
            and not is_train(drivetrain)
            and not chosen.initial
            and made.degrees_of_freedom
        ):
            made.start = resting(made)
        allowed = allowances_of(drivetrain)
        own = {name: found.text for name, found in asked(law).own.items()}
        try:
            done = simulate(made, length, step, counting_of(chosen), progress=progress)
        except Interrupted as stop:
            write(stop.motion, path, drivetrain, chosen, law_of(drivetrain, law), str(stop), own, allowed)
            raise KeyboardInterrupt(f"{stop}; what was computed is in {path}") from None
        written = write(done, path, drivetrain, chosen, law_of(drivetrain, law), None, own, allowed)
        energy = done.energy()
        figures = MechanismFigures(
            duration_s=length,
            wall_s=done.wall_s,
            real_time_factor=length / max(done.wall_s, 1e-9),
            compile_s=waited() - before,
            step_s=step,
            result_file=path,
            degrees_of_freedom=made.degrees_of_freedom,
            rows=made.row_count,
            rank=made.rank,
            redundant_rows=list(made.redundant),
            constraint_error=ConstraintError(done.position_error, done.velocity_error),
            energy_error=done.energy_error,
            energy_start_j=float(energy[0]),
            energy_end_j=float(energy[-1]),
            reactions={name: of.parts() for name, of in done.reactions(0).items()},
            reactions_end={name: of.parts() for name, of in done.reactions(-1).items()},
            reactions_mean=written.means,
            speeds_end={b.name: done.velocity[-1, k].tolist() for k, b in enumerate(made.bodies)},
        )
        return figures, written


def counting_of(case: Any) -> float | None:
    """Interval [s] at which a case counts: its counting interval, made to divide that of its series; without one that of the series."""
    storing, counting = case.output_interval, case.counting_interval
    if counting is None or storing is None:
        return counting or storing
    return float(storing / max(math.ceil(storing / counting - 1e-9), 1))


def step_of(made: Mechanism, drivetrain: Any) -> float:
    """Step [s] of the file; without one what the mechanism needs."""
    return float(drivetrain.model.step or default_step(made))
