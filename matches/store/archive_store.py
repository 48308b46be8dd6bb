"""The part of the Store that finds finished matches: by person or server, game, opponent, result and time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from matches.store.rows import MatchRow

ArchiveResult = Literal["won", "lost", "drawn"]


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
