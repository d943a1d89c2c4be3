"""Each reader finds what the readers of other programs find; the table of docs/files.md is what this test sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import peers

pytestmark = pytest.mark.slow

weio = pytest.importorskip("weio")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, peers.Found]:
    folder = tmp_path_factory.mktemp("peers")
    return {row.format: peers.compare(row, folder) for row in peers.ROWS}


@pytest.mark.parametrize("row", peers.ROWS, ids=lambda row: row.format)
def test_a_reader_agrees_with_the_peer_s(row: peers.Row, found: dict[str, peers.Found]) -> None:
    """Equal to the last digit, but where the peer keeps fewer digits: the docstring of the row says which."""
    assert found[row.format].difference <= row.bound, row.pairs.__doc__


def test_the_table_of_the_docs_is_what_is_found(found: dict[str, peers.Found]) -> None:
    page = (peers.ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    written = page.split(peers.BEGIN)[1].split(peers.END)[0].strip()
    assert written == peers.table(found), "the table is not up to date: python -m tests.peers"


def test_every_sample_is_compared() -> None:
    """What lies in tests/data/samples is there for a peer: each file is named in the script, or matched by its patterns."""
    script = Path(peers.__file__).read_text()
    for path in sorted(peers.SAMPLES.iterdir()):
        named = path.stem in script or path.name.startswith("FASTIn")
        assert named, path.name
