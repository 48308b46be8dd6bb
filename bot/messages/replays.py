"""Animate whole matches, without holding up the pictures of boards.

A long match takes many seconds to replay and draw. So replays have a worker thread of their own, in which
they wait for each other; boards use the common threads. A replay is made once for all who see the same side
in the same language and theme, and the latest ones are cached.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

from cachetools import LRUCache

import render
from bot.messages.scenes import frame, frames_of
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.scene import Scene
from matches.since import Absence

MAX_CACHED = 16 * 1024 * 1024
"""Maximum size of all cached replays together, in bytes."""


class Replay(NamedTuple):
    """A match as an animated GIF, and the alt text of its last position."""

    data: bytes
    alt: str


_Key: TypeAlias = tuple[str, int, int, Seat | None, str, str]
"""Match, first and last entry, seat, language and theme."""


class Replays:
    """Makes replays, one after the other."""

    def __init__(self, fetch: Callable[[Scene], Awaitable[Scene]]) -> None:
        """`fetch` adds the picture and mask of an uploaded map to its scene."""
        self._fetch = fetch
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replay")
        self._running: dict[_Key, asyncio.Future[Replay]] = {}
        self._made: LRUCache[_Key, Replay] = LRUCache(MAX_CACHED, getsizeof=lambda made: len(made.data))
        self._asked: set[tuple[int, str]] = set()

    @contextmanager
    def asked_by(self, user: int, match_id: str) -> Iterator[bool]:
        """Note that a person waits for a replay of a match; the value is whether they didn't before."""
        asked = (user, match_id)
        if asked in self._asked:
            yield False
            return
        self._asked.add(asked)
        try:
            yield True
        finally:
            self._asked.discard(asked)

    async def replay(self, match: Match, reader: Reader) -> Replay:
        """Return the replay of a match from the reader's side. Raises ValueError if it can't be drawn."""
        return await self._film((match.id, 0, match.seq), reader, lambda: frames_of(match, reader.seat))

    async def since(self, absence: Absence, reader: Reader) -> Replay:
        """Return what the reader's side has missed. Raises ValueError if it can't be drawn."""

        def frames() -> list[Scene]:
            return [frame(moment.match, moment.facts, reader.seat) for moment in absence.moments]

        return await self._film((absence.match.id, absence.first, absence.match.seq), reader, frames)

    async def _film(
        self, what: tuple[str, int, int], reader: Reader, frames: Callable[[], list[Scene]]
    ) -> Replay:
        key = (*what, reader.seat, reader.language, reader.theme)
        if (made := self._made.get(key)) is not None:
            return made
        running = self._running.get(key)
        if running is None:
            running = self._running[key] = asyncio.ensure_future(self._make(key, frames, reader))
        return await asyncio.shield(running)

    async def _make(self, key: _Key, frames: Callable[[], list[Scene]], reader: Reader) -> Replay:
        try:
            loop = asyncio.get_running_loop()
            drawn = await loop.run_in_executor(self._thread, frames)
            whole = [await self._fetch(each) for each in drawn]
            made = await loop.run_in_executor(self._thread, _animate, whole, reader)
            if len(made.data) <= MAX_CACHED:
                self._made[key] = made
            return made
        finally:
            del self._running[key]

    def close(self) -> None:
        """Drop the replays that wait; one that is being drawn ends on its own."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _animate(frames: Sequence[Scene], reader: Reader) -> Replay:
    data = render.animate(frames, reader.voice, theme=reader.theme)
    return Replay(data, render.alt_text(frames[-1], reader.voice))
