"""Carry out a text that orders several actions, each judged on the position after the one before.

The first action is played or refused. While the same seat is to act, the game is asked for the next action
of the script. Execution stops, with a reason for the author, at the first order that can't be carried out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from games.engine import match as engine
from games.engine.dice import Sealed
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.match import Change, Match
from games.engine.message import Msg, msg
from games.engine.values import Script

MAX_ACTIONS = 2000
"""Maximum number of actions from one text: a guard against scripts that never end."""
MAX_NEAR = 4
"""Maximum number of orders that are named for half an order."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The part of a text that was not carried out, as typed; why not, and the nearest legal texts."""

    text: str
    why: Msg
    near: tuple[str, ...] = ()
    refused: bool = True
    """False if nothing is wrong with it: half an order, for a case that hasn't come, or after the end."""


@dataclass(frozen=True, slots=True)
class Executed:
    """The effect of a text as one change, and the part of it that was not carried out, if any."""

    change: Change
    undone: Undone | None = None


def play(match: Match, seat: Seat, done: Done[Any], sealed: Sealed) -> Executed | Msg:
    """Carry out the orders of one text; return the refusal if not even the first one was possible.

    Whatever was typed and isn't carried out is returned as undone: at an order that is refused, that the game
    cautions against or that is only half one, and when the seat is no longer to act.
    """
    change = engine.play(match, seat, done.action, sealed)
    if isinstance(change, Msg):
        return change
    script = done.script
    for _ in range(MAX_ACTIONS):
        if script is None or seat not in change.match.to_act:
            break
        more = _next(change.match, seat, script, sealed)
        if not isinstance(more, tuple):
            return Executed(change, more)
        after, script = more
        change = change.then(after)
    return Executed(
        change, None if script is None else too_late(script, over=change.match.ending is not None)
    )


def too_late(script: Script, *, over: bool) -> Undone | None:
    """Return what is undone of a script whose seat is no longer to act; `over`: nor is anyone else."""
    if script.start is None:
        return None
    late = msg("match.undone.over" if over else "match.undone.turn")
    return Undone(script.since(script.start), late, refused=not over)


def _next(
    match: Match, seat: Seat, script: Script, sealed: Sealed
) -> tuple[Change, Script | None] | Undone | None:
    """Return the next change and the script after it, or why it stops; None if nothing is left to say."""
    game = match.game
    view = game.view(match.state, seat)
    match game.resume(view, seat, script):
        case Done(action, further, start):
            why = game.caution(view, seat, action)
            change = engine.play(match, seat, action, sealed) if why is None else why
            if isinstance(change, Msg):
                return Undone(script.since(start), change)
            return change, None if further is None else replace(further, plain=script.plain)
        case Rejected(why, (start, _), near):
            return Undone(script.since(start), why, near)
        case Partial(prompt, choices, start) if start is not None:
            return Undone(script.since(start), prompt, choices[:MAX_NEAR], refused=False)
        case Partial():
            return None
