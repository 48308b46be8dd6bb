"""How good a position is for a seat at a glance: its camp's pieces and Territories against the best other."""

from __future__ import annotations

from typing import Final

from games.dominion import endings
from games.dominion.position import Position

_HEIR: Final = 0.5
"""What an army is worth whose Emperor fell and whose Prince hasn't thrown yet."""


def evaluate(position: Position, seat: int) -> float:
    """From -1.0 (lost) to 1.0 (won); 0.0 is a draw, or neither better nor worse than the best other camp."""
    camps = position.law.camps
    mine = camps[seat]
    left = endings.camps_left(position)
    if position.outcome is not None:
        ranks = position.outcome.ranks
        if ranks[seat] > 1:
            return -1.0
        return 0.0 if any(rank == 1 for other, rank in enumerate(ranks) if camps[other] != mine) else 1.0
    if mine not in left:
        return -1.0
    score = dict.fromkeys(left, 1.0)
    for each, half in enumerate(endings.points(position)):
        if each not in position.out:
            score[camps[each]] += half * (_HEIR if each in position.pending else 1.0)
    best = max(value for camp, value in score.items() if camp != mine)
    return 0.99 * (score[mine] - best) / (score[mine] + best)
