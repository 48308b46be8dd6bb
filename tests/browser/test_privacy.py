"""Someone on a phone reads what is stored, and is forgotten after two questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, picture, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def test_someone_is_forgotten(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        cleo = await scene.person("cleo", size=PHONE, touch=True, scheme="dark")
        ben = await scene.person("ben")
        match_id = await started(ben, cleo, "Dominance")
        await cleo.open(match_id)
        await cleo.slash("/settings privacy")
        panel = await cleo.wait_for(text="What I store about you")
        await picture(cleo, "privacy-about")
        await cleo.click("Forget me", on=panel)
        first = await cleo.wait_for(text="Do you want me to forget you?")
        await picture(cleo, "privacy-first")
        await cleo.click("Continue", on=first)
        second = await cleo.wait_for(text="Are you sure?")
        await picture(cleo, "privacy-second")
        await cleo.click("Forget me now", on=second)
        await cleo.wait_for(text="I've forgotten you.")
        await picture(cleo, "privacy-done")
        await ben.open(match_id)
        await picture(ben, "privacy-others")
