"""The stories of finished matches: told in a worker thread, once for all who ask, and cached."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from cachetools import LRUCache

from games.ai.analysis import Analysis
from matches.core import Core
from matches.store.rows import MatchRow
from matches.story import Story, story_of
from matches.threads import in_thread

MAX_CACHED: Final = 64
"""Maximum number of cached stories; one has at most some 100 kB."""


class Stories:
    """Tells stories, one after the other."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._turn = asyncio.Lock()
        self._told: LRUCache[tuple[str, int, str], asyncio.Future[Story | None]] = LRUCache(MAX_CACHED)

    async def of(self, row: MatchRow, analysis: Analysis | None = None) -> Story | None:
        """Return the story of a match; None if it isn't over, has no result, or nobody moved.

        `analysis` is that of the match, if it has been analysed. Raises as `Queries.at`.
        """
        if row.status != "over":
            return None
        key = (row.id, row.version, "" if analysis is None else analysis.source)
        told = self._told.get(key)
        if told is None or (told.done() and (told.cancelled() or told.exception())):
            told = self._told[key] = asyncio.ensure_future(self._tell(row, analysis))
        return await asyncio.shield(told)

    async def _tell(self, row: MatchRow, analysis: Analysis | None) -> Story | None:
        match = (await self._core.newest(row.id, row.version)).match
        took = await self._took(row)
        async with self._turn:
            return await in_thread(story_of, match, took, analysis)

    async def _took(self, row: MatchRow) -> timedelta | None:
        """Return the time from the start of a match to its end."""
        log = await self._core.store.log(row.id)
        return log[-1].at - log[0].at if log else None
