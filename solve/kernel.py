"""One sweep of value iteration over a block: an array by the mover's domain (rows) and the opponent's.

All operations work on whole rows, which are contiguous in memory. `ahead[x]` is the mover's value after
becoming x, with the opponent to move: 1 less the opponent's value, and 0 in Civil War. `fewer` is the same
against opponents who have lost the die at their Front, by the index of the remaining domain.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solve.moves import BEATEN_TO, CONVERTED_TO, REMOVED, DomainMoves, groups, in_civil_war

Values: TypeAlias = NDArray[np.float64]
_TILE: Final = 216
_SIXTH: Final = 1.0 / 6.0
_CONVERGED: Final = 1e-14
"""Largest change per sweep at which the values against a single die have converged."""
_MAX_SWEEPS: Final = 100_000


def fill_ahead(values: Values, ahead: Values, war: tuple[int, ...]) -> None:
    """Fill `ahead` from the opponent's values as mover, tile by tile to keep both in the CPU cache."""
    rows, columns = ahead.shape
    for top in range(0, rows, _TILE):
        for left in range(0, columns, _TILE):
            tile = values[left : left + _TILE, top : top + _TILE]
            np.subtract(1.0, tile.T, out=ahead[top : top + _TILE, left : left + _TILE])
    if war:
        ahead[list(war)] = 0.0


class Sweeper:
    """Sweeps blocks of one shape, at least two dice on each side, with preallocated buffers."""

    def __init__(self, own: int, columns: int) -> None:
        """Prepare for movers with `own` dice against this many (`columns`) domains."""
        self.groups = groups(own)
        self.war = list(in_civil_war(own))
        self._gather, self._best, self._hit, self._sum = np.empty((4, columns))
        self._left = np.empty(columns // 6)

    def gather(self, ahead: Values, rows: tuple[int, ...]) -> Values:
        """Return the mean of six rows, valid until the next call."""
        mean = self._gather
        np.add(ahead[rows[0]], ahead[rows[1]], out=mean)
        for row in rows[2:]:
            mean += ahead[row]
        mean *= _SIXTH
        return mean

    def battle(self, ahead: Values, fewer: Values, moves: DomainMoves) -> Values | None:
        """Return the value of a battle against each domain, valid until the next call; None if illegal."""
        if moves.overrun is not None:
            return self._struck(ahead[moves.overrun], fewer[moves.overrun], CONVERTED_TO)
        if not moves.clash:
            return None
        fail, first, *others = moves.clash
        held, left = self._sum, self._left
        held[:] = ahead[first]
        left[:] = fewer[first]
        for row in others:
            held += ahead[row]
            left += fewer[row]
        value = self._struck(held, left, BEATEN_TO)
        value += ahead[fail]
        value *= _SIXTH
        return value

    def _struck(self, held: Values, left: Values, becomes: tuple[int, ...]) -> Values:
        """Return by the opponent's domain: `held` if the battle changes its Front, `left` if removed."""
        after, before = self._hit.reshape(-1, 6), held.reshape(-1, 6)
        for face, to in enumerate(becomes):
            after[:, face] = left if to == REMOVED else before[:, to]
        return self._hit

    def sweep(self, ahead: Values, fewer: Values, values: Values, blend: float) -> float:
        """Move all values towards the best action's by the factor `blend`; return the largest difference."""
        gap = 0.0
        for group in self.groups:
            gather = self.gather(ahead, group.rows)
            for moves in group.moves:
                best = gather
                for row in moves.steps:
                    best = np.maximum(best, ahead[row], out=self._best)
                if (battle := self.battle(ahead, fewer, moves)) is not None:
                    best = np.maximum(best, battle, out=self._best)
                old = values[moves.row]
                change = np.subtract(best, old, out=self._best)
                gap = max(gap, float(change.max()), -float(change.min()))
                change *= blend
                old += change
        if self.war:
            values[self.war] = 0.0
        return gap


def lone_king_values(own: int, pledge: Values) -> tuple[Values, int]:
    """Return the values of movers against a single die, and the number of sweeps.

    `pledge` is the mover's value after a failed battle, by the domain without its Front. Only the mover acts,
    and endless stalling doesn't win, so that iterating upwards from 0 converges to the values.
    """
    old = [0.0] * 6**own
    battle = [(5.0 + float(value)) * _SIXTH for value in pledge]
    sweeps = 0
    gap = 1.0
    while gap > _CONVERGED and sweeps < _MAX_SWEEPS:
        new = [0.0] * len(old)
        for group in groups(own):
            gather = sum(old[row] for row in group.rows) * _SIXTH
            for moves in group.moves:
                best = max(gather, *(old[row] for row in moves.steps)) if moves.steps else gather
                new[moves.row] = best if moves.pledge is None else max(best, battle[moves.pledge])
        gap = max(abs(one - other) for one, other in zip(old, new, strict=True))
        old = new
        sweeps += 1
    return np.array(old).reshape(-1, 1), sweeps
