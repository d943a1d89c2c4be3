"""The three-dimensional view of a result or of a model, and pictures of it without a window."""

from __future__ import annotations

import base64
import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import numpy as np

from gearwright.analyses import mechanism
from gearwright.analyses.base import result_file_of
from gearwright.analyses.modes import modes
from gearwright.analyses.modes_of_result import modal_of_result
from gearwright.analyses.static_loads import static_loads
from gearwright.errors import DrivetrainError
from gearwright.figures.reading import Run
from gearwright.multibody import equilibrium, simulate
from gearwright.pages.document import write_page
from gearwright.pages.viewer import view_page
from gearwright.pages.viewer.mechanism import scene_of_mechanism
from gearwright.pages.viewer.motion import shapes_record
from gearwright.pages.viewer.records import Scene, ShapeRecord
from gearwright.pages.viewer.scene import scene_of_run, scene_of_train
from gearwright.parts import whole
from gearwright.remarks import with_lists
from gearwright.results import Result
from gearwright.running import mechanism_result
from gearwright.running.mechanism import mechanism_of, step_of
from gearwright.running.mechanism_train import mean_twin
from gearwright.schema.places import JSON
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.units import optional

Colour = Literal["load", "pressure", "energy", "parts"]
COLOURS = ("load", "pressure", "energy", "parts")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def scene_of(
    source: str,
    overrides: Sequence[str] = (),
    fidelity: str | None = None,
    begin: float | None = None,
    end: float | None = None,
    mode: int | None = None,
) -> Scene:
    """Scene of a result file, or of a drivetrain file or example.

    ``begin`` and ``end`` [s] choose a part of a result, which is then less decimated. A model turns at its operating
    speed under the static loads of its operating torque, with its modes. ``mode``: a mechanism swings in this mode instead
    of moving as its case has it. Raises DrivetrainError with what to mend.
    """
    if mode is not None:
        drivetrain = load(source, overrides)
        if (fidelity or drivetrain.model.fidelity) != "multibody":
            raise DrivetrainError(
                "--mode of a view is for mechanisms; the page of any other model has a menu of its modes"
            )
        return _of_mechanism_mode(drivetrain, mode)
    if Path(source).suffix in (".nc", ".netcdf") or _is_result(Path(source)):
        if overrides or fidelity:
            raise DrivetrainError("--set and --fidelity are for a model; a result is what it is: run the case again")
        return _of_result(Path(source), begin, end)
    if begin is not None or end is not None:
        raise DrivetrainError("--from and --to choose a part of a result; a model has no time")
    return _of_model(source, overrides, fidelity)


def _is_result(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"\x89HDF"
    except OSError:
        return False


def _of_result(path: Path, begin: float | None, end: float | None) -> Scene:
    with Result.reading(path) as result:
        part = None
        if begin is not None or end is not None:
            if "time" not in result.file.variables:
                raise DrivetrainError(
                    f"{path}: the result holds no series over time, from which --from and --to choose"
                )
            time = result.time
            inside = (time >= (-math.inf if begin is None else begin)) & (time <= (math.inf if end is None else end))
            if inside.sum() < 2:
                raise DrivetrainError(
                    f"{path}: no samples between --from and --to; the series goes from {time[0]:g} to {time[-1]:g} s"
                )
            part = slice(int(inside.argmax()), int(inside.argmax()) + int(inside.sum()))
        scene = scene_of_run(Run(result, modal_of_result(result.attributes), part))
    if scene is None:
        raise DrivetrainError(
            f"{path}: the result does not hold its drivetrain (describe_json), so nothing can be drawn"
        )
    return scene


def _of_model(source: str, overrides: Sequence[str], fidelity: str | None) -> Scene:
    drivetrain = load(source, overrides)
    if (fidelity or drivetrain.model.fidelity) == "multibody":
        return _of_mechanism(drivetrain)
    train = expand(drivetrain, fidelity)
    chosen = fidelity or train.model.fidelity
    notes: list[str] = []
    loads: dict[str, float] = {}
    shapes: list[ShapeRecord] = []
    if train.torque and train.input and train.output:
        try:
            loads = dict(static_loads(drivetrain, {train.input: train.torque}, fidelity=fidelity))
        except Exception as error:
            notes.append(f"No static loads: {_first_line(error)}")
    else:
        notes.append("No forces: the file has no operating torque, input and output.")
    try:
        shapes = mode_shapes(modes(drivetrain, fidelity=fidelity))
    except Exception as error:
        notes.append(f"No mode shapes: {_first_line(error)}")
    if not train.bodies:
        raise DrivetrainError(f"{drivetrain.name}: there is no body to draw")
    return scene_of_train(train, loads, shapes, chosen, notes)


def _of_mechanism(drivetrain: Any, most: float = 5.0) -> Scene:
    """A mechanism moves as its first case has it, for some seconds."""
    made, applied, case, length = mechanism_of(drivetrain)
    done = simulate(made, min(length, most), step_of(made, applied), min(length, most) / 500)
    return scene_of_mechanism(
        drivetrain.name,
        mechanism_result.shapes(made),
        done.time,
        done.position,
        done.euler,
        mechanism_result.reactions_over_time(done),
        2_000_000,
        f"{case.name}, its first {done.time[-1]:g} s",
    )


def _of_mechanism_mode(drivetrain: Any, number: int) -> Scene:
    """A mechanism swings about its equilibrium in one of its modes, three periods of it, much enlarged."""
    made, _, _, _ = mechanism_of(drivetrain)
    if any(j.travel for j in made.joints):
        made = mean_twin(made)
    found, motions = mechanism.mode_shapes(made)
    count = motions.shape[1]
    if not 1 <= number <= count:
        raise DrivetrainError(
            f"{drivetrain.name}: there is no mode {number}; there are {f'1 to {count}' if count else 'none'}"
        )
    place, _ = equilibrium(made)
    extent = max(float(np.ptp(place.r, axis=0).max()), max(math.sqrt(max(b.inertia) / b.mass) for b in made.bodies))
    shape = motions[:, number - 1].reshape(-1, 6)
    size = max(float(np.abs(shape[:, :3]).max()) / (0.15 * extent), float(np.abs(shape[:, 3:]).max()) / 0.4)
    period = 1.0 / float(found.frequencies_hz[number - 1])
    time = np.linspace(0.0, 3.0 * period, 181)
    position, euler = np.zeros((len(time), len(made.bodies), 3)), np.zeros((len(time), len(made.bodies), 4))
    for i, t in enumerate(time):
        moved = type(place)(*(x.copy() for x in place))
        made.move(moved, math.sin(2.0 * math.pi * t / period) / size * shape)
        position[i], euler[i] = moved.r[:-1], moved.p[:-1]
    title = f"mode {number}, {1.0 / period:.4g} Hz, {found.damping_ratios[number - 1]:.2%} damping, much enlarged"
    made.start = place
    return scene_of_mechanism(
        drivetrain.name, mechanism_result.shapes(made), time, position, euler, {}, 2_000_000, title
    )


def _first_line(error: Exception) -> str:
    words = str(error).strip().splitlines()
    return words[0] if words else type(error).__name__


def mode_shapes(found: Any, most: int = 40) -> list[ShapeRecord]:
    """Shapes of a :class:`~gearwright.analyses.modes.ModalAnalysis` for the view, the lowest ``most`` of them."""
    made = shapes_record(
        list(found.frequencies_hz),
        found.damping_ratios,
        found.kinds,
        found.modes.coordinates,
        found.modes.shapes,
        list(found.train.bodies),
    )
    return made[:most]


@dataclass(frozen=True)
class Animation:
    """The view of a result or model: shows itself in a notebook cell, :meth:`save` writes the page.

    ``scene`` is plain data; ``preset`` the camera.
    """

    scene: Scene
    preset: str = "overview"

    @property
    def html(self) -> str:
        """The page."""
        return view_page(self.scene, self.preset)

    def to_dict(self) -> dict[str, JSON]:
        """What is in the view: how many bodies, modes and samples, the cameras, notes."""
        scene, play = self.scene, self.scene["play"]
        data: dict[str, JSON] = {
            "bodies": len(scene["bodies"]),
            "views": views(scene),
            "modes": len(scene["modes"]),
            "samples": play["count"],
            "interval_s": play["step"],
            "notes": scene["notes"],
        }
        return with_lists(data)

    def save(self, path: str | Path) -> Path:
        """Write the page; its folder is made."""
        return write_page(self.html, Path(path))

    def _repr_html_(self) -> str:
        # a frame of its own: neither styles nor scripts meet those of the notebook
        return (
            f'<iframe title="Three-dimensional view" srcdoc="{escape(self.html, quote=True)}" '
            'style="width:100%;height:860px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Animation({self.scene['name']}: {len(self.scene['bodies'])} bodies, {len(self.scene['modes'])} modes)"


def view(
    source: Any,
    *,
    overrides: Sequence[str] = (),
    fidelity: str | None = None,
    preset: str = "overview",
    begin: float | str | None = None,
    end: float | str | None = None,
    mode: int | None = None,
) -> Animation:
    """The three-dimensional view of a result file, drivetrain file or example.

    Parameters
    ----------
    source : a result (path, Result or Run), a drivetrain file, or the name of an example
    overrides, fidelity : edit a model
    preset : camera: overview, side, front, cut, a stage, or ``follow stage1.planet1``
    begin, end : part of a result [s], or text with a unit
    mode : of a mechanism, to be shown swinging

    Raises DrivetrainError for what cannot be drawn, ResultError for a file that is no result.
    """
    begin, end = optional(begin, "time", "begin"), optional(end, "time", "end")
    scene = scene_of(str(result_file_of(source)), overrides, fidelity, begin, end, mode)
    named(scene, preset)
    return Animation(scene, preset)


def write_view(
    source: str,
    output: Path,
    overrides: Sequence[str] = (),
    fidelity: str | None = None,
    preset: str = "overview",
    begin: float | None = None,
    end: float | None = None,
    mode: int | None = None,
) -> dict[str, JSON]:
    """Write the page of a view; returns facts about it. Raises DrivetrainError."""
    animation = view(source, overrides=overrides, fidelity=fidelity, preset=preset, begin=begin, end=end, mode=mode)
    animation.save(output)
    return {"page": str(output), "bytes": output.stat().st_size, **animation.to_dict()}


def views(scene: Scene) -> list[str]:
    """Names of the camera presets of a scene."""
    planets = [f"follow {b['name']}" for b in scene["bodies"] if b["role"] == "planet" and b["pin"][0]]
    return ["overview", "side", "front", "cut", *(v["name"] for v in scene["views"]), *planets]


def _is_mechanism(source: str, overrides: Sequence[str], fidelity: str | None) -> bool:
    if Path(source).suffix in (".nc", ".netcdf") or _is_result(Path(source)):
        return False
    return (fidelity or load(source, overrides).model.fidelity) == "multibody"


def named(scene: Scene, view: str) -> None:
    """Raise DrivetrainError unless the scene has the camera preset."""
    if view not in views(scene):
        raise DrivetrainError(f"{scene['name']}: there is no view '{view}'; there are {', '.join(views(scene))}")


def render(source: str, output: Path, view: str = "overview", *, time: float | None = None, mode: int | None = None,
           frames: int = 1, rate: float = 20.0, speed: float = 0.02, magnify: float = 1.0, colour: str = "load",
           forces: bool = True, width: int = 1280, height: int = 720, overrides: Sequence[str] = (),
           fidelity: str | None = None, timeout: float = 300.0) -> dict[str, JSON]:  # fmt: skip
    """Draw a view into a picture with a browser that shows no window.

    Parameters
    ----------
    source : result file, drivetrain file or example
    output : ``.png``, or ``.gif`` of ``frames`` pictures at ``rate`` per second
    view : camera preset
    time : instant [s], of a GIF the first one; default: the start
    mode : number of a mode to show instead of the motion
    speed : seconds of the result per second of the GIF
    magnify : factor on the elastic deviations
    colour : load, pressure, energy or parts

    Raises DrivetrainError for an unknown view, colour, mode or ending, without a browser, or if it draws nothing.
    """
    ending = output.suffix.lower()
    if ending not in (".png", ".gif"):
        raise DrivetrainError(f"{output}: a picture is a .png or a .gif")
    if colour not in COLOURS:
        raise DrivetrainError(f"there is no colour '{colour}'; there are {', '.join(COLOURS)}")
    if not (16 <= width <= 4096 and 16 <= height <= 4096):
        raise DrivetrainError(f"a picture of {width} x {height} points is not between 16 and 4096")
    count = max(2, frames) if ending == ".gif" else 1
    if count * width * height > 4e8:
        raise DrivetrainError(f"{count} pictures of {width} x {height} points are too many; take fewer or smaller ones")
    if not (rate > 0.0 and speed > 0.0 and magnify >= 0.0):
        raise DrivetrainError("--rate and --pace are positive, --magnify is not negative")
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise DrivetrainError(f"a picture needs a browser on the path: one of {', '.join(_BROWSERS)}")
    free = mode is not None and _is_mechanism(source, overrides, fidelity)
    scene = scene_of(source, overrides, fidelity, mode=mode if free else None)
    named(scene, view)
    mode = None if free else mode
    play = scene["play"]
    last = play["start"] + play["step"] * (play["count"] - 1)
    if time is not None and not play.get("steady") and not play["start"] <= time <= last:
        raise DrivetrainError(f"time {time:g} s is not in the result, which goes from {play['start']:g} to {last:g} s")
    place = -1
    if mode is not None:
        numbers = [m["number"] for m in scene["modes"]]
        if mode not in numbers:
            raise DrivetrainError(f"there is no mode {mode}; there are {', '.join(map(str, numbers)) or 'none'}")
        place = numbers.index(mode)
    wanted: dict[str, JSON] = {
        "view": view,
        "time": time,
        "mode": place,
        "frames": count,
        "rate": rate,
        "speed": speed,
        "magnify": magnify,
        "colours": colour,
        "forces": forces,
        "width": width,
        "height": height,
    }
    body = _drawn(browser, scene, wanted, (width, height), timeout)
    with whole(output) as part:
        part.write_bytes(body)
    return {"picture": str(output), "bytes": len(body), "frames": count, "view": view}


def _drawn(browser: str, scene: Scene, wanted: dict[str, JSON], window: tuple[int, int], timeout: float) -> bytes:
    """The picture: the page draws by itself and leaves it as text."""
    with tempfile.TemporaryDirectory(prefix="gearwright-") as folder:
        page = Path(folder) / "view.html"
        page.write_text(view_page(scene), encoding="utf-8")
        command = [
            browser,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu-sandbox",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--ignore-gpu-blocklist",
            "--disable-extensions",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            f"--user-data-dir={Path(folder) / 'profile'}",
            f"--window-size={window[0] + 64},{window[1] + 600}",
            "--dump-dom",
            f"{page.as_uri()}#render={quote(json.dumps(wanted))}",
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            raise DrivetrainError(f"{browser} drew nothing within {timeout:g} s") from None
    _, found, rest = done.stdout.partition('<pre id="rendered">')
    text = rest.partition("</pre>")[0]
    if not found or not text.startswith("data:image/"):
        reason = text or (done.stderr.strip().splitlines() or ["no output"])[-1]
        raise DrivetrainError(f"{browser} drew nothing: {reason}")
    return base64.b64decode(text.partition(",")[2])
