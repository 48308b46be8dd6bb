"""The perfect player, by an oracle of which every answer is known."""

from __future__ import annotations

from typing import Any

from games.ai.players import TIE_TOLERANCE, PerfectPlayer
from games.engine.dice import Dice
from games.engine.game import Seat
from games.two_domains import GAME
from tests.games.two_domains.helpers import begin


class Told:
    """An oracle that values actions by their texts, and knows nothing if it was told nothing."""

    def __init__(self, **worth: float) -> None:
        self._worth = {text.replace("_", " "): value for text, value in worth.items()}

    def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...] | None:
        """The values told, 0 for other actions."""
        actions = GAME.actions(view, seat)
        return (
            tuple((action, self._worth.get(action.text, 0.0)) for action in actions) if self._worth else None
        )


def choices(oracle: Told) -> set[str]:
    """What the player takes in the first position, over many dice."""
    player, state = PerfectPlayer(oracle), begin()
    (seat,) = GAME.to_act(state)
    dice = (Dice(bytes(32), "test", seq, "") for seq in range(60))
    return {player.choose(GAME, state, seat, each).text for each in dice}


def test_it_takes_the_best() -> None:
    assert choices(Told(gather=0.5, grow_1=0.6, grow_2=0.55)) == {"grow 1"}


def test_it_takes_any_of_those_as_good_but_for_rounding() -> None:
    assert choices(Told(grow_1=0.6, gather=0.6 - TIE_TOLERANCE / 10, grow_5=0.6 - 3 * TIE_TOLERANCE)) == {
        "grow 1",
        "gather",
    }


def test_it_takes_anything_where_nothing_is_known() -> None:
    assert len(choices(Told())) == 6
