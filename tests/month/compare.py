"""The same month for our bot and for the plain one: ``python -m tests.month.compare SEED...``.

The plain bot plays in channels only, and people who see that it has forgotten their match begin it again.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
from collections import Counter
from dataclasses import dataclass, fields
from typing import Any

import discord
from simcord.builders import ChannelHandle

from games.engine import registry
from matches.clocks.control import TimeControl
from tests.loopback import Person
from tests.month import script
from tests.month.disturbances import ALL
from tests.month.final_checks import answers_to_bystanders
from tests.month.month import Month
from tests.month.plain_bot import Journal, PlainBot, Played
from tests.month.script import Size
from tests.month.stage import Stage, open_stage
from tests.month.tables import Kind, Table
from tests.month.virtual_time import VirtualLoop


@dataclass
class Counts:
    """One column of the comparison."""

    moves_written: int = 0
    counted_once: int = 0
    lost: int = 0
    doubled: int = 0
    matches_begun_again: int = 0
    boards_missing: int = 0
    boards_doubled: int = 0
    answers_to_bystanders: int = 0

    def add(self, other: Counts) -> None:
        """Add another month's counts."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


class PlainMonth(Month):
    """A month with the plain bot: all matches in channels, all moves by message."""

    async def open_table(
        self, key: str, kind: Kind, room: ChannelHandle | None = None, clock: TimeControl | None = None
    ) -> Table:
        """Begin a match by a message."""
        guild = self.dice.choice(self.guilds)
        room = room or guild.create_text_channel(f"table {len(self.tables)}")
        game = registry.get(key)
        seats = self.dice.choice([count for count in game.seats if count <= 4] or [game.seats[0]])
        people = self.dice.sample(self.members(guild), seats)
        people[0].send(room, f"!play {key} {' '.join(one.mention for one in people[1:])}")
        await self.stage.settle()
        played = self._played(room.id)
        assert played is not None
        table = Table(f"plain {room.id}", "channel", guild, room, people, played.match, played.sealed, [room])
        self.tables.append(table)
        return table

    def _played(self, channel: int) -> Played | None:
        matches: dict[int, Played] = self.stage.bot.matches
        return matches.get(channel)

    async def move(self, table: Table, *, calm: bool) -> None:
        """Write a move; in calm hours on the match as the bot has it, begun again if it has forgotten it."""
        if calm and table.guild is not None:
            if self._played(table.room.id) is None:
                if any(table.guild.id not in person.members for person in table.seats):
                    return
                others = " ".join(one.mention for one in table.seats[1:])
                table.seats[0].send(table.room, f"!play {table.game.key} {others}")
                await self.stage.settle()
            if (played := self._played(table.room.id)) is not None:
                table.model, table.sealed = played.match, played.sealed
            if table.over:
                return
        await super().move(table, calm=calm)

    def _routes(self, table: Table, person: Person, *, calm: bool) -> list[str]:
        return ["mention", "bare"]

    def board(self, table: Table, person: Person) -> discord.Message | None:
        """Return nothing: boards of the plain bot aren't replied to."""
        return None

    def check_log(self, table: Table) -> None:
        """Check nothing on the way: what was lost is counted at the end."""


async def plain(seed: int, size: Size) -> Counts:
    """Play a month with the plain bot."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    dice, journal = random.Random(seed), Journal()
    dice.random()  # that of our bot chooses the intent here; the plain one always has it

    def make(stage: Stage) -> Any:
        return PlainBot(journal, random.Random(f"{seed}/{stage.launches}"))

    async with open_stage(loop, seed, content=True, make=make) as stage:
        month = PlainMonth(stage, dice)
        await script.run(month, size, tuple(ALL))
        times = Counter(message for _, message in journal.counted)
        written = [message for table in month.tables for message in table.written]
        boards = [
            message.content.partition(" (")[0]
            for table in month.tables
            for message in stage.posts_by_bot(table.room.id)
            if message.content.startswith("Board ")
        ]
        return Counts(
            moves_written=len(written),
            counted_once=sum(times[message] == 1 for message in written),
            lost=sum(times[message] == 0 for message in written),
            doubled=sum(times[message] > 1 for message in written),
            matches_begun_again=journal.begun - len(month.tables),
            boards_missing=journal.begun + len(journal.counted) - len(set(boards)),
            boards_doubled=len(boards) - len(set(boards)),
            answers_to_bystanders=len(list(answers_to_bystanders(month))),
        )


def ours(seed: int, size: Size) -> Counts:
    """Play a month with our bot, which fails unless everything is right."""
    found, _ = script.play(seed, size)
    return Counts(moves_written=found.written, counted_once=found.written)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.month.compare")
    parser.add_argument("seeds", nargs="+", help="seeds, or ranges such as 1-20")
    logging.disable(logging.CRITICAL)
    mine, others = Counts(), Counts()
    for seed in script.seeds(parser.parse_args().seeds):
        mine.add(ours(seed, Size()))
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            others.add(runner.run(plain(seed, Size())))
    print("| | Dominium | plain bot |\n| --- | ---: | ---: |")
    for one in fields(Counts):
        name = one.name.replace("_", " ")
        print(f"| {name} | {getattr(mine, one.name)} | {getattr(others, one.name)} |")


if __name__ == "__main__":
    main()
