"""Compiled functions: one place that knows numba.

Kernels are cached on disk. Numba's cache does not notice a change in a function imported from another
file, so the cache directory carries a hash of the file and of everything that it imports from the package.

Three kinds of compiled function:

- :func:`kernel`: a stepping loop that Python calls, releases the interpreter lock.
- :func:`hot`: called from kernels millions of times, compiled without reference counting; it may not
  allocate, its workspace is an argument.
- :func:`force`, :func:`guard`, :func:`geometry`: C functions with pointer arguments, called **by address**,
  so that an engine is compiled once and serves every law, a user's own included.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

_PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^from[ ]+(gearwright|\.+)([\w.]*)[ ]+import[ ]+(\([^)]*\)|.+)$", re.MULTILINE)


@cache
def _read(path: Path) -> tuple[bytes, frozenset[Path]]:
    """Source of a module and the files of this package that it imports when it is itself imported.

    Only imports at the left margin count: a compiled function sees nothing but globals of its module, so what
    is imported inside a function or for type checkers cannot end up in machine code.
    """
    source = path.read_bytes()
    found = set()
    for match in _IMPORT.finditer(source.decode()):
        root = _PACKAGE if match[1] == "gearwright" else path.parents[len(match[1]) - 1]
        base = root.joinpath(*match[2].strip(".").split("."))
        names = re.findall(r"(\w+)(?:\s+as\s+\w+)?", match[3].split("#")[0])
        for stem in (base, *(base / name for name in names)):
            for file in (stem.with_suffix(".py"), stem / "__init__.py"):
                if file.is_file() and file != _PACKAGE / "__init__.py":
                    found.add(file)
    return source, frozenset(found)


def sources(module: Path) -> list[Path]:
    """Files of this package whose change must recompile the functions of ``module``, sorted."""
    reached, waiting = set(), {module, Path(__file__).resolve()}
    while waiting:
        reached |= waiting
        waiting = set().union(*(_read(path)[1] for path in waiting)) - reached
    return sorted(reached)


@cache
def cache_directory(module: Path) -> Path:
    """Directory of the compiled code of a source file, below ``$GEARWRIGHT_CACHE_DIR`` or the user's cache.

    Its name carries a hash of the file and of all that it imports from this package, so that a change anywhere
    below recompiles what depends on it, and nothing else.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sources(module):
        digest.update(_read(path)[0])
    root = os.environ.get("GEARWRIGHT_CACHE_DIR")
    base = Path(root) if root else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    directory = base / "gearwright" / f"kernels-{digest.hexdigest()[:16]}"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@contextmanager
def _own_cache(function: Callable[..., Any]) -> Iterator[None]:
    """Numba reads its cache directory when a decorator runs; set ours only for that moment.

    A function without a source file (typed at a prompt) keeps numba's own choice.
    """
    config: Any = numba.config
    before = config.CACHE_DIR
    source = Path(function.__code__.co_filename)
    if source.is_file():
        config.CACHE_DIR = str(cache_directory(source))
    try:
        yield
    finally:
        config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop that Python calls: cached, without interpreter lock, IEEE division."""
    with _own_cache(function):
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


def hot(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an inner function: as :func:`kernel`, without reference counting; it may not allocate."""
    with _own_cache(function):
        options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
        return numba.njit(**options)(function)


def summed(function: Callable[..., Any]) -> Callable[..., Any]:
    """As :func:`hot`, for long sums whose order is free: they are formed several terms at a time."""
    with _own_cache(function):
        options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
        return numba.njit(fastmath={"contract", "reassoc", "nsz"}, **options)(function)


_D = types.float64
_P = types.CPointer(types.float64)
_FORCE = types.void(_D, _P, _P, _P, _P, _P, types.int64, _P, _P)
_GUARD = types.int64(_D, _P, _P, _P, _P, _P, types.int64, _P)
_GEOMETRY = types.void(_P, _P, _P, _P, _P, _P)

#: Mode in which a guard is called at the start: it returns the mode that the present values belong to.
START = -(1 << 62)


class Compiled:
    """A C function made from a Python function when its address is first asked for.

    Importing a law must not compile it: ``cfunc`` compiles when the decorator runs, so the Python function
    is kept and compiled late. The Python function stays callable (slowly) through :attr:`python`.
    """

    def __init__(self, python: Callable[..., Any], signature: Any):
        self.python = python
        self.signature = signature
        self.__doc__ = python.__doc__
        self.__name__ = getattr(python, "__name__", "law")
        self._cfunc: Any = None

    @property
    def address(self) -> int:
        """Address of the machine code."""
        if self._cfunc is None:
            with _own_cache(self.python):
                self._cfunc = numba.cfunc(self.signature, cache=True, error_model="numpy")(self.python)
        return int(self._cfunc.address)

    @property
    def ctypes(self) -> Any:
        """The function as a ctypes object, to call it from Python with real pointers."""
        self.address  # noqa: B018  compiles
        return self._cfunc.ctypes

    def __repr__(self) -> str:
        return f"<compiled {self.__name__}>"


def force(function: Callable[..., Any]) -> Compiled:
    """Make the force function of a law: ``(t, d*, dv*, p*, z*, s*, mode, f*, zd*) -> None``.

    ``d, dv`` hold the deflections and rates of the block's force rows followed by its sense rows, ``p`` its
    parameters, ``z`` its own first-order states, ``s`` all signals at ``t``. Writes the forces ``f`` of the
    force rows [N or N m] and the rates ``zd`` of the states. It allocates nothing and raises nothing;
    not-a-number means "cannot".
    """
    return Compiled(function, _FORCE)


def guard(function: Callable[..., Any]) -> Compiled:
    """Make the guard of a law: ``(t, d*, dv*, p*, z*, s*, mode, g*) -> next_mode``.

    Writes ``g[0]``, the margin (>= 0 while the piece ``mode`` is valid), and ``g[1]``, its rate [1/s]; returns
    the mode to take when the margin reaches zero. Called with ``mode == START`` it returns the mode that the
    present values belong to.
    """
    return Compiled(function, _GUARD)


def geometry(function: Callable[..., Any]) -> Compiled:
    """Make a geometry function: ``(q*, v*, p*, val*, gamma*, phi*) -> None``.

    Writes the coefficients of its moving rows in storage order, ``gamma = -(dD/dt) v`` and, for rows with a
    position form, the residual ``phi``.
    """
    return Compiled(function, _GEOMETRY)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, offset_type: Any, offset: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [context.cast(builder, offset, offset_type, types.intp)])


def _function(context: Any, builder: Any, signature: Any, address: Any) -> Any:
    result = context.get_value_type(signature.return_type) if signature.return_type != types.void else None
    from llvmlite import ir

    returned = ir.VoidType() if result is None else result
    arguments = [context.get_value_type(a) for a in signature.args]
    return builder.inttoptr(address, ir.FunctionType(returned, arguments).as_pointer())


@intrinsic
def call_force(typingctx, address, t, d, dv, f, row, p, ip, z, zd, iz, s, mode):  # type: ignore[no-untyped-def]
    """Call a law's force by address: rows start at ``row``, parameters at ``ip``, states at ``iz``."""
    signature = types.void(address, t, d, dv, f, row, p, ip, z, zd, iz, s, mode)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        ad, t_, d_, dv_, f_, row_, p_, ip_, z_, zd_, iz_, s_, mode_ = args
        ty = sig.args
        zero = context.get_constant(types.intp, 0)
        function = _function(context, builder, _FORCE, context.cast(builder, ad, ty[0], types.int64))
        builder.call(
            function,
            [
                context.cast(builder, t_, ty[1], types.float64),
                _pointer(context, builder, ty[2], d_, ty[5], row_),
                _pointer(context, builder, ty[3], dv_, ty[5], row_),
                _pointer(context, builder, ty[6], p_, ty[7], ip_),
                _pointer(context, builder, ty[8], z_, ty[10], iz_),
                _pointer(context, builder, ty[11], s_, types.intp, zero),
                context.cast(builder, mode_, ty[12], types.int64),
                _pointer(context, builder, ty[4], f_, ty[5], row_),
                _pointer(context, builder, ty[9], zd_, ty[10], iz_),
            ],
        )
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def call_guard(typingctx, address, t, d, dv, row, p, ip, z, iz, s, mode, g):  # type: ignore[no-untyped-def]
    """Call a law's guard by address; writes ``g[0], g[1]``, returns the next mode."""
    signature = types.int64(address, t, d, dv, row, p, ip, z, iz, s, mode, g)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        ad, t_, d_, dv_, row_, p_, ip_, z_, iz_, s_, mode_, g_ = args
        ty = sig.args
        zero = context.get_constant(types.intp, 0)
        function = _function(context, builder, _GUARD, context.cast(builder, ad, ty[0], types.int64))
        return builder.call(
            function,
            [
                context.cast(builder, t_, ty[1], types.float64),
                _pointer(context, builder, ty[2], d_, ty[4], row_),
                _pointer(context, builder, ty[3], dv_, ty[4], row_),
                _pointer(context, builder, ty[5], p_, ty[6], ip_),
                _pointer(context, builder, ty[7], z_, ty[8], iz_),
                _pointer(context, builder, ty[9], s_, types.intp, zero),
                context.cast(builder, mode_, ty[10], types.int64),
                _pointer(context, builder, ty[11], g_, types.intp, zero),
            ],
        )

    return signature, codegen


@intrinsic
def call_geometry(typingctx, address, q, v, p, ip, val, ival, gamma, phi, row):  # type: ignore[no-untyped-def]
    """Call a geometry function by address; coefficients start at ``ival``, ``gamma`` and ``phi`` at ``row``."""
    signature = types.void(address, q, v, p, ip, val, ival, gamma, phi, row)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        ad, q_, v_, p_, ip_, val_, ival_, gamma_, phi_, row_ = args
        ty = sig.args
        zero = context.get_constant(types.intp, 0)
        function = _function(context, builder, _GEOMETRY, context.cast(builder, ad, ty[0], types.int64))
        builder.call(
            function,
            [
                _pointer(context, builder, ty[1], q_, types.intp, zero),
                _pointer(context, builder, ty[2], v_, types.intp, zero),
                _pointer(context, builder, ty[3], p_, ty[4], ip_),
                _pointer(context, builder, ty[5], val_, ty[6], ival_),
                _pointer(context, builder, ty[7], gamma_, ty[9], row_),
                _pointer(context, builder, ty[8], phi_, ty[9], row_),
            ],
        )
        return context.get_dummy_value()

    return signature, codegen
