"""Finding finished matches in memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from matches.store.archive_store import ArchiveMark, ArchiveQuery
from matches.store.rows import MatchRow
from tests.fakes.base import MemoryBase, in_ms


@dataclass
class MemoryArchive(MemoryBase):
    """The part of the store that finds finished matches."""

    async def finished(
        self, query: ArchiveQuery, limit: int, mark: ArchiveMark | None = None, *, newer: bool = False
    ) -> tuple[MatchRow, ...]:
        """Finished matches, the latest first."""
        self._open()
        found = sorted(
            (row for row in self.rows.values() if _fits(row, query)),
            key=_at,
            reverse=True,
        )
        if mark is not None:
            at = (in_ms(mark.at), mark.match)
            found = [row for row in found if row.id != mark.match and (_at(row) > at) is newer]
        return tuple(found[-limit:] if newer else found[:limit])

    async def over_of(self, user: int, part: str, limit: int) -> tuple[MatchRow, ...]:
        """Matches of a person that are over, the latest change first."""
        self._open()
        found = [
            row
            for row in reversed(self.rows.values())
            if row.status == "over"
            and user in (row.host, *(seat.user for seat in row.seats))
            and part in row.id.replace("-", "").lower()
        ]
        return tuple(sorted(found, key=lambda row: in_ms(row.updated), reverse=True)[:limit])


def _at(row: MatchRow) -> tuple[datetime, str]:
    return in_ms(row.updated), row.id


def _fits(row: MatchRow, query: ArchiveQuery) -> bool:
    people = {seat.user for seat in row.seats}
    return (
        (row.status, row.source) == ("over", "played")
        and (query.user is None or query.user in people)
        and (query.opponent is None or query.opponent in people)
        and (query.guild is None or query.guild == row.place.guild)
        and (query.game is None or query.game == row.game)
        and (query.since is None or in_ms(row.updated) >= query.since)
        and (query.until is None or in_ms(row.updated) < query.until)
        and (query.user is None or query.result in (None, _result(row, query.user)))
    )


def _result(row: MatchRow, user: int) -> str | None:
    ranks = [] if row.result is None else row.result["ranks"]
    mine = [ranks[seat.seat] for seat in row.seats if seat.user == user and seat.seat < len(ranks)]
    if not mine:
        return None
    return "lost" if min(mine) > 1 else "drawn" if set(ranks) == {1} else "won"
