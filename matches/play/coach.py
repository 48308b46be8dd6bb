"""The coach: shows a person who plays against computers what their move gave away, and offers it back.

It is there for unrated matches in which they are the only person, and they switch it on. Once the computers
have answered, each decision of the person's latest turn is appraised by what they knew before it, as in an
analysis. If one gives away `LEAST` or more, the coach remarks on it: at most three times a match, and once a
turn. A remark is an entry of the log. Nothing else is stored: after a restart the latest turn is appraised
again, with the same result.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from cachetools import LRUCache

from games.ai.advice import advise
from games.ai.decisions import Decision, decisions_of
from games.engine import match as engine
from games.engine.coaching import COACH_TIMES, CoachRemark, read_remark
from games.engine.game import Seat
from games.engine.match import Change, Kind, Match, in_force
from games.engine.message import Msg, msg
from games.engine.reasons import Reason, reasons
from matches import occupants
from matches.core import Core, LoadedMatch, stale
from matches.log.replay import replay_range
from matches.long_work import long_in_thread
from matches.play.hints import LEVEL
from matches.results import Played, Refused
from matches.store.rows import MatchRow
from matches.thinking.jobs import AppraisalJob, BusyError, NoAnswerError, Thinker

log = logging.getLogger(__name__)
LEAST: Final = 0.1
"""The share of the match that a move has to give away for the coach to speak."""
_DECISIONS: Final = 4
"""Maximum number of decisions of a turn that are appraised at a time: the last ones."""
_SECONDS: Final = 4.0
"""Maximum number of seconds to search for."""
_TRIES: Final = 5
_PAUSE: Final = 2.0
"""Seconds after which a busy thinker is asked again."""


@dataclass(frozen=True, slots=True)
class CoachAdvice:
    """What the coach has to say about a move, for the person who made it."""

    match: Match
    """The match before the move."""
    seat: Seat
    remark: CoachRemark
    played: str
    """The move, as it is typed."""
    action: str
    """The same as the log writes it."""
    reasons: tuple[Reason, ...]
    """Why another move was better."""


class Coach:
    """Watches the moves of those who want it."""

    def __init__(self, core: Core, thinker: Thinker) -> None:
        """`thinker` judges the moves."""
        self._core = core
        self._thinker = thinker
        self._open: dict[str, int] = {}
        """The last entry of the turn that is being judged, by match."""
        self._judged: LRUCache[str, int] = LRUCache(4096)
        """The last entry that was judged, by match."""
        core.observe(self._note)

    async def switch(self, match_id: str, who: int, *, on: bool, request: str) -> Played | Refused:
        """Switch the coach of a person on or off."""

        def judge(loaded: LoadedMatch) -> Change | Refused:
            seat = occupants.seat_of(loaded.row, who)
            if seat is None:
                return Refused(msg("match.refuse.not_yours"))
            if on and not may_be_coached(loaded.row, Seat(seat)):
                return Refused(msg("match.refuse.coach"))
            change = engine.coach(loaded.match, Seat(seat), "on" if on else "off", loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge, silent=True)

    async def look(self, match_id: str) -> Played | None:
        """Judge what a coached person has just played, and speak if it gave away much; None if not."""
        loaded = await self._core.load(match_id)
        if isinstance(loaded, Refused) or not loaded.match.help.coach or match_id in self._open:
            return None
        seat, played = _latest(loaded)
        if not played or _is_mute(loaded.match, seat, played):
            return None
        self._open[match_id] = played[-1]
        done = self._judged.get(match_id, -1)
        try:
            remark = await self._judge(loaded.match, [each for each in played if each > done])
        except (BusyError, NoAnswerError) as error:
            log.info("%s: the coach is silent: %s", match_id, type(error).__name__)
            return None
        finally:
            self._open.pop(match_id, None)
        self._judged[match_id] = played[-1]
        if remark is None:
            return None

        def judge(now: LoadedMatch) -> Change | Refused:
            still, at = _latest(now), now.match
            if still[0] != seat or remark.seq not in still[1] or _is_mute(at, seat, still[1]):
                return stale()
            change = engine.coach(at, seat, remark.data, now.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        decided = await self._core.decide(match_id, None, f"coach:{match_id}:{remark.seq}", judge)
        return decided if isinstance(decided, Played) else None

    async def advice(self, match_id: str, who: int, entry: int) -> CoachAdvice | Refused:
        """Return the coach's advice of an entry, to the person for whom it is."""
        loaded = await self._core.load(match_id)
        if isinstance(loaded, Refused):
            return loaded
        found = _remark(loaded, who, entry)
        if isinstance(found, Refused):
            return found
        seat, remark = found
        before, _ = await replay_range(loaded.match.log, remark.seq - 1, remark.seq - 1)
        return await long_in_thread(_advice, before, seat, remark, loaded.match.log[remark.seq].data)

    async def take_back(self, match_id: str, who: int, entry: int, *, request: str) -> Played | Refused:
        """Take back the move that the coach spoke about, whatever has come of it: only computers minded."""

        def judge(loaded: LoadedMatch) -> Change | Refused:
            found = _remark(loaded, who, entry)
            if isinstance(found, Refused):
                return found
            seat, remark = found
            if remark.seq not in _latest(loaded)[1]:
                return stale()
            change = engine.take_back(loaded.match, seat, remark.seq - 1, loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge)

    async def _judge(self, match: Match, played: Sequence[int]) -> CoachRemark | None:
        """Return the remark on decisions; None if they are fine. Raises BusyError or NoAnswerError."""
        if not played:
            return None
        decisions = {each.seq: each for each in await long_in_thread(decisions_of, match)}
        for seq in played[-_DECISIONS:]:
            if (found := await self._remark(match, decisions[seq])) is not None:
                return found
        return None

    async def _remark(self, match: Match, decision: Decision) -> CoachRemark | None:
        game, known = match.game, await long_in_thread(_known, match, decision)
        if known is None:
            return None
        found = await self._ask(_question(match, decision, known))
        if found is None:
            return None
        advice = await long_in_thread(advise, game, known, found)
        if advice is None or advice.rival is None or advice.loss < LEAST:
            return None
        percent = max(1, round(100 * advice.loss))
        return CoachRemark(decision.seq, percent, game.encode(advice.best.action))

    async def _ask(self, job: AppraisalJob) -> Any:
        for left in reversed(range(_TRIES)):
            try:
                return await self._thinker.appraise(job)
            except BusyError:
                if not left:
                    raise
                await asyncio.sleep(_PAUSE)
        raise BusyError

    def _note(self, row: MatchRow, match: Match) -> None:
        """Drop the question about a move after which its person has moved again, or which is taken back."""
        last = self._open.get(row.id)
        if last is not None and (match.ending is not None or _played(match)[1][-1:] != [last]):
            self._thinker.drop(_key(row.id))


def may_be_coached(row: MatchRow, seat: Seat) -> bool:
    """Return whether a seat may have a coach: in an unrated match against computers alone."""
    computers = any(each.occupant == "computer" for each in row.seats)
    return not row.conditions.rated and computers and set(occupants.person_seats(row)) == {seat}


def _key(match_id: str) -> str:
    """Return the key of the coach's questions about a match."""
    return f"coach/{match_id}"


def _question(match: Match, decision: Decision, known: Any) -> AppraisalJob:
    """Return the question about a decision. Its dice follow from the decision, so that the answer stays."""
    key = _key(match.id)
    seed = hashlib.sha256(f"{key}/{decision.seq}".encode()).digest()
    return AppraisalJob(
        key,
        match.game,
        match.setup.rules,
        known,
        decision.seat,
        match.setup.teams,
        seed,
        (decision.action,),
        level=LEVEL,
        seconds=_SECONDS,
    )


def _known(match: Match, decision: Decision) -> Any:
    """Return the position before a decision as its seat knew it; None if too much was hidden."""
    game, seat = match.game, decision.seat
    return game.guess(game.view(decision.state, seat), seat)


def _latest(loaded: LoadedMatch) -> tuple[Seat, list[int]]:
    """Return the coached seat that has played last, and the entries of its latest turn; none if it can't."""
    match = loaded.match
    seat, played = _played(match)
    allowed = match.ending is None and not match.hosting.held and played and may_be_coached(loaded.row, seat)
    return seat, played if allowed else []


def _played(match: Match) -> tuple[Seat, list[int]]:
    """Return the coached seat that has played last, and the entries of its latest decisions in a row."""
    seat, found = Seat(-1), list[int]()
    for entry in reversed(in_force(match.log, match.seq)):
        if entry.kind is Kind.PLAY and entry.seat is not None and entry.seat in match.help.coach:
            seat = entry.seat
            found.insert(0, entry.seq)
        elif found and entry.kind in (Kind.PLAY, Kind.DEFAULT):
            break
    return seat, found


def _is_mute(match: Match, seat: Seat, played: Sequence[int]) -> bool:
    """Return whether the coach has spoken about a turn already, or as often as it may."""
    remarks = match.help.coached.get(seat, ())
    about = {remark.seq for each in remarks if (remark := read_remark(match.log[each].data)) is not None}
    return len(remarks) >= COACH_TIMES or not about.isdisjoint(played)


def _remark(loaded: LoadedMatch, who: int, entry: int) -> tuple[Seat, CoachRemark] | Refused:
    """Return the seat of a person and the coach's remark of an entry."""
    at = occupants.seat_of(loaded.row, who)
    if at is None:
        return Refused(msg("match.refuse.not_yours"))
    if entry not in loaded.match.help.coached.get(Seat(at), ()):
        return stale()
    remark = read_remark(loaded.match.log[entry].data)
    return stale() if remark is None else (Seat(at), remark)


def _advice(before: Match, seat: Seat, remark: CoachRemark, played: str) -> CoachAdvice:
    game = before.game
    view = game.view(before.state, seat)
    best, other = game.decode(remark.best), game.decode(played)
    why = reasons(game, view, seat, best, other, remark.percent / 100)
    return CoachAdvice(before, seat, remark, game.format(view, other), played, why)
