"""One sweep of value iteration over a block: positions by the mover's domain (rows) and the opponent's.

All work is done on whole rows, which lie together in memory. `ahead[x]` is what it is worth to have become x
when the opponent is to move: 1 less the opponent's value, and 0 in Civil War. `fewer` is the same against the
opponent's domains with one die less, by the place of what is left of them.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solve.plans import BEATEN_TO, CONVERTED_TO, REMOVED, Plan, at_war, groups

Values: TypeAlias = NDArray[np.float64]
_TILE: Final = 216
_SIXTH: Final = 1.0 / 6.0
_SURE: Final = 1e-14
_MOST: Final = 100_000


def mirror(values: Values, ahead: Values, war: tuple[int, ...]) -> None:
    """Fill `ahead` from the values of the opponent as mover; tile by tile, so that both stay in the cache."""
    rows, columns = ahead.shape
    for top in range(0, rows, _TILE):
        for left in range(0, columns, _TILE):
            tile = values[left : left + _TILE, top : top + _TILE]
            np.subtract(1.0, tile.T, out=ahead[top : top + _TILE, left : left + _TILE])
    if war:
        ahead[list(war)] = 0.0


class Sweeper:
    """Room to work in for one shape of block, at least two dice on each side."""

    def __init__(self, own: int, columns: int) -> None:
        """Of movers with `own` dice against so many domains."""
        self.groups = groups(own)
        self.war = list(at_war(own))
        self._gather, self._best, self._hit, self._sum = np.empty((4, columns))
        self._left = np.empty(columns // 6)

    def gather(self, ahead: Values, rows: tuple[int, ...]) -> Values:
        """Return the mean of six rows; overwritten by the next call."""
        mean = self._gather
        np.add(ahead[rows[0]], ahead[rows[1]], out=mean)
        for row in rows[2:]:
            mean += ahead[row]
        mean *= _SIXTH
        return mean

    def battle(self, ahead: Values, fewer: Values, plan: Plan) -> Values | None:
        """Return the value of a battle against each domain, valid until the next call; None if illegal."""
        if plan.overrun is not None:
            return self._struck(ahead[plan.overrun], fewer[plan.overrun], CONVERTED_TO)
        if not plan.clash:
            return None
        fail, first, *others = plan.clash
        held, left = self._sum, self._left
        held[:] = ahead[first]
        left[:] = fewer[first]
        for row in others:
            held += ahead[row]
            left += fewer[row]
        worth = self._struck(held, left, BEATEN_TO)
        worth += ahead[fail]
        worth *= _SIXTH
        return worth

    def _struck(self, held: Values, left: Values, becomes: tuple[int, ...]) -> Values:
        """Return, by the opponent's domain before, `held` if its Front is changed, `left` if removed."""
        after, before = self._hit.reshape(-1, 6), held.reshape(-1, 6)
        for face, to in enumerate(becomes):
            after[:, face] = left if to == REMOVED else before[:, to]
        return self._hit

    def sweep(self, ahead: Values, fewer: Values, values: Values, blend: float) -> float:
        """Move all values towards the best action's by the factor `blend`: the largest difference to it."""
        gap = 0.0
        for group in self.groups:
            gather = self.gather(ahead, group.rows)
            for plan in group.plans:
                best = gather
                for row in plan.steps:
                    best = np.maximum(best, ahead[row], out=self._best)
                if (battle := self.battle(ahead, fewer, plan)) is not None:
                    best = np.maximum(best, battle, out=self._best)
                old = values[plan.row]
                change = np.subtract(best, old, out=self._best)
                gap = max(gap, float(change.max()), -float(change.min()))
                change *= blend
                old += change
        if self.war:
            values[self.war] = 0.0
        return gap


def alone(own: int, pledge: Values) -> tuple[Values, int]:
    """Return the values of movers against a single die, who keep moving, and the number of sweeps.

    `pledge` is what is left after a failed battle, by the domain without its Front. Nobody else acts, and who
    never ends it doesn't win: iteration from 0 rises to the values.
    """
    old = [0.0] * 6**own
    battle = [(5.0 + float(worth)) * _SIXTH for worth in pledge]
    sweeps = 0
    gap = 1.0
    while gap > _SURE and sweeps < _MOST:
        new = [0.0] * len(old)
        for group in groups(own):
            gather = sum(old[row] for row in group.rows) * _SIXTH
            for plan in group.plans:
                best = max(gather, *(old[row] for row in plan.steps)) if plan.steps else gather
                new[plan.row] = best if plan.pledge is None else max(best, battle[plan.pledge])
        gap = max(abs(one - other) for one, other in zip(old, new, strict=True))
        old = new
        sweeps += 1
    return np.array(old).reshape(-1, 1), sweeps
