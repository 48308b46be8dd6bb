"""Count how Discord answers our requests, and how fast we answer interactions.

Discord expects an answer to an interaction within three seconds, and bars an address after 10,000 answers of
401, 403 or 429 in ten minutes (https://docs.discord.com/developers/topics/rate-limits).
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from types import SimpleNamespace

import aiohttp
from cachetools import LRUCache

from bot.platform.counters import Counters

log = logging.getLogger(__name__)

SLOW = 2.0
"""Seconds after which an answer to an interaction counts as slow."""
_REMEMBERED = 1024
_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
_LIMITED, _REFUSED, _SERVER_ERROR = 429, (401, 403), 500


class RequestMeter:
    """Counts limits met, refusals, Discord's own errors, and slow answers to interactions."""

    def __init__(self, counters: Counters, now: Callable[[], float] = time.monotonic) -> None:
        self._counters = counters
        self._now = now
        self._begun: LRUCache[int, float] = LRUCache(_REMEMBERED)
        """When the interactions came in that aren't answered yet."""

    def trace(self) -> aiohttp.TraceConfig:
        """Return what the HTTP session has to be made with."""
        config = aiohttp.TraceConfig()
        config.on_request_end.append(self._on_request_end)
        return config

    async def _on_request_end(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        self.answered(params.url.path, params.response.status)

    def interaction_came(self, interaction: int) -> None:
        """Note that an interaction has come in."""
        self._begun[interaction] = self._now()

    def answered(self, path: str, status: int) -> None:
        """Count a request that Discord has answered."""
        if status == _LIMITED:
            self._counters.add("rate limits met")
        elif status in _REFUSED:
            self._counters.add("requests refused")
        elif status >= _SERVER_ERROR:
            self._counters.add("errors of Discord")
        if (found := _CALLBACK.search(path)) is not None:
            self._note_answer(int(found[1]))

    def _note_answer(self, interaction: int) -> None:
        begun = self._begun.pop(interaction, None)
        if begun is not None and (took := self._now() - begun) > SLOW:
            self._counters.add("slow answers")
            log.warning("slow answer", extra={"interaction": interaction, "seconds": round(took, 2)})
