"""Input files of OpenFAST (ElastoDyn, ServoDyn, AeroDyn, blades, towers, airfoils) and linearised models (``.lin``).

An input file is lines of ``value  Name  - description (unit)`` and tables below a line of names and one of units.
Every value becomes a variable without dimension, every table variables along ``row_1``, ``row_2`` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .openfast_file import InputFile, as_number, described_in, leading_numbers, words_of
from .record import Facts, Grid, ReadError, Variable, columns, distinct, lines_of, load_bytes

_UNIT = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_MOST_SCALARS = 20_000
#: comments, rules, the end of a list
_NOTHING = re.compile(r"^\s*(?:[!#%]|--|==|END\b)")
_RULE_LINE = re.compile(r"^\s*(?:---|===)")
_QUOTED = re.compile(r'^\s*"[^"]*"\s*(?:!.*)?$')

#: Values that describe a drivetrain: name in OpenFAST, name here, dimension, factor to SI.
DRIVETRAIN = (
    ("NumBl", "blades", "", 1.0),
    ("TipRad", "tip_radius", "m", 1.0),
    ("HubRad", "hub_radius", "m", 1.0),
    ("OverHang", "overhang", "m", 1.0),
    ("ShftTilt", "shaft_tilt", "rad", np.pi / 180.0),
    ("HubMass", "hub_mass", "kg", 1.0),
    ("HubIner", "hub_inertia", "kg m^2", 1.0),
    ("GenIner", "generator_inertia", "kg m^2", 1.0),
    ("GBoxEff", "gearbox_efficiency", "1", 0.01),
    ("GBRatio", "gearbox_ratio", "1", 1.0),
    ("DTTorSpr", "torsional_stiffness", "N m/rad", 1.0),
    ("DTTorDmp", "torsional_damping", "N m s/rad", 1.0),
    ("GenEff", "generator_efficiency", "1", 0.01),
    ("HSSBrDT", "brake_rise", "s", 1.0),
    ("HSSBrTqF", "brake_torque", "N m", 1.0),
    ("VS_RtGnSp", "rated_generator_speed", "rad/s", np.pi / 30.0),
    ("VS_RtTq", "rated_generator_torque", "N m", 1.0),
    ("SpdGenOn", "generator_on_speed", "rad/s", np.pi / 30.0),
)


def read_input(path: Path, wanted: Sequence[str] | None) -> Grid:
    """Values and tables of an input file of OpenFAST.

    ``drivetrain_values`` of the result names those that describe a drivetrain; unused ones (9999.9) are left out of it.
    """
    file = InputFile(path)
    if not any(line.strip() for line in file.lines):
        raise ReadError("is empty", path)
    contents = _Contents(file)
    variables = contents.variables
    if len(variables) < 2:
        raise ReadError("is no input file of OpenFAST: there are no lines 'value  Name  - description'", path)
    names = list(variables)
    kept = {names[j]: variables[names[j]] for j in columns(names, wanted, path)}
    title = next((line.strip(" -!=") for line in file.lines if line.strip(" -!=")), "")
    found = [name for name, *_ in DRIVETRAIN if name in kept]
    return Grid(
        path,
        "parameters",
        {},
        kept,
        {
            "format": "OpenFAST input file",
            "description": title,
            "drivetrain_values": ", ".join(found),
            "unread": contents.said(),
        },
    )


class _Contents:
    """What an input file holds, line after line: ``variables`` by name, and the lines that were not understood."""

    def __init__(self, file: InputFile) -> None:
        self.file = file
        self.variables: dict[str, Variable] = {}
        self.unread: list[int] = []
        self._tables = 0
        at = 0
        while at < len(file.lines):
            at += self._take(at)

    def said(self) -> str:
        """How many values were read, and which lines were not understood."""
        count = len(self.variables)
        if not self.unread:
            return f"{count} values read, every line understood"
        first = ", ".join(f"{i + 1} ({self.file.lines[i].strip()[:30]!r})" for i in self.unread[:5])
        more = f" and {len(self.unread) - 5} more" if len(self.unread) > 5 else ""
        word = "line" if len(self.unread) == 1 else "lines"
        return f"{count} values read, {len(self.unread)} {word} not understood: {first}{more}"

    def _add(self, name: str, values: Any, unit: str = "", text: str = "", along: tuple[str, ...] = ()) -> None:
        self.variables[_fresh(name, self.variables)] = Variable(along, values, unit, name, text)

    def _take(self, at: int) -> int:
        """Read what begins at a line; how many lines it takes."""
        line = self.file.lines[at]
        # the first two lines are titles
        found = described_in(line, plain=at > 1)
        if found is not None and len(self.variables) < _MOST_SCALARS:
            return self._scalar(at, found)
        taken = self._outputs(at) or self._table(at) or self._stations(at) or self._member(at)
        if not taken and at > 1 and line.strip() and not _NOTHING.match(line):
            self.unread.append(at)
        return max(taken, 1)

    def _scalar(self, at: int, found: re.Match[str]) -> int:
        name, text = found["name"], found["text"].strip(" \t-!")
        words = words_of(found["value"])
        below = 0
        if len(words) == 1 and words[0].startswith('"'):
            # files named one a line below the first
            for line in self.file.lines[at + 1 :]:
                if not _QUOTED.match(line) or described_in(line) is not None:
                    break
                words += words_of(line.split("!")[0])
                below += 1
        if len(words) == 1 and "," not in found["value"]:
            self._add(name, _value(words[0]), _unit_of(text), text)
        else:
            plain = [_value(word) for word in words]
            kinds = {v.dtype.kind for v in plain}
            listed = np.array(plain) if len(kinds) == 1 else np.array([w.strip('"') for w in words])
            name = _fresh(name, self.variables)
            self._add(name, listed, _unit_of(text), text, (f"{name}_item",))
        return 1 + below

    def _outputs(self, at: int) -> int:
        """A list of output channels, up to the line END."""
        if not re.match(r"^\s*OutList\w*\b", self.file.lines[at]):
            return 0
        names: list[str] = []
        for count, line in enumerate(self.file.lines[at + 1 :], 1):
            if re.match(r"^\s*END\b", line):
                break
            if _RULE_LINE.match(line):
                count -= 1
                break
            body = line.split("!")[0].split(" - ")[0]
            names += [word for word in re.split(r'[\s,;"]+', body) if word]
        else:
            count = len(self.file.lines) - at - 1
        if names:
            name = _fresh("OutList", self.variables)
            self._add(name, np.array(names), "", "output channels", (f"{name}_item",))
        return 1 + count

    def _table(self, at: int) -> int:
        table = self.file.table_with_units(at)
        if table is None:
            return 0
        self._tables += 1
        names, units, numbers = table
        columns_of = np.array(numbers).reshape(len(numbers), len(names)).T
        for name, spelled, values in zip(distinct(names), units, columns_of, strict=True):
            self._add(name, values.copy(), spelled, "", (f"row_{self._tables}",))
        return 2 + len(numbers)

    def _member(self, at: int) -> int:
        """A member of a BeamDyn blade: its number and that of its key points, on a line without a name (3.1.3 of the user's guide)."""
        found = re.match(r"^\s*(\d+)\s+(\d+)(?:\s+-.*)?$", self.file.lines[at].rstrip())
        if found is None or "kp_total" not in self.variables:
            return 0
        self._add(f"member({found[1]})", np.asarray(float(found[2])), "", "number of key points of this member")
        return 1

    def _stations(self, at: int) -> int:
        """Stations of a BeamDyn blade: a number, then the matrices of stiffness and of mass, 6 by 6."""
        places: list[float] = []
        matrices: list[list[list[list[float]]]] = []
        numbered = [i for i in range(at, len(self.file.lines)) if self.file.lines[i].strip()]
        while len(numbered) >= 13:
            rows = [leading_numbers(self.file.lines[i]) for i in numbered[:13]]
            if [len(row) for row in rows] != [1] + [6] * 12:
                break
            places.append(rows[0][0])
            matrices.append([rows[1:7], rows[7:13]])
            last = numbered[12]
            numbered = numbered[13:]
        if not places:
            return 0
        both = np.array(matrices)
        axes = ("station", "row", "column")
        self._add("station", np.array(places), "", "place along the blade, from 0 to 1", ("station",))
        self._add("stiffness_matrix", both[:, 0], "", "6 x 6, forces over strains", axes)
        self._add("mass_matrix", both[:, 1], "", "6 x 6, per length", axes)
        return last - at + 1


def _fresh(name: str, taken: Collection[str]) -> str:
    """A name that is not taken yet."""
    while name in taken:
        name += "_2"
    return name


def _value(word: str) -> Any:
    """A number, a flag or a text; a list keeps its text."""
    plain, quoted = word.replace('"', ""), '"' in word
    low = plain.lower()
    if low in ("true", "t", "false", "f") and not quoted:
        return np.asarray(low.startswith("t"))
    try:
        return np.asarray(as_number(plain) if not quoted else plain)
    except ValueError:
        return np.asarray(plain)


def _unit_of(text: str) -> str:
    """The unit in a description: the last parenthesis that is one."""
    body = re.sub(r"\[[^\]]*\]", "", re.sub(r"\{[^}]*\}", "", text))
    for found in reversed(_UNIT.findall(body)):
        if re.fullmatch(r"[-A-Za-z%^*/0-9.()\s]{1,24}", found) and found.lower() not in (
            "flag",
            "switch",
            "quoted string",
        ):
            return "deg" if found == "degrees" else found
    return ""


def drivetrain_values(*paths: str | Path) -> dict[str, tuple[float, str]]:
    """Drivetrain values of ElastoDyn and ServoDyn files in SI: name here to (value, unit); see ``DRIVETRAIN``.

    Values marked unused by OpenFAST's custom (9999.9 and 9998) are left out; a value in several files is taken from the first.

    Raises
    ------
    ReadError : a file that cannot be read as an input file.
    """
    found: dict[str, tuple[float, str]] = {}
    for path in paths:
        grid = read_input(Path(path), None)
        for spelled, name, of, factor in DRIVETRAIN:
            variable = grid.variables.get(spelled)
            if variable is None or name in found or np.asarray(variable.values).dtype.kind != "f":
                continue
            value = float(variable.values)
            if value not in (9999.9, 9998.0):
                found[name] = (value * factor, of)
    return found


_SECTIONS = {
    "continuous states": "state",
    "continuous state derivatives": "derivative",
    "inputs": "input",
    "outputs": "output",
    "discrete states": "discrete",
    "constraint states": "constraint",
}
_MATRIX = re.compile(r"^\s*(\w+):\s*(\d+)\s*x\s*(\d+)\s*$")
#: rows and columns of the standard matrices
_AXES = {"A": ("derivative", "state"), "B": ("derivative", "input"), "C": ("output", "state"), "D": ("output", "input")}


def read_linear(path: Path, wanted: Sequence[str] | None) -> Grid:
    """A linearised model: matrices ``A, B, C, D`` with the names of states, inputs and outputs as coordinates, and their
    values at the operating point (``state_value`` and so on)."""
    lines = lines_of(load_bytes(path))
    facts: Facts = {
        "format": "OpenFAST linear model",
        "description": next((line.strip() for line in lines if line.strip()), ""),
    }
    coordinates: dict[str, Variable] = {}
    variables: dict[str, Variable] = {}
    for i, line in enumerate(lines):
        fact = re.match(r"^\s*(Simulation time|Rotor Speed|Azimuth|Wind Speed):\s*(\S+)\s*(\S*)", line)
        if fact:
            try:
                facts[fact[1].lower().replace(" ", "_")] = float(fact[2])
            except ValueError:
                raise ReadError(f"line {i + 1}: {fact[1]} is {fact[2]!r}, not a number", path) from None
        order = re.match(r"^\s*Order of ([a-z ]+):", line)
        if order and order[1] in _SECTIONS:
            _order(lines, i + 1, _SECTIONS[order[1]], coordinates, variables, path)
        matrix = _MATRIX.match(line)
        if matrix:
            variables[matrix[1]] = _matrix(lines, i, matrix, coordinates, path)
    if not any(len(v.dimensions) == 2 for v in variables.values()):
        raise ReadError("is no linear model of OpenFAST, or truncated: it has no matrix", path)
    names = list(variables)
    kept = {names[j]: variables[names[j]] for j in columns(names, wanted, path)}
    used = {d for v in kept.values() for d in v.dimensions}
    return Grid(path, "linear model", {k: v for k, v in coordinates.items() if k in used}, kept, facts)


def _order(
    lines: list[str],
    start: int,
    what: str,
    coordinates: dict[str, Variable],
    variables: dict[str, Variable],
    path: Path,
) -> None:
    values: list[float] = []
    texts: list[str] = []
    for number, line in enumerate(lines[start:], start + 1):
        words = line.split()
        if not words or words[0].startswith(("Row", "Column", "---")):
            if values and not words:
                break
            continue
        match = re.match(r"^\s*(\d+)\s+(.*?)\s+([TF])\s+(?:(\d)\s+)?(\S.*)$", line)
        if match is None or int(match[1]) != len(values) + 1:
            raise ReadError(
                f"line {number}: row {len(values) + 1} of the {what}s is not readable: {line.strip()[:50]!r}", path
            )
        # an orientation has several numbers: its first stands for it
        first = match[2].replace(",", " ").split()[0]
        try:
            values.append(float(first))
        except ValueError:
            raise ReadError(f"line {number}: {first!r} is not a number", path) from None
        texts.append(match[5].strip())
    if values:
        coordinates[what] = Variable((what,), np.array(distinct(texts)), "")
        variables[f"{what}_value"] = Variable((what,), np.array(values), "")


def _matrix(lines: list[str], at: int, found: re.Match[str], coordinates: dict[str, Variable], path: Path) -> Variable:
    name, rows, width = found[1], int(found[2]), int(found[3])
    body = [line.split() for line in lines[at + 1 : at + 1 + rows]]
    for k, words in enumerate(body):
        if len(words) != width:
            raise ReadError(
                f"line {at + 2 + k}: row {k + 1} of {name} has {len(words)} numbers, {width} are announced", path
            )
    if len(body) < rows:
        raise ReadError(f"truncated: {name} has {len(body)} rows, {rows} are announced", path)
    try:
        table = np.array([[float(w) for w in words] for words in body]).reshape(rows, width)
    except ValueError as error:
        raise ReadError(f"{name} holds what is not a number ({error})", path) from None
    dimensions = _AXES.get(name, (f"{name}_row", f"{name}_column"))
    for dimension, size in zip(dimensions, (rows, width), strict=True):
        if dimension in coordinates and len(coordinates[dimension].values) != size:
            raise ReadError(
                f"{name} is {rows} x {width}, but there are {len(coordinates[dimension].values)} {dimension}s", path
            )
    return Variable(dimensions, table, "")
