"""Find inflated values: values above that of endless play which only support each other.

The values of a game that may never end satisfy v = F(v), but they are not the only solution: positions among
which play can circle endlessly may all have a value that none of them can realise. These are found as the
largest set of positions above the value of endless play in which every best action of the player surely
stays in the set, and some best answer of the opponent does. If there is none, the player can always leave by
a best action, and play ends or reaches positions worth no more than endless play: the values are right.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solve.kernel import Sweeper, Values
from solve.moves import BEATEN_TO, CONVERTED_TO, REMOVED, DomainMoves

Set: TypeAlias = NDArray[np.bool_]
ABOVE: Final = 10.0
"""Margin above the value of endless play from which a value counts as above it, in epsilons."""
NEAR: Final = 100.0
"""Largest loss of an action that still counts as a best one, in epsilons."""


def staying(
    sweeper: Sweeper, ahead: Values, fewer: Values, then: Set, now: Set, near: float, *, every: bool
) -> tuple[Set, bool]:
    """Return the part of `now` from which every (or else some) best action surely leads into `then`.

    `now` is indexed by mover and opponent, `then` by the mover's new domain and the opponent, who moves next.
    Actions within `near` of the best one count as best. Also return whether anything was removed.
    """
    kept = now.copy()
    removed = False
    for group in sweeper.groups:
        rows = [moves for moves in group.moves if now[moves.row].any()]
        if not rows:
            continue
        gather = sweeper.gather(ahead, group.rows)
        gathered: Set = np.all(then[list(group.rows)], axis=0)
        for moves in rows:
            at = np.flatnonzero(now[moves.row])
            values = [gather[at], *(ahead[row][at] for row in moves.steps)]
            stays = [gathered[at], *(then[row][at] for row in moves.steps)]
            if (battle := sweeper.battle(ahead, fewer, moves)) is not None:
                values.append(battle[at])
                stays.append(_held(then, moves)[at])
            best: Set = np.array(values) >= np.max(values, axis=0) - near
            stay: Set = np.array(stays)
            good: Set = np.all(stay | ~best, axis=0) if every else np.any(stay & best, axis=0)
            if not good.all():
                kept[moves.row, at[~good]] = False
                removed = True
    return kept, removed


def _held(then: Set, moves: DomainMoves) -> Set:
    """Return by the opponent's domain whether a battle surely leads into `then` without removing a die."""
    if moves.overrun is not None:
        hits, fail, becomes = then[moves.overrun], None, CONVERTED_TO
    else:
        hits, fail, becomes = np.all(then[list(moves.clash[1:])], axis=0), then[moves.clash[0]], BEATEN_TO
    held = np.zeros(hits.size, np.bool_)
    after, before = held.reshape(-1, 6), hits.reshape(-1, 6)
    for face, to in enumerate(becomes):
        if to != REMOVED:
            after[:, face] = before[:, to]
    return held if fail is None else held & fail


def inflated_positions(
    mine: tuple[Sweeper, Values, Values, Values],
    theirs: tuple[Sweeper, Values, Values, Values],
    endless: float,
    epsilon: float,
) -> tuple[Set, Set, int]:
    """Return the positions with inflated values for a player, on its own turns and on the opponent's.

    Each side is given as its sweeper, `ahead`, `fewer` and values as mover, which change by at most `epsilon`
    a sweep. Also return the number of rounds.
    """
    above, near = ABOVE * epsilon, NEAR * epsilon
    own, other = mine[3] > endless + above, theirs[3] < 1.0 - endless - above
    own[mine[0].war] = False
    own[:, theirs[0].war] = False
    other[theirs[0].war] = False
    other[:, mine[0].war] = False
    rounds = 0
    changed = True
    while changed and own.any():
        own, first = staying(*mine[:3], np.ascontiguousarray(other.T), own, near, every=True)
        other, second = staying(*theirs[:3], np.ascontiguousarray(own.T), other, near, every=False)
        changed = first or second
        rounds += 1
    if not own.any():
        other[:] = False
    return own, other, rounds
