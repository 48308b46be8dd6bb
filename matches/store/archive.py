"""Finished matches in the Store: finding them, what came with imported records, and analyses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from games.engine.fields import Json
from matches.store.rows import ImportRow, MatchRow
from matches.store.standing import Ladder

ArchiveResult = Literal["won", "lost", "drawn"]


@dataclass(frozen=True, slots=True)
class AnalysedSeat:
    """Someone in a seat of an analysed match, with the analysis."""

    user: int
    seat: int
    analysis: Json


@dataclass(frozen=True, slots=True)
class ArchiveQuery:
    """Which finished matches to find: of a person, a server, or all. None leaves a part out.

    Someone has won who is first alone or with their side, and drawn if all are first. Studies and imported
    records aren't found.
    """

    user: int | None = None
    guild: int | None = None
    game: str | None = None
    opponent: int | None = None
    result: ArchiveResult | None = None
    """How it ended for `user`."""
    since: datetime | None = None
    until: datetime | None = None
    """Not included."""


@dataclass(frozen=True, slots=True)
class ArchiveMark:
    """A place in the list of finished matches, which begins with the one that changed last."""

    at: datetime
    match: str

    @classmethod
    def of(cls, row: MatchRow) -> ArchiveMark:
        """Return the place of a match."""
        return cls(row.updated, row.id)


class ArchiveStore(Protocol):
    """Finding finished matches."""

    async def finished(
        self, query: ArchiveQuery, limit: int, mark: ArchiveMark | None = None, *, newer: bool = False
    ) -> tuple[MatchRow, ...]:
        """Return at most `limit` finished matches, the latest first.

        With a mark, those that follow it in the list; with `newer` those that precede it.
        """
        ...

    async def over_of(self, user: int, part: str, limit: int) -> tuple[MatchRow, ...]:
        """Return at most `limit` matches of a person that are over, the latest change first.

        They are all that a person may name: played or hosted, imported, and studies. `part` is a part of
        their ids in lower-case ASCII letters and digits, without the hyphen; an empty one fits all.
        """
        ...


class ImportStore(Protocol):
    """What came with imported records: the matches themselves are rows like any other."""

    async def import_of(self, match_id: str) -> ImportRow | None:
        """Return what came with the record of a match, or None if it wasn't imported."""
        ...

    async def imported(self, owner: int, checksum: str) -> str | None:
        """Return the match that a person has imported from the record with a checksum, or None."""
        ...

    async def count_imports(self, owner: int) -> int:
        """Return how many records a person has imported."""
        ...

    async def size_of_imports(self, owner: int) -> int:
        """Return how many characters a person's imported records take up: logs, options, headers."""
        ...


class AnalysisStore(Protocol):
    """Where analyses are kept, one for each match at most."""

    async def analysis(self, match_id: str, source: str) -> Json:
        """Return the analysis of a match, or None if there is none whose values come from that source."""
        ...

    async def analysed_seats(
        self, ladder: Ladder, source: str, rated: tuple[int, int], limit: int
    ) -> tuple[AnalysedSeat, ...]:
        """Return who came to the latest analysed matches that count with such a rating: a range of `UNIT`.

        Of those, analyses whose values come from another source are left out.
        """
        ...

    async def save_analysis(self, match_id: str, source: str, data: Json, now: datetime) -> None:
        """Keep the analysis of a match in place of an earlier one.

        Raises LookupError for an unknown match.
        """
        ...
