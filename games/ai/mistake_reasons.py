"""Why the better move of a mistake was better: for its seat by what it knew, for others by what all know."""

from __future__ import annotations

from typing import Any

from games.ai.analysis import Mistake
from games.engine.game import AnyGame
from games.engine.reasons import Reason, reasons
from games.engine.values import Done


def mistake_reasons(game: AnyGame, state: Any, mistake: Mistake) -> tuple[Reason, ...]:
    """Return why the better move was better, from what its seat knew in the state before the mistake."""
    return _reasons(game, game.view(state, mistake.seat), mistake)


def public_reason(game: AnyGame, state: Any, mistake: Mistake) -> Reason | None:
    """Return the weightiest reason that everyone may know; None if there is none.

    It follows from a spectator's view. Of a move that a spectator couldn't have thought of, such as a trade
    of cards, nothing is said.
    """
    seen, own, seat = game.view(state, None), game.view(state, mistake.seat), mistake.seat
    if game.hidden:
        for action in map(game.decode, mistake.actions):
            read = game.parse(seen, seat, game.format(own, action))
            if not isinstance(read, Done) or read.action != action:
                return None
    return next(iter(_reasons(game, seen, mistake)), None)


def _reasons(game: AnyGame, view: Any, mistake: Mistake) -> tuple[Reason, ...]:
    played, better = (game.decode(each) for each in mistake.actions)
    return reasons(game, view, mistake.seat, better, played, max(0.0, mistake.loss))
