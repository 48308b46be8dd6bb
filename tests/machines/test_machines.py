"""What `make machines` says of a command, by what the command printed."""

from __future__ import annotations

import pytest

from tests.machines.__main__ import Cell, judged
from tests.machines.systems import SYSTEMS

PASSED = """\
........ [100%]
12001 passed, 39 skipped in 700.12s (0:11:40)
39 tests were not run: no browser can be started here (none is installed). To run them: sudo make browser
"""
FAILED = """\
FAILED tests/a/test_b.py::test_c[x] - AssertionError: 3 passed in vain
ERROR tests/a/test_d.py::test_e - OSError
1 failed, 5 passed, 1 error in 2.50s
make: *** [Makefile:30: test] Error 1
"""


@pytest.mark.parametrize(
    ("step", "code", "text", "cell"),
    [
        ("run", 0, "open at http://127.0.0.1:8000/", Cell("first move, 9 s", good=True)),
        ("run", 1, "Traceback", Cell("failed, 9 s", good=False)),
        ("test", 0, PASSED, Cell("12,001 passed, 39 not run, 9 s", good=True)),
        ("test", 2, FAILED, Cell("1 failed, 5 passed, 1 error, 9 s", good=False)),
        ("check", 2, "make: python3: No such file", Cell("stopped (2), 9 s", good=False)),
        ("check", "it hangs", "...", Cell("stopped (it hangs), 9 s", good=False)),
    ],
)
def test_a_cell_tells_what_became_of_a_command(step: str, code: int | str, text: str, cell: Cell) -> None:
    assert judged(step, code, text, 9.4) == cell


def test_systems_have_names_of_their_own() -> None:
    assert (
        len({system.name for system in SYSTEMS}) == len({system.title for system in SYSTEMS}) == len(SYSTEMS)
    )
