"""Hints: what to look at, then the move, then why, a step at a time, for a person who is to act.

A hint comes from an appraisal of what the seat knows. It is computed once for a position, by the thinker of
the computers, and each step that is shown becomes an entry of the log. Only the one who asks learns of it,
until the match is over.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from cachetools import LRUCache

from games.ai.advice import Advice, advise
from games.engine import match as engine
from games.engine.game import Seat
from games.engine.match import HINT_STEPS, Change, Kind, Match
from games.engine.message import Msg, Who, msg
from matches import occupants
from matches.core import Core, LoadedMatch, stale
from matches.long_work import in_thread
from matches.play.late_presses import position_entry, why_late
from matches.results import Played, Refused
from matches.store.rows import MatchRow
from matches.thinking.jobs import AppraisalJob, BusyError, NoAnswerError, Thinker

_TEMPTING: Final = 2
"""How many moves that look good at first sight are compared with the best one."""
LEVEL = "hard"
"""The level of computers whose work is done for each move that is rated."""
_SECONDS: Final = 8.0
"""Maximum number of seconds to search for."""
_MAX_CACHED: Final = 256


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for the seat of a person, of which the first `step` steps are shown."""

    row: MatchRow
    match: Match
    seat: Seat
    step: int
    advice: Advice


@dataclass(frozen=True, slots=True)
class NoChoice:
    """There is one legal move only: `text` is how it is typed. It counts as no hint."""

    row: MatchRow
    text: str


@dataclass(frozen=True, slots=True)
class Position:
    """A position in which a seat asks for a hint: `at` is the entry that has led to it."""

    match: Match
    seat: Seat
    at: int
    known: Any
    """A state that holds nothing but what the seat knows."""

    @property
    def key(self) -> str:
        """The key of its question."""
        return f"hint/{self.match.id}/{self.at}/{self.seat}"


class Hints:
    """Gives hints in matches that allow them."""

    def __init__(self, core: Core, thinker: Thinker) -> None:
        """`thinker` answers the questions."""
        self._core = core
        self._thinker = thinker
        self._asking: set[int] = set()
        """The people whose question is being answered."""
        self._open: dict[str, dict[str, int]] = {}
        """By match: the keys of open questions, with the entry that has led to their position."""
        self._known: LRUCache[str, Advice] = LRUCache(_MAX_CACHED)
        core.observe(self._note)

    async def show(
        self, match_id: str, who: int, *, request: str, step: int | None = None, version: int | None = None
    ) -> Hint | NoChoice | Refused:
        """Show a person the steps of a hint up to `step`; without one the first, or all that they have seen.

        `version` is the entry at which they saw the step before: if the position has changed since, the hint
        is refused as stale. No step can be left out.
        """
        loaded = await self._core.load(match_id)
        if isinstance(loaded, Refused):
            return loaded
        position = _position(loaded, who, version)
        if not isinstance(position, Position):
            return position
        advice = await self._advice(position, who)
        if isinstance(advice, Refused):
            return advice

        def judge(now: LoadedMatch) -> Change | Hint | Refused:
            again = _position(now, who, version)
            if not isinstance(again, Position):
                return again if isinstance(again, Refused) else stale()
            if again.key != position.key:
                return stale()
            seen = steps_seen(now.match, again.seat)
            wanted = min(max(1, seen) if step is None else step, seen + 1, HINT_STEPS)
            if wanted <= seen:
                return Hint(now.row, now.match, again.seat, seen, advice)
            change = engine.hint(now.match, again.seat, wanted, now.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        done = await self._core.decide(match_id, who, request, judge, silent=True)
        if isinstance(done, Played):
            step = int(done.match.log[done.last].data)
            return Hint(done.row, done.match, position.seat, step, advice)
        return done

    async def _advice(self, position: Position, who: int) -> Advice | Refused:
        """Return the advice for a position, from the cache if it was given before."""
        key = position.key
        if (known := self._known.get(key)) is not None:
            return known
        if who in self._asking:
            return Refused(msg("match.refuse.hint_asking"))
        match = position.match
        self._asking.add(who)
        keys = self._open.setdefault(match.id, {})
        keys[key] = position.at
        try:
            found = await self._thinker.appraise(question_about(position))
        except BusyError:
            return Refused(msg("match.refuse.hint_busy"))
        except NoAnswerError:
            return Refused(msg("match.refuse.hint_failed"))
        finally:
            self._asking.discard(who)
            keys.pop(key, None)
            if not keys:
                self._open.pop(match.id, None)
        if found is None:
            return stale()  # the position has changed meanwhile, and nobody wants the answer
        advice = await in_thread(advise, match.game, position.known, found)
        if advice is None:
            return Refused(msg("match.refuse.hint_hidden"))
        self._known[key] = advice
        return advice

    def _note(self, row: MatchRow, match: Match) -> None:
        """Drop the questions about earlier positions of a match."""
        keys = self._open.get(row.id)
        if keys:
            now = position_entry(match.log)
            for key, at in tuple(keys.items()):
                if match.ending is not None or at != now:
                    self._thinker.drop(key)


def position_of(match: Match, seat: Seat) -> Position | None:
    """Return the position as a seat knows it; None if it knows too little."""
    known = match.game.guess(match.game.view(match.state, seat), seat)
    return None if known is None else Position(match, seat, position_entry(match.log), known)


def steps_seen(match: Match, seat: Seat) -> int:
    """Return how many steps of the hint for the current position a seat has seen."""
    since = match.log[position_entry(match.log) + 1 :]
    seen = (int(entry.data) for entry in since if entry.kind is Kind.HINT and entry.seat == seat)
    return max(seen, default=0)


def _position(loaded: LoadedMatch, who: int, version: int | None) -> Position | NoChoice | Refused:
    """Return what a person asks about, or why they get no hint, the most useful reason first."""
    row, match = loaded.row, loaded.match
    at = occupants.seat_of(row, who)
    if at is None:
        return Refused(msg("match.refuse.not_yours"))
    if match.ending is not None:
        return Refused(msg("match.refuse.over"))
    seat, game = Seat(at), match.game
    if not row.takes_hints:
        return Refused(msg("match.refuse.hints_rated" if row.conditions.rated else "match.refuse.hints_off"))
    if seat not in match.playing:
        return Refused(msg("match.refuse.gone"))
    if (late := why_late(match, version)) is not None:
        return late
    if seat not in match.to_act:
        return Refused(msg("match.refuse.hint_turn", next=tuple(Who(each) for each in sorted(match.to_act))))
    view = game.view(match.state, seat)
    listed = list(islice(game.actions(view, seat), 2))
    if len(listed) == 1:
        return NoChoice(row, game.format(view, listed[0]))
    return position_of(match, seat) or Refused(msg("match.refuse.hint_hidden"))


def question_about(position: Position) -> AppraisalJob:
    """Return the question. Its dice follow from the position, so that a hint stays the same."""
    match, key = position.match, position.key
    seed = hashlib.sha256(key.encode()).digest()
    return AppraisalJob(
        key,
        match.game,
        match.setup.rules,
        position.known,
        position.seat,
        match.setup.teams,
        seed,
        tempting=_TEMPTING,
        level=LEVEL,
        seconds=_SECONDS,
    )
