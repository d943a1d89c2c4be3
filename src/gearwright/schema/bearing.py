"""Schema of a rolling bearing: what a drawing or a catalogue says of it, its ratings, its defects."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gearwright.units import (
    Amount,
    Angle,
    Force,
    Length,
    PositiveLength,
    PositiveNumber,
    Pressure,
    Quantity,
    Share,
    problem,
)

from .base import Section

PositiveForce = Annotated[float, Quantity("force", "positive")]
Count = Annotated[int, Field(strict=True, gt=0)]
BearingType = Literal["cylindrical", "full_complement", "tapered", "spherical", "deep_groove", "angular_contact"]
_GEOMETRY = ("element_diameter", "pitch_diameter")
_CATALOGUE = ("bore", "outside_diameter", "width")


class LineContactFactors(Section):
    """Factors of the line-contact stress (IEC 61400-4): ``load_share`` k (4 without clearance, 5 with some), edge and
    misalignment factor, and the limit [Pa] it is compared with."""

    load_share: PositiveNumber = 4.0
    edge_factor: PositiveNumber = 1.0
    misalignment_factor: PositiveNumber = 1.0
    limit: Pressure | None = None


class Lubrication(Section):
    """What the modified life needs: ``viscosity`` of the warm oil [mm^2/s], contamination factor ``e_C`` 0 to 1."""

    viscosity: PositiveNumber
    contamination: Annotated[Share, Field(le=1.0)]


class Defect(Section):
    """Damage of a raceway or an element.

    ``on`` the outer or inner ring or an element (``number`` from 0); ``angle`` of its middle, from +y towards +z, on a
    ring at the start, on an element of its own rotation; ``width`` along the raceway. Either a pit: ``depth``, into which
    elements dip as far as their radius and the width allow; or ``force``: a half-sine push on the inner ring, away from
    the defect, while an element passes.
    """

    on: Literal["outer", "inner", "element"]
    angle: Angle = 0.0
    width: PositiveLength
    depth: Amount = 0.0
    force: Annotated[Force, Field(ge=0.0)] = 0.0
    number: Annotated[int, Field(strict=True, ge=0)] = 0

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.depth > 0.0) == (self.force > 0.0):
            raise problem("a defect has a depth or a force", "{on: outer, angle: 90 deg, width: 2 mm, depth: 20 um}")
        if self.force > 0.0 and self.on == "element":
            raise problem("a prescribed push belongs to a ring; a defect of an element has a depth")
        return self


class CatalogueData(Section):
    """What the maker of a bearing says of it, for its rating: ``type`` in words or letters (``CRB``, ``TRB``, ``SRB``, ...), whose
    factors hold for axial loads, the ratings, and ``bore``, ``outside_diameter`` and ``width``, from which the static rating
    follows where none is given, and with the oil's cleanliness the modified life."""

    type: str | None = None
    contact: Literal["ball", "roller"] | None = None
    contact_angle: Angle | None = None
    rows: Literal[1, 2] | None = None
    dynamic_rating: PositiveForce | None = None
    static_rating: PositiveForce | None = None
    radial_factor: Share | None = None
    axial_factor: Share | None = None
    bore: PositiveLength | None = None
    outside_diameter: PositiveLength | None = None
    width: PositiveLength | None = None

    @model_validator(mode="after")
    def _hollow(self) -> Self:
        if self.bore is not None and self.outside_diameter is not None and self.bore >= self.outside_diameter:
            raise problem("the bore of a bearing is smaller than its outside_diameter")
        return self


class Rolling(Section):
    """A rolling bearing by its geometry (``element_diameter``, ``pitch_diameter``, ``elements``, rollers with
    ``element_length``) or by its catalogue line (``bore``, ``outside_diameter``, ``width``, best with ``static_rating``).

    ``play``: radial internal clearance, the full diametral play; negative is preload. ``contact_angle`` of tapered,
    spherical and angular-contact ones. ``rows``, ``arrangement``, ``spread`` of two rows; ``count`` equal bearings side by
    side. ``slices`` and ``profile`` (``logarithmic`` or the crowning of the ends) as in ISO/TS 16281. ``inner``: the body
    (of ``between``: the first) carries the inner ring, or the outer one as a planet wheel does on its pin (default).
    ``law``: ``linear``, the stiffness at the operating point, or ``nonlinear``, every element at every instant.
    Ratings in newtons; ``radial_factor`` X and ``axial_factor`` Y, ``static_*`` X_0 and Y_0 replace those of the type.
    """

    type: BearingType
    designation: str | None = None
    element_diameter: PositiveLength | None = None
    pitch_diameter: PositiveLength | None = None
    elements: Count | None = None
    element_length: PositiveLength | None = None
    bore: PositiveLength | None = None
    outside_diameter: PositiveLength | None = None
    width: PositiveLength | None = None
    contact_angle: Angle = 0.0
    play: Length = 0.0
    rows: Literal[1, 2] = 1
    arrangement: Literal["back_to_back", "face_to_face", "tandem"] = "back_to_back"
    spread: Amount = 0.0
    count: Count = 1
    slices: Count = 1
    profile: Annotated[float | str, Quantity("length", "not negative", words=("logarithmic",))] = 0.0
    osculation: tuple[PositiveNumber, PositiveNumber] = (0.52, 0.53)
    constant: PositiveNumber | None = None
    inner: Literal["body", "support"] | None = None
    law: Literal["linear", "nonlinear"] = "linear"
    first_angle: Angle = 0.0
    defects: list[Defect] = []
    dynamic_rating: PositiveForce | None = None
    static_rating: PositiveForce | None = None
    fatigue_limit: PositiveForce | None = None
    radial_factor: Share | None = None
    axial_factor: Share | None = None
    static_radial_factor: Share | None = None
    static_axial_factor: Share | None = None
    reliability: Annotated[Share, Field(ge=0.9, le=0.99)] = 0.9
    lubrication: Lubrication | None = None
    contact: LineContactFactors | None = None

    @model_validator(mode="after")
    def _known(self) -> Self:
        drawn = [name for name in _GEOMETRY if getattr(self, name) is not None]
        listed = [name for name in _CATALOGUE if getattr(self, name) is not None]
        if len(drawn) < len(_GEOMETRY) and len(listed) < len(_CATALOGUE):
            missing = [n for n in (_GEOMETRY if drawn or not listed else _CATALOGUE) if getattr(self, n) is None]
            raise problem(
                f"a rolling bearing needs its geometry or its catalogue dimensions; missing: {', '.join(missing)}",
                "element_diameter, pitch_diameter, elements and, for rollers, element_length; or bore, outside_diameter, "
                "width (and static_rating)",
            )
        return self
