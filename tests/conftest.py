"""One thread of linear algebra in every process of the tests, before NumPy is read.

Workers of pytest share the processors already: threads of OpenBLAS that wait for each other take ten times the time of one.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
