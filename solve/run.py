"""Solving as a command does it: goes on where it was, estimates what is left, writes, checks, and tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Final

from games.engine.game import Seat
from games.two_domains.domain import VILLAGE
from games.two_domains.rules import VERSION, State
from games.two_domains.table import domains
from solve.solver import DRAW, Progress, Solver, StoppedError, order
from solve.tables import Block, Open, write
from solve.work import Work

WORK: Final = ".work"
"""What is added to the name of a table for the folder in which half-done work lies."""
_FORMAT: Final = 1
_SWEEPS: Final = 700
"""Sweeps of a block, as a guess before it has begun."""
_ROW: Final = 12e-6
"""Seconds a sweep takes for each domain, on a common machine."""
_CELL: Final = 12e-9
"""Seconds it takes for each position."""


class Pace:
    """Guesses how long solving will still take, from what it took so far."""

    def __init__(self, dice: int, epsilon: float) -> None:
        self._order = list(order(dice))
        self._epsilon = epsilon
        self._block: tuple[int, int] | None = None
        self._marks: list[Progress] = []

    def left(self, now: Progress) -> float:
        """Return the seconds left after the last sweep."""
        if (now.own, now.other) != self._block or now.gap > self._marks[-1].gap * 1e3:
            self._block, self._marks = (now.own, now.other), []
        self._marks = [*self._marks[-50:], now]
        first = self._marks[0]
        made = now.sweep - first.sweep
        a_sweep = (now.seconds - first.seconds) / made if made else _cost(now.own, now.other)
        todo = _SWEEPS
        if made > 10 and now.gap < first.gap:
            todo = round(log(max(now.gap / self._epsilon, 1.0)) / log(first.gap / now.gap) * made)
        slow = a_sweep / _cost(now.own, now.other)
        at = self._order.index((max(now.own, now.other), min(now.own, now.other)))
        later = sum(_cost(*pair) * _SWEEPS for pair in self._order[at + 1 :] if pair[1] > 1)
        return todo * a_sweep + later * max(slow, 0.2)


def _cost(own: int, other: int) -> float:
    """Return the seconds for a sweep of a block."""
    sides = 1 if own == other else 2
    return _ROW * sum({domains(own), domains(other)}) + _CELL * sides * domains(own) * domains(other)


def solver(
    path: Path,
    dice: int,
    epsilon: float,
    tell: Callable[[Progress], None],
    stop: Callable[[], bool],
    every: float = 180.0,
) -> tuple[Solver, Work]:
    """Return a solver for the table at a path that goes on where it was, and the work it keeps beside it."""
    pinned = {"format": _FORMAT, "epsilon": epsilon, "endless": DRAW}
    work = Work(path.with_name(path.name + WORK), pinned)
    return Solver(dice, epsilon=epsilon, work=work, tell=tell, stop=stop, every=every), work


def bounds(
    dice: int, epsilon: float, tell: Callable[[Progress], None], stop: Callable[[], bool]
) -> Iterator[tuple[int, int, int, int, float, float]]:
    """Yield the bounds of the values if endless play may count as anything: what can be forced anyway.

    For each block: dice to move, dice of the opponent, positions, in how many of them the bounds are farther
    apart than a thousand epsilons, and the bounds of the value for all villages against all villages.
    Stalling against a single die is not part of it: it counts as lost for whoever stalls, as in `Solver`.
    """
    found = Solver(dice, endless=0.0, epsilon=epsilon, tell=tell, stop=stop)
    found.solve()
    for own, other in found.blocks():
        low, high = found.values(own, other, 0), found.values(own, other, 1)
        alive = found.alive(own, other)
        start = (int("1" * own, 6), int("1" * other, 6))
        yield (
            own,
            other,
            int(alive.sum()),
            int(((high - low > 1e3 * epsilon) & alive).sum()),
            float(low[start]),
            float(high[start]),
        )


@dataclass(frozen=True, slots=True)
class Report:
    """What a table says, and how sound it is."""

    blocks: tuple[Block, ...]
    engine: float
    """The largest difference to the engine's own play, over random positions."""
    sampled: int
    start: float
    """What it is worth to begin with villages only."""
    openings: tuple[tuple[str, float], ...]

    @property
    def residual(self) -> float:
        """The largest difference between a value and what follows from the others."""
        return max(block.residual for block in self.blocks)


def judge(
    path: Path, sampled: int, tell: Callable[[Block | None, int, int], None] = lambda block, done, of: None
) -> Report:
    """Check everything about a table. Raises ValueError with a reason for a bad one, OSError for none."""
    opened = Open(path)
    opened.sums()
    found: list[Block] = []
    for block in opened.check(lambda done, of: tell(None, done, of)):
        found.append(block)
        tell(block, 0, 0)
    villages = VILLAGE * opened.dice
    state = State((villages, villages), 0, "", 0, None, None, VERSION)
    values = opened.table.appraise(state, Seat(0)) or ()
    openings = tuple((action.text, value) for action, value in values)
    start = opened.table.value(villages, villages) or 0.0
    return Report(tuple(found), opened.sample(sampled, 1), sampled, start, openings)


__all__ = ["WORK", "Pace", "Report", "StoppedError", "bounds", "judge", "order", "solver", "write"]
