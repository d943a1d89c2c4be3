"""Schema of the parameters of machines, one section per type."""

from typing import Annotated, Literal

from pydantic import Field

from gearwright.units import (
    Duration,
    Fraction,
    Mass,
    Number,
    PositiveFraction,
    PositiveFrequency,
    PositiveLength,
    PositivePower,
    Power,
    Quantity,
    RotationalSpeed,
    Torque,
)

from .base import Section
from .values import OverTime

Pairs = Annotated[int, Field(strict=True, ge=1, le=500)]
Switch = Annotated[bool, Field(strict=True)]
PositiveSpeed = Annotated[float, Quantity("rotational speed", "positive")]
PositiveTorque = Annotated[float, Quantity("torque", "positive")]
Voltage = Annotated[float, Quantity("voltage", "positive")]
Current = Annotated[float, Quantity("current", "positive")]
Ohm = Annotated[float, Quantity("resistance", "positive")]
Resistance = Annotated[float, Quantity("resistance", "not negative")]
Bandwidth = Annotated[float, Quantity("rate", "positive")]
_ENDLESS = ("none", "infinite", "inf")


class MachineParameters(Section):
    """Parameters of a machine of any type."""

    @property
    def said(self) -> set[str]:
        """The keys that a file gives a value."""
        return {key for key in self.model_fields_set if getattr(self, key) is not None}


class ConstantParameters(MachineParameters):
    """A constant torque on its body."""

    torque: Torque | None = None


class SlipParameters(MachineParameters):
    """A torque that grows with the slip from the synchronous speed: ``rated_power`` at ``rated_slip``."""

    synchronous_speed: RotationalSpeed | None = None
    rated_slip: PositiveFraction | None = None
    rated_power: Power | None = None


class TableParameters(MachineParameters):
    """A torque over speed."""

    table: Annotated[list[tuple[RotationalSpeed, Torque]], Field(min_length=1)] | None = None


class SeriesParameters(MachineParameters):
    """A torque over time."""

    torque: OverTime[Torque] | None = None


class IdealParameters(MachineParameters):
    """A torque that follows the controller's reference with a ``lag``."""

    lag: Annotated[float, Quantity("time", "not negative", most=100.0)] | None = None


class InductionParameters(MachineParameters):
    """An induction machine: its plate (``rated_power``, ``synchronous_speed``, ``rated_slip``, and what else it says), or its
    circuit (``line_voltage``, ``frequency``, ``pole_pairs``, resistances and reactances). ``order`` 1 is the slip curve, 3
    neglects stator transients, 5 has them."""

    rated_power: PositivePower | None = None
    synchronous_speed: RotationalSpeed | None = None
    rated_slip: Annotated[float, Quantity("number", "positive", most=0.2)] | None = None
    breakdown: Annotated[float, Quantity("number", least=1.05, most=20.0)] | None = None
    magnetising: Annotated[float, Quantity("number", "positive", most=1e3)] | None = None
    resistance: Annotated[float, Quantity("number", "not negative", most=1.0, why="in units of V^2/P")] | None = None
    line_voltage: Voltage | None = None
    frequency: PositiveFrequency | None = None
    pole_pairs: Pairs | None = None
    stator_resistance: Resistance | None = None
    rotor_resistance: Ohm | None = None
    stator_reactance: Ohm | None = None
    rotor_reactance: Ohm | None = None
    magnetising_reactance: Ohm | None = None
    order: Literal[1, 3, 5] | None = None


class DfigParameters(MachineParameters):
    """A doubly-fed induction machine, its converter's control and what protects it; see docs/machines.md. ``torque`` is the
    reference where no turbine's controller gives it; ``data`` names a set of data that the other keys change."""

    data: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    torque: Torque | None = None
    line_voltage: Voltage | None = None
    frequency: PositiveFrequency | None = None
    pole_pairs: Pairs | None = None
    stator_resistance: Resistance | None = None
    rotor_resistance: Ohm | None = None
    stator_reactance: Ohm | None = None
    rotor_reactance: Ohm | None = None
    magnetising_reactance: Ohm | None = None
    order: Literal[3, 5] | None = None
    current_bandwidth: Bandwidth | None = None
    torque_bandwidth: Bandwidth | None = None
    reactive_bandwidth: Bandwidth | None = None
    rated_current: Current | None = None
    current_limit: Annotated[float | str, Quantity("current", "positive", words=_ENDLESS)] | None = None
    voltage_limit: Annotated[float | str, Quantity("number", "positive", words=_ENDLESS, most=100.0)] | None = None
    limits: Switch | Literal["none"] | None = None
    reactive_power: Power | None = None
    current_kp: Number | None = None
    current_ki: Number | None = None
    active_resistance: Annotated[float, Quantity("resistance")] | None = None
    torque_kp: Number | None = None
    torque_ki: Number | None = None
    reactive_kp: Number | None = None
    reactive_ki: Number | None = None
    direct_torque: Switch | None = None
    hold_below: Fraction | None = None
    crowbar: Switch | None = None
    crowbar_current: Current | None = None
    crowbar_resistance: Ohm | None = None
    crowbar_time: Duration | None = None
    reactive_support: Annotated[float, Quantity("number", "not negative", most=100.0)] | None = None
    support_band: Fraction | None = None
    unchecked: Switch | None = None


class PmsgParameters(MachineParameters):
    """A machine with permanent magnets, its converter's control, DC link and chopper; see docs/machines.md. ``torque`` is the
    reference where no turbine's controller gives it; ``data`` names a set of data that the other keys change."""

    data: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    torque: Torque | None = None
    pole_pairs: Pairs | None = None
    resistance: Ohm | None = None
    inductance: Annotated[float, Quantity("inductance", "positive")] | None = None
    flux: Annotated[float, Quantity("magnetic flux", "positive")] | None = None
    d_current: Annotated[float, Quantity("current")] | None = None
    kp_1: Number | None = None
    kp_2: Number | None = None
    ki_2: Number | None = None
    kp_3: Number | None = None
    ki_3: Number | None = None
    kp_4: Number | None = None
    ki_4: Number | None = None
    rated_torque: PositiveTorque | None = None
    current_limit: Annotated[float | str, Quantity("current", "positive", words=_ENDLESS)] | None = None
    voltage_limit: Annotated[float | str, Quantity("voltage", "positive", words=_ENDLESS)] | None = None
    limits: Switch | Literal["none"] | None = None
    chopper: Annotated[float, Quantity("power", "not negative")] | None = None
    rated_power: PositivePower | None = None
    grid_current: Annotated[float, Quantity("number", "positive", most=100.0)] | None = None
    link_energy: Annotated[float, Quantity("energy", "positive")] | None = None
    chopper_on: Annotated[float, Quantity("number", least=1.0, most=10.0)] | None = None
    chopper_full: Annotated[float, Quantity("number", least=1.0, most=10.0)] | None = None
    link_limit: Annotated[float, Quantity("number", least=1.0, most=10.0)] | None = None


Curve = Annotated[list[tuple[RotationalSpeed, Torque]], Field(min_length=2)]


class EngineParameters(MachineParameters):
    """A combustion engine: the parabola of full load (``peak_torque`` at ``peak_speed``, nothing at ``half_width`` beside it),
    or curves of full load and closed throttle."""

    peak_torque: PositiveTorque | None = None
    peak_speed: PositiveSpeed | None = None
    half_width: PositiveSpeed | None = None
    full_load: Curve | None = None
    closed: Curve | None = None


class ChassisParameters(MachineParameters):
    """A vehicle on two driven wheels or tracks."""

    mass: Mass | None = None
    yaw_inertia: Annotated[float, Quantity("moment of inertia", "positive")] | None = None
    track: PositiveLength | None = None
    base: PositiveLength | None = None
    wheel_radius: PositiveLength | None = None
    friction: Annotated[float, Quantity("number", "not negative", most=10.0)] | None = None
    slip_90: PositiveFraction | None = None
    rear_share: Fraction | None = None
    rolling: Fraction | None = None
    drag: Annotated[float, Quantity("quadratic drag", "not negative")] | None = None
    front_stiffness: Annotated[float, Quantity("cornering stiffness", "not negative")] | None = None
    tyre: Literal["corrected", "printed"] | None = None


PARAMETERS: dict[str, type[MachineParameters]] = {
    "constant": ConstantParameters,
    "slip": SlipParameters,
    "table": TableParameters,
    "series": SeriesParameters,
    "ideal": IdealParameters,
    "induction": InductionParameters,
    "dfig": DfigParameters,
    "pmsg": PmsgParameters,
    "engine_map": EngineParameters,
    "tracked_chassis": ChassisParameters,
}
