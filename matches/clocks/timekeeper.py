"""Compute the clocks of a match: from the log's times, the clock agreed on, and what stopped it.

The clocks after a version are kept in memory, so that a move adds one step to them; they can be computed
again from the log at any time. `clocks.fold` has the arithmetic, `clocks.stops` what stops them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from cachetools import LRUCache

from games.engine.match import Entry, Kind, Match, walk
from games.engine.rulings import seconds_given
from matches.clocks import fold
from matches.clocks.control import TimeControl, from_json
from matches.clocks.fold import Clocks, Reading
from matches.clocks.stops import KnownStops, Stops
from matches.log.changes import NOTES, change_spans
from matches.log.replay import MAX_INLINE
from matches.long_work import long_in_thread
from matches.occupants import person_seats
from matches.ports import Store
from matches.spans import END_OF_TIME, Span, union
from matches.store.rows import Logged, MatchRow

log = logging.getLogger(__name__)

_MAX_KNOWN = 2048
"""Maximum number of matches whose clocks are kept in memory."""


@dataclass(frozen=True, slots=True)
class KeptClocks:
    """The clocks of a match after entry `version`."""

    version: int
    clocks: Clocks
    pauses: tuple[Span, ...] = ()
    flagged: frozenset[int] = frozenset()
    """Seats for which the log records that the time of their present turn is up."""
    noted: Mapping[int | None, datetime] = field(default_factory=dict)
    """When the log last recorded downtimes (None), and a vacation of a seat."""
    arrived: Mapping[int, int] = field(default_factory=dict)
    """For seats that have changed hands, the entry after which their present holder has them."""


@dataclass(frozen=True, slots=True)
class ClocksAfter:
    """The clocks after a change: what to keep, the deadlines by seat, and what its board will show."""

    kept: KeptClocks
    deadlines: Mapping[int, datetime]
    board: ClockFace | None = None
    """None if the match is over."""


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What the clocks of a match show at a moment: the seats of people, by number."""

    control: TimeControl
    readings: Mapping[int, Reading]
    """The clocks of all seats that people hold, also of those that aren't to act."""
    to_act: frozenset[int]
    """The seats of people who are to act."""
    flagged: frozenset[int]
    """Of those, the seats for which the log records that their time is up."""
    paused: bool
    seen: bool
    """Whether the people of the match can see it."""
    away: frozenset[int]
    """Seats whose holders are on vacation, where the match honours that."""
    at: datetime
    """The moment at which the clocks show this."""
    pauses: tuple[Span, ...]
    """The pauses of the match so far; one that goes on has no end."""
    stops: Stops = field(repr=False)
    held: bool = False
    """Whether a moderator has stopped the match: then nothing follows from time being up."""
    outage: bool = False
    """Whether Discord can't reach its server now."""

    @property
    def opens(self) -> datetime | None:
        """When the playing hours begin again; None within them, and where there are none."""
        hours = self.control.hours
        begins = None if hours is None else next((span.start for span in hours.windows(self.at)), None)
        return None if begins is None or begins <= self.at else begins

    def back(self, seat: int) -> datetime | None:
        """Return when the vacation of a seat's holder ends; None if there is none now."""
        spans = union(self.stops.seats.get(seat, ()))
        return next((span.end for span in spans if span.covers(self.at)), None)

    @property
    def late(self) -> tuple[int, ...]:
        """The seats whose time is up, in order."""
        return tuple(seat for seat in sorted(self.to_act) if not self.readings[seat].left)

    def deadlines(self) -> dict[int, datetime]:
        """Return when to look at the match again, by seat.

        A seat for which the log records that its time is up waits for a claim, not for us.
        """
        if self.held:
            return {}
        waits = self.flagged if self.control.acts == "claim" else frozenset[int]()
        dues = {seat: self.readings[seat].deadline for seat in sorted(self.to_act - waits)}
        return {seat: due for seat, due in dues.items() if due is not None}


def control_of(match: Match) -> TimeControl | None:
    """Return the clock that the people of a match have agreed on; None without one, or an unreadable one."""
    if match.hosting.clock is None:
        return None
    try:
        return from_json(match.hosting.clock)
    except (ValueError, KeyError, TypeError):
        log.exception("the clock of match %s can't be read: it is played without one", match.id)
        return None


class Timekeeper:
    """Reads the clocks of matches."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: LRUCache[str, KeptClocks] = LRUCache(_MAX_KNOWN)
        self._stops = KnownStops(store)
        """Those of all servers; read together with the downtimes."""

    # --- reading ------------------------------------------------------------------------------------------

    async def read(
        self, row: MatchRow, match: Match, now: datetime, *, posting: bool = False
    ) -> ClockFace | None:
        """Return what the clocks of a match show; None if it has none, or is over.

        `match` is that of the row, in its version. With `posting`, the match counts as seen from now on.
        """
        control = control_of(match)
        if control is None or match.ending is not None:
            return None
        stops = await self._stops.of(row, control)
        kept = await self._kept(row, control, stops, match.seq)
        shown = _face(row, match, control, kept, stops.ended(now) if posting else stops, now)
        return replace(shown, outage=not posting and self._stops.is_out(row))

    async def downtimes(self, row: MatchRow) -> tuple[Span, ...]:
        """Return the downtimes and outages since a match was opened, in order; those that have ended."""
        return tuple(sorted(span for span in await self._stops.shared(row) if span.end != END_OF_TIME))

    async def unlogged_downtimes(self, row: MatchRow, match: Match, now: datetime) -> tuple[Span, ...]:
        """Return the downtimes that have stopped a running clock, and which the log doesn't record yet.

        No query is made unless there was a downtime since the last move or talk, or note.
        """
        if match.hosting.clock is None or match.ending is not None:
            return ()
        known = self._known.get(row.id)
        since = row.updated if known is None else max(row.updated, known.noted.get(None, row.updated))
        found = [span for span in await self.downtimes(row) if span.end >= since]
        if not found or (control := control_of(match)) is None:
            return ()
        stops = await self._stops.of(row, control)
        kept = await self._kept(row, control, stops, match.seq)
        if (noted_before := kept.noted.get(None)) is not None:
            found = [span for span in found if span.end > noted_before]
        others = tuple(span for span in stops.everyone if span not in found)
        stops = replace(stops, everyone=others).with_pauses(kept.pauses)
        seats = people_to_act(row, match)
        return tuple(span for span in found if fold.ran(control, kept.clocks, stops, seats, span, now))

    async def unlogged_vacations(self, row: MatchRow, match: Match, now: datetime) -> dict[int, Span]:
        """Return the automatic vacations that go on and have stopped a running clock, by seat.

        Those that the log records are left out.
        """
        control = control_of(match)
        if control is None or not control.vacations or match.ending is not None:
            return {}
        stops = await self._stops.of(row, control)
        kept = await self._kept(row, control, stops, match.seq)
        seats = {row.seats[seat].user: seat for seat in people_to_act(row, match)}
        found: dict[int, Span] = {}
        for vacation in await self._store.vacations(user for user in seats if user is not None):
            seat, span = seats[vacation.user], vacation.span
            noted_before = kept.noted.get(seat)
            if (
                vacation.automatic
                and span.covers(now)
                and (noted_before is None or noted_before < span.start)
            ):
                others = tuple(each for each in stops.seats[seat] if each != span)
                without = replace(stops, seats={**stops.seats, seat: others}).with_pauses(kept.pauses)
                if fold.ran(control, kept.clocks, without, (seat,), span, now):
                    found[seat] = span
        return found

    # --- changes ------------------------------------------------------------------------------------------

    async def after(
        self, row: MatchRow, before: Match | None, after: Match, entries: Sequence[Entry], at: datetime
    ) -> ClocksAfter | None:
        """Return the clocks after a change that is about to be committed; None without a clock.

        `before` is None at the start; `row` has the seats as they are after the change.
        """
        control = control_of(after)
        if control is None:
            return None
        stops = await self._stops.of(row, control)
        if before is None:
            stops = replace(stops, everyone=(*stops.everyone, Span(at)))  # until its board stands
            kept = _begun(control, row, after, at)
        else:
            known = await self._kept(row, control, stops, before.seq)
            kept = _step(control, row, known, after, entries, at, stops)
        if after.ending is not None:
            return ClocksAfter(kept, {})
        face = _face(row, after, control, kept, stops, at)
        once_seen = stops.ended(at)
        board = face if once_seen == stops else _face(row, after, control, kept, once_seen, at)
        return ClocksAfter(kept, face.deadlines(), board)

    def keep(self, match_id: str, kept: KeptClocks) -> None:
        """Keep the clocks of a change that was committed."""
        self._known[match_id] = kept

    def last_note(self, match_id: str) -> datetime | None:
        """Return when the log of a match last recorded something that stopped clocks, if that is known."""
        kept = self._known.get(match_id)
        return None if kept is None else max(kept.noted.values(), default=None)

    def forget(self, match_id: str | None = None) -> None:
        """Compute the clocks of a match, or of all, from the log again: something beside it has changed."""
        if match_id is None:
            self._known.clear()
            self._stops.forget()
        else:
            self._known.pop(match_id, None)

    async def _kept(self, row: MatchRow, control: TimeControl, stops: Stops, version: int) -> KeptClocks:
        """Return the clocks after entry `version`, from memory or from the log."""
        kept = self._known.get(row.id)
        if kept is None or kept.version != version:
            kept = self._known[row.id] = await self._replayed(row, control, stops, version)
        return kept

    async def _replayed(self, row: MatchRow, control: TimeControl, stops: Stops, version: int) -> KeptClocks:
        logged = await self._store.log(row.id)
        if version > MAX_INLINE:
            return await long_in_thread(_replay, control, row, logged, stops, version)
        return _replay(control, row, logged, stops, version)


def _replay(
    control: TimeControl, row: MatchRow, logged: Sequence[Logged], stops: Stops, version: int
) -> KeptClocks:
    matches = [match for match, _ in walk(one.entry for one in logged[: version + 1])]
    spans = change_spans(logged, version)
    kept = _begun(control, row, matches[spans[0].last], logged[0].at)
    for span in spans[1:]:
        entries = [one.entry for one in logged[span.first : span.last + 1]]
        kept = _step(control, row, kept, matches[span.last], entries, logged[span.first].at, stops)
    return kept


def _begun(control: TimeControl, row: MatchRow, match: Match, at: datetime) -> KeptClocks:
    return KeptClocks(match.seq, fold.begin(control, match.setup.seats, people_to_act(row, match), at))


def _step(
    control: TimeControl,
    row: MatchRow,
    kept: KeptClocks,
    after: Match,
    entries: Sequence[Entry],
    at: datetime,
    stops: Stops,
) -> KeptClocks:
    """Return the clocks after one more change, which was made at `at`."""
    pauses = _pauses(kept.pauses, after.talk.paused or bool(after.hosting.held), at)
    stops = stops.with_pauses(pauses)
    to_act, seq = people_to_act(row, after), after.seq
    kinds, given = {entry.kind for entry in entries}, _time_given(entries)
    refilled = _seats(entries, (Kind.SUBSTITUTE,))
    if Kind.TAKEBACK in kinds:
        to = next(int(entry.data) for entry in entries if entry.kind is Kind.TAKEBACK)
        clocks = fold.take_back(
            control,
            kept.clocks,
            stops,
            to=to,
            seq=seq,
            at=at,
            back=to_act,
            arrived=kept.arrived,
            gifts=_gifts(after.log[to + 1 :]),
        )
    else:
        moved = _seats(entries, (Kind.PLAY, Kind.DEFAULT)) if after.game.actions_are_moves else frozenset()
        clocks = fold.advance(
            control,
            kept.clocks,
            stops,
            seq=seq,
            at=at,
            to_act=to_act,
            new_turn=moved,
            refilled=refilled,
            given=given,
        )
    flags = ((kept.flagged | _seats(entries, (Kind.FLAG,))) & to_act) - given.keys()
    same = frozenset(seat for seat in flags if clocks.turns[seat] == kept.clocks.turns[seat])
    noted = kept.noted if NOTES.isdisjoint(kinds) else {**kept.noted, entries[0].seat: at}
    arrived = {**kept.arrived, **dict.fromkeys(refilled, seq)} if refilled else kept.arrived
    return KeptClocks(seq, clocks, pauses, same, noted, arrived)


def _face(
    row: MatchRow, match: Match, control: TimeControl, kept: KeptClocks, stops: Stops, now: datetime
) -> ClockFace:
    seen = all(span.end != END_OF_TIME for span in stops.everyone)
    stops = stops.with_pauses(kept.pauses)
    now = max(now, kept.clocks.at)
    people = sorted(person_seats(row))
    readings = {int(seat): fold.read(control, kept.clocks, stops, seat, now) for seat in people}
    return ClockFace(
        control,
        readings,
        people_to_act(row, match),
        kept.flagged,
        match.talk.paused or bool(match.hosting.held),
        seen,
        frozenset(seat for seat in people if any(span.covers(now) for span in stops.seats.get(seat, ()))),
        now,
        kept.pauses,
        stops,
        held=bool(match.hosting.held),
    )


def people_to_act(row: MatchRow, match: Match) -> frozenset[int]:
    """Return the seats of people who are to act, or would be if no moderator had stopped the match."""
    return frozenset(map(int, match.awaited & person_seats(row)))


def _pauses(pauses: tuple[Span, ...], paused: bool, at: datetime) -> tuple[Span, ...]:
    on = bool(pauses) and pauses[-1].end == END_OF_TIME
    if paused and not on:
        return (*pauses, Span(at))
    return (*pauses[:-1], Span(pauses[-1].start, at)) if on and not paused else pauses


def _seats(entries: Iterable[Entry], kinds: tuple[Kind, ...]) -> frozenset[int]:
    return frozenset(int(e.seat) for e in entries if e.kind in kinds and e.seat is not None)


def _time_given(entries: Iterable[Entry]) -> dict[int, timedelta]:
    return {seat: timedelta(seconds=seconds) for seat, seconds in seconds_given(entries).items()}


def _gifts(entries: Iterable[Entry]) -> tuple[fold.Gift, ...]:
    return tuple(
        fold.Gift(entry.seq, seat, time) for entry in entries for seat, time in _time_given((entry,)).items()
    )
