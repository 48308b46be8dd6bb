"""Matches that nobody moves in, in memory: a part of MemoryStore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from matches.idle_store import IdleState
from matches.rows import Draft, MatchRow


@dataclass
class MemoryIdle:
    """What was asked or answered last, by match, with its log entry."""

    asked: dict[str, tuple[int, IdleState]] = field(default_factory=dict, kw_only=True)

    def idle_rows(self) -> dict[str, MatchRow]:
        """Return the matches."""
        raise NotImplementedError

    def idle_days(self, guild: int | None) -> Any:
        """Return a server's setting."""
        raise NotImplementedError

    def idle_queue(self, draft: Draft, at: datetime) -> None:
        """Queue a message."""
        raise NotImplementedError

    async def idle_due(self, now: datetime, patience: timedelta, limit: int = 100) -> tuple[str, ...]:
        """Return the matches to look after, oldest first."""
        found = []
        for row in self.idle_rows().values():
            days = self.idle_days(row.place.guild)
            if row.status != "live" or not days or days <= 0:
                continue
            state = await self.idle_state(row.id, row.version)
            wait = patience if state is not None and state.asked else timedelta(days=days)
            if max(row.updated, row.updated if state is None else state.at) + wait <= now:
                found.append(row.id)
        return tuple(found[:limit])

    async def idle_state(self, match_id: str, version: int) -> IdleState | None:
        """Return what was noted at a log entry."""
        at, state = self.asked.get(match_id, (None, None))
        return state if at == version else None

    async def note_idle(
        self, match_id: str, version: int, state: IdleState, drafts: Sequence[Draft] = ()
    ) -> bool:
        """Note it, and queue messages."""
        row = self.idle_rows().get(match_id)
        known = await self.idle_state(match_id, version)
        if row is None or (row.version, row.status) != (version, "live"):
            return False
        if known is not None and known.asked == state.asked:
            return False
        self.asked[match_id] = (version, state)
        for draft in drafts:
            self.idle_queue(draft, state.at)
        return True
