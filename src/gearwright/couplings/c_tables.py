"""Numbers, arrays and strings as C initialisers."""

from __future__ import annotations

from typing import Any

import numpy as np


def number(x: float) -> str:
    """A real number to the last bit, in decimals."""
    x = float(x)
    if not np.isfinite(x):
        return "(0.0/0.0)" if np.isnan(x) else ("(1.0/0.0)" if x > 0 else "(-1.0/0.0)")
    return repr(x)


def array(name: str, values: Any, kind: str = "double") -> str:
    """A constant array; an empty one gets one zero, which C asks for. ``kind`` may begin with ``static``."""
    static, kind = ("static ", kind.removeprefix("static ")) if kind.startswith("static ") else ("", kind)
    flat = np.asarray(values).ravel()
    if kind == "double":
        items = [number(v) for v in flat]
    else:
        # the smallest 64-bit number has no literal of its own
        wide = kind == "int64_t"
        items = [(f"INT64_C({int(v)})" if int(v) > -(2**63) else "INT64_MIN") if wide else str(int(v)) for v in flat]
    rows = [", ".join(items[i : i + 8]) for i in range(0, len(items), 8)] or ["0"]
    body = rows[0] if len(rows) == 1 else "\n  " + ",\n  ".join(rows) + "\n"
    return f"{static}const {kind} {name}[] = {{{body}}};"


def text(value: str) -> str:
    """A string in C."""
    made = "".join(
        c if 32 <= ord(c) < 127 and c not in '"\\?' else "".join(f"\\{b:03o}" for b in c.encode()) for c in value
    )
    return f'"{made}"'
