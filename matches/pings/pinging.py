"""Whom to ping when, and by what way: for a new board, and when something is due.

A ping is sent once: the row of a seat changes in one transaction with the message that is queued for it, and
only if nothing has changed it meanwhile (`PingRow.stamp`). So a process may be killed anywhere.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

from matches import outbox_drafts as drafts
from matches.core import Core
from matches.outbox.messages import PingReason
from matches.outbox.queue import Draft
from matches.pings.decision import decide, loud, tomorrow_morning
from matches.pings.reminders import next_interval, remind, reminded_for
from matches.pings.settings import PingSettings, read_settings
from matches.store.pings import PingRow, PingWork
from matches.store.rows import MatchRow

log = logging.getLogger(__name__)

UserSettings: TypeAlias = Callable[[int], Awaitable[Mapping[str, Any]]]
"""Returns the settings of a person."""
_AT_ONCE = 500
"""Maximum number of rows handled in one tick."""
_FAILED = "a person's pings failed"
Snoozed: TypeAlias = datetime | Literal["not_yours", "over"]


@dataclass(frozen=True, slots=True)
class BoardCall:
    """What a new board means for one person: the row after it, and whether the board mentions them.

    Otherwise `draft` may be a message that pings them elsewhere.
    """

    before: PingRow
    after: PingRow
    mention: bool = False
    draft: Draft | None = None


class Pings:
    """Decides about pings, and queues those that are due."""

    def __init__(self, core: Core, settings: UserSettings | None = None) -> None:
        self._core = core
        self._read = settings

    async def settings(self, user: int) -> PingSettings:
        """Return what a person wants to be notified of."""
        if self._read is not None:
            return read_settings(await self._read(user))
        return read_settings(await self._core.store.settings("user", user))

    # --- with a board ---------------------------------------------------------------------------------

    async def for_board(
        self, row: MatchRow, last: int, only: int | None = None, rows: Sequence[PingRow] | None = None
    ) -> tuple[BoardCall, ...] | None:
        """Return what the board of the entries up to `last` means for the people of a match.

        `only` restricts it to one of them, whose own board it is. Turns that began later have a board of
        their own. `rows` are those of the match if the caller has just read them. Returns None for a match
        without rows: it has not changed since an earlier version.
        """
        rows = await self._core.store.pings(row.id) if rows is None else rows
        found = []
        deadlines: Mapping[int, datetime] | None = None
        for each in rows:
            if each.turn > last or (only is not None and each.user != only):
                continue
            settings = await self.settings(each.user)
            if deadlines is None and settings.style == "digest":
                deadlines = await self._core.store.deadlines(row.id)
            call = self._call(
                each, settings, (deadlines or {}).get(each.seat), direct=row.place.guild is None
            )
            if call is not None:
                found.append(call)
        return tuple(found) if rows else None

    def _call(
        self, row: PingRow, settings: PingSettings, deadline: datetime | None, *, direct: bool
    ) -> BoardCall | None:
        """Return what a board means for a row; None if nothing. `direct` boards go to each person alone."""
        now = self._core.now()
        if row.state != "new" and not (row.alone and row.state in ("known", "told")):
            if row.state == "known" and row.kind == "turn" and row.due is None:
                due = _again(row, settings, now)
                return None if due is None else BoardCall(row, replace(row, due=due))
            return None
        reason: PingReason = row.kind if row.state == "new" else "alone"
        wanted = decide(settings, reason, now, unseen=row.unseen, deadline=deadline)
        if wanted is None:
            return BoardCall(row, _unpinged(row, settings, now))
        if wanted.digest:
            return BoardCall(row, replace(row, state="digest", due=wanted.at, alone=False))
        if wanted.at > now:
            return BoardCall(row, replace(row, state="held", due=wanted.at, alone=False, reason=reason))
        if settings.where == "thread" or direct:
            return BoardCall(row, after_ping(row, settings, now), mention=True)
        return BoardCall(row, _queued(row, settings, now), draft=drafts.ping(row, reason, dm=True))

    async def mentioned(
        self, calls: Sequence[BoardCall], mentioned: Collection[int]
    ) -> tuple[tuple[PingRow, ...], tuple[Draft, ...], tuple[PingRow, ...]]:
        """Return the rows to write, the messages to queue, and the rows pinged, for a board that was posted.

        `mentioned` are the people whom it really mentions: an earlier process may have posted it, and their
        wishes or the time of day may have changed since.
        """
        rows, queued, pinged = [], [], []
        now = self._core.now()
        for call in calls:
            if call.before.user in mentioned:
                rows.append(after_ping(call.before, await self.settings(call.before.user), now))
                if call.before.kind != "result":
                    pinged.append(call.before)
            elif call.mention:
                rows.append(replace(call.before, state="held", due=now, alone=False))
            else:
                rows.append(call.after)
                queued += [] if call.draft is None else [call.draft]
        return tuple(rows), tuple(queued), tuple(pinged)

    async def may_be_called(self, users: Sequence[int]) -> tuple[int, ...]:
        """Return those whom a question of another player may notify now: not at night, nor unwanted."""
        now, found = self._core.now(), []
        for user in users:
            settings = await self.settings(user)
            if settings.style != "none" and loud(settings, now) <= now:
                found.append(user)
        return tuple(found)

    # --- by the clock ---------------------------------------------------------------------------------

    async def tick(self) -> None:
        """Queue what quiet hours, digests, snoozes and reminders have made due. Call it every minute or so.

        An error with one person is logged and tried again with the next tick.
        """
        store, now = self._core.store, self._core.now()
        digests: dict[int, list[PingRow]] = {}
        for row in await store.pings_due(now, _AT_ONCE):
            if row.state == "digest":
                digests.setdefault(row.user, []).append(row)
            else:
                await supervised(self._due(row, now), _FAILED)
        for user, rows in digests.items():
            await supervised(self._digest(user, rows, now), _FAILED)
        for row, deadline in await store.pings_running_out(now, _AT_ONCE):
            await supervised(self._running_out(row, deadline, now), _FAILED)

    async def _due(self, row: PingRow, now: datetime) -> None:
        """Send a ping that was held back, or a reminder at an interval."""
        settings = await self.settings(row.user)
        held = row.state == "held"
        again = not held or row.reason == "reminder"
        if again:
            wanted = settings.style != "none" and (
                held
                or (
                    now - row.began <= reminded_for(settings)  # it may be long overdue
                    and (settings.interval > 0 or await self._falls_asleep(row))
                )
            )
            if not wanted and not held:
                await self._write(replace(row, due=None))
                return
            at, digest = loud(settings, now), False
        else:
            deadlines = await self._core.store.deadlines(row.match) if settings.style == "digest" else {}
            made = decide(settings, row.reason, now, unseen=row.unseen, deadline=deadlines.get(row.seat))
            wanted = made is not None
            at, digest = (now, False) if made is None else (made.at, made.digest)
        if not wanted:
            await self._write(replace(_unpinged(row, settings, now), reason="turn"))
        elif digest:
            await self._write(replace(row, state="digest", due=at))
        elif at > now:
            await self._write(replace(row, due=at))
        else:
            await self._ping(row, "reminder" if again else row.reason, settings, now)

    async def _falls_asleep(self, row: PingRow) -> bool:
        """Return whether nothing else reminds the people: no clock, nor the question whether to go on."""
        store = self._core.store
        match = await store.match(row.match)
        if match is None or match.status != "live" or match.conditions.clock is not None:
            return False
        if row.seat in await store.deadlines(row.match):
            return False
        idle = await store.idle_state(match.id, match.version)
        return idle is None or not idle.asked

    async def _running_out(self, row: PingRow, deadline: datetime, now: datetime) -> None:
        settings = await self.settings(row.user)
        made = remind(settings, now, notified=row.sent or row.began, deadline=deadline, upto=row.remind)
        after = replace(row, remind=made.then)
        if made.at is None:
            await self._write(after)
        elif made.at > now:
            await self._write(replace(after, state="held", due=made.at, reason="reminder"))
        else:
            await self._ping(after, "reminder", settings, now)

    async def _digest(self, user: int, rows: Sequence[PingRow], now: datetime) -> None:
        """Send one digest for all rows that are due, or what their person wants by now instead."""
        settings = await self.settings(user)
        at = loud(settings, now)
        if settings.style != "digest" or at > now:
            await self._write(*(replace(row, state="held", due=max(at, now)) for row in rows))
            return
        done = tuple(replace(_queued(row, settings, now), due=None) for row in rows)
        await self._core.store.ping_work(PingWork(now, done, (drafts.digest(user, rows),)))

    async def _ping(self, row: PingRow, reason: PingReason, settings: PingSettings, now: datetime) -> None:
        match = await self._core.store.match(row.match)
        direct = match is None or match.place.guild is None
        draft = drafts.ping(row, reason, dm=direct or settings.where == "dm")
        await self._core.store.ping_work(PingWork(now, (_queued(row, settings, now),), (draft,)))

    async def _write(self, *rows: PingRow) -> None:
        await self._core.store.ping_work(PingWork(self._core.now(), rows))

    # --- what people do -------------------------------------------------------------------------------

    async def looked(self, match_id: str, user: int) -> None:
        """Note that a person has looked at a match, if that matters to them."""
        if (await self.settings(user)).style == "looked":
            await self._core.store.ping_looked(match_id, user)

    async def snooze(
        self, match_id: str, user: int, turn: int, until: datetime | Literal["morning"]
    ) -> Snoozed:
        """Ping a person again later for the turn that began with entry `turn`, and return when.

        Quiet hours are kept. Returns why not: the ping is another person's, or that turn is over.
        """
        rows = await self._core.store.pings(match_id)
        waiting = [row for row in rows if row.turn == turn and row.state != "over" and row.kind != "result"]
        mine = next((row for row in waiting if row.user == user), None)
        if mine is None:
            return "not_yours" if waiting or all(row.user != user for row in rows) else "over"
        settings, now = await self.settings(user), self._core.now()
        at = tomorrow_morning(settings, now) if until == "morning" else loud(settings, until)
        later = replace(mine, state="held", due=at, unseen=False, alone=False, reason="reminder")
        return at if await self._core.store.ping_work(PingWork(now, (later,))) else "over"

    async def undelivered(self, user: int, about: Collection[tuple[str, int, int]]) -> None:
        """Have those matches pinged one by one that a digest was about which didn't arrive."""
        now = self._core.now()
        rows = [
            row for row in await self._core.store.pings_of(user) if (row.match, row.seat, row.turn) in about
        ]
        await self._write(*(replace(row, state="held", due=now, reason="reminder") for row in rows))


def after_ping(row: PingRow, settings: PingSettings, now: datetime) -> PingRow:
    """Return a row after its person was pinged. A result is over with that."""
    after = _queued(row, settings, now)
    return replace(after, state="over", due=None) if row.kind == "result" else after


def _queued(row: PingRow, settings: PingSettings, now: datetime) -> PingRow:
    """Return a row whose ping is on its way."""
    return replace(row, state="told", due=_again(row, settings, now), sent=now, unseen=True, alone=False)


def _again(row: PingRow, settings: PingSettings, now: datetime) -> datetime | None:
    """Return when to remind of a turn that nobody has taken meanwhile."""
    return next_interval(settings, row.began, now) if row.kind == "turn" else None


def _unpinged(row: PingRow, settings: PingSettings, now: datetime) -> PingRow:
    """Return a row whose person isn't pinged for this."""
    if row.state == "told":
        return replace(row, alone=False, due=row.due and _again(row, settings, now))
    if row.kind == "result":
        return replace(row, state="over", due=None, alone=False)
    return replace(row, state="known", due=_again(row, settings, now), alone=False)


async def supervised(work: Awaitable[None], failed: str) -> None:
    """Do something for one person; if it fails, log what `failed`, and go on with the next."""
    try:
        await work
    except Exception:
        log.exception(failed)
