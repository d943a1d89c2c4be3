"""A case of a train: an engine steps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gearwright.errors import DrivetrainError
from gearwright.kernels.ahead import ahead
from gearwright.kernels.native import waited
from gearwright.results import EnergyBook, energy_book
from gearwright.results.channels import recorded_channels, watched_channels
from gearwright.results.damping import damping_warnings
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import JSON
from gearwright.solve.choose import choose
from gearwright.system import Block, Channel, State

from .chunks import after_opening, opening, sound_chunk
from .facts import attributes_of, compare_with_record, counted, model_attributes, shared_load
from .intervals import interval_remarks, intervals
from .model import Options, Progress, Run
from .prepare import Prepared, prepare, remarks_of
from .record import recorded, recorder_of
from .start import initial_state, start_remarks

#: samples of one chunk: long enough that what an engine does per chunk costs nothing, short enough for progress and
#: Ctrl-C; and as many values as three chunks at work may hold in memory
SHORTEST_CHUNK = 8192
VALUES = 2**20


class TrainModel:
    """A case of a train made ready; see :class:`gearwright.running.model.Model`."""

    def __init__(self, drivetrain: Drivetrain, case: str | None, options: Options):
        self._before = waited()
        allowed = options.tolerance
        if allowed is not None and not 0.0 < allowed < 1.0:
            raise DrivetrainError(f"a tolerance is a part of the loads between 0 and 1, such as 1e-6; got {allowed:g}")
        made = prepare(drivetrain, case, fidelity=options.fidelity, law=options.law, duration=options.duration)
        self.tolerance = allowed or made.drivetrain.model.tolerance or 1e-6
        self.method = options.method or made.drivetrain.model.method
        self.counting, self.storing = intervals(made.system, made.case, made.duration)
        seen = interval_remarks(made.system, made.case, self.counting, made.duration)
        self.prepared = replace(made, notes=(*made.notes, *seen))
        self.channels = recorded_channels(made.system, made.case.record)
        if not self.channels:
            raise DrivetrainError(
                f"case '{made.case.name}' records nothing that fidelity {made.system.provenance.fidelity} has"
            )
        self.channels += watched_channels(made.system, made.case.record)
        self.path = Path(f"{drivetrain.name}-{made.case.name}.nc")

    def run(self, output: Path | None, progress: Progress | None) -> Run:
        """Run the case and write its result file."""
        prepared, channels = self.prepared, self.channels
        system = prepared.system
        recorder = recorder_of(output or self.path, prepared, channels, (), self.counting, self.storing)
        # what a first run has to compile is shared between two processes, which start before the engine is known
        ahead(recorder.compiled(), more=True)
        engine, reason = choose(system, self.counting, self.tolerance, self.method)
        state = initial_state(prepared)
        prepared = replace(prepared, notes=(*prepared.notes, *start_remarks(prepared, state)))
        notes = remarks_of(prepared)
        attributes = attributes_of(prepared, engine.name, reason, self.tolerance, notes)
        recorder.describe({**attributes, **model_attributes(prepared)})
        ahead([*engine.compiled(system, self.tolerance), *recorder.compiled()])
        notes += damping_warnings(system, prepared.train)
        loop = _Loop(prepared, engine, reason, attributes, notes, channels, self.counting, self.tolerance, state)
        return recorded(loop, recorder, self._before, progress)


class _Loop:
    """An engine and its state on their way through a case; see :class:`gearwright.running.record.Stepped`."""

    def __init__(
        self,
        prepared: Prepared,
        engine: Any,
        reason: str,
        attributes: dict[str, JSON],
        notes: list[str],
        channels: tuple[Channel, ...],
        counting: float,
        tolerance: float,
        state: State,
    ):
        self.method, self.reason, self.attributes, self.notes = engine.name, reason, attributes, notes
        self.duration = prepared.duration
        self.prepared, self.engine, self.state, self.train = prepared, engine, state, prepared.train
        self.settings = channels, counting, tolerance
        self.start = state.copy()
        self.plan: Any = None
        self.samples, self.total = 0, max(round(prepared.duration / counting), 1)
        self.longest = max(SHORTEST_CHUNK, VALUES // sum(c.stored for c in channels))
        self.latest: EnergyBook | None = None

    @property
    def time(self) -> float:
        """Simulated so far [s]."""
        return self.samples * self.settings[1]

    @property
    def finished(self) -> bool:
        """Whether the duration is reached."""
        return self.samples >= self.total

    def chunk(self) -> Iterator[Block]:
        """Samples of the next chunk."""
        first = None
        if self.plan is None:
            self.plan = self.engine.prepare(self.prepared.system, *self.settings)
            if not self.prepared.case.discard:
                channels, counting, tolerance = self.settings
                first = opening(self.engine, self.prepared.system, channels, counting, tolerance, self.start)
        steps = min(self.longest, self.total - self.samples)
        for block in sound_chunk(self.engine, self.plan, self.state, steps, self.settings[1]):
            yield block if first is None else after_opening(first, block)
            first = None
        self.samples += steps
        self.latest = self.book()

    def book(self) -> EnergyBook:
        """The energy book up to now."""
        return energy_book(self.prepared.system, self.start, self.state, self.latest)

    def figures(self) -> dict[str, int]:
        """Steps and events of the engine."""
        return counted(self.plan, self.notes)

    def compared(self, path: Path) -> dict[str, float | str]:
        """Correlation with a record, where the case names one; how the planets shared the load."""
        made = self.prepared
        record = compare_with_record(made, path, self.notes)
        return {**record, **shared_load(made.drivetrain, made.train, made.case.discard, path)}

    def close(self) -> None:
        """Nothing is outside."""
