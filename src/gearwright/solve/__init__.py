"""Engines, modes, equilibrium, response: everything that solves a system. Knows laws only through their addresses."""
