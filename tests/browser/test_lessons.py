"""A person on a phone finishes the lessons of a game: by pictures and choices, and by text and typing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.engine import registry
from games.engine.lessons import position_of, solutions
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, picture
from tests.soak import sampled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WAYS = [(key, way) for key in registry.KEYS for way in ("pictures", "text")]


def answers(key: str) -> list[str]:
    """A right answer to each step, as it is typed."""
    game = registry.get(key)
    return [
        game.format(game.view(position_of(game, step), step.seat), next(solutions(game, step)))
        for step in game.lessons
    ]


async def answer(ann: Person, move: str, way: str) -> None:
    """Choose a move in the menu, or type it."""
    if way == "pictures":
        await ann.choose("Choose a move", move)
    else:
        await ann.click("Type a move")
        await ann.fill_in(move)


@pytest.mark.parametrize(("key", "way"), sampled(WAYS, [("focus", "pictures"), ("two_domains", "text")]))
async def test_a_person_on_a_phone_finishes_the_lessons(tmp_path: Path, key: str, way: str) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        await ann.open("games")
        if way == "text":
            await ann.slash("/settings me", board="text")
        await ann.slash("/games")
        await ann.wait_for(text="strategy games")
        await ann.click("Learn")
        await ann.wait_for(text="Learn to play")
        await picture(ann, f"{key}-{way}-overview")
        title = {"two_domains": "Two Domains"}.get(key, key.title())
        await ann.choose("Which game?", title)
        right = answers(key)
        for at, move in enumerate(right, 1):
            step = await ann.wait_for(text=re.compile(rf"step {at} of {len(right)}(?![\s\S]*Right\.)"))
            assert bool(step.alts) == (way == "pictures")
            await picture(ann, f"{key}-{way}-{at}")
            if at == 3:
                await ann.click("Type a move")
                await ann.fill_in("nothing of the kind")
                await ann.wait_for(text=re.compile(rf"step {at} of[\s\S]*(isn't|no order|That )"))
                await picture(ann, f"{key}-{way}-{at}-illegal")
            await answer(ann, move, way)
            await ann.wait_for(text="Right.")
            await picture(ann, f"{key}-{way}-{at}-right")
            if at < len(right):
                await ann.click("Next")
        await ann.wait_for(text="That was the last step")
        await ann.click("All lessons")
        await ann.wait_for(text=f"all {len(right)} steps done")
