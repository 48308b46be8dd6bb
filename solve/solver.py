"""Solves Two Domains block by block: all pairs of so many dice against so many, fewer dice first.

The number of dice never rises. Only a failed battle against a single die keeps their number: it leads to a
pair of the same total, which is therefore solved before. Within a block values are moved towards those of
the best actions until they rest, and what only props itself up (`solve.stalls`) is taken down, until nothing
is left to take down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.two_domains.table import domains
from solve.kernel import Sweeper, Values, alone, mirror
from solve.plans import at_war
from solve.stalls import propped
from solve.work import Work

BLEND: Final = 0.75
"""How far a sweep goes towards the best actions. Going all the way swings to and fro between both players."""
EPSILON: Final = 1e-9
DRAW: Final = 0.5
_KING_ARMY: Final = 5
"""The place of 1 6, what a die that joins a single king makes of it."""
_PASSES: Final = 20
_MOST: Final = 50_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a block is: dice of both sides, how often values were taken down, sweeps, and the gap."""

    own: int
    other: int
    round: int
    sweep: int
    gap: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """What it took: sweeps and rounds of the block, the largest gap that was left, positions taken down."""

    own: int
    other: int
    sweeps: int
    rounds: int
    gap: float
    taken_down: int


Tell = Callable[[Progress], None]


class StoppedError(Exception):
    """Raised when a stop is requested; the work is saved and can be resumed."""


def order(dice: int) -> Iterator[tuple[int, int]]:
    """Yield blocks as they can be solved: dice of one side and of the other, the larger number first."""
    for total in range(3, 2 * dice + 1):
        for other in range(total // 2, 0, -1):
            if total - other <= dice:
                yield total - other, other


class Solver:
    """Values of all positions with at most so many dice on each side.

    Endless play is worth `endless` to the first player, 1 - `endless` to the other, but nothing to who alone
    goes on against a single die. At one half both players are alike, and all is worked out for one of them.
    """

    def __init__(
        self,
        dice: int,
        *,
        endless: float = DRAW,
        epsilon: float = EPSILON,
        work: Work | None = None,
        tell: Tell | None = None,
        stop: Callable[[], bool] = lambda: False,
        every: float = 180.0,
    ) -> None:
        """Half-done work is saved when `every` seconds have passed; `stop` is asked after each sweep."""
        self.dice, self.endless, self.epsilon = dice, endless, epsilon
        self.alike = endless == DRAW
        self._work = work or Work(None, {})
        self._tell = tell or (lambda progress: None)
        self._stop = stop
        self._every = every
        self._values: dict[tuple[int, int, int], Values] = {}
        self.results: list[Result] = []

    def solve(self) -> None:
        """Compute what isn't done yet. Raises StoppedError when asked to stop."""
        for own, other in order(self.dice):
            if other == 1:
                self._singles(own)
            else:
                self._pair(own, other)
                if own != other and not self.alike:
                    self._pair(other, own)

    def values(self, own: int, other: int, player: int = 0) -> Values:
        """Return values by the domains of the player, who moves with at least two dice, and the opponent."""
        return self._values[0 if self.alike else player, own, other]

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield dice to move and dice of the opponent, two at least, of all blocks in which both can act."""
        for own in range(2, self.dice + 1):
            for other in range(2, self.dice + 1):
                yield own, other

    def alive(self, own: int, other: int) -> NDArray[np.bool_]:
        """Return the mask of a block's positions where neither domain is in Civil War."""
        rows, columns = np.ones(domains(own), np.bool_), np.ones(domains(other), np.bool_)
        rows[list(at_war(own))] = False
        columns[list(at_war(other))] = False
        return rows[:, None] & columns[None, :]

    # --- what neighbours tell -------------------------------------------------------------------------

    def _ahead(self, player: int, own: int, other: int) -> Values:
        """Return what it is worth to a player to have become a domain, by that and the opponent's."""
        if other == 1:
            return self.values(own, 1, player)  # the opponent is skipped
        ahead = np.empty((domains(own), domains(other)))
        mirror(self.values(other, own, 1 - player), ahead, at_war(own) if own > 1 else ())
        return ahead

    def _fewer(self, player: int, own: int, other: int) -> Values:
        """Return the same, by what is left of an opponent who had `other` dice; one die becomes a king."""
        fewer = self._ahead(player, own, other - 1)
        return np.repeat(fewer, 6, axis=1) if other == 2 else fewer

    # --- blocks ---------------------------------------------------------------------------------------

    def _singles(self, own: int) -> None:
        """Against a single die only one side acts, until a failed battle gives the die a second one."""
        players = (0,) if self.alike else (0, 1)
        sweeps = 0
        if own == 2:
            # 1 6 that fails faces 1 6: each pass leaves a sixth of the error.
            found, reply = np.zeros((36, 1)), 0.0
            for _ in range(_PASSES):
                found, count = alone(2, np.array([1.0 - reply]))
                reply = float(found[_KING_ARMY, 0])
                sweeps += count
            self._values.update(dict.fromkeys(((player, 2, 1) for player in players), found))
        else:
            for player in players:
                pledge = 1.0 - self.values(2, own - 1, 1 - player)[_KING_ARMY]
                self._values[player, own, 1], count = alone(own, pledge)
                sweeps += count
        self.results.append(Result(own, 1, sweeps, 1, 0.0, 0))

    def _pair(self, own: int, other: int) -> None:
        """Both sides have two dice or more: `own` the first player's."""
        name = f"{own}-{other}"
        saved = self._work.load(name)
        if saved is None:
            saved = self._work.load(f"{name}.half")
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
                if facts["sweeps"] >= _MOST:
                    raise ArithmeticError(f"the values of {name} don't come to rest")
                facts["gap"] = block.sweep()
                facts["sweeps"] += 1
                now = monotonic()
                stop = self._stop()
                if stop or now - saved >= self._every:
                    self._work.save(f"{name}.half", block.arrays(), facts)
                    saved = now
                if stop:
                    raise StoppedError
                self._tell(
                    Progress(
                        block.own, block.other, facts["rounds"], facts["sweeps"], facts["gap"], now - begun
                    )
                )
            taken = block.take_down()
            if not taken:
                break
            facts.update(rounds=facts["rounds"] + 1, taken=facts["taken"] + taken, gap=1.0)
        facts["done"] = True
        self._work.save(name, block.arrays(), facts)
        self._work.drop(f"{name}.half")


class _Block:
    """The values of a pair of numbers of dice, at work: both players as movers."""

    def __init__(self, solver: Solver, own: int, other: int, arrays: dict[str, Values]) -> None:
        self.own, self.other = own, other
        self._solver = solver
        self._single = solver.alike and own == other
        shape = (domains(own), domains(other))
        start = solver.endless
        self._mine = arrays.get("mine", np.full(shape, start))
        self._theirs = self._mine if self._single else arrays.get("theirs", np.full(shape[::-1], 1.0 - start))
        self._room: list[tuple[Sweeper, Values, Values, Values]] = []

    def found(self) -> Iterator[tuple[tuple[int, int, int], Values]]:
        """Yield the values under the names by which the solver knows them."""
        yield (0, self.own, self.other), self._mine
        yield (0 if self._solver.alike else 1, self.other, self.own), self._theirs

    def arrays(self) -> dict[str, Values]:
        """Return what has to be saved."""
        return {"mine": self._mine} if self._single else {"mine": self._mine, "theirs": self._theirs}

    def _sides(self) -> list[tuple[Sweeper, Values, Values, Values]]:
        """For both players as movers: sweeper, `ahead`, `fewer`, values."""
        if not self._room:
            own, other, solver = self.own, self.other, self._solver
            for player, mine, theirs, values in ((0, own, other, self._mine), (1, other, own, self._theirs)):
                ahead = np.empty((domains(mine), domains(theirs)))
                fewer = solver._fewer(player, mine, theirs)
                self._room.append((Sweeper(mine, domains(theirs)), ahead, fewer, values))
                if self._single:
                    self._room *= 2
                    break
        return self._room

    def _look_ahead(self) -> list[tuple[Sweeper, Values, Values, Values]]:
        sides = self._sides()
        for side, reply in ((sides[0], sides[1]), (sides[1], sides[0])):
            mirror(reply[3], side[1], tuple(side[0].war))
            if self._single:
                break
        return sides

    def sweep(self) -> float:
        """Do one sweep for both players; return the largest gap."""
        sides = self._look_ahead()
        if self._single:
            sides = sides[:1]
        return max(sweeper.sweep(ahead, fewer, values, BLEND) for sweeper, ahead, fewer, values in sides)

    def take_down(self) -> int:
        """Take down to the worth of endless play what only props itself up: how many positions."""
        first, second = self._look_ahead()
        endless, epsilon = self._solver.endless, self._solver.epsilon
        sets = [propped(first, second, endless, epsilon)]
        if not self._single:
            sets.append(propped(second, first, 1.0 - endless, epsilon))
        taken = 0
        for (own, other, _), mine, theirs, worth in zip(
            sets, (first, second), (second, first), (endless, 1.0 - endless), strict=False
        ):
            mine[3][own] = worth
            theirs[3][other] = 1.0 - worth
            taken += int(own.sum() + other.sum())
        return taken
