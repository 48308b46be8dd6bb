"""The matches that laws are tried on: each case of every game, and the courses that players take in it.

Of the product of laws and cases, every second is a sample: each law meets each game, and each case half of
the laws. A soak tries the whole.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest

from tests.laws.courses import Case, Course, course, courses, is_quick, parameters
from tests.soak import SOAK

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the sample of laws and cases, and what the quick tests try."""
    items[:] = [item for item in items if SOAK or item.path.parent != HERE or is_sampled(item)]


def is_sampled(item: pytest.Item) -> bool:
    """Return whether a law is tried on its case."""
    assert isinstance(item, pytest.Function)
    given = item.callspec.params if hasattr(item, "callspec") else {}
    found = given.get("case") or given.get("played")
    case = found[0] if isinstance(found, tuple) else found
    if not isinstance(case, Case) or is_quick(case):
        return True
    return crc32(f"{item.originalname} {case}".encode()) % 2 == 0


@pytest.fixture(params=parameters())
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(params=courses())
def played(request: pytest.FixtureRequest) -> Course:
    return course(*request.param)
