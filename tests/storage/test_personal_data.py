"""Every column is declared personal or not, and after an erasure no byte of a person is left."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from matches.store.rows import SeatRow
from storage import open_store
from storage.anonymisation import erase_person, without_person
from storage.migrations import migrate, shipped
from storage.personal_data import NOT_PERSONAL, OWN_ROWS, PERSONAL
from tests.fakes import START, FakeClock
from tests.soak import sampled
from tests.storage.contract_erasures import TOKEN
from tests.storage.contract_standing import ended, ended_as
from tests.storage.rows import ANN, BEN, draft, over

PLAIN = {"host", "user", "by", "owner", "moderator", "person", "other", "back", "name", "agreed"}
"""Names that columns about people have."""


@pytest.fixture
def schema(tmp_path: Path) -> dict[str, list[str]]:
    db = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
    migrate(db, tmp_path, shipped(), 0)
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    found = {
        table: [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        for (table,) in db.execute(tables).fetchall()
        if table != "migrations"
    }
    db.close()
    return found


def test_each_column_is_declared_personal_or_not(schema: dict[str, list[str]]) -> None:
    personal = {table: [one.name for one in PERSONAL if one.table == table] for table in schema}
    declared = {table: sorted([*personal[table], *NOT_PERSONAL.get(table, "").split()]) for table in schema}
    assert declared == {table: sorted(columns) for table, columns in schema.items()}, (
        "say in storage/personal_data.py whether a new column is about a person"
    )
    unnoticed = {f"{table}.{name}" for table, names in NOT_PERSONAL.items() for name in names.split()} & {
        f"{table}.{name}" for table, columns in schema.items() for name in columns if name in PLAIN
    }
    assert unnoticed == set(), "these look like a person's id or name"
    assert {one.table for one in PERSONAL} <= set(schema)


def test_an_export_covers_each_table_with_people_and_no_ids_of_others() -> None:
    outside = {one.table for one in PERSONAL} - set(OWN_ROWS)
    assert outside == {"settings", "forbidden", "erasures"}, "settings have a query of their own"
    ids = {(one.table, one.name) for one in PERSONAL if one.fate in ("token", "null", "keep")}
    shown = {(table, name) for table, (_, names) in OWN_ROWS.items() for name in names.split(", ")}
    assert shown & ids == {("blocks", "other")}
    assert not {name for _, name in shown} & {"secret", "data", "nonce", "reminded"}


async def test_an_export_has_ones_results_and_ratings(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "store.sqlite3", clock=FakeClock())
    await ended(store, ended_as("F-1"), ended_as("F-2", BEN, 7))
    found = await store.personal_data(ANN, 10)
    await store.close()
    assert [(one["match"], one["place"]) for one in found["match_results"]] == [("F-1", 1)]
    assert [(one["match"], one["scope"]) for one in found["rating_changes"]] == [("F-1", 0), ("F-1", 1)]
    assert [(one["game"], one["scope"]) for one in found["ratings"]] == [("focus", 0), ("focus", 1)]
    assert str(BEN) not in str(found)


@pytest.mark.parametrize(
    ("value", "after"),
    [(12, -1), (123, 123), ("a12b", "a-1b"), ("123", "123"), ([12, {"x": 12}], [-1, {"x": -1}])],
)
def test_only_whole_ids_are_replaced(value: object, after: object) -> None:
    assert without_person(value, 12, -1) == after


def traces(path: Path, *texts: bytes) -> list[tuple[str, bytes]]:
    """Which files of a database have which of the texts."""
    files = sorted(path.parent.glob(f"{path.name}*"))
    return [(file.name, text) for file in files for text in texts if text in file.read_bytes()]


BYTES = (str(ANN).encode(), ANN.to_bytes(8, "big"), b"Annabella")


@pytest.mark.slow
async def test_no_byte_of_a_forgotten_person_is_left_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = await open_store(path, clock=FakeClock())
    for number in range(40):
        change = over(f"F-{number}")
        seats = tuple(
            seat if seat.user != ANN else SeatRow(0, "person", ANN, "Annabella" + "x" * number)
            for seat in change.row.seats
        )
        await store.create(over(f"F-{number}", seats=seats))
        sent = await store.outbox_add(draft("F-0", f"F-0/dm/{ANN}", user=ANN, payload={"to": ANN}), START)
        if number % 2:
            await store.outbox_sent(sent, None)
        told = {"text": f"▲ Zhao (Annabella{'x' * number}): Soldier e11"}
        laid = [await store.outbox_add(draft(f"F-{number}", f"{n}", payload=told), START) for n in range(3)]
        await store.outbox_drop(laid[0], "x")
        await store.outbox_park(laid[1], f"F-{number}", "x")
    await store.save_settings("user", ANN, {"a": "Annabella"})
    assert {text for _, text in traces(path, *BYTES)} == set(BYTES), "the bytes to look for are there before"
    await store.begin_erasure(ANN, TOKEN, START)
    assert await store.erase(ANN, START)
    assert await store.clean_up(START)
    assert traces(path, *BYTES) == []
    assert traces(path, BEN.to_bytes(8, "big")) != []
    await store.close()
    assert traces(path, *BYTES) == []


async def test_entries_change_by_no_other_path(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = await open_store(path, clock=FakeClock())
    await store.create(over())
    await store.begin_erasure(ANN, TOKEN, START)
    await store.close()
    db = sqlite3.connect(path)
    for change in (f"user = {TOKEN - 1}", "user = NULL", f"user = {TOKEN}, data = 'x'", "data = 'x'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(f"UPDATE entries SET {change} WHERE seq = 1")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(f"UPDATE entries SET user = {TOKEN} WHERE seq = 0")
    db.execute(f"UPDATE entries SET user = {TOKEN} WHERE seq = 1")
    db.execute("UPDATE erasures SET user = NULL, done = 1")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute("UPDATE entries SET user = 5 WHERE seq = 1")
    db.close()


@pytest.mark.slow
@pytest.mark.parametrize("statements", sampled([1, 5, 12, 25, 40], [1, 12, 40]))
async def test_killed_in_the_middle_it_is_done_whole_or_not_at_all(tmp_path: Path, statements: int) -> None:
    path = tmp_path / "store.sqlite3"
    store = await open_store(path, clock=FakeClock())
    await store.create(over())
    await store.save_settings("user", ANN, {"zone": "UTC"})
    await store.begin_erasure(ANN, TOKEN, START)
    await store.close()
    # In a new process: one that was forked from a test's may hang on what other threads had locked.
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", _DIE, path, str(statements))
    assert await child.wait() == -signal.SIGKILL
    store = await open_store(path, clock=FakeClock())
    (waiting,) = await store.erasures()
    assert waiting.token == TOKEN
    assert await store.settings("user", ANN) == {"zone": "UTC"}
    row = await store.match("F-1")
    assert row is not None
    assert row.host == ANN
    assert await store.erase(ANN, START), "the next start goes on"
    assert await store.clean_up(START)
    await store.close()
    assert traces(path, ANN.to_bytes(8, "big")) == []


_DIE = """
import sys
from pathlib import Path
from tests.storage.test_personal_data import erase_and_die
erase_and_die(Path(sys.argv[1]), int(sys.argv[2]))
"""


def erase_and_die(path: Path, statements: int) -> None:
    """Run the erasure's transaction up to a statement, and kill this process."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    done = 0

    def run(statement: str, values: Mapping[str, Any]) -> list[Sequence[Any]]:
        nonlocal done
        found: list[Sequence[Any]] = db.execute(statement, values).fetchall()
        done += 1
        if done >= statements:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    erase_person(run, lambda name: f":{name}", ANN, 0)
    os._exit(0)
