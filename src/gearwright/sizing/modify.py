"""Modifications of the flanks of a stage that make it quiet: ``gearwright modify`` and ``gw.modify``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gearwright.analyses.base import drivetrain_of, quantities
from gearwright.analyses.gear import stage_meshes
from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.progress import each
from gearwright.remarks import assumed
from gearwright.stiffness.flanks import Shape
from gearwright.stiffness.resolve import nominal_force, toothed, usual_method
from gearwright.train.train import Mesh, Train
from gearwright.units import in_si

from .flank_file import Value
from .flank_run import moved
from .flank_stage import KINDS, LENGTHS, Asked, Skew, Stage
from .modified import Cost, Flank, Form, Loaded, Modification

#: parts of the operating torque that are looked at where none is given
PARTS = (0.4, 0.6, 0.8, 1.0)
#: deviation of a made amount whose cost is shown
TOLERANCE = "5 um"
FORMS = {"linear": 1, "parabolic": 2}
#: what a Shape calls the amounts that are made with a tolerance
_MADE = ("amount", "crowning", "slope", "bias")


def modify(
    drivetrain: Any,
    stage: str | None = None,
    *,
    mesh: str | None = None,
    torques: str | float | Sequence[str | float] = (),
    method: str | None = None,
    free: Sequence[str] = (),
    form: str = "best",
    apart: bool = False,
    largest: str | float | None = None,
    lengths: tuple[float, float] = LENGTHS,
    misalignment: str | float = 0.0,
    deflection: str | float = 0.0,
    scatter: str | float = 0.0,
    weight: float = 1.0,
    tolerance: str | float = TOLERANCE,
    case: str | None = None,
    duration: str | float | None = None,
    overrides: Sequence[str] = (),
) -> Modification:
    """Modifications of the flanks that make the swing of the transmission error under load and K_Hbeta least over a range of torques.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    stage, mesh : the stage, needed where there are several; one of its meshes (``sun_planet``, ``ring_planet``), default all at once
    torques : on the first wheel of the first mesh [N m, or text: ``"100 N m to 300 N m in 5"``]; none: 40 to 100 % of the operating one
    method : where the stiffness of teeth comes from, ``fe`` or ``analytic``; None: ``fe``, or ``analytic`` for gears without a bore or outer
        diameter
    free : of ``relief`` (amount and start), ``crowning``, ``slope``, ``bias``; default: relief, and crowning and slope where there is a
        misalignment that they answer
    form : of the relief, ``linear``, ``parabolic``, or the ``best`` of both
    apart : whether every wheel has a relief of its own; otherwise amount and length, in parts of the arc from the end of single contact
        to the tip, are the same
    largest : largest relief [m]; default: three times the rule ``F_bt/(b c_gamma_alpha)`` at the largest torque
    lengths : least and largest length of the relief, in parts of the arc from the end of single contact to the tip
    misalignment, deflection, scatter : of the flanks over the face width along the line of action [m], the end at larger x pressed less:
        at every load beside that of the file, at the largest torque and in proportion to it, to either side
    weight : of K_Hbeta beside the swing; both are measured by what they are without modifications
    tolerance : of a made amount [m] whose cost is shown
    case, duration : runs this case [s, or text] with the flanks before and after; without a duration there is no run
    overrides : ``path=value`` edits of the file

    Raises DrivetrainError or GeometryError.
    """
    if method not in (None, "fe", "analytic"):
        raise DrivetrainError(f"modifications need the stiffness of teeth: --method fe or analytic, not '{method}'")
    given = {"misalignment": misalignment, "deflection": deflection, "scatter": scatter}
    skew = Skew(*(in_si(value, "length", word) for word, value in given.items()))
    off = in_si(tolerance, "length", "tolerance")
    if not off > 0.0:
        raise DrivetrainError(f"--tolerance {tolerance}: a deviation above 0, such as '5 um'")
    read = drivetrain_of(drivetrain, overrides)
    train, meshes = stage_meshes(read, stage, (), mesh)
    remarks: list[str] = []
    method = method or usual_method(meshes, remarks)
    asked = _asked(free, form, apart, largest, lengths, weight, skew, meshes)
    forces = _forces(torques, meshes, train, remarks)
    of = Stage([toothed(m, train, method) for m in meshes], train, forces, asked)
    made = replace(_quiet(of, train.name, method, off, remarks), source=drivetrain, read=read)
    if duration is None:
        return made
    time = in_si(duration, "time", "duration")
    return replace(
        made, runs=moved(read, made.drivetrain, case, time, meshes, method, _skews(skew, of, train), remarks)
    )


def _skews(skew: Skew, of: Stage, train: Train) -> dict[str, float]:
    """Largest misalignment [m] of every mesh at the operating torque, at the largest one where none is known."""
    found = {}
    for one in of.meshes:
        force = nominal_force(one.mesh, train)
        tilts = skew.at(1.0 if force is None else force / max(of.forces))
        found[one.mesh.name] = max(tilts, key=lambda t: abs(t + one.mesh.misalignment))
    return found


def _quiet(of: Stage, name: str, method: str, off: float, remarks: list[str]) -> Modification:
    """The search in every form of relief, and what it found."""
    skew, stage = of.asked.skew, str(of.meshes[0].mesh.stage)
    if not skew.largest and not any(one.mesh.misalignment for one in of.meshes):
        remarks.append(
            assumed("flanks parallel: no misalignment, deflection or scatter is given, which crowning and slope answer")
        )
    remarks += [f"{one.mesh.name}: {one.said}" for one in of.meshes]
    tried = []
    for power in each("form of relief", of.asked.forms):
        shapes, found = of.quiet(power)
        tried.append((found.cost, power, shapes, found))
    best = min(tried, key=lambda t: t[0])[2]
    shapes = {key: _rounded(shape, of, key) for key, shape in best.items()}
    free = of.asked.free
    return Modification(
        name=name,
        stage=stage,
        method=method,
        free=free,
        wheels=[_flank(key, shape, of) for key, shape in shapes.items()],
        loads=_loads(of, shapes),
        tolerance=_costs(of, shapes, off, free),
        forms=[Form(_word(p), *of.worst(s), cost, f.evaluations) for cost, p, s, f in tried if "relief" in free],
        changes=_changes(stage, shapes, of, free),
        flanks=of,
        before=of.given,
        after=shapes,
        remarks=remarks,
    )


def _asked(
    free: Sequence[str],
    form: str,
    apart: bool,
    largest: str | float | None,
    lengths: tuple[float, float],
    weight: float,
    skew: Skew,
    meshes: Sequence[Mesh],
) -> Asked:
    """What is asked for. Raises DrivetrainError for words and bounds that are none."""
    for word, words, option in (*((f, KINDS, "--free") for f in free), (form, (*FORMS, "best"), "--form")):
        if word not in words:
            meant = f" Did you mean '{near}'?" if (near := nearest(word, list(words))) else ""
            raise DrivetrainError(f"{option} {word}: not one of {listed(list(words))}.{meant}")
    bound = None if largest is None else in_si(largest, "length", "largest")
    if bound is not None and not bound > 0.0:
        raise DrivetrainError(f"--largest {largest}: a relief needs a largest amount above 0, such as '30 um'")
    low, high = lengths
    if not 0.0 < low < high < math.inf:
        raise DrivetrainError(f"--lengths {low:g},{high:g}: from a shorter to a longer relief, such as 0.2,1.45")
    if not (weight >= 0.0 and math.isfinite(weight)):
        raise DrivetrainError(f"--weight {weight:g}: a number from 0 (K_Hbeta does not count) up")
    if skew.scatter < 0.0:
        raise DrivetrainError(f"--scatter {skew.scatter:g} m: to either side, so not negative")
    kinds = tuple(dict.fromkeys(free))
    if not kinds:
        steady = any(m.misalignment for m in meshes) or skew.known
        kinds = ("relief", *(["crowning"] if skew.scatter or steady else []), *(["slope"] if steady else []))
    return Asked(
        kinds, tuple(FORMS.values()) if form == "best" else (FORMS[form],), apart, bound, (low, high), weight, skew
    )


def _forces(
    torques: str | float | Sequence[str | float], meshes: Sequence[Mesh], train: Train, remarks: list[str]
) -> list[float]:
    """Forces along the line of action [N] of the torques on the first wheel of the first mesh; all meshes of a stage carry the same."""
    radius = meshes[0].base_radius[0]
    if isinstance(torques, str | float | int) or len(torques):
        found = quantities(torques, "torque", "--torque")
        if bad := [t for t in found if t <= 0.0]:
            raise DrivetrainError(f"--torque: {bad[0]:g} N m is not positive; the loaded flank is the working one")
        return [t / radius for t in found]
    nominal = nominal_force(meshes[0], train)
    if nominal is None:
        raise DrivetrainError(
            "this train has no operating torque: give --torque, such as --torque '10 kN m to 25 kN m in 4'"
        )
    remarks.append(
        assumed(
            f"torques {100 * PARTS[0]:.0f} to {100 * PARTS[-1]:.0f} % of the operating one, {nominal * radius:.5g} N m on {meshes[0].between[0]}: "
            f"no --torque is given"
        )
    )
    return [part * nominal for part in PARTS]


def _word(power: int) -> str:
    return next(word for word, p in FORMS.items() if p == power)


def _rounded(shape: Shape, of: Stage, key: str) -> Shape:
    """A shape as the file says it: amounts to 0.01 um, the start of the relief to 0.001 mm of diameter."""
    amounts = {what: round(getattr(shape, what), 8) + 0.0 for what in _MADE}
    gear = of.gears[key]
    length = abs(gear.tip_arc - gear.arc(0.5 * _start(shape, of, key))) if amounts["amount"] else shape.length
    return replace(shape, length=length, **amounts)


def _start(shape: Shape, of: Stage, key: str) -> float:
    """Diameter [m] at which the relief starts."""
    gear = of.gears[key]
    return round(2.0 * gear.radius(gear.tip_arc + (shape.length if gear.ring else -shape.length)), 6)


def _flank(key: str, shape: Shape, of: Stage) -> Flank:
    start = _start(shape, of, key)
    return Flank(key, shape.amount, start, shape.length, _word(shape.power), shape.crowning, shape.slope, shape.bias)


def _loads(of: Stage, after: Mapping[str, Shape]) -> list[Loaded]:
    """Every mesh under every load and misalignment."""
    rows = []
    for (s, plain), (_, old), (_, new) in zip(*(of.carried(x) for x in (of.plain, of.given, after)), strict=True):
        torque = s.force * s.flanks.stiff.pair.one.base_radius
        rows.append(
            Loaded(
                s.mesh,
                torque,
                s.tilt,
                plain.swing,
                old.swing,
                new.swing,
                plain.face_load,
                old.face_load,
                new.face_load,
                float(s.flanks.pressure(old).max()),
                float(s.flanks.pressure(new).max()),
            )
        )
    return rows


def _costs(of: Stage, shapes: Mapping[str, Shape], off: float, free: Sequence[str]) -> list[Cost]:
    """As designed; each made amount off to either side; all of them off to their worse side."""
    rows = [Cost("as designed", 0.0, *of.worst(shapes))]
    worse = dict(shapes)
    for key, shape in shapes.items():
        for what, kind in zip(_MADE, KINDS, strict=True):
            if kind not in free or not getattr(shape, what):
                continue
            both = []
            for side in (-off, off):
                made = {**shapes, key: replace(shape, **{what: getattr(shape, what) + side})}
                both.append(Cost(f"{key} {kind}", side, *of.worst(made)))
            rows += both
            bad = max(both, key=lambda c: (c.swing / rows[0].swing - 1.0) + (c.face / rows[0].face - 1.0))
            worse[key] = replace(worse[key], **{what: getattr(shape, what) + bad.deviation})
    if len(rows) > 3:
        rows.append(Cost("all, each to its worse side", off, *of.worst(worse)))
    return rows


def _changes(stage: str, shapes: Mapping[str, Shape], of: Stage, free: Sequence[str]) -> dict[str, Value]:
    """What the file says of the free modifications, by path."""
    found: dict[str, Value] = {}
    for key, shape in shapes.items():
        where = f"stages.{stage}.{key}"
        if "relief" in free:
            found[f"{where}.tip_relief"] = {
                "amount": _um(shape.amount),
                "start": f"{1e3 * _start(shape, of, key):.3f} mm",
                "shape": _word(shape.power),
            }
        for kind, name in (("crowning", "lead_crowning"), ("slope", "lead_slope"), ("bias", "bias")):
            if kind in free and getattr(shape, kind) != getattr(of.given[key], kind):
                found[f"{where}.{name}"] = _um(getattr(shape, kind))
    return found


def _um(value: float) -> str:
    return f"{np.round(1e6 * value, 2) + 0.0:g} um"
