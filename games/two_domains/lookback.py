"""What is said about a match of Two Domains afterwards: its dice, and how lucky battles were."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.game import Seat
from games.engine.lookback import SIX_SIDED, Fortune, Rolled
from games.two_domains.actions import Action
from games.two_domains.rules import BATTLE_FAIL_FACE, State


def material(view: State) -> tuple[float, ...]:
    """Return the number of dice of each seat."""
    return tuple(float(len(dice)) for dice in view.domains)


def rolls(before: State, action: Action) -> tuple[Rolled, ...]:
    """Return the die that was rolled for the seat to act; who begins is drawn by lot."""
    return (Rolled(SIX_SIDED, action.n - 1, Seat(before.turn)),) if action.kind == "roll" else ()


def fortune(before: State, draws: Sequence[Action]) -> Fortune | None:
    """Return the luck of a battle: one face in six loses it. What a gathered die is worth isn't judged."""
    if before.roll not in ("battle", "endurance"):
        return None
    lost = draws[0].n == BATTLE_FAIL_FACE
    return Fortune(Seat(before.turn), 1.0 if lost else 5 / 6, 1 / 6 if lost else 1.0)
