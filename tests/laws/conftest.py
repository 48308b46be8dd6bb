"""The matches that laws are tried on: each case of every game, and the courses that players take in it."""

from __future__ import annotations

import pytest

from tests.laws.courses import Case, Course, course, courses, parameters


@pytest.fixture(params=parameters())
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(params=courses())
def played(request: pytest.FixtureRequest) -> Course:
    return course(*request.param)
