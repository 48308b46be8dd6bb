"""The log of moderators, whom they forbid to play, and who blocks whom. Part of the protocol of a Store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from matches.outbox.queue import Draft
from matches.store.moderation_rows import ModerationRow


class ModerationStore(Protocol):
    """The log of a server's moderators, and rules about people.

    Whatever is added to the log, here or by `Commit.moderation`, queues `drafts.moderation_post` in the same
    transaction if the server's setting `log_channel` names a channel. Rows are never changed.
    """

    async def moderate(self, row: ModerationRow, drafts: Sequence[Draft] = ()) -> bool:
        """Forbid a person to play in a server, lift that, or note anything else; and queue messages.

        Return False, changing nothing, if the person is forbidden already, or isn't.
        """
        ...

    async def moderated(
        self, guild: int, before: int | None = None, limit: int = 10
    ) -> tuple[ModerationRow, ...]:
        """Return what was done in a server, the latest first; only what has a number below `before`."""
        ...

    async def moderation(self, number: int) -> ModerationRow | None:
        """Return one row of the log, or None."""
        ...

    async def forbidden(self, guild: int, users: Collection[int]) -> tuple[ModerationRow, ...]:
        """Return the rows by which some people are forbidden to play in a server, by user."""
        ...

    async def block(self, user: int, other: int, at: datetime, most: int) -> bool:
        """Let a person block another one; return False if they block `most` others."""
        ...

    async def unblock(self, user: int, other: int) -> bool:
        """End a block; return whether there was one."""
        ...

    async def blocked_by(self, user: int) -> tuple[int, ...]:
        """Return whom a person blocks, the latest first."""
        ...

    async def blocks_among(self, users: Collection[int]) -> tuple[tuple[int, int], ...]:
        """Return who blocks whom of some people, as pairs in order."""
        ...
