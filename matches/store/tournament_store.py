"""Tournaments: part of the protocol of a Store."""

from __future__ import annotations

from collections.abc import Sequence
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

    async def tournaments_to_run(self) -> tuple[int, ...]:
        """Return the tournaments that are open, running or paused."""
        ...

    async def tournaments_to_show(self) -> tuple[TournamentRow, ...]:
        """Return the tournaments whose message doesn't tell of their latest change."""
        ...

    async def save_tournament(self, row: TournamentRow, entries: Sequence[TournamentEntry]) -> None:
        """Save a change, whose revision is one more than the stored one, with entries of the log.

        Message and `shown` stay as they are stored. Raises StaleError if the revision doesn't fit.
        """
        ...

    async def note_tournament_shown(self, tournament: int, shown: int, message: int | None) -> None:
        """Record the message of a tournament, and the revision that it tells of."""
        ...

    async def tournament_log(self, tournament: int) -> tuple[TournamentEntry, ...]:
        """Return the log of a tournament, in order."""
        ...
