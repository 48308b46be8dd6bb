"""Connections are cut, servers crash, transactions collide: a change happens exactly once, or is refused."""

# ruff: noqa: ASYNC110 - what is awaited happens in another thread or process
from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from matches.ports import RepeatedError, StaleError, StoreError, StoreUnavailableError
from matches.store.rows import Commit
from tests.fakes import START, FakeClock
from tests.patience import PATIENCE
from tests.storage.rows import draft, lobby, move

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres import connection, sessions  # noqa: E402 - needs the driver
from storage.postgres.errors import ends_connection, explain  # noqa: E402
from storage.postgres.store import PostgresStore, open_database_store  # noqa: E402
from storage.postgres.target import read_target  # noqa: E402
from tests.postgres_proxy import Moment, PostgresProxy  # noqa: E402

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.slow

COMMIT = "COMMIT\0"
"""As it is sent; READ COMMITTED has no end there."""

LATER = START + timedelta(hours=1)


@pytest.fixture
def url(database: Callable[[], str]) -> str:
    return database()


@pytest.fixture
def proxy(postgres: PostgresServer, url: str) -> Iterator[PostgresProxy]:
    made = PostgresProxy(postgres.folder)
    yield made
    made.close()


@pytest.fixture
async def store(url: str, proxy: PostgresProxy) -> AsyncIterator[PostgresStore]:
    opened = await open_database_store(proxy.url(url), clock=FakeClock())
    yield opened
    await opened.close()


Hasty = Callable[[], contextlib.AbstractContextManager[None]]


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> Hasty:
    """Let the store wait as long as a slow machine needs; return within what it doesn't, as nothing comes."""
    monkeypatch.setattr(connection, "PATIENCE", PATIENCE)
    monkeypatch.setattr(sessions, "LEASE_PATIENCE", PATIENCE)

    @contextlib.contextmanager
    def waits_for_nothing() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr(connection, "PATIENCE", 0.2)
            patch.setattr(sessions, "LEASE_PATIENCE", 0.2)
            yield

    return waits_for_nothing


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("words", ["BEGIN ISOLATION", "INSERT INTO entries", COMMIT])
async def test_a_change_whose_connection_is_cut_happens_once(
    store: PostgresStore, proxy: PostgresProxy, words: str, moment: Moment
) -> None:
    row = lobby()
    await store.create(Commit(row, START))
    change = move(row, "r1")
    proxy.cut(words, moment)
    await store.commit(change)
    assert proxy.cuts == 1
    assert await store.match(row.id) == change.row
    assert await store.log(row.id) == change.entries
    assert len(await store.outbox_pending()) == 1
    with pytest.raises(RepeatedError):
        await store.commit(change)


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_what_is_not_a_request_happens_once_too(
    store: PostgresStore, proxy: PostgresProxy, moment: Moment
) -> None:
    proxy.cut(COMMIT, moment)
    number = await store.outbox_add(draft(), START)
    proxy.cut(COMMIT, moment)
    await store.outbox_retry(number, LATER, "busy")
    (row,) = await store.outbox_pending()
    assert (row.id, row.tries, proxy.cuts) == (number, 1, 2)


async def test_a_question_whose_connection_is_cut_is_asked_again(
    store: PostgresStore, proxy: PostgresProxy
) -> None:
    await store.create(Commit(lobby(), START))
    proxy.cut("FROM matches", "before", times=3)
    assert await store.match("F-001") == lobby()
    assert proxy.cuts == 3


async def test_where_nothing_gets_through_the_caller_is_told_and_nothing_is_half(
    store: PostgresStore, proxy: PostgresProxy, hasty: Hasty
) -> None:
    await store.create(Commit(lobby(), START))
    proxy.cut("INSERT INTO entries", "before", times=1000)
    with hasty(), pytest.raises(StoreUnavailableError, match=r"connection .* was lost"):
        await store.commit(move(lobby(), "r1"))
    proxy.cut("", "before", times=0)
    assert await store.match("F-001") == lobby()
    await store.commit(move(lobby(), "r1"))
    assert len(await store.log("F-001")) == 1


async def test_a_commit_of_which_nothing_is_known_says_so(
    store: PostgresStore, proxy: PostgresProxy, monkeypatch: pytest.MonkeyPatch, hasty: Hasty
) -> None:
    monkeypatch.setattr(connection, "outcome", lambda db, lost, mark: None)
    proxy.cut(COMMIT, "after")
    with hasty(), pytest.raises(StoreUnavailableError, match="isn't known yet"):
        await store.create(Commit(lobby(), START, request="r1"))
    with pytest.raises(RepeatedError):
        await store.create(Commit(lobby(), START, request="r1"))


async def test_a_transaction_is_not_taken_for_another_that_got_its_number_after_a_crash(
    postgres: PostgresServer,
    url: str,
    store: PostgresStore,
    proxy: PostgresProxy,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, crashed = threading.Event(), threading.Event()

    def after_the_crash(db: Any, lost: Any, mark: int) -> bool | None:
        asked.set()
        assert crashed.wait(PATIENCE)
        return sessions.outcome(db, lost, mark)

    await store.create(Commit(lobby(), START))
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("CHECKPOINT")  # no number below is on the disk
    monkeypatch.setattr(connection, "outcome", after_the_crash)
    proxy.cut(COMMIT, "before")
    moving = asyncio.create_task(store.commit(move(lobby(), "r1")))
    assert await asyncio.to_thread(asked.wait, 30)
    postgres.stop(signal.SIGQUIT)
    postgres.start()
    with psycopg.connect(url, autocommit=True) as other:
        for _ in range(20):
            other.execute("SELECT pg_current_xact_id()")
    crashed.set()
    await moving
    assert await store.match("F-001") == move(lobby(), "r1").row
    assert len(await store.log("F-001")) == 1


@pytest.mark.parametrize(
    ("reported", "ends"),
    [
        (psycopg.OperationalError("cannot exit pipeline mode while busy"), True),
        (psycopg.InterfaceError("as reported"), False),
        (psycopg.errors.ReadOnlySqlTransaction("as reported"), True),
        (psycopg.errors.UniqueViolation("as reported"), False),
        (psycopg.errors.QueryCanceled("as reported"), False),
    ],
)
def test_a_connection_of_which_nothing_is_known_is_not_used_again(reported: Any, ends: bool) -> None:
    assert ends_connection(reported) is ends


async def test_a_connection_that_the_server_ends_is_known_by_its_words(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as one, psycopg.connect(url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", (one.info.backend_pid,))
        with pytest.raises(psycopg.errors.AdminShutdown) as caught:
            one.execute("SELECT 1")
    assert ends_connection(caught.value)


async def test_the_rows_of_connections_that_ended_long_ago_are_removed(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("INSERT INTO writers VALUES (1, 1, now() - interval '2 days'), (2, 2, now())")
        await (await open_database_store(url, clock=FakeClock())).close()
        assert other.execute("SELECT id FROM writers").fetchall() == [(2,)]


async def test_a_server_that_crashes_loses_nothing_and_repeats_nothing(
    postgres: PostgresServer, url: str
) -> None:
    store = await open_database_store(url, clock=FakeClock())
    rows = [lobby(f"F-{number}") for number in range(8)]
    for row in rows:
        await store.create(Commit(row, START))

    async def play(number: int) -> None:
        for turn in range(30):
            change = move(rows[number], f"{number}/{turn}")
            await store.commit(change)
            rows[number] = change.row

    playing = [asyncio.create_task(play(number)) for number in range(8)]
    for turns in (5, 15):
        while not any(row.version > turns for row in rows):
            await asyncio.sleep(0)
        # Here, as a server ends with the thread that started it. The store's own threads go on meanwhile.
        postgres.stop(signal.SIGQUIT)
        postgres.start()
    await asyncio.gather(*playing)
    for row in rows:
        assert await store.match(row.id) == row
        assert [one.entry.seq for one in await store.log(row.id)] == list(range(30))
    assert len(await store.outbox_pending()) == 240
    await store.close()


async def test_a_server_that_is_down_is_named_and_found_again(
    postgres: PostgresServer, url: str, hasty: Hasty
) -> None:
    store = await open_database_store(url, clock=FakeClock())
    await store.create(Commit(lobby(), START))
    postgres.stop()
    with hasty(), pytest.raises(StoreUnavailableError, match="can't be reached"):
        await store.match("F-001")
    with hasty(), pytest.raises(StoreUnavailableError, match="can't be reached"):
        await open_database_store(url, clock=FakeClock())
    postgres.start()
    assert await store.match("F-001") == lobby()
    await store.close()


async def test_a_read_only_server_is_told_apart_and_written_to_once_it_can_be(
    store: PostgresStore, url: str, hasty: Hasty
) -> None:
    await store.create(Commit(lobby(), START))
    with psycopg.connect(url, autocommit=True) as admin:
        name = read_target(url).parameters["dbname"]
        admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        others = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = %s AND pid <> pg_backend_pid()"
        )
        admin.execute(others, (name,))
        with hasty(), pytest.raises(StoreUnavailableError, match="is read-only"):
            await store.commit(move(lobby(), "r1"))
        assert await store.match("F-001") == lobby()
        admin.execute("SET default_transaction_read_only = off")
        admin.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        await store.commit(move(lobby(), "r1"))


async def test_the_same_request_for_twenty_matches_is_served_once(store: PostgresStore) -> None:
    done = await asyncio.gather(
        *(store.create(Commit(lobby(f"F-{n}"), START, (), (draft(),), "r")) for n in range(20)),
        return_exceptions=True,
    )
    assert done.count(None) == 1
    assert sum(isinstance(one, RepeatedError) for one in done) == 19
    assert len(await store.by_status("lobby")) == len(await store.outbox_pending()) == 1


async def test_of_twenty_that_open_one_match_the_others_are_stale(store: PostgresStore) -> None:
    done = await asyncio.gather(
        *(store.create(Commit(lobby(host=n), START)) for n in range(20)), return_exceptions=True
    )
    assert done.count(None) == 1
    assert sum(isinstance(one, StaleError) for one in done) == 19


@pytest.mark.parametrize("code", ["40001", "40P01"])
async def test_what_collides_is_begun_again_whole(store: PostgresStore, code: str) -> None:
    tries: list[int] = []

    def work(db: Any) -> int:
        db.execute("INSERT INTO seen (channel, message) VALUES (1, 1)")
        tries.append(1)
        if len(tries) < 3:
            db.execute(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$")
        return len(tries)

    assert await store._database.transaction(work) == 3
    assert await store._database.fetch_all("SELECT message FROM seen") == [(1,)]


async def test_a_cancelled_change_is_over_before_the_task_is(store: PostgresStore, url: str) -> None:
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE outbox IN EXCLUSIVE MODE")
        adding = asyncio.create_task(store.outbox_add(draft(), START))
        waits = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        while not other.execute(waits).fetchone()[0]:
            await asyncio.sleep(0)
        adding.cancel()
        await asyncio.sleep(0)
        assert not adding.done()
        other.commit()
    with pytest.raises(asyncio.CancelledError):
        await adding
    assert len(await store.outbox_pending()) == 1


async def test_a_second_bot_is_refused_while_any_connection_of_the_first_lives(
    url: str, hasty: Hasty
) -> None:
    first = await open_database_store(url, clock=FakeClock())
    with hasty(), pytest.raises(StoreUnavailableError, match=r"in use by dominium .* Stop it first"):
        await open_database_store(url, clock=FakeClock())
    await asyncio.gather(*(first.match("F-001") for _ in range(8)))
    held = first._database._idle
    while len(held) > 1:
        held.pop(0).close()
    with hasty(), pytest.raises(StoreUnavailableError, match="in use by"):
        await open_database_store(url, clock=FakeClock())
    held.pop().close()
    second = await open_database_store(url, clock=FakeClock())
    with hasty(), pytest.raises(StoreUnavailableError, match="in use by"):
        await first.create(Commit(lobby(), START))
    await second.close()
    await first.create(Commit(lobby(), START))
    await first.close()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (psycopg.errors.DiskFull, StoreUnavailableError),
        (psycopg.errors.OutOfMemory, StoreUnavailableError),
        (psycopg.errors.TooManyConnections, StoreUnavailableError),
        (psycopg.errors.QueryCanceled, StoreUnavailableError),
        (psycopg.errors.LockNotAvailable, StoreUnavailableError),
        (psycopg.errors.AdminShutdown, StoreUnavailableError),
        (psycopg.OperationalError, StoreUnavailableError),
        (psycopg.errors.DataCorrupted, StoreError),
        (psycopg.errors.InsufficientPrivilege, StoreError),
        (psycopg.errors.UndefinedTable, StoreError),
        (psycopg.errors.CheckViolation, ValueError),
        (psycopg.errors.NumericValueOutOfRange, ValueError),
        (psycopg.errors.ForeignKeyViolation, LookupError),
    ],
)
def test_what_may_pass_is_told_apart_from_what_must_be_set_right(
    error: type[Any], kind: type[Exception]
) -> None:
    assert type(explain("the database x", error("as reported"))) is kind


@pytest.mark.parametrize("url", ["postgresql://a:hush hush@h/d", "postgresql://a:hush@h/d?x=1", "postgres"])
async def test_a_url_that_cannot_be_read_is_not_repeated(url: str) -> None:
    with pytest.raises(StoreError, match="DATABASE_URL can't be read") as caught:
        await open_database_store(url, clock=FakeClock())
    assert "hush" not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_a_password_is_in_no_error_and_no_name(url: str, tmp_path: Path, hasty: Hasty) -> None:
    nowhere = f"postgresql://ann:hush@/nothing?host={tmp_path}"
    with hasty(), pytest.raises(StoreUnavailableError, match="can't be reached") as caught:
        await open_database_store(nowhere, clock=FakeClock())
    assert "hush" not in f"{caught.value}{caught.value.__cause__!r}{read_target(nowhere)!r}"
    store = await open_database_store(url.replace("postgres@", "postgres:hush@"), clock=FakeClock())
    assert "hush" not in f"{store!r}{vars(store._database)!r}"
    await store.close()
    with pytest.raises(StoreError, match="no such database") as missing:
        await open_database_store(url.replace("/test_", "/nothing_"), clock=FakeClock())
    assert not isinstance(missing.value, StoreUnavailableError)


async def test_a_value_that_is_refused_is_not_shown(store: PostgresStore) -> None:
    with pytest.raises(ValueError, match="not allowed") as caught:
        await store.create(Commit(replace(lobby(), secret="hush\0"), START))
    assert "hush" not in str(caught.value)
    assert await store.match("F-001") is None
