"""What the host does unasked: keep track of channels and mirrors, remind of lobbies, close them, catch up."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from games.engine.message import msg
from matches import drafts
from matches.computers import Computers
from matches.desk import ROUNDS, computers, not_played, unknown
from matches.ports import Commit, Draft, MatchRow, Place, StaleError, Watch
from matches.results import Played, Refused, Table

log = logging.getLogger(__name__)

_ALL = 1_000_000
_MIRRORS = 10


class Chores(Computers):
    """The housekeeping of matches."""

    async def placed(
        self, match_id: str, *, thread: int | None = None, lobby_message: int | None = None
    ) -> MatchRow:
        """Note the thread that was made for a match, or the message that is its lobby.

        Raises LookupError for an unknown match.
        """

        def change(row: MatchRow) -> MatchRow:
            place = row.place if thread is None else replace(row.place, thread=thread)
            return replace(row, place=place, lobby_message=lobby_message or row.lobby_message)

        return await self._note(match_id, change)

    async def unreachable(self, match_id: str, why: str, told: Sequence[Draft] = ()) -> MatchRow:
        """Note that a match's channel can't be written to, and queue what is told of it: the first time only.

        Raises LookupError for an unknown match.
        """
        return await self._note(match_id, lambda row: replace(row, unreachable=row.unreachable or why), told)

    async def reachable(self, match_id: str) -> MatchRow:
        """The channel is back: what could not be sent is due again. LookupError for an unknown match."""
        row = await self._note(match_id, lambda row: replace(row, unreachable=""))
        await self.store.outbox_revive(match_id, self._now())
        return row

    async def moved(self, match_id: str, place: Place) -> MatchRow:
        """The match goes on elsewhere, and what could not be sent is due there. LookupError if unknown."""
        row = await self._note(match_id, lambda row: replace(row, place=place, unreachable=""))
        await self.store.outbox_revive(match_id, self._now())
        return row

    async def watch(self, match_id: str, channel: int, by: int) -> Watch | Refused:
        """Mirror a match in another channel, by one message that is kept up to date."""
        async with self._locks.hold(match_id):
            row = await self.store.match(match_id)
            if row is None:
                return unknown(match_id)
            if (why := not_played(row)) is not None:
                return Refused(why)
            if row.status != "live":
                return Refused(msg("match.refuse.over"))
            if channel == row.place.home:
                return Refused(msg("match.refuse.watch_home"))
            watches = await self.store.watches(match_id)
            if any(watch.channel == channel for watch in watches):
                return Refused(msg("match.refuse.watched"))
            if len(watches) >= _MIRRORS:
                return Refused(msg("match.refuse.mirrors", n=_MIRRORS))
            watch = Watch(match_id, channel, by)
            await self.store.watch(watch, drafts.mirror(match_id, channel), self._now())
            return watch

    async def unwatch(self, match_id: str, channel: int) -> bool:
        """Keep a mirror up to date no longer; whether there was one."""
        async with self._locks.hold(match_id):
            return await self.store.unwatch(match_id, channel)

    async def tick(self) -> tuple[Table | Played, ...]:
        """Do what is due: remind of lobbies once, close those whose time is up, let waiting computers move.

        To be called every minute or so, and once at the start. What fails for one match is logged, and
        tried again with the next tick; the others get their turn.
        """
        done: list[Table | Played] = []
        now = self._now()
        for row in await self.store.expiring(now + self.remind_before, _ALL):
            if not row.reminded or (row.expires is not None and row.expires <= now):
                done += await self._supervised(row.id, self._lobby_due)
        for match_id in await self._computers_due():
            done += await self._supervised(match_id, self._run_due)
        return tuple(done)

    async def _supervised(
        self, match_id: str, chore: Callable[[str], Awaitable[tuple[Table | Played, ...]]]
    ) -> tuple[Table | Played, ...]:
        try:
            return await chore(match_id)
        except Exception:
            log.exception("a chore of match %s failed", match_id)
            return ()

    async def _lobby_due(self, match_id: str) -> tuple[Table, ...]:
        """Remind, or expire: never the second without the first, even after a downtime."""
        async with self._locks.hold(match_id):
            row, now = await self.store.match(match_id), self._now()
            if row is None or row.status != "lobby" or row.expires is None:
                return ()
            outbox: tuple[Draft, ...]
            if not row.reminded and row.expires - self.remind_before <= now:
                after = replace(row, reminded=True, expires=max(row.expires, now + self.remind_before))
                moved = after.expires != row.expires  # after a downtime
                outbox = (*(drafts.lobby(after) if moved else ()), drafts.reminder(row))
            elif row.reminded and row.expires <= now:
                after = replace(row, status="expired", expires=None)
                outbox = drafts.lobby(row)
            else:
                return ()
            after = replace(after, revision=row.revision + 1, updated=now)
            await self.store.commit(Commit(after, now, (), outbox))
            return (Table(after),)

    async def _computers_due(self) -> tuple[str, ...]:
        if self._due is None:
            # what an earlier run of the program left behind; from now on `_record` takes note
            live = await self.store.by_status("live", _ALL)
            self._due = {row.id for row in live if computers(row)}
        return tuple(self._due)

    async def _run_due(self, match_id: str) -> tuple[Played, ...]:
        played = await self.run_computers(match_id)
        if not played and self._due is not None:
            self._due.discard(match_id)
        return played

    async def _note(
        self, match_id: str, change: Callable[[MatchRow], MatchRow], outbox: Sequence[Draft] = ()
    ) -> MatchRow:
        """Change what a row says of Discord; nothing to do or to send if it says so already."""
        async with self._locks.hold(match_id):
            for _ in range(ROUNDS):
                row = await self.store.match(match_id)
                if row is None:
                    raise LookupError(f"there is no match {match_id!r}")
                after = change(row)
                if after == row:
                    return row
                after = replace(after, revision=row.revision + 1, updated=row.updated)
                try:
                    await self.store.commit(Commit(after, self._now(), (), tuple(outbox)))
                except StaleError:
                    continue
                return after
        raise StaleError(f"match {match_id} is being changed by somebody else")
