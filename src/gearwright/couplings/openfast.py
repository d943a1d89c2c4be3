"""OpenFAST with a gearbox of ours: a copy of the deck prepared for the bridge, the run, one result file.

In the copy the gear ratio is 1, the generator has no inertia, the shaft is rigid, and the controller is the bridge.
OpenFAST keeps rotor, tower and wind; torque comes from the host. The original deck is not touched.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.controllers.ratio import Controller, at_ratio
from gearwright.errors import CouplingError
from gearwright.interchange import ReadError, read
from gearwright.interchange.openfast_deck import read_deck
from gearwright.interchange.openfast_file import InputFile
from gearwright.remarks import sorted_remarks
from gearwright.results import changing
from gearwright.schema.places import JSON
from gearwright.turbine import TurbineError

from .bridge import BridgeHost, bridge_library
from .builtin import BuiltinController, referred
from .exchange import Told
from .gearbox_host import GearboxHost
from .plant import make_plant


@dataclass(frozen=True)
class PreparedDeck:
    """A deck ready for the bridge: its main file, the file that tells the library where to call, what was changed; ``told`` is how
    OpenFAST extrapolates the rotor's speed for its controller, ``interval`` the controller's own step where it is not OpenFAST's."""

    fst: Path
    infile: Path
    changes: dict[str, tuple[str, str]]
    gear_ratio: float
    efficiency: float
    interval: float | None
    told: Told = "parabola"


def prepare_deck(fst: str | Path, folder: str | Path) -> PreparedDeck:
    """Write a copy of a deck for the bridge into a folder (main file, ElastoDyn, ServoDyn; the rest is referred to).

    Raises CouplingError naming the file and the value for a deck that does not fit; the original is never written.
    """
    source, target = Path(fst), Path(folder)
    if not source.is_file():
        raise CouplingError(f"there is no deck '{source}'")
    try:
        return _prepared(source, target)
    except ReadError as error:
        raise CouplingError(str(error)) from None


def _prepared(source: Path, target: Path) -> PreparedDeck:
    main = InputFile(source)
    if target.resolve() == source.parent.resolve():
        raise CouplingError(f"the copy would stand beside '{source.name}'; give another folder")
    elasto = InputFile(main.other("EDFile"))
    servo = InputFile(main.other("ServoFile"))
    ratio = elasto.number("GBRatio")
    if not ratio > 0.0:
        raise CouplingError(f"{elasto.path}: GBRatio is {ratio:g}; a gear ratio is positive")
    _refuse_checkpoint(main)
    target.mkdir(parents=True, exist_ok=True)
    for file, skip in ((main, ("EDFile", "ServoFile")), (elasto, ()), (servo, ("DLL_FileName", "DLL_InFile"))):
        file.anchor(skip)
    changes: dict[str, tuple[str, str]] = {}

    def change(file: InputFile, name: str, value: str, needed: bool = True) -> None:
        before = file.put(name, value, needed)
        if before is not None and before != value.strip('"'):
            changes[name] = (before, value.strip('"'))

    change(elasto, "GBRatio", "1")
    change(elasto, "GBoxEff", "100")
    change(elasto, "GenIner", "0")
    change(elasto, "DrTrDOF", "False")
    change(elasto, "GenDOF", "True")
    change(servo, "PCMode", "5")
    change(servo, "VSContrl", "5")
    change(servo, "GenTiStr", "True")
    change(servo, "TimGenOn", "0")
    library = target / bridge_library().name
    shutil.copyfile(bridge_library(), library)
    library.chmod(0o755)
    infile = target / "gearwright-bridge.in"
    change(servo, "DLL_FileName", f'"{library.resolve()}"')
    change(servo, "DLL_InFile", f'"{infile.resolve()}"')
    change(servo, "DLL_ProcName", '"DISCON"', False)
    change(servo, "DLL_Ramp", "False", False)
    if servo.find("HSSBrTqF") is not None:
        # the brake of OpenFAST stands at the rotor now
        change(servo, "HSSBrTqF", f"{servo.number('HSSBrTqF') * ratio:.9g}")
    efficiency = servo.number("GenEff") / 100.0 if servo.find("GenEff") is not None else 1.0
    interval = None
    if servo.find("DLL_DT") is not None and servo.text("DLL_DT").lower() != "default":
        interval = servo.number("DLL_DT")
        change(servo, "DLL_DT", '"default"')  # speed and torque go at every step of OpenFAST
    elasto.write(target / elasto.path.name)
    servo.write(target / servo.path.name)
    main.put("EDFile", f'"{elasto.path.name}"')
    main.put("ServoFile", f'"{servo.path.name}"')
    told: Told = "line" if main.find("InterpOrder") is not None and main.number("InterpOrder") == 1.0 else "parabola"
    return PreparedDeck(main.write(target / source.name), infile, changes, ratio, efficiency, interval, told)


def _refuse_checkpoint(main: InputFile) -> None:
    """Raise CouplingError for a deck that writes a checkpoint during the run: the drivetrain's state is not in it."""
    at, end = main.find("ChkptTime"), main.find("TMax")
    if at is None or end is None or main.text("ChkptTime").lower() == "default":
        return
    every, last = main.number("ChkptTime"), main.number("TMax")
    if 0.0 < every < last:
        raise CouplingError(
            f"{main.path}, line {at + 1}: ChkptTime {every:g} s lies within TMax {last:g} s, but the state of a coupled drivetrain goes "
            "into no checkpoint; make that line '99999   ChkptTime'"
        )


@dataclass(frozen=True)
class CoupledRun:
    """A run of OpenFAST with a drivetrain: the result file, the copy of the deck and what was changed in it (before, now), steps, time
    of the host per step [us], OpenFAST's own channels in the result, messages of the controller, and what is to be said of it."""

    result_file: str
    deck: str
    changes: dict[str, tuple[str, str]]
    steps: int
    host_us_per_step: float
    openfast_channels: list[str]
    remarks: Sequence[str]
    messages: list[str]

    def to_dict(self) -> dict[str, JSON]:
        """For ``--json``."""
        return {**{k: v for k, v in vars(self).items() if k != "remarks"}, **sorted_remarks(self.remarks)}


def couple_openfast(
    fst: str | Path, drivetrain: Any, *, fidelity: str | None = None, law: str | None = None,
    controller: Controller | None = None, folder: str | Path | None = None, openfast: str | None = None,
    output: str | Path | None = None, overrides: Any = (), wait: float = 120.0, tell: Any = None,
) -> CoupledRun:  # fmt: skip
    """Run OpenFAST with a drivetrain of ours.

    Parameters
    ----------
    fst : main file of the deck
    controller : made for the deck: it sees speed and torque of a machine behind the deck's gear ratio, whatever ratio the
        drivetrain has; default: the built-in one for the deck's turbine
    folder : of the copy of the deck; default ``<deck>-gearwright`` beside it
    openfast : program; default: ``openfast`` on the path. If there is none, ``tell`` gets the command to start it by
        hand, and the host waits
    output : result file; default ``<deck>-gearwright.nc`` in the working folder
    wait : longest wait for the first call [s]

    Raises CouplingError if either side ends.
    """
    source = Path(fst)
    target = Path(folder) if folder is not None else source.parent / f"{source.stem}-gearwright"
    result = Path(output) if output is not None else Path(f"{source.stem}-gearwright.nc")
    deck = prepare_deck(source, target)
    notes: list[str] = []
    if controller is None:
        controller = deck_controller(source, drivetrain, fidelity, overrides)
    else:
        own = abs(make_plant(drivetrain, fidelity, overrides=overrides).ratio)
        controller, referred = at_ratio(controller, deck.gear_ratio, own)
        notes += referred
    gearbox = GearboxHost(drivetrain, controller, fidelity=fidelity, law=law, output=result,
                          efficiency=deck.efficiency, overrides=overrides, told=deck.told, every=deck.interval)  # fmt: skip
    program = openfast or shutil.which("openfast")
    if openfast is not None and shutil.which(openfast) is None:
        raise CouplingError(f"the program '{openfast}' is not found")
    if abs(gearbox.ratio / deck.gear_ratio - 1.0) > 0.01:
        notes.append(f"the drivetrain's ratio is {gearbox.ratio:.5g}, that of the deck was {deck.gear_ratio:.5g}")
    log = target / "openfast.log"
    with BridgeHost(first=wait) as host:
        host.write_infile(deck.infile)
        child: subprocess.Popen[str] | None = None
        try:
            if program is None:
                if tell is not None:
                    tell(
                        f"OpenFAST is not on the path; start it in another window:\n  openfast {deck.fst}\n"
                        f"waiting {wait:g} s for its first call"
                    )
                host.serve(gearbox)
            else:
                with log.open("w") as sink:
                    child = subprocess.Popen([program, deck.fst.name], cwd=target, stdout=sink, stderr=sink, text=True)
                    host.serve(gearbox, child)
                    child.wait(wait)
        except BaseException as error:
            kept = gearbox.abort(str(error))
            if isinstance(error, CouplingError):
                where = f"; what was recorded is in {kept}" if kept else ""
                tail = log.read_text(errors="replace").strip().splitlines()[-3:] if log.is_file() else []
                said = f"; OpenFAST said: {' / '.join(tail)}" if tail else ""
                raise CouplingError(f"{error}{where}{said}") from None
            raise
        finally:
            if child is not None and child.poll() is None:
                child.kill()
                child.wait()
            deck.infile.unlink(missing_ok=True)
        busy = host.busy / max(host.calls, 1)
    path = gearbox.finish({"deck": str(source), "openfast": program or "started by hand"})
    added = join_results(path, deck.fst) if path is not None else []
    remarks, messages = [*gearbox.plant.remarks, *notes], list(getattr(controller, "messages", []))
    return CoupledRun(str(path), str(deck.fst), dict(deck.changes), gearbox.steps, 1e6 * busy, added, remarks, messages)


def deck_controller(fst: Path, drivetrain: Any, fidelity: str | None, overrides: Any) -> Controller:
    """The built-in controller for the turbine of a deck, at the ratio of the drivetrain.

    Raises CouplingError for a deck from which no controller can be made.
    """
    try:
        turbine = read_deck(fst)
    except TurbineError as error:
        raise CouplingError(f"no controller can be made of this deck ({error}); name one with --controller") from None
    return BuiltinController(referred(turbine, make_plant(drivetrain, fidelity, overrides=overrides).ratio))


def join_results(path: Path, fst: Path) -> list[str]:
    """Add OpenFAST's own channels to a result, on its time axis; names of what was added."""
    found = [p for p in (fst.with_suffix(".outb"), fst.with_suffix(".out")) if p.is_file()]
    if not found:
        return []

    dataset = read(found[0])
    with changing(path) as file:
        time = np.asarray(file.variables["time"][:], float)
        names = [str(n) for n in dataset.data_vars if "time" in dataset[n].dims and dataset[n].ndim == 1]
        group = file.createGroup("openfast")
        for name in names:
            had = dataset[name]
            variable = group.createVariable(re.sub(r"[^\w]", "_", name), "f4", ("time",))
            variable[:] = np.interp(time, np.asarray(had["time"], float), np.asarray(had, float))
            variable.units = str(had.attrs.get("units", ""))
            variable.long_name = name
        group.source = found[0].name
    return names
