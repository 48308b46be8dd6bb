"""Finding finished matches, page by page."""

from __future__ import annotations

import sqlite3
from typing import Final

from matches.store.archive_store import ArchiveMark, ArchiveQuery
from matches.store.rows import MatchRow
from storage.archive_query import ArchiveWords, archive_tail
from storage.parts import SqlitePart
from storage.rows import read_matches

_RANK: Final = "json_extract(m.result, '$.ranks[' || s.seat || ']')"
_LATER: Final = "EXISTS (SELECT 1 FROM json_each(m.result, '$.ranks') WHERE value <> 1)"
ARCHIVE_WORDS: Final = ArchiveWords(
    place="?",
    player="n IN (SELECT m.n FROM seats AS s JOIN matches AS m ON m.id = s.match WHERE s.user = ?{result})",
    opponent="EXISTS (SELECT 1 FROM seats AS o WHERE o.match = matches.id AND o.user = ?)",
    results={
        "won": f"{_RANK} = 1 AND {_LATER}",
        "lost": f"{_RANK} > 1",
        "drawn": f"{_RANK} = 1 AND NOT {_LATER}",
    },
)

OVER_OF: Final = (
    "WHERE n IN (SELECT n FROM matches WHERE host = ?1 UNION ALL SELECT m.n FROM seats AS s "
    "JOIN matches AS m ON m.id = s.match WHERE s.user = ?1) "
    "AND +status = 'over' AND instr(lower(replace(id, '-', '')), ?2) > 0 "
    "ORDER BY updated DESC, n DESC LIMIT ?3"
)
"""All matches of a person that are over: found by who they are, not by their status, which most have."""


class SqliteArchive(SqlitePart):
    """The part of the Store that finds finished matches."""

    async def finished(
        self, query: ArchiveQuery, limit: int, mark: ArchiveMark | None = None, *, newer: bool = False
    ) -> tuple[MatchRow, ...]:
        """Return finished matches, the latest first."""
        return await self._database.read(lambda db: find_finished(db, query, limit, mark, newer=newer))

    async def over_of(self, user: int, part: str, limit: int) -> tuple[MatchRow, ...]:
        """Return at most `limit` matches of a person that are over, the latest change first."""
        return await self._database.read(lambda db: read_matches(db, OVER_OF, (user, part, limit)))


def find_finished(
    db: sqlite3.Connection,
    query: ArchiveQuery,
    limit: int,
    mark: ArchiveMark | None = None,
    *,
    newer: bool = False,
) -> tuple[MatchRow, ...]:
    """Return finished matches as the Store does."""
    found = read_matches(db, *archive_tail(ARCHIVE_WORDS, query, limit, mark, newer=newer))
    return found[::-1] if newer else found
