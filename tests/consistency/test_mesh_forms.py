"""Law periodic by its forms in whole gearboxes: what a run says of the load of reference, and what the forms share."""

import numpy as np
import pytest

import gearwright as gw

SHORT = ["cases.0.record=[meshes]"]


def run(path, *sets: str, **options):  # type: ignore[no-untyped-def]
    d = gw.load("nrel-5mw-nejad-source", [*SHORT, *sets])
    return gw.simulate(d, "rated", law="periodic", output=path, **{"fidelity": "torsional", "duration": 0.5, **options})


def test_linear_forms_name_their_torque_and_say_where_the_load_left_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rated = run(tmp_path / "a.nc", "model.mesh_form=secant", fidelity="planar")
    said = " ".join(rated.attributes["notes"])
    assert "3945.99 kN m" in said and "left that of reference" not in said
    low = run(
        tmp_path / "b.nc",
        "model.mesh_form=ste",
        "cases.0.loads.0.torque=2000 kN m",
        "cases.0.loads.1.torque=20.756 kN m",
        fidelity="planar",
    )
    said = " ".join(low.attributes["notes"])
    assert "left that of reference by more than 30 %" in said and "more: the stiffness" in said
    assert "left that of reference" in gw.Result.open(low.result_file).attributes["notes"]


def test_the_table_needs_no_reference(tmp_path) -> None:  # type: ignore[no-untyped-def]
    table = run(tmp_path / "c.nc", fidelity="planar")
    assert not any("operating torque" in note for note in table.attributes["notes"])


@pytest.mark.parametrize("form", ["table", "secant", "ste"])
def test_forms_share_the_mean_force_at_rated(form: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """It is that of the torque, 829.5 kN at each planet of the first stage: statics of the train."""
    made = run(tmp_path / "d.nc", f"model.mesh_form={form}", fidelity="planar", duration=1.0)
    with gw.Result.open(made.result_file) as result:
        force = np.asarray(result.dataset["mesh_force"].sel(mesh="stage1.sun_planet1"))
    assert force[len(force) // 2 :].mean() == pytest.approx(829.5e3, rel=0.01)
