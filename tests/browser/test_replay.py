"""A finished match watched again on a phone: step by step, by a jump, as an animation, and shown to all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, hurry, picture, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def test_a_match_is_watched_again(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        ben = await scene.person("ben")
        match_id = await started(ann, ben, "Dominance")
        for _ in range(12):
            now = await house.match(match_id)
            (seat,) = now.to_act
            action = next(now.game.actions(now.state, seat))
            await hurry(house, match_id, [now.game.format(now.state, action)])
        await ann.click("Resign or draw")
        await ann.click("Yes, I resign")
        over = await ann.wait_for(text="wins")
        await ann.click("Replay", on=over)
        start = await ann.wait_for(text="The start, before 12 moves")
        await picture(ann, "replay-start")
        await ann.click("Forward", on=start)
        one = await ann.wait_for(text="Move 1 of 12")
        assert one.id == start.id
        assert one.alts != start.alts
        await ann.click("Jump to", on=one)
        await ann.fill_in("7")
        seven = await ann.wait_for(text="Move 7 of 12")
        assert seven.id == start.id
        await picture(ann, "replay-move")
        await ann.click("Show here", on=seven)
        await ben.wait_for(text="steps through this")
        await ann.click("Animation", on=seven)
        await ann.fill_in("last 3 rounds")
        film = await ann.wait_for(text=re.compile(r"from move \d+ to move 12"))
        assert len(film.alts) == 1
        await picture(ann, "replay-film")
