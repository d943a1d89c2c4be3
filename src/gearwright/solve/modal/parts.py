"""The compiled parts of the exact engine by name; importing this compiles nothing."""

from __future__ import annotations

from gearwright.kernels import Compiled

from .blocks import interior_blocks
from .events import events_at, search, switch
from .kernels import begin_step, local_inputs, move, special_mode, values_at
from .loop import call_companion, interior_samples
from .moments import add_moments, add_sine_moments

PART: dict[str, Compiled] = {
    "special": special_mode,
    "inputs": local_inputs,
    "begin": begin_step,
    "values": values_at,
    "move": move,
    "events": events_at,
    "search": search,
    "switch": switch,
    "moments": add_moments,
    "sines": add_sine_moments,
    "samples": interior_samples,
    "blocks": interior_blocks,
    "beside": call_companion,
}
