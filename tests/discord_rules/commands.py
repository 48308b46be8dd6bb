"""Which lists of commands Discord takes.

https://docs.discord.com/developers/interactions/application-commands
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tests.discord_rules.shapes import (
    Fault,
    Place,
    Shape,
    anything,
    array,
    boolean,
    choice,
    items,
    mapping,
    nullable,
    number,
    numeric,
    record,
    required,
    text,
    wrong_type,
)

MOST = {1: 100, 2: 15, 3: 15}
"""Global commands of each type: slash, user, message."""
SIZE_LIMIT = 8_000
"""Characters of a command's names, descriptions and values together."""
_SUBCOMMAND, _GROUP, _STRING, _INTEGER, _CHANNEL, _NUMBER = 1, 2, 3, 4, 7, 10

_WHOLE = number(1 - (1 << 53), (1 << 53) - 1)

_localised_descriptions = nullable(lambda value, where: _localised(value, where, text(100, 1)))


def _permissions(value: Any, where: Place) -> Iterator[Fault]:
    """A set of permissions, as digits by the documentation, or as a number by the description."""
    digits = isinstance(value, str) and value.isascii() and value.isdecimal()
    yield from number(0, (1 << 54) - 1)(int(value) if digits else value, where)


def _name(value: Any, where: Place) -> Iterator[Fault]:
    """1 to 32 letters, digits, `-`, `_`, `'`, of any script; in lower case where the script has one."""
    yield from text(32, 1)(value, where)
    if isinstance(value, str) and not all(_is_allowed(one) for one in value):
        key = "APPLICATION_COMMAND_INVALID_NAME"
        yield Fault(where, key, f"Command name is invalid: {value!r}")


def _is_allowed(character: str) -> bool:
    lower = character == character.lower()
    return character in "-_'" or (unicodedata.category(character)[0] in "LNM" and lower)


def _localised(value: Any, where: Place, shape: Shape) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield wrong_type(where, "an object")
        return
    for locale, one in value.items():
        yield from shape(one, (*where, locale))


_names = nullable(lambda value, where: _localised(value, where, _name))
_option_fields: dict[str, Shape] = {
    "type": choice(*range(1, 12)),
    "name": _name,
    "name_localizations": _names,
    "description": text(100, 1),
    "description_localizations": _localised_descriptions,
    "required": nullable(boolean),
    "choices": nullable(array(anything, 25)),
    "options": nullable(array(mapping, 25)),
    "channel_types": nullable(array(number(0, 20), 20, unique=True)),
    "min_value": nullable(numeric),
    "max_value": nullable(numeric),
    "min_length": nullable(number(0, 6000)),
    "max_length": nullable(number(1, 6000)),
    "autocomplete": nullable(boolean),
}
_option = record(_option_fields, needed=["type", "name", "description"])
_command_fields: dict[str, Shape] = {
    "id": anything,
    "type": nullable(choice(1, 2, 3)),
    "name": text(32, 1),
    "name_localizations": anything,
    "description": nullable(text(100)),
    "description_localizations": _localised_descriptions,
    "options": nullable(array(mapping, 25)),
    "default_member_permissions": nullable(_permissions),
    "default_permission": nullable(boolean),
    "dm_permission": nullable(boolean),
    "nsfw": nullable(boolean),
    "contexts": nullable(array(choice(0, 1, 2), 3, 1, unique=True)),
    "integration_types": nullable(array(choice(0, 1), 2, 1, unique=True)),
}


def command_list(body: Any, where: Place = ()) -> Iterator[Fault]:
    """Name what Discord would refuse in the list that replaces an application's commands."""
    if not isinstance(body, list):
        yield wrong_type(where, "an array")
        return
    names: Counter[tuple[Any, Any]] = Counter()
    kinds: Counter[Any] = Counter()
    for index, one in enumerate(body):
        yield from _known(json.dumps(one), (*where, index))
        if not isinstance(one, dict):
            continue
        kind = one.get("type") or 1
        named = str(kind), str(one.get("name"))
        kinds[named[0]] += 1
        names[named] += 1
        if names[named] == 2:
            key = "APPLICATION_COMMANDS_DUPLICATE_NAME"
            yield Fault((*where, index, "name"), key, "Application command names must be unique")
    for kind, most in MOST.items():
        if kinds[str(kind)] > most:
            key = "APPLICATION_COMMANDS_EXCEEDED"
            yield Fault(where, key, f"Maximum number of application commands of type {kind} reached: {most}")


@lru_cache(256)
def _known(text: str, where: Place) -> tuple[Fault, ...]:
    """Judge a command once: each bot of a run sends the same."""
    return tuple(command(json.loads(text), where))


def command(body: Any, where: Place = ()) -> Iterator[Fault]:
    """Name what Discord would refuse in one command."""
    yield from record(_command_fields, needed=["name"])(body, where)
    if not isinstance(body, dict):
        return
    if (body.get("type") or 1) != 1:
        if body.get("description") or body.get("options"):
            key = "APPLICATION_COMMAND_CONTEXT_MENU"
            yield Fault(where, key, "Context menu commands cannot have description or options")
        return
    yield from _name(body.get("name"), (*where, "name"))
    yield from _names(body.get("name_localizations"), (*where, "name_localizations"))
    if not str(body.get("description") or "").strip():
        yield required((*where, "description"))
    yield from _options(body.get("options"), (*where, "options"), depth=0)
    if _size(body) > SIZE_LIMIT:
        key = "APPLICATION_COMMAND_TOO_LARGE"
        yield Fault(where, key, f"Command exceeds maximum size ({SIZE_LIMIT})")


def _options(options: Any, where: Place, *, depth: int) -> Iterator[Fault]:
    """Options of a command or subcommand: values, or at most two levels of subcommands."""
    listed = [one for one in items(options) if isinstance(one, dict)]
    names: set[Any] = set()
    optional = False
    for index, one in enumerate(listed):
        place = (*where, index)
        yield from _option(one, place)
        if str(one.get("name")) in names:
            key = "APPLICATION_COMMAND_OPTIONS_NAME_INVALID"
            yield Fault((*place, "name"), key, "Option names must be unique")
        names.add(str(one.get("name")))
        kind = one.get("type")
        if kind in (_SUBCOMMAND, _GROUP):
            yield from _subcommand(one, place, depth)
            continue
        if optional and one.get("required"):
            key = "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"
            yield Fault(place, key, "Required options must be placed before non-required options")
        optional |= not one.get("required")
        yield from _value(one, place)
    kinds = {one.get("type") in (_SUBCOMMAND, _GROUP) for one in listed}
    if len(kinds) > 1:
        key = "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
        yield Fault(where, key, "Sub-command and sub-command group option types are mutually exclusive")


def _subcommand(one: dict[str, Any], place: Place, depth: int) -> Iterator[Fault]:
    inner = [child.get("type") for child in items(one.get("options")) if isinstance(child, dict)]
    if one["type"] == _GROUP:
        nested = depth > 0 or any(kind != _SUBCOMMAND for kind in inner)
    else:
        nested = any(kind in (_SUBCOMMAND, _GROUP) for kind in inner)
    if nested:
        key = "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
        yield Fault((*place, "type"), key, "Sub-commands can't be nested like this")
    yield from _options(one.get("options"), (*place, "options"), depth=depth + 1)


def _value(one: dict[str, Any], place: Place) -> Iterator[Fault]:
    kind, choices = one.get("type"), items(one.get("choices"))
    if choices and one.get("autocomplete"):
        key = "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE"
        yield Fault(place, key, "Autocomplete options cannot have choices")
    if (choices or one.get("autocomplete")) and kind not in (_STRING, _INTEGER, _NUMBER):
        key = "APPLICATION_COMMAND_OPTIONS_CHOICES"
        yield Fault(place, key, "Options of this type have no choices")
    if one.get("channel_types") and kind != _CHANNEL:
        yield Fault((*place, "channel_types"), "APPLICATION_COMMAND_OPTIONS_CHANNEL_TYPES", "Not here")
    least, most = one.get("min_length"), one.get("max_length")
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield Fault((*place, "min_length"), "NUMBER_TYPE_MAX", "Must not be greater than max_length")
    for key in ("name", "value"):
        given = [str(each.get(key)) for each in choices if isinstance(each, dict)]
        if len(set(given)) < len(given):
            code = "APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATED"
            yield Fault((*place, "choices"), code, f"Option choice {key}s must be unique")
    wanted = text(100) if kind == _STRING else _WHOLE if kind == _INTEGER else numeric
    for bound in ("min_value", "max_value") if kind == _INTEGER else ():
        yield from nullable(_WHOLE)(one.get(bound), (*place, bound))
    for index, each in enumerate(choices):
        fields: dict[str, Shape] = {"name": text(100, 1), "name_localizations": anything, "value": wanted}
        yield from record(fields, needed=["name", "value"])(each, (*place, "choices", index))


def _size(part: Any) -> int:
    """Characters of names, descriptions and values; of localised texts only the longest counts."""
    if not isinstance(part, dict):
        return 0
    total = 0
    for key in ("name", "description"):
        localised = part.get(f"{key}_localizations")
        found = [part.get(key) or "", *(localised.values() if isinstance(localised, dict) else ())]
        total += max(len(str(one)) for one in found)
    if isinstance(part.get("value"), str):
        total += len(part["value"])
    return total + sum(_size(one) for key in ("options", "choices") for one in items(part.get(key)))
