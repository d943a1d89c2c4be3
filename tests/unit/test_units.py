"""Units: the small table against pint, the dimensions of fields, what is refused."""

from __future__ import annotations

import subprocess
import sys
import time

import pint
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gearwright import units
from gearwright.units import DIMENSIONS, UnitError, any_si, table, to_si

_REGISTRY = pint.UnitRegistry()
_BASES = ("kilogram", "meter", "second", "ampere", "kelvin", "radian")


def _by_pint(text: str) -> tuple[float, tuple[float, ...]]:
    quantity = _REGISTRY.Quantity(1.0, text.replace("%", "percent").replace("^", "**")).to_base_units()
    found = dict(quantity.unit_items())
    return float(quantity.magnitude), tuple(float(found.get(base, 0)) for base in _BASES)


def _names() -> list[str]:
    plain = [name for name in table.UNITS if name != "1"]
    return plain + [p + n for n in plain if table.UNITS[n][2] for p in ("k", "M", "m", "u")]


@pytest.mark.parametrize("name", _names())
def test_every_unit_of_the_table_is_what_pint_says(name: str) -> None:
    factor, exponents = units.table_unit(name)
    expected, powers = _by_pint({"rev": "revolution", "r": "revolution"}.get(name, name))
    assert factor == pytest.approx(expected, rel=1e-12)
    assert exponents == powers


_SIMPLE = st.sampled_from(["m", "mm", "kg", "s", "rad", "deg", "N", "kN", "GPa", "W", "Hz", "min"])


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(_SIMPLE, st.integers(1, 3), st.sampled_from([" ", "*", "/"])), min_size=1, max_size=5))
def test_products_and_quotients_are_read_as_pint_reads_them(parts: list[tuple[str, int, str]]) -> None:
    text = parts[0][0]
    for name, power, sign in parts[1:]:
        text += f"{sign}{name}" + (f"^{power}" if power > 1 else "")
    factor, exponents = units.table_unit(text)
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
        ("2 N/(mm um)", "pressure", 2e9), ("10 1/s", "rotational speed", 62.83185307179586), ("-3 N m", "torque", -3.0),
        ("7", "length", 7.0), ("3 in", "length", 0.0762), ("100 lbf ft", "torque", 135.5817948331400),
    ],
)  # fmt: skip
def test_quantities_of_the_trade(text: str, dimension: str, value: float) -> None:
    assert to_si(text, DIMENSIONS[dimension]) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "dimension", "said"),
    [
        ("12 kg m", "moment of inertia", "wrong dimension"), ("3 N m/rad", "torque", "wrong dimension"),
        ("5 %", "angle", "wrong dimension"), ("2 N m/Hz", "torsional damping", "turns or radians"), ("2 N m min", "torsional damping", "turns or radians"),
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


@pytest.mark.parametrize(
    "unit",
    [
        "rpm",
        "1/min",
        "min^-1",
        "min-1",
        "min⁻¹",
        "min**-1",
        "/min",
        "r/min",
        "rev/min",
        "1/(min)",
        "turn/min",
        "min^−1",
        "1·min⁻¹",
    ],
)
def test_an_inverse_minute_of_a_rotational_speed_is_rpm(unit: str) -> None:
    """C1: ISO 80000-3, rotational frequency: 900 of them are 900 * 2 pi / 60 rad/s, whatever the spelling."""
    assert to_si(f"900 {unit}", DIMENSIONS["rotational speed"]) == pytest.approx(94.24777960769379, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("15 1/s", "rotational speed", 94.24777960769379), ("15 s^-1", "rotational speed", 94.24777960769379),
        ("15 s⁻¹", "rotational speed", 94.24777960769379), ("15 Hz", "rotational speed", 94.24777960769379),
        ("0.015 kHz", "rotational speed", 94.24777960769379), ("54000 1/h", "rotational speed", 94.24777960769379),
        ("94 rad/s", "rotational speed", 94.0), ("94 s^-1 rad", "rotational speed", 94.0), ("5400 deg/s", "rotational speed", 94.24777960769379),
        ("60 rad/min", "rotational speed", 1.0),
        # one revolution per second squared is 2 pi rad/s²; 60 rpm per second likewise
        ("1 1/s^2", "angular acceleration", 6.283185307179586), ("60 rpm/s", "angular acceleration", 6.283185307179586),
        ("60 1/min/s", "angular acceleration", 6.283185307179586), ("3600 min^-2", "angular acceleration", 6.283185307179586),
        ("2 rad/s²", "angular acceleration", 2.0),
        # these are no speeds: a rate and a frequency count themselves, N m s is N m per rad/s everywhere
        ("2 1/s", "rate", 2.0), ("60 1/min", "rate", 1.0), ("2 Hz", "frequency", 2.0), ("60 1/min", "frequency", 1.0),
        ("2 N m s", "torsional damping", 2.0),
    ],
)  # fmt: skip
def test_inverse_times_without_radians_are_revolutions_of_speeds_alone(text: str, dimension: str, value: float) -> None:
    """C1 and its siblings."""
    assert to_si(text, DIMENSIONS[dimension]) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    "text",
    [
        "1 kg^(10**10**10) m^2", "1 kg^99999999999 m^2", "1 kg**2**9999", "1 " + "m " * 25_000_000, "1 " + "(" * 5000 + "kg" + ")" * 5000,
        "1 kg^10", "1 m^-1e9", "1 __import__('os')", "1 m/0", "9" * 200_000 + " kg", " " * 5_000_000 + "x", "1 kg" + " " * 5_000_000, "1 ((((((kg))))))",
        "5 degC", "1 °C",
    ],
    ids=lambda text: text[:24],
)  # fmt: skip
def test_a_unit_is_parsed_and_bounded_and_never_evaluated(text: str) -> None:
    """B6: refused at once; the message does not repeat megabytes."""
    begin = time.process_time()
    with pytest.raises(UnitError) as caught:
        to_si(text, DIMENSIONS["moment of inertia"])
    assert time.process_time() - begin < 2.0, (
        "pint may be imported on the way, half a second; evaluating would take years"
    )
    assert len(str(caught.value)) < 300
    assert any_si(text) == text


def test_energy_in_kilowatt_hours_is_no_mistake() -> None:
    assert to_si("1 kWh", DIMENSIONS["energy"]) == pytest.approx(3.6e6)
    assert any_si("25 Nm") == "25 Nm", "a unit of yarn is not taken for a torque: its owner refuses it"


def test_values_of_unknown_dimension_become_si_where_they_can() -> None:
    given = ("2 t", "5 m/s", 3, "hello", "12 monkeys", True)
    assert [any_si(value) for value in given] == [2000.0, 5.0, 3, "hello", "12 monkeys", True]


def test_common_units_do_not_import_pint_and_the_package_neither_numba() -> None:
    code = (
        "import sys, gearwright as gw; gw.load('grc-750kw');"
        "assert not {'pint', 'numba', 'scipy'} & set(sys.modules), sorted(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
