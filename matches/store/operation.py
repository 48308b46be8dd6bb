"""What an operator wants to know: the state of the outbox, and unexpected errors by their place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

MAX_GROUPS: Final = 300
"""Maximum number of groups of errors that are kept; those that were seen longest ago are dropped."""


@dataclass(frozen=True, slots=True)
class OutboxState:
    """The unsent messages of all matches at one moment."""

    waiting: int = 0
    """Number of messages in the outbox, those that are due later included."""
    oldest: datetime | None = None
    """When the oldest of them was queued; None if there is none."""
    due_since: datetime | None = None
    """Since when a message could have been sent that hasn't been; None if none can be sent now."""
    parked: int = 0
    """Number of messages laid aside until a channel, server or person is back."""
    dropped: int = 0
    """Number of messages that can never be sent."""

    def lateness(self, now: datetime) -> float:
        """Return for how many seconds a message has been due; 0 if none can be sent now."""
        return 0.0 if self.due_since is None else max(0.0, (now - self.due_since).total_seconds())

    def age(self, now: datetime) -> float:
        """Return how many seconds ago the oldest unsent message was queued; 0 if there is none."""
        return 0.0 if self.oldest is None else max(0.0, (now - self.oldest).total_seconds())


class OutboxMeasure(Protocol):
    """The part of the Store that measures the outbox."""

    async def outbox_state(self, now: datetime) -> OutboxState:
        """Return how many messages wait, since when, and how many were laid aside."""
        ...


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """The errors of one kind that were raised in one place. It has nothing of what the errors say."""

    place: str
    """Module, function and line of the innermost frame that is ours, as `bot.app:close:12`."""
    kind: str
    """The name of the exception's class."""
    count: int
    since: datetime
    """When the first one was seen."""
    latest: datetime
    version: str
    """The version of the program that raised the latest one."""
    told: datetime | None = None
    """When operators were notified of the group."""


class ErrorStore(Protocol):
    """Groups of errors."""

    async def note_errors(self, groups: Sequence[ErrorGroup], most: int = MAX_GROUPS) -> None:
        """Add what was counted to the groups of the same place and kind; keep the latest `most` groups."""
        ...

    async def error_groups(self) -> tuple[ErrorGroup, ...]:
        """Return all groups, those seen latest first."""
        ...

    async def errors_reported(self, groups: Collection[ErrorGroup], at: datetime) -> None:
        """Record when operators were notified of these groups."""
        ...

    async def clear_errors(self) -> int:
        """Remove all groups; return how many there were."""
        ...
