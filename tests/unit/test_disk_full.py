"""B10, B15: a disk that is full (here: a limit on the size of files, which every system has) is told as what it is, in one sentence;
nothing half written stays, and what was there before does."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import gearwright
from gearwright.parts import whole
from tests.sweeps import sample, sweep

pytestmark = pytest.mark.slow

#: runs a command of the program where no file may grow beyond so many bytes; the machine code is there already
PROGRAM = """
import resource, sys
sys.argv = ["gearwright", *sys.argv[2:]] if (limit := int(sys.argv[1])) is not None else None
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
from gearwright.cli import main
main()
"""
LONG = ("run", "spur-pair-hertz", "--duration", "0.5")


def command(folder, limit, *words):
    env = {**os.environ, "PYTHONPATH": str(Path(gearwright.__file__).parents[1])}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(limit), *words],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    path = tmp_path_factory.mktemp("result") / "pair.nc"
    gearwright.simulate("spur-pair-hertz", duration=0.5, output=path)
    return path


def told(done, name):
    """One message with the file and the reason of the operating system, exit code 2."""
    assert done.returncode == 2, (done.returncode, done.stderr[-2000:])
    assert done.stderr.count("\n") == 1 and name in done.stderr and "file too large" in done.stderr.lower(), done.stderr


@pytest.mark.parametrize("limit", sweep([0, 1000, 200_000], 3, 2))
def test_run(tmp_path, result, limit):
    """At the begin, in the head, in the middle of the series."""
    assert result.stat().st_size > 300_000
    told(command(tmp_path, limit, *LONG, "-o", "pair.nc"), "pair.nc")
    assert list(tmp_path.iterdir()) == []


def test_the_result_that_was_there_stays(tmp_path, result):
    (tmp_path / "pair.nc").write_bytes(result.read_bytes())
    told(command(tmp_path, 200_000, *LONG, "-o", "pair.nc"), "pair.nc")
    assert [p.name for p in tmp_path.iterdir()] == ["pair.nc"]
    assert (tmp_path / "pair.nc").read_bytes() == result.read_bytes()


@pytest.mark.parametrize(
    "words",
    sweep(sample([
        (words,) for words in (
            ("report", "{}", "-o", "out.html"), ("view", "{}", "-o", "out.html"), ("export", "{}", "-o", "out.csv"), ("export", "{}", "-o", "out.mat"),
            ("export", "{}", "-o", "out.parquet"), ("export", "{}", "-o", "out.outb"), ("export", "{}", "-o", "out.nc"),
            ("life", "{}", "-o", "out.html"), ("compare", "{}", "{}", "-o", "out.html"),
        )
    ], 5), 9, 2),
    ids=lambda words: "-".join(words[::3]),
)  # fmt: skip
def test_pages_and_exports(tmp_path, result, words):
    done = command(tmp_path, 2000, *(w.format(result) for w in words))
    if words[0] == "life" and "not rated" in done.stderr + done.stdout:
        pytest.skip("this file has nothing to rate")
    told(done, words[-1])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_campaign(tmp_path):
    (tmp_path / "c.yaml").write_text(
        "include: [spur-pair-hertz]\nname: c\ncampaigns:\n  - {name: d, case: steady, grid: {duration: [0.4 s, 0.5 s]}}\n"
    )
    done = command(tmp_path, 200_000, "campaign", "c.yaml", "-o", "out")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "file too large" in done.stderr.lower(), (
        done.stderr
    )
    assert not list((tmp_path / "out" / "results").iterdir())


def test_a_library_that_does_not_tell_why(tmp_path):
    """The reason is found by trying; another error of the library is not hidden, and a file is there whole or not at all."""
    with pytest.raises(RuntimeError, match="of its own"), whole(tmp_path / "a") as part:
        part.write_text("half")
        raise RuntimeError("of its own")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match="File too large") as error, whole(tmp_path / "a"):
            raise RuntimeError("NetCDF: HDF error")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert error.value.filename == str(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_file_takes_its_place_when_it_is_whole(tmp_path):
    link, target = tmp_path / "link", tmp_path / "below" / "file"
    link.symlink_to(target)
    with whole(link) as part:
        part.write_text("new")
        assert not target.exists()
    assert target.read_text() == "new" and link.is_symlink()  # the link still points there
