"""A league of a year in simulated time: nothing is lost, doubled or left hanging."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from tests.month.league import WEEKS, Year, check
from tests.month.month import Month
from tests.month.stage import open_stage
from tests.month.virtual_time import VirtualLoop
from tests.soak import SEED, SOAK, sampled

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.timeout(1800),
]


async def a_year(seed: int, weeks: int) -> int:
    """Play a league, and return how many seasons it has had."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    async with open_stage(loop, seed, content=False) as stage:
        month = Month(stage, random.Random(seed))
        year = Year(month)
        await year.begin(people=10)
        for number in range(weeks):
            await year.week(number)
        await stage.stop()
        await stage.start()
        await stage.pass_time(2 * 3600)
        await month.calm_down()
        wrong = await check(year)
        assert not wrong, "\n".join((*wrong, *month.notes[-40:]))
        return len(await year.rows())


@pytest.mark.parametrize("seed", sampled(range(SEED * 1000, SEED * 1000 + 20), (1,)))
def test_a_league_of_a_year(seed: int) -> None:
    """Of 13 weeks but in a soak."""
    weeks = WEEKS if SOAK else 13
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(a_year(seed, weeks)) >= weeks // 5


async def planted(seed: int) -> list[str]:
    """What the check says of a league in whose store something was spoilt."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    async with open_stage(loop, seed, content=False) as stage:
        year = Year(Month(stage, random.Random(seed)))
        await year.begin(people=10)
        await stage.pass_time(3600)
        row, *_ = await year.rows()
        year.gone |= dict.fromkeys(("barred", "forgotten"), year.month.people[0])
        without = replace(row, matches=(None, *row.matches[1:]), revision=row.revision + 1)
        await stage.bot.context.store.save_tournament(without, ())
        return await check(year)


def test_the_check_notices_what_is_lost_and_who_should_be_gone() -> None:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        wrong = "\n".join(runner.run(planted(3)))
    for fault in ("is in no pairing", "isn't current", "still has someone", "is still in it"):
        assert fault in wrong, wrong
