"""A turbine as data: blades, polars, tower, shaft, reference controller; and where its files are.

A turbine is a JSON file (SI, angles in degrees, names in words) that :func:`load` checks while it reads, and
that :mod:`gearwright.interchange.openfast_deck` makes from an OpenFAST deck. Nothing here is about one turbine.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import InputError
from gearwright.parts import whole
from gearwright.schema.places import JSON, Values

from . import table as tables
from .table import Performance, TableError

Float = NDArray[np.floating]

FOLDER = Path(__file__).parent / "data"


class TurbineError(InputError):
    """Turbine data, wind or a case of a turbine that has to be mended; the message says where and how."""


@dataclass(frozen=True)
class Polar:
    """Lift and drag of one profile over the angle of attack [deg], which must reach from -180 to 180."""

    name: str
    angle: Float
    lift: Float
    drag: Float

    def __post_init__(self) -> None:
        for what in ("angle", "lift", "drag"):
            object.__setattr__(self, what, np.asarray(getattr(self, what), float))
        if not len(self.angle) == len(self.lift) == len(self.drag) >= 3:
            raise TurbineError(f"polar '{self.name}': angle, lift and drag need one length of at least 3")
        if (np.diff(self.angle) <= 0).any():
            raise TurbineError(f"polar '{self.name}': angles must ascend")
        if self.angle[0] > -180.0 + 1e-6 or self.angle[-1] < 180.0 - 1e-6:
            raise TurbineError(
                f"polar '{self.name}' covers {self.angle[0]:g} to {self.angle[-1]:g} deg; a rotor that starts and stops "
                f"meets all angles: extend it to -180..180 deg (for instance with Viterna's formulas)"
            )


@dataclass(frozen=True)
class Mode:
    """A tower mode: mass of the tower alone, stiffness (gravity included), slope at the top per unit deflection."""

    tower_mass: float
    stiffness: float
    top_slope: float
    damping_ratio: float = 0.01


@dataclass(frozen=True)
class EdgeMode:
    """First edgewise mode of one blade: modal mass, coupling to the shaft (integral of mu r phi), stiffness at
    rated speed; damping as a ratio of critical."""

    mass: float
    coupling: float
    stiffness: float
    damping_ratio: float = 0.00477465


@dataclass(frozen=True)
class Controller:
    """The reference controller of the NREL 5 MW turbine: torque by speed, pitch by a scheduled PI.

    Speeds [rad/s] and torques [N m] at the generator. ``second_order_pitch`` is (frequency [rad/s], damping
    ratio) of a pitch actuator or None; ``damper_gain`` [N m s/rad] feeds back the band-passed generator speed at
    ``damper_frequency`` [rad/s].
    """

    filter_corner: float
    cut_in_speed: float
    region_2_speed: float
    region_2_gain: float
    rated_speed: float
    slip_percent: float
    rated_power: float
    maximum_torque: float
    maximum_torque_rate: float
    region_3_pitch: float
    pitch_kp: float
    pitch_ki: float
    pitch_halving: float
    pitch_speed: float
    minimum_pitch: float = 0.0
    maximum_pitch: float = math.pi / 2
    pitch_rate: float = math.radians(8.0)
    constant_torque: bool = False
    second_order_pitch: tuple[float, float] | None = None
    damper_gain: float = 0.0
    damper_frequency: float = 0.0
    damper_ratio: float = 0.3
    fixed_speed: bool = False

    @classmethod
    def held_by_the_grid(
        cls,
        synchronous_speed: float,
        rated_speed: float,
        rated_power: float,
        *,
        pitch: float = 0.0,
        largest_pitch: float | None = None,
        pitch_rate: float = math.radians(8.0),
    ) -> Controller:
        """What is left of a controller where an induction machine on the grid holds the speed.

        The breaker closes at the synchronous speed (``cut_in_speed``) and opens below it in a stop; blades stay at
        ``pitch`` but for stops, where they go to ``largest_pitch`` (None: they are fixed).
        """
        torque = rated_power / rated_speed
        return cls(1.570796, synchronous_speed, synchronous_speed, torque / rated_speed**2, rated_speed, 1.0, rated_power,
                   torque, torque, math.radians(90.0), 0.0, 0.0, 1.0, rated_speed, minimum_pitch=pitch,
                   maximum_pitch=pitch if largest_pitch is None else largest_pitch, pitch_rate=pitch_rate,
                   fixed_speed=True)  # fmt: skip

    @property
    def fixed_blades(self) -> bool:
        """Whether the blades cannot pitch."""
        return self.maximum_pitch <= self.minimum_pitch

    def referred(self, factor: float, rated_power: float | None = None) -> Controller:
        """The same controller for a generator that turns ``factor`` times as fast.

        Torques divide by the factor, the region 2 gain by its cube. ``rated_power`` [W, mechanical] replaces the
        rated power and scales the torque limits with it.
        """
        power = rated_power if rated_power is not None else self.rated_power
        share = power / self.rated_power
        return replace(
            self,
            cut_in_speed=self.cut_in_speed * factor,
            region_2_speed=self.region_2_speed * factor,
            region_2_gain=self.region_2_gain / factor**3,
            rated_speed=self.rated_speed * factor,
            rated_power=power,
            maximum_torque=self.maximum_torque / factor * share,
            maximum_torque_rate=self.maximum_torque_rate / factor,
            pitch_kp=self.pitch_kp / factor,
            pitch_ki=self.pitch_ki / factor,
            pitch_speed=self.pitch_speed * factor,
            damper_gain=self.damper_gain / factor**2,
        )

    @property
    def rated_torque(self) -> float:
        """Torque at the speed that the pitch control holds [N m]."""
        return self.rated_power / self.pitch_speed


@dataclass(frozen=True, eq=False)
class Turbine:
    """Geometry, masses, stiffnesses and controller of a geared turbine. SI, angles in rad.

    With a ``performance`` table the rotor is that table, and blade elements may be left out; without tower modes
    (both None) the tower is rigid.
    """

    name: str
    source: str
    licence: str
    blades: int
    tip_radius: float
    hub_radius: float
    cone: float
    tilt: float
    overhang: float
    hub_height: float
    element_radius: Float
    element_width: Float
    element_chord: Float
    element_twist: Float
    element_polar: tuple[str, ...]
    polars: dict[str, Polar]
    rotor_inertia: float
    rotor_mass: float
    nacelle_mass: float
    edge: EdgeMode | None
    tower_height: float
    tower_base_diameter: float
    tower_top_diameter: float
    top_to_shaft: float
    fore_aft: Mode | None
    side_side: Mode | None
    gear_ratio: float
    generator_inertia: float
    shaft_stiffness: float
    shaft_damping: float
    generator_efficiency: float
    brake_torque: float
    brake_rise: float
    cut_in_wind: float
    rated_wind: float
    cut_out_wind: float
    controller: Controller
    notes: tuple[str, ...] = field(default=())
    performance: Performance | None = None

    def __post_init__(self) -> None:
        if self.performance is not None and not len(self.element_radius):
            return
        n = len(self.element_radius)
        for what in ("element_width", "element_chord", "element_twist", "element_polar"):
            if len(getattr(self, what)) != n:
                raise TurbineError(
                    f"turbine '{self.name}': {what} has {len(getattr(self, what))} values for {n} elements"
                )
        missing = sorted(set(self.element_polar) - set(self.polars))
        if missing:
            raise TurbineError(
                f"turbine '{self.name}': no polar {', '.join(missing)}; there are {', '.join(self.polars)}"
            )
        if (np.diff(self.element_radius) <= 0).any() or self.element_radius[-1] >= self.tip_radius:
            raise TurbineError(f"turbine '{self.name}': element radii must ascend and stay inside the tip radius")

    @property
    def diameter(self) -> float:
        """Rotor diameter [m]."""
        return 2.0 * self.tip_radius

    @property
    def swept_area(self) -> float:
        """Area of the rotor disc [m^2]."""
        return math.pi * self.tip_radius**2

    @cached_property
    def flexible_inertia(self) -> float:
        """Inertia that the collective edgewise mode takes from the rotor [kg m^2]: B c^2/m."""
        return 0.0 if self.edge is None else self.blades * self.edge.coupling**2 / self.edge.mass

    @cached_property
    def edge_stiffness(self) -> float:
        """Spring between hub and flexible inertia [N m/rad]."""
        return 0.0 if self.edge is None else self.flexible_inertia * self.edge.stiffness / self.edge.mass

    @cached_property
    def edge_damping(self) -> float:
        """Damper beside that spring [N m s/rad]."""
        if self.edge is None:
            return 0.0
        return 2.0 * self.edge.damping_ratio * math.sqrt(self.edge_stiffness * self.flexible_inertia)


_ANGLES = ("cone", "tilt", "element_twist")
#: what a turbine with a table need not say
_BARE: Values = {
    "blades": 3, "hub_radius": 0.0, "cone": 0.0, "tilt": 0.0, "overhang": 0.0, "element_radius": (), "element_width": (),
    "element_chord": (), "element_twist": (), "element_polar": (), "polars": {}, "rotor_mass": 0.0, "nacelle_mass": 0.0,
    "edge": None, "tower_height": 0.0, "tower_base_diameter": 0.0, "tower_top_diameter": 0.0, "top_to_shaft": 0.0,
    "fore_aft": None, "side_side": None, "generator_inertia": 0.0, "shaft_stiffness": 0.0, "shaft_damping": 0.0,
    "generator_efficiency": 1.0, "brake_torque": 0.0, "brake_rise": 0.0,
}  # fmt: skip
_ARRAYS = ("element_radius", "element_width", "element_chord", "element_twist")


def to_mapping(turbine: Turbine) -> dict[str, JSON]:
    """The turbine in the form of its file: SI, angles of the blade in degrees."""
    found = {f.name: getattr(turbine, f.name) for f in fields(turbine)}
    for name in _ANGLES:
        found[name] = np.round(np.degrees(found[name]), 10).tolist()
    for name in _ARRAYS:
        found[name] = np.asarray(found[name]).tolist()
    for name in ("edge", "fore_aft", "side_side", "controller"):
        found[name] = None if found[name] is None else asdict(found[name])
    c = turbine.controller
    if c.fixed_speed:
        found["controller"] = {
            "fixed_speed": True,
            "synchronous_speed": c.cut_in_speed,
            "rated_speed": c.pitch_speed,
            "rated_power": c.rated_power,
        }
        if not c.fixed_blades or c.minimum_pitch:
            found["controller"] |= {
                "pitch": math.degrees(c.minimum_pitch),
                "largest_pitch": math.degrees(c.maximum_pitch),
            }
    found["performance"] = None if turbine.performance is None else tables.to_mapping(turbine.performance)
    found["polars"] = {
        k: {"angle": p.angle.tolist(), "lift": p.lift.tolist(), "drag": p.drag.tolist()}
        for k, p in turbine.polars.items()
    }
    found["element_polar"], found["notes"] = list(turbine.element_polar), list(turbine.notes)
    return {"units": "SI; cone, tilt, element_twist and angles of attack in degrees", **found}


def _mode(data: Values | None) -> Mode | None:
    return None if data is None else Mode(**data)  # type: ignore[arg-type]


def _controller(data: Values) -> Controller:
    """A controller from a file: all its numbers, or the four of a turbine whose speed the grid holds."""
    if data.get("fixed_speed") and "filter_corner" not in data:
        short = {k: float(v) for k, v in data.items() if k != "fixed_speed"}  # type: ignore[arg-type]
        for angle in ("pitch", "largest_pitch"):
            if angle in short:
                short[angle] = math.radians(short[angle])
        return Controller.held_by_the_grid(**short)
    second = data.get("second_order_pitch")
    return Controller(**{**data, "second_order_pitch": tuple(second) if second else None})  # type: ignore[arg-type]


#: what makes of a value of a file what a turbine has, where that is another
_READ: dict[str, Callable[[Any], Any]] = {
    "cone": lambda degrees: float(np.radians(degrees)),
    "tilt": lambda degrees: float(np.radians(degrees)),
    "element_radius": lambda row: np.asarray(row, float),
    "element_width": lambda row: np.asarray(row, float),
    "element_chord": lambda row: np.asarray(row, float),
    "element_twist": lambda degrees: np.asarray(np.radians(degrees), float),
    "element_polar": tuple,
    "polars": lambda all_: {k: Polar(k, v["angle"], v["lift"], v["drag"]) for k, v in all_.items()},
    "edge": lambda data: None if data is None else EdgeMode(**data),
    "fore_aft": _mode,
    "side_side": _mode,
    "controller": _controller,
    "notes": tuple,
    "performance": lambda data: None if data is None else tables.from_mapping(data, "performance"),
}


def from_mapping(data: Values, where: str = "turbine") -> Turbine:
    """A turbine from the form of its file; raises TurbineError for keys that are missing or unknown."""
    known = {f.name for f in fields(Turbine)}
    given = {k: v for k, v in data.items() if k != "units"}
    if given.get("performance") is not None:
        given = {**_BARE, **given}
    wrong = sorted(set(given) - known)
    missing = sorted(known - set(given) - {"notes", "performance"})
    if wrong or missing:
        raise TurbineError(
            f"{where}: " + "; ".join([f"unknown key '{k}'" for k in wrong] + [f"'{k}' is missing" for k in missing])
        )
    try:
        return Turbine(**{k: _READ[k](v) if k in _READ else v for k, v in given.items()})  # type: ignore[arg-type]
    except TableError as error:
        raise TurbineError(f"{where}: {error}") from None
    except (TypeError, KeyError) as error:
        raise TurbineError(f"{where}: {error}") from None


def turbines() -> list[str]:
    """Names of the turbines that come with the program."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(source: str | Path | Turbine) -> Turbine:
    """A turbine by name or by data file (``.json``); :func:`gearwright.interchange.openfast_deck.turbine_of` also reads decks.

    Raises TurbineError with the known names, or with what is wrong in the file.
    """
    if isinstance(source, Turbine):
        return source
    path = Path(source).expanduser()
    if path.suffix.lower() == ".fst":
        raise TurbineError(f"{path}: a deck of OpenFAST is read by gearwright.interchange.openfast_deck.turbine_of")
    if not path.is_file():
        path = FOLDER / f"{source}.json"
    if not path.is_file():
        raise TurbineError(
            f"no turbine '{source}'; a data file (.json), a deck (.fst) or one of {', '.join(turbines())}"
        )
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise TurbineError(f"{path}: not a turbine file: {error}") from None
    return from_mapping(data, str(path))


def save(turbine: Turbine, path: str | Path) -> Path:
    """Write a turbine data file."""
    text = json.dumps(to_mapping(turbine), indent=1)
    import re

    # numbers of one list on one line: the polars are read by people too
    text = re.sub(r"\[\s+([-\d.eE+,\s]+?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)
    target = Path(path)
    with whole(target) as part:
        part.write_text(text + "\n", encoding="utf-8")
    return target
