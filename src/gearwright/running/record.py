"""The loop of a run: what a model steps is counted and stored, chunk by chunk, whatever ends it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from threadpoolctl import threadpool_limits

from gearwright.errors import CouplingError, RunError
from gearwright.kernels.native import waited
from gearwright.progress import stage
from gearwright.remarks import with_lists
from gearwright.results import EnergyBook, Recorder, ResultError
from gearwright.results.channels import KINDS, derived_channels
from gearwright.results.welch import Densities
from gearwright.schema.places import JSON
from gearwright.system import Block, Channel, Diverged
from gearwright.train.train import Train

from .chunks import diverged
from .facts import off_reference
from .flanks import allowances, flank_figures
from .model import Progress, Run
from .prepare import Prepared


class Stepped(Protocol):
    """What steps through a case in chunks."""

    #: engine and why it was chosen
    method: str
    reason: str
    #: facts for the file, and its notes, which may grow until the file is closed
    attributes: dict[str, JSON]
    notes: list[str]
    #: of the case [s]
    duration: float
    train: Train

    @property
    def time(self) -> float:
        """Simulated so far [s]."""

    @property
    def finished(self) -> bool:
        """Whether the duration is reached."""

    def chunk(self) -> Iterator[Block]:
        """Samples of the next chunk, in one or more blocks. Raises Diverged, ResultError or CouplingError behind the last sound one."""

    def book(self) -> EnergyBook:
        """The energy book up to now."""

    def figures(self) -> Mapping[str, float]:
        """What is to be told of the whole run, for the file."""

    def compared(self, path: Path) -> dict[str, float | str]:
        """What a finished file is compared with; in the file too."""

    def close(self) -> None:
        """Let go of what is outside of this process."""


def recorder_of(
    path: Path,
    prepared: Prepared,
    channels: Sequence[Channel],
    more: Sequence[Channel],
    counting: float,
    storing: float,
) -> Recorder:
    """The recorder of a case: ``channels`` of the drivetrain with what follows from them, ``more`` beside them."""
    case = prepared.case
    return Recorder(
        path,
        (*channels, *more),
        derived_channels(channels, prepared.train),
        counting,
        storing,
        exponents=tuple(case.exponents),
        reference_frequency=reference_of(case, prepared.duration),
        discard=case.discard,
        spectra=densities_of(case, prepared.duration),
    )


def recorded(model: Stepped, recorder: Recorder, before: float, progress: Progress | None) -> Run:
    """Step a model to the end of its case and write its file. ``before``: seconds of waiting for machine code before the run."""
    begin, begun = time.perf_counter(), waited()
    try:
        # one linear-algebra thread: its threads would fight the recorder and other cases
        with threadpool_limits(1), stage("simulated", model.duration, "s") as going:
            while not model.finished:
                for block in model.chunk():
                    recorder.append(block)
                going.at(model.time)
                if progress is not None:
                    progress(model.time, model.duration)
    except (Diverged, ResultError) as error:
        kept = recorder.abort(str(error), model.book())
        raise RunError(diverged(error, kept), kept) from None
    except CouplingError as error:
        kept = recorder.abort(str(error), model.book())
        raise RunError(f"{error}; what was computed before is in {kept}" if kept else str(error), kept) from None
    except KeyboardInterrupt:
        reason = f"interrupted at {model.time:.6g} s"
        kept = recorder.abort(reason, model.book())
        raise KeyboardInterrupt(
            reason + (f"; what was computed is in {kept}" if kept else ", before there was a result")
        ) from None
    finally:
        model.close()
    wall = time.perf_counter() - begin - (waited() - begun)
    book = model.book()
    figures: dict[str, float | str] = {
        "duration_s": model.time,
        "wall_s": wall,
        "real_time_factor": model.time / wall,
        "compile_s": waited() - before,
        "energy_error": book.error,
        **model.figures(),
    }
    flanks = flank_figures(allowances(model.train.meshes.values()), model.notes, recorder.flanks())
    recorder.finish(book, {**figures, **flanks})
    if known := model.attributes.get("mesh_references_json"):
        means = {name: float(one["mean"]) for name, one in recorder.summary().items()}
        off_reference(json.loads(str(known)), means, model.notes, recorder.path)
    figures.update(model.compared(recorder.path))
    attributes = with_lists({**model.attributes, **figures, **flanks})
    return Run(recorder.path, model.method, model.reason, model.time, wall, book.error, recorder.summary(), attributes)


def densities_of(case: Any, duration: float) -> Densities | None:
    """What the case asks for in spectra."""
    if case.spectra is None:
        return None
    kinds = tuple({**KINDS, "turbine": "turbine"}[word] for word in case.spectra.of)
    return Densities(kinds, case.spectra.resolution, duration - case.discard)


def reference_of(case: Any, duration: float) -> float:
    """Frequency [Hz] at which the equivalent cycles of the case happen in its counted duration; 1 without any."""
    if case.reference_cycles is None:
        return 1.0
    return float(case.reference_cycles) / max(duration - case.discard, 1e-300)
