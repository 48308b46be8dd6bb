"""A table of examples is one test, which fails if one of them does and names each that does."""

from __future__ import annotations

import inspect

import pytest

from tests.rows import rows


@pytest.fixture
def limit() -> int:
    return 3


@pytest.mark.parametrize("twice", [False, True])
@rows("small", [0, 1])
@rows("large, name", [(4, "four"), (5, "five")])
def test_fixtures_parameters_and_rows_go_together(
    small: int, limit: int, large: int, name: str, *, twice: bool
) -> None:
    assert small < limit < large * (1 + twice)
    assert name[0] == "f"


def test_each_row_that_fails_is_named() -> None:
    seen = []

    @rows("number, name", [(1, "one"), (2, "two"), (3, "three"), (0, "none")])
    def check(number: int, name: str) -> None:
        seen.append(name)
        assert number != 2, "even"
        with pytest.raises(ZeroDivisionError):
            _ = 1 / max(0, number - 2)

    with pytest.raises(BaseExceptionGroup, match="2 of 4 rows") as failed:
        check()
    even, undivided = failed.value.exceptions
    assert isinstance(even, AssertionError)
    assert isinstance(undivided, pytest.fail.Exception)
    assert [error.__notes__ for error in (even, undivided)] == [
        ["in the row 2, 'two'"],
        ["in the row 3, 'three'"],
    ]
    assert seen == ["one", "two", "three", "none"]


def test_a_single_failure_is_raised_as_it_is() -> None:
    @rows("number", [1, 2])
    def check(number: int) -> None:
        assert number < 2

    with pytest.raises(AssertionError, match="in the row 2") as failed:
        check()
    assert not isinstance(failed.value, BaseExceptionGroup)
    assert not inspect.signature(check).parameters


def test_a_table_is_of_what_a_test_takes() -> None:
    with pytest.raises(AssertionError, match="shows nothing"):
        rows("number", [])(lambda number: None)
    with pytest.raises(AssertionError):
        rows("number, name", [(1, "one")])(lambda number: None)
