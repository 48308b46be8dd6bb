"""The outbox of the store in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches.outbox.messages import Message, OutboxKind
from matches.outbox.queue import Draft, OutboxRow
from matches.ports import Clock
from matches.store.outbox_state import OutboxState
from matches.store.ping_store import PingWork
from matches.store.rows import Post
from tests.fakes.base import as_stored, in_ms
from tests.fakes.clocks import MemoryClocks
from tests.fakes.pings import MemoryPings


@dataclass
class MemoryOutbox(MemoryClocks, MemoryPings):
    """Messages to be sent, those laid aside, and what was posted.

    Without a `clock` no board ends the time in which a match can't be seen.
    """

    clock: Clock | None = None
    dead: dict[int, OutboxRow] = field(default_factory=dict)
    _posts: dict[int, Post] = field(default_factory=dict)
    _until: dict[int, str] = field(default_factory=dict)
    _died: dict[int, datetime] = field(default_factory=dict)

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """What is due, less the rows behind one of their lane that isn't."""
        rows = await self.outbox_pending()
        held = {row.draft.lane: row.id for row in reversed(rows) if row.due > in_ms(now)}
        return tuple([row for row in rows if row.id < held.get(row.draft.lane, row.id + 1)][:limit])

    async def outbox_pending(self, match_id: str | None = None) -> tuple[OutboxRow, ...]:
        """All unsent rows."""
        self._open()
        rows = [self.queue[number] for number in sorted(self.queue)]
        return tuple(row for row in rows if match_id in (None, row.draft.match))

    async def outbox_state(self, now: datetime) -> OutboxState:
        """What waits and what was laid aside, in numbers."""
        rows, sendable = await self.outbox_pending(), await self.outbox(now, len(self.queue))
        parked = sum(map(bool, self._until.values()))
        return OutboxState(
            len(rows),
            min((row.created for row in rows), default=None),
            min((row.due for row in sendable), default=None),
            parked,
            len(self.dead) - parked,
        )

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message."""
        self._change()
        return self._enqueue(draft, now)

    async def outbox_sent(self, row_id: int, post: Post | None, pings: PingWork | None = None) -> None:
        """The row is sent."""
        self._change()
        if pings is not None:
            await self.ping_work(pings)
        self.queue.pop(row_id, None)
        if post is not None:
            self._posts.setdefault(post.message, post)
            if post.kind == "board" and self.clock is not None:
                self._show(post.match, self.clock.now())

    async def outbox_retry(self, row_id: int, due: datetime, error: str) -> None:
        """Try again later."""
        self._change()
        if (row := self.queue.get(row_id)) is not None:
            self.queue[row_id] = replace(row, due=in_ms(due), tries=row.tries + 1, error=error)

    async def outbox_hurry(self, match_id: str, now: datetime) -> None:
        """Rows of a match are due."""
        self._change()
        for number, row in self.queue.items():
            if row.draft.match == match_id:
                self.queue[number] = replace(row, due=min(row.due, in_ms(now)))

    async def outbox_drop(self, row_id: int, error: str) -> None:
        """Lay the row among the dead."""
        await self.outbox_park(row_id, "", error)

    async def outbox_park(self, row_id: int, until: str, error: str) -> None:
        """Lay the row aside."""
        self._change()
        if (row := self.queue.pop(row_id, None)) is not None:
            self.dead[row_id] = replace(row, tries=row.tries + 1, error=error)
            self._until[row_id] = until
            self._died[row_id] = row.created if self.clock is None else in_ms(self.clock.now())

    async def outbox_forget(self, before: datetime) -> int:
        """Forget what won't be sent."""
        self._change()
        old = [number for number, at in self._died.items() if at < in_ms(before) and number in self.dead]
        on = {row.id for row in self.rows.values() if row.status in ("lobby", "live")}
        gone = [
            number for number in old if not self._until[number] or self.dead[number].draft.match not in on
        ]
        for number in gone:
            del self.dead[number], self._until[number]
        return len(gone)

    async def outbox_awaited(self, match_id: str | None = None) -> frozenset[str]:
        """What is waited for."""
        self._open()
        rows = (row for row in self.dead.values() if match_id in (None, row.draft.match))
        return frozenset(self._until[row.id] for row in rows if self._until[row.id])

    async def outbox_revive(self, until: str, now: datetime) -> int:
        """Rows parked until now are due again."""
        self._change()
        back = [row for row in self.dead.values() if until and self._until[row.id] == until]
        for row in back:
            self.queue[row.id] = replace(self.dead.pop(row.id), due=in_ms(now), tries=0)
        return len(back)

    async def outbox_merge(self, row_id: int, message: Message, covered: Sequence[int]) -> None:
        """One row stands for several."""
        self._change()
        if (row := self.queue.get(row_id)) is not None:
            self.queue[row_id] = replace(row, draft=as_stored(replace(row.draft, message=message)))
        for one in covered:
            self.queue.pop(one, None)

    async def outbox_begin(self, now: datetime) -> int:
        """What was never tried is due."""
        self._change()
        for number, row in self.queue.items():
            if not row.tries:
                self.queue[number] = replace(row, due=min(row.due, in_ms(now)))
        return self._queued

    async def find_post(self, message: int) -> Post | None:
        """The post that a message is."""
        self._open()
        return self._posts.get(message)

    async def posts(self, match_id: str, kind: OutboxKind | None = None) -> tuple[Post, ...]:
        """The posts of a match, oldest first."""
        self._open()
        found = [p for p in self._posts.values() if p.match == match_id and kind in (None, p.kind)]
        return tuple(sorted(found, key=lambda post: post.message))
