"""Pack a table of exact values: factorise each block, round, drop equal rows, compress.

`games.two_domains.packed_table` reads the result and explains its form. A block's `step` is how coarsely
it is rounded. Each pair of columns of A and B is rounded so that all add equally to the error of a value;
powers of two keep the reader's sums exact. Terms smaller than the error of rounding are dropped.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.engine.game import Seat
from games.two_domains.packed_table import CHUNK, GAME_OVER, PackedTable, format_packed
from games.two_domains.rules import VERSION, State
from games.two_domains.value_table import blocks, domain_count
from solve.checkpoints import replace
from solve.moves import in_civil_war
from solve.table_file import MappedTable

Matrix: TypeAlias = NDArray[np.float32]
Whole: TypeAlias = NDArray[np.int16]
Mask: TypeAlias = NDArray[np.bool_]

FINE: Final = 2e-5
"""The step of small blocks."""
STEPS: Final = {(5, 5): 5e-5, (5, 4): 6e-5, (4, 5): 6e-5}
"""The steps of the large ones, chosen so that the file has about 4.5 MB."""
_FLOOR: Final = 0.3
"""Terms are kept down to this size, in steps."""
_TERMS: Final = 320
"""Number of terms that are computed first; twice as many where that wasn't enough."""
_PASSES: Final = 2
_SEED: Final = 1
_TILE: Final = 512


@dataclass(frozen=True, slots=True)
class PackedBlock:
    """How a block was packed, and the differences to its exact values."""

    own: int
    other: int
    terms: int
    bytes: int
    mean: float
    most: float


def decompose(values: Matrix, most: int) -> tuple[Matrix, Matrix, Matrix]:
    """Return the largest singular values with their vectors as columns (Halko, Martinsson, Tropp, 2011)."""
    if min(values.shape) <= most:
        left, sizes, right = np.linalg.svd(values, full_matrices=False)
        return left, sizes, right.T
    random = np.random.default_rng(_SEED)
    probe = random.standard_normal((values.shape[1], most + 20)).astype(np.float32)
    basis, _ = np.linalg.qr(values @ probe)
    for _ in range(_PASSES):
        basis, _ = np.linalg.qr(values @ np.linalg.qr(values.T @ basis)[0])
    left, sizes, right = np.linalg.svd(basis.T @ values, full_matrices=False)
    return (basis @ left)[:, :most], sizes[:most], right[:most].T


def rounded_factors(values: Matrix, step: float) -> tuple[Whole, Whole, list[int]]:
    """Return A and B as whole numbers, and the shifts of their columns."""
    rows, columns = values.shape
    floor, most = _FLOOR * step * np.sqrt(rows * columns), _TERMS
    left, sizes, right = decompose(values, most)
    while len(sizes) == most and sizes[-1] > floor:
        most *= 2
        left, sizes, right = decompose(values, most)
    kept = max(1, int((sizes > floor).sum()))
    sizes = sizes[:kept]
    a, own = _rounded(left[:, :kept] * np.sqrt(sizes), step / np.sqrt(sizes / columns))
    b, other = _rounded(right[:, :kept] * np.sqrt(sizes), step / np.sqrt(sizes / rows))
    return a, b, [int(shift) for shift in -(own + other)]


def _rounded(matrix: Matrix, steps: Matrix) -> tuple[Whole, Matrix]:
    """Return whole multiples of powers of two, by column, about as coarse as the steps; and the exponents.

    They are coarser where the multiples would need more than 16 bits.
    """
    least = np.ceil(np.log2(np.abs(matrix).max(axis=0) / np.iinfo(np.int16).max))
    exponents = np.maximum(np.round(np.log2(steps)), least)
    return np.round(matrix * 2.0**-exponents).astype(np.int16), exponents


def alive(dice: int) -> Mask:
    """Return the mask of the domains that aren't in Civil War."""
    mask = np.ones(domain_count(dice), np.bool_)
    mask[list(in_civil_war(dice))] = False
    return mask


class _Body:
    """The bytes of a packed table as they grow."""

    def __init__(self) -> None:
        self.data = bytearray()

    def add(self, raw: bytes) -> list[int]:
        """Append compressed bytes; return where they begin and end."""
        begin = len(self.data)
        self.data += zlib.compress(raw, 9)
        return [begin, len(self.data)]

    def add_factor(self, matrix: Whole, mask: Mask) -> dict[str, Any]:
        """Append A or B, without rows that occurred before; return the facts about it."""
        wide = int((np.abs(matrix).max(axis=0) > np.iinfo(np.int8).max).nonzero()[0].max(initial=-1)) + 1
        unique, numbers = np.unique(matrix, axis=0, return_inverse=True)
        listed = np.full(mask.size, GAME_OVER, np.uint16)
        listed[mask] = numbers.reshape(-1)
        ends = [len(self.data)]
        for at in range(0, len(unique), CHUNK):
            rows = unique[at : at + CHUNK]
            ends.append(
                self.add(
                    b"".join(
                        row[:wide].astype("<i2").tobytes() + row[wide:].astype("i1").tobytes() for row in rows
                    )
                )[1]
            )
        return {"wide": wide, "chunks": ends, "rows": self.add(listed.astype("<u2").tobytes())}


def pack(
    table: MappedTable, on_block: Callable[[PackedBlock], None] = lambda block: None
) -> tuple[dict[str, Any], bytes]:
    """Return the facts and the body of a packed table with these values."""
    body = _Body()
    found: list[dict[str, Any]] = []
    for own, other, _ in blocks(table.dice):
        begin = len(body.data)
        if other == 1:
            exact = body.add(table.array(own, 1).astype("<f4").tobytes())
            found.append({"dice": [own, 1], "exact": exact})
            on_block(PackedBlock(own, 1, 0, len(body.data) - begin, 0.0, 0.0))
            continue
        rows, columns = alive(own), alive(other)
        values = np.ascontiguousarray(table.array(own, other)[np.ix_(rows, columns)])
        a, b, shifts = rounded_factors(values, STEPS.get((own, other), FINE))
        factors = {"own": body.add_factor(a, rows), "other": body.add_factor(b, columns)}
        found.append({"dice": [own, other], "shifts": shifts, **factors})
        mean, most = _difference(values, a, b, shifts)
        on_block(PackedBlock(own, other, len(shifts), len(body.data) - begin, mean, most))
    facts = {key: table.table.facts[key] for key in ("dice", "endless", "epsilon")}
    return {"rules": VERSION, **facts, "blocks": found}, bytes(body.data)


def _difference(values: Matrix, a: Whole, b: Whole, shifts: list[int]) -> tuple[float, float]:
    """Return the mean and the largest difference between the product of A and B and the values."""
    left = (a * 2.0 ** -np.array(shifts, np.float64)).astype(np.float32)
    right = np.ascontiguousarray(b.astype(np.float32).T)
    total, most = 0.0, 0.0
    for at in range(0, len(left), _TILE):
        gaps = np.abs(left[at : at + _TILE] @ right - values[at : at + _TILE])
        total += float(gaps.sum(dtype=np.float64))
        most = max(most, float(gaps.max()))
    return total / values.size, most


@dataclass(frozen=True, slots=True)
class PackingReport:
    """Differences of a packed table to the exact one, over random positions."""

    sampled: int
    mean: float
    """The mean difference between values."""
    most: float
    loss: float
    """The mean loss of the action that is best by the packed values."""
    worst: float


def compare_packed(table: MappedTable, path: Path, count: int, seed: int) -> PackingReport:
    """Compare the packed table in a file with the exact one, in `count` random positions.

    Raises ValueError for a position that a table doesn't hold.
    """
    packed = PackedTable(memoryview(path.read_bytes()))
    gaps, losses = [], []
    for mine, theirs in table.random_positions(count, seed):
        state = State((mine, theirs), 0, "", 0, None, None, VERSION)
        exact, seen = table.table.appraise(state, Seat(0)), packed.appraise(state, Seat(0))
        value, rounded = table.table.value(mine, theirs), packed.value(mine, theirs)
        if exact is None or seen is None or value is None or rounded is None:
            raise ValueError(f"a table doesn't hold {mine} against {theirs}")
        gaps.append(abs(value - rounded))
        chosen = max(range(len(seen)), key=lambda nth: seen[nth][1])
        losses.append(max(worth for _, worth in exact) - exact[chosen][1])
    return PackingReport(len(gaps), sum(gaps) / len(gaps), max(gaps), sum(losses) / len(losses), max(losses))


def write_packed(table: MappedTable, path: Path, on_block: Callable[[PackedBlock], None]) -> None:
    """Pack a table into a file, which appears complete or not at all."""
    data = format_packed(*pack(table, on_block))
    replace(path, lambda file: file.write(data))
