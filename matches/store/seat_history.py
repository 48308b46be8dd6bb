"""What the store knows of those who held the seats of a match. Part of the protocol of a Store."""

from __future__ import annotations

from typing import Protocol

from matches.store.rows import SeatHolder


class SeatHistory(Protocol):
    """Who held which seat, and from when on. It is written by commits."""

    async def holders(self, match_id: str) -> tuple[SeatHolder, ...]:
        """Return all who held a seat that has changed hands, by seat and entry; empty if none has."""
        ...
