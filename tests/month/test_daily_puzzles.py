"""A week of daily puzzles on the strict Discord: one message a day, whatever goes wrong in it."""

from __future__ import annotations

import asyncio
import random
import re

import pytest

from matches.store.servers import Showcase
from tests.month.disturbances import ALL
from tests.month.league import DISTURBANCES
from tests.month.month import Month
from tests.month.stage import open_stage
from tests.month.virtual_time import VirtualLoop
from tests.soak import SEED, sampled

pytestmark = pytest.mark.slow
DAY = 24 * 3600


async def a_week(seed: int) -> list[str]:
    """Return what the messages of a week say, oldest first."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    async with open_stage(loop, seed, content=False) as stage:
        month = Month(stage, random.Random(seed))
        month.populate(guilds=1, people=3)
        await stage.start()
        (guild,) = month.guilds
        room, (manager, *_) = month.rooms[guild.id].id, month.members(guild)
        store, began = stage.bot.context.store, stage.clock.now()
        await store.save_showcase(Showcase(guild.id, room, manager.id, began, kind="puzzle"))
        for trouble in month.dice.sample(DISTURBANCES, len(DISTURBANCES)):
            month.note(trouble)
            await ALL[trouble](month)
            for _ in range(3):  # what failed is tried again some minutes later
                await month.calm_down()
                await stage.pass_time(600)
            day = (stage.clock.now() - began).days
            await stage.pass_time((day + 1) * DAY - (stage.clock.now() - began).total_seconds() + 60)
            await month.calm_down()
        assert not stage.records.ask("SELECT id FROM outbox"), month.notes
        return [post.content for post in stage.posts_by_bot(room)]


@pytest.mark.parametrize("seed", sampled(range(SEED * 1000, SEED * 1000 + 20), (1,)))
def test_a_week_of_puzzles(seed: int) -> None:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        said = runner.run(a_week(seed))
    days = [int(found[1]) for each in said if (found := re.match(r"\*\*Puzzle of the day (\d+)\*\*", each))]
    assert days == list(range(1, len(days) + 1)), "each once, and in order"
    assert len(days) >= len(DISTURBANCES)
    assert not any("<@" in each for each in said), "nobody is pinged"
