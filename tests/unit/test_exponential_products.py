"""Products in registers against numpy, for every width and number of vectors; answers to leaps against quadrature."""

from __future__ import annotations

from ctypes import POINTER, c_double

import numpy as np
import pytest

from gearwright.solve.exponential.products import product, products


def address(array: np.ndarray):  # type: ignore[no-untyped-def]
    return array.ctypes.data_as(POINTER(c_double))


@pytest.mark.parametrize("n", [8, 16, 24, 40, 64])
@pytest.mark.parametrize("lines", [0, 1, 3, 10, 29])
def test_products_are_those_of_matrices(n: int, lines: int) -> None:
    rng = np.random.default_rng(n + lines)
    matrix, base, x = rng.normal(size=(lines, n)), rng.normal(size=n), rng.normal(size=(7, lines + 2))
    out = np.zeros(n)
    product.ctypes(address(out), address(base), address(matrix), n, address(x), lines)
    assert np.allclose(out, base + x[0, :lines] @ matrix, rtol=1e-13, atol=1e-13)
    for count in (1, 2, 3, 4, 7):
        many = np.full((7, n + 8), np.nan)
        width = n - 8 if n > 8 else n
        products.ctypes(
            address(many), n + 8, address(base), address(matrix), width, n, address(x), lines + 2, lines, count
        )
        assert np.allclose(many[:count, :width], (base + x[:count, :lines] @ matrix)[:, :width], rtol=1e-13, atol=1e-13)
        assert np.isnan(many[count:]).all() and np.isnan(many[:, width:]).all()
