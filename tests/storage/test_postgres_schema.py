"""PostgreSQL has the schema of SQLite, step for step, and databases that can't be used are refused."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from matches.ports import StoreError
from matches.store.rows import Commit
from storage.migrations import Migration, migrate, shipped
from storage.postgres import open_postgres
from storage.rows import match_values
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby, move
from tests.storage.test_migrations import DEAD, LATER, RUNNING, waits_for_its_match

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres import connection  # noqa: E402 - needs the driver
from storage.postgres.migrations import shipped_for_postgres  # noqa: E402
from storage.postgres.store import open_database_store  # noqa: E402
from storage.postgres.target import read_target  # noqa: E402

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.slow

STEPS = shipped_for_postgres()
NEXT = Migration(len(STEPS) + 1, "more", "CREATE TABLE more (x integer);")
BROKEN = Migration(NEXT.number, "broken", f"{NEXT.sql} INSERT INTO nowhere VALUES (1);")
COLUMNS = """
SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
AND table_name NOT IN ('migrations', 'writers') ORDER BY table_name COLLATE "C", ordinal_position
"""


@pytest.fixture
def url(empty_database: str) -> str:
    return empty_database


def ask(url: str, *statements: str) -> list[Any]:
    """Rows of the last statement."""
    with psycopg.connect(**read_target(url).parameters, autocommit=True) as db:
        for statement in statements:
            done = db.execute(statement, prepare=False)
        return done.fetchall() if done.description else []


def ship(monkeypatch: pytest.MonkeyPatch, *steps: Migration) -> None:
    """Let the program come with these steps."""
    monkeypatch.setattr(connection, "shipped_for_postgres", lambda: steps)


async def opened(url: str) -> None:
    """Open and close."""
    await (await open_database_store(url, clock=FakeClock())).close()


async def refused(url: str) -> str:
    """What is said on opening."""
    with pytest.raises(StoreError) as caught:
        await opened(url)
    return str(caught.value)


def test_both_have_the_same_steps() -> None:
    assert [(one.number, one.name) for one in STEPS] == [(one.number, one.name) for one in shipped()], (
        "write each step of the schema for both databases"
    )


async def test_after_each_step_both_have_the_same_tables_and_columns(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
    for number in range(1, len(STEPS) + 1):
        migrate(here, tmp_path, shipped()[:number], 0)
        ship(monkeypatch, *STEPS[:number])
        await opened(url)
        tables = (
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        )
        expected = [
            (table, row[1])
            for (table,) in here.execute(tables).fetchall()
            if table not in ("migrations", "file_mark")
            for row in here.execute(f"PRAGMA table_info({table})")
        ]
        assert ask(url, COLUMNS) == expected, f"step {number}"
    here.close()


async def test_every_step_is_recorded_and_a_later_program_adds_its_own(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(url)
    recorded = ask(url, "SELECT number, name, sha256, applied FROM migrations ORDER BY number")
    now = int(START.timestamp() * 1000)
    assert recorded == [(one.number, one.name, one.sha256, now) for one in STEPS]
    ship(monkeypatch, *STEPS, BROKEN)
    assert "nowhere" in await refused(url)
    assert ask(url, "SELECT to_regclass('more'), max(number) FROM migrations") == [(None, len(STEPS))]
    ship(monkeypatch, *STEPS, NEXT)
    await opened(url)
    monkeypatch.undo()
    assert "written by a newer version" in await refused(url)


async def test_another_builds_database_is_refused(url: str) -> None:
    await opened(url)
    ask(url, "UPDATE migrations SET sha256 = 'other' WHERE number = 1")
    assert "set up by a different build" in await refused(url)


@pytest.mark.parametrize("theirs", ["CREATE TABLE theirs (x integer)", "CREATE TABLE migrations (x integer)"])
async def test_another_programs_tables_are_left_alone(url: str, theirs: str) -> None:
    ask(url, theirs)
    assert "another program's tables" in await refused(url)
    assert len(ask(url, COLUMNS + "LIMIT 2")) == (0 if "migrations" in theirs else 1)


async def test_a_database_of_another_encoding_is_refused(postgres: PostgresServer) -> None:
    ask(postgres.url("postgres"), "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    assert "Create one with ENCODING 'UTF8'" in await refused(postgres.url("latin"))


async def test_without_the_driver_the_command_for_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r'pip install "dominium\[postgres\]"'):
        await open_postgres("postgresql://h/d", clock=FakeClock())


@pytest.mark.parametrize(
    "statement", ["UPDATE entries SET data = 'x'", "DELETE FROM entries", "TRUNCATE entries"]
)
async def test_the_log_is_append_only(database: Callable[[], str], statement: str) -> None:
    url = database()
    store = await open_database_store(url, clock=FakeClock())
    await store.create(Commit(lobby(), START))
    await store.commit(move(lobby()))
    with pytest.raises(ValueError, match="append-only"):
        await store._database.transaction(lambda db: db.execute(statement))
    assert len(await store.log("F-001")) == 1
    await store.close()


async def test_what_earlier_programs_left_dead_is_parked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ship(monkeypatch, *STEPS[:4])
    await opened(url)
    ask(url, DEAD.replace("user,", '"user",'))
    monkeypatch.undo()
    store = await open_database_store(url, clock=FakeClock())
    assert await store.outbox_awaited() == {"F-001", "user/7"}
    await store.close()


async def test_tournaments_of_earlier_programs_wait_for_their_matches(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, *STEPS[:29])
    await opened(url)
    ask(url, RUNNING)
    monkeypatch.undo()
    store = await open_database_store(url, clock=FakeClock())
    await waits_for_its_match(store)
    await store.close()


async def test_matches_of_earlier_programs_get_what_they_lack(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, *STEPS[:1])
    await opened(url)
    old = {key: value for key, value in match_values(lobby(seats=())).items() if LATER.get(key, 0) <= 1}
    with psycopg.connect(url) as db:
        names, marks = ", ".join(old), ", ".join("%s" for _ in old)
        db.execute(f"INSERT INTO matches ({names}) VALUES ({marks})", tuple(old.values()))
    monkeypatch.undo()
    store = await open_database_store(url, clock=FakeClock())
    assert await store.match("F-001") == lobby(seats=())
    await store.close()


@pytest.mark.parametrize(
    "text", ['{"idle":3,"x":"\\u0000"}', '{"idle":3,"\\ud800":"\\\\u0000"}', '{"idle":3}']
)
async def test_days_of_idleness_are_read_from_any_settings(database: Callable[[], str], text: str) -> None:
    url = database()
    assert ask(url, f"SELECT idle_days('{text}'::json)::integer") == [(3,)]
    for none in ('{"idle":null}', '{"idle":"3"}', "{}", "[]"):
        assert ask(url, f"SELECT idle_days('{none}'::json)") == [(None,)]
