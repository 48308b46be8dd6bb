"""On a phone: the daily puzzle of a server, solved in private, and the coach of a match with a computer."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest

from bot.platform.puzzle_files import shipped_puzzles
from games.engine import registry
from games.engine.lessons import position_of
from games.engine.puzzles import step_of
from matches.play import coach as room
from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, picture
from tests.browser.test_hint_and_analysis import begun, hasten

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def best_of_day(house: House, guild: int) -> str:
    """The best move of the daily puzzle, as it is typed."""
    (row,) = await house.bots[-1].context.store.daily_puzzles(guild, 1)
    game, puzzle = registry.get(row.game), shipped_puzzles(row.game)[row.puzzle]
    view = game.view(position_of(game, step_of(game, puzzle)), puzzle.seat)
    return game.format(view, game.decode(puzzle.best))


@pytest.mark.soak
async def test_a_daily_puzzle_and_its_solution(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        await ann.open("games")
        await ann.slash("/server settings", daily_puzzle="#spectators")
        await ann.wait_for(text="gets a daily puzzle")
        await picture(ann, "daily-settings")
        await ann.hour_later()
        await ann.open("spectators")
        posted = await ann.wait_for(text="Puzzle of the day 1")
        assert posted.alts
        await picture(ann, "daily-first")
        guild = house.bots[-1].guilds[0].id
        best = await best_of_day(house, guild)
        await ann.click("Solve it", on=posted)
        await ann.wait_for(text="You are ")  # which puzzle it is, and so its task, hangs on the server's id
        await picture(ann, "daily-panel")
        await ann.click("Type a move")
        await ann.fill_in(best)
        await ann.wait_for(text="Right.")
        await picture(ann, "daily-right")
        await ann.day_later()
        await ann.open("spectators")
        await ann.wait_for(text="Puzzle of the day 2")
        solved = await ann.wait_for(text="Solved by")
        assert best in solved.text
        await picture(ann, "daily-second")


async def test_the_coach_of_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LEVEL", "beginner")
    monkeypatch.setattr(room, "LEAST", 0.02)
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        match = await begun(house, ann, "Focus")
        await ann.click("More")
        await ann.wait_for(text=match)
        await picture(ann, "coach-more")
        await ann.click("Switch the coach on")
        await ann.wait_for(text="Your coach is on.")
        await picture(ann, "coach-on")
        random = Random(1)
        while not (await house.match(match)).help.coached:
            await hasten(house, match, random, 1)
            while looking := [one for one in asyncio.all_tasks() if one.get_name() == f"coach of {match}"]:
                await asyncio.wait(looking)
        said = await ann.wait_for(text=re.compile("Coach: with that move"))
        await picture(ann, "coach-said")
        await ann.click("Why?", on=said)
        await ann.wait_for(text="by what you could know")
        await picture(ann, "coach-why")
        await ann.click("Take it back", on=said)
        await ann.wait_for(text="takes back")
        await picture(ann, "coach-back")
