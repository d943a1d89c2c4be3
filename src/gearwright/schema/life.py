"""Schema of what a life is computed from: the wind, the years, and the ratings of bearings, shafts and teeth."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gearwright.units import Angle, Duration, PositiveLength, PositiveNumber, Pressure, Quantity, Share, problem

from .base import OneOrMore, Section
from .bearing import BearingType

Speed = Annotated[float, Quantity("speed", "positive")]
SpeedEdge = Annotated[float, Quantity("speed", "not negative")]
Rating = Annotated[float, Quantity("force", "positive")]
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
    ``reliability`` the survival that goes with it.
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


class StressLife(Section):
    """An S-N curve: ``points`` of [cycles, stress], straight in log-log; ``beyond`` the last: ``limit`` (no damage),
    ``continue``, or ``haibach`` (slope 2 m - 1). Above the first point the curve is not extrapolated."""

    points: list[tuple[PositiveNumber, Pressure]] = Field(min_length=2)
    beyond: Literal["limit", "continue", "haibach"] = "continue"

    @model_validator(mode="after")
    def _falling(self) -> Self:
        for (n1, s1), (n2, s2) in zip(self.points, self.points[1:], strict=False):
            if not (n2 > n1 and s2 < s1):
                raise problem("along an S-N curve cycles rise and stresses fall",
                              "points: [[1e4, 400 MPa], [1e6, 200 MPa]]")  # fmt: skip
        return self


class ShaftLife(Section):
    """Torsional fatigue of shafts: the amplitude ``concentration T d / (2 I_p)`` of the nominal shear stress at the
    ``diameter`` (``bore``) against the ``strength``. Without a strength a shaft gets equivalent loads only."""

    on: Patterns
    diameter: PositiveLength
    bore: Annotated[float, Quantity("length", "not negative")] = 0.0
    concentration: PositiveNumber = 1.0
    strength: StressLife

    @model_validator(mode="after")
    def _hollow(self) -> Self:
        if self.bore >= self.diameter:
            raise problem("the bore of a shaft is smaller than its diameter")
        return self


Treatment = Literal[
    "case_hardened", "case_hardened_pitting", "through_hardened", "through_hardened_pitting", "induction_hardened",
    "induction_hardened_pitting", "nitrided", "nitrocarburised", "cast_iron",
]  # fmt: skip


class GearLife(Section):
    """Rating of meshes after ISO 6336: those whose name matches ``on``.

    ``pitting_limit`` sigma_Hlim and ``bending_limit`` sigma_Flim (ISO 6336-5; one value, or one per wheel), ``treatment``
    of the steel, ``hardness`` (Brinell of the softer wheel, for work hardening), ``accuracy`` grade (ISO 1328),
    ``roughness`` of flanks and roots R_z [length], ``viscosity`` of the oil at 40 C [mm^2/s]. Factors that are given
    replace the computed ones: ``application`` K_A, ``dynamic`` K_v (None: the run's own dynamics are in the load, 1),
    ``mesh_load`` K_gamma, ``face_load`` K_Hbeta, ``transverse`` K_Halpha. ``misalignment`` f_ma + f_sh [length] instead
    of ``face_load`` follows the load. ``safety_pitting`` S_Hmin and ``safety_bending`` S_Fmin are those asked for.
    """

    on: Patterns
    pitting_limit: Annotated[list[Pressure], OneOrMore, Field(min_length=1, max_length=2)]
    bending_limit: Annotated[list[Pressure], OneOrMore, Field(min_length=1, max_length=2)]
    treatment: Treatment = "case_hardened"
    hardness: PositiveNumber | None = None
    accuracy: PositiveNumber = 6.0
    roughness: PositiveLength = 4.8e-6
    root_roughness: PositiveLength = 16e-6
    viscosity: PositiveNumber = 320.0
    application: PositiveNumber = 1.0
    dynamic: PositiveNumber = 1.0
    mesh_load: PositiveNumber = 1.0
    face_load: PositiveNumber | None = None
    misalignment: PositiveLength | None = None
    transverse: PositiveNumber | None = None
    reversed_bending: PositiveNumber = 0.7
    long_life: Annotated[Share, Field(ge=0.5, le=1.0)] = 0.85
    safety_pitting: PositiveNumber = 1.0
    safety_bending: PositiveNumber = 1.0

    @model_validator(mode="after")
    def _one_face_load(self) -> Self:
        if self.face_load is not None and self.misalignment is not None:
            raise problem("give face_load or misalignment, not both")
        return self


class Life(Section):
    """What a life is computed from. Results do not depend on it: it may change after a campaign has run.

    ``wind_speed`` is the path of the case that holds the mean wind speed; ``bin_width`` that of its bins (default:
    midway between neighbours); ``transients``: how often a year records happen that are no ten-minute runs, by id of
    the campaign or by path of a result (shell patterns); ``equivalent_cycles`` N_eq of lifetime equivalent loads.
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

    @model_validator(mode="after")
    def _shares(self) -> Self:
        if not 0.0 < self.availability <= 1.0:
            raise problem("an availability lies above 0 and is at most 1")
        return self


__all__ = [
    "BearingLife", "BearingModification", "GearLife", "Life", "LineContactFacts", "ShaftLife",
    "StressLife", "WindClimate",
]  # fmt: skip
