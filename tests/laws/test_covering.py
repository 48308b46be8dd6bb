"""The rows that stand for a large product hold every combination of three columns."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tests.laws.covering import covering


@pytest.mark.parametrize("sizes", [(2,), (2, 3), (2, 3, 2), (3, 3, 3, 3), (2, 5, 2, 3, 3, 2, 4)])
def test_each_three_choices_meet(sizes: tuple[int, ...]) -> None:
    columns = [[f"{at}{item}" for item in range(size)] for at, size in enumerate(sizes)]
    rows = covering(columns)
    assert rows[0] == tuple(column[0] for column in columns)
    assert len(set(rows)) == len(rows)
    for chosen in combinations(range(len(columns)), min(3, len(columns))):
        seen = {tuple(row[at] for at in chosen) for row in rows}
        assert seen == set(product(*(columns[at] for at in chosen)))
    if len(sizes) <= 3:
        assert len(rows) == len(list(product(*columns)))


def test_it_is_far_less_than_the_product() -> None:
    assert len(covering([range(3)] * 8)) < 90
