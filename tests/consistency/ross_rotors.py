"""The rotors of ``test_ross.py`` in ROSS, an independent rotordynamics package, and what it computes of them.

ROSS turns about z, ours about x: its x, y are our y, z. Its shaft elements are Timoshenko beams with Cowper's coefficient, its mass
and gyroscopic matrices are of the same shape functions. As a script it prints the numbers of ``test_ross.py`` as JSON.
"""

from __future__ import annotations

import json
import math
import warnings
from typing import Any

import numpy as np

# a high-speed shaft of a wind gearbox: pinion and brake disc on two bearings
YOUNG, SHEAR, DENSITY = 206e9, 206e9 / 2.6, 7850.0
LENGTHS = (0.20, 0.25, 0.25, 0.25, 0.25, 0.20)
DIAMETERS = (0.16, 0.20, 0.24, 0.24, 0.20, 0.14)
DISC = {"mass": 80.0, "polar": 4.0, "across": 2.2}
RADIAL, DAMPING = (6e8, 3e8), 2e5
#: speeds [rad/s], unbalance of the disc [kg m] and its phase [rad]
SPEEDS = (0.0, 157.08, 600.0)
UNBALANCE, PHASE = 2e-3, math.radians(30.0)
#: of the pair (drivetrain ``geared-rotors``): speeds of the input [rad/s]
PAIR_SPEEDS = (30.0, 115.0, 157.07963267948966)


def high_speed(rs: Any, damping: float = 0.0) -> Any:
    """The high-speed shaft."""
    steel = rs.Material("own", rho=DENSITY, E=YOUNG, G_s=SHEAR)
    shaft = [
        rs.ShaftElement(L=x, idl=0.0, odl=d, material=steel, shear_effects=True, rotary_inertia=True, gyroscopic=True)
        for x, d in zip(LENGTHS, DIAMETERS, strict=True)
    ]
    disc = rs.DiskElement(n=len(LENGTHS), m=DISC["mass"], Id=DISC["across"], Ip=DISC["polar"])
    bearings = [rs.BearingElement(n=n, kxx=k, cxx=damping) for n, k in ((1, RADIAL[0]), (len(LENGTHS) - 1, RADIAL[1]))]
    return rs.Rotor(shaft, [disc], bearings)


def geared(rs: Any) -> Any:
    """The two shafts of the shipped ``geared-rotors``."""
    steel = rs.Material("pair", rho=7800, E=207e9, G_s=79.5e9)

    def shaft(parts: list[tuple[float, float]]) -> list[Any]:
        return [
            rs.ShaftElement(
                L=x, idl=0.0, odl=d, material=steel, shear_effects=True, rotary_inertia=True, gyroscopic=True
            )
            for x, d in parts
        ]

    def journal(n: int) -> Any:
        return rs.DiskElement(n=n, m=0.01, Id=1e-6, Ip=1e-6)

    def bearing(n: int, kx: float, ky: float, kz: float = 0.0) -> Any:
        # damping along the axis in proportion to the stiffness there, as ours has it
        return rs.BearingElement(n=n, kxx=kx, kyy=ky, cxx=3e3, cyy=3e3, kzz=kz, czz=3e3 * kz / max(kx, ky))

    angle = math.radians(22.5)
    wheel = rs.GearElement(
        n=4, m=726.4, Id=56.95, Ip=113.9, n_teeth=328, base_diameter=2 * 0.5081337429110, pr_angle=angle
    )
    pinion = rs.GearElement(
        n=0, m=5.0, Id=0.002, Ip=0.004, n_teeth=23, base_diameter=2 * 0.0356313295334, pr_angle=angle
    )
    one = rs.Rotor(
        shaft([(0.1, 0.3), (4.24, 0.3), (1.16, 0.22), (0.3, 0.22)]),
        [
            journal(0),
            rs.DiskElement(n=1, m=525.7, Id=16.1, Ip=32.2),
            rs.DiskElement(n=2, m=116.04, Id=3.115, Ip=6.23),
            wheel,
        ],
        [bearing(0, 183.9e6, 200.4e6, 1e8), bearing(3, 183.9e6, 200.4e6)],
    )
    other = rs.Rotor(
        shaft([(0.3, 0.15), (5.0, 0.15), (0.1, 0.15)]),
        [pinion, rs.DiskElement(n=2, m=7.45, Id=0.0745, Ip=0.149), journal(3)],
        [bearing(1, 10.1e6, 41.6e6, 1e8), bearing(3, 10.1e6, 41.6e6)],
    )
    return rs.MultiRotor(
        one, other, coupled_nodes=(4, 0), gear_mesh_stiffness=1e8, orientation_angle=0.0, position="below"
    )


def poles(rotor: Any, speed: float, most: float) -> list[list[float]]:
    """Frequencies [Hz] and logarithmic decrements of the damped modes up to a frequency, ascending."""
    found = rotor.run_modal(speed, num_modes=2 * rotor.ndof, sparse=False)
    pairs = sorted(zip(found.wd / (2 * math.pi), found.log_dec, strict=True))
    return [[float(f), float(d)] for f, d in pairs if 1e-3 < f <= most]


def unbalance(rotor: Any, node: int, amount: float, phase: float, speeds: list[float]) -> list[list[float]]:
    """Amplitude [m] and phase [deg] of x and y of the node under its own unbalance, one row a speed."""
    found = rotor.run_unbalance_response(node, amount, phase, frequency=np.array(speeds)).forced_resp
    dof = rotor.number_dof * node
    return [
        [float(v) for c in (0, 1) for v in (abs(found[dof + c, i]), math.degrees(np.angle(found[dof + c, i])))]
        for i in range(len(speeds))
    ]


def mesh(rotor: Any, speeds: list[float], order: float, error: float, nodes: tuple[int, ...]) -> list[list[float]]:
    """Amplitudes [m] of x and y of some nodes under a transmission error [m] at the mesh frequency, from ROSS's own matrices."""
    found = []
    line = rotor.coupling_matrix()
    row = line[0] / math.sqrt(line[0, 0])  # the matrix is the square of one row
    places = [*rotor.mesh.driving_gear.dof_global_index.values(), *rotor.mesh.driven_gear.dof_global_index.values()]
    load = np.zeros(rotor.ndof)
    load[places] = rotor.mesh.stiffness * error * row
    for speed in speeds:
        q = rotor.transfer_matrix(speed=speed, frequency=order * speed) @ load
        found.append([float(abs(q[rotor.number_dof * n + c])) for n in nodes for c in (0, 1)])
    return found


def numbers(rs: Any) -> dict[str, Any]:
    """All that ``test_ross.py`` compares with."""
    shaft, pair = high_speed(rs, DAMPING), geared(rs)
    return {
        "shaft": {str(w): poles(shaft, w, 500.0) for w in SPEEDS},
        "shaft_unbalance": unbalance(shaft, len(LENGTHS), UNBALANCE, PHASE, [400.0, 900.0, 1100.0]),
        "pair": {str(w): poles(pair, w, 180.0) for w in (0.0, *PAIR_SPEEDS)},
        "pair_unbalance": unbalance(pair, 2, 5e-3, PHASE, list(PAIR_SPEEDS)),
        "pair_mesh": mesh(pair, list(PAIR_SPEEDS), 328.0, 1e-6, (4, 5)),
    }


def imported() -> Any:
    """ROSS, or None where it is not, or does not fit its own plotting library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import ross
        except Exception:
            return None
    return ross


if __name__ == "__main__":
    print(json.dumps(numbers(imported()), indent=1))
