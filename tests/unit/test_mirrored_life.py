"""A train turned and loaded the other way is its own mirror image: whatever is rated has the same life (C3)."""

from pathlib import Path

import pytest

from gearwright.analyses.life import ToothPart, life_of
from gearwright.results import Result
from gearwright.running.run import simulate
from gearwright.train.open import load

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data"
SHORT = ["cases.0.duration=0.4 s", "life.gears.0.pitting_limit=900 MPa"]
MIRROR = [
    "operating.speed=-47 rpm", "operating.torque=-20 kN m", "cases.0.loads.0.torque=-20 kN m",
    "cases.0.loads.1.torque=-1348.9736070381232 N m", "machines.0.parameters.torque=100 N m",
]  # fmt: skip


def ratings(place, edits):
    simulate(load(DATA / "mirror-train.yaml", [*SHORT, *edits]), "steady", output=place)
    return {(r.element, r.name, r.mode): r for r in life_of(place).components}


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    place = tmp_path_factory.mktemp("mirror")
    return ratings(place / "a.nc", []), ratings(place / "b.nc", MIRROR)


@pytest.mark.slow
def test_the_same_parts_have_the_same_ratings(both):
    """Equal to round-off of two runs: the level bins of the mirrored forces begin elsewhere, so that a force may be read
    half a bin off (1/85 of the swing of a steady force)."""
    one, two = both
    assert set(one) == set(two)
    rated = [key for key, row in one.items() if isinstance(row, ToothPart)]
    assert {key[0] for key in rated} == {
        "p.sun",
        "p.ring",
        "q.pinion",
        "q.wheel",
        *(f"p.planet{i}" for i in range(1, 5)),
    }
    for key, row in one.items():
        assert two[key].damage == pytest.approx(row.damage, rel=1e-4), key
        if key in rated:
            assert two[key].safety == pytest.approx(row.safety, rel=1e-5), key
            assert two[key].largest_stress == pytest.approx(row.largest_stress, rel=1e-6)


def test_flanks_are_damaged_and_no_back_flank_is_listed(both):
    one, _ = both
    pitting = [row for key, row in one.items() if key[2] == "pitting"]
    assert len(pitting) == 4 + 2 * 4 and all(0.0 < row.safety < 100.0 for row in pitting)
    assert one["q.pinion", "", "pitting"].damage > 1.0
    assert {key[1] for key in one if key[2] == "pitting"} == {"", "sun flank", "ring flank"}


def test_a_torque_that_reverses_loads_the_back_flanks(tmp_path):
    """A sine without mean from both ends: both flanks of the pinion see the same forces, half the time each."""
    edits = ["cases.0.duration=2.2 s", "cases.0.discard=0.2 s", "operating.torque=0 N m",
             "cases.0.loads.0.torque={sine: {amplitude: 20 kN m, frequency: 2 Hz}}",
             "cases.0.loads.1.torque={sine: {amplitude: -1266 N m, frequency: 2 Hz}}", "cases.0.loads.1.slope=0 N m s/rad",
             "machines.0.parameters.torque=0 N m"]  # fmt: skip
    rows = ratings(tmp_path / "sine.nc", edits)
    front, back = rows["q.pinion", "", "pitting"], rows["q.pinion", "back flank", "pitting"]
    assert back.cycles == pytest.approx(front.cycles, rel=0.02)
    assert back.safety == pytest.approx(front.safety, rel=0.02)
    place = tmp_path / "sine.nc"
    assert any("both flanks" in note for note in life_of(place).assumed)


def test_an_idler_is_loaded_on_both_flanks(tmp_path):
    """Driving and driven mesh turn an idler in opposite senses: its torques cancel."""
    from gearwright.rating.ratings import _flank_names, _mates
    from gearwright.rating.records import Record
    from gearwright.train.expand import expand

    file = tmp_path / "chain.yaml"
    file.write_text("""
name: chain
bodies: [{name: a, inertia: 1 kg m^2}, {name: b, inertia: 1 kg m^2}, {name: c, inertia: 1 kg m^2}]
elements:
  - {type: mesh, name: ab, between: [a, b], teeth: [20, 30], module: 3 mm, pressure_angle: 20 deg, face_width: 20 mm, stiffness: 1e8 N/m}
  - {type: mesh, name: bc, between: [b, c], teeth: [30, 40], module: 3 mm, pressure_angle: 20 deg, face_width: 20 mm, stiffness: 1e8 N/m}
operating: {input: a, output: c, speed: 100 rpm, torque: 10 N m}
""")
    none = Record("none", {}, 1.0, 1.0, 1.0, "half", 1.0, None)
    idler = _mates(expand(load(file)), none, "b", (30, 3e-3, False))
    assert sorted(sum(idler.values(), [])) == ["a", "c"] and len(idler) == 2
    assert set(_flank_names(idler, "")[0].values()) == {"a flank", "c flank"}


def test_a_model_without_mesh_dynamics_gets_the_factors_of_the_standard(tmp_path):
    """C4: K_v by method B and at least 1.05, K_gamma by the table (1.25 for four planets), K_Hbeta by method C and at least 1.15; each
    is said. With every factor 1 the stress is lower by the root of their product."""
    edits = [*SHORT, "life.gears.0.treatment=through_hardened", "life.gears.0.face_load=null"]
    simulate(load(DATA / "mirror-train.yaml", edits), "steady", output=tmp_path / "a.nc")
    found = life_of(tmp_path / "a.nc")
    said = " / ".join(found.assumed)
    assert "K_v by method B" in said and "at least 1.05" in said and "proof stress" in said
    assert (
        "K_gamma 1.25 of the table for 4 planets" in said and "K_Hbeta by method C of ISO 6336-1, at least 1.15" in said
    )
    ones = [f"life.gears.0.{word}=1" for word in ("K_A", "K_v", "K_gamma", "K_Hbeta", "K_Halpha")]
    simulate(load(DATA / "mirror-train.yaml", [*edits, *ones]), "steady", output=tmp_path / "b.nc")
    bare = life_of(tmp_path / "b.nc")
    told = [words for words in bare.assumed if "K_" in words]
    assert len(told) == 3 and all(
        "1 as given, below the" in words for words in told
    )  # K_v, K_Hbeta, K_gamma of the planets
    rows = [{(r.element, r.name, r.mode): r for r in f.components} for f in (found, bare)]
    for key, least in ((("p.sun", "", "pitting"), 1.25 * 1.05 * 1.15), (("q.pinion", "", "pitting"), 1.05 * 1.15)):
        ratio = (rows[0][key].largest_stress / rows[1][key].largest_stress) ** 2
        assert least * 0.999 <= ratio < 2.5 * least, key


def test_factors_that_are_given_in_former_words_are_taken(tmp_path):
    quiet = ["life.gears.0.application=1", "life.gears.0.dynamic=1", "life.gears.0.mesh_load=1"]
    simulate(load(DATA / "mirror-train.yaml", [*SHORT, *quiet]), "steady", output=tmp_path / "b.nc")
    told = [words for words in life_of(tmp_path / "b.nc").assumed if "K_" in words]
    assert len(told) == 2 and all("1 as given, below the" in words for words in told)  # K_v and K_gamma; K_Hbeta is 1.2


def test_a_law_with_mesh_dynamics_keeps_them_in_the_forces(tmp_path):
    """Law periodic: the run's own K_v stands where it is 1.05 or more; a proven factor has no least value."""
    edits = [*SHORT, "model.law=periodic", "life.gears.0.face_load=null", "life.gears.0.proven=[K_v,K_gamma,K_Hbeta]"]
    edits.append("life.gears.0.proof=gages of the prototype")
    simulate(load(DATA / "mirror-train.yaml", edits), "steady", output=tmp_path / "p.nc")
    said = " / ".join(life_of(tmp_path / "p.nc").assumed)
    assert "K_v" not in said and "K_gamma" not in said and "at least 1" in said


def test_a_brake_that_only_an_event_has_is_no_part_of_the_life(tmp_path):
    """A record with a brake beside one without: both count for all meshes, bearings and shafts; another train is still refused."""
    brake = "elements=[{name: stop, type: brake, between: [generator, housing], capacity: 1 kN m, engaged: false}]"
    for name, edits in (("a", SHORT), ("b", [*SHORT, brake])):
        simulate(load(DATA / "mirror-train.yaml", edits), "steady", output=tmp_path / f"{name}.nc")
    with Result.open(tmp_path / "b.nc") as braked, Result.open(tmp_path / "a.nc") as free:
        assert set(braked.elements("shaft")) - set(free.elements("shaft")) == {"stop"}
    alone = life_of(tmp_path / "a.nc")
    both = life_of(tmp_path / "a.nc", transients={str(tmp_path / "b.nc"): 20.0})
    assert [r.element for r in both.components] == [r.element for r in alone.components]
    with pytest.raises(ValueError, match="different elements"):
        life_of(tmp_path / "a.nc", transients={str(DATA / "version-0.1.0" / "small-pair.nc"): 1.0})
