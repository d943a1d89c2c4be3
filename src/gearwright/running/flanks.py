"""What the flanks of meshes did in a run beside carrying on one side: they pulled, wedged or lifted off, and what is said of that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from gearwright.errors import listed
from gearwright.geometry import backlash_by_rule
from gearwright.remarks import Remark, warning
from gearwright.results.flank_watch import FlankCount, Kind
from gearwright.train.train import Mesh, Train

#: counts by mesh and kind
Counted = Mapping[str, Mapping[Kind, FlankCount]]
#: what a file says of flanks: by mesh, then ``pulls``, ``wedges`` or ``lifts_off``
Flanks = dict[str, dict[str, FlankCount]]

#: what happens, by the word of the file
WORDS = {"pulls": "teeth pull", "wedges": "both flanks of a tooth carry at once", "lifts_off": "no flank carries"}


def flanks_of(train: Train | None, counted: Counted) -> Flanks:
    """What flanks did that is worth a word, by mesh: a mesh whose one row serves both flanks ``pulls`` where its force is on the
    lesser side of zero; one with two flanks ``wedges`` and ``lifts_off``."""
    found: Flanks = {}
    for name, kinds in counted.items():
        if train is not None and name not in train.meshes:
            continue
        if "below" in kinds and "above" in kinds:
            lesser = min((kinds["below"], kinds["above"]), key=lambda one: one.worst)
            sign = -1.0 if lesser is kinds["below"] else 1.0
            found[name] = {
                "pulls": FlankCount(lesser.time_s, lesser.share, lesser.events, sign * lesser.worst, lesser.at_s)
            }
        for kind, word in (("wedge", "wedges"), ("lift_off", "lifts_off")):
            if (one := kinds.get(kind)) is not None:  # type: ignore[call-overload]
                found.setdefault(name, {})[word] = one
    return found


def flank_remarks(train: Train | None, found: Flanks) -> list[Remark]:
    """Warnings of meshes that pulled or wedged, a note of those that lifted off; each of the worst one by name."""
    said: list[Remark] = []
    if names := _with(found, "pulls"):
        worst, one = _worst(found, names, "pulls")
        given = [n for n in names if train and train.meshes[n].backlash is not None]
        why = "one row serves both flanks" if given else "no backlash is given"
        said.append(
            warning(
                f"{listed(names, 4)}: {why}, so the flanks never part, and the teeth pull where the force goes through "
                f"zero; the worst is {worst}, {1e-3 * one.worst:.4g} kN, {_how_often(one)}; give "
                f"{_rule(train.meshes[worst] if train else None)}"
            )
        )
    if names := _with(found, "wedges"):
        worst, one = _worst(found, names, "wedges")
        said.append(
            warning(
                f"teeth wedge in {listed(names, 4)}: both flanks of a tooth carry at once; the worst is {worst}, {1e-3 * one.worst:.4g} kN "
                f"each, {_how_often(one)}; more torque, less bearing clearance or more backlash cures it"
            )
        )
    if names := _with(found, "lifts_off"):
        worst, one = _worst(found, names, "lifts_off")
        said.append(
            Remark(
                f"{listed(names, 4)} {'lifts' if len(names) == 1 else 'lift'} off: no flank carries; most in {worst}, {_how_often(one)}, at "
                f"longest {1e3 * one.worst:.3g} ms from {one.at_s:.5g} s on"
            )
        )
    return said


def _with(found: Flanks, word: str) -> list[str]:
    return [name for name, kinds in found.items() if word in kinds]


def _worst(found: Flanks, names: list[str], word: str) -> tuple[str, FlankCount]:
    worst = max(names, key=lambda name: abs(found[name][word].worst))
    return worst, found[worst][word]


def _how_often(one: FlankCount) -> str:
    times = "once" if one.events == 1 else f"{one.events} times"
    return f"{times}, {one.time_s:.3g} s in all ({100.0 * one.share:.3g} % of the time)"


def _rule(mesh: Mesh | None) -> str:
    if mesh is None or mesh.centre_distance is None or mesh.module is None:
        return "it a backlash"
    return (
        f"it a backlash, by ISO/TR 10064-2 at least {1e3 * backlash_by_rule(mesh.centre_distance, mesh.module):.3g} mm"
    )


def flank_figures(train: Train | None, notes: list[str], counted: Counted) -> dict[str, str]:
    """Figures of flanks for the file of a run (``flanks_json``); its remarks grow by what is to be said of them."""
    found = flanks_of(train, counted)
    notes.extend(flank_remarks(train, found))
    plain = {name: {word: asdict(one) for word, one in kinds.items()} for name, kinds in found.items()}
    return {"flanks_json": json.dumps(plain)} if plain else {}
