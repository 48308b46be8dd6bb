"""Stand-ins for what lies outside: a clock that is set by hand, entropy that repeats, a store in memory.

MemoryStore passes the same contract tests as the real one: what a test proves on it holds on a file too.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeVar

from matches import drafts
from matches.ping_ports import PingWork
from matches.ping_rows import PingRow
from matches.ports import Clock, RepeatedError, StaleError, Store, StoreError
from matches.rows import (
    MAX_MAP_BYTES,
    MAX_MAP_TEXT,
    MAX_MAPS,
    Commit,
    Draft,
    Logged,
    MapInfo,
    MapRow,
    MatchRow,
    OutboxKind,
    OutboxRow,
    Post,
    Request,
    Status,
    Unread,
    Watch,
)
from tests.fake_clocks import MemoryClocks, in_ms
from tests.fake_holders import MemoryHolders
from tests.fake_idle import MemoryIdle
from tests.fake_pings import MemoryPings
from tests.fake_plans import MemoryPlans

START = datetime(2026, 1, 1, 12, tzinfo=UTC)

_Json = TypeVar("_Json")


class FakeClock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now

    def now(self) -> datetime:
        """The time that was set last."""
        return self._now

    def set(self, now: datetime) -> None:
        """Jump to a time; it must be aware."""
        if now.tzinfo is None:
            raise ValueError("a clock shows aware times only")
        self._now = now.astimezone(UTC)

    def advance(self, by: timedelta | None = None, **units: float) -> datetime:
        """Let time pass, `advance(hours=1)` or `advance(timedelta(...))`, and tell the new time."""
        self._now += (by or timedelta()) + timedelta(**units)
        return self._now


class FakeEntropy:
    """Bytes that look random and are the same in every run; equal seeds give equal streams."""

    def __init__(self, seed: str = "") -> None:
        self._seed = seed
        self._calls = 0

    def token(self, size: int) -> bytes:
        """The next bytes; each call gives others."""
        self._calls += 1
        return hashlib.shake_256(f"{self._seed}/{self._calls}".encode()).digest(size)


def as_json(value: _Json) -> _Json:
    """A value after its way through JSON, apart from the original."""
    back: _Json = json.loads(json.dumps(value, allow_nan=False))
    return back


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


class CountingStore:
    """A store that counts its calls by name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            return await method(*args, **kwargs)

        return call

    def taken(self) -> dict[str, int]:
        """Return the calls since the last time, and count anew."""
        calls = dict(self.calls)
        self.calls.clear()
        return calls


@dataclass
class MemoryStore(MemoryClocks, MemoryHolders, MemoryIdle, MemoryPlans, MemoryPings):
    """The Store protocol over dictionaries, without any file. `failing` is raised by every change.

    Without a `clock` no board ends the time in which a match can't be seen.
    """

    failing: StoreError | None = None
    clock: Clock | None = None
    logs: dict[str, list[Logged]] = field(default_factory=dict)
    served: dict[str, Request] = field(default_factory=dict)
    queue: dict[int, OutboxRow] = field(default_factory=dict)
    dead: dict[int, OutboxRow] = field(default_factory=dict)
    closed: bool = False
    _posts: dict[int, Post] = field(default_factory=dict)
    _watches: dict[tuple[str, int], Watch] = field(default_factory=dict)
    _settings: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    _seen: dict[int, int] = field(default_factory=dict)
    _maps: dict[tuple[int, str, str], MapRow] = field(default_factory=dict)
    _queued: int = 0
    _until: dict[int, str] = field(default_factory=dict)

    def _open(self) -> None:
        if self.closed:
            raise StoreError("The store is closed.")

    def _change(self) -> None:
        self._open()
        if self.failing is not None:
            raise self.failing

    def _known(self, match_id: str) -> None:
        if match_id not in self.rows:
            raise LookupError(f"there is no match {match_id!r}")

    def _enqueue(self, draft: Draft, at: datetime) -> int:
        self._queued += 1
        self.queue[self._queued] = OutboxRow(
            id=self._queued,
            draft=replace(draft, payload=as_json(draft.payload)),
            nonce=f"{self._queued:024x}",
            created=in_ms(at),
            due=in_ms(at),
        )
        return self._queued

    def idle_rows(self) -> dict[str, MatchRow]:
        """All matches."""
        return self.rows

    def idle_days(self, guild: int | None) -> Any:
        """A server's setting."""
        return self._settings.get(("guild", guild or 0), {}).get("idle")

    def idle_queue(self, draft: Draft, at: datetime) -> None:
        """Queue a message."""
        self._enqueue(draft, at)

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
            as_json(draft.payload)
        self.rows[row.id] = replace(row, seats=tuple(sorted(row.seats, key=lambda seat: seat.seat)))
        self.logs.setdefault(row.id, []).extend(replace(one, at=in_ms(one.at)) for one in commit.entries)
        if commit.deadlines is not None:
            self._replace_deadlines(row.id, commit.deadlines)
        if commit.unseen:
            self._hide(row.id, commit.at)
        self.record_holders(commit)
        mirrors = [one.channel for one in self._watches.values() if one.match == row.id and commit.mirrors]
        for draft in (*commit.outbox, *(drafts.mirror(row.id, channel) for channel in mirrors)):
            self._enqueue(draft, commit.at)
        self.apply_turns(row.id, commit.turns, commit.at)
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

    async def match(self, match_id: str) -> MatchRow | None:
        """A match by its id."""
        self._open()
        found = self.rows.get(match_id)
        return None if found is None else _row(found)

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """A match by its id, and its rows of pings."""
        found = await self.match(match_id)
        return None if found is None else (found, await self.pings(match_id))

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

    async def find_post(self, message: int) -> Post | None:
        """The post that a message is."""
        self._open()
        return self._posts.get(message)

    async def post_and_match(self, message: int) -> tuple[Post, MatchRow] | None:
        """The post that a message is, and its match."""
        post = await self.find_post(message)
        row = None if post is None else await self.match(post.match)
        return None if post is None or row is None else (post, row)

    async def posts(self, match_id: str, kind: OutboxKind | None = None) -> tuple[Post, ...]:
        """The posts of a match, oldest first."""
        self._open()
        found = [p for p in self._posts.values() if p.match == match_id and kind in (None, p.kind)]
        return tuple(sorted(found, key=lambda post: post.message))

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """What is due, less the rows behind one of their lane that isn't."""
        rows = await self.outbox_pending()
        held = {row.draft.lane: row.id for row in reversed(rows) if row.due > in_ms(now)}
        return tuple([row for row in rows if row.id < held.get(row.draft.lane, row.id + 1)][:limit])

    async def outbox_pending(self, match_id: str | None = None) -> tuple[OutboxRow, ...]:
        """All unsent rows."""
        self._open()
        rows = [self.queue[number] for number in sorted(self.queue)]
        return tuple(
            replace(row, draft=replace(row.draft, payload=as_json(row.draft.payload)))
            for row in rows
            if match_id in (None, row.draft.match)
        )

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message."""
        self._change()
        return self._enqueue(draft, now)

    async def outbox_sent(self, row_id: int, post: Post | None, pings: PingWork | None = None) -> None:
        """The row is sent."""
        self._change()
        if pings is not None:
            await self.ping_work(pings)
        self.queue.pop(row_id, None)
        if post is not None:
            self._posts.setdefault(post.message, post)
            if post.kind == "board" and self.clock is not None:
                self._show(post.match, self.clock.now())

    async def outbox_retry(self, row_id: int, due: datetime, error: str) -> None:
        """Try again later."""
        self._change()
        if (row := self.queue.get(row_id)) is not None:
            self.queue[row_id] = replace(row, due=in_ms(due), tries=row.tries + 1, error=error)

    async def outbox_hurry(self, match_id: str, now: datetime) -> None:
        """Rows of a match are due."""
        self._change()
        for number, row in self.queue.items():
            if row.draft.match == match_id:
                self.queue[number] = replace(row, due=min(row.due, in_ms(now)))

    async def outbox_drop(self, row_id: int, error: str) -> None:
        """Lay the row among the dead."""
        await self.outbox_park(row_id, "", error)

    async def outbox_park(self, row_id: int, until: str, error: str) -> None:
        """Lay the row aside."""
        self._change()
        if (row := self.queue.pop(row_id, None)) is not None:
            self.dead[row_id] = replace(row, tries=row.tries + 1, error=error)
            self._until[row_id] = until

    async def outbox_awaited(self, match_id: str | None = None) -> frozenset[str]:
        """What is waited for."""
        self._open()
        rows = (row for row in self.dead.values() if match_id in (None, row.draft.match))
        return frozenset(self._until[row.id] for row in rows if self._until[row.id])

    async def outbox_revive(self, until: str, now: datetime) -> int:
        """Rows parked until now are due again."""
        self._change()
        back = [row for row in self.dead.values() if until and self._until[row.id] == until]
        for row in back:
            self.queue[row.id] = replace(self.dead.pop(row.id), due=in_ms(now), tries=0)
        return len(back)

    async def outbox_merge(self, row_id: int, payload: Mapping[str, Any], covered: Sequence[int]) -> None:
        """One row stands for several."""
        self._change()
        if (row := self.queue.get(row_id)) is not None:
            self.queue[row_id] = replace(row, draft=replace(row.draft, payload=as_json(dict(payload))))
        for one in covered:
            self.queue.pop(one, None)

    async def outbox_begin(self, now: datetime) -> int:
        """What was never tried is due."""
        self._change()
        for number, row in self.queue.items():
            if not row.tries:
                self.queue[number] = replace(row, due=min(row.due, in_ms(now)))
        return self._queued

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

    async def settings(self, scope: Literal["guild", "user"], id: int) -> dict[str, Any]:  # noqa: A002
        """The settings of a server or person."""
        self._open()
        return as_json(self._settings.get((scope, id), {}))

    async def save_settings(self, scope: Literal["guild", "user"], id: int, values: dict[str, Any]) -> None:  # noqa: A002
        """Replace settings."""
        self._change()
        self._settings[scope, id] = as_json(values)

    async def maps(self, guild: int, game: str) -> tuple[MapInfo, ...]:
        """The maps of a server for a game."""
        self._open()
        return tuple(row.info for place, row in sorted(self._maps.items()) if place[:2] == (guild, game))

    async def stored_map(self, guild: int, game: str, key: str) -> MapRow | None:
        """A whole map."""
        self._open()
        return self._maps.get((guild, game, key))

    async def drawn(self, ground: str) -> tuple[bytes | None, bytes | None] | None:
        """Picture and mask by their key."""
        self._open()
        found = (row for row in self._maps.values() if ground and row.ground == ground)
        return next(((row.picture, row.mask) for row in found), None)

    async def save_map(self, row: MapRow, most: int = MAX_MAPS) -> bool:
        """Add or replace a map, within the limits."""
        self._change()
        info = replace(row.info, at=in_ms(row.info.at))
        if sum(one.key != info.key for one in await self.maps(info.guild, info.game)) >= most:
            return False
        large = max(len(row.picture or b""), len(row.mask or b"")) > MAX_MAP_BYTES
        named = 0 < len(info.key) <= 32 and 0 < len(info.title) <= 100
        if large or len(row.data) > MAX_MAP_TEXT or not named:
            raise ValueError("a map like that can't be kept")
        json.loads(row.data)
        self._maps[info.guild, info.game, info.key] = replace(row, info=info)
        return True

    async def drop_map(self, guild: int, game: str, key: str) -> bool:
        """Remove a map."""
        self._change()
        return self._maps.pop((guild, game, key), None) is not None

    async def mark_read(self, marks: Mapping[int, int]) -> None:
        """Messages were read."""
        self._change()
        for channel, message in marks.items():
            self._seen[channel] = max(message, self._seen.get(channel, message))

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
        found = []
        for channel in sorted(sorted(changed), key=lambda one: changed[one], reverse=True):
            known = [marks[channel] for marks in (self._seen, first) if channel in marks]
            guild = max(guilds.get(channel, ()), default=None)
            found.append(Unread(channel, max(known, default=None), channel in guilds, guild))
        return tuple(sorted(found, key=lambda one: not one.home))

    async def close(self) -> None:
        """Refuse everything from now on."""
        self.closed = True
