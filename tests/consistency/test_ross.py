"""Shafts as beams and the whirl of a high-speed shaft against ROSS, an independent rotordynamics package."""

import math
import warnings

import numpy as np
import pytest

from gearwright.assembly import assemble
from gearwright.schema.read import from_mapping
from gearwright.solve.steady.modes import modes
from gearwright.train.expand import expand

#: Frequencies [Hz] of ROSS 2.3.0 by speed [rad/s] for the rotor below, without its torsional mode (456.416 Hz)
ROSS = {
    0.0: [167.628685358, 167.628685358, 254.282238626, 254.282238626, 440.595563356, 440.595563357],
    157.08: [166.764727489, 168.409076501, 250.057888243, 258.349558002, 432.827557270, 448.605272243],
    600.0: [163.767218154, 170.246642466, 237.612723536, 268.797907817, 412.787489598, 471.718145804],
}  # fmt: skip

# a high-speed shaft of a wind gearbox: pinion and brake disc on two bearings
YOUNG, SHEAR, DENSITY = 206e9, 206e9 / 2.6, 7850.0
LENGTHS = (0.20, 0.25, 0.25, 0.25, 0.25, 0.20)
DIAMETERS = (0.16, 0.20, 0.24, 0.24, 0.20, 0.14)
DISC = {"mass": 80.0, "polar": 4.0, "across": 2.2}
RADIAL = (6e8, 3e8)


def ours(speed):
    """Bending frequencies [Hz] with gyroscopic moments at a speed [rad/s]."""
    n = len(LENGTHS)
    raw = {
        "name": "high-speed",
        "bodies": [{"name": "left", "inertia": [1e-9] * 3, "mass": 1e-9},
                   {"name": "disc", "inertia": [DISC["polar"], DISC["across"], DISC["across"]], "mass": DISC["mass"]}],
        "materials": {"steel": {"young": YOUNG, "density": DENSITY, "poisson": 0.3}},
        "shafts": [{"name": "shaft", "between": ["left", "disc"], "material": "steel",
                    "sections": [{"length": x, "diameter": d} for x, d in zip(LENGTHS, DIAMETERS, strict=True)],
                    "bearings": [{"name": "a", "x": LENGTHS[0], "stiffness": RADIAL[0], "axial_stiffness": 1e9},
                                 {"name": "b", "x": sum(LENGTHS[: n - 1]), "stiffness": RADIAL[1]}]}],
        "model": {"fidelity": "spatial", "law": "linear", "gyroscopic": True},
    }  # fmt: skip
    system = assemble(expand(from_mapping(raw)))
    found = modes(system, speed)
    across = [i for i, c in enumerate(system.coordinates) if c.rsplit(".", 1)[1] in ("y", "z", "tilt_y", "tilt_z")]
    rest = [i for i in range(len(system.coordinates)) if i not in across]
    size = np.abs(found.shapes)
    bending = size[across].max(axis=0) > 1e3 * size[rest].max(axis=0, initial=0.0)
    return found.frequencies_hz[bending]


def theirs(rs, speed):
    steel = rs.Material("own", rho=DENSITY, E=YOUNG, G_s=SHEAR)
    shaft = [
        rs.ShaftElement(L=x, idl=0.0, odl=d, material=steel, shear_effects=True, rotary_inertia=True, gyroscopic=True)
        for x, d in zip(LENGTHS, DIAMETERS, strict=True)
    ]
    disc = rs.DiskElement(n=len(LENGTHS), m=DISC["mass"], Id=DISC["across"], Ip=DISC["polar"])
    bearings = [rs.BearingElement(n=n, kxx=k, cxx=0.0) for n, k in ((1, RADIAL[0]), (len(LENGTHS) - 1, RADIAL[1]))]
    found = rs.Rotor(shaft, [disc], bearings).run_modal(speed, num_modes=24)
    return np.sort(np.asarray(found.wd)) / (2.0 * math.pi)


@pytest.mark.parametrize("speed", sorted(ROSS))
def test_whirl_of_the_high_speed_shaft(speed):
    """The lowest six bending frequencies with their gyroscopic split: both packages have the same matrices, mass, stiffness
    and gyroscopic moments, from the same shape functions."""
    mine, want = ours(speed)[:6], np.array(ROSS[speed])
    assert mine == pytest.approx(want, rel=1e-8)


def test_ross_says_what_is_written_here():
    """Where ROSS is installed: its numbers above are those that it gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import ross
        except Exception as error:  # it may be there and not fit its own plotting library
            pytest.skip(f"no ROSS: {type(error).__name__}")
        for speed, want in ROSS.items():
            found = theirs(ross, speed)
            assert all(np.abs(found - f).min() < 1e-6 for f in want)
