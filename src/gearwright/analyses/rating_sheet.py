"""The rating sheet of a result or a campaign: what a certifier is handed, every number with where it comes from."""

from __future__ import annotations

import datetime
import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gearwright._version import __version__
from gearwright.rating.components import Bearing
from gearwright.rating.gear_rating import Flank
from gearwright.rating.lifetime import Spectrum, joined
from gearwright.rating.mesh_facts import planets
from gearwright.rating.pair_sheet import PairCase, Side, pair_blocks
from gearwright.rating.ratings import entries_of, mesh_stress, rated_meshes, supports
from gearwright.rating.sheet_rows import SheetBlock, SheetRow, SheetTable
from gearwright.results import Result
from gearwright.results.rainflow import rainflow
from gearwright.results.store import STATISTICS
from gearwright.train.train import Train

from .base import ASIDE, Analysis, Column, Table, result_file_of
from .life import BearingPart, Collected, LifeRating, collect, rating_of
from .loss_balance import LossBalance, loss_balance
from .shaft_table import shaft_tables

STANDARDS = (
    "ISO 6336-1:2019, -2:2019, -3:2019, -5:2016, -6:2019; ISO 1328-1:2013; ISO/TS 6336-20, -21, -22; ISO/TR 14179; ISO 281:2007; ISO 76:2006; "
    "DIN 743:2012; minima of IEC 61400-4:2012"
)
#: static safety of a bearing that wind practice asks for
LEAST_STATIC = 2.0
_BINS = 10


@dataclass(frozen=True)
class PairSheet:
    """A pair: its name, how many equal meshes it stands for, and its groups of rows."""

    name: str
    heads: tuple[str, str]
    meshes: Sequence[str]
    blocks: Sequence[SheetBlock]

    def rows(self) -> Iterator[SheetRow]:
        """All rows."""
        for block in self.blocks:
            yield from block.rows

    def row(self, symbol: str) -> SheetRow | None:
        """The first row of a symbol."""
        return next((r for r in self.rows() if r.symbol == symbol), None)


@dataclass(frozen=True)
class Finding:
    """A requirement and what was found: a margin below 1 fails. ``element``: the body, bearing or shaft it is about (of alike ones the first)."""

    part: str
    mode: str
    value: float
    required: float
    unit: str
    margin: float
    element: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class RatingSheet(Analysis):
    """The sheet: ``title`` block, ``findings`` with the lowest margin first, ``pairs``, tables of ``parts`` (bearings, shafts, losses) and ``loads``, the
    ``blanks`` to be filled, and the ``balance`` of losses at the rated load."""

    name: str
    source: str
    title_block: Mapping[str, str | None]
    findings: Sequence[Finding]
    pairs: Sequence[PairSheet]
    parts: Sequence[SheetTable]
    loads: Sequence[SheetTable]
    blanks: Sequence[str]
    balance: LossBalance
    rating: LifeRating = field(metadata=ASIDE)

    @property
    def failures(self) -> list[Finding]:
        """What is not what is asked for."""
        return [f for f in self.findings if f.margin < 1.0]

    @property
    def verdict(self) -> str:
        """One sentence: how many fail, or what is lowest."""
        failed = self.failures
        if failed:
            names = {f.part for f in failed}
            rest = len({f.part for f in self.findings} - names)
            first = failed[0]
            who = f"{len(names)} parts fail, {first.part} first" if len(names) > 1 else f"{first.part} fails"
            return f"{who} ({first.mode}); {rest} {'others pass' if rest != 1 else 'other passes'} as far as rated."
        if not self.findings:
            return "Nothing is rated: the blanks say what is missing."
        first = self.findings[0]
        return f"All {len({f.part for f in self.findings})} rated parts pass; lowest: {first.part}, {first.mode}, margin {first.margin:.3g}."

    def shown(self) -> Iterator[Table | str]:
        """Verdict, requirements, blanks."""
        yield self.verdict
        rows = [
            [f.part, f.mode, f.value, f.required, f.unit, f"{f.margin:.3g}" + " *" * (f.margin < 1.0)]
            for f in self.findings[:40]
        ]
        if rows:
            yield Table(
                f"Rating sheet of {self.name}",
                ["part", "mode", Column("value", "", 4), Column("required", "", 4), "unit", "margin"],
                rows,
                mark=0,
            )
        if self.blanks:
            yield "blanks to be filled:\n" + "\n".join(f"  {b}" for b in self.blanks)


def rating_sheet(
    source: Any,
    ratings: str | Path | None = None,
    *,
    years: float | None = None,
    transients: Mapping[str, float] | None = None,
) -> RatingSheet:
    """The rating sheet of a result or the folder of a campaign: ``gearwright life --sheet``.

    Parameters and errors are those of :func:`gearwright.life`.
    """
    folder = result_file_of(source)
    c = collect(folder, ratings, years=years, transients=transients)
    rating = rating_of(c, str(source))
    cases = pair_cases(c)
    pairs = [PairSheet(_pair_name(case, meshes), case.heads, meshes, pair_blocks(case)) for case, meshes in cases]
    balance = loss_balance(c, rating, [(_pair_name(case, [case.mesh]), case, len(meshes)) for case, meshes in cases])
    shafts = shaft_tables(c)
    parts = [_bearings(rating), *shafts, balance.table()]
    loads = _load_tables(c, [meshes[0] for _, meshes in cases])
    findings = sorted(
        [*_gear_findings(pairs, c.train), *_bearing_findings(rating), *_shaft_findings(shafts)], key=lambda f: f.margin
    )
    blanks = _blanks(pairs, parts, rating)
    return RatingSheet(
        rating.name,
        str(source),
        _title(c),
        findings,
        pairs,
        parts,
        loads,
        blanks,
        balance,
        rating,
        remarks=rating.remarks,
    )


def record_sheet(result: str | Path) -> RatingSheet | str:
    """The sheet of a single result for its report, or in words why there is none."""
    try:
        return rating_sheet(result)
    except ValueError as error:
        return " ".join(str(error).split())


# --- pairs -----------------------------------------------------------------------------------------------------------


def pair_cases(c: Collected) -> list[tuple[PairCase, list[str]]]:
    """One case for all meshes that are alike, made of the mesh with the lowest safety of its flanks, and the meshes' names."""
    meshes, _ = rated_meshes(c.train, c.facts, c.first, c.run)
    entries = entries_of(c.train, c.facts, c.first)
    groups: dict[Any, list[str]] = {}
    for name, own in meshes.items():
        stress = mesh_stress(c.train, name, own)
        groups.setdefault((c.train.meshes[name].stage, stress.pair, stress.speed), []).append(name)
    found = []
    for names in groups.values():
        safeties = {name: _sides(c, name) for name in names}
        usable = {name: sides for name, sides in safeties.items() if sides is not None}
        if not usable:
            continue
        worst = min(usable, key=lambda n: min(s.loads(s.flank)[0] for s in usable[n]))
        means = [c.run.means.get(n, 0.0) for n in names]
        case = PairCase(
            worst,
            _heads(c, worst),
            mesh_stress(c.train, worst, meshes[worst]),
            meshes[worst],
            usable[worst],
            worst,
            sum(means) / len(means),
            entries[worst],
            c.facts.oil,
            "mean of the record with the largest mean load",
            c.train.meshes[worst].backlash,
            c.train.meshes[worst].hand or 1,
        )
        found.append((case, [worst, *(n for n in names if n != worst)]))
    return found


def _heads(c: Collected, mesh: str) -> tuple[str, str]:
    names = []
    for body in c.train.meshes[mesh].between:
        role = c.train.bodies[body].role
        names.append(role if role != "body" else body)
    return names[0].capitalize(), names[1].capitalize()


def _pair_name(case: PairCase, meshes: Sequence[str]) -> str:
    stage, _, rest = case.mesh.rpartition(".")
    words = f"{case.heads[0].lower()} and {case.heads[1].lower()}"
    count = f", {len(meshes)} meshes" if len(meshes) > 1 else ""
    return f"{stage or rest}, {words}{count}"


def _sides(c: Collected, mesh: str) -> tuple[Side, Side] | None:
    """Both gears of a mesh on the flanks that it loads; None where a part is not rated."""
    found = []
    for which, body in enumerate(c.train.meshes[mesh].between):
        own = [
            p
            for p in c.parts
            if isinstance(p.component, Flank) and p.component.element == body and mesh in p.component.courses
        ]
        loaded = [
            p
            for p in own
            if p.component.courses[mesh].sense == p.component.roles[mesh].sense
            and p.component.roles[mesh].which == which
        ]
        other = [
            p
            for p in own
            if p.component.courses[mesh].sense != p.component.roles[mesh].sense
            and p.component.roles[mesh].which == which
        ]
        if len(loaded) != 2:
            return None
        flank, root = (next(p for p in loaded if p.component.mode == mode) for mode in ("pitting", "root bending"))
        repetitions = {name: c.weights.repetitions[name] for name in flank.doses}
        low, high = c.read.extremes[mesh]
        sense = flank.component.roles[mesh].sense
        value, record = (high[0], high[1]) if sense > 0 else (-low[0], low[1])
        back = None
        if len(other) == 2 and not flank.component.alternating and all(p.component.loaded for p in other):
            a, b = (next(p for p in other if p.component.mode == mode) for mode in ("pitting", "root bending"))
            back = (a.component, b.component)
        found.append(
            Side(flank.component, root.component, repetitions, (max(value, 0.0), _case_words(c, record)), back)
        )
    return found[0], found[1]


def _case_words(c: Collected, record: str) -> str:
    """A record by its case, and in a campaign by its run."""
    with Result.reading(c.paths[record]) as result:
        case = str(result.attributes.get("case", ""))
    return record if c.place.campaign or not case else f"{case} ({record})"


def _gear_findings(pairs: Sequence[PairSheet], train: Train) -> list[Finding]:
    words = {
        "S_H": "flank safety",
        "S_F": "root safety",
        "S_H,st": "flank, extreme load",
        "S_F,st": "root, extreme load",
        "S_B": "scuffing, flash",
        "S_int": "scuffing, integral",
    }
    found = []
    for pair in pairs:
        for row in pair.rows():
            if row.least is None or row.symbol not in words:
                continue
            for i, figure in enumerate(row.figures):
                if figure.value is not None and math.isfinite(figure.value):
                    who = f", {pair.heads[i].lower()}" if len(row.figures) > 1 else ""
                    found.append(
                        Finding(
                            pair.name + who,
                            words[row.symbol],
                            figure.value,
                            row.least,
                            "",
                            figure.value / row.least,
                            train.meshes[pair.meshes[0]].between[i],
                        )
                    )
    return found


# --- bearings and shafts ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BearingRow:
    """A rated bearing, or the worst of those of planets that are alike: P and C [N], speed [rad/s], life and life asked for [h], static
    safety, largest pressure and the one allowed [Pa]; None where it is not known."""

    name: str
    variant: str
    rating: float
    load: float
    speed: float
    factor: float | None
    life: float
    required: float
    margin: float
    static: float | None
    pressure: float | None
    allowed: float | None
    element: str


def bearing_rows(life: LifeRating) -> list[BearingRow]:
    """Rated bearings, the lowest margin first; those of planets once."""
    groups: dict[tuple[str, str, float], list[BearingRow]] = {}
    for r in life.components:
        if not isinstance(r, BearingPart):
            continue
        name = re.sub(r"planet\d+", "planet*", r.element)
        required = r.required_hours if r.required_hours is not None else life.hours
        row = BearingRow(
            name,
            r.name or "",
            r.dynamic_rating,
            r.equivalent_load,
            r.mean_speed,
            r.factor,
            r.life_hours,
            required,
            r.margin,
            r.static_safety,
            r.largest_pressure,
            r.allowed_pressure,
            r.element,
        )
        groups.setdefault((name, row.variant, row.rating), []).append(row)
    worst = [
        replace(min(g, key=lambda b: b.margin), name=f"{n} ({len(g)})" if len(g) > 1 else n)
        for (n, _, _), g in groups.items()
    ]
    return sorted(worst, key=lambda b: b.margin)


def _bearings(life: LifeRating) -> SheetTable:
    heads = [
        "Bearing",
        "Variant",
        "C in kN",
        "P in kN",
        "n in 1/min",
        "a₁ a_ISO",
        "L_h in h",
        "Asked in h",
        "Margin",
        "C₀/P₀",
        "p_max in MPa",
        "Allowed",
    ]
    found = bearing_rows(life)
    failed = {i for i, b in enumerate(found) if b.margin < 1.0 or (b.static or math.inf) < LEAST_STATIC}
    rows: list[list[float | str | None]] = [
        [
            b.name,
            b.variant,
            1e-3 * b.rating,
            1e-3 * b.load,
            b.speed * 30.0 / math.pi,
            b.factor,
            b.life,
            b.required,
            b.margin,
            b.static,
            None if b.pressure is None else 1e-6 * b.pressure,
            None if not b.allowed else 1e-6 * b.allowed,
        ]
        for b in found
    ]
    return SheetTable(
        "Bearings, ISO 281 and ISO 76",
        heads,
        rows,
        f"Given: C and the life asked for. Derived: P, n, L_h, margin. Standard: a₁ a_ISO (ISO 281), C₀/P₀ of {LEAST_STATIC:g} at least (N). Assumed where no "
        "catalogue says it: C₀ by dimensions, C_u, e_C, see Assumed. Axial loads are in P and P₀ as far as type and angle are known; a_ISO is in L_h.",
        "static_rating (or bore, outside_diameter, width), cleanliness of the oil for a_ISO, line_contact for p_max",
        frozenset(failed),
    )


def _bearing_findings(life: LifeRating) -> list[Finding]:
    found = []
    for b in bearing_rows(life):
        found.append(
            Finding(
                b.name + (f", {b.variant}" if b.variant else ""),
                "rating life",
                b.life,
                b.required,
                "h",
                b.margin,
                b.element,
            )
        )
        if b.static:
            found.append(
                Finding(b.name, "static safety", b.static, LEAST_STATIC, "", b.static / LEAST_STATIC, b.element)
            )
    return found


def _shaft_findings(tables: Sequence[SheetTable]) -> list[Finding]:
    found = []
    for table in tables:
        asked_at = table.heads.index("Asked")
        for row in table.rows:
            for head, mode in (("S_D", "fatigue"), ("S_F", "yield")):
                value, asked = row[table.heads.index(head)], row[asked_at]
                if isinstance(value, float) and isinstance(asked, float) and value < 1e3:
                    found.append(
                        Finding(f"shaft {row[0]}", f"DIN 743, {mode}", value, asked, "", value / asked, str(row[0]))
                    )
    return found


# --- load tables -----------------------------------------------------------------------------------------------------


def _weighted(c: Collected, pairs: Sequence[tuple[str, Spectrum]]) -> Spectrum:
    return joined([s for _, s in pairs], [c.weights.repetitions[n] for n, _ in pairs])


def _load_tables(c: Collected, meshes: Sequence[str]) -> list[SheetTable]:
    """Load duration of the first shaft and of the meshes, load revolutions of bearings, extremes, cycles."""
    tables = []
    shafts = [e for k, e in c.read.books if k == "shaft" and e in c.train.shafts]
    if shafts:
        hours = _weighted(c, c.read.spectra[shafts[0]])
        tables.append(
            _binned(f"Load duration, torque of {shafts[0]}", "Torque in kN m", hours, 1e-3, ("Hours", 1.0 / 3600.0))
        )
    for name in meshes:
        tables.append(_mesh_duration(c, name))
    tables.append(_revolutions(c))
    tables.append(_extremes(c, shafts, meshes))
    if shafts:
        tables += _markov(c, shafts[0])
    return [t for t in tables if t.rows]


def _edges(spectrum: Spectrum) -> np.ndarray:
    used = spectrum.amounts > 0.0
    if not used.any():
        return np.zeros(0)
    low, high = float(spectrum.levels[used].min()), float(spectrum.levels[used].max())
    if high - low <= 1e-6 * max(abs(low), abs(high), 1e-300):
        return np.array([low, high])
    edges = np.linspace(low, high, _BINS + 1)
    # loads of both signs are on both flanks: no bin holds both
    return np.unique(np.append(edges, 0.0)) if low < 0.0 < high else edges


def _binned(title: str, head: str, spectrum: Spectrum, scale: float, *columns: tuple[str, float]) -> SheetTable:
    edges = _edges(spectrum)
    rows: list[list[float | str | None]] = []
    for low, high in zip(edges[-2::-1], edges[:0:-1], strict=True):
        inside = (spectrum.levels >= low) & ((spectrum.levels < high) | (high == edges[-1]) & (spectrum.levels <= high))
        amount = float(spectrum.amounts[inside].sum())
        rows.append([f"{scale * low:.5g} to {scale * high:.5g}", *(factor * amount for _, factor in columns)])
    return SheetTable(
        title,
        [head, *(name for name, _ in columns)],
        rows,
        "Derived: counted at every inner step of the runs, weighted over the life.",
    )


def _mesh_duration(c: Collected, name: str) -> SheetTable:
    """Force bins of a mesh: hours, load cycles of a tooth of gear one, and the flank."""
    mesh = c.train.meshes[name]
    carrier = c.train.ratios.get(mesh.on, 0.0) if mesh.on is not None else 0.0
    ratio = abs(c.train.ratios.get(mesh.between[0], 0.0) - carrier) / c.scale
    cycles, time = _weighted(c, c.read.turns[name]), _weighted(c, c.read.spectra[name])
    edges = _edges(time)
    number = planets(c.train, mesh)
    sense = 1.0 if float((time.levels * time.amounts).sum()) >= 0.0 else -1.0
    rows: list[list[float | str | None]] = []
    for low, high in zip(edges[-2::-1], edges[:0:-1], strict=True):
        last = high == edges[-1]
        found = []
        for s in (time, cycles):
            inside = (s.levels >= low) & ((s.levels < high) | (last & (s.levels <= high)))
            found.append(float(s.amounts[inside].sum()))
        middle = 0.5 * (low + high)
        rows.append(
            [
                f"{1e-3 * low:.5g} to {1e-3 * high:.5g}",
                found[0] / 3600.0,
                1e-6 * found[1] * ratio,
                "drive" if middle * sense >= 0.0 else "coast",
            ]
        )
    note = f"Cycles of one tooth of {mesh.between[0]} with this mesh" + (
        f" ({number} such meshes)." if number > 1 else "."
    )
    return SheetTable(f"Load duration, {name}", ["Force in kN", "Hours", "Cycles in 10⁶", "Flank"], rows, note)


def _revolutions(c: Collected) -> SheetTable:
    """Load revolution distribution of the bearings, one of each kind: largest tenth of the load, revolutions above it."""
    rows: list[list[float | str | None]] = []
    seen = set()
    for part in c.parts:
        b = part.component
        if not isinstance(b, Bearing):
            continue
        key = re.sub(r"planet\d+", "planet*", b.element)
        if key in seen or b.elements[0] not in c.read.turns:
            continue
        seen.add(key)
        spectrum = _weighted(c, c.read.turns[b.elements[0]])
        spectrum = Spectrum(np.abs(spectrum.levels) * b.share / b.count, spectrum.amounts * abs(b.ratio))
        top = float(spectrum.levels.max(initial=0.0))
        if top < 1.0:  # of round-off alone
            continue
        total = float(spectrum.amounts.sum())
        shares = [1e-6 * float(spectrum.amounts[spectrum.levels >= f * top].sum()) for f in (0.9, 0.75, 0.5, 0.25)]
        rows.append([key, 1e-3 * top, *shares, 1e-6 * total])
    heads = ["Bearing", "Largest in kN", "Above 90 %", "Above 75 %", "Above 50 %", "Above 25 %", "All"]
    return SheetTable(
        "Load revolutions of bearings",
        heads,
        rows,
        "Revolutions in 10⁶ above a share of the largest load of one bearing; all bins in the spreadsheet.",
    )


def _extremes(c: Collected, shafts: Sequence[str], meshes: Sequence[str]) -> SheetTable:
    """Largest and least loads with the case and what acted with them: torque of the first shaft at that instant."""
    rows: list[list[float | str | None]] = []
    wanted = [(e, "torque", "kN m", 1e-3) for e in shafts] + [(m, "force", "kN", 1e-3) for m in meshes]
    bearings = sorted(
        (e for k, e in c.read.books if k == "bearing" and e in supports(c.train)),
        key=lambda e: -max(abs(x[0]) for x in c.read.extremes[e]),
    )[:6]
    wanted += [(b, "force", "kN", 1e-3) for b in bearings]
    kinds = {e: k for k, e in c.read.books}
    for element, quantity, unit, scale in wanted:
        for which, (value, record) in zip(("least", "largest"), c.read.extremes[element], strict=True):
            if which == "least" and not (value < 0.0 or kinds[element] == "shaft"):
                continue
            time, torque = _at(c, record, kinds[element], quantity, element, which, shafts)
            rows.append([f"{element}, {which}", scale * value, unit, _case_words(c, record), time, torque])
    second = f"{shafts[0]} in kN m" if shafts else "torque in kN m"
    return SheetTable(
        "Extreme loads and what acted with them",
        ["Quantity", "Value", "Unit", "Case", "Time in s", second],
        rows,
        "The extreme is that of all inner steps, what acted with it the stored series at that instant; partial factor 1.",
    )


def _at(
    c: Collected, record: str, kind: str, quantity: str, element: str, which: str, shafts: Sequence[str]
) -> tuple[float | None, float | None]:
    with Result.open(c.paths[record]) as result:
        name = f"{kind}_{quantity}_statistic"
        if name not in result.file.variables:
            return None, None
        row = result.values(name)[result.elements(kind).index(element)]
        time = float(row[STATISTICS.index("time_of_minimum" if which == "least" else "time_of_maximum")])
        if not shafts or "shaft_torque" not in result.file.variables or not math.isfinite(time) or not len(result.time):
            return time, None
        series = np.asarray(result.values("shaft_torque", result.elements("shaft").index(shafts[0])), float)
        return time, 1e-3 * float(np.interp(time, result.time, series))


def _markov(c: Collected, shaft: str) -> list[SheetTable]:
    """Markov matrix of the stored torque of a shaft: cycles from level to level over the life, six levels."""
    total: np.ndarray | None = None
    (low, _), (high, _) = c.read.extremes[shaft]
    if not high - low > 1e-6 * max(abs(low), abs(high), 1e-300):
        return []
    edges = np.linspace(low, high, 7)
    for name in c.place.paths:
        with Result.open(c.paths[name]) as result:
            if "shaft_torque" not in result.file.variables:
                return []
            series = np.asarray(result.values("shaft_torque", result.elements("shaft").index(shaft)), float)
        if len(series) < 3 or not np.isfinite(series).all():
            return []
        counts = rainflow(series).markov_matrix(edges).counts * c.weights.repetitions[name]
        total = counts if total is None else total + counts
    if total is None or not total.any():
        return []
    middle = 0.5e-3 * (edges[1:] + edges[:-1])
    rows: list[list[float | str | None]] = [
        [f"{m:.4g}", *(float(x) for x in row)] for m, row in zip(middle, total, strict=True)
    ]
    return [
        SheetTable(
            f"Markov matrix, torque of {shaft}",
            ["From, in kN m", *(f"to {m:.4g}" for m in middle)],
            rows,
            "Cycles over the life, of the stored series with its residue as half cycles.",
        )
    ]


# --- title and blanks ------------------------------------------------------------------------------------------------


def _title(c: Collected) -> dict[str, str | None]:
    title = c.facts.title
    text = c.place.drivetrain.model_dump_json(exclude_none=True) if c.place.drivetrain is not None else ""
    file = c.place.drivetrain.file
    digest = hashlib.sha256(text.encode()).hexdigest()
    said = {key: None if title is None else getattr(title, key) for key in ("project", "author", "customer", "drawing")}
    return {
        "Project": said["project"],
        "Author": said["author"],
        "Customer": said["customer"],
        "Drawing": said["drawing"],
        "Date": datetime.date.today().isoformat(),
        "Program": f"Gearwright {__version__}",
        "Drivetrain": file.name if file is not None else c.place.drivetrain.name,
        "SHA-256 of its content": f"{digest[:8]} {digest[8:16]} {digest[16:24]}",
        "Loads": f"{c.place.name}: {len(c.place.paths)} of {c.place.planned} runs"
        if c.place.campaign
        else f"{c.place.name}, repeated through the life",
        "Model": f"{c.run.fidelity}, {', '.join(dict.fromkeys(c.run.laws.values())) or 'no teeth'}",
        "Life": f"{c.facts.years:g} years, {sum(c.weights.hours.values()):.0f} h",
        "Standards": STANDARDS,
    }


def _blanks(pairs: Sequence[PairSheet], parts: Sequence[SheetTable], life: LifeRating) -> list[str]:
    """What is not given, once each, with what would follow from it."""
    found: dict[str, list[str]] = {}
    for pair in pairs:
        for row in pair.rows():
            if row.blank and not row.blank.startswith("no load"):
                symbols = found.setdefault(row.blank, [])
                if row.name not in symbols:
                    symbols.append(row.name)
    made = [f"{what}: {', '.join(names).lower()}" for what, names in found.items()]
    made += [f"{m['element']}: {m['what']}" for m in _few(life.missing)]
    for table in parts:
        if table.blank and any(value is None for row in table.rows for value in row):
            made.append(f"{table.title}: {table.blank}")
    return made


def _few(missing: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """One line for all parts that lack the same."""
    groups: dict[str, list[str]] = {}
    for m in missing:
        groups.setdefault(m["what"], []).append(m["element"])
    return [
        {"element": ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else ""), "what": what}
        for what, names in groups.items()
    ]
