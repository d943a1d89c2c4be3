"""The process that reads what may end its process: ``python -m gearwright.interchange.child_process``, see :mod:`.child`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from .child import Head, sent
from .readers import READERS
from .record import Float, ReadError, Record

#: bytes that the process may take beside those that the file warrants
START = 4 * 2**30


def main() -> None:
    """Answer one question from standard input on standard output."""
    ask = json.loads(sys.stdin.buffer.read())
    try:
        import resource

        limit = START + 40 * int(ask["size"])
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, ValueError, OSError):
        pass  # no such limit on this system
    arrays: list[Float] = []
    try:
        found = READERS[ask["kind"]].read(Path(ask["path"]), ask["wanted"], **ask["options"])
        head, arrays = sent([found] if isinstance(found, Record) else found)
    except ReadError as error:
        head = Head(error.message)
    except MemoryError:
        head = Head("damaged: it asks for more memory than a file of its size warrants")
    text = json.dumps(head, default=str).encode()
    out = sys.stdout.buffer
    out.write(len(text).to_bytes(8, "little") + text + b" " * ((-len(text)) % 8))
    for array in arrays:
        out.write(np.ascontiguousarray(array, "<f8").tobytes())
    out.flush()


if __name__ == "__main__":
    main()
