"""``gearwright machine``: rated point, poles, dips and damping of an electrical machine."""

from __future__ import annotations

from typing import Any

import typer

from gearwright.console import Fidelity, File, Json, Set, mendable, number, print_figures, say, table

_POINT = {
    "slip": ("slip", 1.0), "shaft_power": ("power of the shaft kW", 1e-3), "electrical_power": ("power into the grid kW", 1e-3),
    "stator_power": ("of it by the stator kW", 1e-3), "rotor_power": ("of it by the rotor kW", 1e-3),
    "reactive_power_taken": ("reactive power taken kvar", 1e-3), "stator_current_rms": ("stator current A rms", 1.0),
    "rotor_current_rms": ("rotor current A rms", 1.0), "rotor_voltage_pu": ("rotor voltage p.u.", 1.0),
    "voltage_peak": ("phase voltage V peak", 1.0), "breakdown_torque": ("breakdown torque kN m", 1e-3),
}  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(machine)


def machine(file: File, set_: Set = None, fidelity: Fidelity = None, json: Json = False) -> None:
    """Show the electrical machine of a file: rated point, poles, voltage dips at constant speed, damping of the train."""
    with mendable():
        from gearwright.analyses.machine import machine_of_file

        found = machine_of_file(file, set_ or (), fidelity)
        if json:
            print_figures(found)
            return
        _tables(found)


def _tables(found: dict[str, Any]) -> None:
    say(f"{found['machine']}: {found['model']}")
    rows = [["torque kN m", number(found["torque"] / 1e3)], ["speed rad/s", number(found["speed"])]]
    rows += [[label, number(found[key] * factor)] for key, (label, factor) in _POINT.items() if key in found]
    table("Rated point", ["", ""], rows)
    if found["poles"]:
        rows = [[number(r), number(abs(i)) if i else ""] for r, i in found["poles"] if i >= 0.0]
        table("Poles at constant speed, 1/s", ["real", "+- imaginary"], rows)
    if "step" in found:
        step = found["step"]
        rows = [["63 % after, ms", number(1e3 * step["time_63"], 3)], ["inside 2 % after, ms", number(1e3 * step["time_2_percent"], 3)],
                ["overshoot, %", number(100.0 * step["overshoot"], 2)],
                ["linear form off by, % of the step", number(100.0 * step["linear_difference"], 2)],
                ["the same, speed swinging by 2 %", number(100.0 * step["linear_difference_swinging"], 2)]]  # fmt: skip
        table("Reference falls by a fifth, constant speed", ["", ""], rows)
    rows = []
    for code, d in found["dips"].items():
        keys = ("first", "end_of_fault", "highest", "lowest", "lost_impulse_s", "current_peak")
        rows.append([code, *(number(d[k], 3) if k in d else "" for k in keys)])
    table("Voltage dips at constant speed: torque over that before", ["code", "first", "end of fault", "highest", "lowest",
          "lost, s", "current peak"], rows)  # fmt: skip
    if found["modes"]:
        rows = [[m["control"], number(m["frequency_hz"]), number(m["damping_ratio"], 3)] for m in found["modes"]]
        table("First torsional mode", ["control", "Hz", "damping ratio"], rows)


__all__ = ["machine", "register"]
