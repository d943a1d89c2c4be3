"""What counting a fleet costs: processor time per turbine, memory, reading; and a peer that keeps no state, recounted whole.

Turbines are counted in one process, side by side: 200 for a day in pieces of an hour, from which 10 000 are scaled, since the work is one turbine's after
another's; all 10 000 for 15 minutes in pieces of a minute, as they come from the field; 100 at 20 Hz.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from gearwright.fleets.assets import Asset, gearbox_of
from gearwright.fleets.stream import Setting, Stream
from gearwright.fleets.tables import batches

from .common import Figure

TITLE = "Fleets: counting that goes on, its state, reading, and a count from the beginning each time"
DAY = 86400


def signals(rows: int, interval: float, seed: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """A wandering torque and speed with a swing of 2 Hz."""
    rng = np.random.default_rng(seed)
    t = 1.7e9 + interval * np.arange(rows)
    swing = 0.3 * np.sin(2 * np.pi * 2.03 * t)
    wander = np.cumsum(rng.normal(size=rows)) * np.sqrt(interval)
    wander -= np.linspace(0.0, wander[-1], rows)
    torque = 3e4 + 100.0 * wander
    return t, {"generator_speed": 115.0 + 0.02 * wander + swing, "generator_torque": torque, "power": torque * 115.0}


def setting(interval: float) -> Setting:
    """That of the gearbox of ``nrel-5mw``."""
    box = gearbox_of(Asset("A", drivetrain="nrel-5mw"))
    return Setting.made(interval, box.torque, box.speed, box.sections.inertias, box.first_mode)


def counted(turbines: int, rows: int, interval: float, piece: int) -> tuple[float, float]:
    """Processor seconds per turbine and second of data, and bytes of a state."""
    how = setting(interval)
    t, own = signals(rows, interval, 1)
    Stream(how).add(t[:5000], {n: x[:5000] for n, x in own.items()})
    streams = [Stream(how) for _ in range(turbines)]
    begin = time.process_time()
    for first in range(0, rows, piece):
        part = slice(first, first + piece)
        rows_of = {n: x[part] for n, x in own.items()}
        for stream in streams:
            stream.add(t[part], rows_of)
            stream.taken()
    used = time.process_time() - begin
    size = sum(values.nbytes for values in streams[0].state().values())
    return used / (turbines * rows * interval), float(size)


def memory() -> float:
    """Most memory that this process has had [bytes]."""
    import resource

    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def reading(rows: int = 500_000) -> dict[str, float]:
    """Processor nanoseconds per row of four columns."""
    import pandas

    t, own = signals(rows, 1.0, 2)
    frame = pandas.DataFrame({"time": pandas.to_datetime(t, unit="s"), **own})
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.parquet", "a.csv"):
            path = Path(folder) / name
            frame.to_parquet(path) if name.endswith("parquet") else frame.to_csv(path, index=False)
            begin = time.process_time()
            count = sum(len(b.time) for b in batches(path, 0, None, []))
            found[path.suffix[1:]] = 1e9 * (time.process_time() - begin) / count
    return found


def peer(hours: float = 2.0, pieces: int = 60) -> tuple[float, float]:
    """Processor seconds of an unbroken count kept up to date after each of so many pieces: ours from its state, the package rainflow from the beginning."""
    import rainflow

    how = Setting.made(0.05, 43093.0, 122.9, (0.0,))
    t, own = signals(round(hours * 72000), 0.05, 3)
    own["generator_speed"][:] = 115.0 + 1e-6 * np.arange(len(t))
    size = len(t) // pieces
    stream = Stream(how)
    stream.add(t[:size], {n: x[:size] for n, x in own.items()})
    stream = Stream(how)
    begin = time.process_time()
    for k in range(pieces):
        stream.add(t[k * size : (k + 1) * size], {n: x[k * size : (k + 1) * size] for n, x in own.items()})
    ours = time.process_time() - begin
    begin = time.process_time()
    for k in (pieces // 3, 2 * pieces // 3, pieces):
        for _ in rainflow.extract_cycles(own["generator_torque"][: k * size]):
            pass
    # work grows with the length: the three counts stand for all
    theirs = (time.process_time() - begin) * pieces / 3.0
    return ours, theirs


def measure(quick: bool = False) -> list[Figure]:
    """Time per turbine, share of a core of a fleet, memory, reading, and the peer."""
    share = 40 if quick else 1
    day, size = counted(200 // share, DAY // share, 1.0, 3600)
    minute, _ = counted(10_000 // share, 900 // share, 1.0, 60)
    fast, large = counted(100 // share, 20 * 600 // share, 0.05, 1200)
    read = reading(500_000 // share)
    ours, theirs = peer(2.0 if not quick else 0.05, 60 if not quick else 3)
    return [
        Figure("a turbine-second at 1 Hz, 200 turbines, a day in pieces of an hour", 1e9 * day, "ns"),
        Figure("10 000 turbines at 1 Hz, scaled from that: share of a core", 1e6 * day, "%"),
        Figure("10 000 turbines at 1 Hz, 15 min in pieces of a minute: share of a core", 1e6 * minute, "%"),
        Figure(
            "100 turbines at 20 Hz, 10 min in pieces of a minute: share of a core",
            1e4 * fast,
            "%",
        ),
        Figure("memory of this process after 10 000 turbines at 1 Hz", memory() / 2**20, "MiB"),
        Figure("state of a turbine at 1 Hz", size / 1024, "KiB"),
        Figure("state of a turbine at 20 Hz", large / 1024, "KiB"),
        Figure("reading a row of four columns, Parquet", read["parquet"], "ns"),
        Figure("reading a row of four columns, CSV", read["csv"], "ns"),
        Figure("unbroken count of 2 h at 20 Hz kept up to date every 2 min, filter and levels included", ours, "s"),
        Figure("the package rainflow from the beginning each time, over it", theirs / ours, "times"),
    ]
