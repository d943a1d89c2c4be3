"""Numbers, units and escapes of the report."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from gearwright.figures.format import (
    breakable,
    embedded_json,
    normal_unit,
    number,
    quantity,
    screen_unit,
    seconds,
    slug,
    text,
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (12345.6, "12\u202f350"),
        (1234.56, "1235"),
        (-9.99996, "\u221210.00"),
        (0.0012345, "0.001234"),
        (999.96, "1000"),
        (1.234e8, "1.234\u202f×\u202f10⁸"),
        (9.99999e-6, "1.000\u202f×\u202f10⁻⁵"),
        (7, "7"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_four_significant_digits(value, shown):
    """Four digits, narrow spaces, a true minus, powers of ten; a dash for nothing."""
    assert number(value) == shown


def test_units_of_the_trade():
    """kN, kN m, rpm on screen; spellings of one unit are one."""
    assert quantity(373.8e3, "N") == "373.8\u202fkN"
    assert quantity(2.0 * math.pi, "rad/s") == "60.00\u202frpm"
    assert normal_unit("Nm") == normal_unit("N·m") == normal_unit("N*m") == "N m"
    assert screen_unit("furlong") == (1.0, "furlong")
    assert seconds(520.5660) == "520.566\u202fs"


def test_escapes():
    """Nothing from a file ends a tag, a script or a string."""
    nasty = "</script><img src=x onerror=1>\"'&"
    assert "<" not in text(nasty) and '"' not in text(nasty)
    assert "<" not in embedded_json({nasty: nasty})
    assert json.loads(embedded_json({nasty: [nasty, np.float64(2.0), math.inf]})) == {nasty: [nasty, 2.0, None]}
    assert breakable("a.b_c<") == "a.<wbr>b_<wbr>c&lt;"
    assert slug("Stage 1/<b>") == "stage-1-b"
