"""Browser tests share one browser and one loop. Where no browser starts, all are skipped for one reason."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.browser.chromium import chromium
from tests.browser.helpers import SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run them on one loop, since the browser belongs to the loop that has started it."""
    for item in items:
        if item.path.parent == Path(__file__).parent and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that drives a browser before anything is begun for it."""
    if item.get_closest_marker("browser") is not None:
        chromium()


@pytest_asyncio.fixture(scope="session", autouse=True, loop_scope="session")
async def _shared_browser() -> AsyncIterator[None]:
    """Close the browser after the last test."""
    yield
    await SHARED.close()
