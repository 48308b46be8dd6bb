"""The core shared by all parts of the service: lock a match, load it, judge a change, commit it.

A change is judged on the position just loaded, and committed with its messages and its request in one
transaction. A repeated request gets its first answer again; a stale change is judged once more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from time import perf_counter
from typing import TypeAlias, TypeVar

from cachetools import LRUCache

from games.engine import match as engine
from games.engine.dice import Sealed
from games.engine.game import Fact
from games.engine.match import Change, CorruptLogError, Kind, Match
from games.engine.message import Msg, msg
from games.engine.orders import Executed
from matches import occupants
from matches import outbox_drafts as drafts
from matches.clocks.timekeeper import ClockFace, Timekeeper
from matches.locks import HeldLock, Locks
from matches.log.changes import AUTOMATIC, BOARD_KEPT, BY_CLOCK, NOTES, row_after, turn_changes
from matches.log.match_cache import CachedMatch, MatchCache
from matches.log.replay import Origins, replay_change, replay_log
from matches.outbox.messages import BoardMessage
from matches.outbox.queue import Draft
from matches.ports import Clock, Entropy, Meter, NoMeter, RepeatedError, StaleError, Store
from matches.results import Played, Refused
from matches.standing.match_results import result_after
from matches.store.moderation import ModerationRow
from matches.store.plans import PlanRow
from matches.store.rows import Commit, Logged, MatchRow, Request, SeatHolder, SeatRow

log = logging.getLogger(__name__)

A = TypeVar("A")
BeforeCommit: TypeAlias = Callable[[MatchRow, Match, tuple[Fact, ...], ClockFace | None], None]
"""Called with the match as it will be after a change, the facts of the change, and its clocks, if any."""
Observer: TypeAlias = Callable[[MatchRow, Match], None]
"""Called with a match after a change was committed."""
_TICK = timedelta(milliseconds=1)
_MAX_SERVED = 1024
"""Maximum number of cached requests."""
ATTEMPTS = 2
"""How often a change is judged in total, if commits turn out stale."""


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match with its row, its position and its sealed dice.

    `moved_on` means that it changed while we waited for its lock.
    """

    row: MatchRow
    match: Match
    sealed: Sealed
    moved_on: bool = False


def stale() -> Refused:
    """Return the refusal that the position has moved on."""
    return Refused(msg("match.refuse.stale"), stale=True)


def unknown_match(match_id: str) -> Refused:
    """Return the refusal that there is no such match."""
    return Refused(msg("match.refuse.unknown", id=match_id[:16]))


def why_not_started(row: MatchRow) -> Msg | None:
    """Return why a match has no board: it hasn't started, or never will. None if it has one."""
    if row.version < 0 and row.status == "lobby":
        return msg("match.refuse.not_started", id=row.id)
    return occupants.why_not_open(row) if row.version < 0 else None


@dataclass(frozen=True, slots=True)
class Reseated:
    """A change by which seats change hands: the seats after it, and their holders to record."""

    change: Change
    seats: tuple[SeatRow, ...]
    holders: tuple[SeatHolder, ...]


@dataclass(frozen=True, slots=True)
class SharedBoard:
    """Lets several changes share one board: those from entry `since` on, until `continues` returns False."""

    since: int | None
    continues: Callable[[MatchRow, Match], bool]


class Core:
    """Store, clock, entropy, locks and match cache, and the operations that combine them."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        *,
        cache: int,
        before_commit: BeforeCommit,
        meter: Meter | None = None,
    ) -> None:
        """`cache` is the number of matches kept in memory. Raises ValueError if that is less than one.

        `before_commit` is called with each change just before its commit, which may still fail; `meter` is
        called with how long the steps of committed changes took.
        """
        self.store = store
        self.entropy = entropy
        self.locks = Locks()
        self.cache = MatchCache(cache)
        self.timekeeper = Timekeeper(store)
        self.origins = Origins(store)
        self._clock = clock
        self._before_commit = before_commit
        self._meter = meter or NoMeter()
        self._observers: list[Observer] = []
        self._served: LRUCache[str, Request] = LRUCache(_MAX_SERVED)
        """A cache of the latest served requests."""

    def now(self) -> datetime:
        """Return the time in whole milliseconds, the precision of the store."""
        now = self._clock.now()
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    def observe(self, observer: Observer) -> None:
        """Call `observer` after every change of a started match from now on."""
        self._observers.append(observer)

    # --- loading ------------------------------------------------------------------------------------------

    async def load(self, match_id: str, row: MatchRow | None = None) -> LoadedMatch | Refused:
        """Return a match in its current position, or why it has none.

        `row` saves reading it again. It is used if it has the version that was cached last, which every
        change by this process updates; if it is stale all the same, a commit fails.
        """
        newest = None if row is None else self.cache.newest(match_id)
        if row is None or newest is None or newest.match.seq != row.version:
            row = await self.store.match(match_id)
        return unknown_match(match_id) if row is None else await self.load_row(row)

    async def load_row(self, row: MatchRow) -> LoadedMatch | Refused:
        """Return the match of a row, or why there is none: it hasn't started, or its log can't be read."""
        if (why := why_not_started(row)) is not None:
            return Refused(why)
        try:
            match = (await self.position(row)).match
        except (CorruptLogError, LookupError) as error:
            log.exception("match %s can't be read", row.id)
            entry = error.seq if isinstance(error, CorruptLogError) else row.version
            return Refused(msg("match.refuse.corrupt", id=row.id, entry=entry))
        return LoadedMatch(row, match, Sealed(bytes.fromhex(row.secret), row.id, match.salt))

    async def position(self, row: MatchRow) -> CachedMatch:
        """Return the match of a row with its latest changes: from the cache, or replayed and cached.

        Raises LookupError if the log is too short, CorruptLogError if it can't be read.
        """
        if (cached := self.cache.get(row.id, row.version)) is None:
            cached = await replay_log(await self.store.log(row.id), row.version)
            self.cache.put(cached)
        return cached

    async def newest(self, match_id: str, entry: int) -> CachedMatch:
        """Return the newest known version of a match, at least with this entry.

        Raises as `position`, and LookupError if there is no such entry.
        """
        newest = self.cache.newest(match_id)
        if newest is None or newest.match.seq < entry:
            logged = await self.store.log(match_id)
            if not logged or logged[-1].entry.seq < entry:
                raise LookupError(f"there is no entry {entry} of {match_id!r}")
            newest = await replay_log(logged, logged[-1].entry.seq)
            self.cache.put(newest)
        return newest

    # --- changing a started match -------------------------------------------------------------------------

    async def decide(
        self,
        match_id: str,
        user: int | None,
        request: str,
        judge: Callable[[LoadedMatch], Change | Executed | Reseated | A | Refused],
        *,
        row: MatchRow | None = None,
        shared: SharedBoard | None = None,
        silent: bool = False,
        act: ModerationRow | None = None,
    ) -> Played | A | Refused:
        """Judge on the current position; commit if the verdict is a change, else return the verdict.

        `user` is who is logged; None for computers. `row` is the row if it was just read, `shared` is the
        board that changes share, a `silent` one is shown by the next one's message. `act` is what a moderator
        does by it: it goes into their log, and its reason into the message.
        """
        async with self.locks.hold(match_id) as held:
            for attempt in range(ATTEMPTS):
                begun = perf_counter()
                loaded = await self.load(match_id, None if attempt else row)
                if isinstance(loaded, Refused):
                    return await self.answer(request, loaded)
                try:
                    loaded = replace(await self.with_downtimes(loaded, held), moved_on=held.moved_on)
                except StaleError:
                    continue
                judging = perf_counter()
                verdict = occupants.why_read_only(loaded.row) or judge(loaded)
                judged = perf_counter()
                reseated = verdict if isinstance(verdict, Reseated) else None
                if isinstance(verdict, Reseated):
                    verdict = verdict.change
                if isinstance(verdict, Change):
                    verdict = Executed(verdict)
                if not isinstance(verdict, Executed):
                    return await self.answer(request, verdict)
                try:
                    played = await self.commit_change(
                        loaded.row,
                        loaded.match,
                        verdict.change,
                        request,
                        user,
                        held,
                        shared,
                        reseated,
                        silent=silent,
                        act=act,
                    )
                    self._meter.took("load", judging - begun)
                    self._meter.took("judge", judged - judging)
                    return replace(played, left=verdict.undone)
                except RepeatedError as error:
                    return await self.repeat_answer(error.request)
                except StaleError:
                    continue
            return stale()

    async def with_downtimes(self, loaded: LoadedMatch, held: HeldLock) -> LoadedMatch:
        """Return a match whose log records all downtimes that stopped a running clock: record the others.

        Whatever changes a match calls this first, under its lock. Raises StaleError as `commit_change`.

        Raises RuntimeError if a downtime can't be noted.
        """
        row, match = loaded.row, loaded.match
        if row.status != "live":
            return loaded
        unshown = await self.timekeeper.unlogged_downtimes(row, match, self.now())
        if not unshown:
            return loaded
        seconds = [max(1, (span.end - span.start) // timedelta(seconds=1)) for span in unshown]
        change = engine.note_downtimes(match, seconds, loaded.sealed)
        if isinstance(change, Msg):
            raise RuntimeError(f"downtimes of {row.id} can't be noted: {change.key}")
        request = f"downtime:{row.id}:{match.seq + 1}"
        noted = await self.commit_change(row, match, change, request, None, held, silent=True)
        return replace(loaded, row=noted.row, match=noted.match)

    async def answer(self, request: str, verdict: A) -> A | Played | Refused:
        """Return a verdict that changes nothing, or the first answer if the request was served before.

        For conversation only the cache is asked: a text that doesn't resemble a move can't have been one
        before, and this saves a query for most messages in a thread.
        """
        served = self._served.get(request)
        if served is None and not (isinstance(verdict, Refused) and verdict.chat):
            served = await self.store.request(request)
        return verdict if served is None else await self.repeat_answer(served)

    async def commit_change(
        self,
        row: MatchRow,
        before: Match | None,
        change: Change,
        request: str,
        user: int | None,
        held: HeldLock,
        shared: SharedBoard | None = None,
        reseated: Reseated | None = None,
        *,
        plan: PlanRow | None = None,
        extra: Sequence[Draft] = (),
        silent: bool = False,
        act: ModerationRow | None = None,
    ) -> Played:
        """Commit a change of a match with its messages; `before` is None for the start.

        The entries get a time of their own, later than that of all earlier ones. `plan` is what is left of
        the plan that it carries out, `extra` are messages besides its own; a `silent` one has none. Raises
        RepeatedError, StaleError.
        """
        now = self.now()
        # A note is no news of a match, so its row keeps its time; but what follows comes later than the note.
        latest = max(row.updated, self.timekeeper.last_note(row.id) or row.updated)
        at = now if row.version < 0 else max(now, latest + _TICK)
        first, last = change.entries[0].seq, change.entries[-1].seq
        note = change.entries[0].kind in NOTES
        after = row_after(row, change.match, row.updated if note else at)
        if reseated is not None:
            after = replace(after, seats=reseated.seats)
        after = occupants.reseated(after, change.match)
        author = None if before is None else user
        ping = drafts.newly_to_act(after, before, change.match, author)
        since = None if shared is None else shared.since
        if since is None and before is not None:
            since = _notes_before(before)
        outbox: tuple[Draft, ...] = ()
        if quiet := silent or (shared is not None and shared.continues(after, change.match)):
            pass  # the message of a later change shows this one too
        elif before is None:
            outbox = drafts.start(after, last, ping)
        else:
            outbox = drafts.play(after, change.entries, ping, since, left=_left(row, after), act=act)
        clocks = await self.timekeeper.after(after, before, change.match, change.entries, at)
        if any(isinstance(draft.message, BoardMessage) for draft in outbox):
            cached = None if since is None else self.cache.get(row.id, row.version)
            earlier = None if cached is None or since is None else cached.facts(since)
            face = None if clocks is None else clocks.board
            self._before_commit(after, change.match, (*(earlier or ()), *change.facts), face)
        logged = tuple(
            Logged(e, at, None if e.kind in AUTOMATIC | BY_CLOCK else user) for e in change.entries
        )
        begun = perf_counter()
        try:
            turns = turn_changes(row, before, after, change.match, change.entries, author)
            result = await result_after(self.store, after, logged)
            await self.store.commit(
                Commit(
                    after,
                    now,
                    logged,
                    (*outbox, *extra),
                    request,
                    deadlines=None if clocks is None else clocks.deadlines,
                    unseen=clocks is not None and before is None,
                    mirrors=not quiet,
                    holders=() if reseated is None else reseated.holders,
                    plan=plan,
                    moderation=act,
                    turns=turns,
                    passed=before is not None and bool(change.match.to_act - before.to_act),
                    result=result,
                )
            )
        except BaseException:
            self.cache.drop(row.id)  # it may have been committed all the same
            raise
        self._meter.took("commit", perf_counter() - begun)
        self._meter.moved(after.game, sum(entry.kind is Kind.PLAY for entry in change.entries))
        self._served[request] = Request(request, after.id, after.version, after.revision)
        if not note:
            held.changed()
        self.cache.advance(row.version, change, shared_from=since)
        if clocks is not None:
            self.timekeeper.keep(row.id, clocks.kept)
        for observer in self._observers:
            observer(after, change.match)
        return Played(after, change.match, first, last, change.facts)

    async def repeat_answer(self, served: Request) -> Played | Refused:
        """Return the answer to a repeated request, made again from the log."""
        self._served[served.id] = served
        row = await self.store.match(served.match)
        if row is None:
            return unknown_match(served.match)
        if served.version < 0:
            return Refused(msg("match.refuse.not_started", id=row.id))
        logged = await self.store.log(row.id)
        match, facts, first = await replay_change(logged, served.version)
        return Played(row, match, first, served.version, facts, repeated=True)


def _notes_before(match: Match) -> int | None:
    """Return the first of the host's notes with which a log ends: the next message shows them."""
    unshown = takewhile(lambda entry: entry.kind in BOARD_KEPT, reversed(match.log))
    notes = [entry.seq for entry in unshown if entry.kind in NOTES]
    return notes[-1] if notes else None


def _left(before: MatchRow, after: MatchRow) -> tuple[int, ...]:
    """Return the users who have given up their seats by a change."""
    if before.seats == after.seats:
        return ()
    now = {seat.user for seat in after.seats}
    return tuple(seat.user for seat in before.seats if seat.user is not None and seat.user not in now)
