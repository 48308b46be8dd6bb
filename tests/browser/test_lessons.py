"""A person who knows no rule finishes the lessons of a game on a phone: by pictures, and by text alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.engine import registry
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, picture
from tests.learner import next_try
from tests.soak import sampled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_SENTENCES = """element => {
    const copy = element.cloneNode(true);
    const parts = "pre, figcaption, [data-testid=menu-field], [data-testid=choice]";
    copy.querySelectorAll(parts).forEach((part) => part.remove());
    return copy.textContent;
}"""
"""Returns what a message says without its board, in text or as alt text, and its menus."""
WAYS = [(key, way) for key in registry.KEYS for way in ("pictures", "text")]


async def learnt(ann: Person, way: str, head: str) -> int:
    """Go on with the step that is shown until it is solved, by nothing but what is said; return the tries."""
    tried: list[str] = []
    while True:
        step = await ann.wait_for(text=head)
        if "Right." in step.text:
            return len(tried)
        offered = await ann.choices("Choose a move")
        move = next_try(await ann.message(step).evaluate(_SENTENCES), offered, tried)
        tried.append(move)
        if way == "pictures":
            await ann.pick(move)
        else:
            await ann.page.keyboard.press("Escape")
            await ann.click("Type a move")
            await ann.fill_in(move)
        await ann.wait_for(text=re.compile(rf"Right\.|{re.escape(move)} is a legal move"))


@pytest.mark.parametrize(("key", "way"), sampled(WAYS, [("focus", "pictures")]))
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
        count, tries = len(registry.get(key).lessons), 0
        for at in range(1, count + 1):
            step = await ann.wait_for(text=re.compile(rf"step {at} of {count}(?![\s\S]*Right\.)"))
            assert bool(step.alts) == (way == "pictures")
            await picture(ann, f"{key}-{way}-{at}")
            if at == 3:
                await ann.click("Type a move")
                await ann.fill_in("nothing of the kind")
                await ann.wait_for(text=re.compile(rf"step {at} of[\s\S]*(isn't|no order|That )"))
                await picture(ann, f"{key}-{way}-{at}-illegal")
            tries += await learnt(ann, way, f"step {at} of {count}")
            await picture(ann, f"{key}-{way}-{at}-right")
            if at < count:
                await ann.click("Next")
        assert tries <= 6 * count, "what is said leads to the answer"
        await ann.wait_for(text="That was the last step")
        await ann.click("All lessons")
        await ann.wait_for(text=f"all {count} steps done")
