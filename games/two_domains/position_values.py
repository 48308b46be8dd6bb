"""What positions and actions are worth: chance, ends and skipped turns, around any source of values.

A source only knows what a position is worth to the side whose action it is. Whether it reads exact values
from a file or estimates them, all else is the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from games.engine.game import CHANCE, Seat
from games.two_domains import rules
from games.two_domains.actions import ROLLS, Action
from games.two_domains.rules import State

ROUNDING: Final = 1e-7
"""How far from 0 and 1 a source's values are kept: it has rounded them, so they prove nothing."""


class PositionValues(ABC):
    """An oracle on a source of values; draws count half."""

    @abstractmethod
    def mover_value(self, mine: str, theirs: str) -> float | None:
        """Return the probability that the mover, who has the first domain, wins.

        Only asked of movers with two dice or more, and of games that aren't over. None if it isn't known.
        """

    def value(self, mine: str, theirs: str) -> float | None:
        """Return the same for any mover: one with a single die is skipped."""
        if len(mine) == 1 < len(theirs):
            other = self.mover_value(theirs, mine)
            return None if other is None else 1.0 - other
        return self.mover_value(mine, theirs)

    def position_value(self, state: State, seat: int) -> float | None:
        """Return a seat's probability of winning: after the end, before a roll, or before a decision.

        It is 0 or 1 only if the action and its roll, whatever it is, end the game. None if it isn't known.
        """
        if state.outcome is not None:
            mine, theirs = state.outcome.ranks[seat], state.outcome.ranks[1 - seat]
            return 0.5 if mine == theirs else float(mine < theirs)
        if state.roll == "first":
            return 0.5
        if state.roll:
            rolled = [self.position_value(rules.play(state, CHANCE, roll).state, seat) for roll in ROLLS]
            known = [value for value in rolled if value is not None]
            return sum(known) / len(rolled) if len(known) == len(rolled) else None
        turn = state.turn
        value = self.value(state.domains[turn], state.domains[1 - turn])
        if value is None:
            return None
        value = min(max(value, ROUNDING), 1.0 - ROUNDING)
        return value if turn == seat else 1.0 - value

    def appraise(self, view: State, seat: Seat) -> tuple[tuple[Action, float], ...] | None:
        """Return each legal action of the acting seat with its probability of winning; see `Oracle`."""
        found: list[tuple[Action, float]] = []
        for action in rules.legal(view, seat):
            value = self.position_value(rules.play(view, seat, action).state, seat)
            if value is None:
                return None
            found.append((action, value))
        return tuple(found) or None
