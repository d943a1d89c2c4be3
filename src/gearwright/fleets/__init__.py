"""Loads and life of gearboxes in the field, from the signals that operators have."""
