"""Several shards, in one process and in several that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.clubs import Club, is_board
from tests.bot_process.cluster import Cluster, PostgresRecords, open_cluster
from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import newest, seated
from tests.bot_process.test_plans_killed import moves_of
from tests.bot_process.test_thinkers import against_computer
from tests.postgres_proxy import PostgresProxy
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.process


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "shards") as made:
        yield made


async def test_one_process_serves_several_shards(house: House) -> None:
    await house.start(SHARDS="3")
    clubs = [Club(house, f"Club {shard}", shard, 3) for shard in range(3)]
    await house.server.wait_until(lambda: house.server.gateway.hearing() == [0, 1, 2])
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
async def cluster(tmp_path: Path, ready_database: str) -> AsyncIterator[Cluster]:
    async with open_cluster(tmp_path, ready_database, "shards") as made:
        yield made


@pytest.fixture
async def told(tmp_path: Path, ready_database: str) -> AsyncIterator[Cluster]:
    """What happens there happens because a process was told, not because it looked."""
    async with open_cluster(tmp_path, ready_database, "shards", poll="3600") as made:
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
    await cluster.kill(0)
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
    await cluster.kill(1)
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


async def test_clocks_that_disagree_hold_nothing_up(tmp_path: Path, ready_database: str) -> None:
    """One process's clock is two minutes ahead; each commits what the other sends, and tells it at once."""
    async with open_cluster(tmp_path, ready_database, "shards", ahead=("120", "0"), poll="3600") as cluster:
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
    club.ann.send(
        club.thread(match), "a1-z9", mention=True
    )  # what it hears when it wakes isn't its to answer
    await server.wait_until(lambda: len(cluster.house.plays(match)) == 1)
    await club.shown(match)
    await server.wait_until(lambda: answers(club, match))
    cluster.bots[1].signal(signal.SIGCONT)
    await cluster.hears(0, 1)
    for _ in range(3):
        await club.move(match)


async def test_a_plan_that_was_made_in_direct_messages_is_played_by_the_other_process(told: Cluster) -> None:
    house = told.house
    match = await seated(house, mirrored=False)
    now, row = house.now(match), newest(house)
    move, after = next(moves_of(now, now.state))
    reply, _ = next(moves_of(now, after))
    mover = house.mover(row, now)
    planner = next(person for person in house.people.values() if person is not mover)
    await planner.slash(planner.dm, "match plan add", match=match, line=f"{move}: {reply}")
    await house.server.wait_until(lambda: house.records.ask("SELECT 1 FROM plans"))
    mover.send(house.thread(match), move)
    await house.server.wait_until(lambda: house.plays(match) == [move, reply])


async def test_a_computer_answers_a_move_that_was_made_in_direct_messages(told: Cluster) -> None:
    house = told.house
    match = await against_computer(house, "easy")
    for _ in range(2):
        played = len(house.plays(match))
        await house.server.wait_until(lambda: house.ann.id in seats_to_act(house, match))
        house.ann.send(house.ann.dm, f"{match} {house.any_move(match)}")
        await house.server.wait_until(lambda: len(house.plays(match)) >= played + 2)  # noqa: B023 - at once


def seats_to_act(house: House, match: str) -> set[int | None]:
    """Who is to act."""
    row = next(row for row in house.records.rows() if row.id == match)
    return {row.seats[seat] for seat in house.now(match).to_act}


@pytest.mark.slow
async def test_a_database_that_crashes_under_both_loses_and_doubles_nothing(
    cluster: Cluster, postgres: PostgresServer
) -> None:
    house, clubs = cluster.house, clubs_of(cluster)
    matches = [await club.begin() for club in clubs]
    for round_ in range(2):
        for club, match in zip(clubs, matches, strict=True):
            club.write(match)
        postgres.stop(signal.SIGQUIT)
        postgres.start()  # here, as a server ends with the thread that started it
        assert isinstance(house.records, PostgresRecords)
        house.records.reconnect()
        for club, match in zip(clubs, matches, strict=True):
            await played(house, match, round_ + 1)
            await club.shown(match)
    await cluster.hears(0, 1)
    for club, match in zip(clubs, matches, strict=True):
        await club.move(match)


async def played(house: House, match: str, moves: int) -> None:
    """Wait until a match has so many moves."""
    await house.server.wait_until(lambda: len(house.plays(match)) >= moves)
    assert len(house.plays(match)) == moves


def answers(club: Club, match: str) -> list[str]:
    """What the bot has answered in a thread that is no board."""
    mine = [one for one in club.house.server.messages(club.thread(match)) if one.author.bot]
    return [one.content for one in mine if not is_board(one)]
