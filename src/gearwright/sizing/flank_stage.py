"""The meshes of a stage as the search for modifications sees them: loads, misalignments, free numbers with bounds, starts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gearwright.errors import DrivetrainError
from gearwright.geometry.gear import Gear
from gearwright.geometry.pair import single_contact_end
from gearwright.stiffness.flanks import Carried, Flanks, Shape, changed, shape_of
from gearwright.stiffness.iso6336 import relief_by_rule
from gearwright.stiffness.quietest import Act, Number, Quietest, Scene, Wish, quietest
from gearwright.stiffness.resolve import Toothed, overlap_of, rising
from gearwright.train.train import Mesh, Train

#: what may be free
KINDS = ("relief", "crowning", "slope", "bias")
#: relief lengths as parts of the arc from the end of single contact to the tip
LENGTHS = (0.2, 1.45)
#: the part of the involute that a relief may take
_MOST = 0.95
#: phases and slices of the search: of spur teeth whose face is even, of others; phases of the figures that are shown, slices of others
_EVEN, _UNEVEN, _SHOWN, _SLICES = (256, 1), (64, 21), 256, 41
#: K_Hbeta - 1 without modifications below which the face needs none
LEAST_FACE = 1e-3


@dataclass(frozen=True)
class Skew:
    """Misalignment of the flanks over the face width [m], the end at larger x pressed less: ``steady`` at every load, ``bending`` at
    the largest load and growing with it, and ``scatter`` to either side."""

    steady: float = 0.0
    bending: float = 0.0
    scatter: float = 0.0

    def at(self, load: float) -> list[float]:
        """The misalignments at a load, in parts of the largest one."""
        middle = self.steady + self.bending * load
        return [middle - self.scatter, middle, middle + self.scatter] if self.scatter else [middle]

    @property
    def known(self) -> float:
        """The largest misalignment that a slope can answer."""
        return max(abs(self.steady), abs(self.steady + self.bending))

    @property
    def largest(self) -> float:
        """The largest misalignment of all."""
        return self.known + self.scatter


@dataclass(frozen=True)
class Asked:
    """What is asked for: ``free`` kinds, ``forms`` of relief (1 linear, 2 parabolic), whether each wheel has its own relief, the
    ``largest`` amount [m] or None, relief lengths, the weight of K_Hbeta, the misalignment."""

    free: tuple[str, ...]
    forms: tuple[int, ...]
    apart: bool
    largest: float | None
    lengths: tuple[float, float]
    weight: float
    skew: Skew


def wheel_key(body: str, stage: str) -> str:
    """The key of a wheel in its stage: ``planet`` of ``stage1.planet2``."""
    return body.removeprefix(f"{stage}.").rstrip("0123456789")


def wheels_of(mesh: Mesh) -> tuple[str, str]:
    """The keys of both wheels of a mesh in its stage."""
    first, second = (wheel_key(body, str(mesh.stage)) for body in mesh.between)
    return first, second


class Stage:
    """A stage under its loads [N]: what it does with shapes of its wheels, and the shapes that make it quiet."""

    def __init__(self, meshes: Sequence[Toothed], train: Train, forces: Sequence[float], asked: Asked):
        self.meshes, self.forces, self.asked = meshes, sorted(forces), asked
        self.gears: dict[str, Gear] = {}
        for one in meshes:
            self.gears.update(zip(wheels_of(one.mesh), (one.pair.one, one.pair.two), strict=True))
        self.given = {key: shape_of(gear) for key, gear in self.gears.items()}
        uneven = any(one.pair.one.helix_angle for one in meshes) or asked.skew.largest > 0.0
        uneven |= any(s.crowning or s.slope or s.bias for s in self.given.values()) or set(asked.free) != {"relief"}
        self._overlaps = {one.mesh.name: overlap_of(one.mesh, train) for one in meshes}
        coarse = self._scenes(*(_UNEVEN if uneven else _EVEN))
        self.shown = self._scenes(_SHOWN, _SLICES if uneven else 1)
        self.plain = {key: self._without(shape) for key, shape in self.given.items()}
        self.coarse = self._measured(coarse)

    def _without(self, shape: Shape) -> Shape:
        """A shape without what is free."""
        free = self.asked.free
        if "relief" in free:
            shape = replace(shape, amount=0.0)
        return changed(shape, {kind: 0.0 for kind in ("crowning", "slope", "bias") if kind in free})

    def _scenes(self, samples: int, slices: int) -> list[Scene]:
        made = []
        for one in self.meshes:
            flanks = Flanks(one.stiff, rising(one.mesh), self._overlaps[one.mesh.name], samples, slices)
            for force in self.forces:
                for tilt in self.asked.skew.at(force / self.forces[-1]):
                    made.append(Scene(one.mesh.name, flanks, wheels_of(one.mesh), force, one.mesh.misalignment + tilt))
        return made

    def _measured(self, scenes: Sequence[Scene]) -> list[Scene]:
        """Scenes that know the largest swing and K_Hbeta of their mesh without modifications."""
        swing: dict[str, float] = {}
        face: dict[str, float] = {}
        for s in scenes:
            found = s.carry(self.plain)
            swing[s.mesh] = max(swing.get(s.mesh, 1e-12), found.swing)
            face[s.mesh] = max(face.get(s.mesh, 0.0), found.face_load - 1.0)
        return [replace(s, swing=swing[s.mesh], face=max(face[s.mesh], LEAST_FACE)) for s in scenes]

    # --- free numbers --------------------------------------------------------------------------------------------------

    def rule(self, force: float) -> float:
        """Relief [m] by rule at a load, ``C_a = F_bt/(b c_gamma_alpha)``: the mean of the meshes."""
        return float(np.mean([relief_by_rule(one.pair, force) for one in self.meshes]))

    @property
    def largest(self) -> float:
        """Largest amount [m]: as asked, or three times the rule at the largest load."""
        return self.asked.largest if self.asked.largest is not None else max(3.0 * self.rule(self.forces[-1]), 1e-5)

    def reach(self, key: str) -> float:
        """Arc [m] of a wheel from the end of single contact to its tip; of a planet the shorter one."""
        gear = self.gears[key]
        arcs = [
            abs(gear.tip_arc - gear.arc(radius))
            for one in self.meshes
            for wheel, radius in zip(wheels_of(one.mesh), single_contact_end(one.pair), strict=True)
            if wheel == key
        ]
        return max(min(arcs), 0.15 * self._flank(key))

    def _flank(self, key: str) -> float:
        gear = self.gears[key]
        return abs(gear.tip_arc - gear.form_arc)

    def _relief(self, keys: Sequence[str]) -> list[Number]:
        """Amount, and length in parts of each wheel's reach, of wheels that have the same."""
        low, high = self.asked.lengths
        high = min(high, *(_MOST * self._flank(key) / self.reach(key) for key in keys))
        if not low < high:
            raise DrivetrainError(
                f"--lengths: the involute of {' and '.join(keys)} ends {high:.3g} times the way from the tip to the end of single "
                f"contact, before the least length of {low:g}"
            )
        name = "" if len(keys) > 1 else f"{keys[0]} "
        return [
            Number(f"{name}relief", 0.0, self.largest, tuple(Act(key, "amount") for key in keys)),
            Number(f"{name}length", low, high, tuple(Act(key, "length", self.reach(key)) for key in keys)),
        ]

    def numbers(self, apart: bool) -> list[Number]:
        """Free numbers with their bounds."""
        asked, found = self.asked, []
        if "relief" in asked.free:
            groups = [[key] for key in self.gears] if apart else [list(self.gears)]
            for keys in groups:
                found += self._relief(keys)
        face = max(2.0 * (asked.skew.largest + max(abs(one.mesh.misalignment) for one in self.meshes)), 1e-5)
        crowned = list(dict.fromkeys(wheels_of(one.mesh)[0] for one in self.meshes))
        if "crowning" in asked.free:
            found += [Number(f"{key} crowning", 0.0, face, (Act(key, "crowning"),)) for key in crowned]
        sloped = list(
            dict.fromkeys(wheels_of(one.mesh)[1 if wheels_of(one.mesh)[0] == "planet" else 0] for one in self.meshes)
        )
        for kind, most in (("slope", face), ("bias", self.largest)):
            if kind in asked.free:
                found += [Number(f"{key} {kind}", -most, most, (Act(key, kind),)) for key in sloped]
        return found

    def starts(self, numbers: Sequence[Number]) -> list[np.ndarray]:
        """Where the search begins: the relief by rule at the largest and at the mean load, and the second valley, short and deep;
        crowning and slope by the closed form for flanks that touch everywhere."""
        skew = self.asked.skew
        wide = skew.steady + 0.75 * skew.bending + float(np.mean([one.mesh.misalignment for one in self.meshes]))
        answers = {"crowning": math.sqrt(3.0) / 4.0 * skew.scatter, "slope": -wide, "bias": 0.0}
        made = []
        for force, factor, length in (
            (self.forces[-1], 1.0, 1.0),
            (float(np.mean(self.forces)), 1.0, 1.1),
            (self.forces[-1], 1.4, 0.75),
        ):
            values = {"relief": factor * self.rule(force), "length": length, **answers}
            made.append(np.array([min(max(values[n.name.split()[-1]], n.low), n.high) for n in numbers]))
        return made if "relief" in self.asked.free else made[:1]

    # --- search --------------------------------------------------------------------------------------------------------

    def quiet(self, power: int) -> tuple[dict[str, Shape], Quietest]:
        """Shapes of the least cost with a form of relief."""
        base = {
            key: replace(shape, power=power if "relief" in self.asked.free else shape.power)
            for key, shape in self.plain.items()
        }
        face = self.asked.weight if set(self.asked.free) & {"crowning", "slope", "bias"} else 0.0
        numbers = self.numbers(False)
        wish = Wish(self.coarse, numbers, base, face)
        found = quietest(wish, self.starts(numbers))
        if self.asked.apart and "relief" in self.asked.free:
            free = self.numbers(True)
            shapes = wish.at(found.values)
            start = np.array([_value_of(n, shapes) for n in free])
            wish = Wish(self.coarse, free, base, face)
            own = quietest(wish, [start, *self.starts(free)])
            found = replace(own, evaluations=own.evaluations + found.evaluations)
        return wish.at(found.values), found

    def worst(self, shapes: Mapping[str, Shape], scenes: Sequence[Scene] | None = None) -> tuple[float, float]:
        """Largest swing [m] and K_Hbeta of all meshes and loads."""
        found = [s.carry(shapes) for s in (self.coarse if scenes is None else scenes)]
        return max(c.swing for c in found), max(c.face_load for c in found)

    def carried(self, shapes: Mapping[str, Shape]) -> list[tuple[Scene, Carried]]:
        """What every scene shows with shapes, as fine as it is shown."""
        return [(s, s.carry(shapes)) for s in self.shown]


def _value_of(number: Number, shapes: Mapping[str, Shape]) -> float:
    act = number.acts[0]
    return min(max(float(getattr(shapes[act.wheel], act.what)) / act.factor, number.low), number.high)
