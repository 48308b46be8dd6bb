"""Browser tests are skipped, all for the same reason, where no browser can be started."""

from __future__ import annotations

import pytest

from tests.browser.chromium import chromium


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that drives a browser before anything is begun for it."""
    if item.get_closest_marker("browser") is not None:
        chromium()
