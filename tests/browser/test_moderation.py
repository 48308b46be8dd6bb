"""A moderator's tour on a phone: pausing, a seat, the log, a player, moving a match, awarding it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, picture, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def test_a_moderator_keeps_order(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        owner = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        ben = await scene.person("ben", size=PHONE, touch=True)
        cleo = await scene.person("cleo")
        match_id = await started(ben, cleo, "Dominance")
        await owner.slash("/server settings", moderators="moderators")
        await owner.wait_for(text="manage messages: @Moderators")
        await picture(owner, "moderate-settings")
        await owner.open(match_id)
        await owner.slash("/moderate match")
        panel = await owner.wait_for(text=f"Moderate {match_id}")
        await picture(owner, "moderate-match")
        await owner.click("Pause", on=panel)
        await picture(owner, "moderate-form")
        await owner.fill_in("They are quarrelling")
        await ben.wait_for(text="They are quarrelling")
        paused = await owner.wait_for(text=f"Done: {match_id} is paused.")
        await picture(owner, "moderate-paused")
        await owner.choose("A seat", "Ben")
        seat = await owner.wait_for(text="A removed seat has resigned.")
        assert seat.id == paused.id
        await picture(owner, "moderate-seat")
        await owner.click("Back", on=seat)
        await owner.click("Resume", on=seat)
        await owner.fill_in("All is well")
        await ben.wait_for(text="A moderator lets the match go on")
        await owner.wait_for(text=f"Done: {match_id} goes on.")
        await owner.click("Log", on=seat)
        await owner.wait_for(text="paused")
        await owner.page.get_by_test_id("to-end").click()
        await picture(owner, "moderate-log")
        await owner.slash("/moderate player", user="ben")
        await owner.wait_for(text="can play in this server")
        await picture(owner, "moderate-player")
        await owner.open("general")
        await owner.slash("/moderate match", match=match_id)
        await owner.click("Move here", on=await owner.wait_for(text=f"Moderate {match_id}"))
        await owner.fill_in("A calmer place")
        await ben.wait_for(text=f"A moderator has moved {match_id} to")
        await picture(ben, "moderate-moved-away")
        await owner.wait_for(text="A calmer place")
        moved = await owner.wait_for(text=f"Done: {match_id} is played here now.")
        await owner.choose("A seat", "Ben")
        await owner.click("Award the match", on=moved)
        await picture(owner, "moderate-award-form")
        await owner.fill_in("Cleo has left")
        await ben.open("general")
        told = await ben.wait_for(text="awarded it to")
        assert "Ben" in told.text
        await picture(ben, "moderate-awarded-players")
        done = await owner.wait_for(text=f"Done: {match_id} is won.")
        await picture(owner, "moderate-awarded")
        await owner.click("Log", on=done)
        await owner.wait_for(text=f"awarded {match_id} to @Ben")
        await owner.page.get_by_test_id("to-end").click()
        await picture(owner, "moderate-award-log")
