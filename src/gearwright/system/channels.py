"""Every quantity of a channel, stored or derived: its unit, what it is, and whether its cycles and levels are counted.

A channel's own ``sign`` says what is positive, and in which axes, since that depends on its element. Quantities of other
programs and of a user's laws are not listed; they are called what they are named.
"""

from __future__ import annotations

from typing import NamedTuple


class Quantity(NamedTuple):
    """Unit in results, long name, whether it is counted (loads are, motions are not), and whether results have it (what the loop
    only watches, they do not)."""

    unit: str
    long_name: str
    counted: bool = False
    stored: bool = True


def _axes(quantity: str, unit: str, long_name: str, counted: bool = False, axes: str = "xyz") -> dict[str, Quantity]:
    return {f"{quantity}_{a}": Quantity(unit, long_name.format(a), counted) for a in axes}


CHANNELS: dict[str, dict[str, Quantity]] = {
    "mesh": {
        "force": Quantity("N", "mesh force, transverse line of action", True),
        "normal_force": Quantity("N", "mesh force, normal to the teeth", True),
        "drive_force": Quantity("N", "force of the drive flanks, transverse line of action"),
        "coast_force": Quantity("N", "force of the coast flanks, transverse line of action"),
        "axial_force": Quantity("N", "axial force of the teeth", True),
        "tangential_force": Quantity("N", "tangential force of the teeth", True),
        "radial_force": Quantity("N", "radial force of the teeth", True),
        "wedging_force": Quantity("N", "smaller of the forces of both flanks", True),
        "deflection": Quantity("m", "deflection of the drive flanks along the transverse line of action"),
        "coast_deflection": Quantity("m", "deflection of the coast flanks along the transverse line of action"),
        "phase": Quantity("1", "mesh cycles"),
        "centre_distance_change": Quantity("m", "change of the centre distance"),
        **{
            f"tip_clearance{end}": Quantity(
                "m", f"radial clearance of tips to the roots of their mates{where}", False, False
            )
            for end, where in (("", ""), ("_first_end", ", first end of the face"), ("_second_end", ", second end"))
        },
        "centre_shift": Quantity("m", "shift of the centres across their line"),
        "face_tilt_drive": Quantity("1", "tilt of the drive flanks across the face"),
        "face_tilt_coast": Quantity("1", "tilt of the coast flanks across the face"),
        "face_moment": Quantity("N m", "moment of the mesh force about the middle of the face", True),
        "line_load": Quantity("N/m", "largest force per face width", True),
        "face_load_factor": Quantity("1", "face load factor K_Hbeta", True),
        "contact_pressure": Quantity("Pa", "largest Hertz pressure", True),
        "contact_speed": Quantity("m/s", "speed of the contact point along the line of action"),
        "contact_state": Quantity("1", "state of the contact"),
        "friction_power": Quantity("W", "power rubbed away between the flanks"),
        "friction_force": Quantity("N", "force of the mesh losses", True),
        "friction_rate": Quantity("m/s", "rate that the mesh losses oppose"),
        "friction_torque": Quantity("N m", "torque of the mesh losses", True),
        "friction_speed": Quantity("rad/s", "speed that the mesh losses oppose"),
        "loss_force": Quantity("N", "force of the rolling loss", True),
        "loss_power": Quantity("W", "power lost", True),
        "torque_first": Quantity("N m", "torque of the teeth on wheel 1", True),
        "torque_second": Quantity("N m", "torque of the teeth on wheel 2", True),
    },
    "bearing": {
        "force": Quantity("N", "radial bearing force", True),
        **_axes("force", "N", "bearing force along {}", True),
        **_axes("moment", "N m", "bearing moment about {}", True),
        "friction_torque": Quantity("N m", "friction torque", True),
        "slip_speed": Quantity("rad/s", "speed of the body against its support"),
        "loss_power": Quantity("W", "power lost", True),
    },
    "shaft": {
        "torque": Quantity("N m", "torque", True),
        "twist": Quantity("rad", "twist"),
        **_axes("force", "N", "axial force of the section", True, "x"),
        **_axes("shear", "N", "shear force of the section along {}", True, "yz"),
        **_axes("moment", "N m", "bending moment of the section about {}", True, "yz"),
        "holding_torque": Quantity("N m", "torque that holds the body", True),
        "capacity": Quantity("N m", "largest torque that can pass"),
        "slip_speed": Quantity("rad/s", "speed of the first end over the second"),
        "phase": Quantity("1", "state of the clutch or brake: 0 free, 1 slips, 2 locked"),
        "loss_power": Quantity("W", "power lost", True),
    },
    "machine": {
        "torque": Quantity("N m", "torque", True),
        "speed": Quantity("rad/s", "rotational speed"),
        "power": Quantity("W", "mechanical power", True),
        "voltage": Quantity("1", "voltage of the grid, positive sequence [p.u.]"),
        "torque_reference": Quantity("N m", "torque asked for"),
        **_axes("current", "A", "stator current, {} axis, peak", axes="dq"),
        **_axes("rotor_flux", "Wb", "rotor flux, {} axis, peak", axes="dq"),
        "stator_current": Quantity("A", "stator current, peak"),
        "rotor_current": Quantity("A", "rotor current, peak"),
        "rotor_flux": Quantity("Wb", "rotor flux, peak"),
        "stator_power": Quantity("W", "active power of the stator"),
        "reactive_power": Quantity("var", "reactive power"),
        "link_voltage": Quantity("1", "voltage of the direct current link over its nominal one"),
        **_axes("pull", "N", "magnetic pull along {}", axes="yz"),
        "pedal": Quantity("1", "pedal"),
        "forward_speed": Quantity("m/s", "forward speed"),
        "lateral_speed": Quantity("m/s", "lateral speed"),
        "yaw_rate": Quantity("rad/s", "yaw rate"),
        "heading": Quantity("rad", "heading"),
        **_axes("position", "m", "position of the vehicle along {}", axes="xy"),
        "curvature": Quantity("1/m", "curvature of the path"),
        **{
            f"{what}_{side}": Quantity(unit, f"{name}, {side} wheel", counted)
            for side in ("left", "right")
            for what, unit, name, counted in (
                ("drive_force", "N", "drive force of the ground", True),
                ("side_force", "N", "side force of the ground", True),
                ("slip", "1", "slip of the tyre", False),
            )
        },
    },
    "body": {
        "speed": Quantity("rad/s", "rotational speed"),
        "angle": Quantity("rad", "angle of rotation"),
        "deviation": Quantity("rad", "elastic part of the rotation"),
        "acceleration": Quantity("rad/s^2", "rotational acceleration"),
        **{a: Quantity("m", f"displacement along {a}") for a in "xyz"},
        **_axes("tilt", "rad", "tilt about {}", axes="yz"),
        **_axes("speed", "m/s", "speed along {}"),
        **_axes("acceleration", "m/s^2", "acceleration along {}"),
        **_axes("position", "m", "position of the mass centre along {}"),
        **_axes("velocity", "m/s", "velocity of the mass centre along {}"),
        **_axes("spin", "rad/s", "rotational speed about the body's own {}"),
        **_axes("euler", "1", "Euler parameter {}", axes="0123"),
    },
    "turbine": {
        "wind_speed": Quantity("m/s", "wind speed at the hub"),
        "rotor_wind": Quantity("m/s", "wind speed averaged over the rotor"),
        "pitch": Quantity("rad", "pitch angle"),
        "region": Quantity("1", "region of the controller"),
        "torque_reference": Quantity("N m", "generator torque asked for"),
        "electrical_power": Quantity("W", "electrical power", True),
        "thrust": Quantity("N", "rotor thrust", True),
        "tower_fore_aft": Quantity("m", "fore-aft displacement of the tower top"),
        "tower_side_side": Quantity("m", "side-side displacement of the tower top"),
        **_axes("hub_force", "N", "aerodynamic force on the hub along {}", axes="yz"),
        **_axes("hub_moment", "N m", "aerodynamic moment on the hub about {}", True, "yz"),
        **_axes("tower_base_moment", "N m", "moment at the tower base about {}", True, "xy"),
        **_axes("tower_top_moment", "N m", "moment at the tower top about {}", True, "xy"),
        **_axes("shaft_bending", "N m", "bending moment of the main shaft about {}", True, "yz"),
        "voltage": Quantity("1", "voltage of the grid [p.u.]"),
    },
}


def long_name(kind: str, quantity: str) -> str:
    """What a quantity is, in words; of one that is not listed its name."""
    known = CHANNELS.get(kind, {}).get(quantity)
    return quantity.replace("_", " ") if known is None else known.long_name
