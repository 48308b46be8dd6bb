"""No method of the file's store does more because there are more matches of others.

Which index answers a question is SQLite's to decide, and differs between its releases. So the steps of
its virtual machine are counted in a database and in one that is four times as large: what reads a whole
table takes four times as many.
"""

from __future__ import annotations

import contextlib
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from matches.store.archive import ArchiveQuery
from storage import open_store, read_finished
from storage.rows import to_ms
from storage.store import SqliteStore
from tests.fakes import FakeClock
from tests.soak import sampled
from tests.storage.many import many_for_sqlite
from tests.storage.tour import tour

SMALL, LARGE = 0.1, 0.4
"""Shares of the rows."""

GROWS = {
    "by_status": "all live matches are asked for, at a start and once an hour",
    "channels_to_read": "the same, at a start",
    "channels_elsewhere": "the same",
    "expiring": "the lobbies, which are few: they expire",
    "outbox": "what isn't sent yet, which is little: this table has no index",
    "outbox_hurry": "the same",
    "outbox_pending": "the same",
    "outbox_begin": "the same, at a start",
    "outbox_state": "the same, when an operator asks",
    "outbox_forget": "what was laid aside within a month, once an hour",
    "pings_running_out": "the deadlines that are near",
    "idle_due": "the servers that want to be asked, with their live matches",
    "showcases": "all of them, once a minute",
    "planned_matches": "all of them, at a start",
    "note_servers": "each server, once an hour",
    "server_use": "all matches are counted, when an operator asks",
    "erase": "nothing may be left, and it happens once for a person",
    "personal_data": "the same",
    "ladders": "all ratings of a scope are counted by game and family, when someone looks at a leaderboard",
    "ranked": "those who are ahead are counted, when someone looks at a leaderboard",
    "replace_standing": "everything is computed again, when an operator asks",
    "clean_up": "the whole file is written anew after an erasure",
}
"""The methods that may do more in a larger database, and why."""


async def steps(path: Path, share: float, spoil: str = "") -> dict[str, int]:
    """Return how many steps SQLite takes for each method in a database with a share of the rows."""
    taken: dict[str, int] = {}

    def count(name: str) -> int:
        taken[name] += 1
        return 0

    store = await open_store(path, clock=FakeClock())
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        assert isinstance(store, SqliteStore)
        database = store._database
        await database.read(lambda db: db.executescript(many_for_sqlite(share) + spoil))
        for name, ask in tour().items():
            taken[name] = 0
            await database.read(lambda db, name=name: db.set_progress_handler(lambda: count(name), 1))  # type: ignore[misc] # a default binds the loop's value
            await ask(store)
        await database.read(lambda db: db.set_progress_handler(None, 1))
    return taken


async def more(folder: Path, spoil: str = "") -> set[str]:
    """Return the methods that take half as many steps again where there are four times as many rows."""
    small, large = await steps(folder / "small", SMALL, spoil), await steps(folder / "large", LARGE, spoil)
    assert all(small[name] > 5 for name in small)
    return {name for name in small if large[name] > 1.5 * small[name] + 100}


@pytest.mark.slow
async def test_no_method_does_more_because_there_are_more_matches(tmp_path: Path) -> None:
    assert await more(tmp_path) <= GROWS.keys() <= tour().keys()


@pytest.mark.slow
async def test_an_archive_takes_as_long_again_for_twice_the_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All ids are put in order once, not again for each part."""
    monkeypatch.setattr("storage.operator_reader.AT_ONCE", 10)
    taken: list[int] = []
    connect = sqlite3.connect

    def counted() -> int:
        taken[-1] += 1
        return 0

    def connected(*args: Any, **more: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **more)
        db.set_progress_handler(counted, 1)
        return db

    for share in (SMALL, LARGE):
        path = tmp_path / str(share)
        store = await open_store(path, clock=FakeClock())
        await store.close()
        with closing(connect(path)) as db:
            db.executescript(many_for_sqlite(share))
        taken.append(0)
        with monkeypatch.context() as patch:
            patch.setattr(sqlite3, "connect", connected)
            found = list(read_finished(path, ArchiveQuery()))
        assert len(found) == 4000 * share * 18 / 20
    assert taken[1] < 4.5 * taken[0]


INDEXES = [("matches_host", "over_of"), ("seats_user", "by_user"), ("pings_user", "pings_of")]


@pytest.mark.slow
@pytest.mark.parametrize(("index", "method"), sampled(INDEXES, INDEXES[:1]))
async def test_an_index_that_is_missing_is_noticed(tmp_path: Path, index: str, method: str) -> None:
    assert method in await more(tmp_path, f"DROP INDEX {index};")


def test_times_are_stored_as_milliseconds_since_1970() -> None:
    assert to_ms(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert to_ms(datetime(2026, 1, 1, 12, tzinfo=UTC)) == 1_767_268_800_000
