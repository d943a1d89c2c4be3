"""The version of the program, for whoever writes it into a file."""

__version__ = "0.1.0"
