"""Send the messages in the outbox, in order within each lane; `matches.outbox.lanes` has the rules.

`posting` ensures that a message is posted once; `kinds` makes the messages; `delivery_failures` decides
about those that Discord doesn't take.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from datetime import datetime

import aiohttp
import discord

from bot.context import Context
from bot.outbound import remedies
from bot.outbound.delivery_failures import DeliveryFailures, Verdict
from bot.outbound.kinds.by_type import Kinds
from bot.outbound.posting import AwayError, GoneError, NotOursError, Poster
from bot.outbound.remedies import Remedy
from bot.platform.in_progress import InProgress
from matches.outbox import lanes
from matches.outbox.queue import OutboxRow
from matches.ports import StoreError

log = logging.getLogger(__name__)

_UNHEARD = 3
"""When this many messages have failed in a row, each on its own, Discord counts as taking none."""
_AT_ONCE = 100
"""Maximum number of rows read at a time."""


class Publisher:
    """Drains the outbox. `drain` is called at the end of every handler and by a poller."""

    def __init__(self, ctx: Context, inherited: int) -> None:
        """Rows with ids up to `inherited` may have been sent by an earlier process."""
        self._ctx = ctx
        self._busy: set[str] = set()
        self.sending = InProgress()
        """The lanes that are being sent."""
        self._more: set[str] = set()
        """Busy lanes that have got new rows since."""
        self._poster = Poster(ctx, inherited)
        self._kinds = Kinds(ctx, self._poster)
        self._failures = DeliveryFailures(ctx, self._poster, self._kinds)
        self._paused_until: datetime | None = None
        self._pauses = 0
        """Pauses since Discord last answered as itself."""
        self._unsent: set[int] = set()
        """Rows that have failed since the last one was sent, and not for reasons of their own."""

    @property
    def discord_is_down(self) -> bool:
        """Whether Discord takes nothing from us at the moment, so that people can't see their matches."""
        return len(self._unsent) >= _UNHEARD

    def share(self) -> None:
        """Note that another process may have sent what this one has begun to send."""
        self._poster.forget_begun()

    async def drain(self) -> None:
        """Send all rows that are due: lanes concurrently, the rows of a lane in order.

        A lane that another call is busy with is left to that call, which then sends the new rows too. Raises
        StoreError if not even a failure can be recorded.
        """
        if self._paused_until is not None and self._ctx.clock.now() < self._paused_until:
            return
        by_lane: dict[str, list[OutboxRow]] = {}
        rows = await self._due()
        for row in rows:
            by_lane.setdefault(row.draft.lane, []).append(row)
        self._more.update(by_lane.keys() & self._busy)
        mine = [lane for lane in by_lane if lane not in self._busy]
        self._busy.update(mine)  # before any await: no other call may send these rows
        with self.sending:
            served = await asyncio.gather(*(self._serve_lane(lane, by_lane[lane]) for lane in mine))
        if len(rows) == _AT_ONCE or not all(served) or self._poster.take_queued():
            await self.drain()  # more rows are due, or a failure, a ping or a plan has queued messages

    async def _due(self) -> tuple[OutboxRow, ...]:
        return await self._ctx.store.outbox(self._ctx.clock.now(), _AT_ONCE)

    async def _serve_lane(self, lane: str, rows: Sequence[OutboxRow]) -> bool:
        """Send rows in order up to the first that must wait, then those that have come since.

        Return whether all of them were sent, and nothing else can be due now.
        """
        sent = True
        try:
            while rows:
                self._more.discard(lane)
                for row in await self._merged(rows):
                    verdict = await self._serve(row)
                    sent &= verdict == "sent"
                    if verdict == "waits":
                        return False
                if lane not in self._more:
                    break
                rows = [row for row in await self._due() if row.draft.lane == lane]
                sent = False  # what was sent before was late: a ping in it may be withdrawn by now
        finally:
            self._busy.discard(lane)
        return sent

    async def _merged(self, rows: Sequence[OutboxRow]) -> Sequence[OutboxRow]:
        """Return the rows of a lane with its stale boards merged into the newest."""
        if any(self._poster.is_confirmed(row) for row in rows):
            return rows  # posted, and only to be recorded
        merged = lanes.merge(rows, self._ctx.clock.now())
        if merged is None:
            return rows
        try:
            if await self._kinds(rows[0].draft.message).record_posted(rows[0], rows[0].draft.message):
                self._poster.done(rows[0])
                return await self._merged(rows[1:])
        except _EXPECTED:
            return rows  # the row itself will fail, and wait
        log.info("boards are merged", extra={"match": rows[0].draft.match, "covered": len(merged.covered)})
        await self._ctx.store.outbox_merge(merged.kept.id, merged.kept.draft.message, merged.covered)
        return merged.rows

    async def _serve(self, row: OutboxRow) -> Verdict:
        """Deliver a row, and handle its failure."""
        verdict: Verdict = "again"
        while verdict == "again":
            verdict = await self._try(row)
        return verdict

    async def _try(self, row: OutboxRow) -> Verdict:
        if not self._ctx.guilds.shards.in_time:
            return "waits"
        try:
            await self._kinds(row.draft.message).deliver(row, row.draft.message)
        except NotOursError:
            return "waits"
        except _EXPECTED as error:
            failed: Exception = error
        except Exception as error:
            log.exception("a message could not be made", extra={"row": row.id, "match": row.draft.match})
            failed = error
        else:
            self._poster.done(row)
            self._pauses = 0
            self._unsent.clear()
            if row.draft.user in self._failures.closed and row.draft.user is not None:
                await self._revive(row.draft.user)
            return "sent"
        what = self._failures.read(failed)
        if what.remedy in (Remedy.RETRY, Remedy.PAUSE):
            self._unsent.add(row.id)
        if what.remedy is Remedy.PAUSE:
            self._pause(what.label)
        elif isinstance(failed, discord.HTTPException):
            self._pauses = 0
        return await self._failures.handle(row, failed, what)

    def _pause(self, label: str) -> None:
        """Send nothing for a while: Discord, or the proxy in front of it, answers none of our requests."""
        now = self._ctx.clock.now()
        if self._paused_until is not None and now < self._paused_until:
            return
        wait = remedies.doubled(remedies.PAUSE_FIRST, self._pauses, remedies.PAUSE_MOST)
        self._pauses += 1
        self._paused_until = now + wait
        log.error("sending pauses", extra={"code": label, "seconds": wait.total_seconds()})
        self._ctx.counters.add(f"messages: pause ({label})")

    # --- what waits for something to be back ----------------------------------------------------------

    def expect(self, awaited: Collection[str]) -> None:
        """Take over what the messages wait for that an earlier process has parked."""
        people = (lanes.awaited_person(until) for until in awaited)
        self._failures.closed.update(person for person in people if person is not None)

    async def dm_reopened(self, user: int) -> None:
        """Send what was parked because a person took no direct messages: they have written to us."""
        if user in self._failures.closed:
            await self._revive(user)
            await self.drain()

    async def _revive(self, user: int) -> None:
        await self._ctx.store.outbox_revive(lanes.until_heard_from(user), self._ctx.clock.now())
        self._failures.closed.discard(user)

    async def guild_changed(self, guild: int) -> None:
        """Try what waits in a server at once: a right was given, a thread unlocked, or the bot was removed.

        In a server without the bot nothing is sent: it is parked.
        """
        pending = await self._ctx.store.outbox_pending()
        for match in dict.fromkeys(row.draft.match for row in pending):
            row = await self._ctx.service.queries.row(match)
            if row is not None and row.place.guild == guild:
                await self._ctx.store.outbox_hurry(match, self._ctx.clock.now())
        await self.drain()

    async def guilds_back(self) -> None:
        """Revive the messages of matches whose server the bot is in again."""
        for row in await self._ctx.store.unreachable("guild"):
            if self._ctx.guilds.get(row.place.guild) is not None:
                await self._ctx.service.channels.mark_reachable(row.id)
        await self.drain()


_EXPECTED = (
    discord.HTTPException,
    discord.RateLimited,
    OSError,
    aiohttp.ClientError,
    AwayError,
    GoneError,
    StoreError,
)
