"""Draw pictures of boards in worker threads, and share each picture between all who ask for it.

The cache holds futures, so that a request for a picture that is still being drawn waits for the same one: a
mirror costs no second picture. The picture of an uploaded map is fetched before its board is drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import TypeAlias

from cachetools import LRUCache

import render
from bot.messages.outgoing import File
from bot.platform.reader_settings import Reader
from bot.platform.server_maps import missing_ground
from games.engine.lookback import MaterialChart, ShareChart, WinChart
from games.engine.message import Msg
from games.engine.scene import Scene
from matches.long_work import guarded, in_thread

Key: TypeAlias = tuple[Scene, str, str]
MAX_CACHED = 32
"""Maximum number of cached pictures, about 35 kB each."""


class Pictures:
    """Draws scenes for readers; caches the latest pictures by scene, language and theme."""

    def __init__(
        self,
        fetch: Callable[[Scene], Awaitable[Scene]],
        drawn: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """`fetch` adds the picture and mask of an uploaded map to its scene.

        `drawn` is called with how many seconds each picture took, the wait for a free thread included.
        """
        self._fetch = fetch
        self._report = drawn
        self._drawn: LRUCache[Key, asyncio.Future[bytes]] = LRUCache(MAX_CACHED)
        self._sheets: dict[tuple[str, str], asyncio.Future[bytes]] = {}

    def begin(self, scene: Scene, reader: Reader) -> asyncio.Future[bytes]:
        """Return the picture as a future, started now unless it is cached; a failed one is started again."""
        key = (scene, reader.language, reader.theme)
        drawn = self._drawn.get(key)
        if drawn is not None and not (drawn.done() and (drawn.cancelled() or drawn.exception())):
            return drawn
        if missing_ground(scene) is None:
            drawn = self._in_thread(scene, reader)
        else:
            drawn = asyncio.ensure_future(self._fetch_and_draw(scene, reader))
        self._drawn[key] = drawn
        return drawn

    async def picture(self, scene: Scene, reader: Reader) -> bytes:
        """Return a scene as PNG. Raises ValueError if it can't be drawn."""
        return await asyncio.shield(self.begin(scene, reader))

    async def file(self, scene: Scene, reader: Reader, name: str) -> File:
        """Return a scene as a PNG file with its alt text."""
        self.begin(scene, reader)
        alt = render.alt_text(scene, reader.say)  # written while it is drawn
        return name, await self.picture(scene, reader), alt

    async def uncached_file(self, scene: Scene, reader: Reader, name: str) -> File:
        """Return the same as `file`, uncached: the scene may hold megabytes."""
        alt = render.alt_text(scene, reader.say)
        return name, await in_thread(_draw, scene, reader.say, reader.theme), alt

    async def board_sheet(self, boards: Sequence[tuple[Scene, str]], reader: Reader) -> bytes:
        """Return boards with their names side by side as PNG; drawn once for each language and theme."""
        key = (reader.language, reader.theme)
        drawn = self._sheets.get(key)
        if drawn is None or (drawn.done() and (drawn.cancelled() or drawn.exception())):
            loop = asyncio.get_running_loop()
            drawn = loop.run_in_executor(None, guarded(_draw_sheet), boards, reader.say, reader.theme)
            self._sheets[key] = drawn
        return await asyncio.shield(drawn)

    async def chart(self, chart: WinChart | ShareChart | MaterialChart, reader: Reader) -> bytes:
        """Return a chart of a match as PNG."""
        return await in_thread(render.draw_chart, chart, reader.say, theme=reader.theme)

    async def rating_chart(self, chart: render.RatingChart, reader: Reader) -> bytes:
        """Return the chart of a rating as PNG."""
        return await in_thread(render.draw_rating_chart, chart, reader.say, theme=reader.theme)

    async def table(self, table: render.RankTable, reader: Reader) -> bytes:
        """Return a table of people as PNG."""
        return await in_thread(render.draw_table, table, reader.say, theme=reader.theme)

    async def _fetch_and_draw(self, scene: Scene, reader: Reader) -> bytes:
        return await self._in_thread(await self._fetch(scene), reader)

    def _in_thread(self, scene: Scene, reader: Reader) -> asyncio.Future[bytes]:
        loop = asyncio.get_running_loop()
        begun = perf_counter()
        drawn = loop.run_in_executor(None, guarded(_draw), scene, reader.say, reader.theme)
        drawn.add_done_callback(lambda _: self._report(perf_counter() - begun))
        return drawn


def _draw_sheet(boards: Sequence[tuple[Scene, str]], say: Callable[[Msg], str], theme: str) -> bytes:
    return render.draw_board_sheet(boards, say, theme=theme)


def _draw(scene: Scene, say: Callable[[Msg], str], theme: str) -> bytes:
    return render.draw(scene, say, theme=theme)
