"""Keep track of where a match is shown: channel or thread, lobby message, mirrors in other channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from games.engine.message import msg
from matches import drafts
from matches.core import ATTEMPTS, Core, unknown_match, why_not_started
from matches.ports import Commit, Draft, MatchRow, Place, StaleError, Watch
from matches.results import Refused

_MAX_MIRRORS = 10
"""Maximum number of mirrors of one match."""


class Channels:
    """Changes what a match's row says about its channels."""

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
            return replace(row, place=place, lobby_message=lobby_message or row.lobby_message)

        return await self._update(match_id, change)

    async def mark_unreachable(self, match_id: str, why: str, told: Sequence[Draft] = ()) -> MatchRow:
        """Record that a match's channel can't be written to; the first time, queue `told` as well.

        Raises LookupError for an unknown match.
        """
        return await self._update(
            match_id, lambda row: replace(row, unreachable=row.unreachable or why), told
        )

    async def mark_reachable(self, match_id: str) -> MatchRow:
        """Record that the channel can be written to again, which makes unsent messages due.

        Raises LookupError for an unknown match.
        """
        row = await self._update(match_id, lambda row: replace(row, unreachable=""))
        await self._core.store.outbox_revive(match_id, self._core.now())
        return row

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
            if len(watches) >= _MAX_MIRRORS:
                return Refused(msg("match.refuse.mirrors", n=_MAX_MIRRORS))
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
                try:
                    await self._core.store.commit(Commit(after, self._core.now(), (), tuple(outbox)))
                except StaleError:
                    continue
                return after
        raise StaleError(f"match {match_id} is being changed by someone else")
