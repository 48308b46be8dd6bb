"""Messages as values: a key of the text catalogue and its placeholders. Games contain no English."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Who:
    """A placeholder for a seat; the presenter fills in its colour, its symbol or its player."""

    seat: int


@dataclass(frozen=True, slots=True)
class Msg:
    """A text of the catalogue: its `key`, and `values` for its placeholders, sorted by name.

    A value is a text (notation, shown verbatim), a number (may select a plural form), a seat, another
    message, or a tuple of values (a list, joined as the reader's language joins lists).
    """

    key: str
    values: tuple[tuple[str, Value], ...] = ()


Value: TypeAlias = "str | int | Who | Msg | tuple[Value, ...]"


def msg(key: str, /, **values: Value) -> Msg:
    """Build a message; `msg("focus.refuse.height", move="e4-e8", height=3)`."""
    return Msg(key, tuple(sorted(values.items())))


def seats_in(value: Value) -> Iterator[int]:
    """Yield the seats that a message, or a value of one, names."""
    if isinstance(value, Who):
        yield value.seat
    parts = [each for _, each in value.values] if isinstance(value, Msg) else value
    if isinstance(parts, list | tuple):
        for each in parts:
            yield from seats_in(each)


_UNITS: Final = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))


def duration(seconds: int) -> Msg:
    """Return a time in its two largest units, such as `2 days 3 hours`; smaller ones are dropped."""
    parts: list[Msg] = []
    for unit, name in _UNITS:
        number, seconds = divmod(seconds, unit)
        if number or (name == "seconds" and not parts):
            parts.append(msg(f"match.time.{name}", n=number))
        elif parts:
            break
    return parts[0] if len(parts) == 1 else msg("match.time.both", larger=parts[0], smaller=parts[1])
