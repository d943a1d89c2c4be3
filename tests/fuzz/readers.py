"""What other programs write: series, fields, tables, decks and gearbox models, through every reader."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz import ROOT, Format, damaged_bytes, register

DATA = ROOT / "tests" / "data"
#: files of tests/data that no reader of series takes
_OTHERS = (".md", ".txt.", ".rexs", ".yaml", ".gz")
#: the other file of a pair
_PAIRS = {".sel": ".dat", ".dat": ".sel", ".$04": ".%04", ".%04": ".$04"}


@cache
def recorded() -> dict[str, bytes]:
    """The samples of tests/data, and formats that none of them has, as this program and SciPy write them."""
    found = {
        path.name: path.read_bytes()
        for path in sorted([*DATA.iterdir(), *(DATA / "turbine").iterdir()])
        if path.is_file() and path.suffix not in _OTHERS and not path.name.startswith("LICENSE")
    }
    with tempfile.TemporaryDirectory() as folder:
        found.update(_written(Path(folder)))
    return found


def _written(folder: Path) -> dict[str, bytes]:
    import xarray
    from scipy.io import savemat

    from gearwright.interchange import write

    t = np.arange(60) * 0.05
    data = xarray.Dataset({"Mx": ("time", np.sin(t), {"units": "kN m"}), "n": ("time", 3 + t)}, {"time": ("time", t)})
    made = [write(data, folder / f"made{suffix}") for suffix in (".outb", ".csv", ".parquet", ".mat", ".nc")]
    savemat(folder / "plain.mat", {"time": t, "Mx": np.sin(t), "rec": {"n": 3 + t}})
    savemat(folder / "four.mat", {"time": t, "Mx": np.sin(t)}, format="4")
    (folder / "table.tsv").write_text(
        "time [s]\tMx [kN m]\n" + "".join(f"{a:.3f}\t{b:.6f}\n" for a, b in zip(t, np.sin(t), strict=True))
    )
    return {
        path.name: path.read_bytes()
        for path in (*made, folder / "plain.mat", folder / "four.mat", folder / "table.tsv")
    }


def beside(folder: Path, name: str) -> None:
    """The other file of a pair, undamaged."""
    other = name[:-4] + _PAIRS.get(name[-4:], "")
    if name[-4:] in _PAIRS and (DATA / other).is_file():
        (folder / other).write_bytes((DATA / other).read_bytes())


def read_series(path: Path, draw: random.Random) -> Any:
    """A file looked at, read whole, or written in another format."""
    from gearwright.interchange import inspect, read
    from gearwright.interchange.write import export_file

    how = draw.random()
    if how < 0.4:
        return inspect(path)
    if how < 0.8:
        data = read(path).load()
        assert all(
            v.dtype.kind != "f" or "not_finite" in v.attrs or np.isfinite(v.values).all()
            for v in data.variables.values()
        )
        return None
    out = path.with_name("out" + draw.choice((".csv", ".outb", ".mat", ".parquet")))
    return export_file(path, out, table=draw.choice(("series", "del")))


def models() -> dict[str, bytes]:
    """Gearbox models in REXS."""
    return {path.name: path.read_bytes() for path in sorted(DATA.glob("*.rexs"))}


def read_model(path: Path, draw: random.Random) -> Any:
    """A gearbox model made a drivetrain."""
    from gearwright.interchange.rexs import read_rexs
    from gearwright.schema.read import from_mapping
    from gearwright.train.expand import expand

    expand(from_mapping(read_rexs(path)))
    return None


def decks() -> dict[str, bytes]:
    """Files of a deck that a turbine is imported from: the deck's other files stand beside them."""
    folder = DATA / "turbine" / "deck"
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def beside_deck(folder: Path, name: str) -> None:
    """The rest of the deck, undamaged."""
    for other, content in decks().items():
        if other != name:
            (folder / other).write_bytes(content)
    if not (folder / "Airfoils").exists():
        (folder / "Airfoils").symlink_to(DATA / "turbine" / "deck" / "Airfoils")


def read_deck(path: Path, draw: random.Random) -> Any:
    """The turbine of a deck."""
    from gearwright.interchange.openfast_deck import read_deck as read
    from gearwright.turbine.model import to_mapping

    return to_mapping(read(path.with_name("nrel-5mw.fst")))


register(Format("series", recorded, damaged_bytes, read_series, beside))
register(Format("rexs", models, damaged_bytes, read_model))
register(Format("deck", decks, damaged_bytes, read_deck, beside_deck, share=0.1))
