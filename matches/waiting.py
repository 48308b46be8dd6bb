"""What takes long: runs that others wait for, and one of a kind at a time for each person."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(eq=False, kw_only=True)
class Run:
    """Something in progress that has an end."""

    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self, seconds: float) -> bool:
        """Wait for the end for a number of seconds at most; return whether it has ended."""
        try:
            async with asyncio.timeout(seconds):
                await self.ended.wait()
        except TimeoutError:
            pass
        return self.ended.is_set()


class OnePerPerson:
    """Who waits for an answer that costs much: one at a time for each."""

    def __init__(self) -> None:
        self._users: set[int] = set()

    @contextmanager
    def hold(self, user: int) -> Iterator[bool]:
        """Note that a person waits; the value is whether they didn't before."""
        if user in self._users:
            yield False
            return
        self._users.add(user)
        try:
            yield True
        finally:
            self._users.discard(user)
