"""The actions that look best at first sight: by evaluation, right after they were played."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from games.ai.chance import after_chance
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat

_MOST_ACTIONS: Final = 300
"""Maximum number of actions that are tried, evenly spread over all."""
_LEAST_ACTIONS: Final = 40
"""The same with little effort."""


def tempting_actions(
    game: AnyGame, view: Any, seat: Seat, most: int, dice: Dice, effort: float = 1.0
) -> tuple[Any, ...]:
    """Return up to `most` legal actions of a seat with different ideas, the one that looks best first.

    Draws of chance are made with `dice`. `effort` is a factor for how many actions are tried. Empty where the
    seat knows no state to try actions on.
    """
    state = game.guess(view, seat)
    if state is None or most < 1:
        return ()
    actions = list(game.actions(view, seat))
    found: list[tuple[float, int]] = []
    tried = max(_LEAST_ACTIONS, round(_MOST_ACTIONS * effort))
    for at in range(0, len(actions), -(-len(actions) // tried)):
        after = after_chance(game, game.apply(state, seat, actions[at]).state, dice)
        found.append((game.evaluate(game.view(after, seat), seat), -at))
    best: dict[Hashable, Any] = {}
    for _, at in sorted(found, reverse=True):
        best.setdefault(game.idea(actions[-at]), actions[-at])
        if len(best) == most:
            break
    return tuple(best.values())
