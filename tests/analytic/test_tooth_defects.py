"""A tooth that differs meets each of its mates where the geometry puts it; the wind gearbox of S2 runs up."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gearwright as gw
from gearwright.assembly import assemble
from gearwright.laws.tooth_contact import look
from gearwright.results import Result
from gearwright.running.run import simulate
from gearwright.system import State
from gearwright.train.expand import expand
from gearwright.train.open import load

pytestmark = pytest.mark.slow

TEETH = [f"stages.stage1.meshes.{m}.stiffness={{from: analytic}}" for m in ("sun_planet", "ring_planet")]


def _meetings(sets, kind, turns=1.0):
    """Angles of the carrier [rad] at which the tooth that stands out touches, by planet: middle of each meeting.

    The train turns rigidly with its drive flanks 10 um apart, so that only a tooth which stands out by more touches.
    """
    train = expand(load("nordtank-500kw", [*TEETH, *sets]))
    system = assemble(train, "torsional", "tooth_contact")
    state = State.start(system)
    carrier = system.coordinates.index("stage1.carrier.rotation")
    sun = train.ratios["stage1.sun"] - 1.0
    steps = 3_000
    span = turns * 2.0 * math.pi / sun
    touched = {i: [] for i in (1, 2, 3)}
    for angle in span * (np.arange(steps) + 0.5) / steps:
        state.phi[0] = angle / system.u[0, carrier]
        d, _ = state.deflections(system)
        for i in touched:
            block = system.blocks.index(f"stage1.{kind}_planet{i}")
            law, first = system.laws[block], int(system.arrays.lrow[block])
            rows = d[first : first + law.rows + 1].copy()
            rows[0], rows[1] = -10e-6, -1.0
            if len(look(law, rows).force):
                touched[i].append(angle)
    found = {}
    for i, angles in touched.items():
        angles = np.array(angles)
        ends = np.flatnonzero(np.diff(angles) > 5.0 * span / steps)
        parts = np.split(angles, ends + 1)
        found[i] = [0.5 * (p[0] + p[-1]) for p in parts if 0.5 * (p[0] + p[-1]) < span]
    return found, sun


def test_a_tooth_of_the_sun_meets_each_planet_where_it_stands():
    """Seen from the carrier the sun turns by 120 degrees between two planets; the tooth is at the planet's azimuth then."""
    found, sun = _meetings(["stages.stage1.meshes.sun_planet.pitch_error={sun: {tooth: 5, deviation: 30 um}}"], "sun")
    assert all(len(meetings) == 1 for meetings in found.values())
    at = {i: sun * meetings[0] for i, meetings in found.items()}  # of the sun against the carrier
    for i, azimuth in ((2, 120.0), (3, 240.0)):
        turned = math.degrees(at[i] - at[1])
        # the sign is that of the turning: planets in the order in which the sun passes them
        off = min(abs(math.remainder(turned - s * azimuth, 360.0)) for s in (1.0, -1.0))
        assert off < 0.4  # steps of 0.12 degrees


def test_a_tooth_of_a_planet_meets_sun_and_ring_half_a_turn_apart():
    sets = ["stages.stage1.meshes.{}.pitch_error={{planet: {{tooth: 0, deviation: 30 um}}}}"]
    first, sun = _meetings([sets[0].format("sun_planet")], "sun", 2.0)
    second, _ = _meetings([sets[0].format("ring_planet")], "ring", 2.0)
    # of the planet against the carrier; it turns 20/35 of the sun. The loaded flank of a tooth at the sun is the other one
    # at the ring: half a turn less a tooth thickness or so of the 35 teeth, by where on the paths the meetings lie
    ratio = sun * 20.0 / 35.0
    for i in (1, 2, 3):
        turned = math.degrees(ratio * (second[i][0] - first[i][0]))
        assert abs(abs(math.remainder(turned, 360.0)) - 180.0) < 360.0 / 35.0


def test_a_spall_on_the_sun_is_felt_three_times_a_turn(tmp_path):
    """In a run: the mesh forces of all three planets against those of sound teeth, once a relative turn of the sun each."""
    pit = "{sun: {tooth: 5, pit: {depth: 40 um, start: 206 mm, end: 214 mm}}}"
    times = {}
    runs = {}
    for name, sets in (("sound", ()), ("spall", [f"stages.stage1.meshes.sun_planet.pitch_error={pit}"])):
        run = simulate("nordtank-500kw", law="tooth_contact", duration=0.5, tolerance=1e-3, output=tmp_path / f"{name}.nc",
                       overrides=[*TEETH, "cases.0.output_interval=5e-4 s", *sets])  # fmt: skip
        assert run.energy_error < 1e-5
        with Result.open(run.result_file) as result:
            runs[name] = [np.asarray(result.series(f"stage1.sun_planet{i}.force").values) for i in (1, 2, 3)]
            time = np.asarray(result.time)
    for i, (sound, spall) in enumerate(zip(runs["sound"], runs["spall"], strict=True)):
        change = np.abs(spall - sound)
        times[i] = time[int(np.argmax(change))]
        assert change.max() > 0.05 * sound.mean()
    # the sun turns against the carrier with 91/20 of its speed: 2.86 rad/s, a third of a turn apart (any order)
    turn = 2.0 * math.pi / (2.86 * 91.0 / 20.0)
    apart = np.array(sorted(times.values())) % (turn / 3.0)
    circular = np.abs(np.exp(2j * np.pi * apart / (turn / 3.0)).mean())
    assert circular > 0.95


def test_the_wind_gearbox_runs_up_by_its_controller(tmp_path):
    """S2 5.2 in short: from 150 to 300 rpm of the generator in half a second, against one rigid inertia on the same PID."""
    ramp = "{ramp: {from: 149.985 rpm, to: 299.97 rpm, at: 0.1 s, over: 0.5 s}}"
    run = gw.simulate("wind-gearbox-hertz", "run-up", duration=0.7, output=tmp_path / "up.nc",
                      overrides=[f"cases.run-up.loads.1.control.speed={ramp}"])  # fmt: skip
    assert run.energy_error < 1e-6
    with Result.open(run.result_file) as result:
        time = np.asarray(result.time)
        speed = np.asarray(result.series("generator.speed").values) * 30.0 / math.pi
        assert speed[0] == pytest.approx(149.985, rel=0.01)
        rotor = np.asarray(result.series("rotor.speed").values) * 30.0 / math.pi
        assert speed[-1] / rotor[-1] == pytest.approx(149.985, rel=0.02)
    system = assemble(expand(load("wind-gearbox-hertz")))
    u = system.u[0] / system.u[0, system.coordinates.index("generator.rotation")]
    inertia, rotor_torque = float(u @ (system.mass @ u)), 700e3 * float(u[system.coordinates.index("rotor.rotation")])

    def right(t, y):
        wanted = (149.985 + 149.985 * min(max((t - 0.1) / 0.5, 0.0), 1.0)) * math.pi / 30.0
        torque = 100.0 * (wanted - y[0]) + y[1]
        held = min(max(torque, -20e3), 20e3)
        return [(rotor_torque + held) / inertia, 300.0 * (wanted - y[0]) + (held - torque) * 300.0 / 100.0]

    start = [149.985 * math.pi / 30.0, -rotor_torque]
    exact = solve_ivp(right, (0.0, time[-1]), start, t_eval=time, rtol=1e-8, max_step=0.01).y[0] * 30.0 / math.pi
    # shafts that twist swing about it, and begin without the twist of the ramp
    assert speed == pytest.approx(exact, rel=0.03)
    meshes = [m for m in run.channels if m.endswith(".contact_pressure")]
    assert len(meshes) == 8 and all(1e8 < run.channels[m]["max"] < 2e9 for m in meshes)
