"""The base class of the computer players, which finds out what is due.

Players decide from the view alone and keep no state between decisions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable
from typing import Any

from games.domination.computer import opening_choices
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.maps.atlas import Atlas
from games.domination.rules import actions, battles, judge
from games.domination.rules.actions import CONTINUE, KEEP, STOP, Action
from games.domination.rules.position import Position, Secrets, View, map_tables
from games.domination.rules.turns import FRESH, must_trade
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat
from games.engine.search import Stop


class Computer(ABC):
    """A level of play. Subclasses choose where to place, what to attack, and how many armies move in."""

    denies = False
    """Whether it first claims a country of each continent from a single rival."""
    settles = False
    """Whether it claims remote countries of good continents instead as the first of two."""
    seconds = 5.0
    """Time after which a decision should be stopped."""

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Action:
        """Return a legal action of the seat. Raises ValueError if the seat isn't to act."""
        return self.decide(game, view, seat, dice)

    def decide(self, game: AnyGame, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None) -> Action:
        """Return the same; once `stop` says so, of what was considered so far.

        Raises ValueError if the seat isn't to act.
        """
        position: Position = view.position
        own: Secrets | None = view.own
        if own is None or seat not in judge.to_act(position):
            raise ValueError(f"seat {seat} has nothing to choose from")
        match position.phase:
            case "claim":
                return opening_choices.draft(
                    position, own, seat, dice, denies=self.denies, settles=self.settles
                )
            case "vote":
                return STOP if position.info.victor == seat else CONTINUE  # a win of people is theirs to end
            case "capital":
                at = opening_choices.capital(PositionModel(view, seat, Strategy()))
                return actions.with_code("capital", map_tables(position.info.law.atlas).codes[at])
            case "setup":
                return self._place(view, seat, own.pool, dice, stop)
            case "place":
                return self._trade_or_place(view, own, seat, dice, stop)
            case "move":
                low, high = battles.move_in_range(position)
                return actions.move(max(low, min(high, self.choose_move_in(view, seat, low, high, stop))))
            case _:
                return self.choose_attack(view, seat, dice, stop)

    def _trade_or_place(self, view: View, own: Secrets, seat: int, dice: Dice, stop: Stop | None) -> Action:
        position = view.position
        if position.step == FRESH or must_trade(position, own):
            found = opening_choices.best_set(PositionModel(view, seat, Strategy()), own)
            if found is not None:
                return found
        return self._place(view, seat, position.pool, dice, stop) if position.pool else KEEP

    def _place(self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None) -> Action:
        at, n = self.choose_placement(view, seat, pool, dice, stop)
        return actions.place(map_tables(view.position.info.law.atlas).codes[at], max(1, min(pool, n)))

    @abstractmethod
    def choose_placement(
        self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Return where it places armies of the pool, and how many."""

    def choose_move_in(self, view: View, seat: int, low: int, high: int, stop: Stop | None = None) -> int:
        """Return how many armies it moves in: here all if there are enemies ahead, else the fewest."""
        attack = view.position.attack
        return high if attack is not None and enemy_neighbours(view.position, attack.dst) else low

    @abstractmethod
    def choose_attack(self, view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Action:
        """Return the next attack, the last move, or the end of its turn."""


def enemy_neighbours(position: Position, at: int) -> list[int]:
    """Return the neighbours that may be attacked from a country, those of its holder excluded."""
    by, owner = position.owner[at], position.owner
    return [n for n in map_tables(position.info.law.atlas).borders[at] if owner[n] != by]


def possible_attacks(position: Position, seat: int) -> list[tuple[int, int]]:
    """Return the possible attacks, as origin and target."""
    held = [at for at in position.held(seat) if position.armies[at] > 0]
    return [(src, dst) for src in held for dst in enemy_neighbours(position, src)]


def border_countries(position: Position, seat: int) -> list[int]:
    """Return the seat's countries that border on others'; all its countries if there are none."""
    held = position.held(seat)
    return [at for at in held if enemy_neighbours(position, at)] or held


def steps_to(atlas: Atlas, ends: Iterable[int], over: Container[int] | None = None) -> list[int]:
    """Return how many steps each country is from the nearest of `ends`, over some countries or all.

    It is the number of countries if they can't be reached.
    """
    into = map_tables(atlas).into
    far = [len(into)] * len(into)
    reached = list(ends)
    for at in reached:
        far[at] = 0
    for at in reached:
        for n in into[at]:
            if far[n] > far[at] + 1 and (over is None or n in over):
                far[n] = far[at] + 1
                reached.append(n)
    return far
