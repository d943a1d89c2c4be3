"""Brakes of set-ups: on either shaft, in the modal loop and as a row of an engine, with backlash."""

import pytest

import gearwright as gw
from gearwright.errors import DrivetrainError
from gearwright.running.setup import prepare_setup
from gearwright.targets.shared import on_source

BODIES = {"generator": "88.66 kN m", "rotor": "8.6 MN m"}


def stopped(body, tmp_path, method=None, law="linear", extra=(), duration=2.0):
    overrides = [
        f"elements=[{{name: b1, type: brake, between: [{body}, housing], capacity: {{torque: {BODIES[body]}, rise: 0.2 s}}, engaged: false}}]",
        "cases.normal.events=[{at: 0.5 s, type: grid_loss, pitch_delay: 0 s, pitch_rate: 9 deg/s}, {at: 0.5 s, type: brake, on: b1}]",
        "cases.normal.wind={type: steady, mean: 11.4 m/s, shear: 0}",
        "cases.normal.discard=0 s",
        *extra,
    ]
    d = on_source("nrel-5mw", overrides)  # its pages hold for the damping of the source
    return gw.simulate(
        d,
        "normal",
        fidelity="torsional",
        law=law,
        duration=duration,
        method=method,
        output=tmp_path / f"{body}{method}.nc",
    )


@pytest.mark.parametrize("body", ["generator", "rotor"])
def test_modal_loop_and_engine_agree(body, tmp_path):
    modal, row = stopped(body, tmp_path), stopped(body, tmp_path, "explicit")
    assert (modal.method, row.method) == ("coupled", "explicit")
    for name, tolerance in (("main.torque", 0.005), ("brake.torque", 0.002), ("turbine.tower_base_moment_x", 0.01)):
        for which in ("min", "max"):
            a, b = modal.channels[name][which], row.channels[name][which]
            size = max(abs(modal.channels[name]["min"]), abs(modal.channels[name]["max"]))
            assert a == pytest.approx(b, abs=tolerance * size), (name, which)
    assert modal.attributes["work_brake"] == pytest.approx(row.attributes["work_brake"], rel=2e-3)
    # brake torque times angle, known from the torque alone: full capacity after the rise, generator still near rated speed
    assert modal.channels["brake.torque"]["min"] == pytest.approx(
        -{"generator": 88.66e3, "rotor": 8.6e6}[body], rel=1e-9
    )
    assert max(modal.energy_error, row.energy_error) < 1e-8


def test_stop_with_backlash_and_periodic_stiffness(tmp_path):
    soft = [
        f"stages.{s}.mesh.{k}"
        for s in ("stage2", "stage3")
        for k in ("backlash=0.5 mm", "damping={stiffness_proportional: 4e-5 s}")
    ]
    plain = stopped("generator", tmp_path)
    for law, extra in (("linear", soft), ("periodic", ())):
        run = stopped("generator", tmp_path, law=law, extra=extra)
        assert run.method != "coupled"
        # shaft maxima hardly feel backlash (under 1 % in the page) nor the varying stiffness (its own fluctuation: 3 %)
        assert run.channels["main.torque"]["max"] == pytest.approx(plain.channels["main.torque"]["max"], rel=0.03)
        assert run.energy_error < 1e-6


def test_backlash_with_the_damping_of_the_source_is_noted():
    notes = prepare_setup(on_source("nrel-5mw"), "emergency-stop", fidelity="torsional").notes
    assert any("first touch" in note for note in notes)
    shipped = prepare_setup(gw.load("nrel-5mw"), "emergency-stop-backlash", fidelity="torsional")
    assert shipped.brake_element == "hss_brake"
    assert not any("first touch" in note for note in shipped.notes)


def test_brakes_that_cannot_be():
    wrong = ["elements=[{name: b1, type: brake, between: [generator, rotor], capacity: 1 kN m, engaged: false}]",
             "cases.normal.events=[{at: 1 s, type: brake, on: b1}]"]  # fmt: skip
    with pytest.raises(DrivetrainError, match="a body and the housing"):
        prepare_setup(gw.load("nrel-5mw", wrong), "normal", fidelity="torsional")
