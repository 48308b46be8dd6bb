"""Focus in a real browser: two play by every door, a third watches the mirror, the bot restarts."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.app import Dominium
from bot.config import Config
from bot.main import build
from games.engine.match import Match
from tests.bot.stage import best
from tests.browser.helpers import PHONE, Person, stage

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@dataclass
class House:
    """Makes bots on one file, and knows the one that runs."""

    path: Path
    bots: list[Dominium]

    def make(self) -> Dominium:
        """The next bot."""
        self.bots.append(build(Config(data=self.path, always_sync=True, message_content=True)))
        return self.bots[-1]

    async def match(self, match: str) -> Match:
        """The match as it stands."""
        row = await self.bots[-1].service.row(match)
        assert row is not None
        return await self.bots[-1].service.at(match, row.version)

    async def mover(self, match: str) -> str:
        """The display name of who is to move."""
        row = await self.bots[-1].service.row(match)
        assert row is not None
        (seat,) = (await self.match(match)).to_act
        return row.seats[seat].name


async def picture(person: Person, name: str) -> None:
    """Keep a picture of the page where DOMINIUM_SHOTS names a folder to look at it later."""
    if folder := os.environ.get("DOMINIUM_SHOTS"):
        await person.pictures_loaded()
        await person.shot(Path(folder) / f"{name}.png")


async def started(ann: Person, ben: Person, options: str) -> str:
    """A table opened by Ann, joined by Ben, started; its id."""
    await ann.open("games")
    await ben.open("games")
    await ann.slash("/play", game="Focus", players="2", options=options)
    table = await ben.wait_for(text="Focus (Domination) ·")
    await picture(ben, "table")
    await ben.click("Join", on=table)
    await ann.wait_for(text="Ben")
    await ann.click("Start", on=table)
    found = re.search(r"F-[A-Z0-9]+", table.text)
    assert found is not None
    await ann.open(found[0])
    await ben.open(found[0])
    return found[0]


async def move(person: Person, door: int, text: str, plays: int) -> None:
    """Play a move through one of the doors."""
    match door:
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
            await person.wait_for(text="legal move")
            await person.click("Type a move")
            await person.fill_in(text)


async def test_a_match_in_the_browser(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3", [])
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        cleo = await scene.person("cleo")
        match = await started(ann, ben, "fast")
        await cleo.open("spectators")
        await cleo.slash("/watch here", match=match)
        mirror = await cleo.wait_for(text="live from")
        people = {"Ann": ann, "Ben": ben}
        while (now := await house.match(match)).ending is None:
            mover = people[await house.mover(match)]
            other = ben if mover is ann else ann
            if now.plays == 2:
                await mover.say("b7-b1")
                await mover.wait_for(text="b1")
                await other.say("c7-c6")
                await other.wait_for(text="not your turn")
                assert (await house.match(match)).plays == 2
            if now.plays == 5:
                await ann.restart_bot()
            await move(mover, now.plays % 4, best(now), now.plays)
            done = await house.match(match)
            text = "record is attached" if done.ending else f"move {now.plays + 1} ·"
            await ann.wait_for(text=text)
            await ben.wait_for(text=text)
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
