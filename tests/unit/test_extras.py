"""What the base installation leaves out: the message says what needs it and which extra brings it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import xarray

from gearwright.analyses.picture import Curve, Picture
from gearwright.errors import InputError, MissingExtra
from gearwright.interchange import ReadError, read, write
from gearwright.results.plots import plot

SERIES = xarray.Dataset(
    {"a": ("time", np.arange(3.0), {"units": "N"})}, {"time": ("time", np.arange(3.0), {"units": "s"})}
)


@pytest.mark.parametrize(("backend", "package"), [("plotly", "plotly"), ("matplotlib", "matplotlib")])
def test_plots(monkeypatch: pytest.MonkeyPatch, backend: str, package: str) -> None:
    for name in [n for n in sys.modules if n.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    for ask in (
        lambda: plot(np.arange(3.0), {"a": SERIES["a"]}, "force", backend),
        lambda: Picture("x", "y", [Curve("a", [0.0, 1.0], [0.0, 1.0])]).drawn(backend),
    ):
        with pytest.raises(MissingExtra, match=rf"needs {package}: pip install 'gearwright\[plots\]'") as said:
            ask()
        assert isinstance(said.value, InputError) and said.value.where == package


def test_tables_of_columns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = write(SERIES, tmp_path / "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for ask in (lambda: read(path), lambda: write(SERIES, tmp_path / "b.parquet")):
        with pytest.raises(ReadError, match=r"needs pyarrow: pip install gearwright\[files\]"):
            ask()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.parquet"]


def test_text_tables_need_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every digit comes back, and a unit with a comma or a quote in its name is one cell."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    values = np.array([1 / 3, 1e-300, -2.5e17])
    data = SERIES.assign({'b, "c"': ("time", values, {"units": "N m"})})
    back = read(write(data, tmp_path / "a.csv"))
    np.testing.assert_array_equal(back['b, "c"'], values)
    assert back['b, "c"'].attrs["units"] == "N m"
