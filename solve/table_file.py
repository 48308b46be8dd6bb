"""Write a table of values to a file, and check one: checksums, residuals, and random positions in the engine.

The check is independent of the sweeps that computed the values: it takes the legal moves from the game, and
the values from the file.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from games.engine.game import Seat
from games.two_domains.actions import CITY
from games.two_domains.domain import domain
from games.two_domains.rules import BATTLE_FAIL_FACE, BEATEN, CONVERTED, VERSION, State
from games.two_domains.value_table import (
    HEADER_SIZE,
    ValueTable,
    blocks,
    domain_count,
    domain_index,
    format_header,
)
from solve.checkpoints import replace
from solve.kernel import Values
from solve.solver import Solver

FACES: Final = "123456"
FAIL: Final = str(BATTLE_FAIL_FACE)
TOLERANCE: Final = 1e-6
"""Values closer than this count as equal in the statistics."""


def write(solver: Solver, path: Path) -> None:
    """Write all values of a solver as a table; the file appears complete or not at all."""

    def put(file: IO[bytes]) -> None:
        file.write(b" " * HEADER_SIZE)
        crc = {}
        for own, other, _ in blocks(solver.dice):
            data = solver.values(own, other).astype("<f4").tobytes()
            crc[f"{own}-{other}"] = zlib.crc32(data)
            file.write(data)
        file.seek(0)
        file.write(
            format_header(
                {
                    "rules": VERSION,
                    "dice": solver.dice,
                    "endless": solver.endless,
                    "epsilon": solver.epsilon,
                    "gap": max(result.gap for result in solver.results),
                    "sweeps": sum(result.sweeps for result in solver.results),
                    "crc": crc,
                }
            )
        )

    replace(path, put)


@dataclass(frozen=True, slots=True)
class BlockStatistics:
    """Statistics of the positions with `own` dice to move against `other`."""

    own: int
    other: int
    positions: int
    """Number of positions, except those in which a domain is in Civil War: there the game is over."""
    residual: float
    """The largest difference between a value and its best action's, by the values it leads to."""
    mean: float
    """The mean value for the player to move."""
    even: int
    """Number of positions worth one half, to within TOLERANCE."""
    battles: int
    """Number of positions in which battle is legal."""
    declined: int
    """Number of those in which another action is worth more."""


class MappedTable:
    """A table file mapped into memory. Raises ValueError for a bad one, OSError if it can't be read."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            if not path.stat().st_size:
                raise ValueError("the file is empty")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.table = ValueTable(memoryview(self._map))
        self.dice: int = self.table.facts["dice"]
        self._at = {(own, other): at for own, other, at in blocks(self.dice)}

    def array(self, own: int, other: int) -> NDArray[np.float32]:
        """Return the values of a block as a view of the file."""
        shape = (domain_count(own), domain_count(other))
        flat = np.frombuffer(self._map, "<f4", shape[0] * shape[1], self._at[own, other])
        return flat.reshape(shape)

    def verify_checksums(self) -> None:
        """Compare every block with its checksum. Raises ValueError naming a damaged one."""
        for own, other, _ in blocks(self.dice):
            if zlib.crc32(self.array(own, other).tobytes()) != self.table.facts["crc"][f"{own}-{other}"]:
                raise ValueError(f"the values of {own} dice against {other} are damaged")

    def check(
        self, on_progress: Callable[[int, int], None] = lambda done, of: None
    ) -> Iterator[BlockStatistics]:
        """Compare every value with those it depends on, by block; report rows done and their total."""
        for own, other, _ in blocks(self.dice):
            yield self._check(own, other, on_progress)

    def _ahead(self, own: int, other: int) -> Values:
        """Return the values after a move, by the new domain and the opponent's, who moves unless skipped."""
        if other == 1:
            ahead = self.array(own, 1).astype(np.float64)
        else:
            # A player with a single die is skipped, so that its values follow from the opponent's as well.
            ahead = 1.0 - self.array(other, own).T.astype(np.float64)
        for row, text in enumerate(texts(own)):
            if domain(text).civil_war:
                ahead[row] = 0.0
        return ahead

    def _check(self, own: int, other: int, on_progress: Callable[[int, int], None]) -> BlockStatistics:
        values, ahead = self.array(own, other), self._ahead(own, other)
        battle_values = _BattleValues(self, own, other)
        open_columns = np.array([not domain(text).civil_war for text in texts(other)])
        positions = even = battles = declined = 0
        residual = total = 0.0
        for row, text in enumerate(texts(own)):
            if row % 256 == 0:
                on_progress(row, domain_count(own))
            known = domain(text)
            if known.civil_war:
                continue
            mine = values[row][open_columns].astype(np.float64)
            action_values = [ahead[[domain_index(text[0] + face + text[2:]) for face in FACES]].mean(axis=0)]
            action_values += [
                ahead[domain_index(known.grown[a.n])] for a in known.actions if a.kind == "grow"
            ]
            if text != known.ordered:
                action_values.append(ahead[domain_index(known.ordered)])
            if "battle" in known.allowed:
                attack = battle_values.battle(text, ahead)
                rest = np.max(action_values, axis=0)
                battles += mine.size
                declined += int((attack < rest - TOLERANCE)[open_columns].sum())
                action_values = [rest, attack]
            best = np.max(action_values, axis=0)[open_columns]
            residual = max(residual, float(np.abs(best - mine).max()))
            positions += mine.size
            total += float(mine.sum())
            even += int((np.abs(mine - 0.5) < TOLERANCE).sum())
        return BlockStatistics(own, other, positions, residual, total / positions, even, battles, declined)

    def random_positions(self, count: int, seed: int) -> Iterator[tuple[str, str]]:
        """Yield random domains of the mover and the opponent; about as many of each block."""
        random = np.random.default_rng(seed)
        names = {dice: texts(dice) for dice in range(1, self.dice + 1)}
        kinds = [(own, other) for own, other, _ in blocks(self.dice)]
        while count:
            own, other = kinds[int(random.integers(len(kinds)))]
            mine = names[own][int(random.integers(len(names[own])))]
            theirs = names[other][int(random.integers(len(names[other])))]
            if not (domain(mine).civil_war or domain(theirs).civil_war):
                count -= 1
                yield mine, theirs

    def sample(self, count: int, seed: int) -> float:
        """Return the largest difference between a value and its best action's as the engine plays it.

        Samples as many `random_positions` as asked for.

        Raises ValueError for a position that the table doesn't hold.
        """
        worst = 0.0
        for nth, (mine, theirs) in enumerate(self.random_positions(count, seed)):
            seat = Seat(nth % 2)
            state = State((theirs, mine) if seat else (mine, theirs), seat, "", 0, None, None, VERSION)
            values = self.table.appraise(state, seat)
            value = self.table.value(mine, theirs)
            if values is None or value is None:
                raise ValueError(f"the table doesn't hold {mine} against {theirs}")
            worst = max(worst, abs(value - max(best for _, best in values)))
        return worst


class _BattleValues:
    """The values of battles in one block."""

    def __init__(self, table: MappedTable, own: int, other: int) -> None:
        self._other = other
        self._table = table
        names = texts(other)
        if other == 1:
            self._pledge = (
                1.0 - table.array(2, own - 1)[domain_index("16")].astype(np.float64) if own > 2 else None
            )
            self._pledge_two = 1.0 - float(table.array(2, 1)[domain_index("16"), 0])
            return
        self._left = np.array([domain_index(name[:-1]) if other > 2 else 0 for name in names])
        self._fewer = table._ahead(own, other - 1)
        self._maps: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {}
        for key, change in (("beaten", BEATEN), ("converted", CONVERTED)):
            becomes = [domain_index(name[:-1] + change.get(name[-1], name[-1])) for name in names]
            self._maps[key] = (np.array([name[-1] not in change for name in names]), np.array(becomes))

    def battle(self, text: str, ahead: Values) -> Values:
        """Return the values of this domain's battle, by the opponent's domain."""
        if self._other == 1:
            left = self._pledge_two if self._pledge is None else float(self._pledge[domain_index(text[:-1])])
            return np.array([(5.0 + left) / 6.0])
        if domain(text).capitals:
            return self._hit("converted", domain_index(text[:-1] + CITY), ahead)
        rolls = [domain_index(text[:-1] + face) for face in FACES if face != FAIL]
        hits = sum(self._hit("beaten", row, ahead) for row in rolls)
        value: Values = (hits + ahead[domain_index(text[:-1] + FAIL)]) / 6.0
        return value

    def _hit(self, how: str, row: int, ahead: Values) -> Values:
        removed, becomes = self._maps[how]
        value: Values = np.where(removed, self._fewer[row][self._left], ahead[row][becomes])
        return value


def texts(dice: int) -> list[str]:
    """Return the domains with this many dice, in the order of their indices."""
    return ["1"] if dice == 1 else ["".join(faces) for faces in product(FACES, repeat=dice)]
