"""What a compiled function may not do is refused in plain words with the line, and never passed over silently."""

import importlib.util
import re
import sys

import pytest

from gearwright.kernels import force, guard, hot
from gearwright.kernels.refusals import KernelError
from tests.sweeps import sweep

HEAD = "import numpy as np\nTABLE = [1.0, 2.0]\nclass Thing: x = 1.0\nthing = Thing()\ndef helper(x): return x\n"
FORCE = "def law(t, d, dv, p, z, s, mode, f, zd):\n"


def _function(tmp_path, text):
    path = tmp_path / "own.py"
    path.write_text(HEAD + text)
    spec = importlib.util.spec_from_file_location("own", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.law


@pytest.mark.parametrize("body, words, line", sweep([
    ("    f[0] = np.zeros(3)[0]", "may not allocate", 6),
    ("    a = [d[0]]\n    a.append(1.0)\n    f[0] = a[1]", "may not allocate", 6),
    ("    f[0] = {'a': 1.0}['a']", "may not allocate", 6),
    ("    f[0] = len(f'{mode}')", "may not allocate", 6),
    ("    print(d[0])\n    f[0] = 1.0", "may not print", 6),
    ("    f[0] = unknown(d[0])", "'unknown', which is not defined", None),
    ("    f[0] = thing.x", "'thing', an object of class own.Thing", 7),
    ("    f[0] = TABLE[0]", "the list 'TABLE': make it a tuple", 7),
    ("    f[0] = helper(d[0])", "mark that with gearwright.kernels.hot", 7),
    ("    f[0] = sum(d[0:2])", "number by number", 7),
    ("    f[0] = len(d)", "calls len() of one of its arguments", 7),
    ("    return d[0]", "returns nothing", 7),
    ("    if d[0] > 1.0:\n        raise ValueError\n    f[0] = 1.0", "raise or assert", 8),
    ("    assert d[0] > 0.0\n    f[0] = 1.0", "raise or assert", 7),
    ("    try:\n        f[0] = 1.0 / d[0]\n    except ZeroDivisionError:\n        f[0] = 0.0", "try or with", None),
    ("    yield d[0]", "it yields", None),
], 6))  # fmt: skip
def test_a_force_is_refused_with_its_place(tmp_path, body, words, line):
    made = force(_function(tmp_path, FORCE + body + "\n"))
    with pytest.raises(KernelError) as refused:
        made.address  # noqa: B018
    said = str(refused.value)
    assert said.startswith("'law' cannot be compiled: ") and words in said and "\n" not in said and "\x1b" not in said
    found = re.search(r"own\.py, line (\d+)\)$", said)
    assert found and (line is None or int(found[1]) == line), said


def test_a_guard_that_returns_nothing_is_refused(tmp_path):
    made = guard(_function(tmp_path, "def law(t, d, dv, p, z, s, mode, g):\n    g[0] = d[0]\n"))
    with pytest.raises(KernelError, match="without a value on some path: it has to return a number"):
        made.address  # noqa: B018


@pytest.mark.parametrize("make, parameters, wanted", [
    (force, "t, d, dv, p, z, s, mode, f", r"these 9: \(t, d, dv, p, z, s, mode, f, zd\)"),
    (force, "t, d, dv, p, z, s, mode, *f", "these 9"),
    (guard, "t, d, dv, p, z, s, mode, g, more", r"these 8: \(t, d, dv, p, z, s, mode, g\)"),
])  # fmt: skip
def test_another_number_of_parameters_is_refused_when_the_law_is_made(tmp_path, make, parameters, wanted):
    function = _function(tmp_path, f"def law({parameters}):\n    pass\n")
    with pytest.raises(KernelError, match=wanted):
        make(function)


def test_what_a_kernel_cannot_is_refused_in_plain_words_too():
    @hot
    def kernel(x):
        return unknown(x)  # noqa: F821

    with pytest.raises(KernelError, match="'kernel' cannot be compiled: it uses 'unknown', which is not defined"):
        kernel(1.0)


# --- what machine code of a user's function depends on -------------------------------------------------------

LAW = """
from gearwright.kernels import force, hot
from settings import FACTOR
import settings

@hot
def twice(x):
    return {number} * x

@force
def law(t, d, dv, p, z, s, mode, f, zd):
    f[0] = twice(d[0]) * FACTOR + settings.MORE
"""


def _value(law):
    from ctypes import POINTER, c_double

    import numpy as np

    arrays = [np.full(2, 4.0) for _ in range(7)]
    pointers = [a.ctypes.data_as(POINTER(c_double)) for a in arrays]
    law.ctypes(0.0, *pointers[:5], 0, *pointers[5:])
    return arrays[5][0]


def _imported(tmp_path, monkeypatch, number, settings):
    (tmp_path / "settings.py").write_text(settings)
    (tmp_path / "own.py").write_text(LAW.format(number=number))
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("own", "settings"):
        sys.modules.pop(name, None)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # edited within a second, as long as before
    return importlib.import_module("own").law


def test_a_law_that_was_edited_is_compiled_anew_in_the_same_session(tmp_path, monkeypatch):
    """Its own text, a function that it calls, a constant from another file of the user, one that it reads there."""
    law = _imported(tmp_path, monkeypatch, 2.0, "FACTOR, MORE = 1.0, 0.5\n")
    assert _value(law) == 8.5
    same = _imported(tmp_path, monkeypatch, 2.0, "FACTOR, MORE = 1.0, 0.5\n")
    assert same is not law and same.place([]) == law.place([]) and same.kept() and _value(same) == 8.5
    for number, settings, expected in (
        (3.0, "FACTOR, MORE = 1.0, 0.5\n", 12.5), (3.0, "FACTOR, MORE = 10.0, 0.5\n", 120.5), (3.0, "FACTOR, MORE = 1.0, 0.25\n", 12.25),
    ):  # fmt: skip
        other = _imported(tmp_path, monkeypatch, number, settings)
        assert other.place([])[1] != law.place([])[1] and _value(other) == expected
    assert _value(law) == 8.5


def test_a_law_whose_content_cannot_be_told_is_compiled_but_not_kept():
    import array

    numbers = array.array("d", [3.0])

    @force
    def law(t, d, dv, p, z, s, mode, f, zd):
        f[0] = 3.0 * d[0] if mode == 0 else numbers[0]

    assert law.place([])[0] is None
