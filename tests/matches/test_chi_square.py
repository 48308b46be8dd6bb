"""The chi-square test against printed tables and counts worked out by hand."""

from __future__ import annotations

from math import exp, isclose

import pytest

from matches.lookback.chi_square import chi_square_of, rolls_needed, upper_tail

TABLE = [  # Abramowitz and Stegun, table 26.8: value, degrees of freedom, upper tail
    (3.84146, 1, 0.05),
    (6.63490, 1, 0.01),
    (5.99146, 2, 0.05),
    (7.81473, 3, 0.05),
    (11.0705, 5, 0.05),
    (15.0863, 5, 0.01),
    (20.5150, 5, 0.001),
    (4.35146, 5, 0.5),
    (0.554300, 5, 0.99),
    (12.5916, 6, 0.05),
    (1.63539, 6, 0.95),
    (18.3070, 10, 0.05),
    (24.9958, 15, 0.05),
]


@pytest.mark.parametrize(("value", "freedom", "tail"), TABLE)
def test_the_printed_table(value: float, freedom: int, tail: float) -> None:
    assert isclose(upper_tail(value, freedom), tail, rel_tol=1e-4)


def test_the_ends() -> None:
    assert upper_tail(0.0, 5) == 1.0
    assert upper_tail(2.0, 2) == exp(-1)
    assert 0.0 <= upper_tail(5000.0, 5) < 1e-300


def test_sixty_rolls_by_hand() -> None:
    """Ten of each were to be expected: (25 + 4 + 4 + 4 + 9 + 16) / 10 = 6.2."""
    found = chi_square_of([5, 8, 8, 12, 13, 14], [1 / 6] * 6)
    assert found is not None
    assert isclose(found.value, 6.2)
    assert found.freedom == 5
    assert isclose(found.p, upper_tail(6.2, 5))
    assert isclose(found.p, 0.2872, abs_tol=1e-4)


def test_unequal_chances_by_hand() -> None:
    """Of 40 throws 10 should say yes: (10 - 4)^2 / 10 + (30 - 36)^2 / 30 = 4.8."""
    found = chi_square_of([36, 4], [0.75, 0.25])
    assert found is not None
    assert isclose(found.value, 4.8)
    assert isclose(found.p, 0.02846, abs_tol=1e-5)


def test_too_few_for_a_test() -> None:
    assert rolls_needed([1 / 6] * 6) == 30
    assert rolls_needed([0.75, 0.25]) == 20
    assert rolls_needed([1 / 64, 63 / 64]) == 320
    assert chi_square_of([5, 5, 5, 5, 5, 4], [1 / 6] * 6) is None
    assert chi_square_of([5, 5, 5, 5, 5, 5], [1 / 6] * 6) is not None


@pytest.mark.parametrize(("counts", "chances"), [([1], [1.0]), ([1, 2], [1.0]), ([1, 2], [1.0, 0.0])])
def test_what_cant_be_tested(counts: list[int], chances: list[float]) -> None:
    with pytest.raises(ValueError, match="needs a count"):
        chi_square_of(counts, chances)
