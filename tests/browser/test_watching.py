"""Watching on a phone: a delay agreed in the lobby, a mirror, a showcase, messages about a match."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import expect

from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, hurry, picture, started
from tests.browser.test_records import any_move

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def test_a_match_is_watched_from_elsewhere(tmp_path: Path) -> None:
    house, random = House(tmp_path / "matches.sqlite3"), Random(3)
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        ben = await scene.person("ben")
        cleo = await scene.person("cleo", size=PHONE, touch=True)
        await ann.open("games")
        await ben.open("games")
        await cleo.open("spectators")
        await ann.slash("/server settings", showcase="#spectators")
        await ann.wait_for(text="Live matches are now listed")
        await started(ann, ben, "Focus")

        await ann.open("games")
        await ben.open("games")
        await ann.slash("/play", game="Dominance")
        lobby = await ben.wait_for(text=re.compile(r"Dominance[\s\S]*: open"))
        await ann.click("Options", on=lobby)
        await ann.click("Watching: live")
        await expect(ann.message(lobby)).to_contain_text("one turn late to those who watch elsewhere")
        await picture(ann, "delay-options")
        await ben.click("Join", on=lobby)
        await ann.wait_for(text="Ben")
        await ann.click("Start", on=lobby)
        found = re.search(r"[A-Z]-[A-Z0-9]+", lobby.text)
        assert found is not None
        late = found[0]

        await cleo.slash("/matches watch follow", match=late, tell="at each turn")
        await cleo.wait_for(text="I'll send you a direct message")
        await cleo.slash("/matches watch here", match=late)
        mirror = await cleo.wait_for(text="live from")
        for _ in range(3):
            await hurry(house, late, [any_move(await house.match(late), random)])
        await expect(cleo.message(mirror)).to_contain_text("Shown one turn late, as its players agreed.")
        await expect(cleo.message(mirror)).to_contain_text("move 2")
        await picture(cleo, "delay-mirror")
        await ben.hour_later()
        listed = await cleo.wait_for(text="2 live matches")
        assert "one turn late" in listed.text
        assert listed.alts
        await picture(cleo, "showcase")
        await cleo.choose("Look at a match", "Dominance")
        await cleo.wait_for(text="Shown one turn late")
        await picture(cleo, "showcase-look")

        await ann.open(late)
        await ann.slash("/match resign")
        await ann.click("Yes, I resign")
        await expect(cleo.message(mirror)).to_contain_text("wins")
        await ben.hour_later()
        await cleo.wait_for(text=re.compile(r"Dominance: (Ann – Ben|Ben – Ann)"))  # seats are drawn by lot
        await picture(cleo, "showcase-post")
        await cleo.open("direct")
        await cleo.wait_for(text=f"{late} is over")
        await picture(cleo, "followed")


@pytest.mark.soak
async def test_the_front_page_stands_in_a_channel(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        ben = await scene.person("ben", size=PHONE, touch=True)
        cleo = await scene.person("cleo")
        await ben.open("games")
        await ben.slash("/play", game="Domination", players="4")
        await started(ann, ben, "Focus")
        await ann.open("spectators")
        await ann.slash("/server panel")
        await ann.wait_for(text="The front page stands in")
        await ben.open("spectators")
        await cleo.hour_later()
        panel = await ann.wait_for(text="One lobby waits for players")
        assert "Domination, Ben: 3 seats are free" in panel.text
        assert "One live match" in panel.text
        assert panel.alts
        assert panel.buttons == ("Play", "Against the computer", "Learn", "My matches", "More")
        await picture(ann, "panel-dark")
        await picture(ben, "panel-light")
        await ben.message(panel).get_by_role("link", name="Join").click()
        await ben.wait_for(text=re.compile(r"Domination[\s\S]*: open"))
