"""The whole store in memory.

It passes the same contract tests as the real one: what a test proves on it holds on a file too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches import drafts
from matches.outbox.queue import Draft
from matches.ports import RepeatedError, StaleError
from matches.store.ping_rows import PingRow
from matches.store.rows import Commit, Logged, MatchRow, Post, Request, Status, Unread, Watch
from tests.fakes.analyses import MemoryAnalyses
from tests.fakes.archive import MemoryArchive
from tests.fakes.base import as_json, in_ms
from tests.fakes.errors import MemoryErrors
from tests.fakes.idle import MemoryIdle


def _row(row: MatchRow) -> MatchRow:
    return replace(
        row,
        options=as_json(row.options),
        clock=as_json(row.clock),
        result=as_json(row.result),
        created=in_ms(row.created),
        updated=in_ms(row.updated),
        expires=None if row.expires is None else in_ms(row.expires),
    )


@dataclass
class MemoryStore(
    MemoryIdle,
    MemoryAnalyses,
    MemoryArchive,
    MemoryErrors,
):
    """The Store protocol over dictionaries, without any file. `failing` is raised by every change.

    Without a `clock` no board ends the time in which a match can't be seen.
    """

    served: dict[str, Request] = field(default_factory=dict)
    _seen: dict[int, int] = field(default_factory=dict)

    def _apply(self, commit: Commit, revision: int, version: int) -> None:
        """Write what fits on top of a revision and version, or nothing."""
        if commit.request is not None and commit.request in self.served:
            raise RepeatedError(self.served[commit.request])
        row = _row(commit.row)
        if row.revision != revision + 1 or row.version != version + len(commit.entries):
            raise StaleError(f"match {row.id} has moved on")
        if [one.entry.seq for one in commit.entries] != list(range(version + 1, row.version + 1)):
            raise StaleError(f"the entries do not follow on the log of match {row.id}")
        if len({seat.seat for seat in row.seats}) != len(row.seats):
            raise ValueError(f"match {row.id} has a seat twice")
        for draft in commit.outbox:
            as_json(draft.message.to_json())
        self.rows[row.id] = replace(row, seats=tuple(sorted(row.seats, key=lambda seat: seat.seat)))
        self.logs.setdefault(row.id, []).extend(replace(one, at=in_ms(one.at)) for one in commit.entries)
        if commit.deadlines is not None:
            if commit.deadlines:
                self._begin_beating(commit.at)
            self._replace_deadlines(row.id, commit.deadlines)
        if commit.unseen:
            self._hide(row.id, commit.at)
        self.record_holders(commit)
        self.record_import(commit)
        self._drop_offers(commit)
        mirrors = [one.channel for one in self._watches.values() if one.match == row.id and commit.mirrors]
        for draft in (*commit.outbox, *(drafts.mirror(row.id, channel) for channel in mirrors)):
            self._enqueue(draft, commit.at)
        self.apply_turns(row.id, commit.turns, commit.at)
        self._note_news(commit)
        if commit.moderation is not None:
            self._note_moderation(commit.moderation)
        if commit.request is not None:
            self.served[commit.request] = Request(commit.request, row.id, row.version, row.revision)
        if commit.plan is not None:
            self._put_plan(commit.plan)
        self._drop_orphans(row)

    async def create(self, commit: Commit) -> None:
        """Add a new match."""
        self._change()
        if commit.row.id in self.rows and commit.request not in self.served:
            raise StaleError(f"the id {commit.row.id} is taken")
        self._apply(commit, -1, -1)

    async def commit(self, commit: Commit) -> None:
        """Apply a change."""
        self._change()
        old = self.rows.get(commit.row.id)
        if old is None:
            if commit.request in self.served:
                raise RepeatedError(self.served[commit.request])
            raise StaleError(f"there is no match {commit.row.id}")
        self._apply(commit, old.revision, old.version)
        self._show_finished(old, commit.row, commit.at)

    async def match(self, match_id: str) -> MatchRow | None:
        """A match by its id."""
        self._open()
        found = self.rows.get(match_id)
        return None if found is None else _row(found)

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """A match by its id, and its rows of pings."""
        found = await self.match(match_id)
        return None if found is None else (found, await self.pings(match_id))

    async def post_and_match(self, message: int) -> tuple[Post, MatchRow] | None:
        """The post that a message is, and its match."""
        post = await self.find_post(message)
        row = None if post is None else await self.match(post.match)
        return None if post is None or row is None else (post, row)

    async def log(self, match_id: str, after: int = -1) -> tuple[Logged, ...]:
        """The entries above a number."""
        self._open()
        return tuple(one for one in self.logs.get(match_id, ()) if one.entry.seq > after)

    async def request(self, request_id: str) -> Request | None:
        """What a request did."""
        self._open()
        return self.served.get(request_id)

    async def by_place(self, channel: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Matches of a channel or thread, newest first."""
        self._open()
        found = [
            _row(row)
            for row in reversed(self.rows.values())
            if row.place.home == channel and row.status in statuses
        ]
        return tuple(sorted(found, key=lambda row: row.created, reverse=True))

    async def by_user(self, user: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Matches of a person, latest change first."""
        self._open()
        found = [
            _row(row)
            for row in reversed(self.rows.values())
            if row.status in statuses and (row.host == user or any(seat.user == user for seat in row.seats))
        ]
        return tuple(sorted(found, key=lambda row: row.updated, reverse=True))

    async def by_status(self, status: Status, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Matches of a status, oldest change first."""
        self._open()
        found = [_row(row) for row in self.rows.values() if row.status == status]
        return tuple(sorted(found, key=lambda row: row.updated)[:limit])

    async def unreachable(self, why: str) -> tuple[MatchRow, ...]:
        """Matches that can't be reached for a reason."""
        self._open()
        return tuple(_row(row) for row in self.rows.values() if why and row.unreachable == why)

    async def expiring(self, now: datetime, limit: int = 100) -> tuple[MatchRow, ...]:
        """Lobbies that are due."""
        self._open()
        found = [
            (row.expires, _row(row))
            for row in self.rows.values()
            if row.status == "lobby" and row.expires is not None and row.expires <= in_ms(now)
        ]
        return tuple(row for _, row in sorted(found, key=lambda pair: pair[0])[:limit])

    async def watch(self, watch: Watch, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add or replace a watch, and queue a message."""
        self._change()
        self._known(watch.match)
        if draft is not None:
            if now is None:
                raise ValueError("a message is queued at a time")
            self._enqueue(draft, now)
        self._watches[watch.match, watch.channel] = watch

    async def unwatch(self, match_id: str, channel: int) -> bool:
        """Remove a watch."""
        self._change()
        return self._watches.pop((match_id, channel), None) is not None

    async def watches(self, match_id: str) -> tuple[Watch, ...]:
        """The watches of a match."""
        self._open()
        return tuple(watch for watch in self._watches.values() if watch.match == match_id)

    async def mark_read(self, marks: Mapping[int, int]) -> None:
        """Messages were read."""
        self._change()
        for channel, message in marks.items():
            self._seen[channel] = max(message, self._seen.get(channel, message))

    async def read_mark(self, channel: int) -> int | None:
        """Up to which message a channel was read."""
        self._open()
        return self._seen.get(channel)

    async def channels_to_read(self) -> tuple[Unread, ...]:
        """Channels of live matches, then where boards of them were left, with the message to read on from."""
        self._open()
        live = {row.id: row for row in self.rows.values() if row.status == "live"}
        guilds: dict[int, list[int]] = {}
        first: dict[int, int] = {}
        changed: dict[int, datetime] = {}
        for row in live.values():
            home = row.place.home
            guilds.setdefault(home, []).extend([] if row.place.guild is None else [row.place.guild])
            changed[home] = max(row.updated, changed.get(home, row.updated))
        for post in self._posts.values():
            if post.kind == "board" and post.match in live:
                at = live[post.match].updated
                first[post.channel] = min(post.message, first.get(post.channel, post.message))
                changed[post.channel] = max(at, changed.get(post.channel, at))
        for row in live.values():
            if row.place.thread is not None:  # before its first board is recorded
                first.setdefault(row.place.thread, row.place.thread)
        found = []
        for channel in sorted(sorted(changed), key=lambda one: changed[one], reverse=True):
            known = [marks[channel] for marks in (self._seen, first) if channel in marks]
            guild = max(guilds.get(channel, ()), default=None)
            found.append(Unread(channel, max(known, default=None), channel in guilds, guild))
        return tuple(sorted(found, key=lambda one: not one.home))

    async def channels_elsewhere(self) -> tuple[Unread, ...]:
        """Servers of live matches, and the direct messages of their people."""
        self._open()
        live = [row for row in self.rows.values() if row.status == "live"]
        found = {Unread(-guild, None, home=False, guild=guild) for row in live if (guild := row.place.guild)}
        for seat in (seat for row in live for seat in row.seats):
            if direct := self._settings.get(("user", seat.user or 0), {}).get("direct"):
                found.add(Unread(direct[0], direct[1], home=False, is_direct=True))
        marked = (replace(one, after=self._seen.get(one.channel, one.after)) for one in found)
        return tuple(sorted(marked, key=lambda one: -one.channel))

    async def close(self) -> None:
        """Refuse everything from now on."""
        self.closed = True
