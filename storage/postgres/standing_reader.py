"""A PostgreSQL database as `storage.standing_reader` asks it: without the lease, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from matches.ports import StoreError
from storage.postgres.inspection import visiting
from storage.postgres.migrations import compare, identify, shipped_for_postgres
from storage.postgres.sessions import Conn
from storage.standing_reader import AT_ONCE, ENDED, StandingState


class ServerStandingState(StandingState):
    """What a transaction sees."""

    def __init__(self, db: Conn) -> None:
        self._db = db

    def ended(self) -> Iterator[list[str]]:
        """Yield the ids of finished matches in the order of their ends, AT_ONCE together."""
        with self._db.cursor("ended") as found:
            found.execute(ENDED.format(first_rank="(result -> 'ranks' ->> 0)").encode())
            while some := found.fetchmany(AT_ONCE):
                yield [match for (match,) in some]

    def rows(self, query: str, ids: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return the rows of a query about matches that are `{these}`."""
        return self._db.execute(query.format(these="= ANY(%s)").encode(), (list(ids),)).fetchall()

    def all_rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self._db.execute(query.encode()).fetchall()


@contextmanager
def server_state(url: str) -> Iterator[StandingState]:
    """Look at one state of a database. Raises StoreError, also if it has the schema of an earlier version."""
    with visiting(url) as (db, name):
        db.execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0", prepare=False)
        db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", prepare=False)
        newest = len(shipped_for_postgres())
        if identify(db, name, newest) < newest:
            raise StoreError(
                f"{name[:1].upper()}{name[1:]} is empty, or of an earlier version: the next start of the bot "
                "brings it up to date."
            )
        compare(db, name, shipped_for_postgres())
        yield ServerStandingState(db)
        db.execute("COMMIT", prepare=False)
