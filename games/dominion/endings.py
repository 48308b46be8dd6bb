"""The endings of Dominion: one camp is left, or nothing happened for long and the points are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.dominion import facts
from games.dominion.position import Law, Position, kind_of, owner
from games.engine.game import Outcome, Setup, ranks

WORTH: Final[Mapping[int, tuple[int, ...]]] = {
    1: (0, 0, 18, 10, 10, 6, 8, 4, 2, 1),
    2: (0, 0, 18, 10, 6, 6, 8, 4, 2, 1),
}
"""Half points of each kind, by version of the rules: P 9, G 5, A 3 (5 in version 1), W 3, X 4, R 2, S 1, a
Recruited Peasant 1/2."""
TERRITORY_POINTS: Final = 6
"""Half points for each controlled Territory."""
MAX_QUIET_TURNS: Final = 30
"""Maximum number of turns in a row without any event, for each team that still plays."""


def max_rounds(seats: int) -> int:
    """Return the number of rounds after which the points are counted."""
    return 150 if seats == 2 else 120


def half_points(position: Position) -> tuple[int, ...]:
    """Return the half points of each seat."""
    return count_half_points(position.board, position.control, position.law)


def count_half_points(board: bytes, control: tuple[int, ...], law: Law) -> tuple[int, ...]:
    """Return the half points of each seat, by the board and the controllers of the Territories."""
    worth = WORTH[law.rules]
    found = [TERRITORY_POINTS * control.count(seat) for seat in range(len(law.sides))]
    for code in board:
        if owner(code) >= 0:
            found[owner(code)] += worth[kind_of(code)]
    return tuple(found)


def camps_left(position: Position) -> frozenset[int]:
    """Return the camps that still have a team."""
    return frozenset(position.law.camps[seat] for seat in position.living())


def won(position: Position) -> Position:
    """Return the position, ended if only one camp is left."""
    left = camps_left(position)
    return _over(position, left, "last") if len(left) == 1 else position


def due(position: Position) -> bool:
    """Return whether the points are to be counted now."""
    quiet = position.quiet >= MAX_QUIET_TURNS * (len(position.law.sides) - len(position.out))
    return quiet or position.round > max_rounds(len(position.law.sides))


def adjudicate(position: Position) -> Position:
    """End the match by points: the leading camp wins with at least 1.25 times the second's plus 2."""
    camps = position.law.camps
    score: dict[int, int] = dict.fromkeys(camps_left(position), 0)
    for seat, half in enumerate(half_points(position)):
        if camps[seat] in score:  # a team that is out has nothing left
            score[camps[seat]] += half
    winners = leaders(score)
    return _over(position, winners, "points" if len(winners) == 1 else "draw")


def leaders(score: Mapping[int, int]) -> frozenset[int]:
    """Return the camp whose half points are enough to win, of two or more; all of them if it is a draw."""
    (leader, most), (_, second), *_ = sorted(score.items(), key=lambda item: -item[1])
    return frozenset((leader,) if 4 * most >= 5 * second + 16 else score)


def _over(position: Position, winners: frozenset[int], reason: str) -> Position:
    camps = position.law.camps
    tiers = [winners]
    if rest := camps_left(position) - winners:
        tiers.append(rest)
    fallen = list(dict.fromkeys(camps[seat] for seat in reversed(position.out)))
    tiers += (frozenset((camp,)) for camp in fallen if not any(camp in tier for tier in tiers[:2]))
    places = ranks(Setup(len(camps), camps, {}), *tiers)
    names = [seat for seat, camp in enumerate(camps) if camp in winners]
    outcome = Outcome(places, facts.ending(reason, names))
    return position._replace(phase="over", pending=frozenset(), outcome=outcome)
