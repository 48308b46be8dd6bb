"""`dominium servers` lists the bot's servers by use, and leaves one, beside a running bot."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from matches.store.rows import Commit, Place
from matches.store.servers import ServerUse
from storage import open_store, read_server_use
from storage.postgres import open_postgres
from tests.cli.conftest import Run
from tests.cli.test_discord import TOKEN, FakeDiscord, discord
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby

__all__ = ["discord"]
DAY = timedelta(days=1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Server 7 has two live matches, 8 an old one, and 9 was left."""

    async def make() -> None:
        store = await open_store(path, clock=FakeClock())
        for n, (guild, status) in enumerate(((8, "over"), (7, "live"), (7, "live"), (9, "live"))):
            row = lobby(f"M-{n}", status=status, place=Place(guild, 50))
            at = START + n * DAY
            await store.create(Commit(replace(row, created=at, updated=at), START))
        await store.close()

    path = tmp_path / "store.sqlite3"
    asyncio.run(make())
    return path


@pytest.fixture
def env(discord: FakeDiscord, file: Path) -> dict[str, str]:
    discord.answers["/api/v10/users/@me/guilds"] = (
        200,
        [
            {"id": "6", "name": "Quiet", "approximate_member_count": 3},
            {"id": "8", "name": "Once", "approximate_member_count": 20},
            {"id": "7", "name": "Club\n\u202e", "approximate_member_count": 1500},
        ],
    )
    discord.answers["/api/v10/guilds/6"] = (200, {"id": "6", "name": "Quiet"})
    discord.answers["/api/v10/guilds/7"] = (200, {"id": "7", "name": "Club"})
    discord.answers["/api/v10/users/@me/guilds/7"] = (204, None)
    api = f"http://127.0.0.1:{discord.server_port}"
    return {
        "DISCORD_TOKEN": TOKEN,
        "DOMINIUM_DISCORD_API": api,
        "DOMINIUM_DATA": str(file),
        "DATABASE_URL": "",
    }


def test_they_are_listed_by_use(run: Run, env: dict[str, str]) -> None:
    lines = run("servers", env=env).output.splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        f"7 2 live {START + DAY:%Y-%m-%d} to {START + 2 * DAY:%Y-%m-%d} 1,500 members Club",
        f"8 0 live {START:%Y-%m-%d} to {START:%Y-%m-%d} 20 members Once",
        "6 0 live never 3 members Quiet",
    ]
    assert run("servers", "list", env=env).output.splitlines() == lines
    rows = [json.loads(line) for line in run("servers", "list", "--json", env=env).output.splitlines()]
    assert [(row["id"], row["live"], row["members"], row["latest"]) for row in rows] == [
        (7, 2, 1500, (START + 2 * DAY).isoformat()),
        (8, 0, 20, START.isoformat()),
        (6, 0, 3, None),
    ]


@pytest.mark.parametrize("known", [{"DISCORD_TOKEN": ""}, {"DOMINIUM_DISCORD_API": "http://127.0.0.1:1"}])
def test_without_discord_the_store_is_told(run: Run, env: dict[str, str], known: dict[str, str]) -> None:
    done = run("servers", "list", env=env | known)
    assert done.exit_code == 0
    assert "names, members and servers without matches are unknown" in done.output
    assert [line.split()[0] for line in done.output.splitlines() if " live " in line] == ["7", "9", "8"]
    assert "canary" not in done.output


async def test_it_works_beside_a_running_bot(run: Run, env: dict[str, str], file: Path) -> None:
    store = await open_store(file, clock=FakeClock())
    try:
        done = await asyncio.to_thread(run, "servers", env=env)
    finally:
        await store.close()
    assert len(done.output.splitlines()) == 3


def test_one_is_left_after_a_question(run: Run, env: dict[str, str], discord: FakeDiscord) -> None:
    asked = run("servers", "leave", "7", env=env)
    assert asked.exit_code == 1
    assert "Leave Club, where 2 matches are in progress?" in asked.output
    assert "Leave Quiet, where 0 matches are" in run("servers", "leave", "6", env=env).output
    assert discord.deleted == []
    assert run("servers", "leave", "7", "--yes", env=env).output == "left\n"
    assert discord.deleted == ["/api/v10/users/@me/guilds/7"]


@pytest.mark.parametrize(
    ("number", "changed", "said"),
    [
        ("99", {}, "isn't in the server 99"),
        ("7", {"DISCORD_TOKEN": ""}, "needs DISCORD_TOKEN"),
        ("7", {"DOMINIUM_DISCORD_API": "http://127.0.0.1:1"}, "can't be reached"),
        ("seven", {}, "not a valid integer"),
    ],
)
def test_what_cannot_be_left_is_explained(
    run: Run, env: dict[str, str], number: str, changed: dict[str, str], said: str
) -> None:
    done = run("servers", "leave", number, "--yes", env=env | changed)
    assert done.exit_code == 2
    assert said in done.output
    assert "canary" not in done.output


@pytest.mark.slow
async def test_a_database_with_a_server_is_read_as_well(ready_database: str) -> None:
    store = await open_postgres(ready_database, clock=FakeClock())
    try:
        await store.create(Commit(lobby("M-1", status="live", place=Place(7, 50)), START))
        found = await asyncio.to_thread(read_server_use, ready_database)
        assert found == await store.server_use()
        assert [(one.guild, one.live) for one in found] == [(7, 1)]
        assert isinstance(found[0], ServerUse)
    finally:
        await store.close()
