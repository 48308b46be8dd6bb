"""What every part of the service stands on: a match's lock, row and position, and the one way to change it.

A change is judged on what was just loaded, and committed with its messages and its request in one step. A
request that was served before gets the answer of then; a change that came too late is judged once more.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias, TypeVar

from games.ai.levels import Levels
from games.engine.dice import Sealed
from games.engine.game import Fact, Seat
from games.engine.match import Change, CorruptLogError, Match
from games.engine.message import Msg, msg
from games.engine.orders import Carried
from matches import drafts, lobby
from matches.changes import AUTOMATIC, change_spans
from matches.locks import Held, Locks
from matches.match_cache import CachedMatch, MatchCache
from matches.ports import (
    Clock,
    Commit,
    Entropy,
    Logged,
    MatchRow,
    RepeatedError,
    Request,
    StaleError,
    Store,
)
from matches.replay import replay_log, replay_range
from matches.results import Played, Refused, Table

log = logging.getLogger(__name__)

A = TypeVar("A")
Foresee: TypeAlias = Callable[[MatchRow, Match, tuple[Fact, ...]], None]
"""Told of a match as it will be after a change, and of what happened in it."""
_TICK = timedelta(milliseconds=1)
ROUNDS = 2  # judge a change again this often in all, if the match has moved on meanwhile


@dataclass(frozen=True, slots=True)
class Hot:
    """A match that is open on the desk. `moved_on`: something changed while we waited for it."""

    row: MatchRow
    match: Match
    sealed: Sealed
    moved_on: bool = False


def stale() -> Refused:
    """The position has moved on."""
    return Refused(msg("match.refuse.stale"), stale=True)


def unknown(match_id: str) -> Refused:
    """There is no such match."""
    return Refused(msg("match.refuse.unknown", id=match_id[:16]))


def not_played(row: MatchRow) -> Msg | None:
    """Why there is nothing to see on a board: the match never started, or not yet. None if it did."""
    if row.version >= 0:
        return None
    return msg("match.refuse.not_started", id=row.id) if row.status == "lobby" else lobby.over(row)


def computers(row: MatchRow) -> frozenset[Seat]:
    """The seats that computers hold."""
    return frozenset(Seat(seat.seat) for seat in row.seats if seat.occupant == "computer")


def computers_wanted(row: MatchRow, match: Match) -> frozenset[Seat]:
    """Computer seats that have to move, or to answer the offer of a draw."""
    if match.ending:
        return frozenset()
    ours = computers(row) & match.playing
    asked = ours - match.offers if match.offers else frozenset[Seat]()
    return asked | (ours & match.to_act)


class Desk:
    """Store, clock, entropy, locks and cached matches, and how they are used together."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        *,
        cache: int = 128,
        lobby_life: timedelta = timedelta(hours=24),
        remind_before: timedelta = timedelta(hours=4),
        max_open_per_user: int = 10,
        levels: Levels | None = None,
        foresee: Foresee = lambda row, match, facts: None,
    ) -> None:
        """`cache` is the number of matches kept as they stand; lobbies live for `lobby_life`.

        `levels` are the computer players there are; without oracles if none are given. `foresee` is told of
        each change that is about to be committed, and may get ready for it; it may yet come to nothing.

        Raises ValueError for a cache without room, or times that are not positive.
        """
        if lobby_life <= timedelta() or remind_before <= timedelta():
            raise ValueError("lobby_life and remind_before are positive")
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.lobby_life = lobby_life
        self.remind_before = min(remind_before, lobby_life / 2)
        self.max_open_per_user = max_open_per_user
        self.levels = levels or Levels()
        self._foresee = foresee
        self._gone: set[tuple[str, str]] = set()
        """Games and levels that were asked for and are no more."""
        self._cautions: OrderedDict[tuple[str, int, int, str], str] = OrderedDict()
        """Of what seats were warned: match, entry, seat and action, with the request that was answered so."""
        self._locks = Locks()
        self._cache = MatchCache(cache)
        self._due: set[str] | None = None
        """Matches in which a computer is to act; None until those of an earlier run were looked up."""

    def _now(self) -> datetime:
        """The time in whole milliseconds, as stores keep it."""
        now = self.clock.now()
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    async def _cached(self, row: MatchRow) -> CachedMatch:
        """Return the match of a row: from the cache, or replayed and cached.

        Raises LookupError if its log does not reach so far, CorruptLogError if it can't be read.
        """
        if (cached := self._cache.get(row.id, row.version)) is None:
            cached = await replay_log(await self.store.log(row.id), row.version)
            self._cache.put(cached)
        return cached

    async def _open(self, match_id: str, moved_on: bool = False) -> Hot | Refused:
        row = await self.store.match(match_id)
        return unknown(match_id) if row is None else await self._hot(row, moved_on)

    async def _hot(self, row: MatchRow, moved_on: bool = False) -> Hot | Refused:
        if (why := not_played(row)) is not None:
            return Refused(why)
        try:
            match = (await self._cached(row)).match
        except (CorruptLogError, LookupError) as error:
            log.exception("match %s can't be read", row.id)
            entry = error.seq if isinstance(error, CorruptLogError) else row.version
            return Refused(msg("match.refuse.corrupt", id=row.id, entry=entry))
        return Hot(row, match, Sealed(bytes.fromhex(row.secret), row.id, match.salt), moved_on)

    # --- changes of a lobby -------------------------------------------------------------------------------

    async def _arrange(
        self,
        match_id: str,
        request: str,
        change: Callable[[MatchRow], MatchRow | Msg],
        *,
        host: int | None = None,
    ) -> Table | Refused:
        """Change a lobby, by its host only if `host` says who asks."""
        async with self._locks.hold(match_id):
            for _ in range(ROUNDS):
                row = await self.store.match(match_id)
                if row is None:
                    return unknown(match_id)
                after = self._arranged(row, change, host)
                if isinstance(after, Refused):
                    return await self._unless_served(request, after)
                try:
                    outbox = drafts.lobby(after, row)
                    await self.store.commit(Commit(after, after.updated, (), outbox, request))
                except RepeatedError as error:
                    return await self._table_of(error.request)
                except StaleError:
                    continue
                return Table(after)
            return stale()

    def _arranged(
        self, row: MatchRow, change: Callable[[MatchRow], MatchRow | Msg], host: int | None
    ) -> MatchRow | Refused:
        if (why := lobby.over(row)) is not None:
            return Refused(why)
        if host is not None and host != row.host:
            return Refused(msg("lobby.refuse.host"))
        after = change(row)
        if isinstance(after, Msg):
            return Refused(after)
        return replace(after, revision=row.revision + 1, updated=self._now())

    async def _unless_served(self, request: str, refused: Refused) -> Table | Refused:
        served = await self.store.request(request)
        return refused if served is None else await self._table_of(served)

    async def _table_of(self, served: Request) -> Table | Refused:
        row = await self.store.match(served.match)
        return unknown(served.match) if row is None else Table(row, repeated=True)

    # --- changes of a match that is played ----------------------------------------------------------------

    async def _decide(
        self,
        match_id: str,
        user: int | None,
        request: str,
        judge: Callable[[Hot], Change | Carried | A | Refused],
    ) -> Played | A | Refused:
        """Judge on the present position; commit if the verdict is a change, else hand the verdict back."""
        async with self._locks.hold(match_id) as held:
            for _ in range(ROUNDS):
                hot = await self._open(match_id, held.moved_on)
                if isinstance(hot, Refused):
                    return await self._answer(request, hot)
                verdict = judge(hot)
                if isinstance(verdict, Change):
                    verdict = Carried(verdict)
                if not isinstance(verdict, Carried):
                    return await self._answer(request, verdict)
                try:
                    played = await self._record(hot.row, verdict.change, request, user, held)
                    return replace(played, left=verdict.left)
                except RepeatedError as error:
                    return await self._played_of(error.request)
                except StaleError:
                    continue
            return stale()

    async def _answer(self, request: str, verdict: A) -> A | Played | Refused:
        served = await self.store.request(request)
        return verdict if served is None else await self._played_of(served)

    async def _record(
        self,
        row: MatchRow,
        change: Change,
        request: str,
        user: int | None,
        held: Held,
    ) -> Played:
        """Commit a change with its messages. Raises RepeatedError, StaleError.

        Its entries bear a time of their own, later than that of any before.
        """
        now = self._now()
        at = now if row.version < 0 else max(now, row.updated + _TICK)
        first, last = change.entries[0].seq, change.entries[-1].seq
        after = self._row_after(row, change.match, at)
        outbox = drafts.start(after, last) if first == 0 else drafts.play(after, change.entries)
        if any(draft.kind == "board" for draft in outbox):
            self._foresee(after, change.match, change.facts)
        logged = tuple(Logged(e, at, None if e.kind in AUTOMATIC else user) for e in change.entries)
        await self.store.commit(Commit(after, now, logged, outbox, request, mirrors=True))
        held.changed()
        self._cache.advance(row.version, change)
        self._expect(after, change.match)
        return Played(after, change.match, first, last, change.facts)

    def _row_after(self, row: MatchRow, match: Match, now: datetime) -> MatchRow:
        result: dict[str, Any] | None = None
        status = row.status
        if match.ending is not None:
            how, outcome = match.ending.how, match.ending.outcome
            result = {"how": how, "ranks": [] if outcome is None else list(outcome.ranks)}
            status = "aborted" if how == "abort" else "over"
        return replace(
            row, status=status, result=result, version=match.seq, revision=row.revision + 1, updated=now
        )

    def _expect(self, row: MatchRow, match: Match) -> None:
        """Note whether a computer is to act, so that `tick` finds it if nobody runs it."""
        if self._due is None:
            return  # the first tick looks at all matches anyway
        if computers_wanted(row, match):
            self._due.add(row.id)
        else:
            self._due.discard(row.id)

    async def _played_of(self, served: Request) -> Played | Refused:
        """The answer to a request that was served before, made again from the log."""
        row = await self.store.match(served.match)
        if row is None:
            return unknown(served.match)
        if served.version < 0:
            return Refused(msg("match.refuse.not_started", id=row.id))
        log_of = await self.store.log(row.id)
        first = change_spans(log_of, served.version)[-1].first
        match, facts = await replay_range([each.entry for each in log_of], first, served.version)
        return Played(row, match, first, served.version, facts, repeated=True)
