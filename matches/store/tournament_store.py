"""Tournaments: part of the protocol of a Store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from matches.store.tournament_rows import TournamentEntry, TournamentRow


class TournamentStore(Protocol):
    """Tournaments with their entrants and logs."""

    async def create_tournament(self, row: TournamentRow, entry: TournamentEntry) -> TournamentRow:
        """Add a tournament with a new id and the first entry of its log, and return it."""
        ...

    async def tournament(self, tournament: int) -> TournamentRow | None:
        """Return a tournament, or None."""
        ...

    async def tournaments_in(self, guild: int, limit: int) -> tuple[TournamentRow, ...]:
        """Return the tournaments of a server, those that aren't over first, the latest first."""
        ...

    async def claim_tournaments(self, now: datetime, again: datetime) -> tuple[int, ...]:
        """Return the tournaments that are to be looked after: their time has come, or something has changed.

        That is a change of their own, the end of a match that they wait for, or a bar of an entrant. Each is
        due again at `again`, after a crash, unless `rest_tournament` is called before.
        """
        ...

    async def rest_tournament(self, tournament: int, claimed: datetime, until: datetime | None) -> None:
        """Leave a tournament alone until a time, or until something changes (None).

        `claimed` is the `again` by which it was claimed. Does nothing if something has changed since.
        """
        ...

    async def ended_in_tournament(self, tournament: int) -> tuple[str, ...]:
        """Return the matches of pairings without a result that have ended, whether or not with one."""
        ...

    async def tournaments_to_show(self) -> tuple[TournamentRow, ...]:
        """Return the tournaments whose message doesn't tell of their latest change."""
        ...

    async def save_tournament(
        self, row: TournamentRow, entries: Sequence[TournamentEntry], following: TournamentRow | None = None
    ) -> None:
        """Save a change, whose revision is one more than the stored one, with entries of the log.

        `following` is the next season that is opened by it, and gets an id of its own.
        It's due to be looked after at once. Message and `shown` stay as they are stored. Raises StaleError if
        the revision doesn't fit.
        """
        ...

    async def note_tournament_shown(self, tournament: int, shown: int, message: int | None) -> None:
        """Record the message of a tournament, and the revision that it tells of."""
        ...

    async def tournament_log(self, tournament: int) -> tuple[TournamentEntry, ...]:
        """Return the log of a tournament, in order."""
        ...
