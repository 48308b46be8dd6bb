"""The beginner: plays like the easy player, but only where its largest army is, and forgets things."""

from __future__ import annotations

from typing import Final

from games.domination.computer.players import Easy
from games.domination.rules.actions import END, Action
from games.domination.rules.position import Position, View, map_tables
from games.engine.dice import Dice
from games.engine.search import Stop

_SIGHT: Final = 2
"""Steps from its largest army within which it looks at the map."""
_FORGETS: Final = 3
"""It thinks of the last move in one turn of this number."""


class Beginner(Easy):
    """Overlooks fronts far from its largest army, stops after a conquest, and often forgets the last move."""

    def choose_attack(self, view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Action:
        """Attack like the easy player, but only once in a turn; then perhaps move."""
        if view.position.taken:
            return self._move_or_forget(view.position, seat, dice)
        found = super().choose_attack(view, seat, dice, stop)
        return found if found.kind == "attack" else self._move_or_forget(view.position, seat, dice)

    def _move_or_forget(self, position: Position, seat: int, dice: Dice) -> Action:
        return END if dice.below(_FORGETS) else self._last_move(position, seat)

    def _seen(self, position: Position, held: list[int]) -> list[int]:
        """Return the countries near its largest army; all of them if none is near."""
        armies, borders = position.armies, map_tables(position.info.law.atlas).borders
        seat = position.owner[held[0]]
        near = {max(position.held(seat), key=lambda at: (armies[at], -at))}
        for _ in range(_SIGHT):
            near |= {n for at in near for n in borders[at]}
        return [at for at in held if at in near] or held
