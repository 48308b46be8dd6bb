"""Finding finished matches, page by page."""

from __future__ import annotations

import sqlite3
from typing import Final

from matches.archive_store import ArchiveMark, ArchiveQuery
from matches.rows import MatchRow
from storage.archive_query import ArchiveWords, archive_tail
from storage.parts import SqlitePart
from storage.rows import read_matches

_RANK: Final = "json_extract(m.result, '$.ranks[' || s.seat || ']')"
_LATER: Final = "EXISTS (SELECT 1 FROM json_each(m.result, '$.ranks') WHERE value <> 1)"
_WORDS: Final = ArchiveWords(
    place="?",
    player="n IN (SELECT m.n FROM seats AS s JOIN matches AS m ON m.id = s.match WHERE s.user = ?{result})",
    opponent="EXISTS (SELECT 1 FROM seats AS o WHERE o.match = matches.id AND o.user = ?)",
    results={
        "won": f"{_RANK} = 1 AND {_LATER}",
        "lost": f"{_RANK} > 1",
        "drawn": f"{_RANK} = 1 AND NOT {_LATER}",
    },
)


class SqliteArchive(SqlitePart):
    """The part of the Store that finds finished matches."""

    async def finished(
        self, query: ArchiveQuery, limit: int, mark: ArchiveMark | None = None, *, newer: bool = False
    ) -> tuple[MatchRow, ...]:
        """Return finished matches, the latest first."""
        return await self._database.read(lambda db: find_finished(db, query, limit, mark, newer=newer))


def find_finished(
    db: sqlite3.Connection,
    query: ArchiveQuery,
    limit: int,
    mark: ArchiveMark | None = None,
    *,
    newer: bool = False,
) -> tuple[MatchRow, ...]:
    """Return finished matches as the Store does."""
    found = read_matches(db, *archive_tail(_WORDS, query, limit, mark, newer=newer))
    return found[::-1] if newer else found
