"""Keep an error in one event or task from ending more than its own work."""

from __future__ import annotations

import logging
from collections.abc import Awaitable

import discord

from bot.platform.counters import Counters
from matches.ports import StoreError

log = logging.getLogger(__name__)


async def unless_store_fails(work: Awaitable[None]) -> None:
    """Leave what the database fails for to the pollers: the change itself is committed."""
    try:
        await work
    except StoreError as error:
        log.warning("the database can't be used now", extra={"error": str(error)})


class ErrorGuard:
    """Awaits what an event or a poller of a client has to do; errors are logged and counted."""

    def __init__(self, client: discord.Client, counters: Counters) -> None:
        self._client = client
        self._counters = counters

    async def run(self, work: Awaitable[None]) -> None:
        """Await the work, whatever fails in it."""
        try:
            await work
        except Exception as error:
            if (
                self._client.is_closed()
            ):  # the store is closed, too: what was begun is done after the next start
                log.info("an event was cut short by the end", extra={"error": repr(error)})
                return
            self._counters.add("events that failed")
            log.exception("an event could not be handled")

    async def run_on_store(self, work: Awaitable[None]) -> None:
        """Await the work; a database that can't be used now is no error of it."""
        await self.run(unless_store_fails(work))
