"""Compiled functions: what Python passes and gets, files of machine code, and the second process that makes them."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

from gearwright.kernels import force, hot, kernel, signature

#: after which a process is lost, however busy the machine is [s]
PATIENCE = 600.0

LAW_WITH_MEMORY = """
import numpy as np
from gearwright.kernels import force

@force
def soft(t, d, dv, p, z, s, mode, f, zd):
    room = np.zeros(3)
    room[0] = d[0]
    f[0] = room[0]
"""


class Pair(NamedTuple):
    left: np.ndarray
    right: float


@hot
def twice(x):
    return 2.0 * x


@kernel
def mixed(pair, matrix, number, flag, more):
    """Writes to both arrays of the tuples and returns a tuple of numbers of three kinds."""
    pair.left[0] = twice(pair.right)
    more[0][1] = matrix[1, 0]
    return number + matrix.shape[1], matrix[0, 1] * pair.right, flag


@kernel
def nothing(x):
    x[0] = 1.0


def test_arguments_arrive_and_results_return():
    left, other = np.zeros(2), np.zeros(3, np.int64)
    matrix = np.array([[1.0, 2.0, 3.0], [7.0, 8.0, 9.0]])
    assert mixed(Pair(left, 1.5), matrix, 4, True, (other, 1)) == (7, 3.0, 1)
    assert left[0] == 3.0 and other.tolist() == [0, 7, 0]
    # another order in memory is another machine code with the same answer; numpy's numbers are numbers
    assert mixed(Pair(left, np.float64(1.5)), np.asfortranarray(matrix), np.int32(4), False, (other, 1)) == (7, 3.0, 0)
    assert mixed(Pair(left, 1.5), np.hstack([matrix, matrix])[:, ::2], 4, True, (other, 1)) == (7, 4.5, 1)
    assert nothing(left) is None and left[0] == 1.0
    assert twice(np.float64(4.0)) == 8.0


def test_what_is_no_number_is_named():
    with pytest.raises(TypeError, match="not str"):
        nothing("x")


def test_a_signature_with_an_unknown_word_is_refused():
    with pytest.raises(ValueError, match="there is no int; use nothing, real"):
        signature("nothing(real, int)")


def test_memory_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "own_law.py").write_text(LAW_WITH_MEMORY)
    sys.path.insert(0, str(tmp_path))
    try:
        import own_law

        with pytest.raises(ValueError, match=r"'soft' .*may not allocate"):
            own_law.soft.address  # noqa: B018
    finally:
        sys.path.remove(str(tmp_path))


def _made(folder):
    return {p.name: p.stat().st_mtime_ns for p in folder.rglob("*.o")}


PROGRAM = """
import numpy as np
from gearwright.results.counter_kernels import count_series
x = np.array([0.0, 3.0, 1.0, 2.0, 0.0])
print(count_series(x, np.zeros(5), np.zeros(5), np.zeros(7)))
import sys
print("numba" in sys.modules)
"""


def _program(folder):
    done = subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, "GEARWRIGHT_CACHE_DIR": str(folder)},
                          capture_output=True, text=True, check=True, timeout=PATIENCE)  # fmt: skip
    return done.stdout.splitlines()


@pytest.mark.slow
def test_machine_code_is_loaded_without_numba_and_made_again_when_damaged(tmp_path):
    # 0 3 1 2 0: the four-point rule closes 1-2 and leaves 0 3 0
    assert _program(tmp_path) == ["(1, 3)", "True"]
    first = _made(tmp_path)
    assert len(first) == 1
    assert _program(tmp_path) == ["(1, 3)", "False"]
    assert _made(tmp_path) == first
    (path,) = tmp_path.rglob("*.o")
    whole = path.read_bytes()
    flipped = bytes([whole[200] ^ 0xFF])  # A10: another byte, whatever the compiler wrote there
    for damaged in (whole[:-100], whole[:200] + flipped + whole[201:], b""):
        assert damaged != whole
        path.write_bytes(damaged)
        assert _program(tmp_path) == ["(1, 3)", "True"]
        assert path.read_bytes()[32:40] == whole[32:40]
    assert not [p for p in tmp_path.rglob("*") if p.suffix not in (".o", ".lock") and p.is_file()]


AHEAD = """
import numpy as np
from gearwright.results import counters, filter
from gearwright.kernels import ahead
ahead._processors = lambda: 2
tasks = counters.Counters(2, [0], [4.0], "half").compiled() + filter.Decimator(10, 2).compiled()
assert ahead.ahead(tasks)
assert [p.wait(600) for p in ahead._started] == [0, 0]
assert not ahead.ahead(tasks)
"""


@pytest.mark.slow
def test_two_processes_compile_ahead(tmp_path):
    env = {**os.environ, "GEARWRIGHT_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", AHEAD], env=env, check=True, timeout=PATIENCE)
    names = sorted(_made(tmp_path))
    assert [name.rsplit("_", 1)[0] for name in names] == ["gw_count_samples", "gw_weigh"]


@pytest.mark.slow
def test_one_process_waits_for_another_that_compiles_the_same(tmp_path):
    pytest.importorskip("fcntl")
    env = {**os.environ, "GEARWRIGHT_CACHE_DIR": str(tmp_path)}
    both = [subprocess.Popen([sys.executable, "-c", PROGRAM], env=env, stdout=subprocess.PIPE, text=True)
            for _ in range(2)]  # fmt: skip
    said = sorted(p.communicate(timeout=PATIENCE)[0] for p in both)
    assert said[0].startswith("(1, 3)") and said[1].startswith("(1, 3)")
    assert len(_made(tmp_path)) == 1


def test_values_that_a_law_was_made_with_are_part_of_its_machine_code():
    def made(stiffness):
        def spring(t, d, dv, p, z, s, mode, f, zd):
            f[0] = stiffness * d[0]

        return force(spring)

    soft, hard = made(2.0), made(3.0)
    assert soft.address != hard.address
    from ctypes import POINTER, c_double

    for law, expected in ((soft, 8.0), (hard, 12.0)):
        arrays = [np.full(2, 4.0) for _ in range(7)]
        pointers = [a.ctypes.data_as(POINTER(c_double)) for a in arrays]
        law.ctypes(0.0, *pointers[:5], 0, *pointers[5:])
        assert arrays[5][0] == expected


MORE = """
from gearwright.results import counters, filter
from gearwright.kernels import ahead
ahead._processors = lambda: 2
first = counters.Counters(2, [0], [4.0], "half").compiled()
second = filter.Decimator(10, 2).compiled()
assert ahead.ahead(first * 2, more=True)
assert ahead._started[0].poll() is None and ahead.ahead(second)
assert [p.wait(600) for p in ahead._started] == [0, 0]
assert not ahead.ahead(first + second)
"""


@pytest.mark.slow
def test_the_processes_take_functions_until_they_are_told_the_last(tmp_path):
    env = {**os.environ, "GEARWRIGHT_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", MORE], env=env, check=True, timeout=PATIENCE)
    assert [name.rsplit("_", 1)[0] for name in sorted(_made(tmp_path))] == ["gw_count_samples", "gw_weigh"]


EARLY = """
from gearwright.results import filter
from gearwright.kernels import ahead
ahead._processors = lambda: 2
ahead.early()
assert [p.poll() for p in ahead._started] == [None, None]
assert ahead.ahead(filter.Decimator(10, 2).compiled())
assert [p.wait(600) for p in ahead._started] == [0, 0]
ahead.early()
assert len(ahead._started) == 2
"""


@pytest.mark.slow
def test_the_processes_start_early_where_nothing_was_ever_compiled(tmp_path):
    env = {**os.environ, "GEARWRIGHT_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", EARLY], env=env, check=True, timeout=PATIENCE)
    assert [name.rsplit("_", 1)[0] for name in sorted(_made(tmp_path))] == ["gw_weigh"]


LEFT = """
import sys
from gearwright.results import counters, filter
from gearwright.kernels import ahead
ahead._processors = lambda: 2
counting = counters.Counters(2, [0], [4.0], "half")
weighing = filter.Decimator(10, 2)
tasks = counting.compiled() + weighing.compiled()
assert ahead.ahead(tasks)
if sys.argv[1] == "killed":
    for process in ahead._started:
        process.kill()
        process.wait()
for function, arguments in tasks:
    function._entry(function.kinds(*arguments))
print("numba" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("others", "compiler"), [("alive", "False"), ("killed", "True")])
def test_what_other_processes_were_told_is_left_to_them_unless_they_end_without_it(tmp_path, others, compiler):
    env = {**os.environ, "GEARWRIGHT_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", LEFT, others]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == compiler
    assert len(_made(tmp_path)) == 2
