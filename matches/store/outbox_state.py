"""What an operator wants to know of the messages that wait to be sent, in numbers alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


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
