"""``python -m gearwright``: the command line where the installed script is not on the path."""

from gearwright.console import quick_start

quick_start()

from gearwright.cli import app  # noqa: E402

app(prog_name="gearwright")
