"""Pictures of boards, drawn in threads, each once: whoever asks for one that is being drawn shares it.

So a mirror costs no second picture, and a crowd that looks at the same board costs one. What the author of a
map drew is fetched first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from cachetools import LRUCache

import render
from bot.messages.outgoing import File
from bot.platform.readers import Reader
from bot.platform.server_maps import bare
from games.engine.message import Msg, msg
from games.engine.scene import Curve, Scene

Key: TypeAlias = tuple[Scene, str, str]
KEPT = 32
"""Pictures kept for a second asker, some 35 kB each."""


def text_board(scene: Scene, reader: Reader) -> str:
    """Return a board as text, in a code block that fits a phone."""
    return f"```\n{render.text_board(scene, reader.voice, narrow=True)}\n```"


def numbers_file(scene: Scene, reader: Reader) -> tuple[File, ...]:
    """Return what the numbers on a crowded map stand for, as one file; none for other boards."""
    listed = render.legend(scene.board)
    return (("countries.txt", listed.encode("utf-8-sig"), reader.say(msg("maps.numbers"))),) if listed else ()


class Pictures:
    """Draws scenes for readers, and keeps the latest by scene, language and theme."""

    def __init__(self, fetch: Callable[[Scene], Awaitable[Scene]]) -> None:
        """`fetch` lays under a map what its author drew."""
        self._fetch = fetch
        self._drawn: LRUCache[Key, asyncio.Future[bytes]] = LRUCache(KEPT)

    def begin(self, scene: Scene, reader: Reader) -> asyncio.Future[bytes]:
        """Start drawing a picture, unless it is being drawn or kept; one that failed is tried anew."""
        key = (scene, reader.language, reader.theme)
        drawn = self._drawn.get(key)
        if drawn is not None and not (drawn.done() and (drawn.cancelled() or drawn.exception())):
            return drawn
        if bare(scene) is None:
            drawn = self._in_thread(scene, reader)
        else:
            drawn = asyncio.ensure_future(self._with_ground(scene, reader))
        self._drawn[key] = drawn
        return drawn

    async def picture(self, scene: Scene, reader: Reader) -> bytes:
        """Return a board as PNG. Raises ValueError for a scene that can't be drawn."""
        return await asyncio.shield(self.begin(scene, reader))

    async def file(self, scene: Scene, reader: Reader, name: str) -> File:
        """Return a board as a file with its alt text."""
        self.begin(scene, reader)
        alt = render.alt_text(scene, reader.voice)  # said while it is drawn
        return name, await self.picture(scene, reader), alt

    async def once(self, scene: Scene, reader: Reader, name: str) -> File:
        """Return the same without keeping the picture: the scene may hold megabytes."""
        alt = render.alt_text(scene, reader.voice)
        return name, await asyncio.to_thread(_draw, scene, reader.voice, reader.theme), alt

    async def animation(self, frames: Sequence[Scene], reader: Reader) -> tuple[bytes, str]:
        """Return scenes as an animated GIF, and the alt text of the last one."""
        whole = [await self._fetch(frame) for frame in frames]
        data = await asyncio.to_thread(render.animate, whole, reader.voice, theme=reader.theme)
        return data, render.alt_text(whole[-1], reader.voice)

    async def curve(self, curve: Curve, reader: Reader) -> bytes:
        """Return a curve as PNG."""
        return await asyncio.to_thread(render.draw_win_chart, curve, reader.voice, theme=reader.theme)

    async def _with_ground(self, scene: Scene, reader: Reader) -> bytes:
        return await self._in_thread(await self._fetch(scene), reader)

    def _in_thread(self, scene: Scene, reader: Reader) -> asyncio.Future[bytes]:
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(None, _draw, scene, reader.voice, reader.theme)


def _draw(scene: Scene, voice: Callable[[Msg], str], theme: str) -> bytes:
    return render.draw(scene, voice, theme=theme)
