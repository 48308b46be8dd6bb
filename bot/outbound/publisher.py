"""Send the messages in the outbox, in order within each lane, and decide what to do about failures.

A commit writes its messages into the outbox in the same transaction, so that neither a move nor its board is
ever lost. Rows are sent afterwards, here. A lane is a match, a mirror or one person's direct messages: its
rows are sent one after the other, and no lane waits for another. A row that fails stays in the outbox. By
the kind of failure it is tried again later (a fault that passes), dropped (its channel is gone), or reported
to the people of the match (they can do something about it). `posting` ensures that a message is posted once;
`deliveries` makes the messages.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Literal, TypeAlias

import aiohttp
import discord

from bot.context import Context
from bot.outbound import delivery_failures
from bot.outbound.deliveries import Deliveries
from bot.outbound.posting import GoneError, Poster
from bot.platform.recent import RecentKeys
from matches.ports import OutboxRow, StoreError

log = logging.getLogger(__name__)
Verdict: TypeAlias = Literal["sent", "waits", "dropped"]
"""What became of a row. Rows of the same lane behind one that waits have to wait too."""

_UNKNOWN_CHANNEL = 10003
_NO_ACCESS = frozenset({50001, 50013})
_DM_CLOSED = frozenset({50007, 50278})
_ARCHIVED_LOCKED = frozenset({50083, 160005})
_RETRY_FIRST, _RETRY_MOST = timedelta(seconds=1), timedelta(minutes=10)
_PERMISSION_WAIT = timedelta(minutes=1)
_AT_ONCE = 100
"""Maximum number of rows read at a time."""


class Publisher:
    """Drains the outbox. `drain` is called at the end of every handler and by a poller."""

    def __init__(self, ctx: Context, inherited: int) -> None:
        """Rows with ids up to `inherited` may have been sent by an earlier process."""
        self._ctx = ctx
        self._hosts_told: RecentKeys[tuple[str, int]] = RecentKeys(1024)
        self._busy: set[str] = set()
        self._more: set[str] = set()
        """Busy lanes that have got new rows since."""
        self._poster = Poster(ctx, inherited)
        self._deliveries = Deliveries(ctx, self._poster)

    async def drain(self) -> None:
        """Send all rows that are due: lanes concurrently, the rows of a lane in order.

        A lane that another call is busy with is left to that call, which then sends the new rows too. Raises
        StoreError if not even a failure can be recorded.
        """
        lanes: dict[str, list[OutboxRow]] = {}
        rows = await self._due()
        for row in rows:
            lanes.setdefault(row.draft.lane, []).append(row)
        self._more.update(lanes.keys() & self._busy)
        mine = lanes.keys() - self._busy
        self._busy |= mine  # before any await: no other call may send these rows
        served = await asyncio.gather(*(self._serve_lane(lane, lanes[lane]) for lane in mine))
        if len(rows) == _AT_ONCE or not all(served):
            await self.drain()  # more rows are due, or a failure has queued messages

    async def _due(self) -> tuple[OutboxRow, ...]:
        return await self._ctx.store.outbox(self._ctx.clock.now(), _AT_ONCE)

    async def _serve_lane(self, lane: str, rows: Sequence[OutboxRow]) -> bool:
        """Send rows in order up to the first that must wait, then those that have come since.

        Return whether all of them were sent.
        """
        sent = True
        try:
            while rows:
                self._more.discard(lane)
                for row in rows:
                    verdict = await self._serve(row)
                    sent &= verdict == "sent"
                    if verdict == "waits":
                        return False
                if lane not in self._more:
                    break
                rows = [row for row in await self._due() if row.draft.lane == lane]
        finally:
            self._busy.discard(lane)
        return sent

    async def _serve(self, row: OutboxRow) -> Verdict:
        """Deliver a row, and handle its failure."""
        try:
            await self._deliveries.serve(row)
        except (discord.HTTPException, discord.RateLimited, OSError, aiohttp.ClientError) as error:
            return await self._failed(row, error)
        except GoneError:
            return await self._unreachable(row, "channel")
        except StoreError as error:
            return await self._later(row, error)
        except Exception as error:
            log.exception("a message could not be made", extra={"row": row.id, "match": row.draft.match})
            return await self._later(row, error)
        self._poster.done(row)
        return "sent"

    # --- failures -------------------------------------------------------------------------------------

    async def _failed(self, row: OutboxRow, error: Exception) -> Verdict:
        """Retry, drop or report a row, by the error's code."""
        code = getattr(error, "code", 0)
        if isinstance(error, discord.NotFound) and code == _UNKNOWN_CHANNEL:
            return await self._unreachable(row, "channel")
        if isinstance(error, discord.Forbidden) and code in _DM_CLOSED:
            await self._ctx.store.outbox_drop(row.id, "direct messages are closed")
            await delivery_failures.direct_messages_closed(self._ctx, row.draft, self._hosts_told)
            return "dropped"
        if isinstance(error, discord.Forbidden) and code in _NO_ACCESS:
            return await self._unreachable(row, "permission")
        if isinstance(error, discord.HTTPException) and code in _ARCHIVED_LOCKED:
            return await self._unreachable(row, "locked")
        return await self._later(row, error)

    async def _later(self, row: OutboxRow, error: Exception) -> Verdict:
        wait = min(_RETRY_FIRST * 2 ** min(row.tries, 12), _RETRY_MOST)
        if isinstance(error, discord.RateLimited):
            wait = max(wait, timedelta(seconds=error.retry_after))
        log.warning(
            "a message waits for another try",
            extra={"row": row.id, "match": row.draft.match, "tries": row.tries + 1, "error": repr(error)},
        )
        await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + wait, repr(error)[:500])
        return "waits"

    async def _unreachable(self, row: OutboxRow, why: str) -> Verdict:
        """Drop or postpone a row whose channel can't be reached, and tell the match's people once."""
        draft = row.draft
        if draft.kind == "mirror":
            await self._drop_mirror(row)
            return "dropped"
        if draft.kind == "dm" or draft.user is not None:
            await self._ctx.store.outbox_drop(row.id, why)
            return "dropped"
        current = await self._ctx.service.queries.row(draft.match)
        if why == "channel":
            await self._ctx.store.outbox_drop(row.id, why)
        else:
            await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + _PERMISSION_WAIT, why)
        if current is not None and not current.unreachable:
            await delivery_failures.unreachable(self._ctx, current, why)
        return "dropped" if why == "channel" else "waits"

    async def _drop_mirror(self, row: OutboxRow) -> None:
        await self._ctx.store.outbox_drop(row.id, "mirror gone")
        await self._ctx.service.channels.unwatch(row.draft.match, int(row.draft.payload["channel"]))
