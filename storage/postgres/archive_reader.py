"""Read finished matches without the lease, beside a bot that uses the database."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg

from matches.archive_store import ArchiveMark, ArchiveQuery
from matches.ports import StoreError
from storage.archive_query import FinishedMatch
from storage.postgres.archive import find_finished
from storage.postgres.errors import explain, unreachable
from storage.postgres.holders import holders_of
from storage.postgres.matches import log_of
from storage.postgres.migrations import identify, shipped_for_postgres
from storage.postgres.sessions import plain
from storage.postgres.target import read_target


def read_finished_of(url: str, query: ArchiveQuery, at_once: int) -> Iterator[FinishedMatch]:
    """Yield finished matches as `storage.archive_reader` does."""
    target = read_target(url)
    try:
        db = plain(target)
    except psycopg.Error as error:
        raise unreachable(target.name, error) from error
    try:
        with db:
            identify(db, target.name, len(shipped_for_postgres()))
            db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", prepare=False)
            mark: ArchiveMark | None = None
            while rows := find_finished(db, query, at_once, mark):
                mark = ArchiveMark.of(rows[-1])
                for row in rows:
                    yield FinishedMatch(row, log_of(db, row.id), holders_of(db, row.id))
    except psycopg.Error as error:
        told = explain(target.name, error)
        raise told if isinstance(told, StoreError) else StoreError(f"{target.name} can't be read.") from error
