"""A static evaluation of a position for a seat: armies, land, and what can be captured next.

All in hundredths of a Soldier. Each camp is scored alone; a seat's value is its camp's score against the best
other score and against the average of the others, so that beating any rival counts.
"""

from __future__ import annotations

from itertools import compress
from typing import Final

from games.dominion import endings, turns
from games.dominion.board import ALL_STRONGHOLDS, NEIGHBOURS, SIZE, SQUARES, TERRITORIES, distance
from games.dominion.moves import look, piece_moves
from games.dominion.position import ARMY_OWNER, EMPEROR, NOBODY, PEASANT, Position, find_piece

_WORTH: Final = {rules: tuple(50 * half for half in halves) for rules, halves in endings.WORTH.items()}
"""Value of each kind, by version of the rules, in proportion to its points."""
_PEASANT: Final = 50
"""Value of a Recruited Peasant in all versions."""
_FALL: Final = 4000
"""Cost of an Emperor that can be taken next."""
_BEATEN: Final = 5000
"""Negative score of a rival who is out; worse than any danger."""
_CORNERED: Final = 1500
"""Cost of an attacked Emperor that may move first but has no safe square."""
_CHECK: Final = 60
"""Cost of an attacked Emperor that can get away."""
_CAGE: Final = 15
"""Cost of each square around an Emperor that an enemy reaches."""
_TERRITORY: Final = 300
_STRONGHOLD: Final = 40
"""Value of a controlled Territory (_LAND), and of each occupied stronghold (_FORT)."""
_REACH: Final = 2
"""Value of each square that a unit may go to or protects."""
_HUNT: Final = 5
"""Cost of each step of distance to the nearest enemy Emperor."""
_HOME: Final = 8
"""Cost of each step of a Recruited Peasant's distance to a Territory where it is armed."""
_FREE: Final = 10
"""Value of each unit beside a free Peasant."""
_HEIR: Final = 0.5
"""Factor for an army whose Emperor fell and whose Prince hasn't thrown yet."""
_SCALE: Final = 3000
"""The advantage that evaluates to half a win."""
_ANY: Final = bytes(2 if code else 0 for code in range(256))
"""Counts every piece as an enemy, to find what units protect as well as what they attack."""
_FAR: Final = 1 << 20
_PEASANTS: Final = bytes(code & 15 == PEASANT for code in range(256))


_DISTANCES: Final = tuple(bytes(distance(a, b) for b in SQUARES) for a in SQUARES)
_TERRITORY_DISTANCES: Final = tuple(
    bytes(min(distance(at, inside) for inside in TERRITORIES[side]) for at in SQUARES) for side in range(4)
)
"""Steps from each square to each Territory, by side."""


def evaluate(position: Position, seat: int) -> float:
    """Return a value from -1.0 (lost) to 1.0 (won); 0.0 is a draw or an even position."""
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
    mean = (sum(others) - _BEATEN * (rivals - len(others))) / rivals
    ahead = score[mine] - (max(others) + mean) / 2
    return 0.99 * ahead / (abs(ahead) + _SCALE)


def _scores(position: Position) -> dict[int, int]:
    """Return the score of each camp that is left."""
    board, camps, control = position.board, position.law.camps, position.control
    values = _WORTH[position.law.rules]
    score = dict.fromkeys(endings.camps_left(position), 0)
    cheapest = {camp: [_FAR] * len(board) for camp in score}
    thrones = [(seat, find_piece(board, seat, EMPEROR)) for seat in position.living()]
    emperors = [(camps[seat], at) for seat, at in thrones if at >= 0]
    prey = {camp: [_DISTANCES[at] for other, at in emperors if other != camp] for camp in score}
    army = board.translate(ARMY_OWNER)
    sight = look(board, _ANY)
    for src in compress(SQUARES, army):
        seat, worth = army[src] - 1, values[board[src] & 15]
        camp = camps[seat]
        reach = piece_moves(sight, control, seat, src)
        row = cheapest[camp]
        for _, _, at, *_ in reach:
            if worth < row[at]:
                row[at] = worth
        value = worth + _REACH * len(reach)
        if src in ALL_STRONGHOLDS:
            value += _STRONGHOLD
        if worth and (near := prey[camp]):
            value -= _HUNT * (near[0][src] if len(near) == 1 else min(apart[src] for apart in near))
        score[camp] += round(_HEIR * value) if seat in position.pending else value
    for seat in control:
        if seat != NOBODY:
            score[camps[seat]] += _TERRITORY
    _count_peasants(position, army, score)
    _count_danger(position, army, cheapest, score)
    for camp, at in emperors:
        for other, row in cheapest.items():
            if other != camp:
                score[camp] -= _CAGE * sum([row[beside] < _FAR for beside in NEIGHBOURS[at]])
    return score


def _count_peasants(position: Position, army: bytes, score: dict[int, int]) -> None:
    """Add the values of Recruited Peasants, by their distance from home, and of units beside free ones."""
    board, camps, control = position.board, position.law.camps, position.control
    for at in compress(SQUARES, board.translate(_PEASANTS)):
        if code := board[at] >> 4:
            ways = [_TERRITORY_DISTANCES[side][at] for side, seat in enumerate(control) if seat == code - 1]
            score[camps[code - 1]] += _PEASANT - _HOME * min(ways, default=SIZE)
        else:
            for beside in NEIGHBOURS[at]:
                if by := army[beside]:
                    score[camps[by - 1]] += _FREE


def _count_danger(
    position: Position, army: bytes, cheapest: dict[int, list[int]], score: dict[int, int]
) -> None:
    """Subtract what each camp may lose next: an unprotected unit, a dear one for a cheap one, an Emperor."""
    board, camps, values = position.board, position.law.camps, _WORTH[position.law.rules]
    mover = camps[_mover(position)]
    enemies = {camp: [row for other, row in cheapest.items() if other != camp] for camp in score}
    loss: dict[int, list[int]] = {camp: [] for camp in score}
    for at in compress(SQUARES, army):
        camp = camps[army[at] - 1]
        rows = enemies[camp]
        attacker = rows[0][at] if len(rows) == 1 else min([row[at] for row in rows])
        if attacker == _FAR:
            continue
        worth = values[board[at] & 15]
        if not worth:
            score[camp] -= _attacked(army, camps, at, camp == mover, rows)
        elif cheapest[camp][at] == _FAR:
            loss[camp].append(worth)
        elif worth > attacker:
            loss[camp].append(worth - attacker)
    for camp, sums in loss.items():
        if sums:
            worst = max(sums)
            score[camp] -= worst // 6 if camp == mover else worst * 4 // 5 + (sum(sums) - worst) // 5


def _attacked(army: bytes, camps: tuple[int, ...], at: int, moves: bool, rows: list[list[int]]) -> int:
    """Return the cost of an attack on an Emperor."""
    if not moves:
        return _FALL
    camp = camps[army[at] - 1]
    for beside in NEIGHBOURS[at]:
        friend = army[beside] and camps[army[beside] - 1] == camp
        if not friend and all(row[beside] == _FAR for row in rows):
            return _CHECK
    return _CORNERED


def _mover(position: Position) -> int:
    """Return the seat that makes the next move on the board."""
    settled = position.phase in ("move", "heir", "sergeants", "throw")
    return position.turn if settled else turns.next_seat(position)[0]
