"""A person on a phone reads the rules with their pictures, tries a lesson, and sets what calls them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from games.engine import registry
from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, picture
from tests.soak import sampled

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("key", sampled(list(registry.KEYS), ["focus"]))
async def test_rules_have_a_picture_on_each_page_and_lead_to_lessons(tmp_path: Path, key: str) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True)
        await ann.open("games")
        await ann.slash("/learn rules", game={"two_domains": "Two Domains"}.get(key, key.title()))
        pages = len(registry.get(key).rules_pages)
        for at in range(1, pages + 1):
            page = await ann.wait_for(text=re.compile(rf"\({at}/{pages}\)"))
            assert len(page.alts) == 1
            await picture(ann, f"rules-{key}-{at}")
            if at < pages:
                await ann.click("Next")
        await ann.click("Try it")
        await ann.wait_for(text=re.compile(r"step \d+ of"))


async def test_settings_are_forms_with_labels(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True)
        await ann.open("games")
        await ann.slash("/settings me")
        await ann.wait_for(text="Pings: for every move")
        await picture(ann, "settings")
        for name in ("Times", "Boards", "Pings"):
            await ann.click(name)
            await expect(ann.page.get_by_test_id("modal")).to_be_visible()
            await picture(ann, f"settings-{name.split()[0].lower()}")
            if name != "Pings":
                await ann.page.get_by_role("button", name="Cancel").click()
        await ann.page.get_by_text("One until I have looked").click()
        await ann.page.get_by_test_id("modal-submit").click()
        await ann.wait_for(text="Pings: one in each match until you act or look")
