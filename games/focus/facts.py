"""What Focus has to say about what happened. Sentences that come again are built once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from games.engine.game import Fact, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark
from games.focus.actions import First
from games.focus.board import COLOUR_KEYS

Reason: TypeAlias = Literal["domination", "captures", "ten", "standing", "repetition", "quiet"]
"""How a game ends; the last two are draws."""
REASONS: Final[tuple[Reason, ...]] = ("domination", "captures", "ten", "standing", "repetition", "quiet")
DRAWS: Final = frozenset[Reason](("repetition", "quiet"))


def colour_name(colour: str) -> Msg:
    """The name of a colour, as seats are named."""
    return msg(f"focus.seat.{COLOUR_KEYS[colour]}")


Excess: TypeAlias = tuple[tuple[str, int | str, int], ...]
"""What left the bottom of a pile: to whom, whose, how many.

("captured", colour letter, n), ("partner", seat, n) or ("reserve", "", n).
"""


@lru_cache(maxsize=8192)
def turned(text: str, key: str, height: int, excess: Excess) -> tuple[Fact, ...]:
    """A turn: what moved (as typed), what kind of turn it was, how high the pile is, and what left it."""
    target = text[-2:]
    marks = [Mark("to", target)]
    if key == MOVED:
        marks.insert(0, Mark("from", text[:2]))
    said = msg(key, move=text, n=height)
    for kind, whose, count in excess:
        said = msg("focus.fact.and", first=said, then=_left(kind, whose, count))
    if any(kind == "captured" for kind, _, _ in excess):
        marks.append(Mark("captured", target))
    return (Fact(said, tuple(marks)),)


MOVED: Final = "focus.fact.move"
PLAYED: Final = "focus.fact.reserve"
PLACED: Final = "focus.fact.thirteenth"


def _left(kind: str, whose: int | str, count: int) -> Msg:
    if kind == "captured":
        return msg(f"focus.fact.captured.{COLOUR_KEYS[str(whose)]}", n=count)
    if kind == "partner":
        return msg("focus.fact.partner", who=Who(int(whose)), n=count)
    return msg("focus.fact.kept", n=count)


PASSES: Final = tuple(Fact(msg("focus.fact.pass", who=Who(seat))) for seat in range(4))
"""A seat with nothing to play passes by itself."""
BACK: Final = tuple(Fact(msg("focus.fact.back", who=Who(seat))) for seat in range(4))
"""A seat that had nothing to play has something again."""
STAYS: Final = tuple(Fact(msg("focus.fact.stays", who=Who(seat))) for seat in range(4))
"""A seat left, and its pieces remain on the board."""


def begins(first: First) -> Fact:
    """Chance named who plays first."""
    return Fact(msg("focus.fact.first", who=Who(first.seat)))


def ending(reason: Reason, names: Iterable[Value], quiet: int) -> Msg:
    """The sentence for how it ended; `names` are the winners, or who shares the draw.

    The number `n` is that of the quiet turns where they are the reason, else of the names.
    """
    who = tuple(names)
    return msg(f"focus.outcome.{reason}", who=who, n=quiet if reason == "quiet" else len(who))


def whose(seats: Iterable[int]) -> tuple[Who, ...]:
    """Seats as names of the people in them."""
    return tuple(Who(Seat(seat)) for seat in seats)
