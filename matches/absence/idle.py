"""Matches that nobody moves in: their people are asked once whether to go on, then they are set aside.

A server decides whether, and after how many days; a match in which a clock runs isn't idle. One that is set
aside has no result, and its clock isn't looked after: a move or one of its people takes it up again.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from games.engine.message import msg
from matches import occupants
from matches import outbox_drafts as drafts
from matches.core import Core, unknown_match, why_not_started
from matches.results import Refused
from matches.store.clocks import LOOK_AGAIN, IdleState
from matches.store.rows import Commit, MatchRow

PATIENCE = timedelta(days=7)
"""Time that people have to answer whether an idle match goes on."""


class Idle:
    """Asks whether to go on, sets matches aside, and takes them up again."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def due(self) -> tuple[str, ...]:
        """Return the matches for which `look_after` has something to do."""
        return await self._core.store.idle_due(self._core.now(), PATIENCE)

    async def look_after(self, match_id: str) -> tuple[MatchRow, ...]:
        """Ask the people of a match, or set it aside if nobody has answered; return its row if so."""
        store, now = self._core.store, self._core.now()
        async with self._core.locks.hold(match_id):
            row = await store.match(match_id)
            if row is None or row.status != "live" or row.place.guild is None:
                return ()
            days = (await store.settings("guild", row.place.guild)).get("idle") or 0
            state = await store.idle_state(match_id, row.version)
            asked = state is not None and state.asked
            since = row.updated if state is None else max(row.updated, state.at)
            if not days or since + (PATIENCE if asked else timedelta(days=days)) > now:
                return ()  # someone has moved or answered meanwhile
            if (await self._core.position(row)).match.hosting.held:  # a moderator decides about it
                await store.note_idle(row.id, row.version, IdleState(asked=False, at=now))
                return ()
            if asked:
                return (await self._change(row, aside=True),)
            new = IdleState(asked=True, at=now)
            notices = (drafts.idle(row, since),)
            return (row,) if await store.note_idle(row.id, row.version, new, notices) else ()

    async def go_on(self, match_id: str, user: int, *, version: int | None = None) -> MatchRow | Refused:
        """Note that one of its people wants to go on with a match; take it up if it was set aside.

        `version` is the log entry at which they were asked.
        """
        async with self._core.locks.hold(match_id):
            row = await self._judged(match_id, user, version)
            if isinstance(row, Refused) or row.set_aside:
                return row if isinstance(row, Refused) else await self._change(row, aside=False)
            state = IdleState(asked=False, at=self._core.now())
            await self._core.store.note_idle(row.id, row.version, state)
            return row

    async def set_aside(self, match_id: str, user: int, *, version: int) -> MatchRow | Refused:
        """Set a match aside at the wish of one of its people who were asked, without waiting any longer."""
        async with self._core.locks.hold(match_id):
            row = await self._judged(match_id, user, version)
            if isinstance(row, Refused) or row.set_aside:
                return row
            return await self._change(row, aside=True)

    async def _judged(self, match_id: str, user: int, version: int | None) -> MatchRow | Refused:
        """Return the row of a match that a person may set aside or take up, or why not."""
        row = await self._core.store.match(match_id)
        if row is None:
            return unknown_match(match_id)
        if (why := why_not_started(row)) is not None:
            return Refused(why)
        if user not in occupants.people(row):
            return Refused(msg("match.refuse.not_yours"))
        if row.is_final:
            return Refused(msg("match.refuse.over"))
        if row.ended_by_moderator:
            return Refused(msg("match.refuse.held_ended"))
        if version not in (None, row.version):
            return Refused(msg("match.refuse.idle_moved"))
        return row

    async def _change(self, row: MatchRow, *, aside: bool) -> MatchRow:
        """Set a match aside or take it up, in one commit. Raises StaleError if it has changed meanwhile."""
        now, notices = self._core.now(), drafts.set_aside(row)
        if aside:
            after = replace(row, status="aborted", result={"how": "idle", "ranks": []})
        else:
            loaded = await self._core.position(row)
            notices = drafts.again(row, loaded.match, loaded.changes[0].first)
            after = replace(row, status="live", result=None)
        # From here on its time counts anew, and its clocks are looked at again.
        after = replace(after, revision=row.revision + 1, updated=max(now, row.updated))
        deadlines = None if row.conditions.clock is None else {} if aside else {LOOK_AGAIN: now}
        await self._core.store.commit(Commit(after, now, (), notices, mirrors=True, deadlines=deadlines))
        return after
