"""What the teeth of meshes did in a run beside carrying on one side: they pulled, wedged, lifted off or bottomed, and what is said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import NamedTuple

from gearwright.errors import listed
from gearwright.geometry import backlash_by_rule
from gearwright.remarks import Remark, warning
from gearwright.results.flank_watch import FlankCount, Kind
from gearwright.train.train import Mesh

#: counts by mesh and kind
Counted = Mapping[str, Mapping[Kind, FlankCount]]
#: what a file says of flanks: by mesh, then ``pulls``, ``wedges``, ``lifts_off`` or ``bottoms``
Flanks = dict[str, dict[str, FlankCount]]

#: words of the file by kinds that are counted
_BY_KIND: tuple[tuple[Kind, str], ...] = (("wedge", "wedges"), ("lift_off", "lifts_off"), ("bottom", "bottoms"))


class Allowance(NamedTuple):
    """Whether the file gives a mesh a backlash, and the least one by rule [m]; None where its size is not known."""

    given: bool = False
    least: float | None = None


def allowances(meshes: Iterable[Mesh]) -> dict[str, Allowance]:
    """What the file says of the backlash of meshes, by mesh."""
    return {
        m.name: Allowance(
            m.backlash is not None,
            None if m.centre_distance is None or m.module is None else backlash_by_rule(m.centre_distance, m.module),
        )
        for m in meshes
    }


def flanks_of(counted: Counted) -> Flanks:
    """What flanks did that is worth a word, by mesh: a mesh whose one row serves both flanks ``pulls`` where its force is on the
    lesser side of zero; one with two flanks ``wedges`` and ``lifts_off``; one whose centres move ``bottoms``."""
    found: Flanks = {}
    for name, kinds in counted.items():
        if "below" in kinds and "above" in kinds:
            lesser = min((kinds["below"], kinds["above"]), key=lambda one: one.worst)
            sign = -1.0 if lesser is kinds["below"] else 1.0
            found[name] = {
                "pulls": FlankCount(lesser.time_s, lesser.share, lesser.events, sign * lesser.worst, lesser.at_s)
            }
        for kind, word in _BY_KIND:
            if (one := kinds.get(kind)) is not None:
                found.setdefault(name, {})[word] = one
    return found


def flank_remarks(found: Flanks, allowed: Mapping[str, Allowance]) -> list[Remark]:
    """Warnings of meshes that pulled, wedged or bottomed, a note of those that lifted off; each of the worst one by name."""
    said: list[Remark] = []
    if names := _with(found, "pulls"):
        one = found[names[0]]["pulls"]
        why = "no backlash is given"
        if any(n in allowed and allowed[n].given for n in names):
            why = "one row serves both flanks"
        said.append(
            warning(
                f"{listed(names, 4)}: {why}, so the flanks never part, and the teeth pull where the force goes through zero; "
                f"{_first(names, 'worst')}{1e-3 * one.worst:.4g} kN, {_how_often(one)}; {_cure(allowed.get(names[0], Allowance()))}"
            )
        )
    if names := _with(found, "wedges"):
        one = found[names[0]]["wedges"]
        said.append(
            warning(
                f"teeth wedge in {listed(names, 4)}: both flanks of a tooth carry at once; {_first(names, 'worst')}"
                f"{1e-3 * one.worst:.4g} kN each, {_how_often(one)}; more torque, less bearing clearance or more backlash cures it"
            )
        )
    if names := _with(found, "bottoms"):
        one = found[names[0]]["bottoms"]
        said.append(
            warning(
                f"tips bottom in {listed(names, 4)}: they touch the roots of their mates, which push nothing in the model; "
                f"{_first(names, 'worst')}{1e3 * one.worst:.3g} mm deep, {_how_often(one)}; stiffer bearings, less backlash or "
                f"more tip clearance cures it"
            )
        )
    if names := _with(found, "lifts_off"):
        one = found[names[0]]["lifts_off"]
        said.append(
            Remark(
                f"{listed(names, 4)} {'lifts' if len(names) == 1 else 'lift'} off: no flank carries; {_first(names, 'most')}"
                f"{_how_often(one)}, at longest {_lasting(one.worst)} from {one.at_s:.5g} s on"
            )
        )
    return said


def _with(found: Flanks, word: str) -> list[str]:
    """Meshes that did it, the worst first."""
    return sorted((n for n, kinds in found.items() if word in kinds), key=lambda n: -abs(found[n][word].worst))


def _first(names: list[str], word: str) -> str:
    """Which one numbers belong to; nothing where there is one alone."""
    return f"{word} in {names[0]}, " if len(names) > 1 else ""


def _lasting(time: float) -> str:
    return f"{time:.3g} s" if time >= 1.0 else f"{1e3 * time:.3g} ms"


def _how_often(one: FlankCount) -> str:
    times = "once" if one.events == 1 else f"{one.events} times"
    return f"{times}, {one.time_s:.3g} s in all ({100.0 * one.share:.3g} % of the time)"


def _cure(allowed: Allowance) -> str:
    """How teeth of a mesh cease to pull."""
    if allowed.given:
        return "law periodic or tooth_contact lets them part"
    if allowed.least is None:
        return "give it a backlash"
    return f"give it a backlash, by ISO/TR 10064-2 at least {1e3 * allowed.least:.3g} mm"


def flank_figures(allowed: Mapping[str, Allowance], notes: list[str], counted: Counted) -> dict[str, str]:
    """Figures of flanks for the file of a run (``flanks_json``); its remarks grow by what is to be said of them."""
    found = flanks_of(counted)
    notes.extend(flank_remarks(found, allowed))
    plain = {name: {word: asdict(one) for word, one in kinds.items()} for name, kinds in found.items()}
    return {"flanks_json": json.dumps(plain)} if plain else {}
