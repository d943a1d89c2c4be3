"""Sparse matrices of models against NumPy's dense ones and SciPy's sparse ones."""

import numpy as np
import pytest
from scipy.sparse import random_array
from scipy.sparse.csgraph import connected_components

from gearwright.system.sparse import Sparse, groups

GENERATOR = np.random.default_rng(5)


@pytest.fixture(params=[(7, 5, 0.4), (1, 3, 0.5), (6, 6, 0.0), (40, 60, 0.1)])
def pair(request):
    """A matrix with empty rows and columns, ours and SciPy's."""
    rows, columns, density = request.param
    theirs = random_array((rows, columns), density=density, rng=GENERATOR, format="csr") * 2.0
    theirs.data -= 1.0
    theirs.sort_indices()
    return Sparse(theirs.data, theirs.indices, theirs.indptr, theirs.shape), theirs


def test_products_are_those_of_scipy_to_the_last_bit(pair):
    """Sums run over the columns in order on both sides."""
    ours, theirs = pair
    rows, columns = ours.shape
    for right in (GENERATOR.normal(size=columns), GENERATOR.normal(size=(columns, 3))):
        assert (ours @ right == theirs @ right).all()
    complex_right = GENERATOR.normal(size=(columns, 2)) + 1j * GENERATOR.normal(size=(columns, 2))
    assert (ours @ complex_right == theirs @ complex_right).all()
    for left in (GENERATOR.normal(size=rows), GENERATOR.normal(size=(2, rows))):
        assert (left @ ours == left @ theirs).all()
    assert (abs(ours).toarray() == abs(theirs.toarray())).all()
    assert (np.abs(ours).toarray() == abs(theirs.toarray())).all()
    assert (ours.T.toarray() == theirs.toarray().T).all()
    assert (ours.scipy.toarray() == theirs.toarray()).all()
    assert (ours.diagonal() == theirs.diagonal()).all()


def test_rows_and_columns_are_picked_as_from_an_array(pair):
    ours, theirs = pair
    dense = theirs.toarray()
    rows = ours.shape[0]
    mask = np.arange(rows) % 2 == 0
    for key in (slice(0, 2), slice(None), [rows - 1, 0, 0], np.zeros(0, int), mask, slice(-1, None)):
        assert (ours[key].toarray() == dense[key]).all()
    assert (ours[rows - 1].toarray() == dense[rows - 1 :]).all()
    assert (ours[:, 1].toarray() == dense[:, [1]]).all()
    assert (ours[:, [2, 0]].toarray() == dense[:, [2, 0]]).all()
    assert ours[rows - 1, 1] == dense[rows - 1, 1]
    assert list(ours[0].indices) == list(np.flatnonzero(dense[0]))
    with pytest.raises(IndexError):
        ours[rows]


def test_shapes_that_do_not_fit_are_refused(pair):
    ours, _ = pair
    with pytest.raises(ValueError, match="cannot multiply"):
        ours @ np.zeros(ours.shape[1] + 1)


def test_entries_by_place():
    made = Sparse.of({(2, 0): 3.0, (0, 1): 2.0, (2, 2): -1.0}, (3, 3))
    assert (made.toarray() == [[0, 2, 0], [0, 0, 0], [3, 0, -1]]).all()


@pytest.mark.parametrize("density", [0.0, 0.02, 0.05, 0.3])
def test_groups_are_the_connected_parts(density):
    links = random_array((40, 40), density=density, rng=GENERATOR, format="csr")
    count, label = connected_components(links, directed=False)
    for given in (Sparse(links.data, links.indices, links.indptr, links.shape), links.toarray()):
        found, number = groups(given)
        assert found == count
        # the same parts, whatever their numbers
        assert len(set(zip(label, number, strict=True))) == count
        assert list(dict.fromkeys(number)) == list(range(count))
