"""From a Python function to an object file: the one place that knows numba.

Numba would emit, wrap and link every function on its own. Here a function that others call is only translated to the
compiler's intermediate code; machine code is made once, for whole functions that Python or an engine calls.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

if "numba" not in sys.modules:
    # messages of attempts that numba itself discards would each be coloured for a terminal: a twentieth of the time
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
    # what switches its decorators off would spoil its own functions too
    _off = {k: os.environ.pop(k) for k in ("NUMBA_DISABLE_JIT",) if k in os.environ}
else:
    _off = {}

import numba
import numpy as np
from llvmlite import binding as llvm
from llvmlite import ir
from numba import _dynfunc, types  # type: ignore[attr-defined]
from numba.core import cgutils, errors, typing
from numba.core import typed_passes as typed
from numba.core import untyped_passes as untyped
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, _pass_registry, register_pass
from numba.core.registry import cpu_target
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import make_intrinsic_template
from numba.np import linalg
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from . import compiler_lanes as _lanes  # noqa: F401  makes its types known
from . import native
from .compiled import Compiled, Function, Signature
from .compiler_quick import looking_once, ours

# numba looks for SciPy's linear algebra when it first compiles anything; that import is left to those who call it
linalg.ensure_blas, _ensure_blas = (lambda: None), linalg.ensure_blas
import_module("numba.np.arraymath")
linalg.ensure_blas = _ensure_blas

if _off:
    os.environ.update(_off)
    numba.config.reload_config()

_WORD = ir.IntType(64)
_C_TYPES = {
    "nothing": types.void, "real": types.float64, "reals": types.CPointer(types.float64),
    "word": types.int64, "words": types.CPointer(types.int64),
}  # fmt: skip


#: numba's names of functions of the C library
_LIBRARY = {"numba_ldexp": "ldexp", "numba_frexp": "frexp"}
_PASSES = (
    untyped.TranslateByteCode, untyped.FixupArgs, untyped.IRProcessing, untyped.RewriteSemanticConstants,
    untyped.DeadBranchPrune, untyped.GenericRewrites, untyped.ReconstructSSA, typed.NopythonTypeInference,
    typed.PreLowerStripPhis, typed.InlineOverloads, typed.NoPythonSupportedFeatureValidation,
    typed.IRLegalization, typed.AnnotateTypes,
)  # fmt: skip


class _Part(JITCodeLibrary):
    """Intermediate code of a function and of all that it calls; never machine code of its own."""

    def finalize(self) -> None:
        """Link what is called; the whole is optimised when machine code is made."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No machine code, no address."""
        self._ensure_finalized()
        return 0

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    """Numba's translation into intermediate code, known to callers without an address."""

    _name = "gearwright_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate; the function is entered for its callers here, since nothing executable is made."""
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        super().run_pass(state)
        made, name = state.cr, state.func_id.func_name
        nothing = _dynfunc.make_function(made.fndesc.lookup_module(), name, "", 0, made.env, (state.library,))
        state.targetctx.insert_user_function(nothing, made.fndesc, [state.library])
        state.cr = made._replace(cfunc=nothing)
        return True


class _Passes(PassManager):
    """Runs numba's passes without what it does beside each: events, clocks and checks."""

    def _runPass(self, index: int, one: Any, state: Any) -> None:
        one.analysis = self._analysis
        one.run_initialization(state)
        one.run_pass(state)
        one.run_finalizer(state)
        if _pass_registry.get(type(one)).mutates_CFG:
            state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)


class _Pipeline(CompilerBase):
    """Numba's passes for functions without closures, loops over mixed tuples and the like."""

    def define_pipelines(self) -> list[Any]:
        """The passes that our functions need."""
        passes = _Passes("gearwright")
        for one in (*_PASSES, _Lowering, typed.NoPythonBackend):
            passes.add_pass(one, one._name)
        passes.finalize()
        return [passes]


@contextmanager
def _on() -> Iterator[None]:
    """One compilation at a time; ours are compiled even where numba is off, for those who look for a fault of their own."""
    with global_compiler_lock:
        off = {k: os.environ.pop(k) for k in ("NUMBA_DISABLE_JIT",) if k in os.environ}
        settings: Any = numba.config
        before, settings.DISABLE_JIT = settings.DISABLE_JIT, 0
        try:
            yield
        finally:
            settings.DISABLE_JIT = before
            os.environ.update(off)


def dispatcher(function: Callable[..., Any], fastmath: frozenset[str] = frozenset()) -> Any:
    """Numba's object for a function that compiled functions call."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cpython_wrapper": True,
                               "no_cfunc_wrapper": True}  # fmt: skip
    ours.add(function.__code__)
    return numba.njit(pipeline_class=_Pipeline, fastmath=set(fastmath) or False, **options)(function)


def intrinsic_type(definition: Callable[..., Any]) -> Any:
    """Numba's type of a function whose code ``definition`` writes."""
    return types.Function(make_intrinsic_template(definition, definition, definition.__name__))


def c_type(name: str) -> Any:
    """Numba's type of an argument or result of a C function."""
    return _C_TYPES[name]


def function_code(function: Compiled, symbol: str) -> bytes:
    """A C function as an object file."""
    return _machine_code(function_module(function, symbol))


def function_module(function: Compiled, symbol: str) -> Any:
    """A C function, optimised, all names but its own private."""
    wanted: Signature = function.signature
    arguments = [_C_TYPES[name] for name in wanted.arguments]
    with _on():
        part, context = _translated(dispatcher(function.python), arguments), cpu_target.target_context
        found = part.signature.return_type
        if found == types.none and wanted.result != "nothing":
            raise TypeError(f"'{function.__name__}' returns nothing where a {wanted.result} is expected")

        def body(builder: Any, given: Any) -> None:
            _, value = _call(context, builder, part, given)
            if wanted.result == "nothing":
                builder.ret_void()
            else:
                builder.ret(context.cast(builder, value, found, _C_TYPES[wanted.result]))

        kinds = [context.get_value_type(a) for a in arguments]
        returned = ir.VoidType() if wanted.result == "nothing" else context.get_value_type(_C_TYPES[wanted.result])
        return _wrapped(part, symbol, ir.FunctionType(returned, kinds), body)


def entry_code(function: Function, kinds: list[Any], symbol: str) -> tuple[bytes, str]:
    """A function as an object file for Python: ``status = f(words, results)``; and the format of its results."""
    arguments = []
    rest = list(kinds)
    while rest:
        arguments.append(_type(rest))
    result = ""
    with _on():
        part, context = _translated(function.dispatcher, arguments), cpu_target.target_context

        def body(builder: Any, given: Any) -> None:
            nonlocal result
            words = _Words(builder, given[0])
            status, value = _call(context, builder, part, [_unpack(context, builder, t, words) for t in arguments])
            result = _store(context, builder, part.signature.return_type, value, given[1])
            builder.ret(builder.select(status.is_ok, _WORD(0), _WORD(1)))

        module = _wrapped(part, symbol, ir.FunctionType(_WORD, [_WORD.as_pointer()] * 2), body)
        return _machine_code(module), result


def ready() -> None:
    """Make numba read its tables of what is built in, which it does when it first compiles: half a second."""
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


def _translated(function: Any, arguments: list[Any]) -> Any:
    """Numba's result for these argument types. Raises ValueError with what cannot be compiled."""
    try:
        with looking_once():
            function.compile(tuple(arguments))
    except (errors.NumbaError, RuntimeError) as error:
        name = function.py_func.__name__
        if any(sign in str(error) for sign in ("NRT required", "Only accept returning of array")):
            raise ValueError(
                f"'{name}' makes an array: a compiled function may not allocate, give it the room"
            ) from None
        raise ValueError(f"'{name}' cannot be compiled: {error}") from error
    return function.overloads[tuple(arguments)]


def _call(context: Any, builder: Any, part: Any, values: Any) -> tuple[Any, Any]:
    callee = context.declare_function(builder.module, part.fndesc)
    sig: typing.Signature = part.signature
    status, value = context.call_conv.call_function(builder, callee, sig.return_type, sig.args, values)
    return status, value


def _wrapped(part: Any, symbol: str, kind: Any, body: Callable[[Any, Any], None]) -> Any:
    """A function of this name around a translated one, with all that it calls, optimised as numba does.

    Only its own name can be seen from outside.
    """
    whole = _Part(part.library.codegen, symbol)
    module = whole.create_ir_module(symbol)
    outer = ir.Function(module, kind, symbol)
    with cpu_target.target_context.push_code_library(whole):
        body(ir.IRBuilder(outer.append_basic_block()), outer.args)
    whole.add_ir_module(module)
    whole.add_linking_library(part.library)
    whole.finalize()
    passes, builder = whole._codegen._module_pass_manager()
    found = whole._final_module
    passes.run(found, builder)
    for item in (*found.functions, *found.global_variables):
        if not item.is_declaration and item.name != symbol:
            item.linkage = "internal"
        elif item.name in _LIBRARY:
            item.name = _LIBRARY[item.name]
    missing = [f.name for f in found.functions if f.is_declaration and not f.name.startswith("llvm.")]
    missing = [name for name in missing if not native.resolvable(name)]
    if missing:
        raise TypeError(f"'{symbol}' needs {', '.join(missing)}: compiled functions may not allocate or use Python")
    return found


def _machine_code(module: Any) -> bytes:
    return bytes(cpu_target.target_context.codegen()._tm.emit_object(module))


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
        return types.Array(from_dtype(np.dtype(dtype)), ndim, layout, readonly=not writeable)
    cls, number = kind
    items = [_type(kinds) for _ in range(number)]
    return types.BaseTuple.from_types(items, None if cls is tuple else cls)


class _Words:
    """Reads words one after the other."""

    def __init__(self, builder: Any, pointer: Any):
        self.builder, self.pointer, self.read = builder, pointer, 0

    def next(self) -> Any:
        place = self.builder.gep(self.pointer, [_WORD(self.read)])
        self.read += 1
        return self.builder.load(place)


def _unpack(context: Any, builder: Any, kind: Any, words: _Words) -> Any:
    """Value of an argument from its words."""
    if isinstance(kind, types.BaseTuple):
        members: Any = kind
        return context.make_tuple(builder, kind, [_unpack(context, builder, t, words) for t in members])
    if isinstance(kind, types.Array):
        data = builder.inttoptr(words.next(), context.get_value_type(types.CPointer(kind.dtype)))
        shape = [words.next() for _ in range(kind.ndim)]
        strides = [words.next() for _ in range(kind.ndim)]
        return array_at(context, builder, kind, data, shape, strides)
    word = words.next()
    if kind == types.float64:
        return builder.bitcast(word, ir.DoubleType())
    return context.cast(builder, word, types.int64, kind)


def array_at(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any], strides: list[Any]) -> Any:
    """Code that makes an array of memory that is there."""
    array = context.make_array(kind)(context, builder)
    populate_array(
        array, data=builder.bitcast(data, array.data.type), shape=cgutils.pack_array(builder, shape, _WORD),
        strides=cgutils.pack_array(builder, strides, _WORD), meminfo=None,
        itemsize=context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype))),
    )  # fmt: skip
    return array._getvalue()


def _store(context: Any, builder: Any, kind: Any, value: Any, out: Any) -> str:
    """Write a result, one word per number; returns the format, in brackets for a tuple."""
    if kind == types.none:
        return ""
    if isinstance(kind, types.BaseTuple):
        members: Any = kind
        items = [builder.extract_value(value, i) for i in range(len(kind))]
        made = "".join(_store(context, builder, t, item, builder.gep(out, [_WORD(i)]))
                       for i, (t, item) in enumerate(zip(members, items, strict=True)))  # fmt: skip
        return f"({made})"
    if isinstance(kind, types.Float):
        value = builder.bitcast(context.cast(builder, value, kind, types.float64), _WORD)
        builder.store(value, out)
        return "d"
    if isinstance(kind, (types.Integer, types.Boolean)):
        builder.store(context.cast(builder, value, kind, types.int64), out)
        return "q"
    raise TypeError(f"a compiled function returns numbers or tuples of them, not {kind}")
