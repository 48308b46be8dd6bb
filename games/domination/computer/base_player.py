"""The base class of the computer players: it finds out what is due and returns a legal action.

Players decide from the view alone and keep no state between decisions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from games.domination.computer import opening_choices
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.rules import actions, battles, judge
from games.domination.rules.actions import CONTINUE, KEEP, Action
from games.domination.rules.position import Secrets, View, map_tables
from games.domination.rules.turns import FRESH, SPOILS, must_trade
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat


class Computer(ABC):
    """A level of play. Subclasses choose where to place, what to attack, and how many armies move in."""

    wise = True
    """Whether it claims countries that belong together."""

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Action:
        """Return a legal action of the seat. Raises ValueError if the seat isn't to act."""
        whole: View = view
        if whole.own is None or seat not in judge.to_act(whole.position):
            raise ValueError(f"seat {seat} has nothing to choose from")
        return self._choose(whole, whole.own, seat, dice)

    def _choose(self, view: View, own: Secrets, seat: int, dice: Dice) -> Action:
        position = view.position
        match position.phase:
            case "claim":
                return opening_choices.draft(position, own, seat, dice, wise=self.wise)
            case "vote":
                return CONTINUE  # people decide whether to stop
            case "capital":
                at = opening_choices.capital(PositionModel(view, seat, Strategy()))
                return actions.with_code("capital", map_tables(position.info.law.atlas).codes[at])
            case "setup":
                return self._place(view, seat, own.pool, dice)
            case "place":
                return self._trade_or_place(view, own, seat, dice)
            case "move":
                low, high = battles.move_in_range(position)
                return actions.move(max(low, min(high, self.choose_move_in(view, seat, low, high))))
            case _:
                return self.choose_attack(view, seat, dice)

    def _trade_or_place(self, view: View, own: Secrets, seat: int, dice: Dice) -> Action:
        position = view.position
        forced = must_trade(position, own)
        if position.step == FRESH or (position.step == SPOILS and forced):
            found = opening_choices.best_set(PositionModel(view, seat, Strategy()), own)
            if found is not None:
                return found
        return self._place(view, seat, position.pool, dice) if position.pool else KEEP

    def _place(self, view: View, seat: int, pool: int, dice: Dice) -> Action:
        at, n = self.choose_placement(view, seat, pool, dice)
        return actions.place(map_tables(view.position.info.law.atlas).codes[at], max(1, min(pool, n)))

    @abstractmethod
    def choose_placement(self, view: View, seat: int, pool: int, dice: Dice) -> tuple[int, int]:
        """Return where it places armies of the pool, and how many."""

    @abstractmethod
    def choose_move_in(self, view: View, seat: int, low: int, high: int) -> int:
        """Return how many armies it moves into the country that it took."""

    @abstractmethod
    def choose_attack(self, view: View, seat: int, dice: Dice) -> Action:
        """Return the next attack, the last move, or the end of its turn."""
