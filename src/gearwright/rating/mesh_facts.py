"""What the rating of one mesh follows from: the file, the train, what a run says of dynamics, sharing and the face (C4).

A model without mesh dynamics gets K_v by the standard, an ideal train K_gamma by the standard's table, K_Hbeta comes from a spatial
run or from method C; each at least what wind practice has, unless the file says that it is proven.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gearwright.geometry.pair import GearPair
from gearwright.schema.life import GearLife
from gearwright.train.train import Mesh, Train

from .figure import Figure
from .gear_rating import FactorFacts, GearFacts
from .iso6336_rating import FLANK_LINE, RatingError
from .load_factors import (
    LEAST_DYNAMIC,
    LEAST_FACE_LOAD,
    Layout,
    PinionPlace,
    manufacturing_misalignment,
    mesh_load_factor,
)
from .simulated import Simulated
from .strength import SOURCE, limits


@dataclass(frozen=True)
class MeshFacts:
    """Facts of a mesh, where its figures come from by symbol, and what was taken unasked, in words without the mesh's name."""

    facts: GearFacts
    figures: Mapping[str, Figure]
    taken: tuple[str, ...]


class _Making:
    """Figures and sentences of one mesh as they are found."""

    def __init__(self, train: Train, mesh: Mesh, pair: GearPair, entry: GearLife, run: Simulated) -> None:
        self.train, self.mesh, self.pair, self.entry, self.run = train, mesh, pair, entry, run
        self.figures: dict[str, Figure] = {}
        self.taken: list[str] = []

    def application(self) -> float:
        """K_A."""
        given = self.entry.K_A
        if given is not None:
            self.figures["K_A"] = Figure.given(given)
            return given
        self.figures["K_A"] = Figure.derived(1.0, "the recorded loads, as a spectrum (ISO 6336-6)")
        return 1.0

    def sharing(self) -> float:
        """K_gamma on the recorded force."""
        given, number = self.entry.K_gamma, planets(self.train, self.mesh)
        if given is not None:
            self.figures["K_gamma"] = self.given("K_gamma", given, mesh_load_factor(number) or 1.0)
            return given
        if number <= 1:
            self.figures["K_gamma"] = Figure.derived(1.0, "one mesh carries the load")
            return 1.0
        table, own = mesh_load_factor(number), self.run.sharing.get(self.mesh.name, 1.0)
        self.figures["K_gamma simulated"] = Figure.derived(
            own, "largest share of a planet, in the mean or per carrier turn"
        )
        if "K_gamma" in self.entry.proven:
            proof = f", {self.proof('K_gamma')}" if own < (table or 1.0) else ""
            self.figures["K_gamma"] = Figure.derived(own, f"by the run{proof}")
            return 1.0
        if table is None:
            self.figures["K_gamma"] = Figure.derived(own, f"by the run; no table for {number} planets, give K_gamma")
            self.taken.append(f"K_gamma {own:.3g} of the run, there is no table for {number} planets")
            return 1.0
        used = max(table, own)
        if table >= own:
            self.figures["K_gamma"] = Figure.standard(used, f"table of IEC 61400-4, {number} planets")
            self.taken.append(f"K_gamma {used:.3g} of the table for {number} planets (the run has {own:.3g})")
        else:
            self.figures["K_gamma"] = Figure.derived(used, f"by the run, above the table's {table:g}")
        return used / own

    def given(self, factor: str, value: float, least: float) -> Figure:
        """A factor of the file; one below the least of wind practice that is not proven is said."""
        if value >= least:
            return Figure.given(value)
        if factor in self.entry.proven:
            return Figure.given(value, self.proof(factor))
        self.taken.append(
            f"{factor} {value:g} as given, below the {least:g} of wind practice; 'proven' and 'proof' say why it may be"
        )
        return Figure.given(value, f"below the {least:g} of wind practice, which nothing proves")

    def proof(self, factor: str) -> str:
        """What proves a factor; a file that names nothing is reminded of it."""
        if self.entry.proof is None:
            self.taken.append(f"{factor} below the least of wind practice as proven, the file names no 'proof' of it")
            return "proven, by what the file does not say"
        return f"proven by {self.entry.proof}"

    def dynamic(self) -> tuple[float | None, float]:
        """K_v on the recorded force (None: method B) and its least value."""
        given, proven = self.entry.K_v, "K_v" in self.entry.proven
        least = 1.0 if proven else LEAST_DYNAMIC
        if given is not None:
            self.figures["K_v"] = self.given("K_v", given, LEAST_DYNAMIC)
            return given, 1.0
        name = self.mesh.name
        if self.run.has_dynamics(name):
            own = self.run.dynamic.get(name, 1.0)
            self.figures["K_v simulated"] = Figure.derived(own, "largest force over the largest mean of a mesh cycle")
            if own >= least:
                proof = f", {self.proof('K_v')}" if own < LEAST_DYNAMIC else ""
                self.figures["K_v"] = Figure.derived(own, f"law {self.run.laws[name]}: in the mesh forces{proof}")
                return 1.0, 1.0
            self.figures["K_v"] = Figure.standard(least, f"least value of wind practice, the run has {own:.4g}")
            self.taken.append(f"K_v {least:g}, the least of wind practice (the run has {own:.4g})")
            return least / own, 1.0
        law = self.run.laws.get(name, "linear")
        if self.mesh.internal and self.layout() != "held ring":
            self.figures["K_v"] = Figure.assumed(LEAST_DYNAMIC, "no method for a ring that turns")
            self.taken.append(
                f"K_v {LEAST_DYNAMIC:g}: law {law} makes no mesh dynamics, and method B has no ring that turns"
            )
            return LEAST_DYNAMIC, 1.0
        self.taken.append(f"K_v by method B of ISO 6336-1, at least {least:g}, since law {law} makes no mesh dynamics")
        self.figures["K_v"] = Figure.derived(least, f"method B, at least {least:g}; law {law} makes no mesh dynamics")
        return None, least

    def layout(self) -> Layout:
        """Layout for the reduced mass."""
        if self.mesh.on is None:
            return "parallel"
        if self.mesh.internal:
            ring = self.train.bodies[self.mesh.between[1]]
            still = ring.fixed or abs(self.train.ratios.get(ring.name, 0.0)) < 1e-9
            return "held ring" if still else "parallel"
        return "sun" if self.train.bodies[self.mesh.between[1]].on == self.mesh.on else "parallel"

    def face(self) -> float | None:
        """K_Hbeta at every load, or None where it follows from the load."""
        entry, name = self.entry, self.mesh.name
        if entry.K_Hbeta is not None:
            self.figures["K_Hbeta"] = self.given("K_Hbeta", entry.K_Hbeta, LEAST_FACE_LOAD)
            return entry.K_Hbeta
        least = 1.0 if "K_Hbeta" in entry.proven else LEAST_FACE_LOAD
        if entry.misalignment is not None:
            self.figures["K_Hbeta"] = Figure.derived(1.0, f"of the misalignment that is given, at least {least:g}")
            return None
        own = self.run.face.get(name)
        if own is not None and own > 0.0 and own != float("inf"):
            used = max(own, least)
            self.figures["K_Hbeta simulated"] = Figure.derived(own, "mean force and moment along the face, by the run")
            proof = f", {self.proof('K_Hbeta')}" if least <= own < LEAST_FACE_LOAD else ""
            words = (
                f"by the run (method B){proof}"
                if own >= least
                else f"least value of wind practice, the run has {own:.4g}"
            )
            self.figures["K_Hbeta"] = Figure(used, "derived" if own >= least else "standard", words, own >= least)
            if own < least:
                self.taken.append(f"K_Hbeta {least:g}, the least of wind practice (the run has {own:.4g})")
            return used
        self.figures["K_Hbeta"] = Figure.derived(least, f"method C, at least {least:g}")
        self.taken.append(f"K_Hbeta by method C of ISO 6336-1, at least {least:g}")
        return None

    def manufacture(self) -> float:
        """f_ma [m]."""
        if self.entry.f_ma is not None:
            self.figures["f_ma"] = Figure.given(self.entry.f_ma)
            return self.entry.f_ma
        width = self.mesh.face_width or 0.0
        found = manufacturing_misalignment(self.pair, width, self.entry.accuracy)
        self.figures["f_ma"] = Figure.derived(
            found, f"f_Hbeta of both wheels, grade {self.entry.accuracy:g}, not adjusted"
        )
        return found

    def seat(self) -> PinionPlace:
        """Where the pinion sits."""
        given = self.entry.pinion
        if given is not None:
            return PinionPlace(given.place, given.span, given.offset, given.diameter, given.supported)
        return seat_of(self.train, self.mesh, self.pair)

    def strengths(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """sigma_Hlim and sigma_Flim of both wheels [Pa]."""
        entry = self.entry
        if entry.pitting_limit is not None and entry.bending_limit is not None:
            self.figures["sigma_Hlim"] = Figure.given(entry.pitting_limit[0])
            self.figures["sigma_Flim"] = Figure.given(entry.bending_limit[0])
            return (entry.pitting_limit[0], entry.pitting_limit[-1]), (entry.bending_limit[0], entry.bending_limit[-1])
        found = limits(entry.treatment, entry.grade, entry.surface_hardness, entry.core_hardness)
        self.figures["sigma_Hlim"] = Figure.standard(found.pitting, f"{found.words}; {SOURCE}")
        self.figures["sigma_Flim"] = Figure.standard(found.bending, f"{found.words}; {SOURCE}")
        self.taken.append(f"strength of {found.words} from memory of ISO 6336-5, to be checked against the standard")
        return (found.pitting, found.pitting), (found.bending, found.bending)

    def flank_line(self) -> float:
        """f_ZCa."""
        if self.pair.one.helix_angle == 0.0:
            self.figures["f_ZCa"] = Figure.derived(1.0, "spur")
            return 1.0
        word = self.entry.profile
        modified = all(
            g.relief is not None or g.profile_crowning or g.lead_crowning for g in (self.pair.one, self.pair.two)
        )
        origin = word or ("experience" if modified else "none")
        value = FLANK_LINE[origin]
        self.figures["f_ZCa"] = Figure.standard(value, f"ISO 6336-2:2019, modification: {origin}")
        if word is None:
            self.taken.append(f"f_ZCa {value:g} (modification: {origin}; say it with 'profile')")
        return value

    def rims(self) -> tuple[float | None, float | None]:
        """Thickness of both rims [m]."""
        given = self.entry.rim
        found: list[float | None] = []
        for i, gear in enumerate((self.pair.one, self.pair.two)):
            own = None if given is None else given[min(i, len(given) - 1)]
            if own is None and gear.rim is not None:
                own = gear.rim - gear.root_radius if gear.ring else gear.root_radius - gear.rim
            found.append(own)
            self.figures[f"s_R{i + 1}"] = (
                Figure.missing("rim thickness: Y_B is that of a solid wheel") if own is None else Figure.given(own)
            )
        return found[0], found[1]

    def undercuts(self) -> tuple[float, float]:
        """s_pr = pr - q [m] of both roots, 0 where no protuberance is given. Raises RatingError for a stock above it."""
        entry, found = self.entry, []
        for i in (0, 1):
            pr, q = (
                None if given is None else given[min(i, len(given) - 1)]
                for given in (entry.protuberance, entry.grinding_stock)
            )
            blank = Figure.missing("protuberance of the tool and grinding stock: the rack is taken without")
            self.figures[f"pr{i + 1}"] = blank if pr is None else Figure.given(pr)
            if pr == 0.0 and q is None:
                self.figures[f"q{i + 1}"] = Figure.derived(0.0, "no protuberance")
            else:
                self.figures[f"q{i + 1}"] = blank if q is None else Figure.given(q)
            left = (pr or 0.0) - (q or 0.0)
            if left < 0.0:
                raise RatingError(
                    f"a grinding_stock of {1e3 * (q or 0.0):.4g} mm above the protuberance of {1e3 * (pr or 0.0):.4g} mm leaves a notch of grinding, "
                    "which is not rated; give a larger protuberance"
                )
            found.append(left)
        return found[0], found[1]

    def size(self) -> float | None:
        """Z_X where it is given."""
        if self.entry.Z_X is not None:
            self.figures["Z_X"] = Figure.given(self.entry.Z_X)
        else:
            self.figures["Z_X"] = Figure.standard(1.0, "DIN 3990-2; ISO 6336-2 has 1 for an adequate case depth")
        return self.entry.Z_X


def mesh_facts(train: Train, mesh: Mesh, pair: GearPair, entry: GearLife, run: Simulated) -> MeshFacts:
    """Facts of a mesh for its rating. Raises RatingError for a steel without a table."""
    making = _Making(train, mesh, pair, entry, run)
    pitting, bending = making.strengths()
    application, sharing, (dynamic, least) = making.application(), making.sharing(), making.dynamic()
    face, made = making.face(), making.manufacture()
    relief = [0.0 if gear.relief is None else gear.relief.amount for gear in (pair.one, pair.two)]
    bores = [0.0 if gear.rim is None or gear.ring else gear.rim / gear.root_radius for gear in (pair.one, pair.two)]
    given = {"K_Halpha": entry.K_Halpha, "K_Fbeta": entry.K_Fbeta, "K_Falpha": entry.K_Falpha}
    making.figures.update({symbol: Figure.given(value) for symbol, value in given.items() if value is not None})
    factors = FactorFacts(
        application,
        sharing,
        dynamic,
        least,
        face,
        entry.misalignment,
        made,
        entry.lead,
        entry.proven_pattern,
        making.seat(),
        1.0 if "K_Hbeta" in entry.proven else LEAST_FACE_LOAD,
        entry.K_Halpha,
        entry.K_Fbeta,
        entry.K_Falpha,
        min(relief),
        making.layout(),
        planets(train, mesh) if making.layout() == "sun" else 1,
        (bores[0], bores[1]),
    )
    if entry.Y_M is not None:
        making.figures["Y_M"] = Figure.given(entry.Y_M)
    facts = GearFacts(
        pitting,
        bending,
        entry.treatment,
        entry.hardness,
        entry.accuracy,
        entry.roughness,
        entry.root_roughness,
        entry.viscosity,
        factors,
        making.flank_line(),
        making.size(),
        entry.Y_M,
        making.rims(),
        entry.long_life,
        making.undercuts(),
    )
    return MeshFacts(facts, making.figures, tuple(making.taken))


def planets(train: Train, mesh: Mesh) -> int:
    """How many meshes of its kind share the load of a mesh."""
    if mesh.on is None:
        return 1
    riders = [body for body in mesh.between if train.bodies[body].on == mesh.on]
    if len(riders) != 1:
        return 1
    centre = next(body for body in mesh.between if body != riders[0])
    same = sum(m.on == mesh.on and centre in m.between for m in train.meshes.values())
    return max(same, train.bodies[riders[0]].count)


def seat_of(train: Train, mesh: Mesh, pair: GearPair) -> PinionPlace:
    """Seat of the pinion from the bearings of its body and the shaft on it, as far as the train knows them; else in the middle."""
    body = mesh.between[0 if pair.ratio >= 1.0 else 1]
    places = [b.x for b in train.bearings.values() if b.between[0] == body and b.x is not None]
    shafts = [s.segments[0].diameter for s in train.shafts.values() if body in s.between and s.segments]
    if mesh.on is not None or len(places) < 2 or not shafts or max(places) - min(places) <= 0.0:
        return PinionPlace()
    span, middle = max(places) - min(places), 0.5 * (max(places) + min(places))
    outside = abs(middle) > 0.5 * span
    return PinionPlace("c" if outside else "a", span, abs(middle), shafts[0])
