"""What the documents show of a phone is what people see there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.phone_pictures import play

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def test_what_the_pages_show(tmp_path: Path) -> None:
    await play(tmp_path, None)
