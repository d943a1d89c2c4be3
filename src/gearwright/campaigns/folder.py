"""The folder of a campaign: plan, one result and one line per run, failures, one table.

::

    DIR/campaign.json            the plan, its fingerprint, the version that made it
    DIR/results/<id>.nc          result of a run
    DIR/lines/<id>.json          its figures and the checksum of its result
    DIR/failed/<id>.json (.nc)   why a run failed, and what it had computed before
    DIR/table.csv                one row per finished run, in the order of the plan; table.parquet too where pyarrow is installed

Every file appears whole or not at all, and a line is written after its result: a run is done when its line is
there. Killing the program at any moment loses the runs in flight and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gearwright._version import __version__, written_by_another
from gearwright.errors import FileError
from gearwright.remarks import Remark, remarks_in
from gearwright.system.former import present

from .line import Line
from .plan import Manifest, Plan

LAYOUT = 1


class CampaignError(FileError, RuntimeError):
    """A campaign that cannot go on: another campaign's folder, a full disk, a dead scheduler."""


@dataclass(frozen=True)
class Folder:
    """A campaign's folder."""

    path: Path

    @property
    def results(self) -> Path:
        """Results of finished runs."""
        return self.path / "results"

    @property
    def lines(self) -> Path:
        """Lines of finished runs."""
        return self.path / "lines"

    @property
    def failed(self) -> Path:
        """What failed."""
        return self.path / "failed"

    def begin(self, plan: Plan) -> None:
        """Make the folder, or go on in it.

        Raises CampaignError if it holds another campaign or other files.
        """
        manifest = self.path / "campaign.json"
        if manifest.is_file():
            there = self.manifest()
            if there["fingerprint"] != plan.fingerprint:
                known = self.plan().name
                what = "other values, options or overrides" if known == plan.name else f"'{known}'"
                raise CampaignError(
                    f"{self.path} holds another campaign ({what}; fingerprint {there['fingerprint'][:12]}, this one is "
                    f"{plan.fingerprint[:12]}); choose another folder, or remove that one"
                )
        elif self.path.is_dir() and any(p.name != ".owner" for p in self.path.iterdir()):
            raise CampaignError(f"{self.path} holds other files and no campaign.json; choose a new or empty folder")
        for folder in (self.path, self.results, self.lines, self.failed):
            folder.mkdir(parents=True, exist_ok=True)
        for folder, pattern in (
            (self.path, ".*.tmp"),
            (self.lines, ".*.tmp"),
            (self.failed, ".*.tmp"),
            (self.results, ".*.part"),
        ):
            for left in folder.glob(pattern):  # of a killed process
                left.unlink()
        if not manifest.is_file():
            write_json(
                manifest,
                {
                    "layout": LAYOUT,
                    "gearwright_version": __version__,
                    "fingerprint": plan.fingerprint,
                    "plan": plan.to_json(),
                },
            )

    def manifest(self) -> Manifest:
        """Content of ``campaign.json``.

        Raises CampaignError if there is none, or of another layout.
        """
        file = self.path / "campaign.json"
        if not file.is_file():
            raise CampaignError(f"{self.path} is not the folder of a campaign: it has no campaign.json")
        cure = "put it back from a copy, or run the campaign into another folder"
        try:
            data: Manifest = json.loads(file.read_bytes())
        except (ValueError, RecursionError) as error:
            raise CampaignError(f"{file} is damaged ({_short(error)}); {cure}") from None
        if (
            not isinstance(data, dict)
            or not isinstance(data.get("fingerprint"), str)
            or not isinstance(data.get("plan"), dict)
        ):
            raise CampaignError(f"{file} is damaged (a campaign has a fingerprint and a plan); {cure}")
        if data.get("layout") != LAYOUT:
            raise CampaignError(f"{file}: layout {data.get('layout')}; this version reads layout {LAYOUT}")
        try:
            sound = Plan.from_json(data["plan"]).fingerprint == data["fingerprint"]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CampaignError(f"{file} is damaged ({_short(error)}); {cure}") from None
        if not sound:
            raise CampaignError(f"{file} is damaged: its plan is not the one that its fingerprint was made of; {cure}")
        return data

    def plan(self) -> Plan:
        """The plan of the folder."""
        return Plan.from_json(self.manifest()["plan"])

    def done(self, identifier: str) -> bool:
        """Whether a run is finished: its line is there and its result is the one that the line was written for."""
        try:
            kept = self.line(identifier)
        except CampaignError:
            return False
        if kept is None or kept.get("result") is None:
            return kept is not None
        result = self.results / f"{identifier}.nc"
        return result.is_file() and file_checksum(result) == kept["checksum"]

    def line(self, identifier: str) -> Line | None:
        """Line of a finished run, None for one that is not.

        Raises CampaignError for a line that is cut off or not as it was written.
        """
        file = self.lines / f"{identifier}.json"
        if not file.is_file():
            return None
        try:
            line = json.loads(file.read_bytes())
            _check_line(line, identifier)
            # version 0.1.0 wrote lines without seals
            if ("seal" in line or self.manifest().get("gearwright_version") != "0.1.0") and line["seal"] != seal(line):
                raise ValueError("it was altered after it was written")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise CampaignError(
                f"{file} is damaged ({_short(error)}); run the campaign again, which works on this run anew"
            ) from None
        if line.get("channels"):
            line["channels"] = {present(name): figures for name, figures in line["channels"].items()}
        kept: Line = line
        return kept

    def drop_damaged(self, plan: Plan) -> list[str]:
        """Take away lines that are damaged; ids of their runs, which then count as not finished."""
        found = []
        for identifier in plan.items:
            try:
                self.line(identifier)
            except CampaignError:
                (self.lines / f"{identifier}.json").unlink(missing_ok=True)
                found.append(identifier)
        return found

    def finished(self, plan: Plan) -> Iterator[Line]:
        """Lines of the finished runs in the order of the plan, one at a time; raises CampaignError for a damaged one."""
        for identifier in plan.items:
            line = self.line(identifier)
            if line is not None:
                yield line

    def remarks(self, plan: Plan) -> list[str]:
        """What the finished runs assumed, noted and warn of; what not all of them say with the number of those that do."""
        said: dict[str, int] = {}
        runs = 0
        for line in self.finished(plan):
            runs += 1
            for remark in dict.fromkeys(remarks_in(line)):
                said[remark] = said.get(remark, 0) + 1
        begun = written_by_another(self.manifest().get("gearwright_version"))
        return [f"campaign {words}" for words in begun] + [
            r if n == runs else Remark(f"{r} ({n} of {runs} runs)", getattr(r, "kind", "notes"))
            for r, n in said.items()
        ]

    def failures(self, plan: Plan) -> Iterator[Line]:
        """What failed and was not mended by a later run, in the order of the plan."""
        for identifier in plan.items:
            note = self.failed / f"{identifier}.json"
            if note.is_file() and not (self.lines / f"{identifier}.json").is_file():
                try:
                    found = json.loads(note.read_bytes())
                    yield {**found, "id": identifier, "status": "failed", "error": str(found["error"])}
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    yield {
                        "id": identifier,
                        "status": "failed",
                        "error": f"why it failed cannot be read: {note} is damaged ({_short(error)})",
                    }

    def keep(self, line: Line) -> None:
        """Store the line of a finished run, or the note of a failed one."""
        identifier = line["id"]
        if line["status"] == "done":
            write_json(self.lines / f"{identifier}.json", {**line, "seal": seal(line)})
            for ending in (".json", ".nc"):
                (self.failed / f"{identifier}{ending}").unlink(missing_ok=True)
        else:
            partial = self.results / f"{identifier}.nc"
            if partial.is_file():
                os.replace(partial, self.failed / f"{identifier}.nc")
            write_json(self.failed / f"{identifier}.json", line)


def seal(line: Line) -> str:
    """SHA-256 of a line without its seal, as JSON: what was altered does not fit it."""
    plain = json.loads(json.dumps({k: v for k, v in line.items() if k != "seal"}, default=str))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _check_line(line: Any, identifier: str) -> None:
    """Raise ValueError, or what a look at something else raises, unless this is a line of a finished run."""
    if line["id"] != identifier or line["status"] != "done":
        raise ValueError("it is of another run")


def _short(error: Exception) -> str:
    words = " ".join(str(error).split())[:120]
    return f"no {words}" if isinstance(error, KeyError) else words or type(error).__name__


def file_checksum(path: Path) -> str:
    """SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def write_json(path: Path, data: Any) -> None:
    """Write JSON so that the file is there whole or not at all."""
    write_atomic(path, json.dumps(data, indent=1, ensure_ascii=False, default=str).encode())


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, also after a loss of power.

    Raises CampaignError if the disk is full.
    """
    handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise CampaignError(
            f"{path} cannot be written: {error.strerror}; what is finished stays, run the same "
            "command again when there is room"
        ) from None
