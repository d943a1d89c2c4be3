"""Steady operation of a wind turbine over wind speed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gearwright.interchange.openfast_deck import turbine_of
from gearwright.progress import each
from gearwright.turbine import bem

from .base import ASIDE, Analysis, Column, Picture, Table
from .picture import Curve


@dataclass(frozen=True)
class SteadyPoint:
    """Turbine and controller at a uniform wind speed [m/s]; powers in W, thrust in N, ``region`` of the controller."""

    wind: float
    rotor_speed_rpm: float
    pitch_deg: float
    power: float
    rotor_power: float
    electrical_power: float
    thrust: float
    region: str


@dataclass(frozen=True, repr=False, eq=False)
class SteadyOperation(Analysis):
    """Steady points of a turbine from cut-in to cut-out wind; electrical power is that of the rotor times the generator's efficiency."""

    name: str
    points: Sequence[SteadyPoint]
    efficiency: float = field(default=1.0, metadata=ASIDE)

    def shown(self) -> Iterator[Table | str]:
        """One row a wind speed."""
        columns = [
            Column("wind", "m/s"),
            "rpm",
            "pitch deg",
            Column("rotor power", "kW"),
            Column("electrical power", "kW"),
            Column("thrust", "kN"),
            "region",
        ]
        rows = [
            [p.wind, p.rotor_speed_rpm, p.pitch_deg, p.rotor_power, p.electrical_power, p.thrust, p.region]
            for p in self.points
        ]
        yield Table(f"Steady operation of {self.name}", columns, rows)
        yield f"electrical power: that of the rotor times the efficiency of the generator, {100 * self.efficiency:.4g} %"

    def picture(self) -> Picture:
        """Rotor power and electrical power over wind speed."""
        wind = [p.wind for p in self.points]
        curves = [
            Curve("rotor", wind, [p.rotor_power for p in self.points]),
            Curve("electrical", wind, [p.electrical_power for p in self.points]),
        ]
        return Picture("wind speed [m/s]", "power [W]", curves)


def steady_operation(turbine: str | Path = "nrel-5mw") -> SteadyOperation:
    """Steady operation over wind speed: rotor speed, pitch, powers, thrust, region of the controller.

    ``turbine`` is the name of a shipped one, a data file (.json) or the main file of an OpenFAST deck (.fst).
    """
    machine = turbine_of(str(turbine))
    efficiency = float(machine.generator_efficiency)
    speeds = range(math.ceil(machine.cut_in_wind) + 1, math.floor(machine.cut_out_wind) + 1)
    found = [bem.operating_point(machine, float(v)) for v in each("wind speed", speeds)]
    points = [
        SteadyPoint(
            p.wind,
            p.speed * 30.0 / math.pi,
            math.degrees(p.pitch),
            p.power,
            p.power,
            p.power * efficiency,
            p.thrust,
            p.region,
        )
        for p in found
    ]
    return SteadyOperation(machine.name, points, efficiency)
