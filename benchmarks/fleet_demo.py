"""A fleet page from two public extracts and ten simulated turbines: ``make fleet-demo``.

La Haute Borne (four turbines, ten-minute power), nine turbines of wind-up (ten-minute power and speed), ten turbines of the set-up ``nrel-5mw`` in winds of their own, two minutes
at 20 samples a second each. Folders ``FOLDER/la-haute-borne``, ``wind-up``, ``simulated`` hold the pages.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import numpy as np

import gearwright as gw
from gearwright import pages

SCADA = Path(__file__).resolve().parents[1] / "tests" / "data" / "scada"
SECONDS, SETTLING = 150.0, 30.0


def simulated(folder: Path) -> None:
    """Ten turbines, 6 to 24 m/s, as tables of 20 rows a second."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(10):
        name = f"S{i + 1:02d}"
        result = folder.parent / f".{name}.nc"
        edits = [
            f"cases.normal.wind.mean={6 + 2 * i} m/s",
            f"cases.normal.wind.seed={i + 1}",
            "cases.normal.record=[machines, turbine]",
        ]
        gw.simulate("nrel-5mw", "normal", fidelity="torsional", duration=SECONDS, output=result, overrides=edits)
        with gw.Result.open(result) as run:
            rows = np.flatnonzero(run.time > SETTLING)
            every = round(0.05 / float(run.time[1] - run.time[0]))
            rows = rows[:: max(every, 1)]
            columns = {
                "time": 1767225600.0 + run.time[rows],
                "generator_speed": run.series("generator.speed").values[rows],
                "generator_torque": -run.series("generator.torque").values[rows],
                "wind_speed [m/s]": run.series("turbine.wind_speed").values[rows],
            }
        result.unlink()
        table = np.column_stack(list(columns.values()))
        formats = ["%.3f", *["%.8g"] * (table.shape[1] - 1)]  # stamps of ten digits before the point
        np.savetxt(folder / f"{name}.csv", table, fmt=formats, delimiter=",", header=",".join(columns), comments="")


def farms(folder: Path) -> dict[str, tuple[Path, str]]:
    """Data and table of turbines of each farm."""
    borne, windup, own = (folder / "data" / name for name in ("la-haute-borne", "wind-up", "simulated"))
    for place, file in ((borne, "la_haute_borne_2014.csv.gz"), (windup, "wind_up_marge_20200227.parquet")):
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(SCADA / file, place)
    simulated(own)
    return {
        "la-haute-borne": (
            borne,
            "turbine,rated_power [kW]\n" + "".join(f"{n},2050\n" for n in ("R80711", "R80721", "R80736", "R80790")),
        ),
        "wind-up": (
            windup,
            "turbine,rated_power [kW],rated_speed [rpm]\n" + "".join(f"MRG_T0{i},1900,1550\n" for i in range(1, 10)),
        ),
        "simulated": (own, "turbine,drivetrain\n" + "".join(f"S{i + 1:02d},nrel-5mw\n" for i in range(10))),
    }


def main(folder: Path) -> None:
    """Count and write the pages."""
    begin = time.perf_counter()
    for name, (data, table) in farms(folder).items():
        turbines = folder / "data" / f"{name}.csv"
        turbines.write_text(table, encoding="utf-8")
        found = gw.fleet(data, turbines, folder / name)
        print(f"{name}: {len(found.turbines)} turbines, {pages.fleet_report(found, folder / name)[0]}")
    print(f"{time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "fleet-demo"))
