"""The signals of a row of a stream, and their places in it."""

from __future__ import annotations

#: statistics that rows which are means may have beside them
MEANS = (
    "generator_speed_std",
    "generator_speed_min",
    "generator_speed_max",
    "generator_torque_std",
    "power_std",
    "pitch_std",
    "wind_speed_std",
)
#: what a status says, by its number
STATES = ("run", "stop", "trip", "emergency stop", "grid fault")
#: speed [rad/s], torque [N m], power [W], pitch [rad], wind [m/s], brake (1 closed); then statistics of rows that are means; number of the status
SIGNALS = ("generator_speed", "generator_torque", "power", "pitch", "wind_speed", "brake", *MEANS, "status")
SPEED, TORQUE, WIND, BRAKE, STATUS = (
    SIGNALS.index(n) for n in ("generator_speed", "generator_torque", "wind_speed", "brake", "status")
)
