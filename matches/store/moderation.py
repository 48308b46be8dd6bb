"""What moderators have done, whom they forbid to play, who blocks whom: rows, and their part of the Store.

A reason is one line of at most `MAX_REASON` characters, without controls. What shows it has to escape it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, Protocol, TypeAlias

from matches.outbox.queue import Draft

Action: TypeAlias = Literal[
    "pause",
    "resume",
    "end",
    "draw",
    "win",
    "time",
    "remove",
    "computer",
    "offer",
    "move",
    "clear",
    "forbid",
    "lift",
]
"""What a moderator does: to a match (also `move`), a seat, an open lobby (`clear`), or a person."""
MAX_REASON: Final = 200
"""Maximum length of a reason that a moderator or operator gives, in characters."""
WHOLE_BOT: Final = 0
"""In place of a server, in rows of the operators: the person of the row is excluded from the whole bot."""
EXCLUDED_SERVERS: Final = -1
"""The same for servers: the id of the excluded server stands in place of the person's."""
MAX_BLOCKED: Final = 200
"""Maximum number of people whom one person blocks."""


@dataclass(frozen=True, slots=True)
class ModerationRow:
    """One thing that a moderator of a server did, and why."""

    guild: int
    moderator: int
    action: Action
    reason: str
    at: datetime
    match: str = ""
    person: int | None = None
    """Whom it was about, if that is a person."""
    detail: str = ""
    """How many seconds were given, the level of a computer, the channel moved to, or when an exclusion ends
    (seconds since 1970)."""
    number: int = 0
    """Its number in the store; 0 before it is there."""

    @property
    def until(self) -> datetime | None:
        """When an exclusion ends; None if it has no end."""
        return datetime.fromtimestamp(int(self.detail), UTC) if self.detail else None


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
