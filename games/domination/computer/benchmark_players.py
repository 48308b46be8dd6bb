"""Opponents that play differently from the planning players, to measure the levels: never offered in a lobby.

Most rank the possible attacks by a rule of their own. They place all armies where the best one begins, fight
the best that their odds allow, and move idle armies towards it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from games.domination.computer.opening_choices import appeal
from games.domination.computer.players import (
    Computer,
    border_countries,
    enemy_neighbours,
    possible_attacks,
    steps_to,
)
from games.domination.rules import actions, move_generator
from games.domination.rules.actions import END, Action
from games.domination.rules.position import Position, View, map_tables
from games.engine.dice import Dice
from games.engine.search import Stop

_RIM: Final = 3
"""Armies that the keeper wants on each border of a continent at least."""
_GATHERED: Final = 0.35
"""Armies in one stack, as a share of all enemies', from which on the gatherer strikes."""


class RankingPlayer(Computer):
    """Fights by a ranking of attacks. Subclasses say what is good about each, and which odds will do."""

    @abstractmethod
    def merit(self, position: Position, seat: int, src: int, dst: int) -> float:
        """Return how good it is to attack from a country to another, their armies left out."""

    def willing(self, position: Position, seat: int, src: int, dst: int) -> bool:
        """Return whether it fights this battle now."""
        return position.armies[src] > position.armies[dst] + 1

    def choose_placement(
        self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Return the origin of the best attack, the largest stack of equal ones, and all armies."""
        position = view.position
        pairs = possible_attacks(position, seat)
        if not pairs:
            return border_countries(position, seat)[0], pool
        return self._best(position, seat, pairs)[0], pool

    def choose_attack(self, view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Action:
        """Return the best attack that it is willing to make, or the last move."""
        position = view.position
        codes = map_tables(position.info.law.atlas).codes
        pairs = [each for each in possible_attacks(position, seat) if self.willing(position, seat, *each)]
        if not pairs:
            return self.last_move(position, seat)
        src, dst = self._best(position, seat, pairs)
        return actions.attack(codes[src], codes[dst], "until", 1)

    def last_move(self, position: Position, seat: int) -> Action:
        """Move the largest idle stack one step towards an enemy."""
        steps = steps_to(position.info.law.atlas, [at for at, by in enumerate(position.owner) if by != seat])
        moves = [
            (position.armies[src] - 1, -steps[dst], src, dst)
            for src in position.held(seat)
            if position.armies[src] > 1 and steps[src] > 1
            for dst in move_generator.destinations(position, src)
            if steps[dst] < steps[src]
        ]
        if not moves:
            return END
        n, _, src, dst = max(moves)
        return _fortify(position, src, dst, n)

    def _best(self, position: Position, seat: int, pairs: list[tuple[int, int]]) -> tuple[int, int]:
        """Return the attack with the highest merit, from the largest stack of equal ones."""
        armies = position.armies
        return max(pairs, key=lambda each: (self.merit(position, seat, *each), armies[each[0]], -each[0]))


class Keeper(RankingPlayer):
    """Takes small continents with few borders, and guards those that it holds before it takes more."""

    def choose_placement(
        self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Guard the weakest border of its continents that can be guarded, then go for the next one."""
        position = view.position
        lacking = [(self._lack(position, seat, at), at) for at in self._rims(position, seat)]
        short = [each for each in lacking if 0 < each[0] <= pool]
        if short:
            lack, at = max(short)
            return at, lack
        return super().choose_placement(view, seat, pool, dice, stop)

    def merit(self, position: Position, seat: int, src: int, dst: int) -> float:
        """Return how good the target's continent is to have, or to take from who holds it."""
        tables = map_tables(position.info.law.atlas)
        number = tables.continent[dst]
        row = tables.countries_of[number]
        if len({position.owner[at] for at in row}) == 1:
            return 1.0 + tables.values[number] / (1.0 + position.armies[dst])
        share = sum(position.owner[at] == seat for at in row) / len(row)
        against = sum(position.armies[at] for at in row if position.owner[at] != seat)
        return (0.5 + share) * appeal(tables, number) / (1.0 + 0.1 * against)

    def willing(self, position: Position, seat: int, src: int, dst: int) -> bool:
        """Fight within the continent that it wants most, else what is weak, and never below its guard."""
        ours, theirs = position.armies[src], position.armies[dst]
        guard = _RIM if src in self._rims(position, seat) else 0
        if ours - theirs <= 1 + guard:
            return False
        number = map_tables(position.info.law.atlas).continent
        wanted = max(possible_attacks(position, seat), key=lambda each: self.merit(position, seat, *each))
        return number[dst] == number[wanted[1]] or ours > (2 if position.taken else 1) * theirs + guard + 2

    def choose_move_in(self, view: View, seat: int, low: int, high: int, stop: Stop | None = None) -> int:
        """Leave a guard on the border of a continent that it holds."""
        attack = view.position.attack
        if attack is not None and attack.src in self._rims(view.position, seat):
            return max(low, high - _RIM + 1)
        return super().choose_move_in(view, seat, low, high, stop)

    def last_move(self, position: Position, seat: int) -> Action:
        """Move armies to the weakest border of its continents, else towards an enemy."""
        rims = set(self._rims(position, seat))
        moves = [
            (self._lack(position, seat, dst), position.armies[src] - 1, src, dst)
            for src in position.held(seat)
            if position.armies[src] > 1 and src not in rims
            for dst in move_generator.destinations(position, src)
            if dst in rims and self._lack(position, seat, dst) > 0
        ]
        if not moves:
            return super().last_move(position, seat)
        _, n, src, dst = max(moves)
        return _fortify(position, src, dst, n)

    def _rims(self, position: Position, seat: int) -> list[int]:
        """Return the borders of the continents that it holds."""
        tables = map_tables(position.info.law.atlas)
        return [
            at
            for number in position.continents_of(seat)
            if tables.values[number]
            for at in tables.rims[number]
        ]

    def _lack(self, position: Position, seat: int, at: int) -> int:
        """Return how many armies a border lacks against what stands next to it."""
        near = [position.armies[n] for n in enemy_neighbours(position, at)]
        return max([_RIM, *near]) - position.armies[at]


class Gatherer(RankingPlayer):
    """Gathers one large stack, takes a country a turn for its card, and strikes once the stack is large."""

    def merit(self, position: Position, seat: int, src: int, dst: int) -> float:
        """Return the size of the stack, and then how little stands against it."""
        return position.armies[src] - position.armies[dst] / 100.0

    def willing(self, position: Position, seat: int, src: int, dst: int) -> bool:
        """Fight for one card, and on and on if the stack is large."""
        ours, theirs = position.armies[src], position.armies[dst]
        if ours < 2 * theirs + 1:
            return False
        enemies = sum(n for n, by in zip(position.armies, position.owner, strict=True) if by != seat)
        return not position.taken or ours > _GATHERED * enemies / max(1, len(position.living()) - 1)


class Hunter(RankingPlayer):
    """Hunts the seat that is weakest for its cards."""

    def merit(self, position: Position, seat: int, src: int, dst: int) -> float:
        """Return how near the attack comes to the countries of the prey, and how little stands there."""
        prey = self._prey(position, seat)
        steps = (
            steps_to(position.info.law.atlas, position.held(prey)) if prey >= 0 else [0] * len(position.owner)
        )
        return -float(steps[dst]) - position.armies[dst] / 100.0

    def _prey(self, position: Position, seat: int) -> int:
        """Return the rival with fewest armies, its cards counted against them; -1 if there is none."""
        cards = position.info.cards
        rivals = [each for each in position.living() if each != seat and position.held(each)]
        return min(rivals, key=lambda each: (position.force(each) - 3 * cards[each], each), default=-1)


class Brawler(RankingPlayer):
    """Fights the largest enemy stack next to its own, at nearly even odds."""

    def merit(self, position: Position, seat: int, src: int, dst: int) -> float:
        """Return the armies on both sides."""
        return position.armies[dst] + position.armies[src] / 100.0

    def willing(self, position: Position, seat: int, src: int, dst: int) -> bool:
        """Fight without a lead, too."""
        return position.armies[src] > 2 and position.armies[src] >= position.armies[dst]


def _fortify(position: Position, src: int, dst: int, n: int) -> Action:
    codes = map_tables(position.info.law.atlas).codes
    return actions.fortify(codes[src], codes[dst], n)


class GreedyPlayer(Computer):
    """Takes one continent after the other, the cheapest for its bonus first; never offered in a lobby.

    All new armies go to one place beside it. It attacks there while it has the larger army, and otherwise
    takes what is weakly held.
    """

    def choose_placement(
        self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Return the largest stack next to the continent wanted most, and all armies."""
        position = view.position
        for number in _wanted(position, seat):
            near = [
                pair for pair in possible_attacks(position, seat) if _continent(position, pair[1]) == number
            ]
            if near:
                return max(near, key=lambda pair: (position.armies[pair[0]], -pair[0]))[0], pool
        return border_countries(position, seat)[0], pool

    def choose_attack(self, view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Action:
        """Attack in the continent wanted most, then what is weak; then move the largest idle stack."""
        position = view.position
        armies, codes = position.armies, map_tables(position.info.law.atlas).codes
        pairs = [(armies[src] - armies[dst], src, dst) for src, dst in possible_attacks(position, seat)]
        fair = [pair for pair in pairs if pair[0] > 1]
        for number in _wanted(position, seat):
            if found := max((pair for pair in fair if _continent(position, pair[2]) == number), default=None):
                return actions.attack(codes[found[1]], codes[found[2]], "until", 1)
        factor = 2 if position.taken else 1
        weak = [pair for pair in fair if armies[pair[1]] > factor * armies[pair[2]] + 2]
        if not weak:
            return _last_move(position, seat)
        _, src, dst = max(weak)
        return actions.attack(codes[src], codes[dst], "until", 1)


def _continent(position: Position, at: int) -> int:
    return map_tables(position.info.law.atlas).continent[at]


def _wanted(position: Position, seat: int) -> list[int]:
    """Return the continents that aren't held yet, by the armies in the way for each army of the bonus."""
    tables, found = map_tables(position.info.law.atlas), []
    for number, (row, value) in enumerate(zip(tables.countries_of, tables.values, strict=True)):
        others = [at for at in row if position.owner[at] != seat]
        if others and value:
            found.append((sum(position.armies[at] + 1 for at in others) / value, number))
    return [number for _, number in sorted(found)]


def _last_move(position: Position, seat: int) -> Action:
    """Move the largest idle stack to the front if it is next to it, else anywhere."""
    tables, edge = map_tables(position.info.law.atlas), set(border_countries(position, seat))
    idle = [
        (position.armies[src], dst in edge, src, dst)
        for src in position.held(seat)
        if src not in edge and position.armies[src] > 1
        for dst in tables.borders[src]
        if position.owner[dst] == seat
    ]
    if not idle:
        return END
    n, _, src, dst = max(idle)
    return _fortify(position, src, dst, n - 1)
