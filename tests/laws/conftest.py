"""The matches that laws are tried on: each case of every game, and the courses that players take in it.

Of the product of laws and cases, a part is a sample: each law meets the defaults of every game, half of
them with both players, and an eighth of the other cases, so that each case meets an eighth of the laws. A
soak tries the whole.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest

from tests.laws.courses import Case, Course, course, courses, every_case, is_quick, parameters
from tests.soak import SOAK

HERE = Path(__file__).parent
NUMBERS = {case: number for number, case in enumerate(every_case())}
_OF = 8
"""A law is tried on every eighth case but the defaults."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the sample of laws and cases, case by case: so hardly any match is played by two workers."""
    kept = [item for item in items if SOAK or item.path.parent != HERE or is_sampled(item)]
    laws = iter(sorted((item for item in kept if item.path.parent == HERE), key=number_of))
    items[:] = [next(laws) if item.path.parent == HERE else item for item in kept]


def case_of(item: pytest.Item) -> tuple[object, str]:
    """Return the case of a test, if it has one, and the player."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    found = given.get("case") or given.get("played")
    return found if isinstance(found, tuple) else (found, "random")


def number_of(item: pytest.Item) -> int:
    """Return the number of a test's case, -1 if it has none."""
    case, _ = case_of(item)
    return NUMBERS.get(case, -1) if isinstance(case, Case) else -1


def is_sampled(item: pytest.Item) -> bool:
    """Return whether a law is tried on its case."""
    assert isinstance(item, pytest.Function)
    case, player = case_of(item)
    if not isinstance(case, Case) or case not in NUMBERS:
        return True
    nth = crc32(item.originalname.encode()) + NUMBERS[case]
    if not is_quick(case):
        return nth % _OF == 0
    return player == "random" or nth % 2 == 0 or item.get_closest_marker("parametrize") is not None


@pytest.fixture(params=parameters())
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(params=courses())
def played(request: pytest.FixtureRequest) -> Course:
    return course(*request.param)
