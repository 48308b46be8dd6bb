"""Focus in a real browser: two play by every route, a third watches the mirror, the bot restarts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.bot.stage import best
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, picture, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def move(person: Person, route: int, text: str, plays: int) -> None:
    """Play a move by one of the routes."""
    match route:
        case 0:
            board = await person.wait_for(text=f"move {plays} ·")
            await person.reply(board, text)
        case 1:
            await person.say(text.replace("-", " "))
        case 2:
            await person.slash("/move", move=text)
        case _:
            board = await person.wait_for(text=f"move {plays} ·")
            await person.click("Moves", on=board)
            panel = await person.wait_for(text="legal move")
            await person.click("Type a move", on=panel)
            await person.fill_in(text)
            await person.dismiss(panel)  # else it would be taken for the next one, and be of an earlier board


async def test_a_match_in_the_browser(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        cleo = await scene.person("cleo")
        match = await started(ann, ben, "Focus", options="fast")
        await cleo.open("spectators")
        await cleo.slash("/matches watch here", match=match)
        mirror = await cleo.wait_for(text="live from")
        people = {"Ann": ann, "Ben": ben}
        while (now := await house.match(match)).ending is None:
            mover = people[await house.mover(match)]
            other = ben if mover is ann else ann
            if now.plays == 2:
                await mover.say("b7-b1")
                await mover.wait_for(text="b1")
                await other.say("c7-c6")
                await other.wait_for(text="n't your turn")
                assert (await house.match(match)).plays == 2
            if now.plays == 5:
                await ann.restart_bot()
            await move(mover, now.plays % 4, best(now), now.plays)
            # The page shows what is written down; whether this was the last move is not known before that.
            answered = re.compile(rf"move {now.plays + 1} ·|record is attached")
            await ann.wait_for(text=answered)
            await ben.wait_for(text=answered)
            if now.plays in (1, 8):
                await picture(ann, f"desktop-{now.plays}")
                await picture(ben, f"phone-{now.plays}")
        await picture(ann, "desktop-end")
        await picture(ben, "phone-end")
        last = await ann.wait_for(text="record is attached")
        assert "wins" in last.text
        assert last.alts
        watched = cleo.message(mirror)
        await expect(watched).to_contain_text("wins")
        await picture(cleo, "mirror")
        boards = [m for m in await ann.messages() if m.alts and m.author == "Dominium"]
        assert len({board.id for board in boards}) == (await house.match(match)).plays + 1
