"""Several shards, in one process and in several that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.bot_process.cluster import Cluster, open_cluster
from tests.bot_process.house import House, calls, ends, open_house
from tests.postgres_proxy import PostgresProxy
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.process


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

    def write(self, match: str, *, direct: bool = False) -> None:
        """Type a move, in the thread or in direct messages."""
        row, now = self.row(match), self.house.now(match)
        mover = next(self.people[row.seats[seat]] for seat in now.to_act)
        move = self.house.any_move(match)
        if direct:
            mover.send(mover.dm, f"{match} {move}")
        else:
            mover.send(self.thread(match), move)

    async def move(self, match: str, *, direct: bool = False) -> None:
        """A typed move, and its board in the thread."""
        plays = len(self.house.plays(match))
        self.write(match, direct=direct)
        await self.house.server.wait_until(lambda: len(self.house.plays(match)) > plays)
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
    clubs[1].write(matches[1])
    await clubs[0].move(matches[0])
    await house.server.wait_until(lambda: len(house.plays(matches[1])) == 2)
    await clubs[1].shown(matches[1])


# --- several processes --------------------------------------------------------------------------------


@pytest.fixture
async def cluster(tmp_path: Path, empty_database: str) -> AsyncIterator[Cluster]:
    async with open_cluster(tmp_path, empty_database, "shards") as made:
        yield made


def clubs_of(cluster: Cluster) -> list[Club]:
    """A club in each shard."""
    return [Club(cluster.house, f"Club {shard}", shard, 2) for shard in range(2)]


async def test_two_processes_serve_a_shard_each(cluster: Cluster) -> None:
    clubs = clubs_of(cluster)
    matches = [await club.begin() for club in clubs]
    for _ in range(2):
        for club, match in zip(clubs, matches, strict=True):
            await club.move(match)


async def test_the_shard_of_a_killed_process_is_taken_over_and_given_back(cluster: Cluster) -> None:
    club = clubs_of(cluster)[1]
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


async def test_a_new_process_takes_over_and_what_is_written_meanwhile_is_played(cluster: Cluster) -> None:
    club, server = clubs_of(cluster)[1], cluster.house.server
    match = await club.begin()
    taking_over = asyncio.create_task(cluster.start(2, prefers=1))
    await cluster.hears(0)
    club.write(match)
    await taking_over
    await server.wait_until(lambda: len(cluster.house.plays(match)) == 1)
    await club.shown(match)
    cluster.bots[1].signal(signal.SIGTERM)
    assert await cluster.bots[1].wait() == 0
    await cluster.hears(0, 1)
    await club.move(match)


async def test_one_that_is_cut_off_from_the_database_is_replaced_until_it_is_back(
    cluster: Cluster, postgres: PostgresServer
) -> None:
    club, server = clubs_of(cluster)[1], cluster.house.server
    match = await club.begin()
    proxy = PostgresProxy(postgres.folder)
    await cluster.bots[1].kill()
    await cluster.start(1, DATABASE_URL=proxy.url(cluster.url))
    await cluster.hears(0, 1)
    await club.move(match)
    proxy.sever()
    club.write(match)
    await server.wait_until(lambda: len(cluster.house.plays(match)) == 2)
    await club.shown(match)
    await cluster.hears(0, 1)
    await club.move(match)
    proxy.mend()
    await cluster.bots[1].wait_for(lambda: cluster.bots[1].output.count("READY") > 1, "its own shard")
    await cluster.hears(0, 1)
    for _ in range(2):
        await club.move(match)
    proxy.close()


async def test_clocks_that_disagree_hold_nothing_up(cluster: Cluster) -> None:
    """One process's clock is two minutes ahead; each commits what the other sends, and tells it at once."""
    for number, ahead in ((0, "120"), (1, "0")):
        await cluster.bots[number].kill()
        await cluster.hears(0, 1)
        await cluster.start(number, DOMINIUM_TEST_AHEAD=ahead, DOMINIUM_TEST_POLL="3600")
        await cluster.hears(0, 1)
    for club in clubs_of(cluster):
        match = await club.begin()
        for _ in range(2):
            await club.move(match)
            await club.move(match, direct=True)


async def test_one_that_hangs_loses_its_shard_and_doubles_nothing_when_it_wakes(cluster: Cluster) -> None:
    club, server = clubs_of(cluster)[1], cluster.house.server
    match = await club.begin()
    cluster.bots[1].signal(signal.SIGSTOP)
    club.write(match)
    await server.wait_until(lambda: len(cluster.house.plays(match)) == 1)
    await club.shown(match)
    cluster.bots[1].signal(signal.SIGCONT)
    await cluster.hears(0, 1)
    for _ in range(3):
        await club.move(match)
