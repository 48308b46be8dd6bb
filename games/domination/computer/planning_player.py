"""The players that plan: place armies where the best campaign begins, and attack along it while it pays.

Every decision plans anew. Armies placed for a campaign make it the best one again, so the target stays; after
bad dice it no longer is, and the attack ends.
"""

from __future__ import annotations

from typing import Final

from games.domination.computer import opening_choices
from games.domination.computer.base_player import Computer
from games.domination.computer.campaigns import Campaign, best, campaign
from games.domination.computer.easy_player import Easy
from games.domination.computer.worth import Mind, Sight
from games.domination.rules import actions, move_generator
from games.domination.rules.actions import END, Action
from games.domination.rules.position import View, chart
from games.engine.dice import Dice

_BOLD: Final = 10
"""Armies from which on an attack stops for a new decision once its lead is halved."""
_STIR: Final = 0.15
"""Minimum gain of a last move, in armies."""
_TIE: Final = 1e-9
_SIMPLE: Final = Easy()


class Planning(Computer):
    """Compares campaigns. `simple`: on every how manyth turn it places like a beginner; 0 for never."""

    def __init__(self, mind: Mind, *, simple: int = 0) -> None:
        self._mind, self._simple = mind, simple

    def _sight(self, view: View, seat: int) -> Sight:
        return Sight(view, seat, self._mind)

    # --- placing -----------------------------------------------------------------------------------------

    def placed(self, view: View, seat: int, pool: int, dice: Dice) -> tuple[int, int]:
        """Return a country that a mission lacks armies on, else the best campaign's origin, else a border."""
        place = view.position
        if self._simple and (place.table.round + seat) % self._simple == 0 and place.phase == "place":
            return _SIMPLE.placed(view, seat, pool, dice)
        sight = self._sight(view, seat)
        few = opening_choices.short_of(sight)
        if few and len(few) <= pool:
            return few[0], 1
        found = best(sight, pool)
        if found is None or found.gain < self._mind.least:
            return self._guarded(sight, pool)
        return found.steps[0][0], self._needed(sight, found, pool)

    def _needed(self, sight: Sight, found: Campaign, pool: int) -> int:
        """Return the number of armies that makes the campaign worth most, unplaced ones counted as armies."""
        src, most, need = found.steps[0][0], found.worth, pool
        stand = found.worth - found.gain - pool
        for part in (3, 2, 1):
            n = pool * part // 4
            if n < 1:
                break
            again = campaign(sight, found.goal, src, n, stand + n)
            if again is None or again.steps[0] != found.steps[0] or again.worth + pool - n <= most:
                break
            most, need = again.worth + pool - n, n
        return need

    def _guarded(self, sight: Sight, pool: int) -> tuple[int, int]:
        """Return the country that gains most from armies, and half of a large pool, to decide again later."""
        n = pool if pool < 4 else (pool + 1) // 2
        armies = sight.armies
        most, found = -1e9, 0
        for at, by in enumerate(sight.owner):
            if by != sight.seat:
                continue
            near = sum(armies[m] for m in sight.ground.into[at] if sight.feared(m))
            stacks = armies.copy()
            stacks[at] += n
            worth = sight.worth(sight.owner, stacks, sight.place.taken)
            worth += 0.05 * min(4.0, near / armies[at]) if near else -1.0
            if worth > most:
                most, found = worth, at
        return found, n

    # --- attacks -----------------------------------------------------------------------------------------

    def attacked(self, view: View, seat: int, dice: Dice) -> Action:
        """Return the first battle of the best campaign; without a campaign, the last move."""
        sight = self._sight(view, seat)
        found = best(sight, 0)
        if found is None or found.gain < self._mind.least:
            return self._last(sight)
        src, dst = found.steps[0]
        codes, armies = chart(sight.law.atlas).codes, view.position.armies
        ours, theirs = armies[src], armies[dst]
        if ours >= _BOLD and ours - theirs >= 4:
            return actions.attack(codes[src], codes[dst], "lead", (ours - theirs) // 2)
        return actions.attack(codes[src], codes[dst], "until", 3 if ours > 3 else 1)

    def moved(self, view: View, seat: int, low: int, high: int) -> int:
        """Return all armies if no enemy borders the origin; else the number worth most, with what follows."""
        place = view.position
        order = place.order
        if order is None:
            return low
        sight = self._sight(view, seat)
        src, dst = order.src, order.dst
        if all(sight.owner[n] == seat for n in sight.ground.into[src]):
            return high
        whole = sight.armies[src] + sight.armies[dst]
        most, found = -1e9, high
        for n in sorted({high, low, (low + high) // 2}, reverse=True):
            sight.armies[src], sight.armies[dst] = whole - n, float(n)
            worth = sight.worth(sight.owner, sight.armies, True)
            onward = best(sight, 0)
            worth += max(0.0, onward.gain) if onward is not None else 0.0
            if worth > most + _TIE:
                most, found = worth, n
        return found

    # --- the last move -----------------------------------------------------------------------------------

    def _last(self, sight: Sight) -> Action:
        """Return the last move worth most: idle armies towards enemies, or to where they are needed."""
        codes, owner, armies = chart(sight.law.atlas).codes, sight.owner, sight.armies
        far = self._distance(sight)
        stand = sight.worth(owner, armies, True)
        most, found = _STIR, END
        for src, by in enumerate(owner):
            if by != sight.seat or armies[src] < 2:
                continue
            for dst in move_generator.destinations(sight.place, src):
                idle = far[src] > 0
                if idle and far[dst] >= far[src]:
                    continue
                for n in {round(armies[src]) - 1, max(1, round(armies[src]) // 2)}:
                    stacks = armies.copy()
                    stacks[src] -= n
                    stacks[dst] += n
                    worth = sight.worth(owner, stacks, True) - stand
                    worth += 0.1 * n * (far[src] - far[dst])
                    if worth > most + _TIE:
                        most, found = worth, actions.fortify(codes[src], codes[dst], n)
        return found

    def _distance(self, sight: Sight) -> list[int]:
        """Return how many moves each of the seat's countries is from the nearest that borders an enemy."""
        owner, seat, ground = sight.owner, sight.seat, sight.ground
        far = [sight.size] * sight.size
        edge = [
            at
            for at, by in enumerate(owner)
            if by == seat and any(owner[n] != seat for n in (*ground.borders[at], *ground.into[at]))
        ]
        for at in edge:
            far[at] = 0
        for at in edge:
            for n in ground.into[at]:
                if owner[n] == seat and far[n] > far[at] + 1:
                    far[n] = far[at] + 1
                    edge.append(n)
        return far
