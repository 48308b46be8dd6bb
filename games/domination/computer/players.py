"""The base class of the computer players, which finds out what is due, and the easy player.

Players decide from the view alone and keep no state between decisions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from games.domination.computer import opening_choices
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.rules import actions, battles, judge
from games.domination.rules.actions import CONTINUE, END, KEEP, Action
from games.domination.rules.position import Position, Secrets, View, map_tables
from games.domination.rules.turns import FRESH, must_trade
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat
from games.engine.search import Stop


class Computer(ABC):
    """A level of play. Subclasses choose where to place, what to attack, and how many armies move in."""

    wise = True
    """Whether it claims countries that belong together."""
    denies = False
    """Whether it first claims a country of each continent from a single rival."""
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
                return opening_choices.draft(position, own, seat, dice, wise=self.wise, denies=self.denies)
            case "vote":
                return CONTINUE  # people decide whether to stop
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

    @abstractmethod
    def choose_move_in(self, view: View, seat: int, low: int, high: int, stop: Stop | None = None) -> int:
        """Return how many armies it moves into the country that it took."""

    @abstractmethod
    def choose_attack(self, view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Action:
        """Return the next attack, the last move, or the end of its turn."""


# --- the easy player -------------------------------------------------------------------------------------


def enemy_neighbours(position: Position, at: int) -> list[int]:
    """Return the neighbours that may be attacked from a country, those of its holder excluded."""
    by, owner = position.owner[at], position.owner
    return [n for n in map_tables(position.info.law.atlas).borders[at] if owner[n] != by]


def border_countries(position: Position, seat: int) -> list[int]:
    """Return the seat's countries that border on others'; all its countries if there are none."""
    held = position.held(seat)
    return [at for at in held if enemy_neighbours(position, at)] or held


class Easy(Computer):
    """Plays simply: reinforces a random border, attacks clearly weaker countries, and ignores continents."""

    wise = False

    def choose_placement(
        self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Return a random border country, and enough armies to beat its weakest neighbour."""
        position = view.position
        at = dice.pick(self._seen(position, border_countries(position, seat)))
        if position.phase == "setup":
            return at, 1 + dice.below(3)
        near = enemy_neighbours(position, at)
        against = min((position.armies[n] for n in near), default=pool)
        return at, max(1, (3 * against) // 2 + 2 - position.armies[at])

    def choose_move_in(self, view: View, seat: int, low: int, high: int, stop: Stop | None = None) -> int:
        """Return all armies, or half if the origin still has enemy neighbours."""
        position = view.position
        attack = position.attack
        return (low + high + 1) // 2 if attack and enemy_neighbours(position, attack.src) else high

    def choose_attack(self, view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Action:
        """Attack the country with the largest deficit of at least two armies; often stop after a conquest."""
        position = view.position
        armies, atlas = position.armies, position.info.law.atlas
        codes, ends = map_tables(atlas).codes, dice.below(2) if position.taken else dice.below(8) == 0
        pairs = [
            (armies[dst] - armies[src], src, dst)
            for src in self._seen(position, position.held(seat))
            if armies[src] > 3
            for dst in enemy_neighbours(position, src)
            if armies[src] - armies[dst] >= 2
        ]
        if not pairs:
            return self._last_move(position, seat)
        _, src, dst = min(pairs)
        if ends and armies[src] < 3 * armies[dst] + 6:
            return self._last_move(position, seat)
        return actions.attack(codes[src], codes[dst], "until", 2)

    def _seen(self, position: Position, held: list[int]) -> list[int]:
        """Return the countries, of some of its own, that it looks at: here all of them."""
        return held

    def _last_move(self, position: Position, seat: int) -> Action:
        """Move the largest stack in the interior to the front, if it is one step away."""
        armies, edge = position.armies, set(border_countries(position, seat))
        codes, borders, *_ = map_tables(position.info.law.atlas)
        idle = [
            (armies[src], dst, src)
            for src, by in enumerate(position.owner)
            if by == seat and armies[src] > 1 and src not in edge
            for dst in borders[src]
            if position.owner[dst] == seat and dst in edge
        ]
        if not idle:
            return END
        n, dst, src = max(idle)
        return actions.fortify(codes[src], codes[dst], n - 1)
