"""What every test may count on: two games of the tests are registered, no example fails for being slow.

What is left open is reported, on each Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from games.engine import registry
from tests import unclosed
from tests.soak import SHARE, SOAK, examples
from tests.three import GAME as THREE
from tests.toy import GAME as TOY

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

unclosed.report()
registry.register(TOY)
registry.register(THREE)
settings.register_profile(
    "house",
    deadline=None,
    derandomize=not SOAK,
    max_examples=examples(100),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the share of a soak; tests with the same parameters, which share their matches, stay together."""
    nth, of = SHARE
    items[:] = [item for item in items if crc32(item.name.partition("[")[2].encode()) % of == nth]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server for all tests of this process."""
    driver = pytest.importorskip(
        "tests.postgres_server", exc_type=ImportError, reason="NO POSTGRESQL IS TESTED: no driver"
    )
    server: PostgresServer = driver.started()
    yield server
    server.remove()


@pytest.fixture
def empty_database(postgres: PostgresServer) -> Iterator[str]:
    """The URL of a PostgreSQL database of its own, which has nothing yet."""
    made = postgres.database(empty=True)
    yield made
    postgres.drop(made)
