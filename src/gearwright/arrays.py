"""Types of arrays of numbers, as annotations name them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: real numbers in double precision
Float = NDArray[np.float64]
