"""Units: the small table against pint, the dimensions of fields, what is refused."""

from __future__ import annotations

import subprocess
import sys

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gearwright.drivetrain import units
from gearwright.drivetrain.units import DIMENSIONS, UnitError, any_si, to_si

_REGISTRY = pint.UnitRegistry()
_BASES = ("kilogram", "meter", "second", "ampere", "kelvin", "radian")


def _by_pint(text: str) -> tuple[float, tuple[float, ...]]:
    quantity = _REGISTRY.Quantity(1.0, text.replace("%", "percent").replace("^", "**")).to_base_units()
    found = dict(quantity.unit_items())
    return float(quantity.magnitude), tuple(float(found.get(base, 0)) for base in _BASES)


def _names() -> list[str]:
    plain = [name for name in units._UNITS if name != "1"]
    return plain + [p + n for n in plain if units._UNITS[n][2] for p in ("k", "M", "m", "u")]


@pytest.mark.parametrize("name", _names())
def test_every_unit_of_the_table_is_what_pint_says(name: str) -> None:
    factor, exponents = units._table_unit(name)
    expected, powers = _by_pint({"rev": "revolution"}.get(name, name))
    assert factor == pytest.approx(expected, rel=1e-12)
    assert exponents == powers


_SIMPLE = st.sampled_from(["m", "mm", "kg", "s", "rad", "deg", "N", "kN", "GPa", "W", "Hz", "min"])


@given(st.lists(st.tuples(_SIMPLE, st.integers(1, 3), st.sampled_from([" ", "*", "/"])), min_size=1, max_size=5))
def test_products_and_quotients_are_read_as_pint_reads_them(parts: list[tuple[str, int, str]]) -> None:
    text = parts[0][0]
    for name, power, sign in parts[1:]:
        text += f"{sign}{name}" + (f"^{power}" if power > 1 else "")
    factor, exponents = units._table_unit(text)
    expected, powers = _by_pint(text)
    assert factor == pytest.approx(expected, rel=1e-12)
    assert exponents == powers


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("20 deg", "angle", 0.3490658503988659), ("210 mm", "length", 0.21), ("750 kW", "power", 750e3),
        ("22.2 rpm", "rotational speed", 2.324778563656447), ("5 %", "number", 0.05),
        ("4e-3 kg m^2", "moment of inertia", 4e-3), ("322.6 kN·m", "torque", 322.6e3),
        ("12 kg·m²", "moment of inertia", 12.0), ("1e8 N m", "torsional stiffness", 1e8),
        ("2 N/(mm um)", "pressure", 2e9), ("10 1/s", "rotational speed", 10.0), ("-3 N m", "torque", -3.0),
        ("7", "length", 7.0), ("3 in", "length", 0.0762), ("100 lbf ft", "torque", 135.5817948331400),
    ],
)  # fmt: skip
def test_quantities_of_the_trade(text: str, dimension: str, value: float) -> None:
    assert to_si(text, DIMENSIONS[dimension]) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "dimension", "said"),
    [
        ("12 kg m", "moment of inertia", "wrong dimension"), ("3 N m/rad", "torque", "wrong dimension"),
        ("5 %", "angle", "wrong dimension"), ("2 Hz", "rotational speed", "turns or radians"),
        ("60 rpm", "frequency", "wrong dimension"), ("3 flurbs", "length", "not a known unit"),
        ("wide", "length", "does not start with a number"), ("1e999 m", "length", "not finite"),
        (float("nan"), "length", "not finite"), (True, "number", "is wanted"), (None, "mass", "is wanted"),
        ("25 Nm", "torque", "'Nm' is not a known unit"), ("1173,5 kg", "mass", "not a comma"),
        ("1.173,5 kg", "mass", "not a comma"), ("3 m", "energy", "an energy is wanted"),
        ("3 EUR", "mass", "not a known unit"), ("3 mol", "mass", "does not have"),
    ],
)  # fmt: skip
def test_a_wrong_quantity_says_what_is_wanted(text: object, dimension: str, said: str) -> None:
    with pytest.raises(UnitError, match=said) as caught:
        to_si(text, DIMENSIONS[dimension])
    assert DIMENSIONS[dimension].example in caught.value.allowed


@pytest.mark.parametrize(
    ("text", "dimension", "meant"),
    [
        ("25 kNm", "torque", "25 kN m"), ("25kNm", "torque", "25 kN m"), ("3 Nms/rad", "torsional damping", "3 N m s/rad"),
        ("12 kgm^2", "moment of inertia", "12 kg m^2"), ("27.3 rmp", "rotational speed", "27.3 rpm"), ("206 Gpa", "pressure", "206 GPa"),
        ("10 milimeter", "length", "10 mm"), ("163 KG", "mass", "163 kg"), ("4,5 mm", "length", "4.5 mm"),
        ("1,5e3 N", "force", "1.5e3 N"), ("3 flurbs", "length", ""), ("1.173,5 kg", "mass", ""), ("30 m", "time", ""),
    ],
)  # fmt: skip
def test_what_was_probably_meant(text: str, dimension: str, meant: str) -> None:
    with pytest.raises(UnitError) as caught:
        to_si(text, DIMENSIONS[dimension])
    assert caught.value.meant == meant
    if meant:
        to_si(meant, DIMENSIONS[dimension])  # what is offered can be read


def test_energy_in_kilowatt_hours_is_no_mistake() -> None:
    assert to_si("1 kWh", DIMENSIONS["energy"]) == pytest.approx(3.6e6)
    assert any_si("25 Nm") == "25 Nm", "a unit of yarn is not taken for a torque: its owner refuses it"


def test_facts_of_unknown_dimension_become_si_where_they_can() -> None:
    facts = {"mass": "2 t", "deep": ["5 m/s", 3, "hello", "12 monkeys"], "flag": True}
    assert any_si(facts) == {"mass": 2000.0, "deep": [5.0, 3, "hello", "12 monkeys"], "flag": True}


def test_common_units_do_not_import_pint_and_the_package_neither_numba() -> None:
    code = (
        "import sys, gearwright.drivetrain as d; d.load('grc-750kw');"
        "assert not {'pint', 'numba', 'scipy'} & set(sys.modules), sorted(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
