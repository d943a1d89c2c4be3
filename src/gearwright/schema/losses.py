"""Schema of losses: of meshes, of bearings; and of what the circumference of a wheel does to them."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, Tag, model_validator

from gearwright.units import (
    Amount,
    Capacity,
    Fraction,
    PositiveFraction,
    PositiveNumber,
    Quantity,
    Share,
    TorsionalDamp,
    problem,
)

from .base import ByShape, Section

SlidingSpeed = Annotated[float, Quantity("speed", "positive", most=100.0)]
PositiveSpeed = Annotated[float, Quantity("rotational speed", "positive")]
AnySpeed = Annotated[float, Quantity("rotational speed", "not negative")]
Coefficient = Annotated[float, Quantity("number", "not negative", most=0.99)]


_SPEED, _SHARE = Quantity("rotational speed", "not negative"), Quantity("number", "positive", most=1.0)


def _row(row: list[Any]) -> list[Any]:
    return [_SPEED.read(row[0]), *(_SHARE.read(x) for x in row[1:])]


class EfficiencyTable(Section):
    """Efficiency over the speed of wheel 1: rows of (speed, efficiency), or (speed, wheel 1 drives, wheel 2 drives)."""

    table: Annotated[
        list[Annotated[list[Any], Field(min_length=2, max_length=3), AfterValidator(_row)]], Field(min_length=1)
    ]


class SlidingFriction(Section):
    """Friction between flanks: its ``coefficient``, and the sliding ``speed`` about which it changes its sign."""

    coefficient: Coefficient
    speed: SlidingSpeed | None = None


class MeshLoss(Section):
    """What a mesh loses, in one way: ``efficiency`` (one value, [wheel 1 drives, wheel 2 drives], or a table over speed),
    ``fraction`` of the pitch power, ``force_pole_offset`` (a length; in teeth for trains without module),
    ``friction_coefficient`` (mean), or ``sliding_friction`` of every pair (law tooth_contact). ``compliance: series``: the loss
    stands in series with the elastic mesh; ``forces``: on the two centres, ``equal`` or as ``printed`` in S4."""

    efficiency: (
        Annotated[
            Annotated[PositiveFraction, Tag("one")]
            | Annotated[list[PositiveFraction], Field(min_length=2, max_length=2), Tag("list")]
            | Annotated[EfficiencyTable, Tag("mapping")],
            ByShape("an efficiency: 0.98, [0.98, 0.97] or {table: [[speed, efficiency], ...]}"),
        ]
        | None
    ) = None
    fraction: Fraction | None = None
    force_pole_offset: Amount | None = None
    friction_coefficient: Coefficient | None = None
    sliding_friction: (
        Annotated[
            Annotated[Coefficient, Tag("one")] | Annotated[SlidingFriction, Tag("mapping")],
            ByShape("a coefficient, or {coefficient: 0.06, speed: 10 mm/s}"),
        ]
        | None
    ) = None
    compliance: Literal["series"] | None = None
    forces: Literal["equal", "printed"] | None = None

    @property
    def said(self) -> set[str]:
        """The keys that a file gives a value."""
        return {key for key in self.model_fields_set if getattr(self, key) is not None}


class Stribeck(Section):
    """Friction torque that falls from ``breakaway`` at rest to ``coulomb``; at ``speed`` by all but 1/e."""

    breakaway: Capacity
    coulomb: Capacity
    speed: PositiveSpeed


class BearingFriction(Section):
    """Friction torque of a bearing: constant ``torque``, ``stribeck``, or a ``table`` of (speed, torque) from speed 0 on; and a
    ``viscous`` part."""

    torque: Capacity | None = None
    viscous: TorsionalDamp | None = None
    stribeck: Stribeck | None = None
    table: Annotated[list[tuple[AnySpeed, Capacity]], Field(min_length=2)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(x is not None for x in (self.torque, self.stribeck, self.table)) > 1:
            raise problem("friction of a bearing is given in one way", "torque, stribeck, or table")
        return self


class SineProfile(Section):
    """A sine of the loss over the circumference: ``periods`` a turn, ``amplitude``, ``phase_deg`` [deg]."""

    periods: Annotated[int, Field(strict=True, ge=1, le=100_000)]
    amplitude: Share
    phase_deg: Annotated[float, Quantity("number", least=-720.0, most=720.0)] | None = None


class WheelProfile(Section):
    """How the loss varies over the circumference of one wheel: ``sine``, a ``table`` of factors over one turn, or ``teeth`` (factor by
    number of the tooth) that are ``width`` teeth wide, of ``count`` teeth in all."""

    sine: SineProfile | None = None
    table: Annotated[list[Share], Field(min_length=1)] | None = None
    teeth: dict[Annotated[int, Field(ge=0, le=10_000)], Share] | None = None
    width: PositiveNumber | None = None
    count: Annotated[int, Field(strict=True, ge=1, le=10_000)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(x is not None for x in (self.sine, self.table, self.teeth)) != 1:
            raise problem(
                "a profile is given in one way", "sine: {periods, amplitude}, table: [...], or teeth: {7: 0.5}"
            )
        return self
