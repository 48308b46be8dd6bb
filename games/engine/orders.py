"""One text may order more than one action: each is judged on the position that the one before it left.

The first is played or refused. What is left is read again as long as the same seat is to act, and stops,
with a reason for whoever wrote it, at the first order that can't be carried out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine import match as engine
from games.engine.dice import Sealed
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.match import Change, Match
from games.engine.message import Msg


@dataclass(frozen=True, slots=True)
class Left:
    """What a text orders besides and was not done: from where on, why not, and the nearest legal texts."""

    text: str
    why: Msg
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Carried:
    """What a text did, as one change, and what of it was left undone for a reason."""

    change: Change
    left: Left | None = None


def play(match: Match, seat: Seat, done: Done[Any], sealed: Sealed) -> Carried | Msg:
    """Carry out the orders of one text; the refusal is that of the first one, and nothing was done then.

    The rest is dropped in silence where the seat has nothing more to decide, and where it is only half an
    order, for then the board asks. An order that the game warns of is not carried out unasked.
    """
    change = engine.play(match, seat, done.action, sealed)
    if isinstance(change, Msg):
        return change
    rest = done.rest
    while rest and seat in change.match.to_act:
        more = _next(change.match, seat, rest, sealed)
        if not isinstance(more, tuple):
            return Carried(change, more)
        after, left = more
        change = Change(after.match, (*change.entries, *after.entries), (*change.facts, *after.facts))
        rest = left if len(left) < len(rest) else ""  # whatever a game does, this comes to an end
    return Carried(change)


def _next(match: Match, seat: Seat, text: str, sealed: Sealed) -> tuple[Change, str] | Left | None:
    """The next order's change and what is left after it; why there is none; None where the board asks."""
    game = match.game
    view = game.view(match.state, seat)
    match game.parse(view, seat, text):
        case Done(action, rest):
            why = game.caution(view, seat, action)
            change = engine.play(match, seat, action, sealed) if why is None else why
            return Left(text, change) if isinstance(change, Msg) else (change, rest)
        case Rejected(why, near=near):
            return Left(text, why, near)
        case Partial():
            return None
