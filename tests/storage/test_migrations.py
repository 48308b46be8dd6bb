"""Steps are applied in order, each whole with its record, and a failing one leaves the file as it was."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import storage.connection
from matches.ports import Store, StoreError
from matches.store.rows import Commit
from storage import open_store
from storage.migrations import APPLICATION_ID, Migration, shipped
from storage.rows import match_values
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby

NEXT = Migration(len(shipped()) + 1, "more", "CREATE TABLE more (x INTEGER) STRICT;")
BROKEN = Migration(NEXT.number, "broken", f"{NEXT.sql} INSERT INTO nowhere VALUES (1);")


def ask(path: Path, sql: str) -> list[Any]:
    """Rows of a closed file."""
    db = sqlite3.connect(path)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def ship(monkeypatch: pytest.MonkeyPatch, *steps: Migration) -> None:
    """Let the program come with these steps."""
    monkeypatch.setattr(storage.connection, "shipped", lambda: steps)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


async def opened(path: Path) -> None:
    """Open and close, with a match put in."""
    store = await open_store(path, clock=FakeClock())
    if await store.match("F-001") is None:
        await store.create(Commit(lobby(), START))
    await store.close()


async def test_a_new_file_records_every_step(path: Path) -> None:
    await opened(path)
    steps = [(step.number, step.name, step.sha256) for step in shipped()]
    assert ask(path, "SELECT number, name, sha256 FROM migrations ORDER BY number") == steps
    assert ask(path, "PRAGMA user_version") == [(len(steps),)]
    assert ask(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert ask(path, "SELECT DISTINCT applied FROM migrations") == [(int(START.timestamp() * 1000),)]


async def test_every_table_is_strict(path: Path) -> None:
    await opened(path)
    loose = ask(
        path,
        "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict AND name NOT LIKE 'sqlite%'",
    )
    assert loose == []


async def test_a_later_program_adds_its_steps(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await opened(path)
    ship(monkeypatch, *shipped(), NEXT)
    await opened(path)
    assert ask(path, "SELECT * FROM more") == []
    assert ask(path, "SELECT id FROM matches") == [("F-001",)]
    monkeypatch.undo()
    with pytest.raises(StoreError, match="newer version"):
        await open_store(path, clock=FakeClock())


DEAD = """
INSERT INTO outbox_dead (id, kind, match, lane, payload, user, nonce, error, created, died, tries) VALUES
    (1, 'board', 'F-001', 'a', '{"first":0,"last":1}', NULL, 'a', 'channel', 0, 0, 1),
    (2, 'board', 'F-001', 'b', '{"first":0,"last":1}', 7, 'b', 'direct messages are closed', 0, 0, 1),
    (3, 'dm', 'F-001', 'b', '{"text":"hello"}', 7, 'c', 'direct messages are closed', 0, 0, 1),
    (4, 'mirror', 'F-001', 'c', '{"channel":5}', NULL, 'd', 'mirror gone', 0, 0, 1);
"""


@pytest.mark.parametrize("before", range(1, 5))
async def test_what_earlier_programs_left_dead_is_parked(
    path: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    ship(monkeypatch, *shipped()[:before])
    await (await open_store(path, clock=FakeClock())).close()
    db = sqlite3.connect(path)
    db.executescript(DEAD)
    db.close()
    monkeypatch.undo()
    store = await open_store(path, clock=FakeClock())
    assert await store.outbox_awaited() == {"F-001", "user/7"}
    assert await store.outbox_revive("F-001", START) == await store.outbox_revive("user/7", START) == 1
    assert [row.id for row in await store.outbox_pending()] == [1, 2]
    await store.close()


async def test_a_failing_step_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await opened(path)
    ship(monkeypatch, *shipped(), BROKEN)
    with pytest.raises(StoreError, match="nowhere"):
        await open_store(path, clock=FakeClock())
    assert ask(path, "SELECT name FROM sqlite_schema WHERE name = 'more'") == []
    assert ask(path, "PRAGMA user_version") == [(len(shipped()),)]
    monkeypatch.undo()
    await opened(path)


async def test_a_first_start_that_stopped_between_steps_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, shipped()[0])
    await (await open_store(path, clock=FakeClock())).close()
    assert ask(path, "PRAGMA user_version") == [(1,)]
    monkeypatch.undo()
    await opened(path)
    assert ask(path, "PRAGMA user_version") == [(len(shipped()),)]


LATER = {
    "public": 6,
    "agreed": 6,
    "clock": 7,
    "hints": 14,
    "source": 17,
    "origin": 17,
    "delay": 19,
    "rated": 26,
    "starts_full": 35,
    "terms": 36,
}
"""Columns of matches that a migration has added."""


@pytest.mark.parametrize("before", range(1, 7))
async def test_matches_of_earlier_programs_are_not_public_and_have_no_clock(
    path: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    ship(monkeypatch, *shipped()[:before])
    await (await open_store(path, clock=FakeClock())).close()
    old = {key: value for key, value in match_values(lobby()).items() if LATER.get(key, 0) <= before}
    db = sqlite3.connect(path)
    names, marks = ", ".join(old), ", ".join("?" for _ in old)
    db.execute(f"INSERT INTO matches ({names}) VALUES ({marks})", tuple(old.values()))
    db.executemany(
        "INSERT INTO seats VALUES ('F-001', ?, ?, ?, ?, ?)",
        [(seat.seat, seat.occupant, seat.user, seat.name, seat.level) for seat in lobby().seats],
    )
    db.commit()
    db.close()
    monkeypatch.undo()
    store = await open_store(path, clock=FakeClock())
    found = await store.match("F-001")
    await store.close()
    assert found == lobby()
    assert (found.publicity.public, found.publicity.agreed, found.conditions.clock) == (False, (), None)


RUNNING = """
INSERT INTO matches (id, game, status, channel, host, options, secret, created, updated, version, revision,
    use_thread, reminded, unreachable, clock)
VALUES ('F-001', 'focus', 'over', 2, 1, '{}', 's', 0, 0, 0, 0, 0, 0, '', '{}');
INSERT INTO tournaments (id, guild, channel, organiser, title, game, status, plan, pairings, revision, shown,
    created, updated)
SELECT id, 1, 2, 3, 'x', 'focus', CASE id WHEN 1 THEN 'running' ELSE 'over' END,
    '{"format":"swiss","rounds":3,"cap":9,"at_once":2}',
    '[[1,0,[1,2],[2,0],true,"F-000"],[1,1,[3,4],null,true,"F-001"],[1,2,[5],[2],false,null]]', 1, 1, 0, 0
FROM (SELECT 1 AS id UNION ALL SELECT 2) AS two;
INSERT INTO tournament_entrants VALUES (1, 1, 7, 'Ann', '', 1, 0);
"""
"""A tournament of an earlier program that waits for a match, and one that is over."""


async def waits_for_its_match(store: Store) -> None:
    """The tournament is looked after, and knows of its match."""
    assert await store.claim_tournaments(START, START) == (1,)
    assert await store.ended_in_tournament(1) == ("F-001",)
    row = await store.tournament(1)
    assert row is not None
    assert (row.deadline, row.checking, row.plan.check_in, row.entrants[0].here) == (None, False, 0, False)


async def test_tournaments_of_earlier_programs_wait_for_their_matches(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(monkeypatch, *shipped()[:29])
    await (await open_store(path, clock=FakeClock())).close()
    with closing(sqlite3.connect(path)) as db:
        db.executescript(RUNNING)
    monkeypatch.undo()
    store = await open_store(path, clock=FakeClock())
    await waits_for_its_match(store)
    await store.close()
