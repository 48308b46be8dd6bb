"""The easy player: a beginner that looks at one border at a time and stops while it is ahead."""

from __future__ import annotations

from games.domination.computer.base_player import Computer
from games.domination.computer.worth import ground
from games.domination.rules import actions
from games.domination.rules.actions import END, Action
from games.domination.rules.position import Position, View, chart
from games.engine.dice import Dice


def threats(position: Position, at: int) -> list[int]:
    """The neighbours of a country that it may attack and that its holder doesn't hold."""
    by, owner = position.owner[at], position.owner
    return [n for n in ground(position.table.law.atlas).borders[at] if owner[n] != by]


def front(position: Position, seat: int) -> list[int]:
    """The countries of a seat from where others' may be attacked; all of them if there is none such."""
    held = [at for at, by in enumerate(position.owner) if by == seat]
    return [at for at in held if threats(position, at)] or held


class Easy(Computer):
    """Puts armies on a border by chance, attacks what is clearly weaker, and doesn't care for continents."""

    wise = False

    def placed(self, view: View, seat: int, pool: int, dice: Dice) -> tuple[int, int]:
        """Some border, with enough to beat one neighbour."""
        position = view.position
        at = dice.pick(front(position, seat))
        if position.phase == "setup":
            return at, 1 + dice.below(3)
        near = threats(position, at)
        against = min((position.armies[n] for n in near), default=pool)
        return at, max(1, (3 * against) // 2 + 2 - position.armies[at])

    def moved(self, view: View, seat: int, low: int, high: int) -> int:
        """All, unless the old country still has a neighbour to fear: then half."""
        position = view.position
        order = position.order
        return (low + high + 1) // 2 if order and threats(position, order.src) else high

    def attacked(self, view: View, seat: int, dice: Dice) -> Action:
        """Attack the weakest of those that are weaker by two; often enough after one conquest, stop."""
        position = view.position
        armies, atlas = position.armies, position.table.law.atlas
        codes, stop = chart(atlas).codes, dice.below(2) if position.taken else dice.below(8) == 0
        pairs = [
            (armies[dst] - armies[src], src, dst)
            for src, by in enumerate(position.owner)
            if by == seat and armies[src] > 3
            for dst in threats(position, src)
            if armies[src] - armies[dst] >= 2
        ]
        if not pairs:
            return self._last(position, seat)
        _, src, dst = min(pairs)
        if stop and armies[src] < 3 * armies[dst] + 6:
            return self._last(position, seat)
        return actions.attack(codes[src], codes[dst], "until", 2)

    def _last(self, position: Position, seat: int) -> Action:
        """Bring the largest idle stack one step nearer to others, if it stands beside the border."""
        codes, armies = chart(position.table.law.atlas).codes, position.armies
        borders, edge = ground(position.table.law.atlas).borders, set(front(position, seat))
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
