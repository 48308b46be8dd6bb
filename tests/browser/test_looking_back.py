"""A finished match looked back at on a phone: its story, its dice, its proof, its record, and another end."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, hurry, picture, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.soak
async def test_a_match_is_told_proved_and_continued(tmp_path: Path) -> None:
    house, random = House(tmp_path / "matches.sqlite3"), Random(3)
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        ben = await scene.person("ben")
        match_id = await started(ann, ben, "Two Domains")
        await ben.slash("/matches watch follow", tell="when it is over")
        while (now := await house.match(match_id)).ending is None:
            (seat,) = now.to_act
            view = now.game.view(now.state, seat)
            legal = [now.game.format(view, action) for action in now.game.actions(view, seat)]
            await hurry(house, match_id, [random.choice(legal)])
        await ann.wait_for(text=re.compile("wins|drawn"))
        await picture(ann, "story-lines")
        await ann.click("Story")
        await ann.wait_for(text=re.compile("The lead"))
        await picture(ann, "story")
        await ann.slash("/replay dice")
        await ann.wait_for(text=re.compile("rolls|dice"))
        await picture(ann, "dice")
        await ann.slash("/replay verify")
        await ann.wait_for(text="follow")
        await picture(ann, "verify")
        await ann.slash("/replay record", format="position", move="4")
        await picture(ann, "export")
        await ann.slash("/replay fork", move="4")
        await ann.open("games")
        await ann.wait_for(text=re.compile(rf"{match_id}"))
        await picture(ann, "fork")
        await ann.slash("/matches mine")
        await picture(ann, "matches")
