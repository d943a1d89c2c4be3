"""One run: the model that a file and its case ask for, stepped to the end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gearwright.errors import DrivetrainError
from gearwright.schema.case_lookup import find_case
from gearwright.schema.file import Drivetrain
from gearwright.train.open import load
from gearwright.units import optional

from .intervals import refuse_discard
from .model import Model, Options, Progress, Run
from .own_laws import laws_of_run
from .run_folder import RunFolder


def simulate(
    drivetrain: Any,
    case: str | None = None,
    *,
    fidelity: str | None = None,
    law: Any = None,
    duration: float | str | None = None,
    method: str | None = None,
    tolerance: float | None = None,
    output: str | Path | None = None,
    progress: Progress | None = None,
    overrides: Sequence[str] = (),
    allow_code: bool = False,
) -> Run:
    """Run one load case in the time domain and write its result file: of a train, a mechanism (fidelity ``multibody``) or a
    set-up with a turbine.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path, or the name of a shipped example
    case : name of a case of the file; default: the first
    fidelity, law, duration, method, tolerance : override the file's; ``law`` is a word, ``"module:name"`` of an own law, a
        :class:`Law`, or a function that makes one of :class:`MeshProperties`; ``duration`` is in seconds, or text with a unit
        (``"10 min"``); ``method`` is ``exact``, ``explicit`` or
        ``exponential``; ``tolerance`` is relative, on loads
    output : result file; without it the result is in a temporary file, which goes with the Run and its ``result``
    progress : called with (time, duration) after every chunk
    overrides : ``path=value`` edits of the file
    allow_code : whether the module of an own law that the file or ``law`` names may be imported: its code runs as yours

    Raises DrivetrainError, AssemblyError (input to be mended), RunError (diverged; what was computed is kept).
    KeyboardInterrupt passes through after what was computed has been stored.
    """
    if not isinstance(drivetrain, Drivetrain):
        drivetrain = load(drivetrain, overrides, case)
    elif overrides:
        raise DrivetrainError("overrides go with a path or an example's name; edit the Drivetrain otherwise")
    length = optional(duration, "time", "duration")
    if length is not None and not 0.0 < length < math.inf:
        raise DrivetrainError(f"a run needs a positive duration, got {length:g} s")
    law = laws_of_run(drivetrain, case, law, fidelity, allow_code)
    model = model_of(drivetrain, case, Options(fidelity, law, length, method, tolerance))
    if output is not None:
        return model.run(Path(output), progress)
    folder = RunFolder()
    try:
        run = model.run(folder.path / model.path.name, progress)
    except BaseException:
        folder.keep()
        raise
    return replace(run, folder=folder)


def default_name(drivetrain: Drivetrain, case: str | None = None) -> str:
    """Name of the result file of a case: ``<drivetrain>-<case>.nc``."""
    return f"{drivetrain.name}-{find_case(drivetrain, case).name}.nc"


def model_of(drivetrain: Drivetrain, case: str | None, options: Options) -> Model:
    """The model that a file and the options of its caller ask for. Each is imported by those who need it.

    Raises DrivetrainError for a case that discards all of its duration, or of that of the call.
    """
    refuse_discard(find_case(drivetrain, case), options.duration)
    if (options.fidelity or drivetrain.model.fidelity) == "multibody":
        from .mechanism import MechanismModel

        return MechanismModel(drivetrain, case, options)
    if drivetrain.turbine is not None:
        from .turbine_run import TurbineModel

        return TurbineModel(drivetrain, case, options)
    from .train import TrainModel

    return TrainModel(drivetrain, case, options)
