"""Sends what commits left in the outbox, in order within a lane, whatever fails on the way.

A commit writes the messages it asks for into the outbox in its own transaction, so that neither a move nor
its board is ever lost. Rows are sent afterwards, here. A lane is a match, a mirror or one person's direct
messages: its rows go one after the other, and no lane waits for another. A row that fails stays in the
outbox; what the failure means decides whether it is tried again later (a fault that passes), dropped (its
place is gone), or told to the people of the match (they can do something). `posting` sees to it that a
message stands once, `deliveries` makes the messages.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

import aiohttp
import discord

from bot.context import Context
from bot.outbound import delivery_failures
from bot.outbound.deliveries import Deliveries
from bot.outbound.posting import GoneError, Poster
from bot.platform.recent import Recent
from matches.ports import OutboxRow

log = logging.getLogger(__name__)

_UNKNOWN_CHANNEL = 10003
_NO_ACCESS = frozenset({50001, 50013})
_DM_CLOSED = 50007
_ARCHIVED_LOCKED = 50083
_RETRY_FIRST, _RETRY_MOST = timedelta(seconds=1), timedelta(minutes=10)
_PERMISSION_WAIT = timedelta(minutes=1)


class Publisher:
    """Drains the outbox. `drain` is called at the end of every handler and by a poller."""

    def __init__(self, ctx: Context, started: datetime) -> None:
        """Rows from before `started` may have been sent by an earlier process."""
        self._ctx = ctx
        self._hosts_told: Recent[tuple[str, int]] = Recent(1024)
        self._busy: set[str] = set()
        self._poster = Poster(ctx, started)
        self._deliveries = Deliveries(ctx, self._poster)

    async def drain(self) -> None:
        """Send all that is due. Lanes go on beside each other, a lane in order; errors stay in their row."""
        while True:
            rows = [r for r in await self._ctx.store.outbox(self._ctx.clock.now()) if self._free(r)]
            if not rows:
                return
            await asyncio.gather(*(self._serve_lane(row) for row in rows))

    async def _serve_lane(self, row: OutboxRow | None) -> None:
        """A row and those due behind it: a lane never waits for a slow one that was drained with it."""
        while row is not None and self._free(row):
            lane = row.draft.lane
            await self._serve(row)
            due = await self._ctx.store.outbox(self._ctx.clock.now())
            row = next((r for r in due if r.draft.lane == lane), None)

    def _free(self, row: OutboxRow) -> bool:
        return row.draft.lane not in self._busy

    async def _serve(self, row: OutboxRow) -> None:
        lane = row.draft.lane
        if lane in self._busy:
            return
        self._busy.add(lane)
        try:
            await self._deliveries.serve(row)
            self._poster.done(row)
        except (discord.HTTPException, discord.RateLimited, OSError, aiohttp.ClientError) as error:
            await self._failed(row, error)
        except GoneError:
            await self._unreachable(row, "channel")
        except Exception as error:
            log.exception("a message could not be made", extra={"row": row.id, "match": row.draft.match})
            await self._later(row, error)
        finally:
            self._busy.discard(lane)

    # --- failures -------------------------------------------------------------------------------------

    async def _failed(self, row: OutboxRow, error: Exception) -> None:
        code = getattr(error, "code", 0)
        if isinstance(error, discord.NotFound) and code == _UNKNOWN_CHANNEL:
            await self._unreachable(row, "channel")
        elif isinstance(error, discord.Forbidden) and code == _DM_CLOSED:
            await self._ctx.store.outbox_drop(row.id, "direct messages are closed")
            await delivery_failures.direct_messages_closed(self._ctx, row.draft, self._hosts_told)
        elif isinstance(error, discord.Forbidden) and code in _NO_ACCESS:
            if row.draft.kind == "mirror":
                await self._drop_mirror(row)
            else:
                await self._unreachable(row, "permission")
        elif isinstance(error, discord.HTTPException) and code == _ARCHIVED_LOCKED:
            await self._unreachable(row, "locked")
        else:
            await self._later(row, error)

    async def _later(self, row: OutboxRow, error: Exception) -> None:
        wait = min(_RETRY_FIRST * 2 ** min(row.tries, 12), _RETRY_MOST)
        if isinstance(error, discord.RateLimited):
            wait = max(wait, timedelta(seconds=error.retry_after))
        log.warning(
            "a message waits for another try",
            extra={"row": row.id, "match": row.draft.match, "tries": row.tries + 1, "error": repr(error)},
        )
        await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + wait, repr(error)[:500])

    async def _unreachable(self, row: OutboxRow, why: str) -> None:
        """Nothing is lost: the match goes on waiting, its people are told once, and how to go on."""
        draft = row.draft
        if draft.kind == "mirror":
            await self._drop_mirror(row)
            return
        if draft.kind == "dm" or draft.user is not None:
            await self._ctx.store.outbox_drop(row.id, why)
            return
        current = await self._ctx.service.queries.row(draft.match)
        if why == "channel":
            await self._ctx.store.outbox_drop(row.id, why)
        else:
            await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + _PERMISSION_WAIT, why)
        if current is not None and not current.unreachable:
            await delivery_failures.unreachable(self._ctx, current, why)

    async def _drop_mirror(self, row: OutboxRow) -> None:
        await self._ctx.store.outbox_drop(row.id, "mirror gone")
        await self._ctx.service.channels.unwatch(row.draft.match, int(row.draft.payload["channel"]))
