"""A small language for what a JSON value may look like; a shape names each thing that is wrong, and where.

The words follow Discord's own form errors (code 50035), so that what a refused bot logs reads as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, SupportsInt, TypeAlias

from tests.discord_facts import Limit

Place: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that Discord would refuse: where in the body, Discord's key for it, and the sentence."""

    where: Place
    key: str
    text: str
    fact: str = ""
    """The fact of a rehearsal that says how Discord refuses it, if there is one."""

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.where)) or 'the body'}: {self.text} ({self.key})"


Shape: TypeAlias = Callable[[Any, Place], Iterator[Fault]]


def required(where: Place) -> Fault:
    """A field is missing or blank."""
    return Fault(where, "BASE_TYPE_REQUIRED", "This field is required")


def wrong_type(where: Place, wanted: str) -> Fault:
    """A value isn't of the wanted JSON type."""
    return Fault(where, "BASE_TYPE_BAD_TYPE", f"Must be {wanted}.")


def bad_length(where: Place, least: int, most: SupportsInt) -> Fault:
    """A text or list is too short or too long."""
    fact = most.fact if isinstance(most, Limit) else ""
    if least == 0:
        return Fault(where, "BASE_TYPE_MAX_LENGTH", f"Must be {int(most)} or fewer in length.", fact)
    return Fault(where, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {int(most)} in length.", fact)


def anything(value: Any, where: Place) -> Iterator[Fault]:
    """Accept every value: Discord's rules for it don't concern the bot."""
    yield from ()


def text(most: SupportsInt, least: int = 0) -> Shape:
    """Accept a string of a length; one that must not be empty must not be blank either."""

    def check(value: Any, where: Place) -> Iterator[Fault]:
        if not isinstance(value, str):
            yield wrong_type(where, "a string")
        elif least and not value.strip():
            yield required(where)
        elif not least <= len(value) <= int(most):
            yield bad_length(where, least, most)

    return check


def number(least: float, most: float) -> Shape:
    """Accept an integer within bounds."""

    def check(value: Any, where: Place) -> Iterator[Fault]:
        if isinstance(value, bool) or not isinstance(value, int):
            yield Fault(where, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        elif not least <= value <= most:
            yield Fault(where, "NUMBER_TYPE_RANGE", f"int value should be between {least} and {most}.")

    return check


def boolean(value: Any, where: Place) -> Iterator[Fault]:
    """Accept true and false."""
    if not isinstance(value, bool):
        yield wrong_type(where, "a boolean")


def snowflake(value: Any, where: Place) -> Iterator[Fault]:
    """Accept an id, as text or as an integer (discord.py writes some so, and Discord reads them)."""
    digits = str(value)
    if isinstance(value, bool) or not (digits.isascii() and digits.isdecimal() and int(digits) < 1 << 64):
        yield Fault(where, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')


def choice(*values: Any, fact: str = "") -> Shape:
    """Accept one of a few values; `fact` says how Discord refuses others."""

    def check(value: Any, where: Place) -> Iterator[Fault]:
        if isinstance(value, bool) or value not in values:
            yield Fault(where, "BASE_TYPE_CHOICES", f"Value must be one of {set(values)}.", fact)

    return check


def nullable(shape: Shape) -> Shape:
    """Accept null too."""

    def check(value: Any, where: Place) -> Iterator[Fault]:
        if value is not None:
            yield from shape(value, where)

    return check


def array(item: Shape, most: SupportsInt, least: int = 0, *, unique: bool = False) -> Shape:
    """Accept a list of a length, each of its items of one shape."""

    def check(value: Any, where: Place) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield wrong_type(where, "an array")
            return
        if not least <= len(value) <= int(most):
            yield bad_length(where, least, most)
        if unique and len({str(one) for one in value}) < len(value):
            yield Fault(where, "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
        for index, one in enumerate(value):
            yield from item(one, (*where, index))

    return check


def record(fields: Mapping[str, Shape], *, needed: Iterable[str] = ()) -> Shape:
    """Accept an object with known fields only.

    Discord itself ignores most unknown fields; they are refused here, since each is a mistake.
    """
    must = tuple(needed)

    def check(value: Any, where: Place) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield wrong_type(where, "an object")
            return
        for name in must:
            if value.get(name) is None:
                yield required((*where, name))
        for name, inner in value.items():
            if name not in fields:
                yield Fault((*where, name), "UNKNOWN_FIELD", "Discord has no such field here")
            elif inner is not None or name not in must:
                yield from fields[name](inner, (*where, name))

    return check


def numeric(value: Any, where: Place) -> Iterator[Fault]:
    """Accept a number that JavaScript keeps exactly: an option's value or bound."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield wrong_type(where, "a number")
    elif abs(value) >= 1 << 53:
        yield Fault(where, "NUMBER_TYPE_RANGE", "double value should be between -2^53 and 2^53.")


def items(value: Any) -> list[Any]:
    """Return the items of a list, and of nothing else: what isn't a list is named by its shape."""
    return value if isinstance(value, list) else []


def mapping(value: Any, where: Place) -> Iterator[Fault]:
    """Accept an object, whatever is in it."""
    if not isinstance(value, dict):
        yield wrong_type(where, "an object")


def both(*shapes: Shape) -> Shape:
    """Accept what all shapes accept."""

    def check(value: Any, where: Place) -> Iterator[Fault]:
        for shape in shapes:
            yield from shape(value, where)

    return check


def form_errors(faults: Iterable[Fault]) -> dict[str, Any]:
    """Return the body with which Discord answers: code 50035, and the faults nested by their places."""
    errors: dict[str, Any] = {}
    for fault in faults:
        node = errors
        for step in fault.where:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": fault.key, "message": fault.text})
    return {"message": "Invalid Form Body", "code": 50035, "errors": errors}
