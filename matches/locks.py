"""One lock for each match, kept in memory only while someone holds it or waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Slot:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    changes: int = 0


@dataclass(frozen=True, slots=True)
class HeldLock:
    """A lock being held. `moved_on` means that an earlier holder called `changed` while we waited."""

    slot: _Slot
    moved_on: bool

    def changed(self) -> None:
        """Record that something has changed, for those who are waiting."""
        self.slot.changes += 1


class Locks:
    """Locks by key; unused ones are dropped, so that idle matches take no memory."""

    __slots__ = ("_slots",)

    def __init__(self) -> None:
        self._slots: dict[str, _Slot] = {}

    def __len__(self) -> int:
        return len(self._slots)

    @asynccontextmanager
    async def hold(self, key: str) -> AsyncIterator[HeldLock]:
        """Hold the lock of a key; first come, first served."""
        slot = self._slots.setdefault(key, _Slot())
        slot.users += 1
        changes = slot.changes
        try:
            async with slot.lock:
                yield HeldLock(slot, slot.changes != changes)
        finally:
            slot.users -= 1
            if not slot.users:
                del self._slots[key]
