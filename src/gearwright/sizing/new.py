"""A drivetrain from ratings: what ``gearwright new`` and ``gw.new`` return."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from gearwright.analyses.base import ASIDE, Analysis, Column, Picture, Table
from gearwright.analyses.modes import modes
from gearwright.analyses.picture import Curve
from gearwright.errors import DrivetrainError, GearwrightError
from gearwright.parts import whole
from gearwright.progress import each
from gearwright.remarks import Remark, assumed
from gearwright.schema.file import Drivetrain
from gearwright.schema.ratings import RatingsFacts, RatingsFile, ratings_file, read_ratings
from gearwright.schema.read import parsed_text
from gearwright.train.open import load

from .gearbox import Gearbox, gearbox
from .ratings import MESH_LOAD, Margins, Ratings, Strength, layout_of, words_of
from .ratios import layouts_for, usual_layout
from .shafts import bearing_hours
from .turbine import write_turbine
from .write import written

#: keys of the section ``ratings`` as a person gives them: text with a unit, a number in SI, several numbers
Wishes = Mapping[str, str | float | Sequence[float]]
#: ratio up to which a drivetrain needs no gearbox
LEAST_RATIO = 1.2
#: alternatives that are compared
MOST_ALTERNATIVES = 6


@dataclass(frozen=True)
class StageSize:
    """A stage in numbers: teeth of the wheels, module, width, centre distance [m], ratio, least S_H and S_F, what governs its
    size, planets (0: parallel), mesh frequency at rated speed [Hz]."""

    stage: str
    planets: int
    teeth: str
    ratio: float
    module: float
    face_width: float
    centre_distance: float
    pitting: float
    bending: float
    governs: str
    mesh_frequency: float


@dataclass(frozen=True)
class Alternative:
    """A layout with its gearbox in numbers, or ``why`` there is none: mass [kg], largest diameter [m], least S_H and S_F, L10
    of the planets' bearings at rated load [h], mesh frequencies [Hz] from the rotor on."""

    layout: str
    mass: float | None = None
    diameter: float | None = None
    pitting: float | None = None
    bending: float | None = None
    planet_life: float | None = None
    first_mode: float | None = None
    mesh_frequencies: tuple[float, ...] = ()
    why: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class NewDrivetrain(Analysis):
    """A designed drivetrain: ``text`` of its file, stages in numbers, mass of the gearbox, alternatives if asked for."""

    name: str
    layout: str
    power: float
    torque: float
    ratio: float
    wanted_ratio: float
    mass: float
    stages: Sequence[StageSize]
    alternatives: Sequence[Alternative]
    text: str = field(metadata=ASIDE)
    box: Gearbox = field(metadata=ASIDE)

    @property
    def drivetrain(self) -> Drivetrain:
        """The drivetrain, read from its text."""
        return load(parsed_text(self.text))

    def write(self, path: str | Path) -> Path:
        """Write the file; it appears whole."""
        target = Path(path)
        with whole(target) as part:
            part.write_text(self.text, encoding="utf-8")
        return target

    def write_turbine(self, path: str | Path) -> list[Path]:
        """Write a turbine around the gearbox file at ``path``: its data and a set-up with the campaign ``normal``, both beside it."""
        return write_turbine(self.box, Path(path))

    def shown(self) -> Iterator[Table | str]:
        """Headline, stages, alternatives."""
        off = 100.0 * (self.ratio / self.wanted_ratio - 1.0)
        yield (
            f"{self.name}: {self.layout}, {1e-6 * self.power:.4g} MW, ratio {self.ratio:.5g} ({off:+.2f} %), about "
            f"{1e-3 * self.mass:.3g} t, {self.torque / self.mass:.3g} N m/kg"
        )
        rows = [
            [s.stage, s.teeth, s.ratio, s.module, s.face_width, s.centre_distance, s.pitting, s.bending, s.governs]
            for s in self.stages
        ]
        columns = [
            "stage",
            "teeth",
            Column("ratio"),
            Column("m", "mm"),
            Column("b", "mm"),
            Column("a", "mm"),
            Column("S_H", "", 3),
            Column("S_F", "", 3),
            "governs",
        ]
        yield Table("Stages", columns, rows)
        if self.alternatives:
            rows = [
                [a.layout, a.mass, a.diameter, a.pitting, a.bending, a.planet_life, a.first_mode]
                for a in self.alternatives
                if not a.why
            ]
            columns = [
                "layout",
                Column("mass", "kg", 6),
                Column("diameter", "mm"),
                Column("S_H", "", 3),
                Column("S_F", "", 3),
                Column("planet L10", "h", 6),
                Column("first mode", "Hz", 3),
            ]
            yield Table("Layouts", columns, rows)
            for a in self.alternatives:
                if a.why:
                    yield f"{a.layout}: {a.why}"

    def picture(self) -> Picture | str:
        """Mass of the alternatives."""
        made = [a for a in self.alternatives if a.mass is not None]
        if not made:
            return "without alternatives (compare) it has numbers alone"
        bars = Curve("gearbox", [a.layout for a in made], [1e-3 * (a.mass or 0.0) for a in made], "bars")
        return Picture("layout", "mass of the gearbox [t]", [bars])


def new(
    source: str | Path | Mapping[str, str | Wishes] | None = None,
    *,
    name: str | None = None,
    compare: bool | Sequence[str] = False,
    **ratings: Any,
) -> NewDrivetrain:
    """Design a drivetrain from ratings and write it as the text of a file.

    Parameters
    ----------
    source : a file with the section ``ratings``, or a mapping like it; None: the ratings are keywords
    name : of the drivetrain
    compare : also design the other layouts that make the ratio (at most six), or those that are named
    ratings : keys of the section ``ratings``: ``power="2 MW", rotor_speed="18 rpm", generator_speed="1500 rpm",
        layout="3+par+par"``, texts with units or numbers in SI; they replace those of a file

    Raises DrivetrainError that names the wish that blocks. Source: docs/new.md.
    """
    facts = _facts(source, name, ratings)
    wishes = _ratings(facts)
    box = gearbox(wishes)
    others = [_alternative(one) for one in _compared(wishes, box, compare)] if compare else []
    return NewDrivetrain(
        wishes.name,
        words_of(wishes.layout),
        wishes.power,
        wishes.torque,
        box.ratio,
        wishes.ratio,
        box.mass,
        _stages(box),
        others,
        written(box),
        box,
        remarks=_remarks(facts.ratings, wishes, box),
    )


def _facts(source: str | Path | Mapping[str, str | Wishes] | None, name: str | None, ratings: Wishes) -> RatingsFile:
    """The section ``ratings`` from a file, a mapping, keywords."""
    if isinstance(source, Mapping):
        own = source.get("ratings")
        found = ratings_file({**source, "ratings": {**(own if isinstance(own, Mapping) else {}), **ratings}})
    elif source is None:
        found = ratings_file({"ratings": ratings})
    else:
        found = read_ratings(source)
        if ratings:
            known = found.ratings.model_dump(exclude_none=True)
            found = ratings_file({"name": found.name, "ratings": {**known, **ratings}})
    return found if name is None else found.model_copy(update={"name": name})


def _ratings(facts: RatingsFile) -> Ratings:
    """Ratings with the rules for what is not given."""
    r = facts.ratings
    ratio = r.generator_speed / r.rotor_speed
    if ratio <= LEAST_RATIO:
        raise DrivetrainError(
            f"a ratio of {ratio:.4g} from rotor to generator needs no gearbox; this sizing makes ratios above {LEAST_RATIO:g}"
        )
    layout = layout_of(r.layout) if r.layout is not None else usual_layout(ratio, r.power)
    usual = Margins()
    margins = Margins(
        **{
            f.name: _given(getattr(usual, f.name), getattr(r, key, None))
            for f in fields(Margins)
            for key in (_KEYS.get(f.name, f.name),)
        }
    )
    margins = replace(margins, hours=usual.hours if r.hours is None else r.hours / 3600.0)
    steel = Strength(_given(Strength.pitting, r.pitting_limit), _given(Strength.bending, r.bending_limit))
    title = facts.name or f"gearbox-{_number(1e-6 * r.power)}mw"
    more = {k: v for k in ("helix_planetary", "helix_parallel") if (v := getattr(r, k)) is not None}
    if re.search(r"[^\w.+-]", title):
        raise DrivetrainError(
            f"name '{title}': letters, digits, '-', '_', '.' and '+' only, since results are called by it"
        )
    return Ratings(
        title,
        r.power,
        r.rotor_speed,
        r.generator_speed,
        layout,
        None if r.ratios is None else tuple(r.ratios),
        **more,
        margins=margins,
        strength=steel,
        inertia_constant=r.inertia_constant,
    )


_KEYS = {"pitting": "safety_pitting", "bending": "safety_bending"}


def _given(usual: float, given: float | None) -> float:
    """What is given, else the usual value."""
    return usual if given is None else given


def _number(value: float) -> str:
    return f"{value:.4g}".replace(".", "p")


def _mesh_frequencies(box: Gearbox) -> tuple[float, ...]:
    """Mesh frequency of every stage at rated speed [Hz]."""
    found = []
    for stage in box.stages:
        speed = stage.duty.speed
        teeth = stage.wheels[-1][1]  # of the ring against the carrier, or of the wheel
        found.append(speed * teeth / (2.0 * math.pi))
    return tuple(found)


def _stages(box: Gearbox) -> tuple[StageSize, ...]:
    return tuple(
        StageSize(
            f"stage{i + 1}",
            s.duty.planets,
            "/".join(str(z) for _, z in s.wheels),
            s.ratio,
            s.rack.module,
            s.rack.width,
            s.distance,
            s.pitting,
            s.bending,
            box.governs(i),
            f,
        )
        for i, (s, f) in enumerate(zip(box.stages, _mesh_frequencies(box), strict=True))
    )


def _compared(
    wishes: Ratings, chosen: Gearbox, compare: bool | Sequence[str]
) -> list[tuple[str, Gearbox | DrivetrainError]]:
    """The gearboxes of all layouts to compare, the chosen one first."""
    if isinstance(compare, bool):
        layouts = [x for x in layouts_for(wishes.ratio) if x != wishes.layout][: MOST_ALTERNATIVES - 1]
    else:
        layouts = [x for x in map(layout_of, compare) if x != wishes.layout]
    found: list[tuple[str, Gearbox | DrivetrainError]] = [(words_of(wishes.layout), chosen)]
    for layout in each("layout", layouts):
        try:
            found.append((words_of(layout), gearbox(replace(wishes, layout=layout, ratios=None))))
        except DrivetrainError as error:
            found.append((words_of(layout), error))
    return found


def _alternative(one: tuple[str, Gearbox | DrivetrainError]) -> Alternative:
    """A layout in numbers."""
    layout, box = one
    if isinstance(box, DrivetrainError):
        return Alternative(layout, why=str(box))
    lives = [b.life for b in box.planet_bearings if b is not None]
    wheels = [s.pairs[-1].two for s in box.stages]
    diameters = [2.0 * (g.root_radius if g.ring else g.tip_radius) for g in wheels]
    return Alternative(
        layout,
        box.mass,
        max(diameters),
        min(s.pitting for s in box.stages),
        min(s.bending for s in box.stages),
        min(lives, default=None),
        _first_mode(box),
        _mesh_frequencies(box),
    )


def _first_mode(box: Gearbox) -> float | None:
    """First elastic mode of the drivetrain [Hz]; None where the file has none that can be computed."""
    try:
        found = modes(load(parsed_text(written(box))), law="linear")
    except GearwrightError:
        return None
    return next((float(f) for f in found.frequencies_hz if f > 1e-3), None)


def _remarks(given: RatingsFacts, wishes: Ratings, box: Gearbox) -> list[str]:
    """What was taken where nothing was given, and what the reader has to know."""
    m = wishes.margins
    said: list[str] = []
    if given.layout is None:
        said.append(assumed(f"layout {words_of(wishes.layout)}, usual for a ratio of {wishes.ratio:.4g} at this power"))
    taken = [
        f"{word} {value:g}"
        for word, value, g in (
            ("K_A", m.application, given.application),
            ("K_v", m.dynamic, given.dynamic),
            ("K_Hbeta", m.face_load, given.face_load),
            ("S_H", m.pitting, given.safety_pitting),
            ("S_F", m.bending, given.safety_bending),
        )
        if g is None
    ]
    if taken:
        said.append(assumed(f"load factors and least safeties: {', '.join(taken)}"))
    planets = sorted({n for n in wishes.layout if n})
    if planets:
        said.append(
            assumed(
                "K_gamma "
                + ", ".join(f"{MESH_LOAD[n]:g} for {n} planets" for n in planets)
                + ", to be checked against IEC 61400-4"
            )
        )
    if given.hours is None:
        said.append(
            assumed(
                f"{m.hours:.0f} h at rated torque for teeth, {bearing_hours(wishes):.0f} h at rated torque for bearings "
                f"(0.75 of the load over the whole life)"
            )
        )
    if given.pitting_limit is None and given.bending_limit is None:
        said.append(assumed("steel 18CrNiMo7-6, case-hardened, grade MQ: sigma_Hlim 1500 MPa, sigma_Flim 461 MPa"))
    said.append(
        assumed("what the comments of the file name: shafts, carriers, inertias, damping, backlash and relief by rule")
    )
    said.append(
        Remark(
            "sizes at the limits of their rating are a lower bound; gearboxes that were built carry up to 1.5 times as much (reserve)"
        )
    )
    grown = [f"stage{i}" for i, g in enumerate(box.grown, 1) if g > 1.0]
    if grown:
        said.append(Remark(f"{', '.join(grown)}: larger than the teeth ask, until the planets hold their bearings"))
    return said
