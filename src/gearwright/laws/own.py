"""A user's own law of a mesh: its module is found and imported, its constructor called, and what it made is tried out.

Machine code checks nothing: a law that reads a parameter which is not there would read foreign memory. So every function is
first run in Python, with arguments that know how long they are.
"""

from __future__ import annotations

import inspect
import math
import sys
import traceback
from collections.abc import Callable
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

from gearwright.errors import AssemblyError, nearest
from gearwright.kernels import START, Compiled
from gearwright.kernels.refusals import KernelError
from gearwright.system import Law

from .mesh_properties import MeshProperties

#: most force rows of a mesh law (drive and coast flank) and sense rows (mesh phase, turns of both wheels)
ROWS, SENSES = 2, 3
#: deflections [m] and rates [m/s] at which a law is tried: free and pressed on either side
TRIED = ((0.0, 0.0), (1e-6, 1e-4), (-1e-6, -1e-4), (1e-4, -1e-2), (-1e-4, 1e-2))


# --- finding it --------------------------------------------------------------------------------------------


def imported(reference: str, folder: Path | None) -> tuple[Any, str]:
    """What ``module:name`` stands for, and the text of its module. Raises AssemblyError where it is not there or fails."""
    module_name, _, name = reference.partition(":")
    folders = [f.resolve() for f in (folder, Path.cwd()) if f is not None]
    try:
        module = _module(module_name, folders)
    except ModuleNotFoundError as error:
        if error.name is not None and not module_name.startswith(error.name):
            raise AssemblyError(
                f"law '{reference}': '{module_name}' needs the module '{error.name}', which is not there"
            ) from None
        places = " and ".join(dict.fromkeys(f"in '{f}'" for f in folders))
        raise AssemblyError(
            f"law '{reference}': there is no module '{module_name}' {places}, and none on Python's path"
        ) from None
    except (Exception, SystemExit) as error:
        raise AssemblyError(f"law '{reference}': its module cannot be imported: {_said(error)}") from error
    if not hasattr(module, name):
        known = [key for key, value in vars(module).items() if callable(value) or isinstance(value, Law)]
        meant = f" Did you mean '{near}'?" if (near := nearest(name, known)) else ""
        raise AssemblyError(f"law '{reference}': module '{module_name}' has no '{name}'.{meant}")
    made = getattr(module, name)
    if not (callable(made) or isinstance(made, Law)):
        raise AssemblyError(
            f"law '{reference}': '{name}' is no function and no Law; write def {name}(mesh): return gw.Law(...)"
        )
    return made, _text(module)


def _module(name: str, folders: list[Path]) -> Any:
    """A module of a folder, read anew, or one on Python's path. No other module is lost and no file is written."""
    first = name.partition(".")[0]
    beside = next((f for f in folders if (f / f"{first}.py").is_file() or (f / first / "__init__.py").is_file()), None)
    if beside is None:
        return import_module(name)
    before = {key: sys.modules.pop(key) for key in list(sys.modules) if key == first or key.startswith(f"{first}.")}
    writing, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(beside))
    invalidate_caches()
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(beside))
        sys.dont_write_bytecode = writing
        if any(not str(getattr(module, "__file__", None) or "").startswith(str(beside)) for module in before.values()):
            for key in [key for key in sys.modules if key == first or key.startswith(f"{first}.")]:
                del sys.modules[key]
            sys.modules.update(before)


def named(make: Callable[..., Any]) -> tuple[str, str]:
    """Name and source text of a constructor that was passed as an object."""
    name = getattr(make, "__qualname__", type(make).__name__)
    module = getattr(make, "__module__", "") or ""
    return f"{module}:{name}", _text(sys.modules.get(module))


def _text(module: Any) -> str:
    try:
        return inspect.getsource(module) if module is not None else ""
    except (OSError, TypeError):  # a notebook, a program from standard input
        return ""


def _said(error: BaseException) -> str:
    """What an error in code of a user says, with the place in that code."""
    steps = traceback.extract_tb(error.__traceback__)
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({error.filename}, line {error.lineno})"
    own = [step for step in steps if not step.filename.startswith(("<frozen", str(Path(__file__).parents[1])))]
    where = f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{where}"


# --- making and checking it --------------------------------------------------------------------------------


def checked(name: str, make: Callable[..., Any], mesh: MeshProperties) -> Law:
    """The law that a constructor makes of a mesh, checked, compiled and tried. Raises AssemblyError in plain words."""
    where = f"law '{name}' of mesh '{mesh.name}'"
    try:
        inspect.signature(make).bind(mesh)
    except TypeError:
        raise AssemblyError(
            f"{where}: {name.partition(':')[2]}{inspect.signature(make)} is called with one argument, the properties of a mesh "
            f"(gw.MeshProperties)"
        ) from None
    except ValueError:  # a callable without a signature
        pass
    try:
        law = make(mesh)
    except AssemblyError:
        raise
    except Exception as error:
        raise AssemblyError(f"{where}: its constructor fails with {_said(error)}") from error
    law = _law_of(where, law)
    try:
        for function in filter(None, (law.force, law.guard)):
            function.address  # noqa: B018  compiled here, where the message can name the law
    except KernelError as error:
        raise AssemblyError(f"{where}: {error}") from None
    _try(where, law)
    return law


def _law_of(where: str, law: Any) -> Law:
    """What a constructor returned as a law with plain numbers. Raises AssemblyError for what does not fit a mesh."""
    if law is None:
        raise AssemblyError(
            f"{where}: its constructor returns nothing; it ends with return gw.Law(force=..., parameters=(...))"
        )
    if not isinstance(law, Law):
        raise AssemblyError(f"{where}: its constructor returns {type(law).__name__}; it has to return a gw.Law")
    for what, function, decorator in (("force", law.force, "@gw.force"), ("guard", law.guard, "@gw.guard")):
        if function is not None and not isinstance(function, Compiled):
            raise AssemblyError(f"{where}: its {what} is no compiled function; write {decorator} above its def")
    if law.rows not in range(1, ROWS + 1) or law.senses not in range(SENSES + 1):
        raise AssemblyError(
            f"{where}: {law.rows} force rows and {law.senses} sense rows; a mesh has one force row (drive flank) or two (drive, coast), "
            f"and up to three sense rows (mesh phase, turns of the first and of the second wheel)"
        )
    try:
        law = law._replace(
            parameters=tuple(float(x) for x in law.parameters), states=tuple(float(x) for x in law.states)
        )
    except (TypeError, ValueError):
        raise AssemblyError(f"{where}: its parameters and states are numbers, got {law.parameters!r}") from None
    if not all(map(math.isfinite, (*law.parameters, *law.states))):
        raise AssemblyError(f"{where}: a parameter or a state is not finite: {law.parameters}")
    if law.mean is not None and any(len(values) != law.rows for values in law.mean):
        raise AssemblyError(
            f"{where}: mean is (stiffness of every force row), (damping of every force row): two of {law.rows} numbers"
        )
    return law


class _Numbers(list[Any]):
    """Numbers of a known length, as a law sees an argument: no index from the end, none beyond it."""

    def __init__(self, name: str, values: list[Any], what: str):
        super().__init__(values)
        self.name, self.what = name, what

    def _inside(self, index: Any) -> Any:
        if not isinstance(index, int) or not 0 <= index < len(self):
            raise IndexError(f"{self.name}[{index}], but there are {len(self)} {self.what}")
        return index

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(self._inside(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(self._inside(index), value)


def _try(where: str, law: Law) -> None:
    """Run force and guard in Python at a few deflections. Raises AssemblyError for a place that is not there and for a force
    that is not written or no number."""
    count = law.rows + law.senses
    p = _Numbers("p", list(law.parameters), "parameters")
    for x, v in TRIED:
        signs = [1.0, -1.0][: law.rows] + [1e3] * law.senses
        d, dv = (_Numbers(n, [y * s for s in signs], "rows") for n, y in (("d", x), ("dv", v)))
        assert len(d) == count
        z = _Numbers("z", list(law.states), "states")
        signals = [0.0] * 1000  # whose number is not known yet
        f, zd = _Numbers("f", [None] * count, "rows"), _Numbers("zd", [None] * len(law.states), "states")
        mode = 0
        if law.guard is not None:
            g = _Numbers("g", [None, None], "numbers of a guard")
            mode = _ran(where, law.guard, 0.0, d, dv, p, z, signals, START, g)
            if mode is None:
                return
            _ran(where, law.guard, 0.0, d, dv, p, z, signals, int(mode), g)
            if any(number is None for number in g):
                raise AssemblyError(
                    f"{where}: its guard '{law.guard.__name__}' does not write g[0] (margin) and g[1] (its rate) at d[0] = {x:g}"
                )
        if _ran(where, law.force, 0.0, d, dv, p, z, signals, int(mode), f, zd) is None:
            return
        for letter, values, wanted in (("f", f, law.rows), ("zd", zd, len(zd))):
            for i, number in enumerate(list(values)[:wanted]):
                if number is None or not math.isfinite(number):
                    said = "is not written" if number is None else f"is {number}"
                    raise AssemblyError(
                        f"{where}: {letter}[{i}] of its force '{law.force.__name__}' {said} at d[0] = {x:g}, dv[0] = {v:g}"
                    )


def _ran(where: str, function: Compiled, *arguments: Any) -> Any:
    """What a function returns in Python (0 for nothing); None where Python cannot run what machine code can."""
    try:
        found = function.python(*arguments)
    except IndexError as error:
        code = function.python.__code__
        raise AssemblyError(
            f"{where}: '{function.__name__}' uses {error} ({code.co_filename}, line {code.co_firstlineno})"
        ) from None
    except Exception:
        return None
    return 0 if found is None else found
