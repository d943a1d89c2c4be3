"""What a fleet keeps of a turbine: its streams, how far each file was read, its ten-minute rows; written whole, so that no end of a process loses or doubles a row.

A turbine has a folder: ``state.npz`` is the state of its streams *and* the positions in the files up to which they were counted, in one file that appears whole.
Ten-minute rows lie beside it by month; the state says how many of each are its own, so that what a killed process wrote beyond is dropped.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import FileError, InputError
from gearwright.figures.format import slug
from gearwright.parts import whole
from gearwright.remarks import Remark

from .assets import Asset, Gearbox, gearbox_of
from .events import EVENT, Events
from .stream import Setting, Stream
from .tables import Batch
from .ten_minutes import ROW, Rows

#: part of the rated speed below which power says nothing of torque
STANDING = 0.02
#: remarks of a turbine that are kept
MOST_REMARKS = 40


@dataclass
class Kept:
    """A turbine in a fleet's folder.

    ``assets`` its gearboxes by date, ``cuts`` the dates [s since 1970] at which a book ends and the next begins; ``streams`` by number of the book;
    ``positions`` by file: how far it was counted, and the hash of its begin.
    """

    name: str
    folder: Path
    assets: tuple[Asset, ...]
    cuts: tuple[float, ...]
    interval: float = math.nan
    streams: dict[int, Stream] = field(default_factory=dict)
    positions: dict[str, tuple[int, str]] = field(default_factory=dict)
    months: dict[str, int] = field(default_factory=dict)
    remarks: list[list[str]] = field(default_factory=list)
    happened: list[list[float]] = field(default_factory=list)

    @classmethod
    def opened(cls, root: Path, name: str, assets: tuple[Asset, ...], cuts: Sequence[float]) -> Kept:
        """As it was kept, or new. Raises InputError where its books were begun for other gearboxes or dates; FileError for a damaged state."""
        made = cls(name, root / "turbines" / slug(name), assets, tuple(cuts))
        place = made.folder / "state.npz"
        if not place.is_file():
            return made
        try:
            with np.load(place, allow_pickle=False) as file:
                arrays = {key: file[key] for key in file.files}
            facts = json.loads(str(arrays.pop("facts")))
        except (OSError, ValueError, KeyError) as error:
            raise FileError(
                f"{place} is damaged ({error}); remove the turbine's folder, its files are then read anew",
                where=str(place),
            ) from None
        if facts["gearboxes"] != made._gearboxes():
            raise InputError(
                f"turbine {name}: {root} was begun with other gearboxes, dates or failures of it; use another folder, or remove {made.folder}",
                where=name,
            )
        made.interval = facts["interval"]
        made.positions = {key: (int(at), str(sign)) for key, (at, sign) in facts["positions"].items()}
        made.months, made.remarks, made.happened = facts["months"], facts["remarks"], facts["events"]
        for number in facts["books"]:
            stream = made.begun(int(number))
            prefix = f"{number}/"
            stream.restore({k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)})
        return made

    def _gearboxes(self) -> list[list[object]]:
        return [
            [a.begin if math.isfinite(a.begin) else 0.0, a.drivetrain, str(a.rated_power), str(a.efficiency)]
            for a in self.assets
        ] + [list(self.cuts)]

    def asset(self, number: int) -> Asset:
        """The gearbox of a book."""
        begin = self.cuts[number - 1] if number else -math.inf
        return [a for a in self.assets if a.begin <= begin or a is self.assets[0]][-1]

    def gearbox(self, number: int) -> Gearbox:
        """What is known of the gearbox of a book."""
        return gearbox_of(self.asset(number))

    def begun(self, number: int) -> Stream:
        """The stream of a book, new where there is none."""
        if number not in self.streams:
            asset, box = self.asset(number), self.gearbox(number)
            corner = asset.corner if asset.corner > 0.0 else None
            setting = Setting.made(self.interval, box.torque, box.speed, box.sections.inertias, box.first_mode, corner)
            self.streams[number] = Stream(setting)
        return self.streams[number]

    def take(self, batch: Batch, rows: NDArray[np.bool_] | slice) -> None:
        """Count rows of a batch that are this turbine's; the step of its rows is known."""
        time = batch.time[rows]
        signals = {name: values[rows] for name, values in batch.signals.items()}
        bounds = [-math.inf, *self.cuts, math.inf]
        for number in range(len(self.cuts) + 1):
            own = (time >= bounds[number]) & (time < bounds[number + 1])
            if number == 0:
                own |= np.isnan(time)
            if own.any():
                part = {name: values[own] for name, values in signals.items()}
                self.begun(number).add(time[own], self._complete(part, number))

    def _complete(self, signals: dict[str, Float], number: int) -> dict[str, Float]:
        """Signals with a torque, and a speed where there is none at all."""
        asset, box = self.asset(number), self.gearbox(number)
        made = dict(signals)
        power = made.get("power")
        if "generator_speed" not in made:
            if power is None:
                raise InputError(f"turbine {self.name}: neither speed nor power of the generator", where=self.name)
            made["generator_speed"] = np.where(np.isnan(power), np.nan, box.speed)
            self._say(
                "no speed of the generator: the rated one stands for it at all powers, so torque is power over rated speed",
                "assumed",
            )
        if "generator_torque" not in made:
            if power is None:
                raise InputError(f"turbine {self.name}: neither torque nor power of the generator", where=self.name)
            efficiency = asset.efficiency
            if not math.isfinite(efficiency):
                if asset.drivetrain:
                    raise InputError(
                        f"turbine {self.name}: power without torque needs the efficiency of the generator (column efficiency of the table of turbines)",
                        where=self.name,
                        allowed="above 0, at most 1",
                    )
                efficiency = 1.0
                self._say(
                    "torque is power over speed: losses of the generator are left out, for its rated point too",
                    "assumed",
                )
            speed = made["generator_speed"]
            slow = np.abs(speed) < STANDING * box.speed
            made["generator_torque"] = np.where(slow, 0.0 * power, power / (efficiency * np.where(slow, 1.0, speed)))
            if "power_std" in made and "generator_torque_std" not in made:
                made["generator_torque_std"] = np.where(
                    slow, 0.0, made["power_std"] / (efficiency * np.abs(np.where(slow, 1.0, speed)))
                )
        return made

    def _say(self, text: str, kind: str) -> None:
        self.note(Remark(text, "assumed") if kind == "assumed" else text)

    def note(self, remark: str) -> None:
        """Keep a remark, each once; those that count are kept by their first wording."""
        entry = [getattr(remark, "kind", "notes"), str(remark)]
        if entry not in self.remarks and len(self.remarks) < MOST_REMARKS:
            self.remarks.append(entry)

    def told(self) -> list[Remark]:
        """Remarks as they were made."""
        return [Remark(text, kind) for kind, text in self.remarks]  # type: ignore[arg-type]

    def save(self) -> None:
        """Write the months that grew, then the state that counts them."""
        fresh = [stream.taken() for _, stream in sorted(self.streams.items())]
        rows: Rows = np.concatenate(fresh) if fresh else np.zeros(0, ROW)
        stamps = np.array([datetime.fromtimestamp(begin, UTC).strftime("%Y-%m") for begin in rows["begin"]])
        for month in sorted(set(stamps.tolist())):
            both = np.concatenate([self.minutes([month]), rows[stamps == month]])
            with whole(self.folder / f"minutes-{month}.npy") as part, open(part, "wb") as file:
                np.save(file, both)
            self.months[month] = len(both)
        for _, stream in sorted(self.streams.items()):
            self.happened += [[float(x) for x in event] for event in stream.events().tolist()]
        facts = {
            "events": self.happened,
            "gearboxes": self._gearboxes(),
            "interval": self.interval,
            "positions": self.positions,
            "months": self.months,
            "remarks": self.remarks,
            "books": sorted(self.streams),
        }
        arrays: dict[str, NDArray[np.generic]] = {"facts": np.array(json.dumps(facts))}
        for number, stream in self.streams.items():
            arrays |= {f"{number}/{name}": values for name, values in stream.state().items()}
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
        with whole(self.folder / "state.npz") as part:
            part.write_bytes(buffer.getvalue())

    def events(self) -> Events:
        """Starts, stops, trips, emergency stops and grid faults so far."""
        return np.array([tuple(e) for e in self.happened], EVENT) if self.happened else np.zeros(0, EVENT)

    def minutes(self, months: Sequence[str] | None = None) -> Rows:
        """Ten-minute rows of the months, of all where none are named, as far as the state counts them."""
        chosen = sorted(self.months) if months is None else [m for m in months if m in self.months]
        kept: list[Rows] = [np.load(self.folder / f"minutes-{m}.npy")[: self.months[m]] for m in chosen]
        return np.concatenate(kept) if kept else np.zeros(0, ROW)


def books_of(assets: Mapping[str, tuple[Asset, ...]], turbine: str, dates: Sequence[float]) -> tuple[float, ...]:
    """Dates at which the books of a turbine are cut: of gearboxes and of replaced parts."""
    own = {a.begin for a in assets[turbine] if math.isfinite(a.begin)} | set(dates)
    return tuple(sorted(own))
