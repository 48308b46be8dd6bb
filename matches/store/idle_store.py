"""What the store knows of matches that nobody moves in. Part of the protocol of a Store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from matches.outbox.queue import Draft


@dataclass(frozen=True, slots=True)
class IdleState:
    """What happened last to a match without moves: its people were `asked`, or one wanted to go on."""

    asked: bool
    at: datetime


class IdleStore(Protocol):
    """In which matches nobody has moved for so long, and what their people were asked."""

    async def idle_due(self, now: datetime, patience: timedelta, limit: int = 100) -> tuple[str, ...]:
        """Return the live matches to look after, at most `limit`.

        They are of servers with the setting `idle`, in days. Nobody has moved in them for so long, and
        nobody wanted to go on; or their people were asked `patience` ago. While a clock runs none is idle.
        """
        ...

    async def idle_state(self, match_id: str, version: int) -> IdleState | None:
        """Return what was asked or answered last about a match at a log entry, or None."""
        ...

    async def note_idle(
        self, match_id: str, version: int, state: IdleState, drafts: Sequence[Draft] = ()
    ) -> bool:
        """Note what was asked or answered, and queue messages, in one transaction.

        Return False, changing nothing, if the match isn't live at that log entry, or was in that state.
        """
        ...
