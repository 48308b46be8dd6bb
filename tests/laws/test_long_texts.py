"""Reading what is typed takes steps as its length warrants: no stranger's text holds up the others."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import begin
from matches.play.typed_text import move_in, strip_markup, without_separators

PIECES = (
    "(",
    "'",
    "`",
    "**",
    "a'",
    "e4 ",
    "e4-e6, ",
    "9",
    "٤",
    "1||",
    "?",
    "@everyone ",
    "\u200b",
    "<:a:1>",
    "é,",
)
SHORT, TIMES = 400, 5


def steps(work: Callable[[], object]) -> int:
    """Return how many lines of Python a piece of work runs, each turn of a loop within one counted."""
    count = 0

    def trace(_frame: FrameType, _event: str, _arg: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    usual = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(usual)
    return count


@pytest.mark.parametrize("key", registry.KEYS)
def test_reading_a_text_takes_steps_as_it_is_long(key: str) -> None:
    game = registry.get(key)
    sealed = Sealed(bytes(32), f"{game.code}-LONG", "salt")
    match = begin(game, game.setup(min(game.seats)), sealed).match
    seat = Seat(min(match.to_act))
    view = game.view(match.state, seat)

    def read(text: str) -> None:
        without_separators(text)
        game.parse(view, seat, strip_markup(text)[0])
        asyncio.run(move_in(game, view, seat, text))

    read("e4")  # what is made once
    for piece in PIECES:
        short = piece * (SHORT // len(piece))
        few, many = steps(lambda: read(short)), steps(lambda: read(short * TIMES))  # noqa: B023
        assert many <= (TIMES + 1) * few, piece
