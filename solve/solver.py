"""Solve Two Domains block by block, fewer dice first. A block is all positions with m dice against n.

The total number of dice never rises. It only stays the same in a failed battle against a single die, which
leads to another block of the same total; that block is solved first. Within a block, values are moved
towards those of the best actions until they converge. Then inflated values (`solve.inflation`) are set to
that of endless play, and the iteration goes on until there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.two_domains.value_table import domain_count
from solve.checkpoints import Checkpoints
from solve.inflation import inflated_positions
from solve.kernel import Sweeper, Values, fill_ahead, lone_king_values
from solve.moves import in_civil_war

BLEND: Final = 0.75
"""The fraction of the way that a sweep moves values towards the best actions; with 1 they would oscillate."""
EPSILON: Final = 1e-9
DRAW: Final = 0.5
_KING_ARMY: Final = 5
"""The index of the domain 1 6: a single king after an army has joined it."""
_PASSES: Final = 20
_MAX_SWEEPS: Final = 50_000


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a block: dice of both sides, rounds of deflation, sweeps, and the largest change."""

    own: int
    other: int
    round: int
    sweep: int
    gap: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """The work done for a block: sweeps, rounds, the last sweep's largest change, positions deflated."""

    own: int
    other: int
    sweeps: int
    rounds: int
    gap: float
    deflated: int


class StoppedError(Exception):
    """Raised when a stop is requested; checkpoints are saved, so that it can be resumed."""


def block_order(dice: int) -> Iterator[tuple[int, int]]:
    """Yield blocks in the order of solving, as dice of one side and the other, the larger number first."""
    for total in range(3, 2 * dice + 1):
        for other in range(total // 2, 0, -1):
            if total - other <= dice:
                yield total - other, other


class Solver:
    """Computes the values of all positions with at most `dice` dice on each side.

    Endless play is worth `endless` to the first player and 1 - `endless` to the other, but stalling against a
    single die is worth nothing. At one half the players are symmetric, and only one's values are computed.
    """

    def __init__(
        self,
        dice: int,
        *,
        endless: float = DRAW,
        epsilon: float = EPSILON,
        checkpoints: Checkpoints | None = None,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        should_stop: Callable[[], bool] = lambda: False,
        save_every: float = 180.0,
    ) -> None:
        """Save a checkpoint every `save_every` seconds; after each sweep report, and ask whether to stop."""
        self.dice, self.endless, self.epsilon = dice, endless, epsilon
        self.symmetric = endless == DRAW
        self._checkpoints = checkpoints or Checkpoints(None, {})
        self._on_progress = on_progress
        self._should_stop = should_stop
        self._save_every = save_every
        self._values: dict[tuple[int, int, int], Values] = {}
        self.results: list[Result] = []

    def solve(self) -> None:
        """Solve all blocks that aren't done yet. Raises StoppedError when asked to stop."""
        for own, other in block_order(self.dice):
            if other == 1:
                self._singles(own)
            else:
                self._pair(own, other)
                if own != other and not self.symmetric:
                    self._pair(other, own)

    def values(self, own: int, other: int, player: int = 0) -> Values:
        """Return the values by the domains of the player to move, who has two dice or more, and the other."""
        return self._values[0 if self.symmetric else player, own, other]

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield dice to move and dice of the opponent for all blocks in which both have at least two."""
        for own in range(2, self.dice + 1):
            for other in range(2, self.dice + 1):
                yield own, other

    def alive(self, own: int, other: int) -> NDArray[np.bool_]:
        """Return the mask of a block's positions in which neither domain is in Civil War."""
        rows, columns = np.ones(domain_count(own), np.bool_), np.ones(domain_count(other), np.bool_)
        rows[list(in_civil_war(own))] = False
        columns[list(in_civil_war(other))] = False
        return rows[:, None] & columns[None, :]

    # --- values of other blocks -----------------------------------------------------------------------

    def _ahead(self, player: int, own: int, other: int) -> Values:
        """Return a player's values after a move, by its new domain and the opponent's."""
        if other == 1:
            return self.values(own, 1, player)  # the opponent is skipped
        ahead = np.empty((domain_count(own), domain_count(other)))
        fill_ahead(self.values(other, own, 1 - player), ahead, in_civil_war(own) if own > 1 else ())
        return ahead

    def _fewer(self, player: int, own: int, other: int) -> Values:
        """Return the same if the opponent lost one of `other` dice; a single die left becomes a king."""
        fewer = self._ahead(player, own, other - 1)
        return np.repeat(fewer, 6, axis=1) if other == 2 else fewer

    # --- blocks ---------------------------------------------------------------------------------------

    def _singles(self, own: int) -> None:
        """Solve a block against a single die, where only one side acts until a battle fails."""
        players = (0,) if self.symmetric else (0, 1)
        sweeps = 0
        if own == 2:
            # When 1 6 fails, it faces 1 6: each pass leaves a sixth of the error.
            found, reply = np.zeros((36, 1)), 0.0
            for _ in range(_PASSES):
                found, count = lone_king_values(2, np.array([1.0 - reply]))
                reply = float(found[_KING_ARMY, 0])
                sweeps += count
            self._values.update(dict.fromkeys(((player, 2, 1) for player in players), found))
        else:
            for player in players:
                pledge = 1.0 - self.values(2, own - 1, 1 - player)[_KING_ARMY]
                self._values[player, own, 1], count = lone_king_values(own, pledge)
                sweeps += count
        self.results.append(Result(own, 1, sweeps, 1, 0.0, 0))

    def _pair(self, own: int, other: int) -> None:
        """Solve a block with two dice or more on each side, `own` those of the first player."""
        name = f"{own}-{other}"
        saved = self._checkpoints.load(name)
        if saved is None:
            saved = self._checkpoints.load(f"{name}.half")
        arrays, facts = saved or ({}, {"rounds": 0, "sweeps": 0, "taken": 0, "gap": 1.0, "done": False})
        block = _Block(self, own, other, arrays)
        if not facts["done"]:
            self._iterate(block, name, facts)
        for key, values in block.found():
            self._values[key] = values
        self.results.append(
            Result(own, other, facts["sweeps"], facts["rounds"] + 1, facts["gap"], facts["taken"])
        )

    def _iterate(self, block: _Block, name: str, facts: dict[str, Any]) -> None:
        saved = begun = monotonic()
        while True:
            while facts["gap"] > self.epsilon:
                if facts["sweeps"] >= _MAX_SWEEPS:
                    raise ArithmeticError(f"the values of {name} don't converge")
                facts["gap"] = block.sweep()
                facts["sweeps"] += 1
                now = monotonic()
                stop = self._should_stop()
                if stop or now - saved >= self._save_every:
                    self._checkpoints.save(f"{name}.half", block.arrays(), facts)
                    saved = now
                if stop:
                    raise StoppedError
                self._on_progress(
                    Progress(
                        block.own, block.other, facts["rounds"], facts["sweeps"], facts["gap"], now - begun
                    )
                )
            deflated = block.deflate()
            if not deflated:
                break
            facts.update(rounds=facts["rounds"] + 1, taken=facts["taken"] + deflated, gap=1.0)
        facts["done"] = True
        self._checkpoints.save(name, block.arrays(), facts)
        self._checkpoints.drop(f"{name}.half")


class _Block:
    """The values of one block while it is solved, for both players as movers."""

    def __init__(self, solver: Solver, own: int, other: int, arrays: dict[str, Values]) -> None:
        self.own, self.other = own, other
        self._solver = solver
        self._single = solver.symmetric and own == other
        shape = (domain_count(own), domain_count(other))
        start = solver.endless
        self._mine = arrays.get("mine", np.full(shape, start))
        self._theirs = self._mine if self._single else arrays.get("theirs", np.full(shape[::-1], 1.0 - start))
        self._side_data: list[tuple[Sweeper, Values, Values, Values]] = []

    def found(self) -> Iterator[tuple[tuple[int, int, int], Values]]:
        """Yield the values with the solver's keys for them."""
        yield (0, self.own, self.other), self._mine
        yield (0 if self._solver.symmetric else 1, self.other, self.own), self._theirs

    def arrays(self) -> dict[str, Values]:
        """Return the arrays to be saved in a checkpoint."""
        return {"mine": self._mine} if self._single else {"mine": self._mine, "theirs": self._theirs}

    def _sides(self) -> list[tuple[Sweeper, Values, Values, Values]]:
        """Return for both players as movers: sweeper, `ahead`, `fewer`, values."""
        if not self._side_data:
            own, other, solver = self.own, self.other, self._solver
            for player, mine, theirs, values in ((0, own, other, self._mine), (1, other, own, self._theirs)):
                ahead = np.empty((domain_count(mine), domain_count(theirs)))
                fewer = solver._fewer(player, mine, theirs)
                self._side_data.append((Sweeper(mine, domain_count(theirs)), ahead, fewer, values))
                if self._single:
                    self._side_data *= 2
                    break
        return self._side_data

    def _look_ahead(self) -> list[tuple[Sweeper, Values, Values, Values]]:
        sides = self._sides()
        for side, reply in ((sides[0], sides[1]), (sides[1], sides[0])):
            fill_ahead(reply[3], side[1], tuple(side[0].war))
            if self._single:
                break
        return sides

    def sweep(self) -> float:
        """Do one sweep for both players; return the largest change."""
        sides = self._look_ahead()
        if self._single:
            sides = sides[:1]
        return max(sweeper.sweep(ahead, fewer, values, BLEND) for sweeper, ahead, fewer, values in sides)

    def deflate(self) -> int:
        """Set inflated values to that of endless play; return the number of positions."""
        first, second = self._look_ahead()
        endless, epsilon = self._solver.endless, self._solver.epsilon
        sets = [inflated_positions(first, second, endless, epsilon)]
        if not self._single:
            sets.append(inflated_positions(second, first, 1.0 - endless, epsilon))
        deflated = 0
        for (own, other, _), mine, theirs, value in zip(
            sets, (first, second), (second, first), (endless, 1.0 - endless), strict=False
        ):
            mine[3][own] = value
            theirs[3][other] = 1.0 - value
            deflated += int(own.sum() + other.sum())
        return deflated
