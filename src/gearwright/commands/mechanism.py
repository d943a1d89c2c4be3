"""What ``gearwright run`` prints for a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gearwright.console import number, print_figures, say, say_remarks, table, times_real_time

if TYPE_CHECKING:
    from gearwright.schema.file import Drivetrain


def refuse(options: dict[str, Any]) -> None:
    """Options that mean nothing to a mechanism are refused, not ignored."""
    from gearwright.errors import DrivetrainError

    for name, value in options.items():
        if value is not None:
            raise DrivetrainError(f"{name} means nothing to fidelity multibody")


def ran_as_mechanism(drivetrain: Drivetrain, case: str | None, output: Path | None, duration: float | None,
                     method: str | None, tolerance: float | None, fidelity: str | None, law: str | None,
                     json: bool) -> bool:  # fmt: skip
    """Run and print if the drivetrain is a mechanism; whether it was."""
    if (fidelity or drivetrain.model.fidelity) != "multibody":
        return False
    from gearwright.running.mechanism import run_mechanism

    refuse({"--method": method, "--tolerance": tolerance})
    data = run_mechanism(drivetrain, case, duration=duration, output=output, law=law)
    if json:
        print_figures(data)
        return True
    rows = []
    for joint, parts in data["reactions_end"].items():
        for body, part in parts.items():
            if body == "teeth":
                rows.append([f"{joint}, teeth", *(f"{k} {number(v)}" for k, v in part.items()), "", ""])
            else:
                rows.append([f"{joint} on {body}", *(number(x) for x in (*part["force"], *part["moment"]))])
    table("Reactions at the end, global axes, N and N m about the mass centre",
          ["joint", "Fx", "Fy", "Fz", "Mx", "My", "Mz"], rows)  # fmt: skip
    error = data["constraint_error"]
    say(f"{data['degrees_of_freedom']} degrees of freedom, {data['rows']} rows of rank {data['rank']}; largest "
               f"error of a row {error['position']:.1e} m, {error['velocity']:.1e} m/s")  # fmt: skip
    say(f"{data['duration_s']:g} s in {data['wall_s']:.2f} s ({times_real_time(data['real_time_factor'])})")
    say(f"energy error {data['energy_error']:.1e}")
    say_remarks(data)
    say(f"result: {data['result_file']}")
    return True
