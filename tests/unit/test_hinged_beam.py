"""A beam with a hinge (`spline:`) against Timoshenko's beam in closed form (C40: its shear was seen by no test)."""

import numpy as np
import pytest

from gearwright.stiffness.beam import Beam, beam_deformations, deformation_rows, uniform_load

#: a stocky tube: shear gives more than bending
STOCKY = Beam(0.3, 0.25, 0.1)
SLENDER = Beam(3.0, 0.1)


def stiffness(beam, hinge):
    k = np.zeros((12, 12))
    for one in beam_deformations(beam, hinge):
        for row in deformation_rows(beam.length, one):
            k += one.stiffness * np.outer(row, row)
    return k


@pytest.mark.parametrize("beam", [STOCKY, SLENDER])
@pytest.mark.parametrize(("hinge", "free", "turned"), [("second", (7, 8), (11, 10)), ("first", (1, 2), (5, 4))])
def test_tip_of_a_hinged_beam_gives_way_by_bending_and_shear(beam, hinge, free, turned):
    """Clamped at one end, a force at the other, hinged one: w = L^3/(3 E I) + L/(k G A); the hinged slope costs nothing."""
    compliance = beam.length**3 / (3.0 * beam.young * beam.second_moment)
    compliance += beam.length / (beam.shear_coefficient * beam.shear * beam.area)
    k = stiffness(beam, hinge)
    for place in free:
        assert k[place, place] == pytest.approx(1.0 / compliance, rel=1e-12)
    for place in turned:
        assert np.abs(k[place]).max() < 1e-9 * k.max()


@pytest.mark.parametrize("hinge", ["first", "second"])
def test_a_hinged_beam_is_the_plain_one_with_a_slope_set_free(hinge):
    """Static condensation of the textbook matrix: the freed slopes carry no moment."""
    plain, freed = stiffness(STOCKY, None), [4, 5] if hinge == "first" else [10, 11]
    kept = [i for i in range(12) if i not in freed]
    inner = np.linalg.solve(plain[np.ix_(freed, freed)], plain[np.ix_(freed, kept)])
    condensed = plain[np.ix_(kept, kept)] - plain[np.ix_(kept, freed)] @ inner
    np.testing.assert_allclose(stiffness(STOCKY, hinge)[np.ix_(kept, kept)], condensed, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("hinge", ["first", "second"])
def test_a_uniform_load_on_a_propped_beam(hinge):
    """Forces add up to the load and balance about either end; slender: 3/8, 5/8 and L^2/8; stocky: the shear shares evenly."""
    for beam in (STOCKY, SLENDER):
        (force1, moment1), (force2, moment2) = uniform_load(beam, hinge)
        assert force1 + force2 == pytest.approx(beam.length, rel=1e-12)
        # the end forces and moments do the work of the load on a rigid turn about the first end
        assert force2 * beam.length + moment1 + moment2 == pytest.approx(0.5 * beam.length**2, rel=1e-12)
        assert (moment1 if hinge == "first" else moment2) == 0.0
    (force1, moment1), (force2, moment2) = uniform_load(SLENDER, hinge)
    light, moment = (force1, moment2) if hinge == "first" else (force2, moment1)
    assert light == pytest.approx(3.0 / 8.0 * SLENDER.length, rel=2e-3)
    assert abs(moment) == pytest.approx(SLENDER.length**2 / 8.0, rel=2e-3)
