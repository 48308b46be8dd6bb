"""Positions in which something is typed, and how it is read."""

from __future__ import annotations

from games.dominion import GAME, judge
from games.dominion.position import State
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.message import Msg
from tests.games.dominion.helpers import S, act, lawful, position, ready

START = ready(lawful(), first=S)
"""South is to move; its Sergeants are on f3 and h3."""


CHOOSING = act(GAME.start(GAME.setup(2)).state, "throw 1,2")


RISING = position(phase="promote_lower", p1="Pg2 Gg1 Rd4 Re4 Sf3 Sh3 Xl7", p0="Sl5 Sl9")


FALLING = position(phase="demote_upper", p1="Pg2 Gf2 Wl7 Re4", p0="Sl5 Sl9")


SETTLING = position(phase="peasant", p1="Pg2", free="g5")


HEIR = position(law=lawful(3), turn=0, phase="heir", pending=[0], p0="Pe12 Sf11", p1="Gg2", p2="Sc3")


STATES = (START, CHOOSING, RISING, FALLING, SETTLING, HEIR, position(p1="Gf2 Gf8 Se3 pe5 Ah4", p0="Sg5"))


def read(state: State, text: str, seat: int | None = None) -> Done[object] | Partial | Rejected:
    """Parse for the seat that is to act; for south if both are."""
    if seat is None:
        seat = max(judge.to_act(state.position))
    return GAME.parse(GAME.view(state, Seat(seat)), Seat(seat), text)  # type: ignore[return-value]  # the action is one


def action(state: State, text: str) -> str:
    """Return the log's line for a text."""
    found = read(state, text)
    assert isinstance(found, Done), found
    return GAME.encode(found.action)  # type: ignore[arg-type]  # it is an action of this game


def choices(state: State, text: str) -> tuple[str, ...]:
    """Return the choices after an incomplete action."""
    found = read(state, text)
    assert isinstance(found, Partial), found
    return found.choices


def refusal(state: State, text: str) -> Rejected:
    """Return the refusal of a text."""
    found = read(state, text)
    assert isinstance(found, Rejected), found
    return found


def reason(found: Rejected) -> str:
    """Return the key of a refusal and, after a blank, that of its reason."""
    inner = dict(found.why.values).get("why")
    return " ".join(
        each.key.removeprefix("dominion.") for each in (found.why, inner) if isinstance(each, Msg)
    )
