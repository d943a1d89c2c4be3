"""What a gearbox loses at its rated load: teeth, rolling bearings, seals and churning, each as far as the file says enough.

Meshes and bearings by ISO/TR 14179-2 (mesh losses with H_V, bearings by Palmgren), seals and wheels in oil by the same, or churning as
given. What is not given is named and never counted as nothing: an efficiency always says what it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch

from gearwright.errors import listed
from gearwright.rating.components import Bearing
from gearwright.rating.losses import (
    PALMGREN,
    Housing,
    bearing_torque,
    churning_torque,
    mesh_friction,
    mesh_loss,
    seal_loss,
)
from gearwright.rating.oil import Oil
from gearwright.rating.pair_sheet import PairCase, mesh_load
from gearwright.rating.ratings import LifeInputError
from gearwright.rating.sheet_rows import SheetTable
from gearwright.rating.sliding import MeshLoad
from gearwright.schema.life import BearingLife, ImmersionFacts

from .life import BearingPart, Collected, LifeRating

_HEADS = ("Loss", "Number", "Power of one in kW", "Friction", "Loss factor", "Loss in kW")
_BLANK = "oil, mean diameter of bearings, seals, churning"


@dataclass(frozen=True)
class Loss:
    """Parts that are alike and their loss together [W], None where it is not known: ``transmitted`` power of one [W], ``friction``
    coefficient (of a bearing f1) and ``factor`` (H_V of a mesh, f0 of a bearing)."""

    name: str
    kind: str
    number: int | None = None
    watts: float | None = None
    transmitted: float | None = None
    friction: float | None = None
    factor: float | None = None


@dataclass(frozen=True)
class LossBalance:
    """Losses at the rated load, the ``power`` [W] of the train there, the ``oil`` temperature [C] that they lead to (None without a housing)."""

    losses: Sequence[Loss]
    power: float
    oil: float | None = None
    housing: str = ""

    @property
    def counted(self) -> list[str]:
        """Kinds of loss that are counted, at least in part."""
        return list(dict.fromkeys(loss.kind for loss in self.losses if loss.watts is not None))

    @property
    def missing(self) -> list[str]:
        """Kinds of which at least one part is not counted."""
        return list(dict.fromkeys(loss.kind for loss in self.losses if loss.watts is None))

    @property
    def total(self) -> float:
        """All that is counted [W]."""
        return sum(loss.watts or 0.0 for loss in self.losses)

    @property
    def efficiency(self) -> float | None:
        """One less the counted losses over the power; None where nothing is counted."""
        return 1.0 - self.total / self.power if self.counted and self.power > 0.0 else None

    def sentence(self) -> str:
        """What is counted and what is not, and the temperature."""
        words = []
        if self.efficiency is not None:
            share = 100.0 * self.total / self.power
            words.append(
                f"Counted ({', '.join(self.counted)}): {1e-3 * self.total:.4g} kW of {1e-3 * self.power:.4g} kW, {share:.3g} %."
            )
        if self.missing:
            words.append(f"Not counted, since what it follows from is not given: {', '.join(self.missing)}.")
        if self.oil is not None:
            words.append(f"Oil temperature of this loss: {self.oil:.4g} °C ({self.housing}).")
        return " ".join(words)

    def table(self) -> SheetTable:
        """As the sheet shows it."""
        rows: list[list[float | str | None]] = [
            [
                x.name,
                "" if x.number is None else x.number,
                "" if x.transmitted is None else 1e-3 * x.transmitted,
                "" if x.friction is None else x.friction,
                "" if x.factor is None else x.factor,
                None if x.watts is None else 1e-3 * x.watts,
            ]
            for x in self.losses
        ]
        return SheetTable("Losses, ISO/TR 14179-2", _HEADS, rows, self.sentence(), _BLANK)


def loss_balance(c: Collected, life: LifeRating, cases: Sequence[tuple[str, PairCase, int]]) -> LossBalance:
    """Losses of a source at its rated load; ``cases`` are name, pair and number of meshes that are alike."""
    oil, share = Oil.of(c.facts.oil), _share_of_rated(c)
    cases = [(name, replace(case, nominal=case.nominal / share), number) for name, case, number in cases]
    losses = [_mesh(name, case, number, oil) for name, case, number in cases]
    losses += [*_bearings(c, life, oil), *_seals(c), *_churning(c, cases)]
    power = abs((c.train.speed or 0.0) * (c.train.torque or 0.0))
    total, facts = sum(x.watts or 0.0 for x in losses), c.facts.housing
    if facts is None or not total > 0.0:
        return LossBalance(losses, power)
    house = Housing(facts.area, facts.coefficient, facts.air, 1e3 * facts.cooler)
    words = f"housing {facts.area:g} m², {facts.coefficient:g} W/(m² K), air {facts.air:g} °C"
    return LossBalance(losses, power, house.oil([total]), words)


def _share_of_rated(c: Collected) -> float:
    """Largest mean torque of the machine at the output in a record, over the one that rated torque makes there; 1 where none is recorded."""
    torque, ratios = c.train.torque, c.train.ratios
    if not torque or c.train.output not in c.train.machines or not c.read.spectra.get(c.train.output):
        return 1.0
    rated = abs(torque * ratios.get(c.train.input or "", 1.0) / (ratios.get(c.train.output) or 1.0))
    own = [s for name, s in c.read.spectra[c.train.output] if name in c.place.paths]
    means = [abs(float(s.levels @ s.amounts)) / float(s.amounts.sum()) for s in own if s.amounts.sum() > 0.0]
    return max(means, default=0.0) / rated or 1.0


def _mesh(name: str, case: PairCase, number: int, oil: Oil) -> Loss:
    if oil.lacks():
        return Loss(name, "tooth friction", number)
    load = MeshLoad(case.pair, case.stress.speed, case.nominal / case.stress.width)
    friction = mesh_friction(mesh_load(case), 1e3 * oil.dynamic(oil.temperature), case.entry.roughness / 6.0)
    lost = mesh_loss(load, case.stress.width, friction)
    power = load.unit_load * case.stress.width * load.base_speed
    return Loss(name, "tooth friction", number, lost.power * number, power, lost.friction, lost.factor)


def _bearings(c: Collected, life: LifeRating, oil: Oil) -> list[Loss]:
    """Losses of all rated bearings whose mean diameter and type are known, together; the others by number."""
    parts = [p for p in life.components if isinstance(p, BearingPart)]
    facts = {(b.element, b.name): b for p in c.parts if isinstance(b := p.component, Bearing)}
    known, watts, factors = 0, 0.0, set()
    for part in parts:
        bearing, entry = facts[part.element, part.name or ""], _entry(c, part)
        if bearing.mean_diameter is None or bearing.type not in PALMGREN or oil.lacks():
            continue
        no_load, load = PALMGREN[bearing.type]
        if entry is not None:
            no_load, load = entry.no_load_friction or no_load, entry.load_friction or load
        factors.add((load, no_load))
        speed, at = part.mean_speed, 1e6 * oil.kinematic(oil.temperature)
        moments = bearing_torque(
            bearing.mean_diameter, part.equivalent_load, speed, at, no_load=no_load, load_factor=load
        )
        watts += part.count * abs(speed) * sum(moments)
        known += 1
    found = []
    if known:
        friction, factor = next(iter(factors)) if len(factors) == 1 else (None, None)
        found.append(Loss("bearings (Palmgren)", "bearings", known, watts, friction=friction, factor=factor))
    if len(parts) > known or not parts:
        found.append(Loss("bearings without mean diameter or type", "bearings", len(parts) - known or None))
    return found


def _entry(c: Collected, part: BearingPart) -> BearingLife | None:
    named = [e for e in c.facts.bearings if any(fnmatch(part.element, p) for p in e.on)]
    return next((e for e in named if (e.name or "") == (part.name or "")), None)


def _seals(c: Collected) -> list[Loss]:
    if not c.facts.seals:
        return [Loss("seals", "seals")]
    total, number, speed = 0.0, 0, c.train.speed or 0.0
    own = c.train.ratios.get(c.train.input or "", 1.0) or 1.0
    for seal in c.facts.seals:
        shaft = c.train.shafts.get(seal.on)
        body = seal.on if shaft is None else shaft.between[0]
        ratio = c.train.ratios.get(c.train.alias.get(body, body))
        if ratio is None:
            return [Loss(f"seal on {seal.on}, whose speed is not known", "seals")]
        total += seal.count * seal_loss(seal.diameter, speed * ratio / own)
        number += seal.count
    return [Loss("seals", "seals", number, total)]


def _churning(c: Collected, cases: Sequence[tuple[str, PairCase, int]]) -> list[Loss]:
    """Of every pair that runs in oil, by ISO/TR 14179-2, the others (all wheels on carriers, which have no formula there) as given. Raises
    LifeInputError."""
    if not c.facts.immersed:
        return [Loss("churning", "churning", watts=c.facts.churning)]
    found = []
    for i, wet in enumerate(c.facts.immersed):
        met = [(case, number) for _, case, number in cases if any(fnmatch(case.mesh, p) for p in wet.on)]
        turning = [case.mesh for case, _ in met if c.train.meshes[case.mesh].on is not None]
        if turning or not met:
            raise LifeInputError(
                f"life.immersed.{i}: "
                + (
                    f"'{turning[0]}' turns on a carrier; the formula holds for fixed axes, give churning for all of it"
                    if turning
                    else f"no rated mesh matches {listed(wet.on)}; there are {listed([case.mesh for _, case, _ in cases])}"
                )
            )
        found += [Loss(f"churning of {case.mesh}", "churning", n, n * _churned(case, wet)) for case, n in met]
    if c.facts.churning is not None:
        found.append(Loss("churning of all other wheels", "churning", watts=c.facts.churning))
    elif any(mesh.on is not None for mesh in c.train.meshes.values()):
        found.append(Loss("churning of planets and carriers (no formula)", "churning"))
    return found


def _churned(case: PairCase, wet: ImmersionFacts) -> float:
    """Power [W]: the torque on the faster wheel."""
    gears = (case.pair.one, case.pair.two)
    deepest = gears[0] if wet.depths[0] >= wet.depths[1] else gears[1]
    torque = churning_torque(
        wet.depths,
        case.stress.width,
        case.stress.velocity,
        height=wet.height or deepest.tip_radius,
        span=wet.hydraulic_length,
    )
    return torque * abs(case.stress.speed) * max(1.0, 1.0 / case.pair.ratio)
