"""One lock a match, kept only while somebody holds it or waits for it."""

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
class Held:
    """A lock that is held. `moved_on`: something was changed under it while we waited for it."""

    slot: _Slot
    moved_on: bool

    def changed(self) -> None:
        """Tell those who wait that they will find something new."""
        self.slot.changes += 1


class Locks:
    """Locks by key; unused ones vanish, so that a thousand resting matches cost nothing."""

    __slots__ = ("_slots",)

    def __init__(self) -> None:
        self._slots: dict[str, _Slot] = {}

    def __len__(self) -> int:
        return len(self._slots)

    @asynccontextmanager
    async def hold(self, key: str) -> AsyncIterator[Held]:
        """Hold the lock of a key; first come, first served."""
        slot = self._slots.setdefault(key, _Slot())
        slot.users += 1
        changes = slot.changes
        try:
            async with slot.lock:
                yield Held(slot, slot.changes != changes)
        finally:
            slot.users -= 1
            if not slot.users:
                del self._slots[key]
