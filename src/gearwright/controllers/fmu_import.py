"""Import: an FMU for co-simulation (2.0 or 3.0) stepped from here, its archive unpacked without leaving its folder."""

from __future__ import annotations

import shutil
import stat
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import CouplingError, listed, nearest

Float = NDArray[np.float64]

#: largest archive, unpacked [bytes], and most files in it
LARGEST, MOST = 2 * 2**30, 20_000


def unpack(path: str | Path, folder: Path) -> None:
    """Unpack an FMU into a folder and nowhere else.

    Raises CouplingError for a file that is no archive, for names that are absolute, lead upward or hold a drive, for
    links, for names that occur twice, and for archives that unpack to more than :data:`LARGEST`.
    """
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise CouplingError(f"there is no file '{path}'") from None
    except (zipfile.BadZipFile, OSError) as error:
        raise CouplingError(f"'{path}' is no FMU: {error}") from None
    with archive:
        entries = archive.infolist()
        if len(entries) > MOST:
            raise CouplingError(f"'{path}' holds {len(entries)} files, more than {MOST}")
        left = LARGEST
        seen: set[str] = set()
        for entry in entries:
            name = entry.filename.replace("\\", "/")
            parts = PurePosixPath(name).parts
            if not parts or name.startswith("/") or ".." in parts or ":" in name or "\0" in name:
                raise CouplingError(f"'{path}' holds a file named '{entry.filename}', which leads out of its folder")
            if stat.S_ISLNK(entry.external_attr >> 16):
                raise CouplingError(f"'{path}' holds a link, '{entry.filename}'")
            target = folder.joinpath(*parts)
            if entry.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            if str(target) in seen:
                raise CouplingError(f"'{path}' holds '{entry.filename}' twice")
            seen.add(str(target))
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with archive.open(entry) as source, target.open("xb") as out:
                    while piece := source.read(2**20):
                        left -= len(piece)
                        if left < 0:
                            raise CouplingError(f"'{path}' unpacks to more than {LARGEST / 2**30:g} GiB")
                        out.write(piece)
            except (zipfile.BadZipFile, RuntimeError, EOFError, OSError, NotImplementedError) as error:
                raise CouplingError(f"'{path}' is damaged at '{entry.filename}': {error}") from None


def fmpy_module() -> Any:
    """The package that runs FMUs. Raises CouplingError with how to get it."""
    try:
        import fmpy
    except ImportError:
        raise CouplingError("running an FMU needs the package fmpy: pip install 'gearwright[fmi]'") from None
    return fmpy


class Fmu:
    """An FMU of any tool, for co-simulation.

    Unpacked when made, its library loaded then (it is code: name only files that you trust). Use it as a context.

    Raises CouplingError for a file that is no FMU, for one without co-simulation or without a binary for this machine,
    and for names that it does not have.
    """

    def __init__(self, path: str | Path):
        fmpy_module()
        from fmpy import read_model_description
        from fmpy.fmi2 import FMU2Slave
        from fmpy.fmi3 import FMU3Slave

        self.path = Path(path)
        self._folder = Path(tempfile.mkdtemp(prefix="gearwright-fmu-"))
        self._unit: Any = None
        try:
            unpack(self.path, self._folder)
            try:
                self.description: Any = read_model_description(str(self._folder))
            except Exception as error:
                raise CouplingError(f"'{self.path}': its model description cannot be read: {error}") from None
            if self.description.coSimulation is None:
                raise CouplingError(f"'{self.path}' is an FMU for model exchange alone; co-simulation is needed")
            version = str(self.description.fmiVersion)
            if not version.startswith(("2.", "3.")):
                raise CouplingError(f"'{self.path}' is of FMI version {version}; 2.0 and 3.0 are known")
            self._three = version.startswith("3")
            kind = FMU3Slave if self._three else FMU2Slave
            self.messages: list[str] = []
            try:
                self._unit = kind(guid=self.description.guid, unzipDirectory=str(self._folder), instanceName="gearwright",
                                  modelIdentifier=self.description.coSimulation.modelIdentifier)  # fmt: skip
                self._unit.instantiate()
            except Exception as error:
                self._unit = None
                raise CouplingError(f"'{self.path}' cannot be started here: {error}") from None
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._reference = {v.name: v.valueReference for v in self.description.modelVariables}
        self._causality = {v.name: v.causality for v in self.description.modelVariables}
        self._units = {v.name: str(getattr(v, "unit", None) or "") for v in self.description.modelVariables}
        self._starts = {v.name: getattr(v, "start", None) for v in self.description.modelVariables}
        self.t = 0.0
        self._started = False

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return tuple(n for n, c in self._causality.items() if c == "input")

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs."""
        return tuple(n for n, c in self._causality.items() if c == "output")

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(n for n, c in self._causality.items() if c == "parameter")

    def unit_of(self, name: str) -> str:
        """Unit that the description gives a variable; empty where it gives none. Raises CouplingError for an unknown name."""
        self._references([name])
        return str(self._units[name])

    def start_of(self, name: str) -> str | None:
        """Start value of a variable as the description has it."""
        return None if self._starts[name] is None else str(self._starts[name])

    def _references(self, names: Sequence[str]) -> list[int]:
        for name in names:
            if name not in self._reference:
                meant = nearest(name, list(self._reference))
                hint = f" Did you mean '{meant}'?" if meant else ""
                have = listed([*self.inputs, *self.outputs], 20)
                raise CouplingError(f"'{self.path.name}' has no variable '{name}'; it has {have}.{hint}")
        return [self._reference[n] for n in names]

    def start(self, values: Mapping[str, float] | None = None, t: float = 0.0) -> None:
        """Initialise at a time with inputs and parameters."""
        self._call("start", self._begin, values or {}, t)

    def _begin(self, values: Mapping[str, float], t: float) -> None:
        self.t = t
        if not self._three:
            self._unit.setupExperiment(startTime=t)
            self._put(values)
            self._unit.enterInitializationMode()
        else:
            self._put(values)
            self._unit.enterInitializationMode(startTime=t)
        self._unit.exitInitializationMode()
        self._started = True

    def _put(self, values: Mapping[str, float]) -> None:
        if values:
            put = self._unit.setFloat64 if self._three else self._unit.setReal
            put(self._references(list(values)), [float(v) for v in values.values()])

    def step(self, step: float, values: Mapping[str, float] | None = None) -> None:
        """Set inputs and advance by ``step`` seconds."""
        self._call("step", self._advance, step, values or {})

    def _advance(self, step: float, values: Mapping[str, float]) -> None:
        self._put(values)
        self._unit.doStep(currentCommunicationPoint=self.t, communicationStepSize=step)
        self.t += step

    def get(self, names: Sequence[str]) -> Float:
        """Values of variables by name."""
        references = self._references(names)
        get = self._unit.getFloat64 if self._three else self._unit.getReal
        return np.array(self._call("read", get, references), float)

    def state(self) -> Any:
        """The state, to come back to with :meth:`restore`; refused by FMUs that cannot."""
        able = self.description.coSimulation.canGetAndSetFMUstate
        if not able:
            raise CouplingError(f"'{self.path.name}' cannot save its state")
        get = self._unit.getFMUState if self._three else self._unit.getFMUstate
        return self.t, self._call("save", get)

    def restore(self, saved: Any) -> None:
        """Back to a state."""
        put = self._unit.setFMUState if self._three else self._unit.setFMUstate
        self._call("restore", put, saved[1])
        self.t = saved[0]

    def _call(self, what: str, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except CouplingError:
            raise
        except Exception as error:
            raise CouplingError(f"'{self.path.name}' failed to {what} at {self.t:.6g} s: {error}") from None

    def close(self) -> None:
        """End it and remove what was unpacked."""
        if self._unit is not None:
            unit, self._unit = self._unit, None
            try:
                if self._started:
                    unit.terminate()
                unit.freeInstance()
            except Exception as error:
                self.messages.append(str(error))
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Fmu:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
