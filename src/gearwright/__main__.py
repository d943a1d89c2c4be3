"""``python -m gearwright``: the command line where the installed script is not on the path."""

from gearwright.cli import main

main()
