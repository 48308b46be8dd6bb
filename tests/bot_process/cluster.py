"""Two processes of the bot on one PostgreSQL database, a shard each; both are killed and started by tests."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg

from storage.postgres.sessions import CHANNEL
from storage.postgres.target import read_target
from tests.bot_process.house import House, Records, open_house
from tests.bot_process.process import Nursery

_END_LEASES = """
UPDATE shards SET until = clock_timestamp() - interval '1 s'
WHERE holder IN (SELECT id FROM processes WHERE name = ?)
"""
_TELL = f"SELECT pg_notify('{CHANNEL}', '0/shards:')"


class PostgresRecords(Records):
    """The same of a PostgreSQL database."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._db = psycopg.connect(**read_target(url).parameters, autocommit=True)

    def reconnect(self) -> None:
        """Connect once more, after the server's end."""
        self._db.close()
        self._db = psycopg.connect(**read_target(self._url).parameters, autocommit=True)

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        text = re.sub(r"\buser\b", '"user"', query).replace("?", "%s")
        return self._db.execute(text, values).fetchall()

    def change(self, statement: str, *values: object) -> None:
        """Change rows behind the bots' back."""
        self._db.execute(statement.replace("?", "%s"), values)

    def close(self) -> None:
        self._db.close()


class Cluster:
    """A house in shard 1, and two processes: each prefers the shard of its number."""

    def __init__(self, house: House, url: str, bots: tuple[Nursery, ...]) -> None:
        self.house = house
        self.bots = bots
        self.url = url
        self._launches = 0

    async def start(
        self, number: int, kill: str = "nothing", *, prefers: int | None = None, **settings: str
    ) -> None:
        """Start a process that prefers the shard of its number, or another."""
        self._launches += 1
        house = self.house
        await self.bots[number].start(
            {
                "DISCORD_TOKEN": house.server.token,
                "DATABASE_URL": self.url,
                "SHARDS": "2",
                "SHARD_IDS": str(number if prefers is None else prefers),
                "DOMINIUM_DISCORD_API": house.server.url,
                "DOMINIUM_MESSAGE_CONTENT": "yes",
                "DOMINIUM_TEST_SEED": f"{house.seed}/{self._launches}",
                "DOMINIUM_TEST_KILL": kill,
                "DOMINIUM_TEST_LEASE": "1.5",
                "DOMINIUM_TEST_POLL": "0.1",
                **settings,
            }
        )

    async def kill(self, number: int) -> None:
        """Kill a process, whose shards the others may take at once."""
        gateway = self.house.server.gateway
        before = gateway.hearing()
        await self.bots[number].kill()
        await self.house.server.wait_until(lambda: not before or gateway.hearing() != before)
        self.end_leases(number)

    def end_leases(self, number: int) -> None:
        """Let the leases of a dead process run out, as they would in time."""
        assert isinstance(self.house.records, PostgresRecords)
        self.house.records.change(_END_LEASES, f"process {self.bots[number].pid}")
        self.house.records.change(_TELL)

    async def hears(self, *shards: int) -> None:
        """Wait until these shards have a session each, and no others."""
        await self.house.server.wait_until(lambda: self.house.server.gateway.hearing() == list(shards))


@contextlib.asynccontextmanager
async def open_cluster(
    path: Path, url: str, seed: str, *, ahead: tuple[str, str] = ("0", "0"), poll: str = "0.1"
) -> AsyncIterator[Cluster]:
    """Both processes have begun; there is room for a third.

    `ahead` are the seconds by which their clocks are ahead, `poll` those between their looks for what is due.
    """
    async with open_house(path, seed, shard=(1, 2)) as house, contextlib.AsyncExitStack() as stack:
        others = [await stack.enter_async_context(Nursery(house.server)) for _ in range(2)]
        cluster = Cluster(house, url, (others[0], house.bots, others[1]))
        await cluster.start(0, DOMINIUM_TEST_AHEAD=ahead[0], DOMINIUM_TEST_POLL=poll)
        with contextlib.closing(PostgresRecords(url)) as house.records:
            await cluster.start(1, DOMINIUM_TEST_AHEAD=ahead[1], DOMINIUM_TEST_POLL=poll)
            await cluster.hears(0, 1)
            yield cluster
