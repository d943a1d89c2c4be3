"""``dataclass`` of the standard library, whose methods are made when a class is first used.

A command imports a hundred records and makes objects of a third of them; writing and compiling their methods takes
nine tenths of the time of such a class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any

_METHODS = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__")
_LOCK = RLock()


class _Fields:
    """Stands where the fields of a class will be, which is what every function of ``dataclasses`` asks for first."""

    def __init__(self, kind: type[Any], options: dict[str, bool]):
        self.kind, self.options, self.first = kind, options, {}
        for name in _METHODS:
            if name not in kind.__dict__:
                self.first[name] = self._calling(name)
                setattr(kind, name, self.first[name])

    def _calling(self, name: str) -> Callable[..., Any]:
        """A method that makes all of them and calls the one that was meant."""

        def method(*arguments: Any, **named: Any) -> Any:
            self.made()
            return getattr(self.kind, name)(*arguments, **named)

        return method

    def made(self) -> None:
        """Have the standard library make the class."""
        with _LOCK:
            if self.kind.__dict__.get("__dataclass_fields__") is not self:
                return  # another thread was quicker
            for name, method in self.first.items():
                if self.kind.__dict__.get(name) is method:
                    delattr(self.kind, name)
            dataclasses.dataclass(**self.options)(self.kind)  # type: ignore[call-overload]

    def __get__(self, one: Any, owner: type[Any]) -> Any:
        self.made()
        return owner.__dataclass_fields__


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind: type[Any] | None = None, /, **options: bool) -> Any:
        """As :func:`dataclasses.dataclass`."""
        if kind is None:
            return lambda kind: dataclass(kind, **options)
        kind.__dataclass_fields__ = _Fields(kind, options)
        return kind
