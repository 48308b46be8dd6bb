"""Which shards a process prefers, which it serves, and for how long it may."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.platform.config import Config, ConfigError, load_config
from bot.platform.shards import Guilds, Shards
from bot.supervisor import Supervisor

POSTGRES = {"DATABASE_URL": "postgresql://localhost/dominium"}


@pytest.mark.parametrize(
    ("settings", "count", "own"),
    [
        ({}, 4, {0, 1, 2, 3}),
        ({"SHARD_IDS": "1,3"}, 4, {1, 3}),
        ({"SHARD_IDS": "0-2, 7"}, 8, {0, 1, 2, 7}),
        ({"PROCESSES": "3", "_DOMINIUM_PROCESS": "1"}, 8, {1, 4, 7}),
        ({"PROCESSES": "2", "_DOMINIUM_PROCESS": "1", "SHARD_IDS": "0,2,4,6"}, 8, {2, 6}),
        ({"PROCESSES": "4", "_DOMINIUM_PROCESS": "3"}, 2, set()),
    ],
)
def test_processes_divide_the_shards_evenly(settings: dict[str, str], count: int, own: set[int]) -> None:
    assert load_config({**POSTGRES, **settings}).own_shards(count) == own


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"SHARDS": "many"}, "SHARDS is 'many': write a whole number"),
        ({"SHARDS": "0"}, "it must lie between 1 and"),
        ({"SHARD_IDS": "3-1", **POSTGRES}, "it must lie between 3 and"),
        ({"SHARD_IDS": "0;1", **POSTGRES}, "SHARD_IDS is '0;1': write a whole number"),
        ({"PROCESSES": "2"}, "takes PostgreSQL: set DATABASE_URL"),
        ({"SHARD_IDS": "0"}, "takes PostgreSQL: set DATABASE_URL"),
    ],
)
def test_what_cant_be_is_refused(settings: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_config(settings)


def test_as_many_as_discord_recommends() -> None:
    config = load_config({"SHARDS": "auto"})
    assert (config.shards, config.is_shared) == (0, False)
    assert Config().shards == 1


def test_a_lease_runs_out_without_being_renewed() -> None:
    now = 100.0
    shards = Shards(lambda: now)

    def rights() -> tuple[bool, bool]:
        return shards.in_time, shards.leads

    assert rights() == (True, True), "one process alone has all, for ever"
    shards.begin(4, ())
    shards.renewed({1, 2}, now + 5)
    assert rights() == (True, False)
    shards.renewed({0, 1}, now + 5)
    assert rights() == (True, True)
    now = 105.0
    assert rights() == (False, False)
    now = 107.0
    assert shards.overdue == 2


def test_direct_messages_belong_to_the_first_shard() -> None:
    shards = Shards()
    shards.begin(4, {0, 2})
    assert shards.serves(None)
    assert shards.serves(6 << 22)
    assert not shards.serves(7 << 22)


class FakeClient:
    """A client that knows some servers, and can fetch others."""

    def __init__(self, known: set[int], others: set[int]) -> None:
        self.known, self.others, self.asked = known, others, 0

    def get_guild(self, guild: int) -> Any:
        return discord.Object(guild) if guild in self.known else None

    async def fetch_guild(self, guild: int, *, with_counts: bool) -> Any:
        self.asked += 1
        if guild not in self.others:
            raise discord.NotFound(NotFoundResponse(), "Unknown Guild")
        return discord.Object(guild)


class NotFoundResponse:
    """An answer of Discord's, as far as its error looks at it."""

    status, reason = 404, "Not Found"


async def test_only_the_process_that_serves_a_server_knows_that_the_bot_has_left_it() -> None:
    ours, left, others = 2 << 22, 4 << 22, 3 << 22
    client = FakeClient({ours, others}, {others})
    shards = Shards()
    shards.begin(2, {0})
    guilds = Guilds(client, shards)  # type: ignore[arg-type]
    assert guilds.get(ours) is not None
    assert guilds.has_left(left)
    assert not guilds.has_left(others)
    assert guilds.get(others) is None, "what is left of an earlier session says nothing"
    assert not guilds.has_left(None)


async def test_a_server_of_another_process_is_asked_for_once() -> None:
    ours, others, unknown = 2 << 22, 3 << 22, 5 << 22
    client = FakeClient({ours}, {others})
    shards = Shards()
    shards.begin(2, {0})
    guilds = Guilds(client, shards)  # type: ignore[arg-type]
    for _ in range(2):
        found = await guilds.find(others)
        assert found is not None
        assert found.id == others
    assert client.asked == 1
    assert await guilds.find(ours) is not None
    assert await guilds.find(unknown) is None
    assert await guilds.find(None) is None
    assert client.asked == 2


async def test_each_process_has_a_number_and_serves_its_metrics_on_a_port_of_its_own() -> None:
    supervisor = Supervisor(load_config({**POSTGRES, "PROCESSES": "3", "DOMINIUM_METRICS": "9464"}))
    made = supervisor.environment({"DISCORD_TOKEN": "x"}, 1, 7)
    assert made["DISCORD_TOKEN"] == "x"
    assert made["DOMINIUM_METRICS"] == "127.0.0.1:9466"
    child = load_config({**POSTGRES, "PROCESSES": "3", **made})
    assert (child.process, child.supervisor, child.is_shared) == (1, 7, True)
    assert "DOMINIUM_METRICS" not in Supervisor(load_config(POSTGRES)).environment({}, 0, 7)
