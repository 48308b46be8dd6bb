"""Read finished matches without the lease, beside a bot that uses the database."""

from __future__ import annotations

from collections.abc import Iterator

from matches.store.archive_store import ArchiveQuery
from matches.store.rows import Logged
from storage.archive_query import FinishedMatch, archive_tail
from storage.matches import LOG
from storage.postgres.archive import ARCHIVE_WORDS
from storage.postgres.holders import holders_of
from storage.postgres.inspection import visiting
from storage.postgres.migrations import identify, shipped_for_postgres
from storage.postgres.rows import find_matches
from storage.postgres.sessions import Conn
from storage.postgres.transactions import placed
from storage.rows import to_logged

_THESE = "WHERE id = ANY(%s) ORDER BY updated DESC, id DESC"


def read_finished_of(url: str, query: ArchiveQuery, at_once: int) -> Iterator[FinishedMatch]:
    """Yield finished matches as `storage.archive_reader` does."""
    with visiting(url) as (db, name):
        identify(db, name, len(shipped_for_postgres()))
        db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", prepare=False)
        tail, values = archive_tail(ARCHIVE_WORDS, query)
        ids = f"SELECT m.id FROM matches AS m {tail}"  # noqa: S608 - our own text
        db.execute(f"DECLARE finished CURSOR FOR {ids}", values, prepare=False)
        while some := db.execute(f"FETCH {at_once} FROM finished", prepare=False).fetchall():
            for row in find_matches(db, _THESE, ([match for (match,) in some],)):
                yield FinishedMatch(row, _log_of(db, row.id), holders_of(db, row.id))


def _log_of(db: Conn, match: str) -> tuple[Logged, ...]:
    return tuple(map(to_logged, db.execute(placed(LOG), (match, -1))))
