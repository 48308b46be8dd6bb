"""Followers and showcases of the store in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches.drafts import finished
from matches.outbox.queue import Draft
from matches.store.follow_store import TURN_GAP, FollowRow, FollowWork
from matches.store.rows import Commit, MatchRow
from matches.store.showcase_store import Showcase
from tests.fakes.base import MemoryBase, in_ms


def _at(when: datetime | None) -> datetime | None:
    return None if when is None else in_ms(when)


@dataclass
class MemoryFollows(MemoryBase):
    """Followers by match and person, showcases by server."""

    _follows: dict[tuple[str, int], FollowRow] = field(default_factory=dict)
    _closed: set[tuple[str, int]] = field(default_factory=set)
    _showcases: dict[int, Showcase] = field(default_factory=dict)

    def _note_news(self, commit: Commit) -> None:
        row = commit.row
        over = row.status in ("over", "aborted") and not row.set_aside
        if not over and not commit.passed:
            return
        for key, each in self._follows.items():
            waits = each.tell == "turns" or (each.tell == "end" and over)
            if key[0] == row.id and waits and key not in self._closed:
                at = in_ms(commit.at)
                due = at if each.sent is None else max(at, each.sent + TURN_GAP)
                self._follows[key] = replace(each, due=each.due or due, stamp=each.stamp + 1)

    def _show_finished(self, before: MatchRow, row: MatchRow, at: datetime) -> None:
        case = self._showcases.get(row.place.guild or 0)
        if case is not None and row.status == "over" != before.status:
            self._enqueue(finished(row.id, case.channel), at)

    async def follow(self, row: FollowRow, most: int) -> bool:
        """Add or replace a row."""
        self._change()
        key = row.match, row.user
        others = [
            one for one in self._follows if one[1] == row.user and one != key and one not in self._closed
        ]
        if len(others) >= most:
            return False
        self._known(row.match)
        was = self._follows.get(key)
        stamp = 0 if was is None else was.stamp + 1
        self._closed.discard(key)
        times = {"since": in_ms(row.since), "due": _at(row.due), "sent": _at(row.sent)}
        self._follows[key] = replace(row, **times, stamp=stamp)  # type: ignore[arg-type]  # times by name
        return True

    async def unfollow(self, match_id: str, user: int) -> bool:
        """Remove a row."""
        self._change()
        key = match_id, user
        return key not in self._closed and self._follows.pop(key, None) is not None

    async def following(self, match_id: str, user: int) -> FollowRow | None:
        """The row of a match and person."""
        self._open()
        key = match_id, user
        return None if key in self._closed else self._follows.get(key)

    async def follows_of(self, user: int) -> tuple[FollowRow, ...]:
        """The rows of a person."""
        self._open()
        found = [row for key, row in self._follows.items() if key[1] == user and key not in self._closed]
        return tuple(sorted(found, key=lambda row: (row.since, row.match)))

    async def follows_due(self, now: datetime, limit: int = 100) -> tuple[FollowRow, ...]:
        """Rows whose time has come."""
        self._open()
        found = [
            (row.due, row.match, row.user, row)
            for key, row in self._follows.items()
            if row.due is not None and row.due <= in_ms(now) and key not in self._closed
        ]
        return tuple(row for *_, row in sorted(found, key=lambda each: each[:3])[:limit])

    async def follow_work(self, work: FollowWork) -> bool:
        """Write everything at once."""
        self._change()
        done = 0
        for row in work.rows:
            if self._stands(row):
                done += 1
                times = {"since": in_ms(row.since), "due": _at(row.due), "sent": _at(row.sent)}
                self._follows[row.match, row.user] = replace(row, **times, stamp=row.stamp + 1)  # type: ignore[arg-type]
        for row in work.ended:
            if self._stands(row):
                done += 1
                del self._follows[row.match, row.user]
        for draft in work.drafts if done else ():
            self._enqueue(draft, work.at)
        return done > 0

    def _stands(self, row: FollowRow) -> bool:
        key = row.match, row.user
        now = self._follows.get(key)
        return now is not None and now.stamp == row.stamp and key not in self._closed

    async def close_follows(self, user: int) -> int:
        """End all that a person follows."""
        self._change()
        mine = [key for key in self._follows if key[1] == user and key not in self._closed]
        self._closed.update(mine)
        return len(mine)

    async def take_closed_follows(self, user: int) -> Sequence[str]:
        """What was ended so, once."""
        self._change()
        mine = sorted(key for key in self._closed if key[1] == user)
        for key in mine:
            self._closed.discard(key)
            del self._follows[key]
        return tuple(match for match, _ in mine)

    async def showcases(self) -> tuple[Showcase, ...]:
        """All showcases."""
        self._open()
        return tuple(self._showcases[guild] for guild in sorted(self._showcases))

    async def showcase(self, guild: int) -> Showcase | None:
        """The showcase of a server."""
        self._open()
        return self._showcases.get(guild)

    async def save_showcase(self, row: Showcase) -> None:
        """Add or replace a showcase."""
        self._change()
        self._showcases[row.guild] = replace(row, since=in_ms(row.since), edited=_at(row.edited))

    async def note_showcase(self, row: Showcase) -> bool:
        """A list was posted or edited."""
        self._change()
        now = self._showcases.get(row.guild)
        if now is None or now.channel != row.channel:
            return False
        self._showcases[row.guild] = replace(
            now, message=row.message, shown=row.shown, edited=_at(row.edited)
        )
        return True

    async def drop_showcase(
        self, guild: int, channel: int, now: datetime, drafts: Sequence[Draft] = ()
    ) -> bool:
        """Remove a showcase, and queue messages."""
        self._change()
        known = self._showcases.get(guild)
        if known is None or known.channel != channel:
            return False
        del self._showcases[guild]
        for draft in drafts:
            self._enqueue(draft, now)
        return True

    async def live_in_guild(self, guild: int, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Live matches of a server, latest change first."""
        self._open()
        found = [
            row for row in reversed(self.rows.values()) if row.place.guild == guild and row.status == "live"
        ]
        return tuple(sorted(found, key=lambda row: row.updated, reverse=True)[:limit])
