"""A match on PostgreSQL in a real browser: played, restarted, finished, looked back at."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.browser.helpers import PHONE, stage
from tests.browser.house import House, hurry, started
from tests.browser.test_records import any_move, give_up

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def test_a_match_is_played_on_postgresql(tmp_path: Path, empty_database: str) -> None:
    house, random = House(tmp_path / "unused.sqlite3", empty_database), Random(3)
    async with stage(house.make, tmp_path / "world") as scene:
        ann, ben = await scene.person("ann"), await scene.person("ben", size=PHONE, touch=True)
        match_id = await started(ann, ben, "Two Domains")
        people = {"Ann": ann, "Ben": ben}
        for number in range(6):
            if number == 3:
                await ann.restart_bot()
            now = await house.match(match_id)
            await people[await house.mover(match_id)].say(any_move(now, random))
            for person in people.values():
                await person.wait_for(text=f"move {now.plays + 1} ·")
        await hurry(house, match_id, [any_move(await house.match(match_id), random)])
        await give_up(ben)
        await ann.wait_for(text="record is attached")
        await ann.slash("/matches finished")
        await ann.wait_for(text=re.compile(rf"won[\s\S]*{match_id}"))
    assert not (tmp_path / "unused.sqlite3").exists()
