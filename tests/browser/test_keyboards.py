"""A match as phones write it: emoji and keycaps are read, and words beside a move are asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.stage import best
from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, picture, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FORMS = ("{} 😀", "\u200e{}。", "{}👍🏽")


async def test_moves_as_phones_write_them(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True)
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        match = await started(ann, ben, "Focus", options="fast")
        people = {"Ann": ann, "Ben": ben}
        for plays, form in enumerate(FORMS, 1):
            now = await house.match(match)
            mover = people[await house.mover(match)]
            await mover.say(form.format(best(now)))
            for each in (ann, ben):
                await each.wait_for(text=f"move {plays} ·")
        now = await house.match(match)
        mover = people[await house.mover(match)]
        await mover.say(f"I think {best(now)}?")
        asked = await mover.wait_for(text="nothing was played yet")
        await picture(mover, "keyboards-asked")
        assert (await house.match(match)).plays == len(FORMS)
        await mover.click(best(now), on=asked)
        await mover.wait_for(text=f"move {len(FORMS) + 1} ·")
        await picture(mover, "keyboards-played")
