"""One text may order more than one action: each is judged on the position that the one before it left.

The first is played or refused. As long as the same seat is to act, the game is asked for the next action of
its script. It stops, with a reason for whoever wrote the text, at the first order that can't be carried out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine import match as engine
from games.engine.dice import Sealed
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.match import Change, Match
from games.engine.message import Msg
from games.engine.script import Script

MOST = 2000
"""Actions of one text at most. No text of a game comes near; a script that never ends would stop here."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What a text orders and was not done, in its author's words; why not, and the nearest legal texts."""

    text: str
    why: Msg
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Executed:
    """What a text did, as one change, and what of it was left undone for a reason."""

    change: Change
    undone: Undone | None = None


def play(match: Match, seat: Seat, done: Done[Any], sealed: Sealed) -> Executed | Msg:
    """Carry out the orders of one text; return the refusal of the first one if nothing was done.

    The rest is dropped in silence where the seat has nothing more to decide, and where it is only half an
    order, for then the board asks. An order that the game warns of is not carried out unasked.
    """
    change = engine.play(match, seat, done.action, sealed)
    if isinstance(change, Msg):
        return change
    script = done.script
    for _ in range(MOST):
        if script is None or seat not in change.match.to_act:
            break
        more = _next(change.match, seat, script, sealed)
        if not isinstance(more, tuple):
            return Executed(change, more)
        after, script = more
        change = Change(after.match, (*change.entries, *after.entries), (*change.facts, *after.facts))
    return Executed(change)


def _next(
    match: Match, seat: Seat, script: Script, sealed: Sealed
) -> tuple[Change, Script | None] | Undone | None:
    """Return the next change and the script after it; or why there is none, or None where the board asks."""
    game = match.game
    view = game.view(match.state, seat)
    match game.resume(view, seat, script):
        case Done(action, further, start):
            why = game.caution(view, seat, action)
            change = engine.play(match, seat, action, sealed) if why is None else why
            return Undone(script.since(start), change) if isinstance(change, Msg) else (change, further)
        case Rejected(why, (start, _), near):
            return Undone(script.since(start), why, near)
        case Partial():
            return None
