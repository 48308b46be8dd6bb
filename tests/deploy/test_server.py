"""The same drills with PostgreSQL and the real program: upgrade, migrations that fail, rollback, restore."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from deploy.databases import schema_of
from deploy.house import House, ReleaseError, UnfinishedError
from deploy.release import restore, rollback, upgrade
from matches.store.rows import Commit
from storage import back_up, open_either
from tests.deploy.test_release import NOW, installed
from tests.deploy.versions import ROOT, real
from tests.fakes import START, FakeClock
from tests.matches.world import ANN, BOB, World
from tests.storage.rows import lobby

pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

pytestmark = pytest.mark.slow


@pytest.fixture
def served(tmp_path: Path, empty_database: str, monkeypatch: pytest.MonkeyPatch) -> tuple[House, str, str]:
    """A checkout whose settings name a PostgreSQL database, with a match; its URL, and the version in use."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / ".env").write_text(f"DATABASE_URL={empty_database}\n")
    for name in [name for name in os.environ if name.startswith(("DOMINIUM_", "DISCORD_", "DATABASE_"))]:
        monkeypatch.delenv(name)
    house = House(tmp_path)
    first = upgrade(house, tmp_path, real())
    assert house.journal()[-1].backup == "", "there was no database yet"
    play_on_server(empty_database)
    return house, empty_database, first


def play_on_server(url: str) -> None:
    """Play a match to its end."""

    async def play() -> None:
        store = await open_either(url, clock=FakeClock())
        world = World(store)
        begun = await world.match(ANN, BOB, game="focus")
        await world.play_out(begun.row.id, ANN, BOB)
        await store.close()

    asyncio.run(play())


def begin_on_server(url: str) -> None:
    """Open one more lobby."""

    async def begin() -> None:
        store = await open_either(url, clock=FakeClock())
        await store.create(Commit(lobby("F-222222"), START))
        await store.close()

    asyncio.run(begin())


def connected(url: str) -> Any:
    """A connection without the lease."""
    from storage.postgres.sessions import plain
    from storage.postgres.target import read_target

    return plain(read_target(url))


def schema_on_server(url: str) -> int:
    with connected(url) as db:
        return int(db.execute("SELECT max(number) FROM migrations").fetchone()[0])


def rows_on_server(url: str) -> list[object]:
    """All rows of what people made, and the steps of the schema."""
    with connected(url) as db:
        tables = ("matches", "seats", "entries", "outbox", "migrations")
        return [sorted(map(repr, db.execute(f"SELECT * FROM {table}"))) for table in tables]


MORE = "ALTER TABLE matches ADD COLUMN more bigint;"
OF_FILE = "ALTER TABLE matches ADD COLUMN more INTEGER;"


def test_an_upgrade_with_postgresql_and_back(served: tuple[House, str, str]) -> None:
    house, url, first = served
    before = rows_on_server(url)
    second = upgrade(house, house.root, real(OF_FILE, MORE))
    assert schema_on_server(url) == NOW + 1
    (backup,) = (house.root / "data" / "backups").glob("before-*.sqlite3")
    assert (schema_of(backup), str(backup)) == (NOW, house.journal()[-1].backup)
    restore(house, backup, drill=True)
    assert schema_on_server(url) == NOW + 1
    assert rollback(house) == first
    assert rows_on_server(url) == before
    third = upgrade(house, house.root, real())
    begin_on_server(url)
    after = rows_on_server(url)
    assert rollback(house) == first
    assert rows_on_server(url) == after, "without a migration nothing is lost"
    assert second != third


def test_a_rollback_with_postgresql_says_what_is_lost_and_keeps_it(served: tuple[House, str, str]) -> None:
    house, url, first = served
    before = rows_on_server(url)
    second = upgrade(house, house.root, real(OF_FILE, MORE))
    (backup,) = (house.root / "data" / "backups").glob("before-*.sqlite3")
    with connected(url) as db:
        db.execute("UPDATE matches SET public = 1")
    played = rows_on_server(url)
    with pytest.raises(ReleaseError, match="what is in 1 other rows") as refused:
        rollback(house)
    assert "--accept-loss" in str(refused.value)
    assert (house.in_use(), rows_on_server(url)) == (second, played)
    with pytest.raises(ReleaseError, match="what is in 1 other rows"):
        restore(house, backup)
    assert rollback(house, accept_loss=True) == first
    assert rows_on_server(url) == before
    (kept,) = (house.root / "data" / "backups").glob("undone-*.sqlite3")
    upgrade(house, house.root, real(OF_FILE, MORE))
    restore(house, kept, accept_loss=True)
    assert rows_on_server(url)[:2] == played[:2]


def test_an_upgrade_with_postgresql_that_fails_changes_nothing(served: tuple[House, str, str]) -> None:
    house, url, first = served
    before, journal = rows_on_server(url), house.journal()
    for of_file, of_server, why in [
        ("CREATE NONSENSE;", MORE, "syntax error"),  # in the rehearsal
        (OF_FILE, f"{MORE} CREATE NONSENSE;", "syntax error"),  # in the migration
        (
            OF_FILE,
            f"{MORE} UPDATE matches SET version = version + 1;",
            "don't fit their rows",
        ),  # in the check
    ]:
        with pytest.raises(ReleaseError, match=why) as failed:
            upgrade(house, house.root, real(of_file, of_server))
        assert not isinstance(failed.value, UnfinishedError)
        assert (house.in_use(), installed(house)) == (first, {first})
        assert (rows_on_server(url), house.journal()) == (before, journal)


def test_nothing_is_done_with_postgresql_while_a_bot_runs(served: tuple[House, str, str]) -> None:
    house, url, first = served
    second = upgrade(house, house.root, real())

    async def refuse() -> None:
        store = await open_either(url, clock=FakeClock())
        try:
            backup = house.root / "backup.sqlite3"
            await asyncio.to_thread(back_up, url, backup)
            for change in (
                lambda: upgrade(house, house.root, real()),
                lambda: rollback(house),
                lambda: restore(house, backup),
            ):
                with pytest.raises(ReleaseError, match=r"A bot is running \(dominium \d+ on"):
                    await asyncio.to_thread(change)
        finally:
            await store.close()

    asyncio.run(refuse())
    assert house.in_use() == second
    assert rollback(house) == first
