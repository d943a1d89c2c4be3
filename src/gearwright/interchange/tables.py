"""Tables: operation of a turbine from HAWCStab2 (``.pwr``), rotor coefficients as ROSCO reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .record import Float, Grid, ReadError, Variable, columns, distinct, lines_of, load_bytes

_HEADING = re.compile(r"\s*(?P<name>[^\[\]]+?)\s*\[(?P<unit>[^\]]*)\]\s*\d+")
_COEFFICIENTS = (("power", "Cp"), ("thrust", "Ct"), ("torque", "Cq"))


def read_hawcstab2(path: Path, wanted: Sequence[str] | None) -> Grid:
    """Steady operation over wind speed: the first column is the coordinate ``V`` [m/s]."""
    lines = lines_of(load_bytes(path))
    head = next((i for i, line in enumerate(lines) if line.strip().startswith("#") and _HEADING.search(line)), None)
    if head is None:
        raise ReadError("is not a table of HAWCStab2: there is no line '# V [m/s] 1 P [kW] 2 ...'", path)
    found = [(m["name"].strip(), m["unit"]) for m in _HEADING.finditer(lines[head].strip().lstrip("#"))]
    rows: list[list[float]] = []
    for number, line in enumerate(lines[head + 1 :], head + 2):
        if not line.strip():
            continue
        words = line.split()
        if len(words) != len(found):
            raise ReadError(f"line {number} has {len(words)} values, the head {len(found)} names", path)
        rows.append(_numbers(words, number, path))
    if not rows:
        raise ReadError("holds a head and no values", path)
    table = np.array(rows)
    names = distinct([name for name, _ in found])
    chosen = columns(names[1:], wanted, path)
    variables = {
        names[j + 1]: Variable((names[0],), table[:, j + 1].copy(), found[j + 1][1], found[j + 1][0]) for j in chosen
    }
    return Grid(
        path,
        "table",
        {names[0]: Variable((names[0],), table[:, 0].copy(), found[0][1])},
        variables,
        {"format": "HAWCStab2 power curve", "description": ""},
    )


def _numbers(words: Sequence[str], number: int, path: Path) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError as error:
        raise ReadError(f"line {number}: {error}", path) from None


def read_rotor_table(path: Path, wanted: Sequence[str] | None) -> Grid:
    """Coefficients ``Cp``, ``Ct``, ``Cq`` over ``tip_speed_ratio`` and ``pitch`` [deg] (and ``wind_speed`` where there are
    several)."""
    axes: dict[str, Float] = {}
    blocks: dict[str, list[list[float]]] = {}
    into: list[list[float]] | str | None = None
    for number, line in enumerate(lines_of(load_bytes(path)), 1):
        text = line.strip()
        if not text:
            continue
        if text.startswith("#"):
            low = text.lower()
            if "vector" in low:
                into = next(
                    (
                        n
                        for word, n in (("pitch", "pitch"), ("tsr", "tip_speed_ratio"), ("wind", "wind_speed"))
                        if word in low
                    ),
                    None,
                )
            elif "coefficient" in low:
                short = next((n for word, n in _COEFFICIENTS if word in low), None)
                if short is None or short in blocks:
                    raise ReadError(
                        f"line {number}: {text[:40]!r} names no new coefficient (power, thrust, torque)", path
                    )
                into = blocks.setdefault(short, [])
            continue
        values = _numbers(text.split(), number, path)
        if isinstance(into, str):
            axes[into] = np.concatenate([axes.get(into, np.empty(0)), values])
        elif into is not None:
            into.append(values)
        else:
            raise ReadError(f"line {number}: numbers before any heading", path)
    for name in ("pitch", "tip_speed_ratio"):
        if name not in axes:
            raise ReadError(f"has no vector of {name.replace('_', ' ')}", path)
    if not blocks:
        raise ReadError("has no table of a coefficient", path)
    rows, width = len(axes["tip_speed_ratio"]), len(axes["pitch"])
    winds = axes.get("wind_speed", np.zeros(1))
    several = len(winds) > 1
    variables: dict[str, Variable] = {}
    for name, block in blocks.items():
        wrong = next((i for i, row in enumerate(block) if len(row) != width), None)
        if wrong is not None:
            raise ReadError(f"row {wrong + 1} of {name} has {len(block[wrong])} values for {width} pitch angles", path)
        if len(block) != rows * len(winds):
            raise ReadError(
                f"{name} has {len(block)} rows for {rows} tip speed ratios"
                + (f" and {len(winds)} winds" if several else ""),
                path,
            )
        table = np.array(block).reshape(len(winds), rows, width)
        dimensions = ("wind_speed", "tip_speed_ratio", "pitch") if several else ("tip_speed_ratio", "pitch")
        variables[name] = Variable(dimensions, table if several else table[0], "-")
    names = list(variables)
    coordinates = {
        "tip_speed_ratio": Variable(("tip_speed_ratio",), axes["tip_speed_ratio"], "-"),
        "pitch": Variable(("pitch",), axes["pitch"], "deg"),
    }
    if several:
        coordinates["wind_speed"] = Variable(("wind_speed",), winds, "m/s")
    return Grid(
        path,
        "table",
        coordinates,
        {names[i]: variables[names[i]] for i in columns(names, wanted, path)},
        {"format": "rotor performance table (ROSCO)", "description": ""},
    )
