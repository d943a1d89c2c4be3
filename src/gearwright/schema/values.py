"""Values over time: a quantity, or one of step, ramp, sine, table, file; everywhere the same, here in SI.

A field declares its dimension by the generic argument: ``OverTime[Torque]``. What the engines integrate is
made from these models by the room that runs cases.
"""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar

from pydantic import Field, Tag, model_validator

from gearwright.units import Angle, Duration, Frequency, Length, Number, PositiveNumber, Time, problem

from .base import ByShape, Late, Section, Short

Q = TypeVar("Q")

Interpolation = Literal["linear", "cubic", "step", "band_limited"]


class _Named(Section):
    @classmethod
    def model_parametrized_name(cls, params: tuple[Any, ...]) -> str:
        """A readable name for the JSON Schema: the dimension instead of the annotation."""
        meta = getattr(params[0], "__metadata__", None)
        dimension = getattr(meta[0], "dimension", "any") if meta else "any"
        return f"{cls.__name__}_of_{dimension.replace(' ', '_')}"


class Step(_Named, Generic[Q]):
    """``before`` until ``at``, ``to`` from then on."""

    at: Time = 0.0
    before: Q = Field(0.0, alias="from")  # type: ignore[assignment]
    to: Q


class Ramp(_Named, Generic[Q]):
    """``before`` until ``at``, then linear to ``to`` within ``over``, then ``to``."""

    before: Q = Field(0.0, alias="from")  # type: ignore[assignment]
    to: Q
    at: Time = 0.0
    over: Duration


class Sine(_Named, Generic[Q]):
    """``mean + amplitude sin(2 pi frequency (t - start) + phase)``; ``mean`` alone before ``start`` if given."""

    amplitude: Q
    frequency: Frequency
    phase: Angle = 0.0
    mean: Q = 0.0  # type: ignore[assignment]
    start: Time | None = None


class Table(_Named, Short, Generic[Q]):
    """Rows of (time [s], value), times rising; a time given twice is a jump. Held constant outside its range."""

    short: ClassVar[str] = "rows"
    rows: list[tuple[Time, Q]] = Field(min_length=1)
    interpolation: Literal["linear", "cubic", "step"] = "linear"

    @model_validator(mode="after")
    def _rising(self) -> Self:
        times = [row[0] for row in self.rows]
        for earlier, later in zip(times, times[1:], strict=False):
            if later < earlier:
                raise problem(f"the times of a table must rise, {later:g} s follows {earlier:g} s")
        for first, third in zip(times, times[2:], strict=False):
            if first == third:
                raise problem(f"time {first:g} s is given more than twice")
        return self


class RecordedChannel(Short):
    """A channel that a quantity is recorded in: its name, the ``unit`` where the file has none, a factor ``scale``, and whether it is
    in the ``standing`` or the ``rotating`` frame; of a moment also how far ``at`` its place is behind the rotor's apex."""

    short: ClassVar[str] = "channel"
    channel: str
    unit: str | None = None
    scale: Number = 1.0
    frame: Literal["standing", "rotating"] = "standing"
    at: Length | None = None


class File(_Named, Generic[Q]):
    """A channel of a recorded series.

    ``value = offset + scale * recorded``, in SI after the unit of the file (or ``unit``, if the file has none).
    ``recorded_ratio``: the ratio of the recorded drivetrain; the value is then also multiplied by
    ``recorded_ratio / own ratio`` (absolute values: a torque recorded at the machine of a train with another
    ratio; its sense is the sign of ``scale``). ``start`` is the time in the file that becomes time zero; None:
    the first sample. ``channel`` may also be the name of a quantity (``rotor_speed``, ``hub_moment_y``) that is known
    under the names of the trade, or that a ``mapping`` (of its own, or a file) gives; what is in the rotating frame is
    turned into the standing one then.
    """

    path: str
    channel: str
    mapping: (
        Annotated[
            Annotated[str, Tag("one")] | Annotated[dict[str, RecordedChannel], Tag("mapping")],
            ByShape("a file, or channels by quantity: {rotor_speed: Omega}"),
        ]
        | None
    ) = None
    time_column: str | None = None
    unit: str | None = None
    scale: Number = 1.0
    recorded_ratio: PositiveNumber | None = None
    offset: Q = 0.0  # type: ignore[assignment]
    start: Time | None = None
    interpolation: Interpolation = "cubic"
    gaps: Literal["refuse", "bridge"] = "refuse"

    @property
    def channels(self) -> str | dict[str, dict[str, str | float]] | None:
        """The mapping as :func:`gearwright.interchange.read_mapping` takes it: a file, or channels by quantity."""
        if self.mapping is None or isinstance(self.mapping, str):
            return self.mapping
        return {quantity: channel.model_dump(exclude_none=True) for quantity, channel in self.mapping.items()}


class OverTime(_Named, Short, Generic[Q]):
    """A value over time: exactly one of ``constant, step, ramp, sine, table, file`` is not None."""

    short: ClassVar[str] = "constant"
    constant: Q | None = None
    step: Step[Q] | None = None
    ramp: Ramp[Q] | None = None
    sine: Sine[Q] | None = None
    table: Table[Q] | None = None
    file: File[Q] | None = None

    if not TYPE_CHECKING:

        @classmethod
        def __class_getitem__(cls, dimension: Any) -> Any:
            """The value of a dimension: six sections, made when a file has one."""
            return Annotated[cls, Late(lambda: super(OverTime, cls).__class_getitem__(dimension))]

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if len(self.model_fields_set - {k for k in self.model_fields_set if getattr(self, k) is None}) != 1:
            raise problem(
                "a value over time is exactly one form", "a quantity, or one of step, ramp, sine, table, file"
            )
        return self

    @property
    def form(self) -> str:
        """Which form it is: ``constant``, ``step``, ``ramp``, ``sine``, ``table`` or ``file``."""
        return next(k for k in type(self).model_fields if getattr(self, k) is not None)

    @property
    def value(self) -> Any:
        """The model of the form, or the number of a constant."""
        return getattr(self, self.form)
