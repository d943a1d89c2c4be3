"""Controllers of others inside a run: Bladed-style libraries, FMUs, and the array of numbers that they exchange."""
