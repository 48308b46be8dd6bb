"""The log of moderators, whom they forbid to play, and blocks, in the store in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches import drafts
from matches.outbox.queue import Draft
from matches.store.moderation_rows import ModerationRow
from tests.fakes.base import MemoryBase, in_ms


@dataclass
class MemoryModeration(MemoryBase):
    """Rows by number, the numbers of those that forbid people by server and person, and blocks."""

    _acts: dict[int, ModerationRow] = field(default_factory=dict)
    _forbidden: dict[tuple[int, int], int] = field(default_factory=dict)
    _blocks: dict[tuple[int, int], datetime] = field(default_factory=dict)

    def _note_moderation(self, row: ModerationRow) -> int:
        number = max(self._acts, default=0) + 1
        self._acts[number] = replace(row, number=number, at=in_ms(row.at))
        if channel := self._settings.get(("guild", row.guild), {}).get("log_channel"):
            self._enqueue(drafts.moderation_post(row, number, int(channel)), row.at)
        return number

    async def moderate(self, row: ModerationRow, drafts: Sequence[Draft] = ()) -> bool:
        """Write a row and what follows from it."""
        self._change()
        key = row.guild, row.person or 0
        if row.action in ("forbid", "lift") and (key in self._forbidden) == (row.action == "forbid"):
            return False
        number = self._note_moderation(row)
        if row.action == "forbid":
            self._forbidden[key] = number
        elif row.action == "lift":
            del self._forbidden[key]
        for draft in drafts:
            self._enqueue(draft, row.at)
        return True

    async def moderated(
        self, guild: int, before: int | None = None, limit: int = 10
    ) -> tuple[ModerationRow, ...]:
        """What was done in a server, the latest first."""
        self._open()
        found = [row for number, row in self._acts.items() if before is None or number < before]
        return tuple(row for row in reversed(found) if row.guild == guild)[:limit]

    async def moderation(self, number: int) -> ModerationRow | None:
        """One row."""
        self._open()
        return self._acts.get(number)

    async def forbidden(self, guild: int, users: Collection[int]) -> tuple[ModerationRow, ...]:
        """The rows by which some people may not play in a server."""
        self._open()
        there = sorted(user for server, user in self._forbidden if server == guild and user in users)
        return tuple(self._acts[self._forbidden[guild, user]] for user in there)

    async def block(self, user: int, other: int, at: datetime, most: int) -> bool:
        """Add a block."""
        self._change()
        if sum(one == user and two != other for one, two in self._blocks) >= most:
            return False
        self._blocks.setdefault((user, other), in_ms(at))
        return True

    async def unblock(self, user: int, other: int) -> bool:
        """Remove a block."""
        self._change()
        return self._blocks.pop((user, other), None) is not None

    async def blocked_by(self, user: int) -> tuple[int, ...]:
        """Whom a person blocks, the latest first."""
        self._open()
        found = sorted((other, at) for (one, other), at in self._blocks.items() if one == user)
        return tuple(other for other, _ in sorted(found, key=lambda each: each[1], reverse=True))

    async def blocks_among(self, users: Collection[int]) -> tuple[tuple[int, int], ...]:
        """Who blocks whom of some people."""
        self._open()
        return tuple(sorted(pair for pair in self._blocks if set(pair) <= set(users)))
