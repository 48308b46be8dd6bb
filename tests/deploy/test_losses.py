"""What a restore would lose is told in the same words by `dominium restore` and by `python3 -m deploy`.

The second may import nothing of the program, so both have the question; here they are held together.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deploy import databases
from storage import copy_file, restoring
from storage.beside import Beside
from storage.copying import tables_of_file

OF_THE_BOT = {
    "daily_puzzles", "puzzle_counts",
    "deadlines", "departures", "downtimes", "errors", "follows", "greetings", "heartbeat", "holders", "idle",
    "match_results", "outages", "outbox", "outbox_dead", "ping_posts", "pings", "posts", "rating_changes",
    "ratings", "requests", "seen", "showcases", "snapshots", "tournament_matches", "unseen",
}  # fmt: skip
"""Tables whose rows follow from others, or that the bot itself goes on changing: nobody is asked."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.storage.everything import fill_everything  # after tests/storage/conftest.py

    path = tmp_path_factory.mktemp("full") / "full.sqlite3"
    asyncio.run(fill_everything(path))
    return path


def told(data: Path, backup: Path) -> str:
    """What both say."""
    said = databases.loss(data, backup)
    assert restoring._loss(data, Beside("immutable=1"), backup) == said
    return said


def test_of_each_table(full: Path, tmp_path: Path) -> None:
    silent = set()
    with closing(sqlite3.connect(full)) as db:
        tables = [table.name for table in tables_of_file(db)]
    for number, table in enumerate(tables):
        backup = tmp_path / f"{number}.sqlite3"
        copy_file(full, backup)
        assert told(full, backup) == ""
        with closing(sqlite3.connect(backup, isolation_level=None)) as db:
            for (trigger,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {trigger}")
            assert db.execute(f"DELETE FROM {table}").rowcount or table == "snapshots"
        if not told(full, backup):
            silent.add(table)
        with closing(sqlite3.connect(backup, isolation_level=None)) as db:
            db.execute("PRAGMA foreign_keys = OFF")
            db.execute(f"DROP TABLE {table}")  # as an earlier version lacks it
        if table != "entries":
            told(full, backup)
    assert silent == OF_THE_BOT
