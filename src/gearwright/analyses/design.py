"""The designer's loop: a few free numbers of a file are moved until wishes are met, and how far two wishes can be met together."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.campaigns.folder import Folder, write_atomic
from gearwright.campaigns.line import Line
from gearwright.campaigns.owner import owned
from gearwright.campaigns.plan import Facts, Options, Plan
from gearwright.campaigns.workers import Processes, Serial, Workers
from gearwright.errors import DrivetrainError, listed
from gearwright.progress import Stage, stage
from gearwright.remarks import Remark, assumed
from gearwright.schema.campaigns import find_campaign
from gearwright.schema.case_lookup import find_case
from gearwright.schema.file import Drivetrain
from gearwright.schema.places import JSON

from .base import ASIDE, Analysis, Column, Picture, Table, drivetrain_of
from .design_file import design_file
from .design_point import POINT, with_campaign
from .lanes import Ask, Enough, side_by_side
from .picture import Curve
from .wishes import Free, Wish, free_of, simulated, wish_of

Float = NDArray[np.float64]

#: evaluations without a number given, and points of a trade-off
EVALUATIONS, POINTS = 60, 7
#: relative distance from a bound that counts as keeping it
KEPT = 1e-4
#: widest gap of a trade-off that is left, over its length
WIDTH = 0.005
#: evaluations that a search for one point of a trade-off is worth
_SHARE = 4
#: distance of two designs of a trade-off that are shown, over its length in either wish
APART = 0.01
#: decimal places of the places of free numbers, so that a design has one name
_PLACES = 9


@dataclass(frozen=True)
class Candidate:
    """A design that was evaluated: its id, values by path, measures by name, whether it keeps all bounds, and whether no other design is
    better in both wishes of a trade-off (or it is the best one)."""

    id: str
    values: Mapping[str, JSON]
    measures: Mapping[str, float]
    keeps: bool
    best: bool = False


@dataclass(frozen=True, repr=False, eq=False)
class Design(Analysis):
    """Designs of a drivetrain: ``candidates`` in the order of evaluation, those of the curve (or the best one) marked.

    ``free`` and ``wishes`` in words, ``evaluations`` of which ``computed`` by this call in ``wall_s`` seconds, ``folder`` of the lines,
    ``start`` the measures of the file itself.
    """

    name: str
    free: Sequence[str]
    wishes: Sequence[str]
    start: Mapping[str, float]
    candidates: Sequence[Candidate]
    evaluations: int
    computed: int
    failed: int
    wall_s: float
    folder: Path
    objectives: Sequence[Wish] = field(metadata=ASIDE)
    paths: Sequence[Sequence[str]] = field(metadata=ASIDE)
    own: Sequence[float] = field(metadata=ASIDE)

    @property
    def curve(self) -> list[Candidate]:
        """The designs of the trade-off, by the first wish, those that hardly differ once; of one wish the best design."""
        best = [c for c in self.candidates if c.best]
        if len(self.objectives) < 2 or len(best) < 2:
            return best
        sizes = {c.id: np.array([w.size(c.measures[w.measure]) for w in self.objectives]) for c in best}
        best.sort(key=lambda c: sizes[c.id][0])
        span = np.abs(sizes[best[-1].id] - sizes[best[0].id])
        kept = best[:1]
        for c in best[1:-1]:
            if (np.abs(sizes[c.id] - sizes[kept[-1].id]) > APART * span).any():
                kept.append(c)
        return [*kept, best[-1]]

    def overrides(self, candidate: Candidate) -> list[str]:
        """``path=value`` edits that make a design of the file, for ``--set`` and ``overrides``."""
        return [f"{path}={value}" for path, value in candidate.values.items()]

    def shown(self) -> Iterator[Table | str]:
        """The file's own measures and the designs of the curve."""
        names = list(self.start)
        rows = [["the file", *("" for _ in self.free), *(self.start[n] for n in names)]]
        for c in self.curve:
            rows.append([c.id, *(_first(c, f) for f in self.free), *(c.measures[n] for n in names)])
        heads = [
            f.rpartition(".")[2] if " and " not in f else f.partition(" and ")[0].rpartition(".")[2] for f in self.free
        ]
        yield Table(f"Designs of {self.name}", ["design", *heads, *(Column(n, unit_of(n), 5) for n in names)], rows)
        if not any(c.keeps for c in self.candidates):
            yield f"no design keeps all bounds; {self.blocking}"
        kept = f", {self.evaluations - self.computed} of them before" if self.evaluations > self.computed else ""
        yield f"{self.evaluations} evaluations{kept} in {self.wall_s:.1f} s; all in {self.folder}/table.csv"

    @property
    def blocking(self) -> str:
        """The bound that is furthest from being kept in the nearest design."""
        bounds = [w for w in map(wish_of, self.wishes) if w.kind in (">=", "<=")]
        nearest = max(self.candidates, key=lambda c: min(w.room(c.measures[w.measure]) for w in bounds), default=None)
        if nearest is None:
            return "nothing could be evaluated"
        worst = min(bounds, key=lambda w: w.room(nearest.measures[w.measure]))
        return f"'{worst.words}' blocks: the nearest design {nearest.id} has {nearest.measures[worst.measure]:.5g}"

    def picture(self) -> Picture | str:
        """The trade-off of two wishes, or the best value so far over the evaluations."""
        if len(self.objectives) == 2:
            x, y = (w.measure for w in self.objectives)
            keep = [c for c in self.candidates if c.keeps]
            return Picture(
                axis_of(x),
                axis_of(y),
                [
                    Curve("keeps the bounds", [c.measures[x] for c in keep], [c.measures[y] for c in keep], "points"),
                    Curve("trade-off", [c.measures[x] for c in self.curve], [c.measures[y] for c in self.curve]),
                ],
            )
        if not self.objectives:
            return "without a wish that goes as far as it can there is no curve"
        name = self.objectives[0].measure
        values = [c.measures[name] for c in self.candidates]
        return Picture("evaluation", axis_of(name), [Curve(name, list(range(1, len(values) + 1)), values, "points")])


def unit_of(measure: str) -> str:
    """Unit of a measure, empty where it has none."""
    head = measure.removeprefix("run.").removeprefix("campaign.").partition(".")[0]
    if head == "load":
        return "N m" if measure.endswith(".torque") else "N"
    return {"mass": "kg", "life": "h", "frequency": "Hz"}.get(head, "")


def axis_of(measure: str) -> str:
    """A measure as the title of an axis."""
    unit = unit_of(measure)
    return f"{measure} [{unit}]" if unit else measure


def _first(candidate: Candidate, free: str) -> str:
    value = candidate.values[free.partition(" and ")[0]]
    number, _, unit = str(value).partition(" ")
    return f"{float(number):.5g} {unit}".strip()


def design(
    drivetrain: Any,
    free: Sequence[str] = (),
    wishes: Sequence[str] = (),
    folder: str | Path | None = None,
    *,
    evaluations: int | None = None,
    points: int | None = None,
    case: str | None = None,
    campaign: str | None = None,
    fidelity: str | None = None,
    duration: float | None = None,
    jobs: int = 1,
    workers: Workers | None = None,
    wait: bool = False,
    overrides: Sequence[str] = (),
) -> Design:
    """Move free numbers of a file until wishes are met.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example; or a design file, whose free numbers and wishes are taken too
    free : ``"PATH=LOW..HIGH"``, or ``"PATH,PATH=0.9 x..1.1 x"``: numbers that move together, by factors on what the file has
    wishes : ``"MEASURE least"`` or ``"MEASURE most"`` (none, one or two of them), ``"MEASURE >= VALUE"``, ``"MEASURE <= VALUE"``; the
        measures are listed in docs/design-study.md
    folder : of the evaluations, default ``NAME-design``; a design that was interrupted goes on from there
    evaluations : at most so many (60); with two goals they are shared by the ``points`` of the trade-off (7)
    case, duration : of runs, for wishes such as ``"run.main.torque.max least"``
    campaign : of the file, for wishes such as ``"campaign.life.stage1.planet1_bearing >= 20 years"``; None: the only one
    fidelity : overrides the file's
    jobs, workers : as of a campaign: processes of this machine, or workers elsewhere
    wait : for another process that works in the folder
    overrides : ``path=value`` edits

    Searches run side by side, each by a library's optimiser: SLSQP with the derivatives of the measures, COBYLA where a wish is of
    a run, which has none. Results do not depend on the number of workers. Raises DrivetrainError, CampaignError.
    """
    given = design_file(drivetrain) if isinstance(drivetrain, str | Path) else None
    if given is None:
        made = drivetrain_of(drivetrain, overrides)
    else:
        said, made = given[0], drivetrain_of(given[1], overrides)
        free, wishes = [*said.free, *free], [*said.wishes, *wishes]
        evaluations, points, case = evaluations or said.evaluations, points or said.points, case or said.case
        campaign = campaign or said.campaign
    evaluations, points = evaluations or EVALUATIONS, points or POINTS
    frees, wanted = _read(made, free, wishes)
    plan = _plan(made, frees, wanted, case, campaign, Options(fidelity=fidelity, duration=duration))
    place = Folder(Path(folder or (f"{made.name}-design" if given is None else given[0].name)))
    begin = time.perf_counter()
    with owned(place.path, wait), stage("design", evaluations) as going:
        place.begin(plan)
        place.drop_damaged(plan)
        own = workers is None and jobs > 1
        at_work = workers or (Processes(jobs, keep=True) if jobs > 1 else Serial())
        book = Evaluations(plan, place, at_work, frees, wanted, going, jobs, workers)
        try:
            start = book.ask([tuple(f.start for f in frees)])[0]
            _search(book, frees, wanted, evaluations, max(points, 2))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"interrupted; {len(book.lines)} evaluations are kept in {place.path}, the same command goes on from there"
            ) from None
        finally:
            if own and isinstance(at_work, Processes):
                at_work.close()
            book.table()
    return _result(made, book, start, frees, wanted, time.perf_counter() - begin)


def _read(made: Drivetrain, free: Sequence[str], wishes: Sequence[str]) -> tuple[list[Free], list[Wish]]:
    """Free numbers and wishes. Raises DrivetrainError."""
    if not free or not wishes:
        raise DrivetrainError(
            "a design needs numbers that may move (free) and what they shall reach (wishes): "
            "--free 'shafts.main.diameter=0.9 x..1.1 x' --wish 'mass least'"
        )
    frees, wanted = [free_of(t, made.raw) for t in free], [wish_of(t) for t in wishes]
    paths = [n.path for f in frees for n in f.numbers]
    twice = [p for p in dict.fromkeys(paths) if paths.count(p) > 1]
    if twice:
        raise DrivetrainError(f"free: {listed(twice)} moves twice")
    goals = [w for w in wanted if w.kind in ("least", "most")]
    if len(goals) > 2 or len({g.measure for g in goals}) < len(goals):
        raise DrivetrainError(
            "at most two wishes go as far as they can (least, most), of two measures; give the others a bound"
        )
    return frees, wanted


def _plan(
    made: Drivetrain,
    frees: Sequence[Free],
    wanted: Sequence[Wish],
    case: str | None,
    campaign: str | None,
    options: Options,
) -> Plan:
    """The plan whose fingerprint a folder keeps: no runs of its own, they follow from the search."""
    runs = [w for w in wanted if w.measure.startswith("run.")]
    if runs and not made.cases:
        raise DrivetrainError(f"wish '{runs[0].words}' needs a case to run, and the file has none")
    name = find_case(made, case).name if runs else ""
    facts: Facts = {"drivetrain": made.name, "free": [[n.path for n in f.numbers] for f in frees]}
    if any(w.measure.startswith("campaign.") for w in wanted):
        facts["campaign"] = find_campaign(made, campaign).name
    return Plan(
        f"{made.name}-design",
        name,
        made.raw,
        {},
        str(made.file) if made.file else None,
        made.text,
        made.overrides,
        options,
        kind="design",
        outputs=tuple(dict.fromkeys(w.measure for w in wanted)),
        task=POINT,
        facts=facts,
    )


class Answer(NamedTuple):
    """Measures of a design and their changes with the places of the free numbers; ``failed`` says why there are none."""

    values: Mapping[str, float]
    slopes: Mapping[str, Float]
    failed: str


Point = tuple[float, ...]


class Evaluations:
    """Evaluations of designs by their places, each once, on workers, kept in a folder."""

    def __init__(
        self,
        plan: Plan,
        place: Folder,
        workers: Workers,
        frees: Sequence[Free],
        wanted: Sequence[Wish],
        going: Stage,
        jobs: int = 1,
        far: Workers | None = None,
    ):
        self.plan, self.place, self.workers, self.frees, self.wanted, self.going = (
            plan,
            place,
            workers,
            frees,
            wanted,
            going,
        )
        # runs of campaigns inside go to the same place as the evaluations
        self.jobs, self.far = jobs, far
        self.lines: dict[str, Line] = {}
        self.points: dict[str, Point] = {}
        self.computed = 0

    def values(self, point: Point) -> dict[str, JSON]:
        """Values by path at a place."""
        return {n.path: n.times(f.factor(x)) for f, x in zip(self.frees, point, strict=True) for n in f.numbers}

    def ask(self, points: Sequence[Point]) -> list[Answer]:
        """Answers for places, those that are not known from workers."""
        items = [self.values(_rounded(p)) for p in points]
        names = [_name(i) for i in items]
        self.points |= {n: _rounded(p) for n, p in zip(names, points, strict=True)}
        for name in names:
            if name not in self.lines and self.place.done(name):
                line = self.place.line(name)
                if line is not None:
                    self.lines[name] = line
        missing = {n: i for n, i in zip(names, items, strict=True) if n not in self.lines}
        if missing:
            batch = replace(self.plan, items=missing)
            found = {line["id"]: line for line in self.workers.lines(batch, list(missing), self.place.path)}
            for name in missing:  # kept in the order in which they were asked for
                line = with_campaign(self.plan, found[name], self.place.path, self.jobs, self.far)
                self.place.keep(line)
                self.lines[name] = line
                self.computed += 1
        self.going.at(len(self.lines))
        return [self._answer(self.lines[name]) for name in names]

    def _answer(self, line: Line) -> Answer:
        if line["status"] != "done":
            return Answer({}, {}, line.get("error", "failed"))
        spans = np.array([f.span for f in self.frees])
        slopes = {name: np.asarray(row, float) * spans for name, row in line.get("slopes", {}).items()}
        return Answer(line["measures"], slopes, "")

    def table(self) -> None:
        """Write ``table.csv``: a row for every evaluation, its values and measures."""
        if not self.place.path.is_dir():
            return
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        paths = [n.path for f in self.frees for n in f.numbers]
        writer.writerow(["id", *paths, *self.plan.outputs, "error"])
        for name, line in self.lines.items():
            values, found = line["values"], line.get("measures", {})
            writer.writerow(
                [
                    name,
                    *(values[p] for p in paths),
                    *(found.get(m, "") for m in self.plan.outputs),
                    line.get("error", ""),
                ]
            )
        write_atomic(self.place.path / "table.csv", out.getvalue().encode())


def _rounded(point: Point) -> Point:
    return tuple(round(min(max(float(x), 0.0), 1.0), _PLACES) for x in point)


def _name(values: Mapping[str, JSON]) -> str:
    """The id of a design, from its values."""
    text = json.dumps({p: str(v) for p, v in values.items()}, sort_keys=True)
    return "d" + hashlib.sha256(text.encode()).hexdigest()[:10]


# --- the search --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Aim:
    """What one search is after: the wish that goes as far as it can (None: bounds alone), the bounds, and from where."""

    goal: Wish | None
    bounds: tuple[Wish, ...]
    start: Point


def _search(book: Evaluations, frees: Sequence[Free], wanted: Sequence[Wish], evaluations: int, points: int) -> None:
    """All searches: to the ends of the trade-off first, then to points between them."""
    goals = [w for w in wanted if w.kind in ("least", "most")]
    bounds = tuple(w for w in wanted if w.kind in (">=", "<="))
    start = tuple(f.start for f in frees)
    left = evaluations - 1
    if len(goals) < 2:
        _run(book, [Aim(goals[0] if goals else None, bounds, start)], left)
        return
    share = max(left // points, 1)
    _run(book, [Aim(g, bounds, start) for g in goals], 2 * share)
    first, second = goals
    curve = _ends(book, wanted, second)
    if curve[0] == curve[-1] or points < 3:
        return  # one design is the best in both
    levels = [curve[0] + (curve[-1] - curve[0]) * k / (points - 1) for k in range(1, points - 1)]
    while levels and (left := evaluations - len(book.lines)) > 0:
        before = len(book.lines)
        levels = levels[: max(left // _SHARE, 1)]
        _run(book, [_level(book, wanted, bounds, level) for level in levels], left)
        if len(book.lines) == before:
            return
        # what is left goes into the widest gaps of the curve
        curve = _ends(book, wanted, second)
        gaps = sorted(zip(curve, curve[1:], strict=False), key=lambda g: (g[0] - g[1], g))[: points - 2]
        levels = [0.5 * (a + b) for a, b in gaps if b - a > WIDTH * (curve[-1] - curve[0])]


def _ends(book: Evaluations, wanted: Sequence[Wish], second: Wish) -> list[float]:
    """The second wish along the curve that there is, as the search sees it, ascending."""
    found = [second.size(c.measures[second.measure]) for c in _candidates(book, wanted) if c.best]
    return sorted(found) if found else [0.0]


def _level(book: Evaluations, wanted: Sequence[Wish], bounds: tuple[Wish, ...], level: float) -> Aim:
    """The first wish as far as it goes with the second at a level, from the design that lies nearest."""
    first, second = (w for w in wanted if w.kind in ("least", "most"))
    seen = -level if second.kind == "most" else level
    value = seen if second.measure == "margin" else math.exp(seen)
    bound = Wish(second.measure, ">=" if second.kind == "most" else "<=", value)
    keeping = [c for c in _candidates(book, wanted) if c.keeps]
    near = min(keeping, key=lambda c: (abs(second.size(c.measures[second.measure]) - level), c.id))
    return Aim(first, (*bounds, bound), book.points[near.id])


def _run(book: Evaluations, aims: Sequence[Aim], evaluations: int) -> None:
    """Searches side by side, which share the evaluations. Each begins at a design that is known, which costs none."""
    each, more = divmod(max(evaluations, 0), len(aims))
    most = [1 + each + (i < more) for i in range(len(aims))]
    side_by_side([_searching(aim, book) for aim in aims], most, book.ask)


def _searching(aim: Aim, book: Evaluations) -> Any:
    """A search by a library's optimiser."""
    smooth = not any(map(simulated, book.plan.outputs))

    def search(ask: Ask[Point, Answer]) -> None:
        from scipy.optimize import minimize

        seen: dict[Point, Answer] = {}

        def at(x: Float) -> Answer:
            point = _rounded(tuple(x))
            if point not in seen:
                seen[point] = ask(point)
                if seen[point].failed and len(seen) == 1:
                    raise Enough("the start of a search cannot be judged")
            return seen[point]

        def goal(x: Float) -> float:
            return _size(aim, at(x))

        def slope(x: Float) -> Float:
            found = at(x)
            if aim.goal is None or found.failed:
                return np.zeros(len(x))
            m = aim.goal.measure
            return np.array([aim.goal.slope(found.values[m], float(d)) for d in found.slopes[m]])

        def room(x: Float) -> Float:
            found = at(x)
            return np.array([-1.0 if found.failed else w.room(found.values[w.measure]) for w in aim.bounds])

        def room_slope(x: Float) -> Float:
            found = at(x)
            if found.failed:
                return np.zeros((len(aim.bounds), len(x)))
            return np.array(
                [[-w.slope(found.values[w.measure], float(d)) for d in found.slopes[w.measure]] for w in aim.bounds]
            )

        ends = [(0.0, 1.0)] * len(aim.start)
        if smooth:
            held = [{"type": "ineq", "fun": room, "jac": room_slope}] if aim.bounds else []
            minimize(
                goal,
                aim.start,
                jac=slope,
                bounds=ends,
                constraints=held,
                method="SLSQP",
                options={"ftol": 1e-6, "maxiter": 200},
            )
        else:
            held = [{"type": "ineq", "fun": room}] if aim.bounds else []
            minimize(
                goal,
                aim.start,
                bounds=ends,
                constraints=held,
                method="COBYLA",
                options={"rhobeg": 0.2, "tol": 1e-3, "maxiter": 1000},
            )

    return search


def _size(aim: Aim, found: Answer) -> float:
    """What a search makes small: its wish; without one how far the bounds are missed, whose slopes the constraints have."""
    if found.failed:
        return 1e3
    return 0.0 if aim.goal is None else aim.goal.size(found.values[aim.goal.measure])


# --- what was found ----------------------------------------------------------------------------------------


def _candidates(book: Evaluations, wanted: Sequence[Wish]) -> list[Candidate]:
    """All evaluated designs, the best ones marked."""
    bounds = [w for w in wanted if w.kind in (">=", "<=")]
    goals = [w for w in wanted if w.kind in ("least", "most")]
    found = [
        Candidate(
            name, line["values"], line["measures"], all(w.room(line["measures"][w.measure]) >= -KEPT for w in bounds)
        )
        for name, line in book.lines.items()
        if line["status"] == "done"
    ]
    keeping = [c for c in found if c.keeps]
    if not goals:
        best = {keeping[0].id} if keeping else set()
    else:
        sizes = {c.id: np.array([w.size(c.measures[w.measure]) for w in goals]) for c in keeping}
        best = {
            i for i, s in sizes.items() if not any((o <= s).all() and (o < s).any() for j, o in sizes.items() if j != i)
        }
        if len(goals) == 1:
            best = set(sorted(best)[:1])
    return [replace(c, best=c.id in best) for c in found]


def _result(
    made: Drivetrain, book: Evaluations, start: Answer, frees: Sequence[Free], wanted: Sequence[Wish], wall: float
) -> Design:
    if start.failed:
        raise DrivetrainError(f"the file itself cannot be judged: {start.failed}")
    found = _candidates(book, wanted)
    failed = [line for line in book.lines.values() if line["status"] != "done"]
    said: list[str] = [
        assumed("lives and safeties at the operating load for the whole time, meshes of law linear"),
        Remark("numbers that are not free stay as the file has them, whatever would have to follow in a drawing"),
    ]
    if any(w.measure == "mass" for w in wanted):
        said.append(
            assumed("mass of a rolling bearing 0.8 of a solid ring of its size; housing, pins and bolts are left out")
        )
    if failed:
        said.append(Remark(f"{len(failed)} designs could not be made or judged, first: {failed[0].get('error', '')}"))
    goals = [w for w in wanted if w.kind in ("least", "most")]
    return Design(
        made.name,
        [f.name for f in frees],
        [w.words for w in wanted],
        dict(start.values),
        found,
        len(book.lines),
        book.computed,
        len(failed),
        wall,
        book.place.path,
        goals,
        [[n.path for n in f.numbers] for f in frees],
        [f.numbers[0].value for f in frees],
        remarks=said,
    )
