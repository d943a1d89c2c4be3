"""Laws as C: the Python text of a compiled function written as readable C99, helpers along with it.

A law is a small function of numbers and pointers that numba compiles (:mod:`gearwright.kernels`); this module reads the same text, finds
the kind of every name (double, integer, truth, pointer) and writes the function in C, so that a law exists once. What has no
meaning in plain C (vectors, addresses of other functions, arrays) is refused with the name of the law and the line.
"""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gearwright.errors import CouplingError
from gearwright.kernels import Compiled, Function
from gearwright.kernels import pointers as _pointers
from gearwright.kernels.law_functions import FORCE, GUARD

REAL, WHOLE, TRUTH, REALS, WHOLES, NOTHING = "double", "int64_t", "int", "double *", "int64_t *", "void"
#: kinds of a signature's words
_KINDS = {"real": REAL, "word": WHOLE, "reals": REALS, "words": WHOLES, "nothing": NOTHING}
#: functions of one real number that C has by the same name, or by another one
_REAL_FUNCTIONS = {
    n: n for n in ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "sinh", "cosh", "ceil", "fabs", "log10")
}
_REAL_FUNCTIONS |= {
    "floor": "gw_floor",
    "arctan": "atan",
    "atan": "atan",
    "arcsin": "asin",
    "asin": "asin",
    "arccos": "acos",
    "acos": "acos",
    "abs": "fabs",
    "log1p": "log1p",
    "expm1": "expm1",
}
_TWO = {"arctan2": "atan2", "atan2": "atan2", "hypot": "hypot", "copysign": "copysign"}
#: hints to numba's optimiser
_HINTS = ("always_inline", "noinline", "noalias")
_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_BITS = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}

#: what translated functions refer to: whole-number division and remainder round down, as in Python
PRELUDE = """static inline int64_t gw_div(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }
static inline int64_t gw_mod(int64_t a, int64_t b) { return a - b * gw_div(a, b); }
static inline double gw_floor(double x) { /* without a call, which compilers for old processors make of floor */
  if (!(fabs(x) < 4503599627370496.0)) return x;
  double whole = (double)(int64_t)x;
  return whole > x ? whole - 1.0 : whole;
}
static inline double gw_remainder(double a, double b) { return a - b * gw_floor(a / b); }
static inline double gw_min(double a, double b) { return b < a ? b : a; }
static inline double gw_max(double a, double b) { return b > a ? b : a; }
static inline int64_t gw_least(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t gw_most(int64_t a, int64_t b) { return b > a ? b : a; }
"""


class NoC(CouplingError):
    """A function that has no translation; the message says where and why."""


@dataclass
class Translation:
    """C text of functions, each once, helpers before what calls them."""

    texts: list[str] = field(default_factory=list)
    _known: dict[tuple[Any, ...], tuple[str, str]] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)

    def law(self, function: Compiled) -> str:
        """Translate the force or the guard of a law; returns its name in C. Raises NoC."""
        if function.signature not in (FORCE, GUARD):
            raise NoC(f"'{function.__name__}' is neither the force nor the guard of a law")
        return self.function(function.python, tuple(_KINDS[a] for a in function.signature.arguments))[0]

    def function(self, python: Callable[..., Any], kinds: tuple[str, ...]) -> tuple[str, str]:
        """Translate a function for kinds of arguments; returns its name in C and the kind of its result. Raises NoC."""
        key = (python, kinds)
        if key not in self._known:
            name = stem = f"gw_{python.__name__.strip('_')}"
            number = 1
            while name in self._names:
                number += 1
                name = f"{stem}_{number}"
            self._names.add(name)
            result, text = _Body(self, python, kinds, name).write()
            self.texts.append(text)
            self._known[key] = (name, result)
        return self._known[key]


class _Body:
    """One function on its way to C."""

    def __init__(self, whole: Translation, python: Callable[..., Any], kinds: tuple[str, ...], name: str):
        self.whole, self.python, self.name = whole, python, name
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(python))).body[0]
        except (OSError, TypeError, SyntaxError):
            raise NoC(f"the text of '{python.__name__}' cannot be read") from None
        if not isinstance(tree, ast.FunctionDef):
            raise NoC(f"'{python.__name__}' is no plain function")
        self.tree = tree
        self.arguments = [a.arg for a in self.tree.args.args]
        if len(self.arguments) != len(kinds):
            raise NoC(f"'{python.__name__}' takes {len(self.arguments)} arguments, not {len(kinds)}")
        self.kinds: dict[str, str] = dict(zip(self.arguments, kinds, strict=True))
        self.given = dict(self.kinds)
        outside = inspect.getclosurevars(python)
        self.outside = {**outside.builtins, **python.__globals__, **outside.nonlocals}
        self.result = NOTHING
        self.lines: list[str] = []
        self.temporaries = 0

    def refuse(self, node: ast.AST, why: str) -> NoC:
        line = self.python.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
        return NoC(f"'{self.python.__name__}', line {line}: {why}")

    # --- kinds -----------------------------------------------------------------------------------------

    def write(self) -> tuple[str, str]:
        for _ in range(8):  # a name may widen from whole to real by what it is assigned later
            before = dict(self.kinds), self.result
            self.lines = []
            self.block(self.tree.body, 1)
            if before == (self.kinds, self.result):
                break
        for name, kind in self.given.items():
            if self.kinds[name] != kind:
                raise NoC(f"'{self.python.__name__}': argument '{name}' becomes another kind of number")
        signature = ", ".join(f"{k}{'' if k.endswith('*') else ' '}{_safe(n)}" for n, k in self.given.items())
        inside = []
        for kind in (REAL, WHOLE, TRUTH, REALS, WHOLES):
            names = [_safe(n) for n, k in self.kinds.items() if k == kind and n not in self.given]
            if names:
                inside.append(
                    f"  {kind.rstrip(' *')} {', '.join(('*' if kind.endswith('*') else '') + n for n in names)};"
                )
        unused = [f"  {' '.join(f'(void){_safe(n)};' for n in self.given)}"] if self.given else []
        said = (ast.get_docstring(self.tree) or "").split("\n\n")[0].replace("*/", "* /")
        comment = [f"/* {self.python.__module__}: {' '.join(said.split())} */"]
        head = f"static {self.result} {self.name}({signature}) {{"
        return self.result, "\n".join([*comment, head, *inside, *unused, *self.lines, "}", ""])

    def note(self, name: str, kind: str, node: ast.AST) -> None:
        had = self.kinds.get(name)
        self.kinds[name] = kind if had is None else self.wider(had, kind, node)

    def wider(self, one: str, two: str, node: ast.AST) -> str:
        if one == two:
            return one
        if {one, two} <= {REAL, WHOLE, TRUTH}:
            return REAL if REAL in (one, two) else WHOLE
        raise self.refuse(node, f"a name is {one} and {two}")

    # --- statements --------------------------------------------------------------------------------------

    def say(self, text: str, depth: int) -> None:
        self.lines.append("  " * depth + text)

    def block(self, body: list[ast.stmt], depth: int) -> None:
        for node in body:
            self.statement(node, depth)

    def statement(self, node: ast.stmt, depth: int) -> None:
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant):
                return  # the docstring
            if (
                isinstance(node.value, ast.Call)
                and isinstance(node.value.func, ast.Name)
                and node.value.func.id in _HINTS
            ):
                return
            self.say(f"{self.value(node.value)[0]};", depth)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self.assign(node.targets[0], node.value, depth)
        elif isinstance(node, ast.Assign):
            text, kind = self.value(node.value)
            for target in node.targets:
                self.store(target, text, kind, depth)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self.assign(node.target, node.value, depth)
        elif isinstance(node, ast.AugAssign):
            load = ast.parse(ast.unparse(node.target), mode="eval").body
            both = ast.copy_location(ast.BinOp(left=load, op=node.op, right=node.value), node)
            self.store(node.target, *self.value(ast.fix_missing_locations(both)), depth)
        elif isinstance(node, ast.If):
            self.say(f"if ({self.value(node.test)[0]}) {{", depth)
            self.block(node.body, depth + 1)
            if node.orelse:
                self.say("} else {", depth)
                self.block(node.orelse, depth + 1)
            self.say("}", depth)
        elif isinstance(node, ast.While) and not node.orelse:
            self.say(f"while ({self.value(node.test)[0]}) {{", depth)
            self.block(node.body, depth + 1)
            self.say("}", depth)
        elif isinstance(node, ast.For) and not node.orelse:
            self.loop(node, depth)
        elif isinstance(node, ast.Return):
            self.give(node, depth)
        elif isinstance(node, (ast.Break, ast.Continue)):
            self.say("break;" if isinstance(node, ast.Break) else "continue;", depth)
        elif not isinstance(node, ast.Pass):
            raise self.refuse(node, f"{type(node).__name__} has no translation")

    def give(self, node: ast.Return, depth: int) -> None:
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.say("return;", depth)
            return
        text, kind = self.value(node.value)
        self.result = kind if self.result == NOTHING else self.wider(self.result, kind, node)
        self.say(f"return {text};", depth)

    def assign(self, target: ast.expr, value: ast.expr, depth: int) -> None:
        if not isinstance(target, ast.Tuple):
            self.store(target, *self.value(value), depth)
            return
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
            raise self.refuse(target, "several names take several values in one line only")
        made = [self.value(v) for v in value.elts]
        simple = all(isinstance(v, (ast.Constant, ast.Subscript)) for v in value.elts)
        if not simple:  # all values are read before the first name is written
            kept = []
            for text, kind in made:
                self.temporaries += 1
                name = f"kept{self.temporaries}"
                self.say(f"{kind}{'' if kind.endswith('*') else ' '}{name} = {text};", depth)
                kept.append((name, kind))
            made = kept
        for one, (text, kind) in zip(target.elts, made, strict=True):
            self.store(one, text, kind, depth)

    def store(self, target: ast.expr, text: str, kind: str, depth: int) -> None:
        if isinstance(target, ast.Name):
            self.note(target.id, kind, target)
            self.say(f"{_safe(target.id)} = {text};", depth)
        elif isinstance(target, ast.Subscript):
            self.say(f"{self.value(target)[0]} = {text};", depth)
        else:
            raise self.refuse(target, "only names and entries are assigned")

    def loop(self, node: ast.For, depth: int) -> None:
        call, target = node.iter, node.target
        if not (
            isinstance(target, ast.Name)
            and isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "range"
            and len(call.args) <= 2
        ):
            raise self.refuse(node, "loops go over range(count) or range(first, end)")
        bounds = [self.value(a)[0] for a in call.args]
        first, end = ("0", bounds[0]) if len(bounds) == 1 else bounds
        self.temporaries += 1
        count, last = f"at{self.temporaries}", f"end{self.temporaries}"
        self.say(f"for (int64_t {count} = {first}, {last} = {end}; {count} < {last}; {count}++) {{", depth)
        if target.id != "_":
            self.note(target.id, WHOLE, node)
            self.say(f"{_safe(target.id)} = {count};", depth + 1)
        self.block(node.body, depth + 1)
        self.say("}", depth)

    # --- expressions -------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> tuple[str, str]:
        """Text and kind of an expression."""
        if isinstance(node, ast.Constant):
            return _number(node.value, lambda why: self.refuse(node, why))
        if isinstance(node, ast.Name):
            if node.id in self.kinds:
                return _safe(node.id), self.kinds[node.id]
            return _number(self.known(node), lambda why: self.refuse(node, why))
        if isinstance(node, ast.Attribute):
            return _number(self.known(node), lambda why: self.refuse(node, why))
        if isinstance(node, ast.Subscript):
            base, kind = self.value(node.value)
            at, of = self.value(node.slice)
            if kind not in (REALS, WHOLES):
                raise self.refuse(node, "entries are those of pointers")
            if (
                of == REAL
            ):  # a name that holds a real number elsewhere; Python takes none as a place, so this one is whole
                at = f"(int64_t)({at})"
            return f"{base}[{at}]", REAL if kind == REALS else WHOLE
        if isinstance(node, ast.UnaryOp):
            text, kind = self.value(node.operand)
            if isinstance(node.op, ast.Not):
                return f"!({text})", TRUTH
            sign = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
            return f"({sign}{text})", WHOLE if kind == TRUTH else kind
        if isinstance(node, ast.BinOp):
            return self.binary(node)
        if isinstance(node, ast.BoolOp):
            joint = " && " if isinstance(node.op, ast.And) else " || "
            return "(" + joint.join(self.value(v)[0] for v in node.values) + ")", TRUTH
        if isinstance(node, ast.Compare):
            parts, left = [], node.left
            for op, right in zip(node.ops, node.comparators, strict=True):
                if type(op) not in _COMPARED:
                    raise self.refuse(node, f"{type(op).__name__} has no translation")
                parts.append(f"{self.value(left)[0]} {_COMPARED[type(op)]} {self.value(right)[0]}")
                left = right
            return "(" + " && ".join(f"({p})" if len(parts) > 1 else p for p in parts) + ")", TRUTH
        if isinstance(node, ast.IfExp):
            one, two = self.value(node.body), self.value(node.orelse)
            return f"({self.value(node.test)[0]} ? {one[0]} : {two[0]})", self.wider(one[1], two[1], node)
        if isinstance(node, ast.Call):
            return self.call(node)
        raise self.refuse(node, f"{type(node).__name__} has no translation")

    def known(self, node: ast.expr) -> Any:
        """What a name or attribute outside the function stands for."""
        if isinstance(node, ast.Name):
            if node.id not in self.outside:
                raise self.refuse(node, f"'{node.id}' is not known")
            return self.outside[node.id]
        if isinstance(node, ast.Attribute):
            owner = self.known(node.value)
            if not hasattr(owner, node.attr):
                raise self.refuse(node, f"'{ast.unparse(node)}' is not known")
            return getattr(owner, node.attr)
        raise self.refuse(node, f"'{ast.unparse(node)}' has no translation")

    def binary(self, node: ast.BinOp) -> tuple[str, str]:
        (a, one), (b, two) = self.value(node.left), self.value(node.right)
        whole = one != REAL and two != REAL
        op = type(node.op)
        if op in _ARITHMETIC:
            return f"({a} {_ARITHMETIC[op]} {b})", WHOLE if whole else REAL
        if op is ast.Div:
            return f"({a} / (double){b})" if whole else f"({a} / {b})", REAL
        if op is ast.FloorDiv:
            return (f"gw_div({a}, {b})", WHOLE) if whole else (f"gw_floor({a} / {b})", REAL)
        if op is ast.Mod:
            return (f"gw_mod({a}, {b})", WHOLE) if whole else (f"gw_remainder({a}, {b})", REAL)
        if op is ast.Pow:
            return f"pow({a}, {b})", REAL
        if op in _BITS and whole:
            return f"({a} {_BITS[op]} {b})", WHOLE
        raise self.refuse(node, f"{op.__name__} of {one} and {two} has no translation")

    def call(self, node: ast.Call) -> tuple[str, str]:
        if node.keywords:
            raise self.refuse(node, "arguments by name have no translation")
        callee = self.known(node.func)
        made = [self.value(a) for a in node.args]
        texts, kinds = [m[0] for m in made], [m[1] for m in made]
        name = getattr(callee, "__name__", "")
        if callee is int or callee is np.int64:
            return f"(int64_t)({texts[0]})", WHOLE
        if callee is float or callee is np.float64:
            return f"(double)({texts[0]})", REAL
        if callee in (min, max) and len(texts) >= 2:
            real = REAL in kinds
            chosen = {(min, True): "gw_min", (max, True): "gw_max", (min, False): "gw_least", (max, False): "gw_most"}[
                callee, real
            ]
            text = texts[0]
            for other in texts[1:]:
                text = f"{chosen}({text}, {other})"
            return text, REAL if real else WHOLE
        if callee is abs and kinds[0] != REAL:
            return f"llabs({texts[0]})", WHOLE
        if callee is abs:
            return f"fabs({texts[0]})", REAL
        if getattr(callee, "__module__", "") == "math" or isinstance(callee, np.ufunc):
            return self.mathematics(node, name, texts, kinds)
        if callee is _pointers.shift:
            return f"({texts[0]} + {texts[1]})", kinds[0]
        if isinstance(callee, Function):
            called, result = self.whole.function(callee.py_func, tuple(kinds))
            return f"{called}({', '.join(texts)})", result
        raise self.refuse(node, f"'{ast.unparse(node.func)}' has no translation")

    def mathematics(self, node: ast.Call, name: str, texts: list[str], kinds: list[str]) -> tuple[str, str]:
        whole = {"isnan": "isnan", "isfinite": "isfinite", "isinf": "isinf"}
        if name in whole:
            return f"({whole[name]}({texts[0]}) != 0)", TRUTH
        if name in ("floor", "ceil") and getattr(self.known(node.func), "__module__", "") == "math":
            return f"(int64_t){_REAL_FUNCTIONS[name]}({texts[0]})", WHOLE  # of Python's own: a whole number
        if name in _REAL_FUNCTIONS and len(texts) == 1:
            return f"{_REAL_FUNCTIONS[name]}({texts[0]})", REAL
        if name == "absolute" and len(texts) == 1:
            return f"fabs({texts[0]})", REAL
        if name in _TWO and len(texts) == 2:
            return f"{_TWO[name]}({texts[0]}, {texts[1]})", REAL
        if name in ("minimum", "maximum") and len(texts) == 2:
            return f"gw_{name[:3]}({texts[0]}, {texts[1]})", REAL
        if name == "sign":
            return f"(double)(({texts[0]} > 0) - ({texts[0]} < 0))", REAL
        raise self.refuse(node, f"'{ast.unparse(node.func)}' has no translation")


def _safe(name: str) -> str:
    """A name that is none of C's own words."""
    return (
        f"{name}_"
        if name in ("double", "int", "long", "short", "float", "char", "register", "static", "void", "signed")
        else name
    )


def _number(value: Any, refuse: Callable[[str], NoC]) -> tuple[str, str]:
    if isinstance(value, (bool, np.bool_)):
        return str(int(value)), TRUTH
    if isinstance(value, (int, np.integer)):
        whole = int(value)
        if not -(2**63) < whole < 2**63:
            raise refuse(f"{whole} fits no whole number")
        if whole < 0:
            return f"(-INT64_C({-whole}))", WHOLE
        return f"INT64_C({whole})" if whole > 2**31 - 1 else str(whole), WHOLE
    if isinstance(value, (float, np.floating)):
        x = float(value)
        if math.isnan(x):
            return "NAN", REAL
        if math.isinf(x):
            return "INFINITY" if x > 0 else "(-INFINITY)", REAL
        text = repr(x)
        return (text if "e" in text or "." in text else f"{text}.0") if x >= 0 else f"({text})", REAL
    raise refuse(f"{value!r} is no number")
