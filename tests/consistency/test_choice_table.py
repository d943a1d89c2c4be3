"""The choice of a method against measured times: benchmarks/choice.json, made by ``python -m benchmarks.choice --write``.

Nothing is timed here: the table is what a machine took, at equal error; the choice counts.
"""

from __future__ import annotations

import json

import pytest

from benchmarks.choice import MODELS, TABLE, TOLERANCES, at_error, prepared
from gearwright.solve.choose import choose, costs, operations
from tests.sweeps import sample

ROWS = {row["model"]: row for row in json.loads(TABLE.read_text())["rows"]}


def test_the_table_is_whole() -> None:
    assert list(ROWS) == [model.label for model in MODELS]
    assert all(len(row["engines"]) > 1 for row in ROWS.values())


def test_times_at_equal_error_by_hand() -> None:
    entry = {"ms": [1.0, 2.0, 4.0, 8.0], "error": [1e-2, 1e-4, 1e-6, 1e-8]}
    assert at_error(entry, 1e-3) == pytest.approx(2.0**0.5)
    assert at_error(entry, 1e-1) == 1.0
    assert at_error(entry, 1e-10) == pytest.approx(16.0)
    assert at_error({"more_than_ms": [7.0]}, 1e-3) == 7.0


@pytest.mark.parametrize("model", sample(MODELS, 20), ids=lambda model: model.label.replace(" ", "-"))
def test_the_choice_is_within_half_of_the_fastest(model) -> None:  # type: ignore[no-untyped-def]
    """At every tolerance, at an error equal to it; and what is counted for the one that is chosen is of the size of what it took."""
    case = prepared(model)
    row = ROWS[model.label]["engines"]
    counts = operations(case.system)._replace(accompanied=case.accompanied)
    for tolerance in TOLERANCES:
        took = {name: at_error(entry, tolerance) for name, entry in row.items()}
        name = choose(case.system, case.interval, tolerance, accompanied=case.accompanied)[0].name
        # a constant model goes to the exact engine, which has no error at any tolerance: that may cost more
        slower = 1.5 if case.system.shape.laws else 2.5
        assert took[name] <= slower * min(took.values()), (tolerance, name, took)
        if (
            case.system.shape.laws and not counts.undeclared and case.system.v0.any()
        ):  # from rest, switches are not known
            assert 0.2 < 1e3 * costs(counts, case.interval, tolerance)[name] / took[name] < 5.0
