"""Finished matches: found page by page, by one question in the words of each database; their analyses."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from games.engine.fields import Json
from matches.store.archive import AnalysedSeat, ArchiveMark, ArchiveQuery
from matches.store.rows import Logged, MatchRow, SeatHolder
from matches.store.standing import Ladder
from storage.rows import Value, read_matches, to_json, to_ms
from storage.transactions import SqlitePart, StorePart, Transaction


@dataclass(frozen=True, slots=True)
class ArchiveWords:
    """Conditions as one of the databases takes them, each with a `place` for its value."""

    place: str
    player: str
    """That someone had a seat; `{result}` takes how it ended for them."""
    opponent: str
    results: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match with its log, and who held those seats that have changed hands."""

    row: MatchRow
    log: tuple[Logged, ...]
    holders: tuple[SeatHolder, ...]


def archive_tail(
    words: ArchiveWords,
    query: ArchiveQuery,
    limit: int | None = None,
    mark: ArchiveMark | None = None,
    *,
    newer: bool = False,
) -> tuple[str, list[Value]]:
    """Return what follows `SELECT ... FROM matches`, and its values; `newer` ones come in reverse order."""
    where, values = ["status = 'over'", "source = 'played'"], list[Value]()
    if query.user is not None:
        result = "" if query.result is None else f" AND {words.results[query.result]}"
        where.append(words.player.format(result=result))
        values.append(query.user)
    if query.opponent is not None:
        where.append(words.opponent)
        values.append(query.opponent)
    bounds = (
        ("guild =", query.guild),
        ("game =", query.game),
        ("updated >=", None if query.since is None else to_ms(query.since)),
        ("updated <", None if query.until is None else to_ms(query.until)),
    )
    for condition, value in bounds:
        if value is not None:
            where.append(f"{condition} {words.place}")
            values.append(value)
    if mark is not None:
        where.append(f"(updated, id) {'>' if newer else '<'} ({words.place}, {words.place})")
        values += [to_ms(mark.at), mark.match]
    order = "updated, id" if newer else "updated DESC, id DESC"
    tail = f"WHERE {' AND '.join(where)} ORDER BY {order}"
    return (tail, values) if limit is None else (f"{tail} LIMIT {words.place}", [*values, limit])


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


_SAVE_ANALYSIS = """
INSERT INTO analyses (match, source, made, data) VALUES (?, ?, ?, ?)
ON CONFLICT (match) DO UPDATE SET source = excluded.source, made = excluded.made, data = excluded.data
"""
_ANALYSED: Final = """
SELECT r."user", r.seat, a.data FROM (
    SELECT DISTINCT a.match, r.at FROM analyses AS a JOIN match_results AS r ON r.match = a.match
    WHERE r.game = ? AND r.family = ? AND r.unrated = ''
    ORDER BY r.at DESC, a.match DESC LIMIT ?
) AS latest
JOIN analyses AS a ON a.match = latest.match AND a.source = ?
JOIN match_results AS r ON r.match = latest.match
JOIN rating_changes AS c ON c.match = latest.match AND c."user" = r."user" AND c.scope = ?
WHERE c.mu BETWEEN ? AND ? ORDER BY latest.at DESC, latest.match DESC, r.seat
"""


class AnalysesPart(StorePart):
    """The statements about analyses that every database takes."""

    async def analysis(self, match_id: str, source: str) -> Json:
        """Return the analysis of a match whose values come from that source, or None."""
        found = await self._fetch_all(
            "SELECT data FROM analyses WHERE match = ? AND source = ?", match_id, source
        )
        return cast("Json", json.loads(found[0][0])) if found else None

    async def analysed_seats(
        self, ladder: Ladder, source: str, rated: tuple[int, int], limit: int
    ) -> tuple[AnalysedSeat, ...]:
        """Return who came to the latest matches that have an analysis with such a rating."""
        values = (ladder.game, ladder.family, limit, source, ladder.scope, *rated)

        def read(tx: Transaction) -> tuple[AnalysedSeat, ...]:
            rows = tx.execute(_ANALYSED, *values).fetchall()
            return tuple(AnalysedSeat(user, seat, json.loads(data)) for user, seat, data in rows)

        return await self._read(read)

    async def save_analysis(self, match_id: str, source: str, data: Json, now: datetime) -> None:
        """Keep the analysis of a match in place of an earlier one. LookupError for no such match."""
        await self._execute(_SAVE_ANALYSIS, match_id, source, to_ms(now), to_json(data))
