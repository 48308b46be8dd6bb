"""Matches of Focus in the notation of Abstract Play (https://www.abstractplay.com), as far as it has them.

Abstract Play has Focus for two on the same board, with the same start and the same moves: `b3-b4`, `+c4`.
Its first player has the pieces that are Red's here, and always begins. Where Green begins, the ranks are
reversed, which exchanges the colours of the start. The list has an array for each round, as in the game
records of that host.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.fields import Json
from games.engine.game import Setup
from games.focus.actions import Action, FirstPlayer, Move

STYLE: Final = "abstract-play"
_PLAYERS: Final = 2
_RANKS: Final = 8


def rounds(setup: Setup, actions: Sequence[Action]) -> Json:
    """Return the moves of a match by rounds; None if it has other players, options or no beginning."""
    usual = setup.seats == _PLAYERS and setup.options["fast"] is False and setup.options["partners"] is False
    if not usual or not actions or not isinstance(actions[0], FirstPlayer):
        return None
    mirrored = actions[0].seat != 0
    moves = [_write(action, mirrored=mirrored) for action in actions[1:]]
    return [list[Json](moves[at : at + _PLAYERS]) for at in range(0, len(moves), _PLAYERS)]


def _write(action: Action, *, mirrored: bool) -> str:
    if isinstance(action, FirstPlayer):
        raise TypeError("the first player is drawn once")
    there = _mirrored if mirrored else str
    if isinstance(action, Move):
        return f"{there(action.source)}-{there(action.target)}"
    return f"+{there(action.target)}"


def _mirrored(space: str) -> str:
    return f"{space[0]}{_RANKS + 1 - int(space[1:])}"
