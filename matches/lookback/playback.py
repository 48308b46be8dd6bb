"""Go back and forth in the log of a match: any position costs a few entries of replaying.

Of the matches that people step through, positions at regular distances are kept in memory, so that the step
to any other one replays little. They are made once, in a worker thread, and continued as the match goes on; a
restart forgets them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

from cachetools import LRUCache

from games.engine.fold import advance
from games.engine.game import Fact, Seat
from games.engine.match import Entry, Kind, Match
from games.engine.start_entry import open_log
from matches.core import Core
from matches.log.changes import AUTOMATIC
from matches.log.replay import replay_range
from matches.long_work import in_thread
from matches.lookback.key_moments import EntryNote, KeyMoment, key_moments, note_of
from matches.lookback.since import Moment
from matches.lookback.steps import ReplayStep, steps_of, turns_of
from matches.store.rows import MatchRow

MAX_TRACKS: Final = 12
"""Maximum number of matches whose positions are kept; the longest take a few megabytes each."""
INTERVAL: Final = 8
"""Number of entries from one kept position to the next."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The steps of a match as it stands, by single decisions and by turns."""

    match: Match
    steps: tuple[ReplayStep, ...]
    turns: tuple[ReplayStep, ...]


class Track:
    """The kept positions of one match, and notes of all its entries. Its methods are for worker threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: list[Match] = []
        """The match after each `INTERVAL`-th entry, without its log."""
        self._notes: list[EntryNote] = []
        self._tip: Match | None = None
        self._by: Seat | None = None
        self._timeline: Timeline | None = None

    def timeline(self, match: Match) -> Timeline:
        """Return the steps of a match, after continuing the kept positions up to it."""
        with self._lock:
            self._continue(match.log)
            if self._timeline is None or self._timeline.match.seq != match.seq:
                steps = steps_of(match.log)
                self._timeline = Timeline(match, steps, turns_of(match.log, steps))
            return self._timeline

    def moments(
        self, line: Timeline, mistakes: Mapping[int, tuple[Seat, float]] | None, viewer: Seat | None = None
    ) -> tuple[KeyMoment, ...]:
        """Return the moments that mattered, as far as a viewer may know."""
        return key_moments(line.turns, self._notes, line.match.setup.teams, mistakes, viewer=viewer)

    def position(self, line: Timeline, step: ReplayStep) -> Moment:
        """Return the match after a step, and the facts of the step."""
        return next(self.positions(line, (step,)))

    def positions(self, line: Timeline, steps: Sequence[ReplayStep]) -> Iterator[Moment]:
        """Yield the match after each of these steps, in order, and the facts of the step.

        Raises LookupError for a step after the last entry.
        """
        log, now = line.match.log, None
        for step in steps:
            facts: list[Fact] = []
            now = self._before(log, step.first, now)
            for entry in log[0 if now is None else now.seq + 1 : step.last + 1]:
                now, happened = open_log(entry) if now is None else advance(now, entry)
                if entry.seq >= step.first and step.shows(entry):
                    facts += happened
            if now is None:
                raise LookupError(f"there is no entry {step.last}")
            yield Moment(now, tuple(facts))

    def _before(self, log: Sequence[Entry], first: int, now: Match | None) -> Match | None:
        """Return the nearest known match before entry `first`: `now` or a kept one; None for the start."""
        if first == 0:
            return None
        kept = self._kept[(first - 1) // INTERVAL]
        if now is not None and kept.seq <= now.seq < first:
            return now
        return replace(kept, log=tuple(log[: kept.seq + 1]))

    def _continue(self, log: Sequence[Entry]) -> None:
        """Keep positions and notes of the entries that are new."""
        for entry in log[len(self._notes) :]:
            tip, facts = open_log(entry) if self._tip is None else advance(self._tip, entry)
            if entry.kind not in AUTOMATIC:
                self._by = entry.seat if entry.kind in (Kind.PLAY, Kind.DEFAULT) else None
            if entry.seq % INTERVAL == 0:
                self._kept.append(replace(tip, log=()))
            self._notes.append(note_of(tip, facts, self._by))
            self._tip = tip


class Playback:
    """Positions and moments of matches that people step through."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._tracks: LRUCache[str, Track] = LRUCache(MAX_TRACKS)

    async def timeline(self, row: MatchRow) -> Timeline:
        """Return the steps of a match.

        Raises LookupError if it hasn't started, CorruptLogError if its log can't be read.
        """
        if row.version < 0:
            raise LookupError(row.id)
        match = (await self._core.newest(row.id, row.version)).match
        if match.seq > row.version:  # it was changed just now, or is shown late
            match = (await replay_range(match.log, row.version, row.version))[0]
        return await in_thread(self.track(row.id).timeline, match)

    async def position(self, line: Timeline, step: ReplayStep) -> Moment:
        """Return the match after a step, and the facts of the step."""
        track = self.track(line.match.id)

        def found() -> Moment:
            track.timeline(line.match)  # the track may have been dropped meanwhile
            return track.position(line, step)

        return await in_thread(found)

    async def moments(
        self,
        line: Timeline,
        mistakes: Mapping[int, tuple[Seat, float]] | None = None,
        viewer: Seat | None = None,
    ) -> tuple[KeyMoment, ...]:
        """Return the moments that mattered, as far as a viewer may know; None is a spectator.

        `mistakes` has the seat and loss of entries, if known.
        """
        track = self.track(line.match.id)

        def chosen() -> tuple[KeyMoment, ...]:
            track.timeline(line.match)
            return track.moments(line, mistakes, viewer)

        return await in_thread(chosen)

    def track(self, match_id: str) -> Track:
        """Return the track of a match, which may be empty. Call it on the event loop."""
        if (track := self._tracks.get(match_id)) is None:
            track = self._tracks[match_id] = Track()
        return track
