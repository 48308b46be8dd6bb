"""Holders of seats in memory: a part of MemoryStore."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from matches.rows import Commit, SeatHolder

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass
class MemoryHolders:
    """Who held which seat."""

    held: dict[tuple[str, int, int], SeatHolder] = field(default_factory=dict, kw_only=True)

    def record_holders(self, commit: Commit) -> None:
        """Keep the holders of a commit; those that are known stay as they are."""
        for one in commit.holders:
            at = _EPOCH + (one.at - _EPOCH) // timedelta(milliseconds=1) * timedelta(milliseconds=1)
            self.held.setdefault((one.match, one.seat, one.since), replace(one, at=at))

    async def holders(self, match_id: str) -> tuple[SeatHolder, ...]:
        """Return the holders of a match by seat and entry."""
        return tuple(self.held[key] for key in sorted(self.held) if key[0] == match_id)
