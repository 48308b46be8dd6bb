"""Count what goes on at the moment, and wait for its end."""

from __future__ import annotations

import asyncio


class InProgress:
    """Work of one kind: each piece is done within `with`."""

    def __init__(self) -> None:
        self._count = 0
        self._idle = asyncio.Event()
        self._idle.set()

    def __enter__(self) -> None:
        self._count += 1
        self._idle.clear()

    def __exit__(self, *error: object) -> None:
        self._count -= 1
        if not self._count:
            self._idle.set()

    async def ended(self) -> None:
        """Wait until none of it goes on."""
        await self._idle.wait()
