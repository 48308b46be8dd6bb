"""Tables of small examples: a test with thousands of rows in all is one case each, not thousands."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def rows(names: str, table: Iterable[Any]) -> Callable[[Test], Test]:
    """Call a test with each row of a table and report every row that fails, by its values.

    It is used as `pytest.mark.parametrize` is, where the fixtures of a test may serve all its rows: a case of
    pytest takes longer than most such rows do.
    """
    keys = [name.strip() for name in names.split(",")]
    table = list(table)
    assert not any(isinstance(row, type(pytest.param())) for row in table), (
        "a row has neither marks nor a name"
    )
    found = [(row,) if len(keys) == 1 else tuple(row) for row in table]

    def over_rows(test: Test) -> Test:
        given = inspect.signature(test)
        assert not inspect.iscoroutinefunction(test)

        @wraps(test)
        def over_all(**fixtures: Any) -> None:
            failures = list[BaseException]()
            for row in found:
                try:
                    test(**fixtures, **dict(zip(keys, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the row {', '.join(map(repr, row))}")
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(found)} rows", failures)

        left = [each for name, each in given.parameters.items() if name not in keys]
        vars(over_all)["__signature__"] = given.replace(parameters=left)
        assert found, "a table without rows shows nothing"
        assert len(left) + len(keys) == len(given.parameters)
        return over_all

    return over_rows
