"""What moderators have done, as rows. No logic.

A reason is one line of at most `MAX_REASON` characters, without controls. What shows it has to escape it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

Action: TypeAlias = Literal[
    "pause",
    "resume",
    "end",
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
