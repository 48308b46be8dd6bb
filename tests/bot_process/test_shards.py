"""Several shards, in one process and in several that share a PostgreSQL database."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import psycopg
import pytest
from simcord.builders import ChannelHandle

from storage.postgres.target import read_target
from tests.bot_process.house import House, Records, calls, ends, open_house
from tests.bot_process.process import Nursery

pytestmark = pytest.mark.process


class PostgresRecords(Records):
    """The same of a PostgreSQL database."""

    def __init__(self, url: str) -> None:
        self._db = psycopg.connect(**read_target(url).parameters, autocommit=True)

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        text = re.sub(r"\buser\b", '"user"', query).replace("?", "%s")
        return self._db.execute(text, values).fetchall()

    def close(self) -> None:
        self._db.close()


class Club:
    """A server of a shard, with two people."""

    def __init__(self, house: House, name: str, shard: int, count: int) -> None:
        self.house = house
        self.guild = house.server.create_guild(name, shard=(shard, count))
        self.room = self.guild.create_text_channel("games")
        self.ann, self.ben = (house.server.create_person(f"{name} {who}", self.guild) for who in "AB")
        self.people = {person.id: person for person in (self.ann, self.ben)}

    async def begin(self) -> str:
        """Start a match; its id and thread."""
        house = self.house
        await self.ann.slash(self.room, "play", answered=False, game="focus", players=2)
        lobby = await house.server.wait_for_message(self.room, lambda message: bool(calls(message)))
        match = calls(lobby)[0][1]
        await self.ben.click(lobby, f"domb:join:{match}:-1")
        lobby = await house.server.wait_for_message(self.room, may_start)
        await self.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
        await house.server.wait_until(lambda: self.row(match).status == "live" and self.row(match).thread)
        await house.server.wait_for_message(self.thread(match), is_board)
        return match

    def row(self, match: str) -> Any:
        return next(row for row in self.house.records.rows() if row.id == match)

    def thread(self, match: str) -> ChannelHandle:
        (thread,) = [one for one in self.house.server.threads(self.room) if one.id == self.row(match).thread]
        return thread

    async def move(self, match: str) -> None:
        """A typed move, and its board."""
        house, plays = self.house, len(self.house.plays(match))
        row, now = self.row(match), house.now(match)
        mover = next(self.people[row.seats[seat]] for seat in now.to_act)
        mover.send(self.thread(match), house.any_move(match))
        await house.server.wait_until(lambda: len(house.plays(match)) > plays)
        await self.shown(match)

    async def shown(self, match: str) -> None:
        """Wait until the board of the newest move is there; each move has one."""
        house, thread = self.house, self.thread(match)
        wanted = ends(house.records.entries(match))
        await house.server.wait_until(lambda: boards(house, thread)[-1:] == wanted[-1:])
        assert boards(house, thread) == wanted


def may_start(message: discord.Message) -> bool:
    """Whether a message is a lobby whose match can begin."""
    buttons = [child for row in message.components for child in getattr(row, "children", ())]
    return any(":start:" in str(one.custom_id) and not one.disabled for one in buttons)


def is_board(message: discord.Message) -> bool:
    return bool(calls(message)) and calls(message)[0][0] == "moves"


def boards(house: House, thread: ChannelHandle) -> list[int]:
    """The entries that the boards in a thread show."""
    return [call[2] for one in house.server.messages(thread) for call in calls(one)[:1] if call[0] == "moves"]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "shards") as made:
        yield made


async def test_one_process_serves_several_shards(house: House) -> None:
    await house.start(SHARDS="3")
    clubs = [Club(house, f"Club {shard}", shard, 3) for shard in range(3)]
    assert house.server.gateway.hearing() == [0, 1, 2]
    matches = [await club.begin() for club in clubs]
    for club, match in zip(clubs, matches, strict=True):
        await club.move(match)
    house.server.gateway.drop_shard(1, resume=False)
    await house.server.wait_until(lambda: house.server.gateway.hearing() == [0, 2])
    row = clubs[1].row(matches[1])
    mover = next(clubs[1].people[row.seats[seat]] for seat in house.now(matches[1]).to_act)
    mover.send(clubs[1].thread(matches[1]), house.any_move(matches[1]))
    await clubs[0].move(matches[0])
    await house.server.wait_until(lambda: len(house.plays(matches[1])) == 2)
    await clubs[1].shown(matches[1])


# --- several processes --------------------------------------------------------------------------------


class Cluster:
    """Two processes of a bot with two shards, and a club in each."""

    def __init__(self, house: House, url: str, bots: tuple[Nursery, Nursery]) -> None:
        self.house = house
        self.bots = bots
        self._url = url
        self._launches = 0
        self.clubs = tuple(Club(house, f"Club {shard}", shard, 2) for shard in range(2))

    async def start(self, number: int, **settings: str) -> None:
        """Start the process that prefers the shard of its number."""
        self._launches += 1
        house = self.house
        await self.bots[number].start(
            {
                "DISCORD_TOKEN": house.server.token,
                "DATABASE_URL": self._url,
                "SHARDS": "2",
                "SHARD_IDS": str(number),
                "DOMINIUM_DISCORD_API": house.server.url,
                "DOMINIUM_MESSAGE_CONTENT": "yes",
                "DOMINIUM_TEST_SEED": f"{house.seed}/{self._launches}",
                "DOMINIUM_TEST_LEASE": "1.5",
                "DOMINIUM_TEST_POLL": "0.1",
                **settings,
            }
        )

    async def hears(self, *shards: int) -> None:
        """Wait until these shards have a session each, and no others."""
        await self.house.server.wait_until(lambda: self.house.server.gateway.hearing() == list(shards))


@pytest.fixture
async def cluster(house: House, empty_database: str) -> AsyncIterator[Cluster]:
    async with Nursery(house.server) as second:
        made = Cluster(house, empty_database, (house.bots, second))
        await made.start(0)
        house.records = PostgresRecords(empty_database)
        await made.start(1)
        await made.hears(0, 1)
        yield made
        house.records.close()


async def test_two_processes_serve_a_shard_each(cluster: Cluster) -> None:
    matches = [await club.begin() for club in cluster.clubs]
    for _ in range(2):
        for club, match in zip(cluster.clubs, matches, strict=True):
            await club.move(match)


async def test_the_shard_of_a_killed_process_is_taken_over_and_given_back(cluster: Cluster) -> None:
    club = cluster.clubs[1]
    match = await club.begin()
    await cluster.bots[1].kill()
    await cluster.hears(0, 1)
    await club.move(match)
    await cluster.start(1)
    await cluster.hears(0, 1)
    await club.move(match)
    await cluster.bots[0].kill()
    await cluster.hears(0, 1)
    await club.move(match)
