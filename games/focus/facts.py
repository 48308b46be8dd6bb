"""The facts of Focus: what is reported about each turn. Recurring ones are created once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from games.engine.game import Fact
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Mark
from games.focus.actions import FirstPlayer
from games.focus.board import COLOUR_KEYS

Reason: TypeAlias = Literal["domination", "captures", "ten", "standing", "repetition", "quiet"]
"""How a game ends; the last two are draws."""
REASONS: Final[tuple[Reason, ...]] = ("domination", "captures", "ten", "standing", "repetition", "quiet")
DRAWS: Final = frozenset[Reason](("repetition", "quiet"))


def colour_name(colour: str) -> Msg:
    """Return the name of a colour, which is also that of its seat."""
    return msg(f"focus.seat.{COLOUR_KEYS[colour]}")


Excess: TypeAlias = tuple[tuple[str, int | str, int], ...]
"""The pieces that left the bottom of a pile, grouped by what became of them.

Each group is ("captured", colour letter, n), ("partner", seat, n) or ("reserve", "", n).
"""


@lru_cache(maxsize=8192)
def turn_facts(text: str, key: str, height: int, excess: Excess) -> tuple[Fact, ...]:
    """Return the fact of a turn: the move as typed, its kind, the height of the new pile, what left it."""
    target = text[-2:]
    marks = [Mark("to", target)]
    if key == MOVED:
        marks.insert(0, Mark("from", text[:2]))
    message = msg(key, move=text, n=height)
    for kind, whose, count in excess:
        message = msg("focus.fact.and", first=message, then=_left(kind, whose, count))
    if any(kind == "captured" for kind, _, _ in excess):
        marks.append(Mark("captured", target))
    return (Fact(message, tuple(marks)),)


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
"""By seat: it has nothing to play and passes automatically."""
RETURNS: Final = tuple(Fact(msg("focus.fact.back", who=Who(seat))) for seat in range(4))
"""By seat: it had nothing to play and now has something again."""
STAYS: Final = tuple(Fact(msg("focus.fact.stays", who=Who(seat))) for seat in range(4))
"""By seat: it left, and its pieces stay on the board."""


def first_player(first: FirstPlayer) -> Fact:
    """Return the fact that chance chose the first player."""
    return Fact(msg("focus.fact.first", who=Who(first.seat)))


def ending(reason: Reason, names: Iterable[Value], quiet: int) -> Msg:
    """Return the sentence for the ending; `names` are the winners, or those who share the draw.

    Its plural depends on the number of quiet turns if they are the reason, else on that of the names.
    """
    who = tuple(names)
    return msg(f"focus.outcome.{reason}", who=who, n=quiet if reason == "quiet" else len(who))
