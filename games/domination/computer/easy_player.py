"""The easy player: a beginner that looks at one border at a time and often stops after one conquest."""

from __future__ import annotations

from games.domination.computer.base_player import Computer
from games.domination.computer.position_model import planning_tables
from games.domination.rules import actions
from games.domination.rules.actions import END, Action
from games.domination.rules.position import Position, View, map_tables
from games.engine.dice import Dice


def enemy_neighbours(position: Position, at: int) -> list[int]:
    """Return the neighbours that may be attacked from a country, those of its holder excluded."""
    by, owner = position.owner[at], position.owner
    return [n for n in planning_tables(position.info.law.atlas).borders[at] if owner[n] != by]


def border_countries(position: Position, seat: int) -> list[int]:
    """Return the seat's countries that border on others'; all its countries if there are none."""
    held = [at for at, by in enumerate(position.owner) if by == seat]
    return [at for at in held if enemy_neighbours(position, at)] or held


class Easy(Computer):
    """Reinforces a random border, attacks clearly weaker countries, and ignores continents."""

    wise = False

    def choose_placement(self, view: View, seat: int, pool: int, dice: Dice) -> tuple[int, int]:
        """Return a random border country, and enough armies to beat its weakest neighbour."""
        position = view.position
        at = dice.pick(border_countries(position, seat))
        if position.phase == "setup":
            return at, 1 + dice.below(3)
        near = enemy_neighbours(position, at)
        against = min((position.armies[n] for n in near), default=pool)
        return at, max(1, (3 * against) // 2 + 2 - position.armies[at])

    def choose_move_in(self, view: View, seat: int, low: int, high: int) -> int:
        """Return all armies, or half if the origin still has enemy neighbours."""
        position = view.position
        attack = position.attack
        return (low + high + 1) // 2 if attack and enemy_neighbours(position, attack.src) else high

    def choose_attack(self, view: View, seat: int, dice: Dice) -> Action:
        """Attack the country with the largest deficit of at least two armies; often stop after a conquest."""
        position = view.position
        armies, atlas = position.armies, position.info.law.atlas
        codes, stop = map_tables(atlas).codes, dice.below(2) if position.taken else dice.below(8) == 0
        pairs = [
            (armies[dst] - armies[src], src, dst)
            for src, by in enumerate(position.owner)
            if by == seat and armies[src] > 3
            for dst in enemy_neighbours(position, src)
            if armies[src] - armies[dst] >= 2
        ]
        if not pairs:
            return self._last_move(position, seat)
        _, src, dst = min(pairs)
        if stop and armies[src] < 3 * armies[dst] + 6:
            return self._last_move(position, seat)
        return actions.attack(codes[src], codes[dst], "until", 2)

    def _last_move(self, position: Position, seat: int) -> Action:
        """Move the largest stack in the interior to the front, if it is one step away."""
        codes, armies = map_tables(position.info.law.atlas).codes, position.armies
        borders, edge = (
            planning_tables(position.info.law.atlas).borders,
            set(border_countries(position, seat)),
        )
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
