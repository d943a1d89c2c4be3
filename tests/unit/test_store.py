"""The recorder and its file: contract, bounded streaming, atomic writing, refusals; the energy book."""

import time
from concurrent.futures import ThreadPoolExecutor

import netCDF4
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gearwright.laws.two_level import two_level
from gearwright.rating.equivalent import damage_equivalent_range
from gearwright.results import (
    Derived,
    EnergyBook,
    Recorder,
    Result,
    ResultError,
    energy_book,
    load_sharing,
)
from gearwright.results.rainflow import rainflow
from gearwright.system import Block, Builder, Channel, Leaps, Provenance, Row, Spring, State, constant
from gearwright.system.channels import CHANNELS as QUANTITIES

INTERVAL = 1e-3
CHANNELS = (
    Channel("mesh", "stage1.sun_planet1", "force", "N", "drive flank", (), True),
    Channel("mesh", "stage1.sun_planet2", "force", "N", "drive flank", (), True),
    Channel("bearing", "stage1.planet1_bearing", "force_y", "N", "on the planet", (), True),
    Channel("bearing", "stage1.planet1_bearing", "force_z", "N", "on the planet", (), True),
    Channel("bearing", "stage1.sun_bearing", "force_y", "N", "on the sun", (), True),
    Channel("machine", "generator", "torque", "N m", "", (), True),
    Channel("machine", "generator", "speed", "rad/s", "", ()),
)
DERIVED = (
    Derived("bearing", "stage1.planet1_bearing", "force", "N", "norm",
            ("stage1.planet1_bearing.force_y", "stage1.planet1_bearing.force_z"), counted=True),
    Derived("machine", "generator", "power", "W", "product", ("generator.torque", "generator.speed")),
    Derived("mesh", "stage1.sun_planet1", "share", "1", "share",
            ("stage1.sun_planet1.force", "stage1.sun_planet2.force")),
)  # fmt: skip


def signals(steps, finer=1):
    """Time and values of all channels: sines of 3 to 5 Hz, far below the pass band; ``finer`` samples an interval."""
    t = INTERVAL * np.arange(finer, finer * steps + 1) / finer
    wave = [np.sin(2 * np.pi * f * t) for f in (3.0, 3.5, 4.0, 4.5, 5.0)]
    x = [1e5 + 1e4 * wave[0], 1.2e5 + 1e4 * wave[1], 3e4 * wave[2], 4e4 + 1e4 * wave[3], wave[4],
         4e4 + 1e3 * wave[0], 120.0 + wave[1]]  # fmt: skip
    return t, np.stack(x, axis=1)


def record(path, steps=4000, chunk=700, derived=DERIVED, energy=None, **options):
    t, x = signals(steps)
    recorder = Recorder(path, CHANNELS, derived, INTERVAL, **options)
    for i in range(0, steps, chunk):
        recorder.append(Block(t[i : i + chunk], x[i : i + chunk]))
    recorder.finish(energy=energy, attributes={"method": "by hand", "wall_s": 1.5})
    return t, x


def test_series_and_statistics(tmp_path):
    path = tmp_path / "run.nc"
    t, x = record(path, store_interval=0.01, attributes={"case": "test", "notes": ["a", "b"], "flag": True})
    with Result.open(path) as result:
        np.testing.assert_allclose(result.time, t[9::10], rtol=1e-12)
        assert result.interval == pytest.approx(0.01)
        sun = result.series("stage1.sun_planet1", "force")
        assert sun.attrs["units"] == "N" and sun.attrs["sign"] == "drive flank"
        np.testing.assert_allclose(sun.values[30:-30], x[9::10, 0][30:-30], rtol=1e-4)
        np.testing.assert_array_equal(result.series("stage1.sun_planet1.force").values, sun.values)
        np.testing.assert_array_equal(result.series("mesh", "force").values[0], sun.values)
        np.testing.assert_array_equal(result.series("mesh", "force", "stage1.sun_planet1").values, sun.values)
        row = {r.name: r for r in result.table()}["stage1.sun_planet2.force"]
        assert (row.minimum, row.maximum) == pytest.approx((1.1e5, 1.3e5), rel=1e-8)
        assert np.sin(2 * np.pi * 3.5 * row.time_of_maximum) == pytest.approx(1.0, abs=1e-4)
        assert row.mean == pytest.approx(x[:, 1].mean(), rel=1e-12)
        assert row.standard_deviation == pytest.approx(x[:, 1].std(), rel=1e-9)
        cycles = rainflow(signals(4000, 50)[1][:, 1], "half")
        for m in (3, 4, 6, 8, 10, 12):
            assert row.equivalents[m] == pytest.approx(damage_equivalent_range(cycles, m, duration=4.0), rel=1e-6)
        attributes = result.attributes
        assert (attributes["case"], attributes["method"], attributes["flag"]) == ("test", "by hand", 1)
        assert attributes["notes"] == '["a", "b"]'
        assert attributes["residue"] == "half" and attributes["counted_duration_s"] == pytest.approx(4.0)
        assert "2 mesh" in repr(result) and "every 0.01 s" in repr(result)


def test_spectra_of_cycles_and_levels_are_in_the_file(tmp_path):
    _, x = record(tmp_path / "run.nc")
    with Result.open(tmp_path / "run.nc") as result:
        d = result.dataset
        counted = d["mesh_force_cycles"].sel(mesh="stage1.sun_planet1").values
        edges = d["mesh_force_cycles_edge"].sel(mesh="stage1.sun_planet1").values
        cycles = rainflow(x[:, 0])
        np.testing.assert_allclose(counted, np.histogram(cycles.ranges, edges, weights=cycles.counts)[0])
        assert d["mesh_force_duration"].sel(mesh="stage1.sun_planet1").sum() == pytest.approx(4.0)
        assert d["mesh_force_duration"].attrs["units"] == "s"
        low, _, high = result.envelope("stage1.sun_planet1", "force")
        assert (low.values.min(), high.values.max()) == pytest.approx((9e4, 1.1e5), rel=1e-7)


def test_series_that_are_stored_as_they_come(tmp_path):
    """One chunk of many pieces without a filter: every stored sample is the one that was given."""
    path = tmp_path / "run.nc"
    t, x = record(path, steps=5000, chunk=5000)
    with Result.open(path) as result:
        np.testing.assert_allclose(result.time, t, rtol=1e-12)
        for i, channel in enumerate(CHANNELS):
            np.testing.assert_allclose(result.series(channel.name).values, x[:, i], rtol=1e-6)  # single precision


def test_derived_channels(tmp_path):
    _, x = record(tmp_path / "run.nc", precision="double")
    with Result.open(tmp_path / "run.nc") as result:
        force = np.hypot(x[:, 2], x[:, 3])
        np.testing.assert_allclose(result.series("stage1.planet1_bearing", "force"), force, rtol=1e-12)
        np.testing.assert_allclose(result.series("generator", "power"), x[:, 5] * x[:, 6], rtol=1e-12)
        share = result.series("stage1.sun_planet1", "share").values
        np.testing.assert_allclose(share, 2 * x[:, 0] / (x[:, 0] + x[:, 1]), rtol=1e-12)
        row = {r.name: r for r in result.table()}["stage1.planet1_bearing.force"]
        fine = signals(4000, 50)[1]
        assert row.maximum == pytest.approx(np.hypot(fine[:, 2], fine[:, 3]).max(), rel=1e-7) and 4.0 in row.equivalents
        sharing = result.load_sharing("stage1.sun_planet")
        np.testing.assert_allclose(sharing.share[0], share, rtol=1e-12)
        # an element without a quantity has no channel of it
        assert "stage1.sun_bearing.force_z" not in result.channels
        assert "stage1.sun_bearing.force_y" in result.channels
        assert np.isnan(result.series("bearing", "force_z").sel(bearing="stage1.sun_bearing")).all()


def test_discarded_start(tmp_path):
    _, x = record(tmp_path / "run.nc", discard=1.0)
    with Result.open(tmp_path / "run.nc") as result:
        row = result.table()[0]
        assert row.mean == pytest.approx(x[1000:, 0].mean(), rel=1e-12)
        assert result.attributes["counted_duration_s"] == pytest.approx(3.0)
        assert len(result.time) == 4000
        assert result.psd("stage1.sun_planet1", "force").frequency[-1] == pytest.approx(500.0)


def test_a_run_shorter_than_the_discarded_start(tmp_path):
    record(tmp_path / "run.nc", steps=500, discard=1.0)
    with Result.open(tmp_path / "run.nc") as result:
        assert np.isnan(result.table()[0].mean) and result.attributes["counted_duration_s"] == 0.0


def test_file_library_keeps_no_more_than_a_chunk_of_every_series(tmp_path):
    t, x = signals(200)
    recorder = Recorder(tmp_path / "run.nc", CHANNELS, (), INTERVAL, memory_limit=1)  # chunks of 16 samples
    for i in range(0, 200, 50):
        recorder.append(Block(t[i : i + 50], x[i : i + 50]))
    for name in ("time", "mesh_force", "machine_speed"):
        assert recorder._file[name].get_var_chunk_cache()[0] <= 16 * 8
    recorder.finish()


def test_streaming_in_small_memory_gives_the_same_series(tmp_path):
    record(tmp_path / "a.nc", store_interval=0.005)
    record(tmp_path / "b.nc", store_interval=0.005, chunk=333, memory_limit=1e4)
    with Result.open(tmp_path / "a.nc") as a, Result.open(tmp_path / "b.nc") as b:
        np.testing.assert_allclose(a.series("mesh", "force"), b.series("mesh", "force"), rtol=1e-6)
        np.testing.assert_array_equal(a.time, b.time)


def test_target_is_whole_or_untouched(tmp_path):
    path = tmp_path / "run.nc"
    path.write_text("old")
    t, x = signals(100)
    recorder = Recorder(path, CHANNELS, (), INTERVAL, memory_limit=1)
    recorder.append(Block(t, x))
    recorder.append(Block(t + 0.1, x))
    deadline = time.monotonic() + 60.0  # the file is written beside the caller
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 2
    recorder.finish()
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]
    with pytest.raises(ResultError, match="closed"):
        recorder.append(Block(t, x))


def test_what_was_computed_survives_an_exception(tmp_path):
    t, x = signals(100)
    with pytest.raises(RuntimeError, match="row 7"), Recorder(tmp_path / "run.nc", CHANNELS, (), INTERVAL) as recorder:
        recorder.append(Block(t, x))
        raise RuntimeError("diverged at row 7")
    with Result.open(tmp_path / "run.nc") as result:
        assert result.incomplete == "diverged at row 7" and "incomplete" in repr(result)
        assert len(result.time) == 100


def test_nothing_computed_leaves_no_file(tmp_path):
    assert Recorder(tmp_path / "run.nc", CHANNELS, (), INTERVAL).abort("stopped") is None
    assert list(tmp_path.iterdir()) == []


def test_a_value_that_is_not_finite_is_named_and_ends_the_file(tmp_path):
    t, x = signals(100)
    x[42, 2] = np.nan
    message = r"stage1\.planet1_bearing\.force_y is not finite at 0\.043 s"
    recorder = Recorder(tmp_path / "run.nc", CHANNELS, (), INTERVAL)
    recorder.append(Block(t, x))
    with pytest.raises(ResultError, match=message):
        recorder.finish()
    with Result.open(tmp_path / "run.nc") as result:
        assert "not finite" in result.incomplete and len(result.time) == 42
    recorder = Recorder(tmp_path / "run.nc", CHANNELS, (), INTERVAL)
    recorder.append(Block(t, x))
    with pytest.raises(ResultError, match=message):
        recorder.append(Block(t + 0.1, x))
    assert recorder.abort("stopped") == tmp_path / "run.nc"


def test_refusals(tmp_path):
    path = tmp_path / "run.nc"
    with pytest.raises(ResultError, match="whole multiple"):
        Recorder(path, CHANNELS, (), INTERVAL, 0.0015)
    with pytest.raises(ResultError, match="two channels"):
        Recorder(path, CHANNELS[:1] * 2, (), INTERVAL)
    with pytest.raises(ResultError, match=r"'nothing\.torque', which is not among"):
        Recorder(path, CHANNELS, [Derived("shaft", "s", "power", "W", "product", ("nothing.torque",))], INTERVAL)
    with pytest.raises(ResultError, match="in kN, other elements"):
        Recorder(path, [*CHANNELS, Channel("mesh", "m", "force", "kN", "", ())], (), INTERVAL)
    with pytest.raises(ResultError, match="kind 'gear'"):
        Recorder(path, [Channel("gear", "m", "force", "N", "", ())], (), INTERVAL)
    with pytest.raises(ValueError, match="norm, product, share"):
        Derived("mesh", "m", "x", "N", "sum", ("a",))
    t, x = signals(100)
    recorder = Recorder(path, CHANNELS, (), INTERVAL)
    with pytest.raises(ResultError, match="does not fit 7 channels"):
        recorder.append(Block(t, x[:, :3]))
    recorder.append(Block(t, x))
    with pytest.raises(ResultError, match=r"expected 0\.101 s"):
        recorder.append(Block(t, x))


def test_cut_off_foreign_and_other_versions(tmp_path):
    path = tmp_path / "run.nc"
    record(path)
    data = path.read_bytes()
    (tmp_path / "cut.nc").write_bytes(data[: len(data) // 2])
    with pytest.raises(ResultError, match=r"cut\.nc: not a readable result file"):
        Result.open(tmp_path / "cut.nc")
    (tmp_path / "text.nc").write_text("time,force\n0,1\n")
    with pytest.raises(ResultError, match="not a readable result file"):
        Result.open(tmp_path / "text.nc")
    netCDF4.Dataset(tmp_path / "foreign.nc", "w").close()
    with pytest.raises(ResultError, match="not a result of Gearwright"):
        Result.open(tmp_path / "foreign.nc")
    with netCDF4.Dataset(path, "a") as file:
        file.gearwright_format = np.int32(0)
    with pytest.raises(ResultError, match="layout 0 is older"):
        Result.open(path)
    with pytest.raises(ResultError, match="no such file"):
        Result.open(tmp_path / "absent.nc")


def test_names_that_are_not_there_list_what_is(tmp_path):
    record(tmp_path / "run.nc", steps=50)
    with Result.open(tmp_path / "run.nc") as result:
        with pytest.raises(ResultError, match=r"no channel 'stage9\.mesh\.force'; there are stage1\.sun_planet1"):
            result.series("stage9.mesh", "force")
        with pytest.raises(ResultError, match="mesh has no 'torque'; there are force, share"):
            result.series("mesh", "torque")
        with pytest.raises(ResultError, match="no mesh 'x'"):
            result.series("mesh", "force", "x")
        with pytest.raises(ResultError, match="name a quantity of mesh"):
            result.series("mesh")


def test_energy_book_comes_back(tmp_path):
    book = EnergyBook({"input rotor": 10.0, "damping mesh": -9.0, "kinetic": -1.5})
    assert book.closure == -0.5 and book.error == pytest.approx(0.5 / 10.0)  # over the largest work (C16)
    record(tmp_path / "run.nc", steps=50, energy=book)
    with Result.open(tmp_path / "run.nc") as result:
        assert result.energy == book
        assert result.attributes["energy_error"] == pytest.approx(book.error)


def test_load_sharing_of_equal_and_unequal_planets():
    t = np.linspace(0, 1, 101)
    even = load_sharing(np.tile(5.0 + np.sin(t), (3, 1)))
    np.testing.assert_allclose(even.share, 1.0)
    assert even.mean == pytest.approx(1.0) and even.peak == pytest.approx(1.0)
    uneven = load_sharing(np.array([[1.2], [1.0], [0.8]]) * np.full(101, 7.0))
    np.testing.assert_allclose(uneven.factor, 1.2)
    assert uneven.mean == pytest.approx(1.2) and uneven.peak == pytest.approx(1.2)
    assert load_sharing(np.zeros((3, 4))).factor.max() == 1.0


# --- energy ----------------------------------------------------------------------------------------------


def two_masses():
    """Two inertias, a shaft with damping, a torque, a machine with a speed slope."""
    b = Builder()
    b.coordinate("rotor.rotation")
    b.coordinate("machine.rotation")
    b.inertia(30.0, {"rotor.rotation": 1})
    b.inertia(2.0, {"machine.rotation": 1})
    b.signal("torque", constant(100.0))
    b.input("rotor.rotation", "torque")
    b.row("shaft.torsion", {"rotor.rotation": 1, "machine.rotation": -1}, Spring(5e3, 4.0))
    b.row("machine.slope", {"machine.rotation": 1}, Spring(0.0, 20.0, 10.0))
    b.channel("shaft", "shaft", "torque", "N m", "", [], True)
    return b.build(Provenance(), {"rotor.rotation": 10.0, "machine.rotation": 10.0})


def test_energy_book_of_a_run():
    """Work integrated by SciPy beside an independent right-hand side; every term against its own integral."""
    system = two_masses()

    def rate(_, y):
        a, b, va, vb = y[:4]
        shaft, machine = 5e3 * (a - b) + 4.0 * (va - vb), 20.0 * (vb - 10.0)
        return [va, vb, (100.0 - shaft) / 30.0, (shaft - machine) / 2.0,
                100.0 * va, shaft * (va - vb), 4.0 * (va - vb) ** 2, machine * vb, 20.0 * vb**2]  # fmt: skip

    y = solve_ivp(rate, (0, 3), [0, 0, 10, 10, 0, 0, 0, 0, 0], method="DOP853", rtol=1e-11, atol=1e-11).y[:, -1]
    start, end = State.start(system), State.start(system)
    end.t, end.q, end.v = 3.0, y[:2], y[2:4]
    end.input_work[:] = y[4]
    shaft, machine = system.rows.index("shaft.torsion"), system.rows.index("machine.slope")
    end.row_work[[shaft, machine]] = y[5], y[7]
    end.row_heat[[shaft, machine]] = y[6], y[8]
    book = energy_book(system, start, end)
    expected = {
        "input torque": y[4], "damping shaft": -y[6], "machine machine.slope": -y[7],
        "stored": -0.5 * 5e3 * (y[0] - y[1]) ** 2,
        "kinetic": 0.5 * 32.0 * 100.0 - 0.5 * (30.0 * y[2] ** 2 + 2.0 * y[3] ** 2),
    }  # fmt: skip
    assert dict(book.terms) == pytest.approx(expected, rel=1e-12)
    assert book.error < 1e-9
    # heat that the motion did not lose shows
    end.row_heat[shaft] += 1.0
    assert energy_book(system, start, end).closure == pytest.approx(-1.0, rel=1e-4)


def test_a_switch_of_stiffness_is_parametric_work():
    """Half the jump of stiffness times deflection squared (decisions: energy), taken from or given to the motion."""
    b = Builder()
    b.coordinate("wheel.rotation")
    b.inertia(1.0, {"wheel.rotation": 1})
    sense = Row("mesh.phase", {"wheel.rotation": 1.0}, 0.2)
    b.block("mesh", [Row("mesh.drive", {"wheel.rotation": 0.1})], two_level(2e6, 1e6, 0.0, 0.5), [sense])
    system = b.build(Provenance(), {"wheel.rotation": 0.0})
    start = State.start(system, q=np.array([1e-3]))
    end = start.copy()
    end.modes[:] = 1
    book = energy_book(system, start, end)
    assert book.terms["parametric"] == pytest.approx(0.5 * (1e6 - 2e6) * 1e-4**2)
    assert book.closure == pytest.approx(0.0, abs=1e-15)


@pytest.mark.slow
def test_recorders_at_work_at_the_same_time_write_what_each_writes_alone(tmp_path):
    """The library below netCDF takes one thread at a time; recorders have threads of their own."""
    alone = tmp_path / "alone.nc"
    record(alone, chunk=50, memory_limit=1, steps=2000)

    def work(name):
        record(tmp_path / name, chunk=50, memory_limit=1, steps=2000)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [f"{i}.nc" for i in range(4)]))
    with netCDF4.Dataset(alone) as one:
        for i in range(4):
            with netCDF4.Dataset(tmp_path / f"{i}.nc") as other:
                assert set(other.variables) == set(one.variables)
                for name, variable in one.variables.items():
                    np.testing.assert_array_equal(other[name][:], variable[:])


def test_a_folder_that_cannot_be_written_is_told_once_and_ends(tmp_path):
    """Writing goes on beside the caller: the reason arrives with a later chunk, or at the end."""
    (tmp_path / "file").write_text("not a folder")
    t, x = signals(100)
    recorder = Recorder(tmp_path / "file" / "run.nc", CHANNELS, (), INTERVAL, memory_limit=1)
    with pytest.raises((ResultError, OSError)):
        for i in range(4):
            recorder.append(Block(t + 0.1 * i, x))
        recorder.finish()
    with pytest.raises((ResultError, OSError)):
        recorder.abort("no room")


def test_a_leap_of_what_is_not_stored_is_no_leap_of_its_neighbour(tmp_path):
    """A clearance that is watched alone begins at 7; the force beside it stays between 1 and 2."""
    watched = next(
        found
        for quantity in QUANTITIES["mesh"]
        if not (found := Channel("mesh", "stage1.sun_planet1", quantity, "m", "", ())).stored
    )
    recorder = Recorder(tmp_path / "run.nc", (CHANNELS[0], watched), (), INTERVAL)
    lines = np.column_stack([np.linspace(1.0, 2.0, 100), np.full(100, 7.0)])
    opening = Leaps(np.zeros(2, np.int64), np.arange(2), lines[0], lines[0])
    recorder.append(Block(INTERVAL * np.arange(1, 101), lines, opening))
    recorder.finish()
    with Result.open(tmp_path / "run.nc") as result:
        (row,) = result.table()
        assert (row.minimum, row.maximum) == (1.0, 2.0)
