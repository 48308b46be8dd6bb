"""What to say, not how: a key of the catalogue and its values. No English lives in a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Who:
    """A seat to be named in a text; the presenter knows its colour, its sign and who sits there."""

    seat: int


@dataclass(frozen=True, slots=True)
class Msg:
    """A sentence to be said: `key` of the catalogue, `values` for its placeholders, sorted by name.

    A value is a text (notation, shown as it is), a number (may select a plural form), a seat, another
    message, or a tuple of values (a list, joined as the reader's language joins lists).
    """

    key: str
    values: tuple[tuple[str, Value], ...] = ()


Value: TypeAlias = "str | int | Who | Msg | tuple[Value, ...]"


def msg(key: str, /, **values: Value) -> Msg:
    """Build a message; `msg("focus.refuse.height", move="e4-e8", height=3)`."""
    return Msg(key, tuple(sorted(values.items())))
