"""The command line. Every command that prints figures has ``--json``; ``--set path=value`` edits the file.

Exit codes: 0 done, 2 the input has to be mended (one message), 3 a run diverged (what was computed is kept),
130 interrupted, 143 terminated, 129 hung up (likewise), 70 a fault of the program. Only what the command at hand needs is imported.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import typer

    #: the whole program, all commands
    app: typer.Typer


#: commands that compile where nothing is compiled yet
_COMPILING = ("run",)


def main() -> None:
    """Entry point of the ``gearwright`` command."""
    from gearwright import terminal

    _quick_start()
    try:
        code = terminal.run(program)
    finally:
        # the end of the process gives everything back; the interpreter would look through it for cycles, several times
        gc.freeze()
    exec("")  # the interpreter forgets an interrupt that passed through code made of text; it would end by SIGINT else
    sys.exit(code)


def program() -> int:
    """What the arguments of this process ask for; its exit code. Raises what no command foresaw."""
    if sys.argv[1:2] and sys.argv[1] in _COMPILING:
        from gearwright.kernels.ahead import early

        early()
    from gearwright.commands import application

    try:
        made = application(sys.argv[1] if len(sys.argv) > 1 else None)
        return int(made(prog_name="gearwright", standalone_mode=False) or 0)
    except Exception as error:
        if hasattr(error, "show") and hasattr(error, "exit_code"):  # a word that no command takes
            error.show()
            return int(error.exit_code)
        if type(error).__name__ == "Abort":
            return 130
        raise


def _quick_start() -> None:
    """Settings of a process that runs one command: what a start is long enough to feel.

    Importing makes objects that last, which the collector of cycles would go through again and again. And
    pydantic would read the metadata of all installed packages in search of plugins.
    """
    gc.set_threshold(500_000, 50, 50)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def __getattr__(name: str) -> Any:
    if name == "app":
        from gearwright.commands import application

        globals()["app"] = made = application()
        return made
    raise AttributeError(f"module 'gearwright.cli' has no attribute '{name}'")
