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
#: speed [rad/s], torque [N m], power [W], pitch [rad], wind [m/s], brake (1 closed); then statistics of rows that are means
SIGNALS = ("generator_speed", "generator_torque", "power", "pitch", "wind_speed", "brake", *MEANS)
SPEED, TORQUE, WIND, BRAKE = (SIGNALS.index(n) for n in ("generator_speed", "generator_torque", "wind_speed", "brake"))

__all__ = ["BRAKE", "MEANS", "SIGNALS", "SPEED", "TORQUE", "WIND"]
