"""Draws pictures in threads, each once: who asks for one that is being drawn, or just was, shares it.

So a mirror costs no second picture, and a crowd that looks at the same board costs one. What the author of a
map drew is fetched first.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import render
from bot.maps import bare
from games.engine.message import Msg
from games.engine.scene import Scene

Key: TypeAlias = tuple[Scene, str, str]
KEPT = 32
"""Pictures kept for a second asker, some 35 kB each."""


class Studio:
    """Pictures by scene, language and theme."""

    def __init__(self, speak: Callable[[str], Callable[[Msg], str]]) -> None:
        self._speak = speak
        self._pictures: OrderedDict[Key, asyncio.Future[bytes]] = OrderedDict()
        self.fetch: Callable[[Scene], Awaitable[Scene]] | None = None
        """Lays under a map what its author drew."""

    def begin(self, scene: Scene, language: str, theme: str) -> asyncio.Future[bytes]:
        """Have a picture drawn, if it isn't; the event loop goes on. A failed one is tried anew."""
        key = (scene, language, theme)
        drawn = self._pictures.get(key)
        if drawn is not None and not (drawn.done() and (drawn.cancelled() or drawn.exception())):
            self._pictures.move_to_end(key)
            return drawn
        if self.fetch is not None and bare(scene) is not None:
            drawn = asyncio.ensure_future(self._fetched(scene, language, theme))
        else:
            drawn = self._run(scene, language, theme)
        self._pictures[key] = drawn
        while len(self._pictures) > KEPT:
            self._pictures.popitem(last=False)
        return drawn

    async def picture(self, scene: Scene, language: str, theme: str) -> bytes:
        """A picture as PNG. Raises ValueError for a scene that can't be drawn."""
        return await asyncio.shield(self.begin(scene, language, theme))

    async def whole(self, scene: Scene) -> Scene:
        """The scene with what lies under its map."""
        return scene if self.fetch is None else await self.fetch(scene)

    async def _fetched(self, scene: Scene, language: str, theme: str) -> bytes:
        return await self._run(await self.whole(scene), language, theme)

    def _run(self, scene: Scene, language: str, theme: str) -> asyncio.Future[bytes]:
        return asyncio.get_running_loop().run_in_executor(None, self._draw, scene, language, theme)

    def _draw(self, scene: Scene, language: str, theme: str) -> bytes:
        return render.draw(scene, self._speak(language), theme=theme)
