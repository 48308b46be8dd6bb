"""Matches of the toy game, from one entry of the log to the next."""

from __future__ import annotations

from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import (
    Change,
    Match,
    begin,
    fold,
    play,
)
from games.engine.message import Msg
from tests.toy import GAME

SEALED = Sealed(b"s" * 32, "T-AAA", "1:2,3")


A, B, C = Seat(0), Seat(1), Seat(2)


def opened(*, pairs: bool = False) -> Match:
    return begin(GAME, GAME.setup(3, {"pairs": pairs}), SEALED).match


def done(change: Change | Msg) -> Match:
    assert isinstance(change, Change), change
    assert fold(change.match.log) == change.match
    assert change.match.log[-len(change.entries) :] == change.entries
    return change.match


def card(match: Match, seat: Seat) -> Match:
    """Let the seat put down its first card."""
    action = next(GAME.actions(GAME.view(match.state, seat), seat))
    return done(play(match, seat, action, SEALED))


def turn(match: Match) -> Match:
    """Let all seats put down a card, and chance roll."""
    for seat in sorted(match.to_act):
        match = card(match, seat)
    return match


def key(refusal: Change | Msg) -> str:
    assert isinstance(refusal, Msg)
    return refusal.key
