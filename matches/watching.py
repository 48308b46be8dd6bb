"""Watching: how late those who watch elsewhere see a match, and when to notify whom who follows it.

Elsewhere is everywhere but the channel or thread in which a match is played: mirrors, showcases, direct
messages, `/ask board` and `/replay steps` in other channels. Players always see what is current, and everyone
does once it is over.

A change of a match makes the rows due that wait for it, in its own transaction; a daily row is always due at
some time. `tick` finds what is due by an index, and changes the row in one transaction with the message that
it queues, only if nothing has changed it meanwhile (`FollowRow.stamp`). So a process may be killed anywhere.
Who may see a match is judged where the message is made.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from games.engine.log import Entry, Kind
from games.engine.message import msg
from matches import occupants
from matches import outbox_drafts as drafts
from matches.core import Core, unknown_match, why_not_started
from matches.log.changes import AUTOMATIC, POSITION_KEPT
from matches.pings.decision import loud, next_digest
from matches.pings.pinging import supervised
from matches.pings.settings import PingSettings
from matches.results import Refused
from matches.store.follows import FollowRow, FollowWork, Tell
from matches.store.rows import MatchRow

UNTIL_END: Final = -1
"""The delay of a match of which others see the start only, until it is over."""
DELAYS: Final = (0, 1, 3, UNTIL_END)
"""The delays that a table can agree on, in turns."""
_DECISIONS: Final = frozenset({Kind.PLAY, Kind.DEFAULT})
MAX_FOLLOWS: Final = 50
"""Maximum number of matches that a person follows."""
_AT_ONCE: Final = 500
"""Maximum number of rows handled in one tick."""
_FAILED: Final = "what a person follows could not be sent"


def visible_entry(log: Sequence[Entry], delay: int) -> int:
    """Return the last entry of a running match that is shown elsewhere, `delay` turns late.

    A turn is what one seat decides in a row; whatever else changes the position counts as one.
    """
    if delay == 0:
        return log[-1].seq
    shown = 0
    if delay != UNTIL_END:
        turns, by = 0, None
        for entry in reversed(log):
            if entry.kind in AUTOMATIC | POSITION_KEPT:
                continue
            seat = entry.seat if entry.kind in _DECISIONS else None
            if seat is None or seat != by:
                turns, by = turns + 1, seat
            if turns > delay or entry.seq == 0:
                shown = entry.seq
                break
    while shown + 1 < len(log) and log[shown + 1].kind in AUTOMATIC:
        shown += 1
    return shown


class Follows:
    """Starts and ends following, and queues the messages that are due."""

    def __init__(self, core: Core, settings: Callable[[int], Awaitable[PingSettings]]) -> None:
        """`settings` returns a person's settings of pings: quiet hours, time zone, times of digests."""
        self._core = core
        self._settings = settings

    async def start(self, match_id: str, user: int, when: Tell) -> FollowRow | Refused:
        """Follow a live match, or change when one is notified. Whether they may see it is the caller's."""
        store, now = self._core.store, self._core.now()
        row = await store.match(match_id)
        if row is None:
            return unknown_match(match_id)
        if (why := why_not_started(row)) is not None:
            return Refused(why)
        if is_over(row):
            return Refused(msg("match.refuse.over"))
        if occupants.seat_of(row, user) is not None:
            return Refused(msg("match.refuse.follow_own", match=row.id))
        known = await store.following(match_id, user)
        due = await self._next_day(user, now) if when == "daily" else None
        sent = None if known is None else known.sent  # it counts for the time between two messages
        made = FollowRow(row.id, user, when, now, row.version, due, sent)
        if not await store.follow(made, MAX_FOLLOWS):
            return Refused(msg("match.refuse.follows", n=MAX_FOLLOWS))
        current = await store.match(match_id)
        if current is not None and is_over(current):  # it ended meanwhile, and made nothing due
            await store.unfollow(match_id, user)
            return Refused(msg("match.refuse.over"))
        return made

    async def stop(self, match_id: str, user: int) -> bool:
        """End following a match, and return whether the person did."""
        return await self._core.store.unfollow(match_id, user)

    async def tick(self) -> None:
        """Queue the messages that are due. An error with one person is logged, and tried again next time."""
        now = self._core.now()
        daily: dict[int, list[FollowRow]] = {}
        for row in await self._core.store.follows_due(now, _AT_ONCE):
            if row.tell == "daily":
                daily.setdefault(row.user, []).append(row)
            else:
                await supervised(self._notify(row, now), _FAILED)
        for user, rows in daily.items():
            await supervised(self._notify_daily(user, rows, now), _FAILED)

    async def _notify(self, row: FollowRow, now: datetime) -> None:
        """Queue the message of a turn or an end, or put it off to the end of the quiet hours."""
        match = await self._core.store.match(row.match)
        if match is None or occupants.seat_of(match, row.user) is not None:
            await self._write(now, ended=(row,))
            return
        over = is_over(match)
        at = loud(await self._settings(row.user), now)
        if at > now:
            await self._write(now, (replace(row, due=at),))
        elif over:
            work = FollowWork(now, (), (row,), (drafts.follow(row.match, row.user, over=True),))
            await self._core.store.follow_work(work)
        elif row.tell == "end" or match.version == row.told:
            await self._write(now, (replace(row, due=None),))
        else:
            after = replace(row, due=None, told=match.version, sent=now)
            work = FollowWork(now, (after,), (), (drafts.follow(row.match, row.user, over=False),))
            await self._core.store.follow_work(work)

    async def _notify_daily(self, user: int, rows: Sequence[FollowRow], now: datetime) -> None:
        """Queue one message about all matches of a person that have news; those that are over end with it."""
        at = loud(await self._settings(user), now)
        if at > now:
            await self._write(now, tuple(replace(row, due=at) for row in rows))
            return
        due = await self._next_day(user, now)
        after, ended, about = [], [], {}
        for row in rows:
            match = await self._core.store.match(row.match)
            if match is None or occupants.seat_of(match, user) is not None:
                ended.append(row)
                continue
            if match.version > row.told:
                about[row.match] = row.told
            if is_over(match):
                ended.append(row)
            else:
                sent = now if row.match in about else row.sent
                after.append(replace(row, due=due, told=match.version, sent=sent))
        messages = (drafts.news(user, about),) if about else ()
        await self._core.store.follow_work(FollowWork(now, tuple(after), tuple(ended), messages))

    async def _next_day(self, user: int, now: datetime) -> datetime:
        """Return when a person's next daily message comes: at the first time of day of their digests."""
        settings = await self._settings(user)
        return loud(settings, next_digest(replace(settings, digests=settings.digests[:1]), now))

    async def _write(
        self, now: datetime, rows: tuple[FollowRow, ...] = (), ended: tuple[FollowRow, ...] = ()
    ) -> None:
        await self._core.store.follow_work(FollowWork(now, rows, ended))


def is_over(row: MatchRow) -> bool:
    """Return whether a match has ended; one that was set aside can go on."""
    return row.status != "live" and not row.set_aside
