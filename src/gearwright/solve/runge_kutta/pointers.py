"""Functions that the explicit engine calls by address. The right-hand side of a small drivetrain costs 50 ns, so a call with
thirty arrays would cost as much as the work: see :mod:`gearwright.kernels.pointers`."""

from __future__ import annotations

from gearwright.kernels import by_address

#: a right-hand side ``(H, t, side, y, k, r)``: evaluate derivative and rows; compiled on its own, never inlined
evaluator, call_evaluate = by_address("nothing(words, real, real, reals, reals, reals)")
#: a step of the method ``(H, t, h, one, last) -> error``
stepper, call_stages = by_address("real(words, real, real, word, word)")
