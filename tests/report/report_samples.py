"""A result file as the recorder writes it, with loads that are known in closed form."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import report_trains as trains

from gearwright.figures.record import train_record
from gearwright.results import Derived, EnergyBook, Recorder, Result
from gearwright.system import Block, Channel, Source
from gearwright.train.train import Train

SPEED = 2.325  # rad/s of the rotor
SHARES = (0.98, 1.05, 0.97)  # of the mean tooth force, by planet
SPIKE = 0.6  # part of the mean by which one sample of stage2.mesh rises
YAML = "name: {name}\nsource: S1, Table 3.7\nassumed: [all masses, '<b>bearings</b>']\nnot_claimed: life\n"


def ratios(train: Train) -> dict[str, float]:
    """Speeds of the GRC train for one turn of the rotor: ring fixed, then two pairs."""
    sun = 1 + 99 / 21
    found = {"rotor": 1.0, "stage1.carrier": 1.0, "stage1.ring": 0.0, "stage1.sun": sun, "stage2.wheel": sun}
    found |= {name: 1 - 99 / 39 for name in train.bodies if name.startswith("stage1.planet")}
    found["stage2.pinion"] = found["stage3.wheel"] = -sun * 82 / 23
    found["stage3.pinion"] = found["generator"] = sun * 82 / 23 * 88 / 22
    return found


def write_result(
    path: Path, train: Train, duration: float = 60.0, rate: float = 200.0, name: str = "", prefix: str = "", **more
) -> Path:
    """Loads of the GRC train, turbulent and with mesh harmonics, through the real recorder.

    ``prefix`` goes before every element's name, ``more`` are attributes. The store interval is five steps; one sample of ``stage2.mesh`` is a spike that the filter would lose.
    """
    name = name or train.name
    t = (np.arange(round(duration * rate)) + 1) / rate
    rng = np.random.default_rng(7)
    wind = 1 + 0.12 * np.sin(2 * np.pi * 0.11 * t) + 0.05 * np.cumsum(rng.normal(size=len(t))) / math.sqrt(len(t))
    mesh = 2 * np.pi * 99 * SPEED / (2 * np.pi)
    force, torque, speed = "N", "N m", "rad/s"
    series: list[tuple[str, str, str, str, np.ndarray, bool]] = []
    for kind, mean in (("sun", 310e3), ("ring", 305e3)):
        for i in range(3):
            ripple = 0.03 * np.sin(SPEED * t + 2 * np.pi * i / 3) + 0.02 * np.sin(mesh / 9 * t + i)
            series.append(
                (
                    "mesh",
                    f"stage1.{kind}_planet{i + 1}",
                    "force",
                    force,
                    mean * SHARES[i] * wind * (1 + ripple),
                    True,
                )
            )
    spike = np.zeros_like(t)
    spike[int(0.618 * len(t))] = SPIKE
    for stage, mean in (("stage2", 160e3), ("stage3", 62e3)):
        rough = 1 + 0.05 * np.sin(2 * np.pi * 17.0 * t) + 0.01 * rng.normal(size=len(t))
        series.append(("mesh", f"{stage}.mesh", "force", force, mean * (wind * rough + spike), True))
        spike = 0 * spike
    for bearing in train.bearings:
        for axis, part in (("y", 0.35), ("z", 0.9)):
            size = 120e3 if "planet" in bearing else 80e3
            value = size * part * wind * (1 + 0.04 * np.sin(3 * SPEED * t + len(bearing)))
            series.append(("bearing", bearing, f"force_{axis}", force, value, True))
    for shaft, mean in (("LSS", 322.6e3), ("ISS", 56.5e3), ("IMS", 15.8e3), ("HSS", 3.96e3)):
        if shaft in train.shafts:
            series.append(("shaft", shaft, "torque", torque, mean * wind, True))
    series.append(("machine", "generator", "torque", torque, -3.96e3 * wind, True))
    series.append(("machine", "generator", "speed", speed, SPEED * 81.49 * (1 + 0.004 * wind), False))
    for body in ("rotor", "stage1.carrier", "generator"):
        series.append(
            ("body", body, "speed", speed, SPEED * ratios(train).get(body, 1.0) * (0.97 + 0.03 * wind), False)
        )
    channels = [
        Channel(
            kind,
            element,
            quantity,
            unit,
            "positive in traction" if kind == "mesh" else "",
            ((Source.ONE, 0, 1.0),),
            counted,
        )
        for kind, element, quantity, unit, _, counted in series
    ]
    derived = [
        Derived("bearing", b, "force", force, "norm", (f"{b}.force_y", f"{b}.force_z"), counted=True)
        for b in train.bearings
    ]
    if prefix:  # names that the scheme does not know
        channels = [replace(c, element=prefix + c.element) for c in channels]
        derived = [
            replace(d, element=prefix + d.element, inputs=tuple(prefix + name for name in d.inputs)) for d in derived
        ]
    lines = np.stack([values for *_, values, _ in series], axis=1)
    attributes = {
        "name": name,
        "case": "grc-dynamometer",
        "date": "2026-11-28",
        "fidelity": "planar",
        "law": "linear",
        "method": "exact",
        "method_reason": "every row is linear, 26 coordinates",
        "version": "0.1.0",
        "real_time_factor": 412.0,
        "drivetrain_text": YAML.format(name=name),
        "case_json": json.dumps({"name": "grc-dynamometer", "events": [{"at": 0.3 * duration, "type": "brake"}]}),
        "describe_json": json.dumps({"train": train_record(train), "degrees_of_freedom": 26}),
        "modes_json": json.dumps(
            {
                "frequencies_hz": [0.0, 1.9, 173.2, 421.7, 1016.3],
                "damping_ratios": [None, 0.05, 0.021, 0.013, 0.03],
                "kinds": ["rigid", "shaft", "rotational", "translational", "planet"],
                "energies": [
                    {},
                    {"LSS": 0.71, "HSS": 0.2, "ISS": 0.09},
                    {"stage1.sun_planet1": 0.4, "stage1.sun_bearing": 0.35, "stage2.mesh": 0.25},
                    {"stage1.carrier_bearing": 0.6, "stage1.ring_planet2": 0.4},
                    {"stage1.planet1_bearing": 0.9, "stage1.sun_planet1": 0.1},
                ],
            }
        ),
        "campbell_json": json.dumps(
            {
                "speeds_rpm": [0, 10, 20, 30],
                "frequencies_hz": [[1.9] * 4, [173.2] * 4, [421.7, 421.9, 422.4, 423.2], [1016.3] * 4],
                "lines": [
                    {"name": "1P", "order": 1},
                    {"name": "3P", "order": 3},
                    {"name": "stage1", "order": 99},
                    {"name": "2× stage1", "order": 198},
                    {"name": "stage2", "order": 468.6},
                    {"name": "stage3", "order": 1792.8},
                ],
                "crossings": [
                    {
                        "mode": 3,
                        "line": "stage2",
                        "speed_rpm": 22.18,
                        "frequency_hz": 173.2,
                        "share": 0.25,
                        "margin": -0.001,
                    },
                    {
                        "mode": 4,
                        "line": "stage3",
                        "speed_rpm": 14.1,
                        "frequency_hz": 421.7,
                        "share": 0.01,
                        "margin": -0.364,
                    },
                    {
                        "mode": 3,
                        "line": "stage3",
                        "speed_rpm": 5.8,
                        "frequency_hz": 173.2,
                        "share": 0.25,
                        "margin": -0.739,
                    },
                ],
                "operating_rpm": [18.0, 22.2],
            }
        ),
    }
    recorder = Recorder(
        path, channels, derived, 1 / rate, 5 / rate, discard=duration / 20, attributes=attributes | more
    )
    for start in range(0, len(t), 10_000):
        recorder.append(Block(t[start : start + 10_000], lines[start : start + 10_000]))
    work = 322.6e3 * SPEED * duration
    book = EnergyBook(
        {"input rotor": work, "machine generator": -0.97 * work, "damping mesh": -0.02 * work, "kinetic": -0.01 * work}
    )
    return recorder.finish(energy=book)


def bare_result(path: Path, **attributes: str) -> Result:
    """A result of nothing but facts."""
    import netCDF4

    with netCDF4.Dataset(path, "w") as file:
        file.gearwright_format = np.int32(1)
        times = ("store_interval_s", "count_interval_s", "discard_s", "counted_duration_s", "reference_frequency_hz")
        file.setncatts(dict.fromkeys(times, 1.0) | attributes)
    return Result.open(path)


def grc() -> Train:
    """The GRC train with its ratios."""
    train = trains.three_stage()
    return replace(train, ratios=ratios(train))
