"""From a Python function to an object file: the one place that knows numba, by its documented interfaces alone.

``njit`` compiles what other compiled functions call, ``cfunc`` what Python or an engine calls; its intermediate code is taken
as text, freed of what only a Python caller would need, and made into an object file by LLVM's own binding.
"""

from __future__ import annotations

import os
import sys
import types as pythontypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import Any, Protocol

# what switches numba's decorators off would spoil its own functions too
_off: dict[str, str] = (
    {} if "numba" in sys.modules else {k: os.environ.pop(k) for k in ("NUMBA_DISABLE_JIT",) if k in os.environ}
)

import numba  # noqa: E402
import numpy as np  # noqa: E402
from llvmlite import binding as llvm  # noqa: E402
from llvmlite import ir  # noqa: E402
from numba import types  # noqa: E402
from numba.extending import intrinsic as numba_intrinsic  # noqa: E402

from . import native  # noqa: E402
from .refusals import KernelError, plain, refuse_statements, sentence  # noqa: E402

_settings: Any = numba.config  # type: ignore[attr-defined]
if _off:
    os.environ.update(_off)
    _settings.DISABLE_JIT = int(_off["NUMBA_DISABLE_JIT"] or 0)

_WORD = ir.IntType(64)
_WORDS, _REALS = types.CPointer(types.int64), types.CPointer(types.float64)
_C_TYPES = {"nothing": types.void, "real": types.float64, "reals": _REALS, "word": types.int64, "words": _WORDS}
#: options of every compiled function: division as IEEE 754 says, no interpreter lock
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
#: numba's names of functions of the C library
_LIBRARY = {"numba_ldexp": "ldexp", "numba_frexp": "frexp"}
#: what a compiled function calls where it raises an error: ours never do, so that the calls do nothing
_STANDINS = """
define void @numba_gil_ensure(ptr %a) { ret void }
define void @numba_gil_release(ptr %a) { ret void }
define void @PyErr_Clear() { ret void }
define ptr @PyUnicode_FromString(ptr %a) { ret ptr null }
define void @PyErr_WriteUnraisable(ptr %a) { ret void }
define void @PyErr_SetNone(ptr %a) { ret void }
define void @PyErr_SetString(ptr %a, ptr %b) { ret void }
define void @Py_DecRef(ptr %a) { ret void }
define ptr @PyBytes_FromStringAndSize(ptr %a, i64 %b) { ret ptr null }
define ptr @numba_unpickle(ptr %a, i32 %b, ptr %c) { ret ptr null }
define ptr @numba_runtime_build_excinfo_struct(ptr %a, ptr %b) { ret ptr null }
define i32 @numba_do_raise(ptr %a) { ret i32 0 }
define void @NRT_incref(ptr %a) { ret void }
define void @NRT_decref(ptr %a) { ret void }
define void @NRT_Free(ptr %a) { ret void }
@PyExc_StopIteration = global i8 0
@PyExc_SystemError = global i8 0
@PyExc_RuntimeError = global i8 0
"""


class CFunction(Protocol):
    """A Python function that becomes a C function."""

    python: Callable[..., Any]
    signature: Any


class Callee(Protocol):
    """A Python function that numba compiles for any types of arguments."""

    __name__: str
    py_func: Callable[..., Any]

    @property
    def for_numba(self) -> Any: ...


_ONE = RLock()


@contextmanager
def _on() -> Iterator[None]:
    """One compilation at a time; ours are compiled even where numba is off, for those who look for a fault of their own.

    Numba does not optimise: a module is optimised whole, once, when all that it calls is in it.
    """
    with _ONE:
        off = {k: os.environ.pop(k) for k in ("NUMBA_DISABLE_JIT",) if k in os.environ}
        before = _settings.DISABLE_JIT, _settings.OPT
        _settings.DISABLE_JIT = 0
        _leave_to_others()
        _settings.OPT = type(before[1])(0)
        try:
            yield
        finally:
            _settings.DISABLE_JIT, _settings.OPT = before
            os.environ.update(off)


@cache
def _leave_to_others() -> None:
    """Let numba make its own compiler once with the settings of this process, for functions that are not ours."""
    numba.njit("void()")(lambda: None)


def dispatcher(function: Callable[..., Any], fastmath: frozenset[str] = frozenset()) -> Any:
    """Numba's object for a function that compiled functions call."""
    with _on():
        return numba.njit(fastmath=set(fastmath) or False, **_OPTIONS)(_seen_by_numba(function))


def _seen_by_numba(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with numba's objects in the places of ours among its globals and closed-over variables."""
    code = function.__code__
    names = {name for part in _codes(code) for name in part.co_names}
    globals_ = {name: _to_numba(function.__globals__[name]) for name in names if name in function.__globals__}
    globals_ |= {"__builtins__": __builtins__, "__name__": function.__module__}
    cells = tuple(pythontypes.CellType(_to_numba(cell.cell_contents)) for cell in function.__closure__ or ())
    made = pythontypes.FunctionType(code, globals_, function.__name__, function.__defaults__, cells or None)
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    return made


def _codes(code: Any) -> list[Any]:
    return [code, *(part for c in code.co_consts if isinstance(c, pythontypes.CodeType) for part in _codes(c))]


def _to_numba(value: Any) -> Any:
    return value.for_numba if hasattr(type(value), "for_numba") else value


def make_intrinsic(definition: Callable[..., Any]) -> Any:
    """Numba's object for a function whose code ``definition`` writes."""
    return numba_intrinsic(definition)


def c_type(name: str) -> Any:
    """Numba's type of an argument or result of a C function."""
    return _C_TYPES[name]


def function_code(function: CFunction, symbol: str) -> bytes:
    """A C function as an object file."""
    return _machine_code(function_module(function, symbol))


def function_module(function: CFunction, symbol: str) -> Any:
    """A C function, optimised, all names but its own private."""
    refuse_statements(function.python)
    wanted = function.signature
    signature = _C_TYPES[wanted.result](*(_C_TYPES[name] for name in wanted.arguments))
    return _module(_seen_by_numba(function.python), signature, symbol)


def entry_code(function: Callee, kinds: list[Any], symbol: str) -> tuple[bytes, str]:
    """A function as an object file for Python: ``done = f(words, results)``; and the format of its results.

    ``done`` is 0 where the function raised an error.
    """
    rest, arguments = list(kinds), []
    while rest:
        arguments.append(_type(rest))
    result = _returned(function, arguments)
    names: dict[str, Any] = {"function": function.for_numba, "take": [], "reals": _reals}
    texts, word = [], 0
    for argument in arguments:
        text, word = _argument(argument, word, names)
        texts.append(text)
    lines: list[str] = []
    form = ""
    if result != types.none:
        lines, form = _stores(result, "value", [])
    body = "\n    ".join([f"value = function({', '.join(texts)})", *lines, "return 1"])
    exec(compile(f"def entry(words, results):\n    {body}\n", f"<entry of {function.__name__}>", "exec"), names)
    module = _module(names["entry"], types.int64(_WORDS, _WORDS), symbol)
    return _machine_code(module), form


def _returned(function: Callee, arguments: list[Any]) -> Any:
    """Type that a function returns for these types of arguments. Raises KernelError with what cannot be compiled."""
    wanted = tuple(arguments)
    try:
        with _on():
            function.for_numba.compile(wanted)
    except (numba.errors.NumbaError, RuntimeError) as error:
        raise plain(function.py_func, error) from error
    return next(s for s in function.for_numba.nopython_signatures if s.args == wanted).return_type


def _module(function: Callable[..., Any], signature: Any, symbol: str) -> Any:
    """A function as an optimised module of LLVM in which only ``symbol`` can be seen from outside.

    Raises KernelError for what numba cannot compile, for functions that allocate and for those that use Python.
    """
    try:
        with _on():
            made = numba.cfunc(signature, error_model="numpy")(function)
    except (numba.errors.NumbaError, RuntimeError) as error:
        raise plain(function, error) from error
    module = llvm.parse_assembly(made.inspect_llvm())
    module.get_function(made.native_name).name = symbol
    standins = llvm.parse_assembly(_STANDINS)
    standins.triple, standins.data_layout = module.triple, module.data_layout
    module.link_in(standins)
    for item in (*module.functions, *module.global_variables):
        if item.name in _LIBRARY:
            item.name = _LIBRARY[item.name]
        elif not item.is_declaration and item.name != symbol:
            item.linkage = "internal"
    machine = _machine()
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    missing = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    missing = [name for name in missing if name.startswith(("Py", "_Py")) or not native.resolvable(name)]
    if any(name.startswith("NRT_") for name in missing):
        raise KernelError(
            sentence(
                function, "it makes an array, a list or a text: a compiled function may not allocate, give it the room"
            )
        )
    if missing or "missing Environment" in str(
        module
    ):  # the second: numba ends the function where it would need Python
        why = f"it needs {', '.join(missing)}" if missing else "it needs Python"
        raise KernelError(sentence(function, f"{why}: a compiled function may not print or use objects"))
    return module


def _machine() -> Any:
    """Code that is linked where it lies, however far from what it calls: absolute addresses of 64 bits."""
    name, features = native.processor()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=name, features=features, opt=3, reloc="static", codemodel="large")


def _machine_code(module: Any) -> bytes:
    return bytes(_machine().emit_object(module))


def portable_code(module: Any) -> bytes:
    """A module as an object file for any processor of the last fifteen years, not this one alone."""
    triple = llvm.get_process_triple()
    processor = "x86-64-v2" if triple.startswith("x86_64") else ""
    made = llvm.Target.from_triple(triple).create_target_machine(cpu=processor, opt=3, reloc="pic", codemodel="default")
    return bytes(made.emit_object(module))


# --- arguments and results of functions that Python calls ----------------------------------------------------


def _type(kinds: list[Any]) -> Any:
    """Numba's type of the first argument that ``kinds`` describes; takes it off the list."""
    kind = kinds.pop(0)
    if isinstance(kind, str):
        return {"d": types.float64, "q": types.int64, "?": types.boolean}[kind]
    if len(kind) == 4:
        dtype, ndim, layout, writeable = kind
        return types.Array(numba.from_dtype(np.dtype(dtype)), ndim, layout, readonly=not writeable)
    cls, number = kind
    items = [_type(kinds) for _ in range(number)]
    return types.BaseTuple.from_types(items, None if cls is tuple else cls)


def _argument(kind: Any, word: int, names: dict[str, Any]) -> tuple[str, int]:
    """Expression of an argument that begins at a word, and the word after it; what it needs goes into ``names``."""
    if isinstance(kind, types.BaseTuple):
        texts = []
        members: Any = kind
        for member in members:
            text, word = _argument(member, word, names)
            texts.append(text)
        inside = ", ".join(texts)
        if isinstance(kind, types.BaseNamedTuple):
            name, named = f"tuple_{len(names)}", kind
            names[name] = named.instance_class  # type: ignore[attr-defined]
            return f"{name}({inside})", word
        return f"({inside},)", word
    if isinstance(kind, types.Array):
        name = f"array_{len(names)}"
        names[name] = _array(kind)
        return f"{name}(words, {word})", word + 1 + 2 * kind.ndim
    if kind == types.float64:
        return f"reals(words)[{word}]", word + 1
    return (f"words[{word}] != 0" if kind == types.boolean else f"words[{word}]"), word + 1


def _stores(kind: Any, text: str, lines: list[str]) -> tuple[list[str], str]:
    """Statements that write a result, one word per number; and its format, in brackets for a tuple."""
    if isinstance(kind, types.BaseTuple):
        members: Any = kind
        forms = [_stores(member, f"{text}[{i}]", lines)[1] for i, member in enumerate(members)]
        return lines, f"({''.join(forms)})"
    if isinstance(kind, types.Float):
        lines.append(f"reals(results)[{len(lines)}] = {text}")
        return lines, "d"
    if isinstance(kind, (types.Integer, types.Boolean)):
        lines.append(f"results[{len(lines)}] = {text}")
        return lines, "q"
    raise TypeError(f"a compiled function returns numbers or tuples of them, not {kind}")


@numba_intrinsic
def _reals(typingctx, words):  # type: ignore[no-untyped-def]
    """Words as double precision numbers."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType().as_pointer())

    return _REALS(words), codegen


def _array(kind: Any) -> Any:
    """Function ``(words, first)`` that makes an array of this type of memory that words tell of: pointer, shape, strides."""

    def definition(typingctx, words, first):  # type: ignore[no-untyped-def]
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            begin = context.cast(builder, args[1], sig.args[1], types.int64)
            read = [
                builder.load(builder.gep(args[0], [builder.add(begin, _WORD(i))])) for i in range(1 + 2 * kind.ndim)
            ]
            data = builder.inttoptr(read[0], context.get_value_type(types.CPointer(kind.dtype)))
            return array_at(context, builder, kind, data, read[1 : 1 + kind.ndim], read[1 + kind.ndim :])

        return kind(words, first), codegen

    return numba_intrinsic(definition)


def array_at(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any], strides: list[Any]) -> Any:
    """Code that makes an array of memory that is there."""
    array = context.make_array(kind)(context, builder)
    array.data = builder.bitcast(data, array.data.type)
    array.nitems = _WORD(1)
    for length in shape:
        array.nitems = builder.mul(array.nitems, length)
    array.itemsize = _WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    array.shape, array.strides = _packed(builder, shape), _packed(builder, strides)
    array.meminfo, array.parent = ir.Constant(array.meminfo.type, None), ir.Constant(array.parent.type, None)
    return array._getvalue()


def _packed(builder: Any, words: list[Any]) -> Any:
    made = ir.Constant(ir.ArrayType(_WORD, len(words)), ir.Undefined)
    for i, word in enumerate(words):
        made = builder.insert_value(made, word, i)
    return made
