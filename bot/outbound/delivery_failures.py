"""Decide what becomes of a message that Discord didn't take; `discord_errors` has the table.

In a server that the bot was removed from nothing is tried: messages are parked at once, until it is back. A
match is never closed for that: it waits with its server, and costs nothing.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Literal, TypeAlias

from bot.context import Context
from bot.outbound import discord_errors, reports
from bot.outbound.deliveries import Deliveries
from bot.outbound.discord_errors import Meaning, Remedy
from bot.outbound.posting import AwayError, GoneError
from matches.outbox.lanes import until_heard_from
from matches.outbox.messages import (
    Digest,
    DirectMessage,
    Finished,
    Follow,
    Mirror,
    ModerationPost,
    NewsMessage,
    PingMessage,
    PlanNews,
    Thread,
    Withdrawal,
)
from matches.outbox.queue import OutboxRow
from matches.ports import StoreError
from matches.store.rows import MatchRow

log = logging.getLogger(__name__)
Verdict: TypeAlias = Literal["sent", "again", "waits", "dropped"]
"""What became of a message. `again`: it is to be sent again at once, another way. Those behind one that waits
in its lane have to wait too."""

LONG_WAIT = timedelta(seconds=30)
_WAKING_TRIES = 3
"""How often a withdrawal waits for an archived thread to be woken, a minute each time."""
AWAY = Meaning(Remedy.GONE, "guild", "away")
"""The bot isn't in the server of the match."""


class DeliveryFailures:
    """Handles one failed message at a time. `closed` has the people who take no direct messages."""

    def __init__(self, ctx: Context, deliveries: Deliveries) -> None:
        self._ctx = ctx
        self._deliveries = deliveries
        self.closed: set[int] = set()

    def read(self, error: Exception) -> Meaning:
        """Return what an error means that was raised while a message was being sent."""
        if isinstance(error, AwayError):
            return AWAY
        if isinstance(error, GoneError):
            return Meaning(Remedy.GONE, "channel", "gone")
        return discord_errors.meaning(error)

    async def handle(self, row: OutboxRow, error: Exception, what: Meaning) -> Verdict:
        """Put off, park or drop a message, tell the people, or have it sent another way.

        They are told first: a crash in between tells them twice rather than never.
        """
        if isinstance(error, StoreError):
            return await self._later(row, error, what)
        draft, message = row.draft, row.draft.message
        direct = isinstance(message, Digest) or (isinstance(message, PingMessage) and message.dm)
        if what is not AWAY and (draft.user is not None or direct):
            what = discord_errors.about_person(what)
        if what.remedy in (Remedy.RETRY, Remedy.PAUSE):
            return await self._retry(row, error, what)
        if isinstance(message, DirectMessage | PlanNews):
            return await self._drop(row, what)
        if isinstance(message, ModerationPost):
            await reports.log_ended(self._ctx, message, what.label)
            return await self._drop(row, what)
        if message.fleeting:
            return await self._drop_ping(row, error, what)
        current = await self._ctx.service.queries.row(draft.match)
        if current is None:
            return await self._drop(row, what)
        away = self._ctx.guilds.has_left(current.place.guild)
        if away:
            drop = isinstance(message, Finished)
            return await (self._drop(row, AWAY) if drop else self._park(row, current, AWAY))
        if what.remedy is Remedy.PLAIN and message.pictured and self._deliveries.send_plainer(row):
            self._note(row, "fallback", what)
            return "again"
        if isinstance(message, Thread) and what.remedy is not Remedy.WAIT:
            self._note(row, "fallback", what)  # the match is played in the channel itself
            await self._ctx.store.outbox_sent(row.id, None)
            return "sent"
        if isinstance(message, Mirror):
            return await self._end_mirror(row, message, what)
        if isinstance(message, Finished):
            return await self._end_showcase(row, message, current, what)
        person = _reader(row, current)
        if person is not None:
            what = discord_errors.about_person(what)
            if what.remedy is Remedy.RETRY:
                return await self._retry(row, error, what)
            if what.remedy is Remedy.CLOSED:
                return await self._closed(row, current, person, what)
        if what.remedy in (Remedy.GONE, Remedy.CLOSED):
            return await self._park(row, current, what)
        if what.remedy is Remedy.WAIT:
            return await self._wait(row, current, error, what)
        await reports.unreachable(self._ctx, current, what.why, what.label)
        return await self._drop(row, what)

    # --- what passes ----------------------------------------------------------------------------------

    async def _retry(self, row: OutboxRow, error: Exception, what: Meaning) -> Verdict:
        age, message = self._ctx.clock.now() - row.created, row.draft.message
        if message.fleeting or isinstance(message, ModerationPost):
            parked = discord_errors.is_parked(what, age, row.tries)
            return await (self._drop(row, what) if parked else self._later(row, error, what))
        if not discord_errors.is_told(what, age, row.tries):
            return await self._later(row, error, what)
        if isinstance(message, Thread):
            self._note(row, "fallback", what)
            await self._ctx.store.outbox_sent(row.id, None)
            return "sent"
        parked = discord_errors.is_parked(what, age, row.tries)
        current = await self._ctx.service.queries.row(row.draft.match)
        if parked and (current is None or isinstance(message, DirectMessage | PlanNews | Finished)):
            return await self._drop(row, what)
        if parked and current is not None and isinstance(message, Mirror):
            return await self._end_mirror(row, message, what)
        if parked and current is not None and (person := _reader(row, current)) is not None:
            return await self._closed(row, current, person, what)
        if current is not None and current.place.guild is not None and message.at_home:
            await reports.unreachable(self._ctx, current, what.why, what.label)
        if parked:
            return await self._lay_aside(row, row.draft.match, what)
        return await self._later(row, error, what)

    async def _wait(self, row: OutboxRow, current: MatchRow, error: Exception, what: Meaning) -> Verdict:
        """Keep a message that people can do something about, and tell them."""
        await reports.unreachable(self._ctx, current, what.why, what.label)
        age = self._ctx.clock.now() - row.created
        if discord_errors.is_parked(what, age, row.tries):
            return await self._lay_aside(row, row.draft.match, what)
        return await self._later(row, error, what)

    async def _later(self, row: OutboxRow, error: Exception, what: Meaning) -> Verdict:
        wait = discord_errors.wait_before_next(what, row.tries)
        if wait >= LONG_WAIT:
            self._note(row, "long wait", what)
        else:
            log.info("a message waits for another try", extra=_about(row, what) | {"error": repr(error)})
        reason = what.why if what.remedy is Remedy.WAIT else repr(error)[:500]
        await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + wait, reason)
        return "waits"

    # --- what doesn't ---------------------------------------------------------------------------------

    async def _park(self, row: OutboxRow, current: MatchRow, what: Meaning) -> Verdict:
        """Lay a message aside whose channel or server is gone, and tell the people."""
        await reports.unreachable(self._ctx, current, what.why, what.label)
        return await self._lay_aside(row, row.draft.match, what)

    async def _closed(self, row: OutboxRow, current: MatchRow, user: int, what: Meaning) -> Verdict:
        """Lay a message aside until its reader writes to us, and tell the other players once."""
        until = until_heard_from(user)
        known = row.error == "person" or until in await self._ctx.store.outbox_awaited(row.draft.match)
        if not known:
            await reports.person_closed(self._ctx, current, user)
        self.closed.add(user)
        return await self._lay_aside(row, until, Meaning(what.remedy, "person", what.label))

    async def _lay_aside(self, row: OutboxRow, until: str, what: Meaning) -> Verdict:
        self._note(row, "parked", what)
        if isinstance(row.draft.message, Thread):
            return await self._lay_aside_with_all_behind(row, until, what)
        await self._ctx.store.outbox_park(row.id, until, what.why)
        return "dropped"

    async def _lay_aside_with_all_behind(self, row: OutboxRow, until: str, what: Meaning) -> Verdict:
        """Lay a thread aside and all that is to be posted in it: it would be posted in the channel."""
        pending = await self._ctx.store.outbox_pending(row.draft.match)
        behind = [each for each in pending if each.draft.lane == row.draft.lane and each.id > row.id]
        for each in (*reversed(behind), row):  # the thread last: if this is cut short, it is tried first
            await self._ctx.store.outbox_park(each.id, until, what.why)
        return "waits"

    async def _drop(self, row: OutboxRow, what: Meaning) -> Verdict:
        self._note(row, "dropped", what)
        await self._ctx.store.outbox_drop(row.id, what.label)
        return "dropped"

    async def _drop_ping(self, row: OutboxRow, error: Exception, what: Meaning) -> Verdict:
        """Drop a ping; one to a person who takes no direct messages comes where the match is played.

        A withdrawal in an archived thread waits for a while: the board that is on its way wakes the thread.
        One in a server without the bot waits until it is back, with the boards.
        """
        message = row.draft.message
        if isinstance(message, Withdrawal) and what is AWAY:
            current = await self._ctx.service.queries.row(row.draft.match)
            if current is not None and current.status == "live":
                return await self._park(row, current, what)
        if isinstance(message, Withdrawal) and what.why == "locked" and row.tries < _WAKING_TRIES:
            return await self._later(row, error, what)
        if what.remedy is Remedy.PLAIN and message.pictured and self._deliveries.send_plainer(row):
            self._note(row, "fallback", what)
            return "again"
        if isinstance(message, Follow | NewsMessage):
            if what.remedy is Remedy.CLOSED and row.draft.user is not None:
                await self._deliveries.watchers.closed(row.draft.user)
            return await self._drop(row, what)
        if what.remedy is Remedy.CLOSED and await self._deliveries.pings.fall_back(row):
            self._note(row, "fallback", what)
            return "waits"
        return await self._drop(row, what)

    async def _end_mirror(self, row: OutboxRow, mirror: Mirror, what: Meaning) -> Verdict:
        watches = await self._ctx.store.watches(row.draft.match)
        for watch in watches:
            if watch.channel == mirror.channel:
                await reports.mirror_ended(self._ctx, row.draft.match, watch, what.label)
        await self._ctx.service.channels.unwatch(row.draft.match, mirror.channel)
        return await self._drop(row, what)

    async def _end_showcase(
        self, row: OutboxRow, post: Finished, current: MatchRow, what: Meaning
    ) -> Verdict:
        """Switch off the showcase that takes no posts, and tell those who can put it right."""
        guild = self._ctx.guilds.get(current.place.guild)
        case = None if guild is None else await self._ctx.store.showcase(guild.id)
        if guild is not None and case is not None and case.channel == post.channel:
            await reports.showcase_ended(self._ctx, case, guild, what.label)
        return await self._drop(row, what)

    def _note(self, row: OutboxRow, event: str, what: Meaning) -> None:
        """Log and count what became of a message."""
        log.warning("a message: %s", event, extra=_about(row, what))
        self._ctx.counters.add(f"messages: {event} ({row.draft.kind}, {what.label})")


def _reader(row: OutboxRow, match: MatchRow) -> int | None:
    """Return the person to whose direct messages a message goes; None if it goes to a server."""
    return row.draft.user or (match.host if match.place.guild is None else None)


def _about(row: OutboxRow, what: Meaning) -> dict[str, object]:
    draft = row.draft
    return {
        "row": row.id,
        "match": draft.match,
        "kind": draft.kind,
        "code": what.label,
        "why": what.why,
        "tries": row.tries + 1,
    }
