"""A greedy grabber of continents: an opponent for measuring the levels, never offered in a lobby.

It goes for the continent that costs least for its bonus, with all new armies in one place, attacks there
while it has the larger army, and otherwise takes what is weakly held.
"""

from __future__ import annotations

from games.domination.computer.players import Computer, border_countries, enemy_neighbours
from games.domination.rules import actions
from games.domination.rules.actions import END, Action
from games.domination.rules.position import Position, View, map_tables
from games.engine.dice import Dice
from games.engine.search import Stop


class GreedyPlayer(Computer):
    """Takes one continent after the other, the cheapest for its bonus first."""

    def choose_placement(
        self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Return the largest stack next to the continent wanted most, and all armies."""
        position = view.position
        for number in _wanted(position, seat):
            near = [pair for pair in _pairs(position, seat) if _continent(position, pair[1]) == number]
            if near:
                return max(near, key=lambda pair: (position.armies[pair[0]], -pair[0]))[0], pool
        return border_countries(position, seat)[0], pool

    def choose_move_in(self, view: View, seat: int, low: int, high: int, stop: Stop | None = None) -> int:
        """Return all armies if there are enemies ahead, else the fewest."""
        attack = view.position.attack
        return high if attack is not None and enemy_neighbours(view.position, attack.dst) else low

    def choose_attack(self, view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Action:
        """Attack in the continent wanted most, then what is weak; then move the largest idle stack."""
        position = view.position
        armies, codes = position.armies, map_tables(position.info.law.atlas).codes
        pairs = [(armies[src] - armies[dst], src, dst) for src, dst in _pairs(position, seat)]
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


def _pairs(position: Position, seat: int) -> list[tuple[int, int]]:
    """Return the possible attacks, as origin and target."""
    held = [at for at in position.held(seat) if position.armies[at] > 0]
    return [(src, dst) for src in held for dst in enemy_neighbours(position, src)]


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
    return actions.fortify(tables.codes[src], tables.codes[dst], n - 1)
