"""The holders of seats in the store in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from matches.store.rows import Commit, SeatHolder
from tests.fakes.base import MemoryBase, in_ms


@dataclass
class MemoryHolders(MemoryBase):
    """Who held which seat."""

    held: dict[tuple[str, int, int], SeatHolder] = field(default_factory=dict)

    def record_holders(self, commit: Commit) -> None:
        """Keep the holders of a commit; those that are known stay as they are."""
        for one in commit.holders:
            self.held.setdefault((one.match, one.seat, one.since), replace(one, at=in_ms(one.at)))

    async def holders(self, match_id: str) -> tuple[SeatHolder, ...]:
        """Return the holders of a match by seat and entry."""
        return tuple(self.held[key] for key in sorted(self.held) if key[0] == match_id)
