"""Base classes of the schema: sections that know their keys, and sections that may be written short.

The modules of the schema do without ``from __future__ import annotations``: pydantic would compile every annotation
from its text, and a start would feel it.
"""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic_core import core_schema

#: of sections that many others hold: built once, not anew in each of them
ONCE = ConfigDict(defer_build=False)


class Section(BaseModel):
    """A mapping of the file: unknown keys are errors, values are SI after reading, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


class Short(Section):
    """A section that may be written as one value of its main key: ``stiffness: 1e8 N/m`` for ``{mean: 1e8 N/m}``."""

    short: ClassVar[str] = ""
    short_schema: ClassVar[dict[str, Any]] = {"type": ["number", "string"]}

    @model_validator(mode="before")
    @classmethod
    def _expand_short(cls, value: Any) -> Any:
        if isinstance(value, (dict, cls)) or value is None:
            return value
        return {cls.short: value}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        full = handler(schema)
        resolved = handler.resolve_ref_schema(full)
        mapping = dict(resolved)
        short = {**cls.short_schema, "description": f"short form of {{{cls.short}: ...}}"}
        resolved.clear()
        resolved.update({"title": cls.__name__, "anyOf": [short, mapping]})
        return full


def one_or_more(value: Any) -> Any:
    """A list from one item or a list of them (before validation)."""
    if value is None:
        return []
    return value if isinstance(value, (list, tuple)) else [value]
