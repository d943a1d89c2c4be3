"""The swap array of Bladed-style controllers: which record is what, and how it is filled.

Records are counted from 1, as in the manuals. Source: Bladed user manual, appendix A, as OpenFAST's ServoDyn fills it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Swap = NDArray[np.float32]

#: length of the arrays handed to a controller: all records that any known one reads
LENGTH = 4000
#: records that carry what is measured
RECORDS = 130
#: records by name
STATUS, TIME, INTERVAL, PITCH_1 = 1, 2, 3, 4
SET_POINT, LOWEST_PITCH, HIGHEST_PITCH, LOWEST_RATE, HIGHEST_RATE = 5, 6, 7, 8, 9
SHAFT_POWER, ELECTRICAL_POWER, GENERATOR_SPEED, ROTOR_SPEED, MEASURED_TORQUE = 14, 15, 20, 21, 23
YAW_ERROR, WIND_SPEED, PITCH_CONTROL, YAW_CONTROL = 24, 27, 28, 29
ROOT_OUT_OF_PLANE, PITCH_2, PITCH_3, CONTACTOR, BRAKE_FLAG, HEADING = 30, 33, 34, 35, 36, 37
PITCH_DEMAND_1, PITCH_DEMAND, RATE_DEMAND, TORQUE_DEMAND, YAW_RATE_DEMAND = 42, 45, 46, 47, 48
MESSAGE_ROOM, INFILE_LENGTH, OUTNAME_LENGTH, VERSION = 49, 50, 51, 52
TOWER_FORE_AFT, TOWER_SIDE_SIDE, PITCH_OVERRIDE, TORQUE_OVERRIDE = 53, 54, 55, 56
AZIMUTH, BLADES, LOG_ROOM, LOG_RECORD, LOG_NAME_ROOM, LOG_COUNT = 60, 61, 62, 63, 64, 65
ROOT_IN_PLANE, HUB_MY, HUB_MZ, FIXED_MY, FIXED_MZ, YAW_MY, YAW_MZ = 69, 73, 74, 75, 76, 77, 78
ROLL_ACCELERATION, NOD_ACCELERATION, YAW_ACCELERATION = 82, 83, 84
SHAFT_BRAKE_TORQUE, SHAFT_TORQUE = 107, 109


@dataclass
class Measured:
    """What a controller sees, SI; generator quantities are those of its own shaft. Angles [rad], accelerations [m/s^2]
    of the tower top and [rad/s^2] of the nacelle, moments [N m] by blade."""

    time: float = 0.0
    interval: float = 0.01
    rotor_speed: float = 0.0
    generator_speed: float = 0.0
    pitch: tuple[float, float, float] = (0.0, 0.0, 0.0)
    generator_torque: float = 0.0
    electrical_power: float = 0.0
    shaft_power: float = 0.0
    wind_speed: float = 0.0
    azimuth: float = 0.0
    yaw_error: float = 0.0
    heading: float = 0.0
    fore_aft_acceleration: float = 0.0
    side_side_acceleration: float = 0.0
    nod_acceleration: float = 0.0
    roll_acceleration: float = 0.0
    yaw_acceleration: float = 0.0
    root_out_of_plane: tuple[float, float, float] = (0.0, 0.0, 0.0)
    root_in_plane: tuple[float, float, float] = (0.0, 0.0, 0.0)
    hub_moments: tuple[float, float] = (0.0, 0.0)
    shaft_torque: float = 0.0
    pitch_limits: tuple[float, float] = (0.0, float(np.pi / 2))
    pitch_rates: tuple[float, float] = (-0.1396, 0.1396)
    blades: int = 3


@dataclass(frozen=True)
class Demand:
    """What a controller asks for: pitch of every blade [rad], generator torque [N m] at its own shaft, yaw rate [rad/s],
    brake flag; ``message`` is what it says."""

    pitch: tuple[float, float, float]
    torque: float
    yaw_rate: float = 0.0
    brake: bool = False
    message: str = ""
    log: dict[str, float] = field(default_factory=dict)

    @property
    def collective(self) -> float:
        """Mean pitch of the blades [rad]."""
        return sum(self.pitch) / len(self.pitch)


def fill(swap: Swap, status: int, m: Measured) -> None:
    """Write what is measured into a swap array."""

    def put(record: int, value: float) -> None:
        swap[record - 1] = value

    put(STATUS, status)
    put(TIME, m.time)
    put(INTERVAL, m.interval)
    for record, value in zip((PITCH_1, PITCH_2, PITCH_3), m.pitch, strict=True):
        put(record, value)
    put(SET_POINT, m.pitch_limits[0])
    put(LOWEST_PITCH, m.pitch_limits[0])
    put(HIGHEST_PITCH, m.pitch_limits[1])
    put(LOWEST_RATE, m.pitch_rates[0])
    put(HIGHEST_RATE, m.pitch_rates[1])
    put(SHAFT_POWER, m.shaft_power)
    put(ELECTRICAL_POWER, m.electrical_power)
    put(GENERATOR_SPEED, m.generator_speed)
    put(ROTOR_SPEED, m.rotor_speed)
    put(MEASURED_TORQUE, m.generator_torque)
    put(YAW_ERROR, m.yaw_error)
    put(WIND_SPEED, m.wind_speed)
    put(HEADING, m.heading)
    put(CONTACTOR, 1.0)
    put(TOWER_FORE_AFT, m.fore_aft_acceleration)
    put(TOWER_SIDE_SIDE, m.side_side_acceleration)
    put(AZIMUTH, m.azimuth)
    put(BLADES, m.blades)
    for i in range(3):
        put(ROOT_OUT_OF_PLANE + i, m.root_out_of_plane[i])
        put(ROOT_IN_PLANE + i, m.root_in_plane[i])
    put(HUB_MY, m.hub_moments[0])
    put(HUB_MZ, m.hub_moments[1])
    put(ROLL_ACCELERATION, m.roll_acceleration)
    put(NOD_ACCELERATION, m.nod_acceleration)
    put(YAW_ACCELERATION, m.yaw_acceleration)
    put(SHAFT_TORQUE, m.shaft_torque)


def read_measured(swap: Swap) -> Measured:
    """What a caller (OpenFAST) has written into a swap array."""

    values = swap[:RECORDS].tolist()  # once: single entries of arrays are slow

    def get(record: int) -> float:
        return float(values[record - 1])

    def three(record: int) -> tuple[float, float, float]:
        return get(record), get(record + 1), get(record + 2)

    return Measured(
        time=get(TIME),
        interval=get(INTERVAL),
        rotor_speed=get(ROTOR_SPEED),
        generator_speed=get(GENERATOR_SPEED),
        pitch=(get(PITCH_1), get(PITCH_2), get(PITCH_3)),
        generator_torque=get(MEASURED_TORQUE),
        electrical_power=get(ELECTRICAL_POWER),
        shaft_power=get(SHAFT_POWER),
        wind_speed=get(WIND_SPEED),
        azimuth=get(AZIMUTH),
        yaw_error=get(YAW_ERROR),
        heading=get(HEADING),
        fore_aft_acceleration=get(TOWER_FORE_AFT),
        side_side_acceleration=get(TOWER_SIDE_SIDE),
        nod_acceleration=get(NOD_ACCELERATION),
        roll_acceleration=get(ROLL_ACCELERATION),
        yaw_acceleration=get(YAW_ACCELERATION),
        root_out_of_plane=three(ROOT_OUT_OF_PLANE),
        root_in_plane=three(ROOT_IN_PLANE),
        hub_moments=(get(HUB_MY), get(HUB_MZ)),
        shaft_torque=get(SHAFT_TORQUE),
        pitch_limits=(get(LOWEST_PITCH), get(HIGHEST_PITCH)),
        pitch_rates=(get(LOWEST_RATE), get(HIGHEST_RATE)),
        blades=int(get(BLADES)),
    )


def read_demand(swap: Swap, message: str = "") -> Demand:
    """What a controller has written: collective pitch unless it has set individual control."""
    individual = int(round(float(swap[PITCH_CONTROL - 1]))) == 1
    records = (42, 43, 44) if individual else (PITCH_DEMAND,) * 3
    pitch = tuple(float(swap[r - 1]) for r in records)
    return Demand(
        (pitch[0], pitch[1], pitch[2]),
        float(swap[TORQUE_DEMAND - 1]),
        float(swap[YAW_RATE_DEMAND - 1]),
        bool(swap[BRAKE_FLAG - 1]),
        message,
    )


def write_demand(swap: Swap, demand: Demand) -> None:
    """Write a demand as a controller does."""
    for i in range(3):
        swap[PITCH_DEMAND_1 - 1 + i] = demand.pitch[i]
    swap[PITCH_DEMAND - 1] = demand.collective
    swap[TORQUE_DEMAND - 1] = demand.torque
    swap[YAW_RATE_DEMAND - 1] = demand.yaw_rate
    swap[BRAKE_FLAG - 1] = float(demand.brake)
    swap[CONTACTOR - 1] = 1.0
    swap[PITCH_OVERRIDE - 1] = swap[TORQUE_OVERRIDE - 1] = 0.0
