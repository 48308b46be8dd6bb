"""The matches that laws are tried on: each case of every game, and the courses that players take in it."""

from __future__ import annotations

import pytest

from tests.laws.courses import COURSES, Case, Course, course, parameters


@pytest.fixture(params=parameters())
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(params=COURSES)
def played(request: pytest.FixtureRequest, case: Case) -> Course:
    return course(case, request.param)
