"""The same drills with PostgreSQL and the real program: upgrade, migrations that fail, rollback, restore."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from deploy.databases import schema_of
from deploy.house import House, ReleaseError, UnfinishedError
from deploy.release import restore, rollback, upgrade
from matches.store.rows import Commit
from storage import back_up, open_either
from tests.deploy.forked import ForkedHouse
from tests.deploy.test_release import NOW, installed
from tests.deploy.versions import ROOT, real
from tests.fakes import START, FakeClock
from tests.matches.world import ANN, BOB, World
from tests.storage.rows import lobby

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> Iterator[tuple[House, str, str]]:
    """A checkout whose settings name a PostgreSQL database, with a match; its URL, and the version in use.

    Each test leaves them as they were.
    """
    root, url = tmp_path_factory.mktemp("served"), postgres.database(empty=True)
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / ".env").write_text(f"DATABASE_URL={url}\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("DOMINIUM_", "DISCORD_", "DATABASE_"))]:
            patch.delenv(name)
        house = ForkedHouse(root)
        first = upgrade(house, root, real())
        assert house.journal()[-1].backup == "", "there was no database yet"
        play_on_server(url)
        yield house, url, first
    postgres.drop(url)


def play_on_server(url: str) -> None:
    """Play a match to its end."""

    async def play() -> None:
        store = await open_either(url, clock=FakeClock())
        world = World(store)
        begun = await world.match(ANN, BOB, game="focus")
        await world.play_out(begun.row.id, ANN, BOB)
        await store.close()

    asyncio.run(play())


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


def publish(url: str, public: int) -> None:
    """Change one thing of each match, as people do."""
    with connected(url) as db:
        db.execute("UPDATE matches SET public = %s", (public,))


def test_an_upgrade_with_postgresql_that_fails_changes_nothing(served: tuple[House, str, str]) -> None:
    """What fails in the rehearsal, on a copy in a file, never comes to the server."""
    house, url, first = served
    before, journal, there = rows_on_server(url), house.journal(), installed(house)
    for more, why in [
        ("CREATE NONSENSE;", "syntax error"),  # in the migration
        ("UPDATE matches SET version = version + 1;", "don't fit their rows"),  # in the check
    ]:
        with pytest.raises(ReleaseError, match=why) as failed:
            upgrade(house, house.root, real(OF_FILE, f"{MORE} {more}"))
        assert not isinstance(failed.value, UnfinishedError)
        assert house.in_use() == first
        assert {first} <= installed(house) <= there, "nothing of it is left"
        assert (rows_on_server(url), house.journal()) == (before, journal)


def test_a_migration_on_postgresql_and_back(served: tuple[House, str, str]) -> None:
    """Nothing is lost unnoticed: what would be is named, and kept when that is accepted."""
    house, url, first = served
    before = rows_on_server(url)
    second = upgrade(house, house.root, real(OF_FILE, MORE))
    assert schema_on_server(url) == NOW + 1
    backup = house.root / "data" / "backups" / f"before-{second}.sqlite3"
    assert (schema_of(backup), str(backup)) == (NOW, house.journal()[-1].backup)
    publish(url, 1)
    played = rows_on_server(url)
    with pytest.raises(ReleaseError, match="what is in 1 other rows") as refused:
        rollback(house)
    assert "--accept-loss" in str(refused.value)
    with pytest.raises(ReleaseError, match="what is in 1 other rows"):
        restore(house, backup)
    assert (house.in_use(), rows_on_server(url)) == (second, played)
    restore(house, backup, accept_loss=True)
    assert rows_on_server(url) == before
    (kept,) = (house.root / "data" / "backups").glob("undone-*.sqlite3")
    restore(house, kept, accept_loss=True)
    assert rows_on_server(url) == played
    publish(url, 0)
    assert rollback(house) == first, "nothing is lost"
    assert rows_on_server(url) == before


def test_without_a_migration_postgresql_keeps_everything(served: tuple[House, str, str]) -> None:
    """And nothing is done while a bot runs."""
    house, url, first = served
    second = upgrade(house, house.root, real())

    async def refuse() -> None:
        store = await open_either(url, clock=FakeClock())
        try:
            await store.create(Commit(lobby("F-222222"), START))
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
    after = rows_on_server(url)
    assert rollback(house) == first
    assert rows_on_server(url) == after
