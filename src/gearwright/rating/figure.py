"""A number of a rating with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: given in the file; derived from what is given; by a standard's table or formula without more facts; assumed; not known
Origin = Literal["given", "derived", "standard", "assumed", "missing"]


@dataclass(frozen=True)
class Figure:
    """A number: ``value`` or None where it is ``missing``, ``method`` in words; ``checked`` is False for a constant from memory that has
    to be checked against the standard."""

    value: float | None
    origin: Origin
    method: str = ""
    checked: bool = True

    @classmethod
    def given(cls, value: float, method: str = "") -> Figure:
        """From the file."""
        return cls(value, "given", method)

    @classmethod
    def derived(cls, value: float, method: str = "", checked: bool = True) -> Figure:
        """From what is given."""
        return cls(value, "derived", method, checked)

    @classmethod
    def standard(cls, value: float, method: str = "", checked: bool = False) -> Figure:
        """From a standard's table."""
        return cls(value, "standard", method, checked)

    @classmethod
    def assumed(cls, value: float, method: str = "") -> Figure:
        """Nobody gave it."""
        return cls(value, "assumed", method)

    @classmethod
    def missing(cls, what: str) -> Figure:
        """Not known; ``what`` would fill it."""
        return cls(None, "missing", what)

    @property
    def known(self) -> float:
        """The value. Raises ValueError for a missing one."""
        if self.value is None:
            raise ValueError(f"not given: {self.method}")
        return self.value
