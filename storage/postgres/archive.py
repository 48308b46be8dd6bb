"""Finished matches on PostgreSQL: found page by page, also without the lease, beside a running bot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from matches.store.archive import ArchiveMark, ArchiveQuery
from matches.store.rows import Logged, MatchRow
from storage.archive import ArchiveWords, FinishedMatch, archive_tail
from storage.matches import LOG
from storage.postgres.inspection import visiting
from storage.postgres.migrations import identify, shipped_for_postgres
from storage.postgres.sessions import Conn
from storage.postgres.transactions import PostgresPart, find_matches, placed
from storage.rows import to_logged
from storage.seats import HOLDERS, to_holder

_RANK: Final = "(h.result -> 'ranks' ->> s.seat::integer)::integer"
_LATER: Final = (
    "EXISTS (SELECT 1 FROM json_array_elements_text(h.result -> 'ranks') AS r (n) WHERE r.n <> '1')"
)
ARCHIVE_WORDS: Final = ArchiveWords(
    place="%s",
    player=(
        'n IN (SELECT h.n FROM seats AS s JOIN matches AS h ON h.id = s.match WHERE s."user" = %s{result})'
    ),
    opponent='EXISTS (SELECT 1 FROM seats AS o WHERE o.match = m.id AND o."user" = %s)',
    results={
        "won": f"{_RANK} = 1 AND {_LATER}",
        "lost": f"{_RANK} > 1",
        "drawn": f"{_RANK} = 1 AND NOT {_LATER}",
    },
)

_OVER_OF: Final = (
    "WHERE n IN (SELECT h.n FROM matches AS h WHERE h.host = %s UNION ALL SELECT h.n FROM seats AS s "
    'JOIN matches AS h ON h.id = s.match WHERE s."user" = %s) '
    "AND status = 'over' AND strpos(lower(replace(id, '-', '')), %s) > 0 "
    "ORDER BY updated DESC, n DESC LIMIT %s"
)

_THESE: Final = "WHERE id = ANY(%s) ORDER BY updated DESC, id DESC"


class PostgresArchive(PostgresPart):
    """The part of the Store that finds finished matches."""

    async def finished(
        self, query: ArchiveQuery, limit: int, mark: ArchiveMark | None = None, *, newer: bool = False
    ) -> tuple[MatchRow, ...]:
        """Return finished matches, the latest first."""
        return await self._database.read(lambda db: find_finished(db, query, limit, mark, newer=newer))

    async def over_of(self, user: int, part: str, limit: int) -> tuple[MatchRow, ...]:
        """Return at most `limit` matches of a person that are over, the latest change first."""
        return await self._database.read(lambda db: find_matches(db, _OVER_OF, (user, user, part, limit)))


def find_finished(
    db: Conn, query: ArchiveQuery, limit: int, mark: ArchiveMark | None = None, *, newer: bool = False
) -> tuple[MatchRow, ...]:
    """Return finished matches as the Store does."""
    found = find_matches(db, *archive_tail(ARCHIVE_WORDS, query, limit, mark, newer=newer))
    return found[::-1] if newer else found


def read_finished_of(url: str, query: ArchiveQuery, at_once: int) -> Iterator[FinishedMatch]:
    """Yield finished matches as `storage.operator_reader` does."""
    with visiting(url) as (db, name):
        identify(db, name, len(shipped_for_postgres()))
        db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", prepare=False)
        tail, values = archive_tail(ARCHIVE_WORDS, query)
        ids = f"SELECT m.id FROM matches AS m {tail}"  # noqa: S608 - our own text
        db.execute(f"DECLARE finished CURSOR FOR {ids}", values, prepare=False)
        while some := db.execute(f"FETCH {at_once} FROM finished", prepare=False).fetchall():
            for row in find_matches(db, _THESE, ([match for (match,) in some],)):
                held = db.execute(placed(HOLDERS), (row.id,))
                yield FinishedMatch(row, _log_of(db, row.id), tuple(map(to_holder, held)))


def _log_of(db: Conn, match: str) -> tuple[Logged, ...]:
    return tuple(map(to_logged, db.execute(placed(LOG), (match, -1))))
