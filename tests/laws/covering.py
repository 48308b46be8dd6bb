"""Rows of choices in which each combination of three columns' choices stands at least once.

Most of 311,040 ways to set fourteen options differ in what doesn't interact; faults come of two or three
options together (Kuhn, Wallace, Gallo: Software Fault Interactions and Implications for Software Testing,
IEEE Transactions on Software Engineering 30, 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from random import Random
from typing import TypeVar

T = TypeVar("T")


def covering(columns: Sequence[Sequence[T]], strength: int = 3) -> list[tuple[T, ...]]:
    """Return rows, one item of each column, that hold every combination of `strength` columns' items.

    Greedy: each row begins with a combination that is missing, and the other columns take, in random order,
    the item that adds most. The first row has the first item of each column.
    """
    strength = min(strength, len(columns))
    missing = {
        tuple(zip(chosen, items, strict=True))
        for chosen in combinations(range(len(columns)), strength)
        for items in product(*(range(len(columns[at])) for at in chosen))
    }
    random = Random(1)
    rows: list[tuple[int, ...]] = []
    row = [0] * len(columns)
    while True:
        rows.append(tuple(row))
        missing -= set(combinations(enumerate(row), strength))
        if not missing:
            return [tuple(columns[at][item] for at, item in enumerate(each)) for each in rows]
        chosen = dict(min(missing))
        rest = [at for at in range(len(columns)) if at not in chosen]
        random.shuffle(rest)
        for at in rest:
            chosen[at] = max(
                range(len(columns[at])), key=lambda item: _adds(missing, chosen, (at, item), strength)
            )
        row = [chosen[at] for at in range(len(columns))]


def _adds(
    missing: set[tuple[tuple[int, int], ...]], chosen: dict[int, int], more: tuple[int, int], strength: int
) -> int:
    """Count the missing combinations that an item would complete."""
    others = combinations(sorted(chosen.items()), strength - 1)
    return sum(tuple(sorted((*each, more))) in missing for each in others)
