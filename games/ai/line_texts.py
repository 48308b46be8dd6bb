"""Expected moves as texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.game import AnyGame, Seat


def line_texts(game: AnyGame, state: Any, line: Sequence[tuple[Seat, Any]]) -> tuple[tuple[Seat, str], ...]:
    """Return the moves of a line, each with its seat, in the notation that people type.

    It ends before a move that isn't possible: what is hidden may have been guessed.
    """
    told: list[tuple[Seat, str]] = []
    for seat, action in line:
        if seat not in game.to_act(state) or game.refuse(state, seat, action) is not None:
            break
        told.append((seat, game.format(game.view(state, seat), action)))
        state = game.apply(state, seat, action).state
    return tuple(told)
