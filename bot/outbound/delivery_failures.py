"""Bring about what becomes of a message that Discord didn't take; `remedies` has the tables.

A match is never closed for that: it waits, with its channel, its server or its people.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta
from typing import Literal, TypeAlias, assert_never

from bot.context import Context
from bot.outbound import remedies, reports
from bot.outbound.kinds.by_type import Kinds
from bot.outbound.posting import AwayError, GoneError, Poster
from bot.outbound.remedies import Fate, Meaning, Remedy
from matches.outbox.base import Loss
from matches.outbox.lanes import until_heard_from
from matches.outbox.queue import OutboxRow
from matches.ports import StoreError
from matches.store.rows import MatchRow

log = logging.getLogger(__name__)
Verdict: TypeAlias = Literal["sent", "again", "waits", "dropped"]
"""What became of a message. `again`: it is to be sent again at once, another way. Those behind one that waits
in its lane have to wait too."""

LONG_WAIT = timedelta(seconds=30)


class DeliveryFailures:
    """Handles one failed message at a time. `closed` has the people who take no direct messages."""

    def __init__(self, ctx: Context, poster: Poster, kinds: Kinds) -> None:
        self._ctx = ctx
        self._poster = poster
        self._kinds = kinds
        self.closed: set[int] = set()

    def read(self, error: Exception) -> Meaning:
        """Return what an error means that was raised while a message was being sent."""
        if isinstance(error, AwayError):
            return remedies.AWAY
        if isinstance(error, GoneError):
            return remedies.CHANNEL_GONE
        return remedies.meaning(error)

    async def handle(self, row: OutboxRow, error: Exception, what: Meaning) -> Verdict:
        """Put off, park or drop a message, tell the people, or have it sent another way.

        They are told first: a crash in between tells them twice rather than never.
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
            fate = await self._kinds(row.draft.message).lost(row, row.draft.message, what)
        match fate:
            case Fate.LATER:
                return await self._later(row, error, what)
            case Fate.TOLD:
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
            case Fate.TOLD_LOSS if current is not None:
                await reports.unreachable(self._ctx, current, what.why, what.label)
                return await self._drop(row, what)
            case Fate.PARKED | Fate.TOLD_LOSS | Fate.DROPPED | Fate.LOST:
                return await self._drop(row, what)
            case _:
                assert_never(fate)

    def _unless_away(self, what: Meaning, current: MatchRow | None) -> Meaning:
        """Return what an error means for a match whose server the bot may have left."""
        away = current is not None and self._ctx.guilds.has_left(current.place.guild)
        return remedies.AWAY if away and not remedies.passes(what) else what

    async def _later(self, row: OutboxRow, error: Exception, what: Meaning) -> Verdict:
        wait = remedies.wait_before_next(what, row.tries)
        if wait >= LONG_WAIT:
            self._note(row, "long wait", what)
        else:
            log.info("a message waits for another try", extra=_about(row, what) | {"error": repr(error)})
        reason = what.why if what.remedy is Remedy.WAIT else repr(error)[:500]
        await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + wait, reason)
        return "waits"

    async def _park(self, row: OutboxRow, current: MatchRow, person: int | None, what: Meaning) -> Verdict:
        """Lay a message aside until its match can be reached, or its reader writes to us; tell the others."""
        what = self._unless_away(what, current)
        if person is None or what.remedy is Remedy.AWAY:
            await reports.unreachable(self._ctx, current, what.why, what.label)
            return await self._lay_aside(row, row.draft.match, what)
        until = until_heard_from(person)
        known = row.error == "person" or until in await self._ctx.store.outbox_awaited(row.draft.match)
        if not known:
            await reports.person_closed(self._ctx, current, person)
        self.closed.add(person)
        return await self._lay_aside(row, until, replace(what, why="person"))

    async def _lay_aside(self, row: OutboxRow, until: str, what: Meaning) -> Verdict:
        self._note(row, "parked", what)
        if row.draft.message.loss is Loss.DETOUR:
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

    def _note(self, row: OutboxRow, event: str, what: Meaning) -> None:
        """Log and count what became of a message."""
        log.warning("a message: %s", event, extra=_about(row, what))
        self._ctx.counters.add(f"messages: {event} ({row.draft.kind}, {what.label})")


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
