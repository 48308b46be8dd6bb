"""How SQLite would find what a query asks for, in a database with our schema."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

from matches.rows import Commit
from storage import open_store
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby


async def plan_of(folder: Path, query: str, values: Any = ()) -> list[str]:
    """Return the steps of the plan of a query."""
    path = folder / "store.sqlite3"
    store = await open_store(path, clock=FakeClock())
    await store.create(Commit(lobby(), START))
    await store.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        return [row[-1] for row in db.execute(f"EXPLAIN QUERY PLAN {query}", values)]
