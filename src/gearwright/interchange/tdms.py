"""TDMS files of LabVIEW test benches, by nptdms."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .axes import TIME_NAMES, Channel, held, numbers, records
from .record import Float, ReadError, Record, opened

_UNITS = ("unit_string", "NI_UnitDescription", "unit", "Unit", "units")


def read_tdms(
    path: Path, wanted: Sequence[str] | None, time_column: str | None = None, *, heads: bool = False
) -> list[Record]:
    """Channels of a TDMS file, named alone where that is unique, else ``group/channel``.

    The time is that of a waveform (``wf_increment``), else the channel of the group called time, or named by ``time_column``.
    """
    try:
        import nptdms
    except ImportError:
        raise ReadError("is TDMS, which needs nptdms: pip install gearwright[files]", path) from None
    remarks = _Remarks()
    # the library prints what it only warns of; here it decides whether the file is whole
    loggers = [
        log
        for name, log in logging.root.manager.loggerDict.items()
        if name.split(".")[0] == "nptdms" and isinstance(log, logging.Logger)
    ]
    before = [(log, log.handlers, log.propagate) for log in loggers]
    for log in loggers:
        log.handlers, log.propagate = [remarks], False
    try:
        with opened(path) as raw, nptdms.TdmsFile.open(_Bounded(raw, path.stat().st_size)) as file:
            channels = _channels(file, path, time_column)
            # an uncompressed format: no more numbers than bytes
            found = records(path, channels, wanted, {"format": "TDMS", "description": ""}, path.stat().st_size, heads)
        if remarks.texts:
            raise ReadError(f"truncated or damaged: {remarks.texts[0]}", path)
        return found
    except ReadError:
        raise
    except Exception as error:  # the library raises what it likes on damaged files
        text = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
        raise ReadError(f"is damaged or no TDMS file that can be read ({text})", path) from None
    finally:
        for log, handlers, spread in before:
            log.handlers, log.propagate = handlers, spread


class _Bounded:
    """A file that never makes room for more bytes than it has left; a damaged length asks for gigabytes otherwise."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self.seek, self.tell, self.readinto = file.seek, file.tell, file.readinto  # type: ignore[attr-defined]

    def read(self, size: int = -1) -> bytes:
        """At most ``size`` bytes, and at most what is left."""
        left = max(self._size - self._file.tell(), 0)
        return self._file.read(left if size < 0 else min(size, left))


class _Remarks(logging.Handler):
    """Keeps what the library only warns of: data that are cut off."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one remark."""
        self.texts.append(" ".join(record.getMessage().split())[:160])


def _channels(file: Any, path: Path, time_column: str | None) -> list[Channel]:
    names = [c.name for group in file.groups() for c in group.channels()]
    made: list[Channel] = []
    for group in file.groups():
        members = {c.name: c for c in group.channels()}
        clock = next(
            (n for n in members if n == time_column or (time_column is None and n.lower() in TIME_NAMES)), None
        )
        for channel in members.values():
            if channel.name == clock or len(channel) == 0 or np.dtype(channel.dtype).kind not in "fiub":
                continue
            name = channel.name if names.count(channel.name) == 1 else f"{group.name}/{channel.name}"
            unit = next((str(channel.properties[k]) for k in _UNITS if k in channel.properties), "")
            step = float(channel.properties.get("wf_increment", 0.0) or 0.0)
            first = float(channel.properties.get("wf_start_offset", 0.0) or 0.0)
            if clock is not None and len(members[clock]) == len(channel):
                axis: Any = (group.name, clock)

                def time(c: Any = members[clock]) -> Float:
                    values = c[:]
                    if values.dtype.kind == "M":
                        values = (values - values[0]) / np.timedelta64(1, "us") * 1e-6
                    return numbers(values, c.name, path)
            elif step > 0.0:
                axis = (first, step, len(channel))

                def time(first: float = first, step: float = step, n: int = len(channel)) -> Float:  # type: ignore[misc]
                    return np.asarray(first + step * np.arange(n), float)
            else:
                raise ReadError(
                    f"channel {name} has neither a sampling interval (wf_increment) nor a channel called time beside it; name "
                    f"one with time_column",
                    path,
                )
            made.append(
                Channel(
                    name, unit, len(channel), axis, time, held(channel), str(channel.properties.get("description", ""))
                )
            )
    return made
