"""Turns what pydantic found wrong into problems that name file, place, value, what is allowed and was meant."""

from __future__ import annotations

import dataclasses
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from gearwright.errors import NOTHING, Problem, listed, nearest

from .base import Late
from .paths import item_name
from .places import Place, place_of

_BOUNDS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def problems_of(error: ValidationError, data: Any, model: type[BaseModel]) -> list[Problem]:
    """One problem per error, with the line where the file knows it."""
    return [_problem(item, data, model) for item in error.errors(include_url=False)]


def _problem(item: Any, data: Any, model: type[BaseModel]) -> Problem:
    place, value, where, node = _locate(item["loc"], data)
    found = _said(item, data, model, place, value, node)
    if where is None:
        return found
    return dataclasses.replace(found, line=where.line, file=None if where.file is None else str(where.file))


def _said(item: Any, data: Any, model: type[BaseModel], place: list[str], value: Any, node: Any) -> Problem:
    kind, context = item["type"], item.get("ctx", {})
    key = str(item["loc"][-1]) if item["loc"] else ""
    path = ".".join(place)
    if kind == "gearwright":
        return Problem(context["message"], path, _shown(value), context["allowed"], context["meant"])
    if kind == "extra_forbidden":
        known = _known_keys(model, item["loc"][:-1], data)
        return Problem(f"unknown key '{key}'", path, NOTHING, listed(known, 40), nearest(key, known))
    if kind == "missing":
        name = item_name(str(item["loc"][0]) if item["loc"] else "", node, 0) if isinstance(node, dict) else ""
        of = f" of '{name}'" if isinstance(node, dict) and node.get("name") else ""
        return Problem(f"missing: '{key}'{of} is needed", path, NOTHING, "", "")
    if kind in ("literal_error", "enum"):
        words = [w.strip().strip("'") for w in context["expected"].replace(" or ", ", ").split(",")]
        return Problem("not one of the known words", path, _shown(value), listed(words, 40), _near(value, words))
    if kind == "union_tag_not_found":
        return Problem("missing: 'type' says what it is", path, NOTHING, _kinds(model, item["loc"], data), "")
    if kind == "union_tag_invalid":
        tags = context["expected_tags"].replace("'", "")
        value = node.get("type") if isinstance(node, dict) else value
        words = [t.strip() for t in tags.split(",")]
        return Problem("unknown type", f"{path}.type", _shown(value), tags, _near(value, words))
    if kind in ("model_type", "dict_type", "model_attributes_type"):
        return Problem("a group of keys is wanted here", path, _shown(value), "key: value, one a line", "")
    if kind in ("list_type", "tuple_type"):
        return Problem("a list is wanted here", path, _shown(value), "[..., ...]", "")
    if kind.startswith("int_"):
        return Problem("a whole number is wanted", path, _shown(value), "such as 20", "")
    if kind.startswith("bool_"):
        return Problem("true or false is wanted", path, _shown(value), "true, false", "")
    if kind == "string_type":
        return Problem("text is wanted", path, _shown(value), "", "")
    if kind in _BOUNDS:
        sign, limit = _BOUNDS[kind]
        return Problem(f"must be {sign} {context[limit]:g}", path, _shown(value), "", "")
    if kind in ("too_long", "too_short"):
        least, most = context.get("min_length"), context.get("max_length")
        many = f"{least} or more" if kind == "too_short" else f"{most} at most"
        return Problem(f"{many} items are wanted here, these are {context['actual_length']}", path, NOTHING, "", "")
    if kind == "invalid_key":
        what = "a number stands where a key is wanted; numbers have a decimal point, a comma parts entries"
        return Problem(what, path, NOTHING, "key: value, such as profile_shift: 0.58", "")
    message = item["msg"]
    return Problem(message[0].lower() + message[1:], path, _shown(value), "", "")


def _kinds(model: type[BaseModel], loc: tuple[Any, ...], data: Any) -> str:
    """The words that ``type`` may be at a place."""
    words: list[str] = []
    for variant in _variants(_walk(model, loc, data)[0]):
        if isinstance(variant, type) and issubclass(variant, BaseModel) and "type" in variant.model_fields:
            words += get_args(variant.model_fields["type"].annotation)
    return "type: " + listed(words, 40)


def _near(value: Any, words: list[str]) -> str:
    return nearest(value, words) if isinstance(value, str) else ""


def _shown(value: Any) -> Any:
    return value if value is None or isinstance(value, (str, int, float)) else NOTHING


def _locate(loc: tuple[Any, ...], data: Any) -> tuple[list[str], Any, Place | None, Any]:
    """Readable path, value there, line, and the mapping that holds it; tags of unions are left out."""
    place: list[str] = []
    line: Place | None = None
    node, holder, section = data, data, ""
    for depth, part in enumerate(loc):
        last = depth == len(loc) - 1
        if isinstance(node, dict) and part in node:
            line = place_of(node, part) or line
            holder, node, section = node, node[part], str(part)
            place.append(str(part))
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            line = place_of(node, part) or line
            holder = node
            place.append(item_name(section, node[part], part))
            node = node[part]
        elif last and isinstance(node, dict) and not (depth and node.get("type") == part):
            place.append(str(part))
            return place, NOTHING, line, node
    return place, node, line, node if isinstance(node, dict) else holder


def _walk(model: type[BaseModel], loc: tuple[Any, ...], data: Any) -> tuple[Any, Any]:
    """Annotation and value at ``loc``, found by walking the model along it."""
    found: Any = model
    node = data
    for part in loc:
        section = _section(found, node)
        if section is not None and part in _keys(section):
            field = section.model_fields[_keys(section)[part]]
            found, node = field.annotation, node.get(part) if isinstance(node, dict) else None
        elif (
            isinstance(node, list)
            and isinstance(part, int)
            and part < len(node)
            or isinstance(node, dict)
            and part in node
        ):
            found, node = _argument(found), node[part]
    return found, node


def _known_keys(model: type[BaseModel], loc: tuple[Any, ...], data: Any) -> list[str]:
    """Keys of the section at ``loc``."""
    section = _section(*_walk(model, loc, data))
    return list(_keys(section)) if section is not None else []


def _keys(section: type[BaseModel]) -> dict[str, str]:
    return {field.alias or name: name for name, field in section.model_fields.items()}


def _variants(annotation: Any) -> list[Any]:
    origin = get_origin(annotation)
    if origin is Annotated:
        late = next((fact.section for fact in annotation.__metadata__ if isinstance(fact, Late)), None)
        return _variants(get_args(annotation)[0] if late is None else late)
    if origin in (Union, types.UnionType):
        return [v for a in get_args(annotation) for v in _variants(a)]
    return [annotation]


def _section(annotation: Any, node: Any) -> type[BaseModel] | None:
    models = [v for v in _variants(annotation) if isinstance(v, type) and issubclass(v, BaseModel)]
    if len(models) > 1 and isinstance(node, dict):
        for model in models:
            kinds = model.model_fields.get("type")
            if (
                kinds is not None
                and get_origin(kinds.annotation) is Literal
                and node.get("type") in get_args(kinds.annotation)
            ):
                return model
    return models[0] if models else None


def _argument(annotation: Any) -> Any:
    for variant in _variants(annotation):
        arguments = get_args(variant)
        if arguments:
            return arguments[-1]
    return None
