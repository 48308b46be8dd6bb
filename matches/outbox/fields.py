"""Fields of dataclasses as JSON: by name, or by the `key` in their metadata; strict about types."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints


@cache
def fields_of(of: Any) -> dict[str, tuple[str, Any, Any]]:
    """Return name, type and default of each field, by its key in JSON; ... for those without a default."""
    hints = get_type_hints(of)
    return {
        each.metadata.get("key", each.name): (
            each.name,
            hints[each.name],
            ... if each.default is dataclasses.MISSING else each.default,
        )
        for each in dataclasses.fields(of)
    }


def plain(value: Any) -> Any:
    """Return a value for JSON, with lists for tuples."""
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def read(hint: Any, value: Any, key: str) -> Any:
    """Return a value of a type, with tuples for lists. Raises ValueError."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is UnionType:  # of a type and None
        return None if value is None else read(args[0], value, key)
    if isinstance(hint, type) and type(value) is hint:
        return value
    if origin is Literal and value in args:
        return value
    if origin is Mapping and isinstance(value, dict):
        return {read(args[0], name, key): read(args[1], each, key) for name, each in value.items()}
    if origin is tuple and isinstance(value, list | tuple):
        types = args[:1] * len(value) if args[-1] is ... else args
        if len(types) == len(value):
            return tuple(read(one, each, key) for one, each in zip(types, value, strict=True))
    raise ValueError(f"{key} is {'missing' if value is ... else 'of another type'}")
