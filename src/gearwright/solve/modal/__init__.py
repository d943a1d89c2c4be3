"""The exact engine: piecewise-linear systems, solved in modal form between switches."""
