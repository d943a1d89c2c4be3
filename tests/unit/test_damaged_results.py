"""B8: a result file that is not what it was written as is one clear message, wherever it is read."""

import contextlib
import io
import re
import zlib

import netCDF4
import numpy as np
import pytest

import gearwright
from gearwright.analyses.envelope import envelope
from gearwright.analyses.life import life_of
from gearwright.analyses.orders import orders
from gearwright.commands import application
from gearwright.results import Result, ResultError


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "pair.nc"
    gearwright.simulate("spur-pair-hertz", duration=0.1, output=path)
    return path


@pytest.fixture
def copy(sound, tmp_path):
    path = tmp_path / "copy.nc"
    path.write_bytes(sound.read_bytes())
    return path


def command(*words):
    """Exit code and what was said on the error stream."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        code = application(words[0])(list(map(str, words)), prog_name="gearwright", standalone_mode=False)
    return code or 0, said.getvalue()


def everywhere(path, out):
    """The messages of all commands that read a result."""
    for words in (("report", path, "-o", out), ("view", path, "-o", out), ("compare", path, path), ("life", path),
                  ("inspect", path), ("export", path, "-o", out.with_suffix(".csv")),
                  ("orders", path, "--channel", "pair.mesh.force"), ("identify", path, "--channel", "pair.mesh.force")):  # fmt: skip
        yield words[0], command(*words)


@pytest.mark.parametrize(
    "name", ["store_interval_s", "count_interval_s", "discard_s", "counted_duration_s", "gearwright_format"]
)
@pytest.mark.parametrize("value", [None, "text", np.nan, -1.0])
def test_an_attribute_that_is_lost_or_no_number_is_named(copy, name, value):
    with netCDF4.Dataset(copy, "a") as file:
        file.delncattr(name)
        if value is not None:
            file.setncattr(name, value)
    with pytest.raises(ResultError, match=f"{re.escape(str(copy))}.*({name}|layout)"):
        Result.open(copy)


def test_a_lost_part_of_a_series_is_named(copy, tmp_path):
    with netCDF4.Dataset(copy, "a") as file:
        file.renameVariable("mesh_force_statistic", "lost")
    with pytest.raises(ResultError, match="'mesh_force_statistic' is missing"):
        Result.open(copy)
    for name, (code, said) in everywhere(copy, tmp_path / "out.html"):
        if name in ("inspect", "export"):  # they need the series alone
            continue
        assert code == 2 and str(copy) in said and said.count("\n") <= 3, (name, said)
    assert not list(tmp_path.glob("out*")) or not (tmp_path / "out.html").exists()


@pytest.mark.slow
def test_a_flipped_bit_in_a_compressed_block_is_named_when_it_is_read(copy, tmp_path):
    """The block's own checksum (that of zlib) finds it; the rest of the file can be read."""
    content = bytearray(copy.read_bytes())
    with netCDF4.Dataset(copy) as file:
        file.set_auto_mask(False)
        stored = file["mesh_force"][:].astype("<f4")
        chunk = file["mesh_force"].chunking()[1]
    # look for the blocks by undoing their compression: HDF5 stores shuffled bytes of whole chunks, the rest filled up; another
    # variable may hold the same numbers
    found = 0
    for place in [m.start() for m in re.finditer(rb"x\x01", bytes(content))]:
        with contextlib.suppress(zlib.error):
            plain = zlib.decompressobj().decompress(bytes(content[place:]))
            if len(plain) == 4 * chunk:
                values = np.frombuffer(plain, np.uint8).reshape(4, chunk).T.copy().view("<f4").ravel()
                if np.array_equal(values, stored[0][:chunk]):
                    content[place + 40] ^= 4
                    found += 1
    assert found
    copy.write_bytes(content)
    with Result.open(copy) as result:
        assert np.isfinite(result.series("mesh", "deflection").values).all()
        with pytest.raises(ResultError, match="'mesh_force' cannot be read"):
            result.series("mesh", "force").values  # noqa: B018
    for name, (code, said) in everywhere(copy, tmp_path / "out.html"):
        if code:
            assert code == 2 and copy.name in said and said.count("\n") <= 3, (name, said)
    assert command("report", copy, "-o", tmp_path / "out.html")[0] == 2
    assert not (tmp_path / "out.html").exists()


@pytest.mark.slow
def test_facts_that_are_no_json_are_one_message(copy, tmp_path):
    with netCDF4.Dataset(copy, "a") as file:
        file.describe_json = str(file.describe_json)[:100]
    with pytest.raises(ResultError, match="damaged"):
        orders(copy, "pair.mesh.force")
    with pytest.raises(ResultError, match="damaged"):
        envelope(copy, "pair.mesh.force")
    for name, (code, said) in everywhere(copy, tmp_path / "out.html"):
        assert code in (0, 2) and said.count("\n") <= 3, (name, said)


def test_a_truncated_file_is_one_message(copy, tmp_path):
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    with pytest.raises(ResultError, match="cut off"):
        life_of(copy)
    for name, (code, said) in everywhere(copy, tmp_path / "out.html"):
        assert code == 2 and copy.name in said and said.count("\n") <= 3, (name, said)
