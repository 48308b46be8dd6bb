"""Matches that nobody moves in, in the store in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from matches.outbox.queue import Draft
from matches.store.idle_store import IdleState
from tests.fakes.base import MemoryBase


@dataclass
class MemoryIdle(MemoryBase):
    """What was asked or answered last, by match, with its log entry."""

    asked: dict[str, tuple[int, IdleState]] = field(default_factory=dict)

    async def idle_due(self, now: datetime, patience: timedelta, limit: int = 100) -> tuple[str, ...]:
        """Return the matches to look after, oldest first."""
        found = []
        for row in self.rows.values():
            days = self._settings.get(("guild", row.place.guild or 0), {}).get("idle")
            if row.status != "live" or not days or days <= 0 or self._due.get(row.id):
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
        row = self.rows.get(match_id)
        known = await self.idle_state(match_id, version)
        if row is None or (row.version, row.status) != (version, "live"):
            return False
        if known is not None and known.asked == state.asked:
            return False
        self.asked[match_id] = (version, state)
        for draft in drafts:
            self._enqueue(draft, state.at)
        return True
