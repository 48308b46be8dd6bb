"""Send the messages in the outbox, in order within each lane, and decide about those that Discord refuses.

The rules are in `matches.outbox.lanes`, what a refusal means in `remedies`; `posting` ensures that a message
is posted once. Nothing is known here of the kinds of messages: each is asked to deliver its messages, and to
do what has to be done if one of them is lost. A match is never closed for a refusal: it waits, with its
channel, its server or its people.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias, assert_never

import discord

from bot.context import Context
from bot.outbound import remedies, reports
from bot.outbound.posting import AwayError, GoneError, MessageKind, NotOursError, Poster
from bot.outbound.remedies import Fate, Meaning, Remedy
from bot.platform.running_work import InProgress
from matches.outbox import lanes
from matches.outbox.base import Loss
from matches.outbox.queue import OutboxRow
from matches.ports import StoreError
from matches.store.rows import MatchRow

log = logging.getLogger(__name__)
_Verdict: TypeAlias = Literal["sent", "again", "waits", "dropped"]
"""What became of a message. `again`: it is to be sent again at once, another way. Those behind one that waits
in its lane have to wait too."""

_UNHEARD = 3
"""When this many messages have failed in a row, each on its own, Discord counts as taking none."""
_AT_ONCE = 100
"""Maximum number of rows read at a time."""
_LONG_WAIT = timedelta(seconds=30)
"""From this wait on a message that is tried again is counted."""


class Publisher:
    """Drains the outbox. `drain` is called at the end of every handler and by a poller."""

    def __init__(self, ctx: Context, poster: Poster, kinds: Callable[[OutboxRow], MessageKind[Any]]) -> None:
        """`kinds` returns the kind of a row's message."""
        self._ctx = ctx
        self._poster = poster
        self._kinds = kinds
        self._busy: dict[str, asyncio.Event] = {}
        """Lanes that a call is busy with, each with what is set once it no longer is."""
        self.sending = InProgress()
        """The lanes that are being sent."""
        self._more: set[str] = set()
        """Busy lanes that have got new rows since."""
        self.closed_dms: set[int] = set()
        """People who took no direct messages, for whom something may be parked."""
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
        if not self._ctx.discord.guilds.shards.in_time:  # or what can't be sent now would be due for ever
            return
        by_lane: dict[str, list[OutboxRow]] = {}
        rows = await self._due()
        for row in rows:
            by_lane.setdefault(row.draft.lane, []).append(row)
        self._more.update(by_lane.keys() & self._busy.keys())
        mine = [lane for lane in by_lane if lane not in self._busy]
        # Before any await: no other call may send these rows.
        self._busy.update((lane, asyncio.Event()) for lane in mine)
        with self.sending:
            served = await asyncio.gather(*(self._serve_lane(lane, by_lane[lane]) for lane in mine))
        if len(rows) == _AT_ONCE or not all(served) or self._poster.take_queued():
            await self.drain()  # more rows are due, or a failure, a ping or a plan has queued messages

    async def sent(self, match_id: str) -> None:
        """Wait until no call is busy with what is due of a match. Not to be asked by what a lane waits for.

        Raises StoreError.
        """
        while busy := [
            self._busy[row.draft.lane]
            for row in await self._due()
            if row.draft.match == match_id and row.draft.lane in self._busy
        ]:
            await busy[0].wait()

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
            self._busy.pop(lane).set()
        return sent

    async def _merged(self, rows: Sequence[OutboxRow]) -> Sequence[OutboxRow]:
        """Return the rows of a lane with its stale boards merged into the newest."""
        if any(self._poster.is_confirmed(row) for row in rows):
            return rows  # posted, and only to be recorded
        merged = lanes.merge(rows, self._ctx.clock.now())
        if merged is None:
            return rows
        try:
            if await self._kinds(rows[0]).record_posted(rows[0], rows[0].draft.message):
                self._poster.done(rows[0])
                return await self._merged(rows[1:])
        except _EXPECTED:
            return rows  # the row itself will fail, and wait
        log.info("boards are merged", extra={"match": rows[0].draft.match, "covered": len(merged.covered)})
        await self._ctx.store.outbox_merge(merged.kept.id, merged.kept.draft.message, merged.covered)
        return merged.rows

    async def _serve(self, row: OutboxRow) -> _Verdict:
        """Deliver a row, and handle its failure."""
        verdict: _Verdict = "again"
        while verdict == "again":
            verdict = await self._try(row)
        return verdict

    async def _try(self, row: OutboxRow) -> _Verdict:
        if not self._ctx.discord.guilds.shards.in_time:
            return "waits"
        try:
            await self._kinds(row).deliver(row, row.draft.message)
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
            if row.draft.user in self.closed_dms and row.draft.user is not None:
                await self._revive(row.draft.user)
            return "sent"
        what = _meaning(failed)
        if remedies.passes(what):
            self._unsent.add(row.id)
        if what.remedy is Remedy.PAUSE:
            self._pause(what.label)
        elif isinstance(failed, discord.HTTPException):
            self._pauses = 0
        return await self._handle(row, failed, what)

    def _pause(self, label: str) -> None:
        """Send nothing for a while: Discord, or the proxy in front of it, answers none of our requests."""
        now = self._ctx.clock.now()
        if self._paused_until is not None and now < self._paused_until:
            return
        wait = remedies.doubled(remedies.PAUSE_FIRST, self._pauses, remedies.PAUSE_MOST)
        self._pauses += 1
        self._paused_until = now + wait
        log.error("sending pauses", extra={"code": label, "seconds": wait.total_seconds()})
        self._ctx.operation.counters.add(f"messages: pause ({label})")

    # --- what Discord didn't take ---------------------------------------------------------------------

    async def _handle(self, row: OutboxRow, error: Exception, what: Meaning) -> _Verdict:
        """Put off, park or drop a message, notify the people, or have it sent another way.

        They are notified first: after a crash in between they are notified twice rather than never.
        """
        if isinstance(error, StoreError):
            return await self._later(row, error, what)
        loss, person = row.draft.message.loss, row.draft.recipient
        current = await self._ctx.service.queries.row(row.draft.match)
        if loss is Loss.MATCH and person is None and current is not None and current.place.guild is None:
            person = current.host
        if person is not None:
            what = remedies.about_person(what)
        if loss is not Loss.NONE:
            what = self._unless_away(what, current)
        plainer = self._poster.may_be_plainer(row)
        tried = remedies.stage(what, self._ctx.clock.now() - row.created, row.tries, plainer=plainer)
        fate = remedies.fate(loss, what.remedy, tried)
        if fate is Fate.LOST:
            fate = await self._kinds(row).lost(row, row.draft.message, what)
        match fate:
            case Fate.LATER:
                return await self._later(row, error, what)
            case Fate.REPORTED:
                if current is not None and current.place.guild is not None:
                    await reports.unreachable(self._ctx, current, what.why, what.label)
                return await self._later(row, error, what)
            case Fate.PLAINER:
                self._poster.send_plainer(row)
                self._note(row, "fallback", what)
                return "again"
            case Fate.DETOUR:
                self._note(row, "fallback", what)
                await self._ctx.store.outbox_sent(row.id, None)
                return "sent"
            case Fate.REPLACED:
                self._note(row, "fallback", what)
                return "waits"
            case Fate.PARKED if current is not None:
                return await self._park(row, current, person, what)
            case Fate.REPORTED_LOSS if current is not None:
                await reports.unreachable(self._ctx, current, what.why, what.label)
                return await self._drop(row, what)
            case Fate.PARKED | Fate.REPORTED_LOSS | Fate.DROPPED | Fate.LOST:
                return await self._drop(row, what)
            case _:
                assert_never(fate)

    def _unless_away(self, what: Meaning, current: MatchRow | None) -> Meaning:
        """Return what an error means for a match whose server the bot may have left."""
        away = current is not None and self._ctx.discord.guilds.has_left(current.place.guild)
        return remedies.AWAY if away and not remedies.passes(what) else what

    async def _later(self, row: OutboxRow, error: Exception, what: Meaning) -> _Verdict:
        wait = remedies.wait_before_next(what, row.tries)
        if wait >= _LONG_WAIT:
            self._note(row, "long wait", what)
        else:
            log.info("a message waits for another try", extra=_about(row, what) | {"error": repr(error)})
        reason = what.why if what.remedy is Remedy.WAIT else repr(error)[:500]
        await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + wait, reason)
        return "waits"

    async def _park(self, row: OutboxRow, current: MatchRow, person: int | None, what: Meaning) -> _Verdict:
        """Park a message until its match can be reached, or its reader writes to us; notify the others."""
        what = self._unless_away(what, current)
        if person is None or what.remedy is Remedy.AWAY:
            await reports.unreachable(self._ctx, current, what.why, what.label)
            return await self._lay_aside(row, row.draft.match, what)
        until = lanes.until_dms_open(person)
        known = row.error == "person" or until in await self._ctx.store.outbox_awaited(row.draft.match)
        if not known:
            await reports.person_closed(self._ctx, current, person)
        self.closed_dms.add(person)
        return await self._lay_aside(row, until, replace(what, why="person"))

    async def _lay_aside(self, row: OutboxRow, until: str, what: Meaning) -> _Verdict:
        self._note(row, "parked", what)
        if row.draft.message.loss is Loss.DETOUR:
            return await self._lay_aside_with_all_behind(row, until, what)
        await self._ctx.store.outbox_park(row.id, until, what.why)
        return "dropped"

    async def _lay_aside_with_all_behind(self, row: OutboxRow, until: str, what: Meaning) -> _Verdict:
        """Lay a thread aside and all that is to be posted in it: it would be posted in the channel."""
        pending = await self._ctx.store.outbox_pending(row.draft.match)
        behind = [each for each in pending if each.draft.lane == row.draft.lane and each.id > row.id]
        for each in (*reversed(behind), row):  # the thread last: if this is cut short, it is tried first
            await self._ctx.store.outbox_park(each.id, until, what.why)
        return "waits"

    async def _drop(self, row: OutboxRow, what: Meaning) -> _Verdict:
        self._note(row, "dropped", what)
        await self._ctx.store.outbox_drop(row.id, what.label)
        return "dropped"

    def _note(self, row: OutboxRow, event: str, what: Meaning) -> None:
        """Log and count what became of a message."""
        log.warning("a message: %s", event, extra=_about(row, what))
        self._ctx.operation.counters.add(f"messages: {event} ({row.draft.kind}, {what.label})")

    # --- what waits for something to be back ----------------------------------------------------------

    def expect(self, awaited: Collection[str]) -> None:
        """Take over what the messages wait for that an earlier process has parked."""
        people = (lanes.awaited_person(until) for until in awaited)
        self.closed_dms.update(person for person in people if person is not None)

    async def dm_reopened(self, user: int) -> None:
        """Send what was parked because a person took no direct messages: they have written to us."""
        await self._revive(user)
        await self.drain()

    async def _revive(self, user: int) -> None:
        await self._ctx.store.outbox_revive(lanes.until_dms_open(user), self._ctx.clock.now())
        self.closed_dms.discard(user)

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
            if self._ctx.discord.guilds.get(row.place.guild) is not None:
                await self._ctx.service.channels.mark_reachable(row.id)
        await self.drain()


def _meaning(error: Exception) -> Meaning:
    """Return what an error means that was raised while a message was being sent."""
    if isinstance(error, AwayError):
        return remedies.AWAY
    if isinstance(error, GoneError):
        return remedies.CHANNEL_GONE
    return remedies.meaning(error)


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


_EXPECTED = (*remedies.FAILURES, AwayError, GoneError, StoreError)
