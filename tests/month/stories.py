"""Short stories on the stage of a month: one match, one fault of Discord, no time lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from simcord.builders import ChannelHandle

from tests.loopback import Person
from tests.month.month import Month
from tests.month.stage import open_stage
from tests.month.tables import Kind, Table
from tests.month.virtual_time import VirtualLoop

POSTS = r"/channels/\d+/messages"
Story: TypeAlias = Callable[[Month, Table], Awaitable[None]]


def tell(story: Story, kind: Kind = "channel") -> None:
    """Let a story happen around a match of Focus that has just begun, with all texts readable."""

    async def told() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        async with open_stage(loop, 1, content=True) as stage:
            month = Month(stage, random.Random(1))
            month.populate(guilds=1)
            await stage.start()
            await story(month, await month.open_table("focus", kind))

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(told())


def answers(month: Month, channel: ChannelHandle) -> list[str]:
    """Return what the bot has replied in a channel."""
    return [one.content for one in month.stage.posts_by_bot(channel.id) if one.reference is not None]


def move(table: Table) -> tuple[Person, str]:
    """Return who is to move, and a move; it is played on the model."""
    seat = min(table.model.to_act)
    text = next(table.texts(seat, random.Random(1)))
    table.play(seat, text)
    return table.seats[seat], text
