"""``python -m tests.fuzz 10000``: see :mod:`tests.fuzz`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fuzz import child, formats, mutant, run, try_one


def main() -> int:
    """Run what the command line asks for; the exit code is 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", type=int, nargs="?", default=300, help="mutants of every format")
    parser.add_argument("--format", choices=sorted(formats()), action="append")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--one", metavar="FORMAT:SEED:INDEX", help="one mutant again")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        name, *numbers = given.child.split(":")
        child(name, *(int(n) for n in numbers))
        return 0
    if given.one:
        name, seed, index = given.one.split(":")
        chosen, content, _ = mutant(name, int(seed), int(index))
        sys.stdout.write(f"# {chosen}\n{content[:20000].decode(errors='replace')}\n")
        with tempfile.TemporaryDirectory() as folder:
            refused, find = try_one(name, int(seed), int(index), Path(folder))
        sys.stdout.write(f"# refused: {refused}; find: {find or 'none'}\n")
        return 1 if find else 0
    found = 0
    for name in given.format or sorted(formats()):
        finds = run(name, given.count, given.seed, lambda text: print(text, flush=True))
        print(f"{name}: {finds.ran} mutants, {finds.refused} refused, {len(finds.found)} finds", flush=True)
        found += len(finds.found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
