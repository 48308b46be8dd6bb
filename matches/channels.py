"""Keep track of where a match is shown: channel or thread, lobby message, mirrors in other channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from games.engine.message import msg
from matches import occupants
from matches import outbox_drafts as drafts
from matches.core import ATTEMPTS, Core, unknown_match, why_not_started
from matches.outbox.queue import Draft
from matches.ports import StaleError
from matches.results import Refused
from matches.store.rows import Commit, MatchRow, Place, Publicity, Watch

MAX_MIRRORS = 10
"""Maximum number of channels that mirror a match."""


class Channels:
    """Changes the channels in a match's row."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def record(
        self, match_id: str, *, thread: int | None = None, lobby_message: int | None = None
    ) -> MatchRow:
        """Record the thread that was created for a match, or the message of its lobby.

        Raises LookupError for an unknown match.
        """

        def change(row: MatchRow) -> MatchRow:
            place = row.place if thread is None else replace(row.place, thread=thread)
            lobby = replace(row.lobby, message=lobby_message or row.lobby.message)
            return replace(row, place=place, lobby=lobby)

        return await self._update(match_id, change)

    async def mark_unreachable(self, match_id: str, why: str, notices: Sequence[Draft] = ()) -> MatchRow:
        """Record why a match's channel can't be written to; if that is new, queue `notices` as well.

        Raises LookupError for an unknown match.
        """
        return await self._update(match_id, lambda row: replace(row, unreachable=why), notices)

    async def mark_reachable(self, match_id: str) -> MatchRow:
        """Record that the channel can be written to again, which makes unsent messages due.

        Raises LookupError for an unknown match.
        """
        row = await self._update(match_id, lambda row: replace(row, unreachable=""))
        await self._core.store.outbox_revive(match_id, self._core.now())
        return row

    async def agree_to_show(self, match_id: str, user: int, *, open_place: bool) -> MatchRow | Refused:
        """Record that a person agrees that anyone who has the id may look at a match; the host first.

        `open_place` means that it is played where anyone can read: then the host's word is enough. Elsewhere
        all its people have to agree. The others are asked by the caller.
        """

        def agree(row: MatchRow) -> MatchRow:
            if judge(row) is not None:  # taken back meanwhile
                return row
            agreed = row.publicity.agreed if user in row.publicity.agreed else (*row.publicity.agreed, user)
            public = open_place or occupants.people(row) <= set(agreed)
            return replace(row, publicity=Publicity(public, agreed))

        def judge(row: MatchRow) -> Refused | None:
            if user != row.host and row.host not in row.publicity.agreed:
                return Refused(msg("match.refuse.show"))
            return None

        return await self._update_by(match_id, user, agree, judge)

    async def stop_showing(self, match_id: str, user: int) -> MatchRow | Refused:
        """Show a match only to its people and the readers of its channel; any of its people may say so."""
        return await self._update_by(match_id, user, lambda row: replace(row, publicity=Publicity()))

    async def _update_by(
        self,
        match_id: str,
        user: int,
        change: Callable[[MatchRow], MatchRow],
        judge: Callable[[MatchRow], Refused | None] = lambda _: None,
    ) -> MatchRow | Refused:
        """Change the row of a started match for one of its people, or return why not."""
        row = await self._core.store.match(match_id)
        if row is None:
            return unknown_match(match_id)
        if (why := why_not_started(row)) is not None:
            return Refused(why)
        if user not in occupants.people(row):
            return Refused(msg("match.refuse.not_yours"))
        if (refused := judge(row)) is not None:
            return refused
        return await self._update(match_id, change)

    async def move(self, match_id: str, place: Place) -> MatchRow:
        """Move the match to another channel, where unsent messages become due.

        Raises LookupError for an unknown match.
        """
        row = await self._update(match_id, lambda row: replace(row, place=place, unreachable=""))
        await self._core.store.outbox_revive(match_id, self._core.now())
        return row

    async def watch(self, match_id: str, channel: int, by: int) -> Watch | Refused:
        """Start to mirror a match in another channel, in one message that is kept up to date."""
        store = self._core.store
        async with self._core.locks.hold(match_id):
            row = await store.match(match_id)
            if row is None:
                return unknown_match(match_id)
            if (why := why_not_started(row)) is not None:
                return Refused(why)
            if row.status != "live":
                return Refused(msg("match.refuse.over"))
            if channel == row.place.home:
                return Refused(msg("match.refuse.watch_home"))
            watches = await store.watches(match_id)
            if any(watch.channel == channel for watch in watches):
                return Refused(msg("match.refuse.watched"))
            if len(watches) >= MAX_MIRRORS:
                return Refused(msg("match.refuse.mirrors", n=MAX_MIRRORS))
            watch = Watch(match_id, channel, by)
            await store.watch(watch, drafts.mirror(match_id, channel), self._core.now())
            return watch

    async def unwatch(self, match_id: str, channel: int) -> bool:
        """Stop updating a mirror, and return whether there was one."""
        async with self._core.locks.hold(match_id):
            return await self._core.store.unwatch(match_id, channel)

    async def _update(
        self, match_id: str, change: Callable[[MatchRow], MatchRow], outbox: Sequence[Draft] = ()
    ) -> MatchRow:
        """Change a match's row and queue messages; does nothing if the row wouldn't change."""
        async with self._core.locks.hold(match_id):
            for _ in range(ATTEMPTS):
                row = await self._core.store.match(match_id)
                if row is None:
                    raise LookupError(f"there is no match {match_id!r}")
                after = change(row)
                if after == row:
                    return row
                after = replace(after, revision=row.revision + 1, updated=row.updated)
                unseen = bool(after.unreachable) and not row.unreachable and row.conditions.clock is not None
                try:
                    now = self._core.now()
                    await self._core.store.commit(Commit(after, now, (), tuple(outbox), unseen=unseen))
                except StaleError:
                    continue
                return after
        raise StaleError(f"match {match_id} is being changed by someone else")
