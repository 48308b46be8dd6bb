"""A person on a phone finds the puzzles, misses one, solves it, and goes on to the next."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.platform.puzzle_files import shipped_puzzles
from games.engine import registry
from games.engine.lessons import position_of
from games.engine.puzzles import Puzzle, step_of
from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, picture

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def spelled(puzzle: Puzzle, move: str) -> str:
    """A move of a puzzle of Focus as it is typed."""
    game = registry.get("focus")
    view = game.view(position_of(game, step_of(game, puzzle)), puzzle.seat)
    return game.format(view, game.decode(move))


async def test_a_person_on_a_phone_solves_puzzles(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    first, second, *_ = shipped_puzzles("focus").values()
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        await ann.open("games")
        await ann.slash("/games")
        await ann.wait_for(text="strategy games")
        await ann.click("Learn")
        await ann.wait_for(text="Learn to play")
        await ann.click("Puzzles")
        await ann.wait_for(text="no puzzle comes twice")
        await ann.choose("Which game?", "Focus")
        shown = await ann.wait_for(text=re.compile("One move is clearly best"))
        assert shown.alts
        await picture(ann, "puzzle")
        await ann.choose("Choose a move", spelled(first, first.rival))
        await ann.wait_for(text="but not the best one")
        await picture(ann, "puzzle-missed")
        await ann.click("Type a move")
        await ann.fill_in(spelled(first, first.best))
        await ann.wait_for(text="Right.")
        await picture(ann, "puzzle-right")
        await ann.click("Next puzzle")
        await ann.wait_for(text=re.compile(r"One move is clearly best(?![\s\S]*Right\.)"))
        await ann.click("Show the answer")
        await ann.wait_for(text=f"The best move is {spelled(second, second.best)}")
