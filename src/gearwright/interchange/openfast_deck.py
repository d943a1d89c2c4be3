"""OpenFAST decks: the files of a geared turbine become a turbine of this program.

Read are the main file (``.fst``), ElastoDyn (main, blade, tower), AeroDyn (main, blade, polars) and ServoDyn. The reference controller is made for the turbine, since decks carry
their controller as a library: torque by the best power coefficient, pitch by pole placement (0.6 rad/s, 0.7) on
the frozen-wake sensitivities, as in NREL/TP-500-38060.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gearwright.remarks import assumed
from gearwright.turbine import bem, load
from gearwright.turbine.model import Controller, EdgeMode, Mode, Polar, Turbine, TurbineError

from .openfast_file import InputFile, leading_numbers
from .record import ReadError

Float = NDArray[np.floating]


def read_polar(path: Path) -> Polar:
    """First polar of an AeroDyn airfoil file."""
    file = InputFile(path)
    start = next((i for i, line in enumerate(file.lines) if re.match(r"^\s*\d+\s+NumAlf", line)), None)
    if start is None:
        raise TurbineError(f"{path}: there is no 'NumAlf'; is this an AeroDyn airfoil file?")
    rows = int(file.lines[start].split()[0])
    values: list[list[float]] = []
    for line in file.lines[start + 1 :]:
        row = leading_numbers(line, 3)
        if len(row) == 3:
            values.append(row)
        if len(values) == rows:
            break
    if len(values) < rows:
        raise TurbineError(f"{path}: {len(values)} rows of the polar, {rows} are promised")
    table = np.array(values)
    return Polar(path.stem, *table.T)


def _shape(file: InputFile, prefix: str) -> Float:
    """Coefficients of x^2 to x^6 of a mode shape."""
    return np.array([file.number(f"{prefix}({i})") for i in range(2, 7)])


def _powers(c: Float, x: Float, order: int) -> Float:
    """A shape sum c x^k, k = 2..6, or its derivative."""
    total = np.zeros_like(x)
    for k, value in enumerate(c, 2):
        factor = math.prod(range(k - order + 1, k + 1)) if order else 1
        total += value * factor * x ** (k - order)
    return total


def edge_mode(blade: InputFile, radius: float, hub: float, speed: float) -> tuple[EdgeMode, float, float, float]:
    """Edgewise mode at a rotor speed [rad/s], and mass, first and second moment of the blade about the axis."""
    rows = int(blade.number("NBlInpSt"))
    table = blade.table(("BlFract", "BMassDen", "EdgStff"), rows)
    length = radius - hub
    x = np.linspace(0.0, 1.0, 2001)
    mass = np.interp(x, table[:, 0], table[:, 1]) * blade.number("AdjBlMs", 1.0)
    stiffness = np.interp(x, table[:, 0], table[:, 2]) * blade.number("AdjEdSt", 1.0)
    c = _shape(blade, "BldEdgSh")
    r = hub + length * x

    def total(y: Float) -> float:
        return float(np.trapezoid(y, x)) * length

    phi, slope, bend = (_powers(c, x, k) for k in (0, 1, 2))
    # tension of the part outside stiffens, the field along the blade's motion softens
    pull = mass * r * speed**2 * length
    tension = np.concatenate([np.cumsum((0.5 * (pull[1:] + pull[:-1]) * np.diff(x))[::-1])[::-1], [0.0]])
    k = total(stiffness * bend**2) / length**4 + total(tension * slope**2) / length**2 - speed**2 * total(mass * phi**2)
    mode = EdgeMode(total(mass * phi**2), total(mass * r * phi), k, blade.number("BldEdDmp(1)") / 100.0)
    return mode, total(mass), total(mass * r), total(mass * r * r)


def tower_mode(tower: InputFile, height: float, top_mass: float, which: str) -> Mode:
    """A tower mode, ``FA`` or ``SS``: tower mass, stiffness with the weight above, slope at the top."""
    rows = int(tower.number("NTwInpSt"))
    table = tower.table(("HtFract", "TMassDen", f"Tw{which}Stif"), rows)
    x = np.linspace(0.0, 1.0, 2001)
    mass = np.interp(x, table[:, 0], table[:, 1]) * tower.number("AdjTwMa", 1.0)
    stiffness = np.interp(x, table[:, 0], table[:, 2]) * tower.number(f"Adj{which}St", 1.0)
    c = _shape(tower, f"Tw{which}M1Sh")
    phi, slope, bend = (_powers(c, x, k) for k in (0, 1, 2))

    def total(y: Float) -> float:
        return float(np.trapezoid(y, x)) * height

    above = np.concatenate([np.cumsum((0.5 * (mass[1:] + mass[:-1]) * np.diff(x))[::-1])[::-1], [0.0]]) * height
    weight = 9.80665 * (top_mass + above)
    k = total(stiffness * bend**2) / height**4 - total(weight * slope**2) / height**2
    return Mode(total(mass * phi**2), k, float(slope[-1]) / height, tower.number(f"Twr{which}Dmp(1)") / 100.0)


def read_deck(path: str | Path, *, rated_power: float | None = None, rated_speed: float | None = None) -> Turbine:
    """A turbine from an OpenFAST main file.

    ``rated_power`` [W, electric] and ``rated_speed`` [rad/s, rotor] are those of the turbine: decks do not say them; without
    them they are taken from ServoDyn's simple torque control if it is in use, or the reference values of a rotor of this
    size (tip speed 80 m/s, 400 W per m^2 of rotor) are taken and noted. Raises TurbineError for what is missing, and for a
    turbine without gearbox.
    """
    try:
        return _read_deck(path, rated_power, rated_speed)
    except ReadError as error:
        raise TurbineError(str(error)) from None
    except (
        ArithmeticError,
        IndexError,
        ValueError,
    ) as error:  # numbers that no turbine has; LinAlgError is a ValueError
        if isinstance(error, TurbineError):
            raise
        raise TurbineError(
            f"{path}: no turbine comes of the numbers of this deck ({' '.join(str(error).split())[:120]})"
        ) from None


def turbine_of(source: str | Path | Turbine) -> Turbine:
    """A turbine by name, by data file (``.json``), or from an OpenFAST deck (``.fst``). Raises TurbineError."""
    if not isinstance(source, Turbine) and Path(source).suffix.lower() == ".fst":
        return read_deck(Path(source).expanduser())
    return load(source)


def _read_deck(path: str | Path, rated_power: float | None, rated_speed: float | None) -> Turbine:
    main = InputFile(Path(path).expanduser())
    if main.number("MHK", 0.0) != 0.0:
        raise TurbineError(
            f"{main.path}: MHK is {main.text('MHK')}: a turbine in water, whose loads this program does not know"
        )
    if main.number("NRotors", 1.0) != 1.0:
        raise TurbineError(f"{main.path}: NRotors is {main.text('NRotors')}: a turbine of one rotor is read")
    elasto = InputFile(main.other("EDFile"))
    aero = InputFile(main.other("AeroFile"))
    servo = InputFile(main.other("ServoFile")) if main.text("ServoFile", "unused").lower() != "unused" else None
    blade_structure = InputFile(elasto.other("BldFile(1)"))
    tower = InputFile(elasto.other("TwrFile"))
    blade = InputFile(aero.other("ADBlFile(1)"))
    ratio = elasto.number("GBRatio")
    if abs(ratio - 1.0) < 1e-6:
        raise TurbineError(f"{main.path}: gear ratio 1: a direct drive has no gearbox to study")
    tip, hub = elasto.number("TipRad"), elasto.number("HubRad")
    notes = [f"read from {main.path.name}; reference controller made for it"]
    # elements between the nodes of the blade file
    nodes = blade.table(("BlSpn", "BlTwist", "BlChord", "BlAFID"), int(blade.number("NumBlNds")))
    polar_paths = _polars(aero)
    if len(nodes) < 5 or (np.diff(nodes[:, 0]) <= 0.0).any():
        raise TurbineError(f"{blade.path}: a blade needs five stations or more whose distances ascend")
    inner = nodes[1:-1]
    radius, width = hub + inner[:, 0], _widths(inner[:, 0], tip - hub)
    polars, names = {}, []
    for number in inner[:, 3].astype(int):
        if not 1 <= number <= len(polar_paths):
            raise TurbineError(f"{blade.path}: airfoil {number}, but {aero.path.name} lists {len(polar_paths)}")
        file = polar_paths[number - 1]
        if file.stem not in polars:
            polars[file.stem] = read_polar(file)
        names.append(file.stem)
    speed = rated_speed or (80.0 / tip)
    if rated_speed is None:
        notes.append(assumed(f"rated rotor speed {speed * 30 / math.pi:.4g} rpm (tip speed 80 m/s)"))
    power = rated_power or 400.0 * math.pi * tip**2
    if rated_power is None:
        notes.append(assumed(f"rated power {power / 1e6:.4g} MW (400 W/m^2)"))
    efficiency = (servo.number("GenEff", 100.0) if servo else 100.0) / 100.0
    edge, mass, _, second = edge_mode(blade_structure, tip, hub, speed)
    blades = int(elasto.number("NumBl"))
    rotor_mass = elasto.number("HubMass") + blades * mass
    inertia = elasto.number("HubIner") + blades * second
    nacelle = elasto.number("NacMass") + elasto.number("YawBrMass", 0.0)
    height = elasto.number("TowerHt") - elasto.number("TowerBsHt", 0.0)
    shaft = elasto.number("Twr2Shft")
    base, top = _diameters(aero)
    overhang, tilt = abs(elasto.number("OverHang")), abs(math.radians(elasto.number("ShftTilt")))
    made = Turbine(
        main.path.stem, f"OpenFAST deck {main.path.name}", "as the deck", blades, tip, hub,
        abs(math.radians(elasto.number("PreCone(1)"))), tilt, overhang,
        elasto.number("TowerHt") + shaft + overhang * math.sin(tilt), radius, width, inner[:, 2], np.radians(inner[:, 1]),
        tuple(names), polars, inertia, rotor_mass, nacelle, edge, height, base, top, shaft,
        tower_mode(tower, height, rotor_mass + nacelle, "FA"), tower_mode(tower, height, rotor_mass + nacelle, "SS"), ratio,
        elasto.number("GenIner"), elasto.number("DTTorSpr"), elasto.number("DTTorDmp"), efficiency,
        servo.number("HSSBrTqF", 0.0) if servo else 0.0, servo.number("HSSBrDT", 0.6) if servo else 0.6, 3.0, 11.4, 25.0,
        _first_guess(speed * ratio, power / efficiency), tuple(notes),
    )  # fmt: skip
    return _controlled(made, speed, power / efficiency)


def _widths(centre: Float, length: float) -> Float:
    """Widths of elements about their centres; halfway between the stations where the centres do not chain up."""
    edges = [0.0]
    for c in centre:
        edges.append(2.0 * c - edges[-1])
    chained = np.diff(edges)
    if (chained > 0.0).all() and abs(edges[-1] - length) < 0.005 * length:
        return chained
    return np.diff(np.concatenate([[0.0], 0.5 * (centre[:-1] + centre[1:]), [length]]))


def _polars(aero: InputFile) -> list[Path]:
    count = int(aero.number("NumAFfiles"))
    found = aero.names_below("AFNames", count)
    if found is None:
        raise TurbineError(f"{aero.path}: {count} airfoil files are promised below AFNames")
    return found


def _diameters(aero: InputFile) -> tuple[float, float]:
    """Tower diameters at the base and the top, for the shadow."""
    count = int(aero.number("NumTwrNds", 0.0))
    if not count:
        return 0.0, 0.0
    table = aero.table(("TwrElev", "TwrDiam"), count)
    return float(table[0, 1]), float(table[-1, 1])


def _first_guess(speed: float, power: float) -> Controller:
    """Reference controller from rated speed [rad/s, machine] and power [W] alone; :func:`_controlled` works it out."""
    torque = power / speed
    return Controller(
        1.570796,
        0.57 * speed,
        0.742 * speed,
        0.8 * torque / speed**2,
        0.99 * speed,
        10.0,
        power,
        1.1 * torque,
        0.35 * torque,
        math.radians(1.0),
        0.0,
        0.0,
        0.1,
        speed,
    )


def _controlled(turbine: Turbine, speed: float, power: float) -> Turbine:
    """The turbine with rated wind and reference controller: rated rotor speed [rad/s], mechanical power [W]."""
    cp, ratio, pitch = bem.best_point(turbine)
    gear, c = turbine.gear_ratio, turbine.controller
    gain = 0.5 * 1.225 * turbine.swept_area * cp * (turbine.tip_radius / ratio) ** 3 / gear**3
    held = speed * gear
    rated = 0.99 * held
    # the line of region 2.5 has to leave the parabola: its slope falls until it does
    gain = min(gain, 0.95 * (power / rated) / rated**2)
    c = replace(c, region_2_gain=gain, minimum_pitch=max(pitch, 0.0))
    wind = (power / (0.5 * 1.225 * turbine.swept_area * cp)) ** (1.0 / 3.0)
    trial = replace(turbine, controller=c, rated_wind=wind)
    wind = bem.rated_wind(trial)
    trial = replace(trial, rated_wind=wind)
    angles, slopes = [], []
    for v in np.linspace(wind + 0.11, 25.0, 15):
        point = bem.operating_point(trial, float(v))
        angles.append(point.pitch)
        slopes.append(bem.pitch_sensitivity(trial, float(v)))
    slope, at_zero = np.polyfit(angles, slopes, 1)
    halving = float(at_zero / slope)
    inertia = turbine.rotor_inertia + turbine.generator_inertia * gear**2
    kp = 2.0 * inertia * speed * 0.7 * 0.6 / (gear * -at_zero)
    ki = inertia * speed * 0.6**2 / (gear * -at_zero)
    c = replace(c, pitch_kp=float(kp), pitch_ki=float(ki), pitch_halving=halving)
    return replace(turbine, controller=c, rated_wind=wind)
