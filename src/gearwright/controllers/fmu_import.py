"""Import: an FMU for co-simulation (2.0 or 3.0) stepped from here, its archive unpacked without leaving its folder."""

from __future__ import annotations

import shutil
import stat
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from gearwright.arrays import Float
from gearwright.errors import CouplingError, listed, nearest

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


#: types of variables that are numbers, with the least and largest value of those that are whole
_RANGES: dict[str, tuple[int, int] | None] = {
    "Real": None,
    "Float32": None,
    "Float64": None,
    "Integer": (-(2**31), 2**31 - 1),
    "Enumeration": (-(2**31), 2**31 - 1),
    "Boolean": (0, 1),
}
_RANGES |= {f"Int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)}
_RANGES |= {f"UInt{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)}


class _Value(NamedTuple):
    """A number of an FMU: a variable, or an element of one that is an array (``entry`` of ``size``)."""

    name: str
    kind: str
    reference: int
    entry: int
    size: int
    causality: str
    unit: str
    start: str | None


def _values(variable: Any) -> list[_Value]:
    """The numbers of a variable; elements of an array are counted from 1, the last index fastest."""
    shape = tuple(getattr(variable, "shape", None) or ())
    size = int(np.prod(shape)) if shape else 1
    starts = str(variable.start).split() if variable.start is not None else []
    common = (str(variable.causality), str(getattr(variable, "unit", None) or ""))
    if not shape:
        start = None if variable.start is None else str(variable.start)
        return [_Value(variable.name, variable.type, variable.valueReference, 0, 1, *common, start)]
    made = []
    for entry, index in enumerate(np.ndindex(*shape)):
        name = f"{variable.name}[{','.join(str(i + 1) for i in index)}]"
        start = starts[entry if len(starts) == size else 0] if starts else None
        made.append(_Value(name, variable.type, variable.valueReference, entry, size, *common, start))
    return made


def _fitting(x: _Value, value: float, file: str) -> Any:
    """A number as the type of a variable has it. Raises CouplingError."""
    limits = _RANGES[x.kind]
    if limits is None:
        return value
    if not (value == np.floor(value) and limits[0] <= value <= limits[1]):
        raise CouplingError(
            f"'{x.name}' of '{file}' is of type {x.kind}: a whole number from {limits[0]} to {limits[1]}, not {value:g}"
        )
    return bool(value) if x.kind == "Boolean" else int(value)


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
                self._unit = kind(
                    guid=self.description.guid,
                    unzipDirectory=str(self._folder),
                    instanceName="gearwright",
                    modelIdentifier=self.description.coSimulation.modelIdentifier,
                )
                self._unit.instantiate()
            except Exception as error:
                self._unit = None
                raise CouplingError(f"'{self.path}' cannot be started here: {error}") from None
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._known = {x.name: x for v in self.description.modelVariables for x in _values(v)}
        self.t = 0.0
        self._started = False

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs; those of an array by element, ``u[1]``."""
        return self._of("input")

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs, likewise."""
        return self._of("output")

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, likewise."""
        return self._of("parameter")

    def _of(self, causality: str) -> tuple[str, ...]:
        return tuple(n for n, x in self._known.items() if x.causality == causality)

    def unit_of(self, name: str) -> str:
        """Unit that the description gives a variable; empty where it gives none. Raises CouplingError for an unknown name."""
        return self._found([name])[0].unit

    def start_of(self, name: str) -> str | None:
        """Start value of a variable as the description has it."""
        return self._known[name].start

    def check(self, names: Sequence[str]) -> None:
        """Raise CouplingError for a name that the unit does not have or that is no number."""
        self._found(names)

    def _found(self, names: Sequence[str]) -> list[_Value]:
        for name in names:
            if name not in self._known:
                meant = nearest(name, list(self._known))
                hint = f" Did you mean '{meant}'?" if meant else ""
                have = listed([*self.inputs, *self.outputs], 20)
                raise CouplingError(f"'{self.path.name}' has no variable '{name}'; it has {have}.{hint}")
            if self._known[name].kind not in _RANGES:
                kind = self._known[name].kind
                raise CouplingError(f"'{name}' of '{self.path.name}' is of type {kind}; numbers are exchanged here")
        return [self._known[n] for n in names]

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
        found = self._found(list(values))
        plain = [(x, float(v)) for x, v in zip(found, values.values(), strict=True)]
        real = [(x, v) for x, v in plain if x.kind in ("Real", "Float64") and x.size == 1]
        if real:
            self._access("set", real[0][0].kind)([x.reference for x, _ in real], [v for _, v in real])
        for x, v in plain:
            if (x, v) in real:
                continue
            whole = self._whole(x)
            whole[x.entry] = _fitting(x, v, self.path.name)
            self._access("set", x.kind)([x.reference], whole)

    def _whole(self, x: _Value) -> list[Any]:
        """All elements of a variable."""
        get = self._access("get", x.kind)
        return list(get([x.reference], x.size) if self._three else get([x.reference]))

    def _access(self, what: str, kind: str) -> Any:
        if kind == "Enumeration":
            kind = "Int64" if self._three else "Integer"
        return getattr(self._unit, what + kind)

    def step(self, step: float, values: Mapping[str, float] | None = None) -> None:
        """Set inputs and advance by ``step`` seconds."""
        self._call("step", self._advance, step, values or {})

    def _advance(self, step: float, values: Mapping[str, float]) -> None:
        self._put(values)
        self._unit.doStep(currentCommunicationPoint=self.t, communicationStepSize=step)
        self.t += step

    def get(self, names: Sequence[str]) -> Float:
        """Values of variables by name: numbers of any type, a boolean as 0 or 1, an element of an array as ``y[2]``."""
        return np.array(self._call("read", self._read, self._found(names)), float)

    def _read(self, found: Sequence[_Value]) -> list[float]:
        if found and all(x.kind in ("Real", "Float64") and x.size == 1 for x in found):
            return list(self._access("get", found[0].kind)([x.reference for x in found]))
        return [float(self._whole(x)[x.entry]) for x in found]

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
