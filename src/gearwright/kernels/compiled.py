"""Compiled functions: what they are, how Python and other compiled functions call them.

Three kinds of compiled function:

- :func:`kernel`: a stepping loop that Python calls.
- :func:`hot`: called from kernels millions of times.
- :func:`force`, :func:`guard`, :func:`geometry`: C functions with pointer arguments, called **by address**,
  so that an engine is compiled once and serves every law, a user's own included.

All are compiled without reference counting: they may not allocate, workspace is an argument. They run without the
interpreter lock and divide as IEEE 754 says.

Numba turns them into machine code (:mod:`.build`), which is kept as an object file and loaded without numba
(:mod:`.native`), because importing numba and linking through it costs more than most runs. The name of such a file
carries a hash of the source file and of everything that it imports from the package; that of a user's function a hash of what
the compiler sees of it (:mod:`.fingerprint`).
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import native
from .fingerprint import fingerprint, own
from .sources import cache_directory, own_directory, shipped_directory


class Late:
    """A module that is imported when something of it is first asked for: numba, where nothing is compiled, never."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


types: Any = Late("numba.types")
ir: Any = Late("llvmlite.ir")
build: Any = Late("gearwright.kernels.build")


# --- functions that Python and compiled functions call ---------------------------------------------------


class Function:
    """A compiled function for Python and for other compiled functions.

    Python calls a machine code made for the kinds of its arguments: numbers, arrays and (named) tuples of them, by
    position. It returns a number, a tuple of numbers or None. Compiled callers see the source and may inline it.
    """

    def __init__(self, python: Callable[..., Any], fastmath: frozenset[str] = frozenset()):
        self.py_func = python
        self.fastmath = fastmath
        self.__doc__ = python.__doc__
        self.__name__ = python.__name__
        self.__module__ = python.__module__
        self._dispatcher: Any = None
        self._entries: dict[tuple[Any, ...], tuple[struct.Struct, Any, str]] = {}

    @property
    def for_numba(self) -> Any:
        """Numba's own object for the function."""
        if self._dispatcher is None:
            self._dispatcher = build.dispatcher(self.py_func, self.fastmath)
        return self._dispatcher

    def __call__(self, *arguments: Any) -> Any:
        kinds: list[Any] = []
        words: list[Any] = []
        for argument in arguments:
            _flatten(argument, kinds, words)
        return self._run(kinds, words)

    def closing(self, *last: Any) -> Callable[..., Any]:
        """The function with its last arguments given: a call then describes only those before, a microsecond per array.

        The memory of the arrays given here must stay where it is.
        """
        kinds: list[Any] = []
        words: list[Any] = []
        for argument in last:
            _flatten(argument, kinds, words)

        def call(*first: Any, keep: Any = last) -> Any:
            here: list[Any] = []
            given: list[Any] = []
            for argument in first:
                _flatten(argument, here, given)
            return self._run(here + kinds, given + words)

        return call

    def _run(self, kinds: list[Any], words: list[Any]) -> Any:
        key = tuple(kinds)
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = self._entry(kinds)
        packed, call, result = entry
        out = (ctypes.c_int64 * max(len(result), 1))()
        if not call(packed.pack(*words), out):
            raise RuntimeError(f"compiled function '{self.__name__}' failed")
        if not result:
            return None
        values = struct.unpack(f"={result.strip('()')}", bytes(out)[: 8 * len(result.strip("()"))])
        return tuple(values) if result[0] == "(" else values[0]

    @staticmethod
    def kinds(*arguments: Any) -> list[Any]:
        """Kinds of arguments: what machine code is made for."""
        found: list[Any] = []
        for argument in arguments:
            _flatten(argument, found, [])
        return found

    def kept(self, *arguments: Any) -> bool:
        """Whether the machine code for such arguments is loaded or on disk."""
        kinds = self.kinds(*arguments)
        path = self.place(kinds)[0]
        return tuple(kinds) in self._entries or path is not None and path.is_file()

    def place(self, kinds: list[Any]) -> tuple[Path | None, str]:
        """File of the machine code for these kinds of arguments (none without a source file), and its name."""
        return _place(self.py_func, (kinds, sorted(self.fastmath)))

    def make(self, kinds: list[Any]) -> None:
        """Compile for these kinds of arguments into a file, unless it is there or somebody is at work on it."""
        native.file(*self.place(kinds), self._maker(kinds))

    def _maker(self, kinds: list[Any]) -> native.Maker:
        def make(symbol: str) -> tuple[bytes, str]:
            return build.entry_code(self, kinds, symbol)

        return make

    def _entry(self, kinds: list[Any]) -> tuple[struct.Struct, Any, str]:
        address, result = native.function(*self.place(kinds), self._maker(kinds))
        call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_void_p)(address)
        return struct.Struct("=" + "".join(_words(kind) for kind in kinds)), call, result

    def __repr__(self) -> str:
        return f"<compiled {self.__name__}>"


def _flatten(value: Any, kinds: list[Any], words: list[Any]) -> None:
    """Kind of an argument, and its words: pointer, shape and strides of an array, the bits of a number."""
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        kinds.append((value.dtype.str, value.ndim, layout, flags.writeable))
        words.append(value.__array_interface__["data"][0])
        words.extend(value.shape)
        words.extend(value.strides)
    elif isinstance(value, float):
        kinds.append("d")
        words.append(value)
    elif isinstance(value, (bool, np.bool_)):
        kinds.append("?")
        words.append(value)
    elif isinstance(value, (int, np.integer)):
        kinds.append("q")
        words.append(value)
    elif isinstance(value, tuple):
        kinds.append((type(value), len(value)))
        for item in value:
            _flatten(item, kinds, words)
    else:
        raise TypeError(f"a compiled function takes numbers, arrays and tuples of them, not {type(value).__name__}")


def _words(kind: Any) -> str:
    """Format of the words of a kind."""
    if isinstance(kind, str):
        return "q" if kind == "?" else kind
    return "q" * (1 + 2 * kind[1]) if len(kind) == 4 else ""


#: numbers for functions whose machine code cannot be kept
_UNKEPT = count()


def _place(function: Callable[..., Any], what: Any) -> tuple[Path | None, str]:
    """File of a compiled function (none where its content cannot be told) and the name of its machine code."""
    code = function.__code__
    name = f"gw_{code.co_name.strip('_<>')}"
    if own(function):
        mark = fingerprint(function, what)
        symbol = f"{name}_{mark[:16] if mark else f'unkept{next(_UNKEPT)}'}"
        folder = own_directory() if mark else None
        return (folder / f"{symbol}.o" if folder is not None else None), symbol
    source = Path(code.co_filename)
    closed = tuple(cell.cell_contents for cell in function.__closure__ or ())
    text = f"{function.__qualname__} {code.co_firstlineno} {what!r} {closed!r}"
    symbol = f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    plain = all(isinstance(x, (int, float, str, tuple, Function, Compiled, Intrinsic)) for x in closed)
    if not (plain and source.is_file()):
        return None, symbol
    shipped, folder = shipped_directory(source), cache_directory(source)
    if shipped is not None and (shipped / f"{symbol}.o").is_file():
        return shipped / f"{symbol}.o", symbol
    return (folder / f"{symbol}.o" if folder is not None else None), symbol


def kernel(function: Callable[..., Any]) -> Function:
    """Compile a loop that Python calls."""
    return Function(function)


def hot(function: Callable[..., Any]) -> Function:
    """Compile an inner function."""
    return Function(function)


def summed(function: Callable[..., Any]) -> Function:
    """As :func:`hot`, for long sums whose order is free: they are formed several terms at a time."""
    return Function(function, frozenset({"contract", "reassoc", "nsz"}))


def fused(function: Callable[..., Any]) -> Function:
    """As :func:`hot`, for plain sums of products: multiply and add may be one instruction."""
    return Function(function, frozenset({"contract"}))


# --- functions called by address -------------------------------------------------------------------------


class Signature(NamedTuple):
    """Signature of a C function in words: ``real`` double, ``reals`` pointer to them, ``word`` int64, ``words``."""

    result: str
    arguments: tuple[str, ...]


_CTYPES: dict[str, Any] = {
    "nothing": None,
    "real": ctypes.c_double,
    "reals": ctypes.POINTER(ctypes.c_double),
    "word": ctypes.c_int64,
    "words": ctypes.POINTER(ctypes.c_int64),
}


def signature(text: str) -> Signature:
    """Signature from a text such as ``word(words, real)``."""
    result, _, rest = text.rstrip(")").partition("(")
    arguments = tuple(word.strip() for word in rest.split(",") if word.strip())
    unknown = {result, *arguments} - set(_CTYPES)
    if unknown:
        raise ValueError(f"signature '{text}': there is no {', '.join(sorted(unknown))}; use {', '.join(_CTYPES)}")
    return Signature(result, arguments)


class Compiled:
    """A C function made from a Python function when its address is first asked for.

    Importing a law must not compile it, so the Python function is kept and compiled late. It stays callable
    (slowly) through :attr:`python`.
    """

    def __init__(self, python: Callable[..., Any], signature: Signature):
        self.python = python
        self.signature = signature
        self.__doc__ = python.__doc__
        self.__name__ = getattr(python, "__name__", "law")
        self.__module__ = python.__module__
        self._address = 0
        self._ctypes: Any = None

    @property
    def address(self) -> int:
        """Address of the machine code."""
        if not self._address:
            self._address, _ = native.function(*self.place([]), self._make)
        return self._address

    def _make(self, symbol: str) -> tuple[bytes, str]:
        return build.function_code(self, symbol), ""

    @staticmethod
    def kinds() -> list[Any]:
        """Nothing: the signature is fixed."""
        return []

    def kept(self) -> bool:
        """Whether the machine code is loaded or on disk."""
        path = self.place([])[0]
        return self._address != 0 or path is not None and path.is_file()

    def place(self, kinds: list[Any]) -> tuple[Path | None, str]:
        """File of the machine code (none without a source file), and its name."""
        return _place(self.python, self.signature)

    def make(self, kinds: list[Any]) -> None:
        """Compile into a file, unless it is there or somebody is at work on it."""
        native.file(*self.place(kinds), self._make)

    @property
    def ctypes(self) -> Any:
        """The function as a ctypes object, to call it from Python with real pointers."""
        if self._ctypes is None:
            arguments = [_CTYPES[name] for name in self.signature.arguments]
            self._ctypes = ctypes.CFUNCTYPE(_CTYPES[self.signature.result], *arguments)(self.address)
        return self._ctypes

    def __repr__(self) -> str:
        return f"<compiled {self.__name__}>"


# --- instructions of our own -----------------------------------------------------------------------------


class Intrinsic:
    """A function whose machine code is written by hand; compiled functions alone can call it.

    Made of what numba's decorator of this name takes, and handed to numba when a compiled function first calls it.
    """

    def __init__(self, definition: Callable[..., Any]):
        self.definition = definition
        self.__doc__ = definition.__doc__
        self.__name__ = definition.__name__
        self._made: Any = None

    @property
    def for_numba(self) -> Any:
        """Numba's own object for it."""
        if self._made is None:
            self._made = build.make_intrinsic(self.definition)
        return self._made


def intrinsic(function: Callable[..., Any]) -> Any:
    """Make an :class:`Intrinsic` of ``(typingctx, arguments...) -> (signature, codegen)``."""
    return Intrinsic(function)


def caller(target: Signature) -> Any:
    """An :class:`Intrinsic` ``(address, arguments...)`` that calls a C function of this signature by its address."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        wanted = [build.c_type(name) for name in target.arguments]
        void = target.result == "nothing"
        returned = ir.VoidType() if void else context.get_value_type(build.c_type(target.result))
        kind = ir.FunctionType(returned, [context.get_value_type(a) for a in wanted]).as_pointer()
        function = builder.inttoptr(context.cast(builder, args[0], sig.args[0], types.int64), kind)
        values = [
            context.cast(builder, a, have, want) if have != want else a
            for a, have, want in zip(args[1:], sig.args[1:], wanted, strict=True)
        ]
        result = builder.call(function, values)
        return context.get_dummy_value() if void else result

    def typed(*given: Any) -> Any:
        return build.c_type(target.result)(*given), codegen

    # numba reads the number of arguments off the definition
    names = ", ".join(["address", *(f"x{i}" for i in range(len(target.arguments)))])
    return Intrinsic(eval(f"lambda typingctx, {names}: typed({names})", {"typed": typed}))


def by_address(text: str) -> tuple[Callable[[Callable[..., Any]], Compiled], Any]:
    """Functions of one C signature that compiled code calls by address: the decorator that makes one, and the caller
    ``(address, arguments...)``. For the words of a signature see :func:`signature`."""
    target = signature(text)
    return (lambda function: Compiled(function, target)), caller(target)
