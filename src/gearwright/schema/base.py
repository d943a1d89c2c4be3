"""Base classes of the schema: sections that know their keys, and sections that may be written short.

A file uses few of the many sections there are, so a section is built when the first of its kind is read: in the
sections that hold it stands a reference, not a copy of all that it holds itself. The modules of the schema do without ``from __future__ import annotations``: pydantic would compile every annotation
from its text, and a start would feel it.
"""

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from threading import local
from types import UnionType
from typing import Annotated, Any, ClassVar, Self, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    TypeAdapter,
    model_validator,
)
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema


class _Building(local):
    """The section that a thread is building: what is met meanwhile is held by it."""

    section: type[BaseModel] | None = None


_building = _Building()


class Late:
    """A section that others hold, found and built when it is first read; its errors join those of the holder.

    As an annotation it stands for a section that is not yet made, or a union of them: ``Annotated[Any, Late(...)]``.
    """

    def __init__(self, find: Callable[[], Any]):
        self._find = find

    @cached_property
    def section(self) -> Any:
        """The section itself, or the union."""
        return self._find()

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """What reads it and knows its schema."""
        if isinstance(self.section, type):
            _build(self.section)
        return TypeAdapter(self.section)

    @cached_property
    def _validator(self) -> Any:
        section = self.section
        if not isinstance(section, type):
            return self.adapter.validator
        _build(section)
        return section.__pydantic_validator__  # type: ignore[attr-defined]

    def __call__(self, value: Any) -> Any:
        return self._validator.validate_python(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self,
            serialization=core_schema.plain_serializer_function_ser_schema(
                _written, return_schema=core_schema.any_schema()
            ),
        )


class Said(Late):
    """A section that is written out as what a file said of it: unlike others without its defaults, by the words of the file."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        schema = super().__get_pydantic_core_schema__(source, handler)
        written = core_schema.plain_serializer_function_ser_schema(
            lambda made: made.model_dump(by_alias=True, exclude_unset=True) if isinstance(made, BaseModel) else made
        )
        return {**schema, "serialization": written}  # type: ignore[return-value, misc]


class AsTheHolderMade(Late):
    """A union of sections of which the holder picks and reads one; for the JSON Schema alone."""

    def __call__(self, value: Any) -> Any:
        return value


def shape(value: Any) -> str:
    """``mapping``, ``list`` or ``one`` value."""
    return "mapping" if isinstance(value, (dict, BaseModel)) else "list" if isinstance(value, (list, tuple)) else "one"


class ByShape:
    """Annotation of a union whose members (with a ``Tag``) are told apart by what stands there, see :func:`shape`."""

    def __init__(self, allowed: str):
        self._allowed = allowed

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        context: dict[str, str | int | float] = {
            "message": "this does not stand here",
            "allowed": self._allowed,
            "meant": "",
        }
        teller = Discriminator(
            shape, custom_error_type="gearwright", custom_error_message="{message}", custom_error_context=context
        )
        return teller.__get_pydantic_core_schema__(source, handler)


def _reference(section: type[BaseModel], handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    return Late(lambda: section).__get_pydantic_core_schema__(section, handler)


def elsewhere(module: str, name: str) -> Any:
    """Annotation of a section, or a union of them, of another module of the schema, which is imported when a file has such a section."""
    return Annotated[Any, Late(lambda: getattr(import_module(f"{__package__}.{module}"), name))]


def _written(value: Any) -> Any:
    """A section that is written out; one that nobody read may not have been built."""
    if isinstance(value, BaseModel):
        _build(type(value))
    return value


def _build(section: type[BaseModel]) -> None:
    if not section.__pydantic_complete__:
        section.model_rebuild()


class WholeSchema(GenerateJsonSchema):
    """JSON Schema of a section with all that it holds."""

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        """What a reference stands for; of a section that is spelled out once, in the definitions."""
        late = self._late(schema)
        if late is not None:
            schema, kind = late.adapter.core_schema, late.section
            if isinstance(kind, type):
                schema = {**schema, "ref": f"{kind.__module__}.{kind.__qualname__}:{id(kind)}"}
        return super().generate_inner(schema)

    def field_title_should_be_set(self, schema: Any) -> bool:
        """A section has a title of its own."""
        return self._late(schema) is None and super().field_title_should_be_set(schema)

    @staticmethod
    def _late(schema: Any) -> Late | None:
        function = schema["function"]["function"] if schema["type"] == "function-plain" else None
        return function if isinstance(function, Late) else None


class Section(BaseModel):
    """A mapping of the file: unknown keys are errors, values are SI after reading, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        if _building.section is not None:
            return _reference(cls, handler)
        _building.section = cls
        try:
            return handler(source)
        finally:
            _building.section = None

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The schema of the section, every key with a sentence: what it is, its unit and range, its default."""
        full = handler(schema)
        properties = handler.resolve_ref_schema(full).get("properties", {})
        for name, field in cls.model_fields.items():
            shown = properties.get(field.alias or name)
            if isinstance(shown, dict):
                shown["description"] = described(cls, name, shown)
        return full

    @classmethod
    def silent(cls) -> Self:
        """The section of which a file says nothing, made without building it."""
        return cls.model_construct()


def described(section: type[BaseModel], name: str, shown: JsonSchemaValue) -> str:
    """The sentence of a key in the JSON Schema: its words (``words.csv``), what may be written, its default."""
    from .words import words_of

    parts = [words_of(section, name)]
    quantity = next((q for q in _quantities(section.model_fields[name])), None)
    if quantity is not None:
        parts.append(quantity.sentence())
    default = shown.get("default")
    if default is not None and default not in ([], {}, (), "") and not isinstance(default, dict):
        parts.append(f"default {default}")
    return "; ".join(part for part in parts if part)


def _quantities(field: Any) -> list[Any]:
    """Quantities that a field holds itself (not those within lists and sections)."""
    from gearwright.units import Quantity

    found = [fact for fact in field.metadata if isinstance(fact, Quantity)]
    for part in (field.annotation, *get_args(field.annotation)):
        if get_origin(part) is Annotated:
            found += [fact for fact in part.__metadata__ if isinstance(fact, Quantity)]
    return found


class Joined(Section):
    """A section of a case that says only what differs from the same one of the case's base."""

    def over(self, base: Self) -> Self:
        """The section of the base with everything that this one says."""
        return base.model_copy(update={key: getattr(self, key) for key in self.model_fields_set})


class ByType:
    """Annotation of a union of sections: ``type`` says which it is."""

    def __get_pydantic_core_schema__(self, source: UnionType, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        choices = {
            word: _reference(section, handler)
            for section in get_args(source)
            for word in get_args(section.model_fields["type"].annotation)
        }
        return core_schema.tagged_union_schema(choices, "type")


class Short(Section):
    """A section that may be written as one value of its main key: ``stiffness: 1e8 N/m`` for ``{mean: 1e8 N/m}``."""

    short: ClassVar[str] = ""

    @model_validator(mode="before")
    @classmethod
    def _expand_short(cls, value: Any) -> Any:
        if isinstance(value, (dict, cls)) or value is None:
            return value
        return {cls.short: value}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        full = super().__get_pydantic_json_schema__(schema, handler)
        resolved = handler.resolve_ref_schema(full)
        mapping = dict(resolved)
        short = {
            k: v for k, v in mapping["properties"][cls.short].items() if k not in ("default", "title", "description")
        }
        short["anyOf"] = [form for form in short["anyOf"] if form != {"type": "null"}] if "anyOf" in short else []
        if not short["anyOf"]:
            del short["anyOf"]
        short["description"] = f"short form of {{{cls.short}: ...}}"
        resolved.clear()
        resolved.update({"title": cls.__name__, "anyOf": [short, mapping]})
        return full


class Also:
    """Annotation of what is written in other forms too: a function makes the usual form of them (before it is checked), and the
    JSON Schema shows them beside it.

    ``forms`` makes the schemas of the other forms from that of the usual one.
    """

    def __init__(self, usual: Callable[[Any], Any], forms: Callable[[JsonSchemaValue], list[JsonSchemaValue]]):
        self._usual, self._forms = usual, forms

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(self._usual, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        usual = handler(schema)
        return {"anyOf": [usual, *self._forms(usual)]}


def one_or_more(value: Any) -> Any:
    """A list from one item or a list of them (before validation)."""
    if value is None:
        return []
    return value if isinstance(value, (list, tuple)) else [value]


#: a list that may be written as its one item
OneOrMore = Also(one_or_more, lambda usual: [usual["items"]])
