"""Schema of what a life is computed from: the wind, the years, and the ratings of bearings, shafts and teeth."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gearwright.units import (
    Angle,
    Capacity,
    Density,
    Duration,
    Length,
    Number,
    PositiveLength,
    PositiveNumber,
    PositivePower,
    Pressure,
    Quantity,
    Share,
    problem,
)

from .base import OneOrMore, Section
from .bearing import BearingType

Speed = Annotated[float, Quantity("speed", "positive")]
SpeedEdge = Annotated[float, Quantity("speed", "not negative")]
Rating = Annotated[float, Quantity("force", "positive")]
NotNegativeLength = Annotated[float, Quantity("length", "not negative")]
Patterns = Annotated[list[str], OneOrMore, Field(min_length=1)]


class WindClimate(Section):
    """How often which ten-minute mean wind speed blows, in one of four ways: a ``class`` of IEC 61400-1 (I, II, III), a
    ``mean`` (with ``shape``, default 2), a Weibull ``scale`` and ``shape``, or a measured histogram: ``edges`` and
    ``counts`` (hours or shares)."""

    class_: str | None = Field(None, alias="class")
    mean: Speed | None = None
    scale: Speed | None = None
    shape: PositiveNumber = 2.0
    edges: list[SpeedEdge] | None = None
    counts: list[Share] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        ways = [self.class_ is not None, self.mean is not None, self.scale is not None, self.edges is not None]
        if sum(ways) != 1 or (self.edges is None) != (self.counts is None):
            raise problem("the wind is given in one way", "class, mean, scale (with shape), or edges with counts")
        return self


class BearingModification(Section):
    """What the modified life of ISO 281 needs: ``viscosity`` of the warm oil [mm^2/s], ``pitch_diameter``,
    ``contamination`` e_C (0 to 1), ``fatigue_limit`` C_u."""

    viscosity: PositiveNumber
    pitch_diameter: PositiveLength
    contamination: Share
    fatigue_limit: Rating


class LineContactFacts(Section):
    """Rollers and factors of the line-contact stress of IEC 61400-4, and the stress that is allowed."""

    rollers: Annotated[int, Field(strict=True, ge=1)]
    roller_diameter: PositiveLength
    effective_length: PositiveLength
    pitch_diameter: PositiveLength
    contact_angle: Angle = 0.0
    load_share: PositiveNumber = 4.0
    radial_factor: PositiveNumber = 1.0
    axial_factor: Share = 0.0
    edge_factor: PositiveNumber = 1.0
    misalignment_factor: PositiveNumber = 1.0
    allowed: Pressure | None = None


class BearingLife(Section):
    """Catalogue data of bearings: those whose name matches ``on`` (shell patterns).

    Two entries for the same bearing are variants, told apart by ``name``. ``count`` bearings share the load of one
    support evenly; ``radial_factor`` X and ``axial_factor`` Y make the equivalent load; where neither is given, they follow
    from ``type`` (or that of the bearing's ``rolling`` section) and ``contact_angle``, for deep-groove balls from
    ``static_rating``. ``contact``: ball or roller, where no type says so. ``required`` is the life asked for;
    ``reliability`` the survival that goes with it. ``mean_diameter`` d_m, ``no_load_friction`` f0 and ``load_friction`` f1 are Palmgren's,
    for the losses: f0 and f1 follow from the type where they are not given.
    """

    on: Patterns
    name: str | None = None
    type: BearingType | None = None
    contact_angle: Angle | None = None
    contact: Literal["roller", "ball"] | None = None
    dynamic_rating: Rating
    static_rating: Rating | None = None
    count: Annotated[int, Field(strict=True, ge=1)] = 1
    radial_factor: PositiveNumber | None = None
    axial_factor: Share | None = None
    required: Duration | None = None
    reliability: Share = 0.9
    modification: BearingModification | None = None
    line_contact: LineContactFacts | None = None
    mean_diameter: PositiveLength | None = None
    no_load_friction: PositiveNumber | None = None
    load_friction: PositiveNumber | None = None


class StressLife(Section):
    """An S-N curve: ``points`` of [cycles, stress], straight in log-log; ``beyond`` the last: ``limit`` (no damage),
    ``continue``, or ``haibach`` (slope 2 m - 1). Above the first point the curve is not extrapolated."""

    points: list[tuple[PositiveNumber, Pressure]] = Field(min_length=2)
    beyond: Literal["limit", "continue", "haibach"] = "continue"

    @model_validator(mode="after")
    def _falling(self) -> Self:
        for (n1, s1), (n2, s2) in zip(self.points, self.points[1:], strict=False):
            if not (n2 > n1 and s2 < s1):
                raise problem(
                    "along an S-N curve cycles rise and stresses fall", "points: [[1e4, 400 MPa], [1e6, 200 MPa]]"
                )
        return self


class NotchFacts(Section):
    """The notch of a shaft's section: ``shoulder`` or ``groove`` (``radius`` r and ``depth`` t), ``cross_hole`` (``radius``), ``v_groove``, ``key``,
    ``keys`` (two), ``press_fit``, ``spline``, ``serration``, ``involute_spline``."""

    type: Literal[
        "shoulder",
        "groove",
        "cross_hole",
        "v_groove",
        "key",
        "keys",
        "press_fit",
        "spline",
        "serration",
        "involute_spline",
    ]
    radius: PositiveLength | None = None
    depth: PositiveLength | None = None

    @model_validator(mode="after")
    def _measures(self) -> Self:
        if self.type in ("shoulder", "groove") and (self.radius is None or self.depth is None):
            raise problem(f"a {self.type} needs its radius and depth", "{type: shoulder, radius: 5 mm, depth: 10 mm}")
        if self.type == "cross_hole" and self.radius is None:
            raise problem("a cross hole needs its radius", "{type: cross_hole, radius: 4 mm}")
        return self


class Din743Facts(Section):
    """What DIN 743 needs of a shaft's section: ``tensile`` strength and ``yield_point`` of the test bar, ``kind`` of the steel,
    the ``notch``, ``roughness`` R_z, ``treated`` diameter at which it was heat-treated, ``constant_mean`` (case 1: an overload raises the
    amplitude alone), a ``hard_layer``, and the ``bending`` moment of the section under the mean torque, about which it turns."""

    tensile: Pressure
    yield_point: Pressure
    kind: Literal["structural", "fine_grained", "case_hardened_crnimo", "case_hardened", "heat_treated", "nitrided"] = (
        "heat_treated"
    )
    notch: NotchFacts
    roughness: PositiveLength = 10e-6
    treated: PositiveLength | None = None
    constant_mean: bool = True
    hard_layer: bool = False
    bending: Capacity | None = None
    safety: PositiveNumber = 1.2


class ShaftLife(Section):
    """Torsional fatigue of shafts: the amplitude ``concentration T d / (2 I_p)`` of the nominal shear stress at the
    ``diameter`` (``bore``) against the ``strength``; with ``din743`` the safeties of that standard as well. Without either a shaft
    gets equivalent loads only. ``at``: where the section lies, so that its bending moment follows from the run: a gauge of the shaft (0: its
    first end) of a spatial run, or with ``of`` the place on that body, as ``x`` of its bearings, whose forces beyond the section bend it."""

    on: Patterns
    diameter: PositiveLength
    bore: NotNegativeLength = 0.0
    concentration: PositiveNumber = 1.0
    strength: StressLife | None = None
    din743: Din743Facts | None = None
    at: Length | None = None
    of: str | None = None

    @model_validator(mode="after")
    def _hollow(self) -> Self:
        if self.bore >= self.diameter:
            raise problem("the bore of a shaft is smaller than its diameter")
        if self.of is not None and self.at is None:
            raise problem(
                "a section of a body needs its place",
                "{on: high_speed, diameter: 200 mm, of: stage3.pinion, at: 180 mm}",
            )
        if self.at is not None and self.din743 is not None and self.din743.bending is not None:
            raise problem("give the place of a section (at) or its bending moment, not both")
        return self


Treatment = Literal[
    "case_hardened",
    "case_hardened_pitting",
    "through_hardened",
    "through_hardened_pitting",
    "induction_hardened",
    "induction_hardened_pitting",
    "nitrided",
    "nitrocarburised",
    "cast_iron",
]


class PinionSeat(Section):
    """Where a pinion sits on its shaft, for K_Hbeta of method C: ``place`` a to e of the figure of ISO 6336-1 (a: between its
    bearings, e: overhung with the torque from the other side, ...), ``span`` of the bearings, ``offset`` of the pinion from their
    middle, ``diameter`` of the shaft; ``supported``: the pinion body stiffens the shaft."""

    place: Literal["a", "b", "c", "d", "e"] = "a"
    span: PositiveLength
    offset: NotNegativeLength = 0.0
    diameter: PositiveLength
    supported: bool = False


#: words of GearLife before 0.2, which are read as what they are now
FORMER = {
    "application": "K_A",
    "mesh_load": "K_gamma",
    "dynamic": "K_v",
    "face_load": "K_Hbeta",
    "transverse": "K_Halpha",
    "reversed_bending": "Y_M",
}
Factor = PositiveNumber | None


class GearLife(Section):
    """Rating of meshes after ISO 6336: those whose name matches ``on``.

    Strength: ``treatment`` and ``grade`` of the steel by the table of ISO 6336-5, where ``surface_hardness`` [HV] and
    ``core_hardness`` [HRC] count; or ``pitting_limit`` sigma_Hlim and ``bending_limit`` sigma_Flim (one value, or one per wheel).
    ``hardness`` (Brinell of the softer wheel, for work hardening), ``accuracy`` grade (ISO 1328), ``roughness`` of flanks and
    roots R_z [length], ``viscosity`` of the oil at 40 C [mm^2/s].

    Factors that are given replace the computed ones: ``K_A``, ``K_gamma``, ``K_v``, ``K_Hbeta``, ``K_Halpha``, ``K_Fbeta``,
    ``K_Falpha``, ``Y_M``, ``Z_X``. Those that are not given are computed; ``proven`` names those that a simulation or test shows to
    lie below the least value of wind practice, ``proof`` the measurement or report that shows it. K_Hbeta: ``misalignment`` f_ma + f_sh [length] that follows no load, or method
    C with ``f_ma``, ``lead`` modification, ``proven_pattern`` and the ``pinion``'s seat. ``profile``: what the modification of
    helical teeth rests on (f_ZCa). ``rim`` thickness s_R [length], one or one per wheel. ``protuberance`` pr of the tool and
    ``grinding_stock`` q on the flanks [length], one or one per wheel: what is left of pr thins the root. ``safety_pitting`` S_Hmin and
    ``safety_bending`` S_Fmin are those asked for, ``static_pitting`` and ``static_bending`` those at the extreme load.
    """

    on: Patterns
    pitting_limit: Annotated[list[Pressure], OneOrMore, Field(min_length=1, max_length=2)] | None = None
    bending_limit: Annotated[list[Pressure], OneOrMore, Field(min_length=1, max_length=2)] | None = None
    treatment: Treatment = "case_hardened"
    grade: Literal["ML", "MQ", "ME"] = "MQ"
    surface_hardness: PositiveNumber | None = None
    core_hardness: PositiveNumber | None = None
    hardness: PositiveNumber | None = None
    accuracy: PositiveNumber = 6.0
    roughness: PositiveLength = 4.8e-6
    root_roughness: PositiveLength = 16e-6
    viscosity: PositiveNumber = 320.0
    K_A: Factor = None
    K_gamma: Factor = None
    K_v: Factor = None
    K_Hbeta: Factor = None
    K_Halpha: Factor = None
    K_Fbeta: Factor = None
    K_Falpha: Factor = None
    proven: list[Literal["K_gamma", "K_v", "K_Hbeta"]] = []
    proof: str | None = None
    misalignment: PositiveLength | None = None
    f_ma: PositiveLength | None = None
    lead: Literal["none", "crowned", "end_relief", "load", "load_crowned"] = "none"
    proven_pattern: bool = False
    pinion: PinionSeat | None = None
    profile: Literal["none", "experience", "analysis"] | None = None
    Z_X: Factor = None
    Y_M: Factor = None
    rim: Annotated[list[PositiveLength], OneOrMore, Field(min_length=1, max_length=2)] | None = None
    protuberance: Annotated[list[NotNegativeLength], OneOrMore, Field(min_length=1, max_length=2)] | None = None
    grinding_stock: Annotated[list[NotNegativeLength], OneOrMore, Field(min_length=1, max_length=2)] | None = None
    long_life: Annotated[Share, Field(ge=0.5, le=1.0)] = 0.85
    safety_pitting: PositiveNumber = 1.25
    safety_bending: PositiveNumber = 1.56
    static_pitting: PositiveNumber = 1.0
    static_bending: PositiveNumber = 1.4

    @model_validator(mode="before")
    @classmethod
    def _former(cls, given: object) -> object:
        if not isinstance(given, dict) or not FORMER.keys() & given.keys():
            return given
        return {FORMER.get(key, key): value for key, value in given.items()}

    @model_validator(mode="after")
    def _one_face_load(self) -> Self:
        if self.K_Hbeta is not None and self.misalignment is not None:
            raise problem("give K_Hbeta or misalignment, not both")
        if (self.pitting_limit is None) != (self.bending_limit is None):
            raise problem("give pitting_limit and bending_limit, or neither: then treatment and grade say both")
        if self.grinding_stock is not None and self.protuberance is None:
            raise problem(
                "grinding_stock needs the protuberance of the tool (0 mm for one without)", "protuberance: 0.3 mm"
            )
        return self


class OilFacts(Section):
    """The oil of a gearbox: ``viscosity`` at 40 C and ``viscosity_100`` at 100 C [mm^2/s], ``density`` (at 15 C), ``temperature`` at
    work [C], ``kind``, FZG ``scuffing_stage`` (A/8.3/90), ``micropitting_ratio`` lambda_GFP that the oil bears,
    ``pressure_viscosity`` [1/GPa] at work, and its ``cleanliness`` by the last two codes of ISO 4406 (circulating and filtered)."""

    viscosity: PositiveNumber
    viscosity_100: PositiveNumber | None = None
    density: Density = 880.0
    temperature: PositiveNumber | None = None
    kind: Literal["mineral", "pao", "ester", "polyglycol"] = "mineral"
    scuffing_stage: PositiveNumber | None = None
    micropitting_ratio: PositiveNumber | None = None
    pressure_viscosity: PositiveNumber | None = None
    cleanliness: Literal["13/10", "15/12", "17/14", "19/16"] | None = None


class HousingFacts(Section):
    """What takes the heat of the losses away: ``area`` of the housing [m^2], ``coefficient`` of heat transfer [W/(m^2 K)], ``air``
    temperature [C], ``cooler`` power [kW]."""

    area: PositiveNumber
    coefficient: PositiveNumber = 15.0
    air: Number = 20.0
    cooler: Share = 0.0


class SealFacts(Section):
    """Lip seals on a body or shaft that turns: ``count`` of them on the ``diameter``; their loss by ISO/TR 14179-2."""

    on: str
    diameter: PositiveLength
    count: Annotated[int, Field(strict=True, ge=1)] = 1


class ImmersionFacts(Section):
    """Wheels that dip into oil, for their churning by ISO/TR 14179-2: meshes ``on`` (shell patterns) of wheels on fixed axes, ``depths`` of
    both tip circles below the oil at rest (0 for one above it), ``hydraulic_length`` l_h = 4 A/U of the oil's surface in the housing, and the
    ``height`` h_C of the mesh above the lowest point of the wheel that dips deepest (its tip radius where the axes lie side by side)."""

    on: Patterns
    depths: tuple[NotNegativeLength, NotNegativeLength]
    hydraulic_length: PositiveLength
    height: PositiveLength | None = None

    @model_validator(mode="after")
    def _under(self) -> Self:
        if max(self.depths) <= 0.0:
            raise problem("one of the immersed wheels lies below the oil", "depths: [60 mm, 0 mm]")
        return self


class TitleFacts(Section):
    """Title block of a rating sheet: ``project``, ``author``, ``customer``, ``drawing``."""

    project: str | None = None
    author: str | None = None
    customer: str | None = None
    drawing: str | None = None


class Life(Section):
    """What a life is computed from. Results do not depend on it: it may change after a campaign has run.

    ``wind_speed`` is the path of the case that holds the mean wind speed; ``bin_width`` that of its bins (default:
    midway between neighbours); ``transients``: how often a year records happen that are no ten-minute runs, by id of
    the campaign or by path of a result (shell patterns); ``equivalent_cycles`` N_eq of lifetime equivalent loads. ``churning`` is the
    power that wheels lose in the oil at rated speed, measured or of their maker, and ``immersed`` wheels compute it; with both, churning is that of all other
    wheels.
    """

    years: PositiveNumber = 20.0
    availability: Share = 1.0
    wind: WindClimate | None = None
    wind_speed: str = "wind.mean"
    bin_width: Speed | None = None
    renormalise: bool = False
    transients: dict[str, Share] = {}
    equivalent_cycles: PositiveNumber = 1e7
    bearings: list[BearingLife] = []
    shafts: list[ShaftLife] = []
    gears: list[GearLife] = []
    oil: OilFacts | None = None
    housing: HousingFacts | None = None
    seals: list[SealFacts] = []
    churning: PositivePower | None = None
    immersed: list[ImmersionFacts] = []
    title: TitleFacts | None = None

    @model_validator(mode="after")
    def _shares(self) -> Self:
        if not 0.0 < self.availability <= 1.0:
            raise problem("an availability lies above 0 and is at most 1")
        return self
