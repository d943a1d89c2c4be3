"""Results that are open several times: in any order of opening and closing, and from several threads, in one process.

HDF5 ends the process with a segmentation fault when a file with names in it is opened twice, closed once, and opened again;
so each order runs in a process of its own, and what is read is compared with the file's content as h5py reads it.
"""

import subprocess
import sys

import h5py
import numpy as np
import pytest

import gearwright as gw
from gearwright.results import Result, ResultError, changing
from gearwright.results.file import _HANDLES
from tests.sweeps import sample

BEGIN = """
import sys, threading
from itertools import permutations
from pathlib import Path
import numpy as np
import gearwright as gw
path, folder = Path(sys.argv[1]), Path(sys.argv[2])
from gearwright.campaigns.work import figures
from gearwright.interchange import read
from gearwright.rating.records import read_record
def use(result):
    assert dict(result.attributes)["drivetrain"] and result.table() and result.elements("mesh")
    return result.series("mesh", "force").values
"""
ORDERS = {
    "report of a result that is open": """
with gw.Result.open(path) as r:
    dict(r.attributes)
    gw.write_report(path, folder / "page.html")
    use(r)
gw.write_report(path, folder / "page.html")
""",
    "closed in every order": """
for order in permutations(range(4)):
    held = [gw.Result.open(path) for _ in range(4)]
    first = [use(r) for r in held]
    for k in order:
        held[k].close()
        use(gw.Result.open(path))
        figures(path)
    assert all(np.array_equal(first[0], x, equal_nan=True) for x in first)
""",
    "all readers while one is open": """
a = gw.Result.open(path)
for _ in range(5):
    figures(path)
    with gw.Result.open(path) as b:
        read_record(b, None)
    use(a)
    read(path)
    b.dataset.load()
    with gw.Result.reading(path) as b:
        b.plot("stage1.sun_planet1.force", backend="plotly")
a.close()
use(a)
""",
    "never closed": """
held = [gw.Result.open(path) for _ in range(70)]
for r in held[::2]:
    use(r)
del held
use(gw.Result.open(path))
""",
    "threads": """
wrong = []
def work(k):
    try:
        for i in range(6):
            with gw.Result.open(path) as r:
                use(r)
                if (i + k) % 3 == 0:
                    figures(path)
                r.dataset["bearing_force"].values
    except BaseException as error:
        wrong.append(error)
threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
for t in threads:
    t.start()
gw.simulate("grc-750kw", duration=0.2, output=folder / "other.nc")
for t in threads:
    t.join()
assert not wrong, wrong
""",
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return gw.simulate("grc-750kw", duration=0.2, output=tmp_path_factory.mktemp("run") / "run.nc").result_file


@pytest.mark.slow
@pytest.mark.parametrize("order", sample(ORDERS, 3))
def test_no_order_of_opening_ends_the_process(path, tmp_path, order):
    code = [sys.executable, "-X", "faulthandler", "-c", BEGIN + ORDERS[order] + "\nprint('whole')"]
    done = subprocess.run([*code, str(path), str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout.endswith("whole\n"), done.stderr[-2000:]


def test_all_share_one_handle_and_the_last_closes_it(path):
    a, b = Result.open(path), Result.open(path)
    assert len(_HANDLES) == 1
    with pytest.raises(ResultError, match="open for reading"), changing(path):
        pass
    a.close()
    a.close()
    assert len(_HANDLES) == 1
    series = b.series("stage1.sun_planet1.force")
    b.close()
    assert not _HANDLES
    with h5py.File(path) as file:
        row = [x.decode() for x in file["mesh"]].index("stage1.sun_planet1")
        assert np.array_equal(series.values, file["mesh_force"][row])  # read after closing
        assert dict(a.attributes)["count_interval_s"] == file.attrs["count_interval_s"]
    assert not _HANDLES


def test_a_file_that_took_the_place_of_another_is_not_read_for_it(path, tmp_path):
    copy = tmp_path / "copy.nc"
    copy.write_bytes(path.read_bytes())
    result = Result.open(copy)
    (tmp_path / "new.nc").write_bytes(path.read_bytes())
    (tmp_path / "new.nc").replace(copy)
    assert len(result.time)  # the old one is still there for those who have it open
    with Result.open(copy) as new:
        assert new.file.key != result.file.key
    result.close()
    with pytest.raises(ResultError, match="another file has taken its place"):
        result.time  # noqa: B018
