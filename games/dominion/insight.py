"""How good a position is for a seat at a glance: armies, land, and what can be taken before an answer.

All in hundredths of a Soldier. Each camp is counted alone; a seat's worth is its camp against the best other
and against the average of all others, so that a beaten rival counts for something.
"""

from __future__ import annotations

from itertools import compress
from typing import Final

from games.dominion import endings
from games.dominion.board import AROUND, FORTS, SIZE, SQUARES, TERRITORY
from games.dominion.moves import targets
from games.dominion.position import (
    ARMY,
    EMPEROR,
    NOBODY,
    PEASANT,
    Position,
    find,
)

_SOLDIER: Final = 100
_WORTH: Final = tuple(_SOLDIER // 2 * half for half in endings.WORTH)
_FALL: Final = 4000
"""An Emperor that can be taken next."""
_CHECK: Final = 120
"""An attack on an Emperor that can still get away."""
_CAGE: Final = 12
"""Each square around an Emperor that an enemy reaches."""
_LAND: Final = 300
_FORT: Final = 40
"""A controlled Territory, and each stronghold besides."""
_REACH: Final = 2
"""Each square that a unit may go to."""
_HUNT: Final = 3
"""Each step nearer to the nearest enemy Emperor, for units that can hurt it."""
_HOME: Final = 8
"""Each step of a Recruited Peasant nearer to a Territory where it is armed."""
_FREE: Final = 10
"""Each side of a free Peasant where a unit stands."""
_HEIR: Final = 0.5
"""What an army is worth whose Emperor fell and whose Prince hasn't thrown yet."""
_SCALE: Final = 3000
"""An advantage of so much is half the way from even to won."""
_ANY: Final = bytes(2 if code else 0 for code in range(256))
"""Everything counts as an enemy: what units protect is found like what they attack."""
_FAR: Final = 1 << 20
_PEASANTS: Final = bytes(code & 15 == PEASANT for code in range(256))


def _steps(a: int, b: int) -> int:
    return max(abs(a % SIZE - b % SIZE), abs(a // SIZE - b // SIZE))


_APART: Final = tuple(bytes(_steps(a, b) for b in SQUARES) for a in SQUARES)
_TO_LAND: Final = tuple(
    bytes(min(_steps(at, inside) for inside in TERRITORY[side]) for at in SQUARES) for side in range(4)
)
"""Steps from each square to each Territory."""


def evaluate(position: Position, seat: int) -> float:
    """From -1.0 (lost) to 1.0 (won); 0.0 is a draw, or neither better nor worse than the others."""
    camps = position.law.camps
    mine = camps[seat]
    if position.outcome is not None:
        ranks = position.outcome.ranks
        if ranks[seat] > 1:
            return -1.0
        return 0.0 if any(rank == 1 for other, rank in enumerate(ranks) if camps[other] != mine) else 1.0
    score = _scores(position)
    if mine not in score:
        return -1.0
    others = [value for camp, value in score.items() if camp != mine]
    rivals = len(set(camps)) - 1
    ahead = score[mine] - (max(others) + sum(others) / rivals) / 2
    return 0.99 * ahead / (abs(ahead) + _SCALE)


def _scores(position: Position) -> dict[int, int]:
    """What each camp that is left has."""
    board, camps, control = position.board, position.law.camps, position.control
    score = dict.fromkeys(endings.camps_left(position), 0)
    cheapest = {camp: [_FAR] * len(board) for camp in score}
    emperors = {
        each: at
        for each in range(len(camps))
        if each not in position.out and (at := find(board, each, EMPEROR)) >= 0
    }
    army = board.translate(ARMY)
    for src in compress(SQUARES, army):
        seat, kind = army[src] - 1, board[src] & 15
        camp, worth = camps[seat], _WORTH[kind]
        value = _FORT if src in FORTS else 0
        reach = targets(board, control, _ANY, seat, src)
        row = cheapest[camp]
        for at in reach:
            if worth < row[at]:
                row[at] = worth
        value += worth + _REACH * len(reach)
        if kind != EMPEROR:
            near = [_APART[src][at] for other, at in emperors.items() if camps[other] != camp]
            value -= _HUNT * min(near, default=0)
        score[camp] += round(_HEIR * value) if seat in position.pending else value
    for seat in control:
        if seat != NOBODY:
            score[camps[seat]] += _LAND
    _count_peasants(position, army, score)
    _count_danger(position, army, cheapest, emperors, score)
    return score


def _count_peasants(position: Position, army: bytes, score: dict[int, int]) -> None:
    """Recruited ones, the nearer home the better, and free ones that are half courted."""
    board, camps, control = position.board, position.law.camps, position.control
    for at in compress(SQUARES, board.translate(_PEASANTS)):
        if code := board[at] >> 4:
            ways = [_TO_LAND[side][at] for side, seat in enumerate(control) if seat == code - 1]
            score[camps[code - 1]] += _WORTH[PEASANT] - _HOME * min(ways, default=SIZE)
        else:
            for beside in AROUND[at]:
                if by := army[beside]:
                    score[camps[by - 1]] += _FREE


def _count_danger(
    position: Position,
    army: bytes,
    cheapest: dict[int, list[int]],
    emperors: dict[int, int],
    score: dict[int, int],
) -> None:
    """What each camp may lose next: an unprotected unit, or a dear one for a cheap one."""
    board, camps = position.board, position.law.camps
    mover = camps[_mover(position)]
    loss: dict[int, list[int]] = {camp: [] for camp in score}
    for at in compress(SQUARES, army):
        camp = camps[army[at] - 1]
        attacker = min(row[at] for other, row in cheapest.items() if other != camp)
        if attacker == _FAR:
            continue
        kind = board[at] & 15
        if kind == EMPEROR:
            score[camp] -= _CHECK if camp == mover else _FALL
            continue
        price = attacker if cheapest[camp][at] < _FAR else 0
        if _WORTH[kind] > price:
            loss[camp].append(_WORTH[kind] - price)
    for camp, sums in loss.items():
        if sums:
            worst = max(sums)
            score[camp] -= worst // 6 if camp == mover else worst * 4 // 5 + (sum(sums) - worst) // 5
    for seat, at in emperors.items():
        camp = camps[seat]
        for other, row in cheapest.items():
            if other != camp:
                score[camp] -= _CAGE * sum(row[beside] < _FAR for beside in AROUND[at])


def _mover(position: Position) -> int:
    """Who makes the next move on the board."""
    if position.phase in ("move", "heir", "sergeants", "throw"):
        return position.turn
    seats, seat = len(position.law.sides), position.turn
    while (seat := (seat + 1) % seats) in position.out:
        pass
    return seat
