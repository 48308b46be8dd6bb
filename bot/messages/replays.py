"""Animate matches, without holding up the pictures of boards.

Animations have a worker thread of their own, in which they wait for each other; boards use the common
threads. One is made once for all who see the same content in the same language and theme, and the latest are
cached.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from cachetools import LRUCache

import render
from bot.messages.scenes import frame
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.scene import Scene
from matches.lookback.since import Absence
from matches.threads import guarded
from matches.waiting import OnePerPerson, Run
from render import EndCard, FilmFrame

log = logging.getLogger(__name__)
MAX_CACHED = 16 * 1024 * 1024
"""Maximum size of all cached replays together, in bytes."""


class Replay(NamedTuple):
    """A part of a match as an animated GIF, and the alt text of its last position."""

    data: bytes
    alt: str


_Key: TypeAlias = tuple[str, int, int, Seat | None, str, str]
"""Match, first and last entry, seat, language and theme."""
_FilmKey: TypeAlias = tuple[tuple[Hashable, ...], Seat | None, str, str]
"""What a film's script says of its content, seat, language and theme."""


@dataclass(frozen=True)
class FilmScript:
    """What is to be animated; `frames` replays the match, in a worker thread."""

    content: tuple[Hashable, ...]
    """What decides the frames besides the reader: the match first, entries, side, names."""
    count: int
    """Number of frames."""
    frames: Callable[[], list[FilmFrame]]
    end: EndCard | None = None


@dataclass(eq=False)
class FilmRun(Run):
    """An animation in progress."""

    total: int
    done: int = 0
    """Number of frames that have been drawn."""
    made: Replay | None = None
    """The result; None as long as it is in progress, and if it failed."""
    task: asyncio.Future[None] | None = None


class Replays:
    """Makes replays, one after the other."""

    def __init__(self, fetch: Callable[[Scene], Awaitable[Scene]]) -> None:
        """`fetch` adds the picture and mask of an uploaded map to its scene."""
        self._fetch = fetch
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replay")
        self._running: dict[_Key, asyncio.Future[Replay]] = {}
        self._films: dict[_FilmKey, FilmRun] = {}
        self._made: LRUCache[_Key | _FilmKey, Replay] = LRUCache(
            MAX_CACHED, getsizeof=lambda made: len(made.data)
        )
        self.callers = OnePerPerson()

    def film(self, script: FilmScript, reader: Reader) -> FilmRun:
        """Return the animation of a script in progress, begun now unless it runs already or is cached.

        Its result fails with ValueError if it can't be drawn.
        """
        key = (script.content, reader.seat, reader.language, reader.theme)
        run = self._films.get(key)
        if run is None:
            run = self._films[key] = FilmRun(script.count)
            task = asyncio.ensure_future(self._make_film(key, script, reader, run))
            run.task = task
        return run

    async def _make_film(self, key: _FilmKey, script: FilmScript, reader: Reader, run: FilmRun) -> None:
        try:
            if (made := self._made.get(key)) is None:
                loop = asyncio.get_running_loop()
                drawn = await loop.run_in_executor(self._thread, guarded(script.frames))
                frames = [replace(each, scene=await self._fetch(each.scene)) for each in drawn]
                made = await loop.run_in_executor(self._thread, guarded(_film), frames, script, reader, run)
                if len(made.data) <= MAX_CACHED:
                    self._made[key] = made
            run.made = made
        except Exception:
            log.exception("%s: an animation can't be drawn", script.content[0])
        finally:
            del self._films[key]
            run.ended.set()

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
            drawn = await loop.run_in_executor(self._thread, guarded(frames))
            whole = [await self._fetch(each) for each in drawn]
            made = await loop.run_in_executor(self._thread, guarded(_animate), whole, reader)
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


def _film(frames: Sequence[FilmFrame], script: FilmScript, reader: Reader, run: FilmRun) -> Replay:
    def drawn(number: int) -> None:
        run.done = number

    data = render.film(frames, reader.voice, theme=reader.theme, end=script.end, progress=drawn)
    return Replay(data, render.alt_text(frames[-1].scene, reader.voice))
