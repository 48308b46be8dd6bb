"""Where a player only seems to be ahead: values above the worth of endless play that hold each other up.

The values of a game that may never end satisfy v = F(v), but so do others: positions among which play can
go round for ever may all carry a value that none of them can cash. They are found as the largest set of
positions above that worth in which every best action of the player stays for certain, and a best answer of
the opponent does. Where there is none, best play that prefers to leave comes down from every such position,
in the end by winning or losing or to positions worth no more than endless play: the values are the game's.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solve.kernel import Sweeper, Values
from solve.plans import BEATEN_TO, CONVERTED_TO, REMOVED, Plan

Set: TypeAlias = NDArray[np.bool_]
ABOVE: Final = 10.0
"""Values by so many epsilons above the worth of endless play count as above it."""
NEAR: Final = 100.0
"""Actions by so many epsilons worse than the best one count as best."""


def staying(
    sweeper: Sweeper, ahead: Values, fewer: Values, then: Set, now: Set, near: float, *, every: bool
) -> tuple[Set, bool]:
    """Return the part of `now` from where every (else some) best action leads into `then` for certain.

    `now` is by mover and opponent, `then` by what the mover has become and the opponent, who moves next.
    Actions within `near` of the best one count as best. Tells also whether anything was taken away.
    """
    kept = now.copy()
    less = False
    for group in sweeper.groups:
        rows = [plan for plan in group.plans if now[plan.row].any()]
        if not rows:
            continue
        gather = sweeper.gather(ahead, group.rows)
        gathered: Set = np.all(then[list(group.rows)], axis=0)
        for plan in rows:
            at = np.flatnonzero(now[plan.row])
            worth = [gather[at], *(ahead[row][at] for row in plan.steps)]
            stays = [gathered[at], *(then[row][at] for row in plan.steps)]
            if (battle := sweeper.battle(ahead, fewer, plan)) is not None:
                worth.append(battle[at])
                stays.append(_held(then, plan)[at])
            best: Set = np.array(worth) >= np.max(worth, axis=0) - near
            stay: Set = np.array(stays)
            good: Set = np.all(stay | ~best, axis=0) if every else np.any(stay & best, axis=0)
            if not good.all():
                kept[plan.row, at[~good]] = False
                less = True
    return kept, less


def _held(then: Set, plan: Plan) -> Set:
    """Return, by the opponent's domain, whether a battle surely leads into `then`, removing no die."""
    if plan.overrun is not None:
        hits, fail, becomes = then[plan.overrun], None, CONVERTED_TO
    else:
        hits, fail, becomes = np.all(then[list(plan.clash[1:])], axis=0), then[plan.clash[0]], BEATEN_TO
    held = np.zeros(hits.size, np.bool_)
    after, before = held.reshape(-1, 6), hits.reshape(-1, 6)
    for face, to in enumerate(becomes):
        if to != REMOVED:
            after[:, face] = before[:, to]
    return held if fail is None else held & fail


def propped(
    mine: tuple[Sweeper, Values, Values, Values],
    theirs: tuple[Sweeper, Values, Values, Values],
    endless: float,
    epsilon: float,
) -> tuple[Set, Set, int]:
    """Return the positions that only seem worth more than `endless` to a player: own turns, opponent's.

    Each side is given as its sweeper, `ahead`, `fewer` and values as mover, which are right to `epsilon` a
    sweep. Tells the rounds it took too.
    """
    above, near = ABOVE * epsilon, NEAR * epsilon
    own, other = mine[3] > endless + above, theirs[3] < 1.0 - endless - above
    own[mine[0].war] = False
    own[:, theirs[0].war] = False
    other[theirs[0].war] = False
    other[:, mine[0].war] = False
    rounds = 0
    less = True
    while less and own.any():
        own, first = staying(*mine[:3], np.ascontiguousarray(other.T), own, near, every=True)
        other, second = staying(*theirs[:3], np.ascontiguousarray(own.T), other, near, every=False)
        less = first or second
        rounds += 1
    if not own.any():
        other[:] = False
    return own, other, rounds
