"""How numbers, units and names are written in the report.

The report shows the units of the trade (kN, kN m, rpm); downloads keep SI. Numbers have four significant digits,
thousands separated by narrow spaces that do not break, a true minus sign, and powers of ten written out.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from gearwright.schema.places import JSON

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

#: marks of a field of a record: it belongs to the object alone (pictures and pages use it), its JSON leaves it out
ASIDE: dict[str, bool] = {"aside": True}
#: left out of the JSON where it is None
OPTIONAL: dict[str, bool] = {"optional": True}
#: what the field's own record holds stands beside the other fields of the JSON
BESIDE: dict[str, bool] = {"beside": True}
#: the JSON of the field's own record has only what is given in it: neither None nor empty
GIVEN: dict[str, bool] = {"given": True}


def named(name: str) -> dict[str, str]:
    """The mark of a field that JSON has by another name."""
    return {"name": name}


_T = TypeVar("_T")

NARROW_SPACE = "\u202f"
MINUS = "\u2212"
DASH = "\u2013"
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

#: unit of the file -> (factor, unit on screen)
_SCREEN: dict[str, tuple[float, str]] = {
    "N": (1e-3, "kN"),
    "N m": (1e-3, "kN m"),
    "rad/s": (30.0 / math.pi, "rpm"),
    "W": (1e-3, "kW"),
    "J": (1e-3, "kJ"),
    "m": (1e6, "µm"),
    "rad": (1e3, "mrad"),
    "Pa": (1e-6, "MPa"),
    "N/m": (1e-6, "kN/mm"),
    "N m/rad": (1e-6, "MN m/rad"),
}


def text(value: object) -> str:
    """Any string of a file as HTML text: escaped, quotes too."""
    return html.escape(str(value), quote=True)


def breakable(value: object) -> str:
    """HTML text of a name that may break after its dots and underscores."""
    return re.sub(r"(?<=[._])(?=[A-Za-z])", "<wbr>", text(value))


def embedded_json(value: object) -> str:
    """JSON that is safe inside a ``<script type="application/json">``: no ``<`` ends it, no NaN breaks it."""
    body = json.dumps(finite(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return body.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def alike(kind: type[_T], *sources: object, **more: Any) -> _T:
    """A record of a kind with what the sources have under the names of its fields, the first that has it, and ``more``."""
    names = [one.name for one in fields(kind) if one.name not in more]  # type: ignore[arg-type]
    found = {name: getattr(s, name) for name in names for s in reversed(sources) if hasattr(s, name)}
    return kind(**found, **more)


def told(record: DataclassInstance) -> dict[str, JSON]:
    """The fields of a record as JSON has them, by the marks of the fields (:data:`ASIDE` and below it), and the properties that its
    class lists as ``TOLD``."""
    data: dict[str, JSON] = {}
    for one in fields(record):
        value, marks = getattr(record, one.name), one.metadata
        if marks.get("aside") or (value is None and marks.get("optional")):
            continue
        found = finite(value)
        if marks.get("given") and isinstance(found, dict):
            found = {key: item for key, item in found.items() if item is not None and item != []}
        data.update(found if marks.get("beside") else {marks.get("name", one.name): found})
    return data | {name: finite(getattr(record, name)) for name in getattr(record, "TOLD", ())}


def finite(value: Any) -> Any:
    """The same value as JSON has it: non-finite numbers as None, NumPy scalars and arrays as Python's, complex numbers as their two
    parts, paths as text, records and what is given in sections of a file as mappings."""
    if is_dataclass(value) and not isinstance(value, type):
        return value.to_dict() if hasattr(value, "to_dict") else told(value)
    if hasattr(value, "model_dump"):
        value = value.model_dump(by_alias=True, exclude_none=True)
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        value = sorted(value)
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if hasattr(value, "tolist"):
        return finite(value.tolist())
    if isinstance(value, complex):
        return [finite(value.real), finite(value.imag)]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, PurePath):
        return str(value)
    return value


def normal_unit(unit: str) -> str:
    """``N·m``, ``Nm`` and ``N*m`` are one unit: ``N m``."""
    unit = unit.strip().replace("·", " ").replace("*", " ")
    return re.sub(r"\bNm\b", "N m", re.sub(r"\s+", " ", unit))


def screen_unit(unit: str) -> tuple[float, str]:
    """Factor and unit on screen for a unit of the file; other units stay as they are."""
    unit = normal_unit(unit)
    return _SCREEN.get(unit, (1.0, unit))


def number(value: float | int | None, digits: int = 4) -> str:
    """``digits`` significant digits, narrow spaces between thousands; a dash for what is not a number."""
    if value is None or not math.isfinite(value):
        return DASH
    if isinstance(value, int):
        return _spaced(str(abs(value)), value < 0)
    if value == 0.0:
        return "0"
    digit, _, power = f"{abs(value):.{digits - 1}e}".partition("e")
    exponent = int(power)
    if exponent >= 7 or exponent < -4:
        return (
            f"{MINUS if value < 0 else ''}{digit}{NARROW_SPACE}×{NARROW_SPACE}10{str(exponent).translate(_SUPERSCRIPT)}"
        )
    return _spaced(f"{float(f'{digit}e{power}'):.{max(digits - 1 - exponent, 0)}f}", value < 0)


def _spaced(digits: str, negative: bool) -> str:
    whole, point, fraction = digits.partition(".")
    if len(whole) > 4:
        whole = f"{int(whole):,}".replace(",", NARROW_SPACE)
    return (MINUS if negative else "") + whole + point + fraction


def quantity(value: float | None, unit: str, digits: int = 4) -> str:
    """A number of the file with the unit on screen, ``12 350 kN``."""
    factor, shown = screen_unit(unit)
    if value is None or not math.isfinite(value):
        return DASH
    return f"{number(value * factor, digits)}{NARROW_SPACE}{shown}".rstrip(NARROW_SPACE)


def seconds(value: float | None) -> str:
    """A time in the run, to the millisecond where that says something."""
    if value is None or not math.isfinite(value):
        return DASH
    return f"{_spaced(f'{abs(value):.3f}'.rstrip('0').rstrip('.'), value < 0)}{NARROW_SPACE}s"


def words(name: str) -> str:
    """``standard_deviation`` as ``standard deviation``."""
    return name.replace("_", " ")


def slug(name: str) -> str:
    """A name that can be an id in HTML: letters, digits, hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "x"


def power_of_ten(value: float) -> str:
    """A limit in short: ``1e6``, ``1e-9``, ``200``."""
    mantissa, _, exponent = f"{value:g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
