"""Damaged files: whatever stands in one, the program says one clear sentence or does its work.

    python -m tests.fuzz 10000                # that many mutants of every format
    python -m tests.fuzz 2000 --format case   # of one
    python -m tests.fuzz --one case:0:137     # one mutant again, with its traceback; its file is printed

Every mutant is made from a seed and a number alone, so that it can be made again. Mutants run in a child process whose memory
is limited; one that ends the process, hangs or leaves the limit is named and the others go on. What counts as a find:

- an exception that is not one of the program's own (a traceback on a terminal),
- more than :data:`PATIENCE` of processor time, memory above :data:`MEMORY`, the end of the process,
- a message of 40 lines or more,
- JSON that holds NaN or Infinity.

How to add a format: write a module in this folder that calls :func:`register` with a :class:`Format`: its sound files, how one
is damaged (:func:`damaged_bytes` serves any file), and what the program does with it. Nothing else has to be told; the test
``tests/properties/test_fuzz.py`` and the command find it.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import pkgutil
import random
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
#: processor time of a mutant [s]; compiling is not part of it where a format says so by ``patience``
PATIENCE = 10.0
#: memory that a child may take on top of what the libraries map [bytes]
MEMORY = 10**9
#: wall time without a sign of life after which a child is ended [s]: code that no signal reaches
SILENCE = 180.0
LONGEST_MESSAGE = 40


@dataclass(frozen=True)
class Format:
    """A kind of file.

    ``samples()``: sound files by name. ``damage(random, content)``: a damaged one. ``use(path, random)``: what the program does
    with it, returning what it would print as JSON (or None); an exception whose class is the program's own is a refusal.
    ``beside(folder, name)`` puts what a file needs into its folder. ``patience``: processor time in place of
    :data:`PATIENCE`. ``share``: of the mutants that are asked for, where each takes long.
    """

    name: str
    samples: Callable[[], dict[str, bytes]]
    damage: Callable[[random.Random, bytes], bytes]
    use: Callable[[Path, random.Random], Any]
    beside: Callable[[Path, str], None] = lambda folder, name: None
    patience: float = PATIENCE
    share: float = 1.0


@dataclass
class Finds:
    """What came of the mutants of a format: how many ran, were refused, and the finds, each a sentence with its trace."""

    ran: int = 0
    refused: int = 0
    found: list[str] = field(default_factory=list)


FORMATS: dict[str, Format] = {}


def register(made: Format) -> None:
    """Make a format known."""
    FORMATS[made.name] = made


@cache
def formats() -> dict[str, Format]:
    """All formats, by name; the modules of this folder register theirs."""
    for module in sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)])):
        if module != "__main__":
            importlib.import_module(f"tests.fuzz.{module}")
    return FORMATS


# ---------------------------------------------------------------- one mutant


@cache
def _samples(name: str) -> dict[str, bytes]:
    return formats()[name].samples()


def mutant(name: str, seed: int, index: int) -> tuple[str, bytes, random.Random]:
    """Name of the sound file, damaged content, and the generator for what is done with it. Small files come more often."""
    draw = random.Random(f"{name}:{seed}:{index}")
    sound = _samples(name)
    names = sorted(sound)
    chosen = draw.choices(names, [1.0 / (1000 + len(sound[n])) for n in names])[0]
    return chosen, formats()[name].damage(draw, sound[chosen]), draw


def refusal(error: BaseException) -> bool:
    """Whether the program turns this exception into one message, as :func:`gearwright.console.mendable` does."""
    return type(error).__module__.startswith("gearwright") or (
        isinstance(error, OSError) and error.filename is not None and not isinstance(error, MemoryError)
    )


class Hang(BaseException):
    """A mutant that took longer than its processor time."""


def _alarm(*_: Any) -> None:
    raise Hang


def try_one(name: str, seed: int, index: int, folder: Path) -> tuple[bool, str]:
    """Run one mutant: whether it was refused, and the find ('' for none)."""
    chosen, content, draw = mutant(name, seed, index)
    form = formats()[name]
    form.beside(folder, chosen)
    path = folder / chosen
    path.unlink(missing_ok=True)  # it may be a link to the sound one
    path.write_bytes(content)
    signal.signal(signal.SIGPROF, _alarm)
    signal.setitimer(signal.ITIMER_PROF, form.patience)
    try:
        found = form.use(path, draw)
        return False, _json_find(found)
    except Hang:
        return False, "hangs" + _trace()
    except Exception as error:
        if not refusal(error):
            return False, f"{type(error).__name__}: {str(error)[:200]}" + _trace()
        lines = str(error).count("\n") + 1
        return True, "" if lines < LONGEST_MESSAGE else f"a message of {lines} lines: {str(error)[:300]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def _trace() -> str:
    return "\n" + "".join(traceback.format_exc().splitlines(keepends=True)[-14:])


def _json_find(data: Any) -> str:
    """What is wrong with the JSON that the command would print."""
    if data is None:
        return ""
    from gearwright.console import print_json

    def refuse(word: str) -> None:
        raise ValueError(f"{word} in JSON")

    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        print_json(data)
    try:
        json.loads(text.getvalue(), parse_constant=refuse)
    except ValueError as error:
        return str(error)
    return ""


# ---------------------------------------------------------------- many, in children


def child(name: str, seed: int, first: int, last: int) -> None:
    """Run mutants and print a line before and after each; ends with the process."""
    use = _samples(name)  # imports and samples do not count
    assert use
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    data = next(
        int(line.split()[1]) * 1024
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith("VmData")
    )
    resource.setrlimit(resource.RLIMIT_DATA, (data + MEMORY, resource.RLIM_INFINITY))
    out = sys.stdout
    sys.stdout = sys.stderr
    with tempfile.TemporaryDirectory() as folder:
        for index in range(first, last):
            print(json.dumps({"begins": index}), file=out, flush=True)
            refused, find = try_one(name, seed, index, Path(folder))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            if not find and peak > base + MEMORY:
                find, base = f"took {peak - base:.3g} bytes", peak
            print(json.dumps({"ends": index, "refused": refused, "find": find}), file=out, flush=True)


def _lines(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    """Lines of a child; ends it when it is silent too long."""
    import select

    assert process.stdout is not None
    while True:
        ready, _, _ = select.select([process.stdout], [], [], SILENCE)
        line = process.stdout.readline() if ready else ""
        if not line:
            if not ready:
                process.kill()
            process.wait()
            return
        yield json.loads(line)


def run(name: str, count: int, seed: int = 0, shown: Callable[[str], None] = lambda text: None) -> Finds:
    """Run ``count`` mutants of a format (or its share of them), in as many children as it takes."""
    finds = Finds()
    count = max(round(count * formats()[name].share), 1)
    index = 0
    while index < count:
        command = [sys.executable, "-m", "tests.fuzz", "--child", f"{name}:{seed}:{index}:{count}"]
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True, bufsize=1)
            begun, ended = index - 1, index - 1
            for said in _lines(process):
                begun = said.get("begins", begun)
                if "ends" in said:
                    ended = said["ends"]
                    finds.ran += 1
                    finds.refused += said["refused"]
                    if said["find"]:
                        finds.found.append(f"{name}:{seed}:{ended}: {said['find']}")
                        shown(finds.found[-1])
            errors.seek(0)
            rest = errors.read()[-3000:]
        if begun < index:
            finds.found.append(f"{name}: the child did not start: {rest}")
            return finds
        if begun > ended:
            finds.ran += 1
            finds.found.append(f"{name}:{seed}:{begun}: the process ended with {process.returncode}\n{rest}")
            shown(finds.found[-1])
        index = begun + 1
    return finds


# ---------------------------------------------------------------- damage that serves any file


def damaged_bytes(draw: random.Random, content: bytes) -> bytes:
    """One to three damages of the bytes: flipped, cut, put in, taken out, repeated; half of them in the first kilobyte."""
    data = bytearray(content)
    for _ in range(draw.randint(1, 3)):
        size = len(data)
        if not size:
            break
        at = draw.randrange(min(size, 1024)) if draw.random() < 0.5 else draw.randrange(size)
        how = draw.randrange(6)
        if how == 0:
            data[at] ^= draw.randint(1, 255)
        elif how == 1:
            del data[at:]
        elif how == 2:
            data[at:at] = bytes(draw.randrange(256) for _ in range(draw.randint(1, 9)))
        elif how == 3:
            del data[at : at + draw.randint(1, 64)]
        elif how == 4:
            data[at:at] = data[at : at + draw.randint(1, 200)] * draw.randint(1, 5)
        else:
            data[at : at + 4] = draw.choice([b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\xff" * 4, b"\0\0\0\x80"])
    return bytes(data)
