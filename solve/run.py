"""Everything the command needs for solving: resuming, estimating the time left, writing and checking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Final

from games.engine.game import Seat
from games.two_domains.actions import VILLAGE
from games.two_domains.rules import VERSION, State
from games.two_domains.value_table import domain_count
from solve.checkpoints import Checkpoints
from solve.packing import PackedBlock, PackingReport, compare_packed, write_packed
from solve.solver import DRAW, Progress, Solver, StoppedError, block_order
from solve.table_file import BlockStatistics, MappedTable, write

SUFFIX: Final = ".work"
"""Appended to the name of a table for the folder of its checkpoints."""
_FORMAT: Final = 1
_SWEEPS: Final = 700
"""Estimated number of sweeps of a block, before it has begun."""
_ROW: Final = 12e-6
"""Estimated seconds of a sweep for each domain."""
_CELL: Final = 12e-9
"""Estimated seconds of a sweep for each position."""


class TimeEstimate:
    """Estimates the remaining time from the progress so far."""

    def __init__(self, dice: int, epsilon: float) -> None:
        self._order = list(block_order(dice))
        self._epsilon = epsilon
        self._block: tuple[int, int] | None = None
        self._marks: list[Progress] = []

    def seconds_left(self, now: Progress) -> float:
        """Return the estimated number of seconds left, given the latest progress."""
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
    """Return the estimated seconds for a sweep of a block."""
    sides = 1 if own == other else 2
    rows, columns = domain_count(own), domain_count(other)
    return _ROW * sum({rows, columns}) + _CELL * sides * rows * columns


def resumable_solver(
    path: Path,
    dice: int,
    epsilon: float,
    on_progress: Callable[[Progress], None],
    should_stop: Callable[[], bool],
    save_every: float = 180.0,
) -> tuple[Solver, Checkpoints]:
    """Return a solver that resumes from the checkpoints beside the table, and these checkpoints."""
    pinned = {"format": _FORMAT, "epsilon": epsilon, "endless": DRAW}
    checkpoints = Checkpoints(path.with_name(path.name + SUFFIX), pinned)
    solver = Solver(
        dice,
        epsilon=epsilon,
        checkpoints=checkpoints,
        on_progress=on_progress,
        should_stop=should_stop,
        save_every=save_every,
    )
    return solver, checkpoints


def bounds(
    dice: int, epsilon: float, on_progress: Callable[[Progress], None], should_stop: Callable[[], bool]
) -> Iterator[tuple[int, int, int, int, float, float]]:
    """Yield the bounds of the values if endless play counts as lost (lower) or as won (upper).

    For each block: dice to move, dice of the opponent, number of positions, in how many of them the bounds
    differ by more than a thousand epsilons, and the bounds for all villages against all villages. Stalling
    against a single die is not included: it always counts as lost for the side that stalls, as in `Solver`.
    """
    found = Solver(dice, endless=0.0, epsilon=epsilon, on_progress=on_progress, should_stop=should_stop)
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
    """The figures of a table, and the results of its checks."""

    blocks: tuple[BlockStatistics, ...]
    engine: float
    """The largest difference to the engine's play, over random positions."""
    sampled: int
    """Number of these positions."""
    start: float
    """The value of the start, all villages, for the player to move."""
    openings: tuple[tuple[str, float], ...]

    @property
    def residual(self) -> float:
        """The largest difference between a value and its best action's, by the values it leads to."""
        return max(block.residual for block in self.blocks)


def check_table(
    path: Path,
    sampled: int,
    on_progress: Callable[[BlockStatistics | None, int, int], None] = lambda block, done, of: None,
) -> Report:
    """Check a whole table. Raises ValueError with a reason for a bad one, OSError if it can't be read."""
    opened = MappedTable(path)
    opened.verify_checksums()
    found: list[BlockStatistics] = []
    for block in opened.check(lambda done, of: on_progress(None, done, of)):
        found.append(block)
        on_progress(block, 0, 0)
    villages = VILLAGE * opened.dice
    state = State((villages, villages), 0, "", 0, None, None, VERSION)
    values = opened.table.appraise(state, Seat(0)) or ()
    openings = tuple((action.text, value) for action, value in values)
    start = opened.table.value(villages, villages) or 0.0
    return Report(tuple(found), opened.sample(sampled, 1), sampled, start, openings)


def pack_table(
    table: Path, path: Path, sampled: int, on_block: Callable[[PackedBlock], None] = lambda block: None
) -> PackingReport:
    """Pack a table into a file, and compare the two. Raises ValueError for a bad table, OSError."""
    opened = MappedTable(table)
    opened.verify_checksums()
    write_packed(opened, path, on_block)
    return compare_packed(opened, path, sampled, 1)


__all__ = [
    "SUFFIX",
    "Report",
    "StoppedError",
    "TimeEstimate",
    "block_order",
    "bounds",
    "check_table",
    "pack_table",
    "resumable_solver",
    "write",
]
