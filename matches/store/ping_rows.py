"""The rows of pings that matches and their store exchange. No logic.

Each seat of a match has one row: what it waits for now, and what its person has been told of it. A change of
the match replaces the row in the same transaction, so a ping can always be compared with the turn it is for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from matches.outbox.messages import PingReason

TurnKind: TypeAlias = Literal["turn", "next", "result"]
"""What a row is about: the seat is to act, it acts after the one to act, or the match is over."""
PingState: TypeAlias = Literal["new", "known", "held", "digest", "told", "over"]
"""`new`: nothing decided. `known`: open, without a ping. `held`: pinged when due. `digest`: told in a digest
when due. `told`: pinged. `over`: no longer open."""

MAX_REMINDER: Final = timedelta(hours=24)
"""The longest time left at which a reminder can be wanted: the store looks no further ahead."""


@dataclass(frozen=True, slots=True)
class TurnChange:
    """What a change of a match means for a seat held by `user`: a row begins or ends, or it is missing alone.

    `acted` says that the person made the change, so that they know.
    """

    seat: int
    user: int
    what: Literal["turn", "next", "result", "over", "alone"]
    turn: int
    """The last entry of the change."""
    acted: bool = False


@dataclass(frozen=True, slots=True)
class PingRow:
    """What a seat waits for since entry `turn`, and what `user` was told of it."""

    match: str
    seat: int
    user: int
    turn: int
    kind: TurnKind
    state: PingState
    began: datetime
    due: datetime | None = None
    """When there is something to do: a ping that is held back, a digest, or a reminder at intervals."""
    sent: datetime | None = None
    """When the person was told last."""
    unseen: bool = False
    """Whether they have neither acted nor looked since a ping in this match."""
    alone: bool = False
    """Whether only they are missing, and that wasn't dealt with yet."""
    remind: timedelta = MAX_REMINDER
    """The time left at which to think of a reminder next; zero if none is to come."""
    reason: PingReason = "turn"
    """Why the next ping comes."""
    stamp: int = 0
    """Counts the changes of the row: a change of an older one is refused."""


@dataclass(frozen=True, slots=True)
class PingPost:
    """A message that pings someone: a board, or (`ours`) one that is nothing but a ping."""

    message: int
    user: int
    channel: int
    match: str
    seat: int
    turn: int
    ours: bool
    text: str
    """Its content as it was posted."""
