"""C49: the S-N line of tooth-stress is a stress, numbers and a stress; anything else is refused before anything is read."""

import pytest
from typer.testing import CliRunner

from gearwright.cli import app


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("400 kg,5e7,13", "'kg' is mass"),
        ("1200 MPa,5e7 s,13", "'s' is time"),
        ("1200 MPa,5e7,13,3 N", "'N' is force"),
        ("1200 MPa,5e7", "STRESS,CYCLES,EXPONENT"),
    ],
)
def test_a_strength_in_other_units_is_refused(line: str, said: str) -> None:
    done = CliRunner().invoke(app, ["tooth-stress", __file__, "m", "--strength", line])
    assert done.exit_code == 2
    assert said in " ".join((done.output + getattr(done, "stderr", "")).split())
