"""Mutations of the physics: a sign, an index, a constant or a comparison is changed, and the tests of that module must notice.

    python -m tests.mutate --seed 1 50               fifty mutants, survivors printed
    python -m tests.mutate --seed 1 50 --only life   of modules whose path holds a word
    python -m tests.mutate --list                    modules and their tests

Mutants are drawn by module, then by place, and made in a copy of the sources that stands before them on the path, so that the
tree stays as it is. Messages, annotations, tables of words and refusals are left alone. A survivor is a line that no test
chosen for its module looks at: write one, or name it among :data:`EQUIVALENT`. Exit code 1 with survivors.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent / "src"

_TEETH = "unit/test_tooth_geometry.py unit/test_geometry.py unit/test_tooth_cures.py"
_OIL = "unit/test_scuffing_and_losses.py consistency/test_rating_sheet.py"
_RATING = "unit/test_gear_rating.py unit/test_standard_tables.py unit/test_mirrored_life.py"
_BEARING = (
    "unit/test_bearing_types.py unit/test_standard_tables.py unit/test_bearing_axial.py unit/test_bearing_stiffness.py"
)
#: modules and the tests that must notice what changes in them
TESTS = {
    "geometry/involute.py": _TEETH, "geometry/gear.py": _TEETH, "geometry/trochoid.py": _TEETH, "geometry/outline.py": _TEETH,
    "geometry/pair.py": _TEETH, "geometry/phase.py": "unit/test_geometry.py unit/test_expand.py",
    "bearings/orders.py": "unit/test_bearing_axial.py consistency/test_bearing_defect.py",
    "stiffness/beam.py": "unit/test_hinged_beam.py consistency/test_beam_weight.py consistency/test_spatial.py",
    "bearings/stiffness.py": _BEARING, "bearings/types.py": _BEARING, "bearings/ratings.py": _BEARING,
    "stiffness/hertz.py": _BEARING + " literature/test_tooth_stiffness.py",
    "stiffness/iso6336.py": "unit/test_standard_tables.py literature/test_tooth_stiffness.py",
    "stiffness/analytic.py": "unit/test_analytic_tooth.py literature/test_tooth_stiffness.py unit/test_tooth_geometry.py",
    "stiffness/ste.py": "literature/test_tooth_stiffness.py analytic/test_tooth_contact.py",
    "bearings/iso281.py": "unit/test_bearing_life.py unit/test_standard_tables.py",
    "bearings/iso16281.py": _BEARING, "bearings/factors.py": _BEARING,
    "rating/components.py": "unit/test_bearing_axial.py unit/test_shaft_life.py campaigns/test_life.py unit/test_bearing_life.py",
    "bearings/contact_stress.py": "unit/test_bearing_life.py unit/test_bearing_types.py campaigns/test_life.py",
    "rating/duration.py": "unit/test_rainflow.py unit/test_lifetime.py", "rating/equivalent.py": "unit/test_rainflow.py unit/test_lifetime.py",
    "rating/gear_rating.py": _RATING, "rating/load_factors.py": _RATING + " unit/test_load_factors.py", "rating/iso6336_rating.py": _RATING, "rating/iso6336_bending.py": _RATING,
    "rating/lifetime.py": "unit/test_lifetime.py", "rating/miner.py": "unit/test_lifetime.py unit/test_shaft_life.py unit/test_rainflow.py",
    "results/rainflow.py": "unit/test_rainflow.py properties/test_rainflow_properties.py",
    "rating/tooth_stress.py": "unit/test_tooth_stress.py unit/test_tooth_stress_result.py", "rating/weibull.py": "unit/test_lifetime.py",
    "rating/extremes.py": "unit/test_extremes.py", "rating/din743.py": "unit/test_din743.py", "rating/strength.py": "unit/test_gear_steels.py",
    "rating/sliding.py": _OIL, "rating/scuffing.py": _OIL, "rating/micropitting.py": _OIL, "rating/losses.py": _OIL, "rating/oil.py": _OIL,
    "rating/mesh_facts.py": "unit/test_mirrored_life.py consistency/test_rating_sheet.py",
    "rating/pair_sheet.py": "consistency/test_rating_sheet.py", "rating/simulated.py": "unit/test_mirrored_life.py consistency/test_rating_sheet.py",
    "machines/induction.py": "unit/test_generators.py consistency/test_machines.py",
    "machines/dfig.py": "unit/test_generators.py consistency/test_machines.py",
    "machines/pmsg.py": "unit/test_generators.py consistency/test_machines.py",
    "turbine/wind.py": "unit/test_wind.py unit/test_standard_tables.py", "turbine/gusts.py": "unit/test_wind.py",
    "turbine/turbulence.py": "unit/test_wind.py", "turbine/bem.py": "unit/test_bem.py",
    "results/section_loads.py": "consistency/test_spatial.py", "results/derive.py": "consistency/test_reaction_inertia.py consistency/test_planar_loads.py",
    "assembly/supports.py": "consistency/test_reaction_inertia.py consistency/test_planar_loads.py consistency/test_fidelities.py",
    "assembly/spatial_beams.py": "consistency/test_beam_weight.py consistency/test_spatial.py",
    "assembly/meshes.py": "consistency/test_fidelities.py unit/test_laws.py consistency/test_sun_ring_phase.py",
    "train/kinematics.py": "unit/test_expand.py consistency/test_rigid_trains.py",
}  # fmt: skip
#: (module, text of the line, what became of it): changes that change nothing, each with its reason
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "assembly/spatial_beams.py", "if abs(c) > 1e-12 * np.abs(row).max():", "if abs(c) > 1e-12 * np.abs(row).min():",
    ): "keeps coefficients of round-off, which weigh nothing",
}  # fmt: skip

_SWAPS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*"}
_COMPARE = {ast.Lt: ">", ast.Gt: "<", ast.LtE: ">=", ast.GtE: "<=", ast.Eq: "!=", ast.NotEq: "=="}
_NAMES = {"sin": "cos", "cos": "sin", "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}


@dataclass(frozen=True)
class Mutant:
    """A change of the text of a module between two offsets."""

    module: str
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """The module with the change."""
        return source[: self.start] + self.text + source[self.end :]

    def words(self, source: str) -> str:
        """The line before and after, as a person reads it."""
        before, after = (
            source.splitlines()[self.line - 1].strip(),
            self.applied(source).splitlines()[self.line - 1].strip(),
        )
        return f"{self.module}:{self.line}\n    - {before}\n    + {after}"


def mutants(module: str, source: str) -> list[Mutant]:
    """All changes of a module."""
    lines = [0]
    for line in source.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    raw = source.encode()

    def place(line: int, column: int) -> int:
        return len(raw[: lines[line - 1] + column].decode())

    found = []
    for node in _physics(ast.parse(source)):
        if isinstance(node, ast.BinOp):
            first, second = (
                place(node.left.end_lineno or 0, node.left.end_col_offset or 0),
                place(node.right.lineno, node.right.col_offset),
            )
            text, swapped = source[first:second], _SWAPS.get(type(node.op))
            sign = {"-": "+", "+": "-", "/": "*", "*": "/"}.get(swapped or "")
            if swapped and sign and text.count(sign) == 1 and text.count("*") < 2:
                at = first + text.index(sign)
                found.append(Mutant(module, node.lineno, at, at + 1, swapped))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            at = place(node.lineno, node.col_offset)
            found.append(Mutant(module, node.lineno, at, at + 1, ""))
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
            first = place(node.left.end_lineno or 0, node.left.end_col_offset or 0)
            second = place(node.comparators[0].lineno, node.comparators[0].col_offset)
            found.append(Mutant(module, node.lineno, first, second, f" {_COMPARE[type(node.ops[0])]} "))
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            at, end = place(node.lineno, node.col_offset), place(node.end_lineno or 0, node.end_col_offset or 0)
            value = node.value + 1 if isinstance(node.value, int) else node.value * 1.1 if node.value else 0.5
            found.append(Mutant(module, node.lineno, at, end, repr(value)))
        elif (
            isinstance(node, (ast.Attribute, ast.Name))
            and (name := getattr(node, "attr", getattr(node, "id", ""))) in _NAMES
        ):
            end = place(node.end_lineno or 0, node.end_col_offset or 0)
            found.append(Mutant(module, node.end_lineno or 0, end - len(name), end, _NAMES[name]))
    return [m for m in found if m.applied(source) != source and _parses(m.applied(source))]


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _physics(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes that compute something: no messages, annotations, imports, assertions, refusals, numbers of decimals."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.arg)):
            continue
        if isinstance(child, ast.If) and all(isinstance(b, ast.Raise) for b in child.body):
            for other in child.orelse:
                yield other
                yield from _physics(other)
            continue
        if isinstance(child, ast.keyword) and child.arg in ("xtol", "rtol", "maxiter", "strict", "compare"):
            continue
        if isinstance(child, ast.AnnAssign):
            if child.value is not None:
                yield child.value
                yield from _physics(child.value)
            continue
        yield child
        yield from _physics(child)


def drawn(number: int, seed: int, only: str = "", sources: Path = SOURCES) -> list[Mutant]:
    """So many mutants, each of a module drawn evenly; the same for the same sources and seed."""
    rng = random.Random(seed)
    pool = {}
    for module in sorted(TESTS):
        if only in module:
            pool[module] = mutants(module, (sources / "gearwright" / module).read_text())
    made: list[Mutant] = []
    while pool and len(made) < number:
        module = rng.choice(sorted(pool))
        if not pool[module]:
            del pool[module]
            continue
        made.append(pool[module].pop(rng.randrange(len(pool[module]))))
    return made


class Bench:
    """A copy of sources and tests in which one module at a time is changed, so that work on the tree may go on."""

    def __init__(self, folder: Path, timeout: float):
        self.folder, self.sources, self.timeout = folder, folder / "src", timeout
        shutil.copytree(
            SOURCES / "gearwright", self.sources / "gearwright", ignore=shutil.ignore_patterns("__pycache__")
        )
        shutil.copytree(HERE, folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(HERE.parent / "pyproject.toml", folder)
        self.sound: dict[str, bool] = {}

    def source(self, module: str) -> str:
        """Text of a module as it was copied."""
        return (self.sources / "gearwright" / module).read_text()

    def passes(self, module: str, mutant: Mutant | None = None) -> bool | None:
        """Whether the tests of a module pass; None where they take too long (a change that hangs is noticed)."""
        file = self.sources / "gearwright" / module
        source = self.source(module)
        file.write_text(source if mutant is None else mutant.applied(source))
        environment = {**os.environ, "PYTHONPATH": str(self.sources), "PYTHONDONTWRITEBYTECODE": "1"}
        tests = [str(self.folder / "tests" / name) for name in TESTS[module].split()]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=environment,
                timeout=self.timeout,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return None
        finally:
            file.write_text(source)
        return done.returncode == 0

    def is_sound(self, module: str) -> bool:
        """Whether its tests pass without any change; asked once."""
        key = TESTS[module]
        if key not in self.sound:
            self.sound[key] = self.passes(module) is True
        return self.sound[key]


def main(arguments: list[str] | None = None) -> int:
    """Draw, run, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__.splitlines()[0])
    parser.add_argument("number", nargs="?", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modules whose path holds this word")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for the tests of one mutant")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args(arguments)
    if given.list:
        print("\n".join(f"{module}: {tests}" for module, tests in TESTS.items()))
        return 0
    os.nice(10)
    survivors, noticed, begin = [], 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), given.timeout)
        for mutant in drawn(given.number, given.seed, given.only, bench.sources):
            source = bench.source(mutant.module)
            before = source.splitlines()[mutant.line - 1].strip()
            after = mutant.applied(source).splitlines()[mutant.line - 1].strip()
            if (mutant.module, before, after) in EQUIVALENT:
                continue
            if not bench.is_sound(mutant.module):
                print(f"not looked at, its tests fail without a change: {mutant.module}", flush=True)
            elif bench.passes(mutant.module, mutant):
                survivors.append(mutant)
                print(f"survives  {mutant.words(source)}", flush=True)
            else:
                noticed += 1
                print(f"noticed   {mutant.module}:{mutant.line}", file=sys.stderr, flush=True)
    print(f"{noticed} noticed, {len(survivors)} survive, {time.perf_counter() - begin:.0f} s, seed {given.seed}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
