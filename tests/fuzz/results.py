"""What the program writes and reads again: result files and folders of campaigns, through the commands that read them."""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import os
import random
import shutil
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz import Format, damaged_bytes, register

#: commands on a result; ``{}`` is the file, ``{sound}`` a sound one of another run, ``{out}`` a file to write
_COMMANDS = (
    ("report", "{}", "-o", "{out}.html"), ("report", "{}", "-o", "{out}.html"), ("view", "{}", "-o", "{out}.html"),
    ("compare", "{}", "{sound}", "--json"), ("compare", "{sound}", "{}", "-o", "{out}.html"), ("life", "{}", "--json"),
    ("life", "{}", "-o", "{out}.html"), ("inspect", "{}", "--json"), ("export", "{}", "-o", "{out}.csv"),
    ("export", "{}", "--table", "del", "-o", "{out}.csv"), ("orders", "{}", "--channel", "{channel}", "--json"), ("envelope", "{}", "--channel", "{channel}", "--json"),
    ("identify", "{}", "--channel", "{channel}", "--json"), ("tooth-stress", "{}", "pair.mesh", "--json"),
)  # fmt: skip


if "GEARWRIGHT_FUZZ_RESULTS" not in os.environ:  # children take that of the process that started them
    os.environ["GEARWRIGHT_FUZZ_RESULTS"] = tempfile.mkdtemp(prefix="gearwright-fuzz-")
    atexit.register(shutil.rmtree, os.environ["GEARWRIGHT_FUZZ_RESULTS"], ignore_errors=True)


class Refused(RuntimeError):
    """A command that ended with one message and exit code 2."""

    __module__ = "gearwright.refused"


def command(*words: str) -> Any:
    """Run a command as ``gearwright`` does; what it printed as JSON. Raises Refused with its message."""
    from gearwright.commands import application

    said, printed = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        code = application(words[0])(list(words), prog_name="gearwright", standalone_mode=False)
    if code:
        raise Refused(said.getvalue())
    return json.loads(printed.getvalue(), parse_constant=_refuse) if "--json" in words else None


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} in JSON")


# ---------------------------------------------------------------- result files


@cache
def _folder() -> Path:
    """Sound files, made once by the first process that needs them."""
    import gearwright

    place = Path(os.environ["GEARWRIGHT_FUZZ_RESULTS"])
    if not (place / "whole").exists():
        gearwright.simulate("spur-pair-hertz", duration=0.1, output=place / "pair.nc")
        gearwright.simulate("kahraman-oscillator", duration=0.05, output=place / "kahraman.nc")
        gearwright.simulate("nrel-5mw-gallego", overrides=["discard=0 s"], duration=0.3, output=place / "gallego.nc")
        command("run", "pendulum-revolute", "--duration", "0.2", "-o", str(place / "pendulum.nc"))
        _made_campaign(place)
        (place / "whole").touch()
    return place


def results() -> dict[str, bytes]:
    """Sound result files."""
    return {path.name: path.read_bytes() for path in sorted(_folder().glob("*.nc"))}


def damaged_result(draw: random.Random, content: bytes) -> bytes:
    """Attributes and variables taken away, renamed or written over through the library; else bytes."""
    if draw.random() < 0.4:
        return damaged_bytes(draw, content)
    if draw.random() < 0.3:  # flipped bits deep inside, where the compressed blocks are
        data = bytearray(content)
        for _ in range(draw.randint(1, 5)):
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        return bytes(data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.nc"
        path.write_bytes(content)
        _edit(draw, path)
        return path.read_bytes()


def _edit(draw: random.Random, path: Path) -> None:
    import netCDF4

    strange: list[Any] = ["", "text", "[", "{}", "[1, 2]", "null", '{"a": 1}', 0, -1, 1e308, np.nan, np.inf, [1.0, 2.0]]
    with netCDF4.Dataset(path, "a") as file:
        for _ in range(draw.choice([1, 1, 1, 2, 4])):
            names = sorted(file.variables)
            holder = file if draw.random() < 0.7 else file[draw.choice(names)]
            attributes = [a for a in holder.ncattrs() if not a.startswith("_")]
            how = draw.randrange(6)
            with contextlib.suppress(RuntimeError, OSError, TypeError, AttributeError, ValueError):
                if how < 2 and attributes:
                    holder.delncattr(draw.choice(attributes))
                elif how == 2 and attributes:
                    chosen = draw.choice(attributes)
                    text = str(holder.getncattr(chosen))
                    holder.setncattr(chosen, draw.choice([*strange, text[: len(text) // 2], text.replace(":", ",", 3)]))
                elif how == 3:
                    file.renameVariable(draw.choice(names), "lost")
                elif how == 4:
                    file.renameDimension(draw.choice(sorted(file.dimensions)), "elsewhere")
                else:
                    values = file[draw.choice(names)]
                    part = tuple(slice(0, draw.randint(1, n)) for n in values.shape)
                    values[part] = np.full([s.stop for s in part], draw.choice([0.0, np.nan, np.inf, -1e300, 5e-324]))


def use_result(path: Path, draw: random.Random) -> Any:
    """One of the commands that read results."""
    sound = draw.choice(sorted(_folder().glob("*.nc")))
    channel = draw.choice(("pair.mesh.force", "gear.speed", "main.torque", "pair.pinion.speed"))
    words = [w.format(path, sound=sound, out=path.with_name("out"), channel=channel) for w in draw.choice(_COMMANDS)]
    return command(*words)


# ---------------------------------------------------------------- folders of campaigns

_CAMPAIGN = """
include: [spur-pair-hertz]
name: three
campaigns:
  - {name: lengths, case: steady, grid: {duration: [20 ms, 25 ms, 30 ms]}}
life: {years: 1}
"""


def _made_campaign(place: Path) -> None:
    (place / "three.yaml").write_text(_CAMPAIGN)
    command("campaign", str(place / "three.yaml"), "-o", str(place / "three"))


def campaigns() -> dict[str, bytes]:
    """A finished campaign, its folder packed into one file."""
    packed = io.BytesIO()
    folder = _folder() / "three"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, str(path.relative_to(folder)))
    return {"three.zip": packed.getvalue()}


def damaged_campaign(draw: random.Random, content: bytes) -> bytes:
    """One or two files of the folder damaged, taken away or put in place of another."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(draw.choice([1, 1, 2])):
        texts = [n for n in files if n.endswith(".json")]
        name = draw.choice(texts if texts and draw.random() < 0.7 else sorted(files))
        how = draw.randrange(8)
        if how == 0:
            del files[name]
        elif how == 1:
            files[name] = files[name][: draw.randrange(len(files[name]) + 1)]
        elif how == 2:
            files[name] = files[draw.choice(sorted(files))]
        elif how == 3 or not name.endswith(".json"):
            files[name] = (
                damaged_result(draw, files[name]) if name.endswith(".nc") else damaged_bytes(draw, files[name])
            )
        else:
            files[name] = _damaged_json(draw, files[name])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def _damaged_json(draw: random.Random, content: bytes) -> bytes:
    from tests.fuzz.yaml_damage import damaged_tree

    try:
        return json.dumps(damaged_tree(draw, json.loads(content)), allow_nan=draw.random() < 0.5).encode(
            errors="replace"
        )
    except ValueError:
        return b"NaN"


def use_campaign(path: Path, draw: random.Random) -> Any:
    """The folder read, or gone on with."""
    folder = path.with_name("folder")
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    out = str(path.with_name("out"))
    words = draw.choice([
        ("campaign", str(_folder() / "three.yaml"), "-o", str(folder)), ("campaign", str(_folder() / "three.yaml"), "-o", str(folder), "--json"),
        ("report", str(folder), "-o", f"{out}.html"), ("life", str(folder), "--json"), ("life", str(folder), "-o", f"{out}.html"),
        ("compare", str(folder), str(_folder() / "three"), "--json"),
    ])  # fmt: skip
    return command(*words)


register(Format("result", results, damaged_result, use_result, patience=60.0, share=0.25))
register(Format("campaign", campaigns, damaged_campaign, use_campaign, patience=60.0, share=0.2))
