"""Large files of other programs: a gigabyte of ``.outb``, opened, one channel of it, and its figures."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from .common import Figure

TITLE = "A 1 GB `.outb` file of OpenFAST: opened lazily, one channel, `gearwright inspect`"

CHANNELS = 132

#: Processor time, as everywhere in the benchmarks: other work on the machine disturbs it little.
_CHILD = """
import json, resource, sys, time
import numpy, xarray
import gearwright as gw

def now():
    return time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

start = now()
xarray.Dataset({"a": ("x", numpy.zeros(2))})  # xarray loads what array libraries there are at its first Dataset
gw.read
begin = now()
data = gw.read(sys.argv[1])
opened = now()
float(data["Chan7"].mean())
one = now()
gw.interchange.inspect(sys.argv[1])
end = now()
print(json.dumps([start, begin, opened, one, end]))
"""


def _write(path: Path, size: int) -> int:
    """An ``.outb`` file of id 2 of about ``size`` bytes, from its layout; returns the number of samples."""
    samples = size // (2 * CHANNELS)
    names = [b"Time", *(f"Chan{i}".encode() for i in range(CHANNELS))]
    units = [b"(s)", *([b"(kN-m)"] * CHANNELS)]
    scale, shift = np.full(CHANNELS, 50.0, "<f4"), np.zeros(CHANNELS, "<f4")
    with open(path, "wb") as file:
        file.write(struct.pack("<hiidd", 2, CHANNELS, samples, 0.0, 0.005) + scale.tobytes() + shift.tobytes())
        file.write(struct.pack("<i", 0) + b"".join(w.ljust(10) for w in (*names, *units)))
        block = np.random.default_rng(1).integers(-32000, 32000, (65536, CHANNELS)).astype("<i2")
        for at in range(0, samples, len(block)):
            file.write(block[: min(len(block), samples - at)].tobytes())
    return samples


def measure(quick: bool = False) -> list[Figure]:
    """Times and memory of a process of its own that opens the file."""
    size = 10**7 if quick else 10**9
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.outb"
        samples = _write(path, size)
        done = subprocess.run([sys.executable, "-c", _CHILD, str(path)], check=True, capture_output=True, text=True)
    steps = json.loads(done.stdout)
    taken = [later[0] - earlier[0] for earlier, later in zip(steps, steps[1:], strict=False)]
    memory = [step[1] for step in steps]
    note = f"{size / 1e9:g} GB, {CHANNELS} channels of {samples} samples"
    return [
        Figure("first Dataset of xarray (its imports)", taken[0], "s"),
        Figure("gw.read, values left in the file", taken[1], "s", 1.0, note=note),
        Figure("mean of one channel", taken[2], "s"),
        Figure("figures of all channels (gearwright inspect)", taken[3], "s"),
        Figure("memory before", memory[1], "MB"),
        Figure("peak memory after opening", memory[2], "MB"),
        Figure("peak memory after one channel", memory[3], "MB"),
        Figure("peak memory after the figures of all channels", memory[4], "MB", None if quick else 0.5e-6 * size),
    ]  # fmt: skip
