"""Messages on their way: drafted with a change, then a row of the outbox until they are sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from matches.outbox.base import OutboxKind
from matches.outbox.messages import AnyMessage


@dataclass(frozen=True, slots=True)
class Draft:
    """A message to send after a commit. A lane is sent in order; lanes don't wait for each other."""

    message: AnyMessage
    match: str
    lane: str
    user: int | None = None
    """The person to whom it goes directly."""

    @property
    def kind(self) -> OutboxKind:
        """The kind of its message, as it is stored, counted and logged."""
        return self.message.kind

    @property
    def recipient(self) -> int | None:
        """The person in whose direct messages it is read; None for a channel."""
        return self.message.recipient(self.user)


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A message waiting to be sent. `nonce` stays the same for all tries, also after a restart."""

    id: int
    draft: Draft
    nonce: str
    created: datetime
    due: datetime
    tries: int = 0
    error: str = ""
