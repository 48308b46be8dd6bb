"""Do what was agreed on for the time of a seat being up: the clock acts, or lets a person claim.

The log records when the time of a seat was up, who claimed it, and what followed. Nothing is done before the
clocks were computed anew: a downtime that was given back since, a vacation or a pause may have left time.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final, TypeAlias

from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine.dice import SECRET_BYTES, Dice, Sealed
from games.engine.game import Seat
from games.engine.match import Change, Match
from games.engine.message import Msg, Who, msg
from matches import occupants
from matches.absence.vacations import Vacations
from matches.clocks.control import Follows, TimeControl
from matches.clocks.timekeeper import ClockFace
from matches.core import Core, LoadedMatch, stale
from matches.log.changes import is_current
from matches.long_work import in_thread
from matches.results import Played, Refused
from matches.spans import Span
from matches.store.rows import MatchRow

log = logging.getLogger(__name__)

VANISHED: Final = 3
"""Number of times in a row that a player's time is up until they count as vanished."""
AUTOMATIC_VACATION: Final = timedelta(days=1)
"""How long a vacation lasts that begins because time would run out."""
RESERVE: Final = timedelta(hours=1)
"""At most so long before time is up such a vacation begins, so that something is left afterwards."""
_MAX_DEFAULTS = 400
"""Maximum number of default actions of one turn."""
_AT_ONCE = 100
"""Maximum number of matches looked at in one go."""
FillIn: TypeAlias = Callable[[MatchRow, Seat], Awaitable[Played | Refused]]
"""Lets a computer take a seat whose holder is late."""


def vanished(match: Match) -> frozenset[Seat]:
    """Return the seats of people who count as vanished."""
    return frozenset(seat for seat, times in match.seats.late.items() if times >= VANISHED) & match.playing


def opponents(match: Match, seat: Seat) -> frozenset[Seat]:
    """Return the seats that still play against a seat: those that may claim its time."""
    teams = match.setup.teams
    return frozenset(each for each in match.playing if teams[each] != teams[seat])


class TimeUp:
    """Looks after the clocks of all matches."""

    def __init__(
        self, core: Core, vacations: Vacations, levels: Levels, fill_in: FillIn | None = None
    ) -> None:
        """`levels` has the computer players, who move for late people where a game has no safe move.

        `fill_in` lets a computer take over a seat; without it the default move is played instead.
        """
        self._core = core
        self._vacations = vacations
        self._levels = levels
        self._fill_in = fill_in

    async def face(self, row: MatchRow, *, posting: bool = False) -> ClockFace | None:
        """Return what the clocks of a match show now; None if it has none, or isn't being played.

        With `posting` they show what they will once a board is posted, which lets people see the match.
        """
        if row.conditions.clock is None:
            return None
        loaded = await self._core.load_row(row)
        if isinstance(loaded, Refused):
            return None
        now = self._core.now()
        return await self._core.timekeeper.read(loaded.row, loaded.match, now, posting=posting)

    async def given_back(self, row: MatchRow) -> tuple[Span, ...]:
        """Return when people couldn't play since a match was opened: downtimes, and outages of its server."""
        return await self._core.timekeeper.downtimes(row)

    # --- by the clock -------------------------------------------------------------------------------------

    async def tick(self) -> tuple[Played, ...]:
        """Do what is due in all matches, and return what was done. One query if nothing is due."""
        done: list[Played] = []
        for match_id in await self._core.store.overdue(self._core.now(), _AT_ONCE):
            try:
                done += await self.look(match_id)
            except Exception:
                log.exception("the clocks of match %s can't be looked after", match_id)
        return tuple(done)

    async def look(self, match_id: str) -> tuple[Played, ...]:
        """Do what is due in a match, and record when to look again.

        Raises RuntimeError if what follows from a time that is up isn't legal.
        """
        self._core.timekeeper.forget(match_id)  # it may be due because of something beside its log
        done: list[Played] = []
        asked: set[Seat] = set()
        """Seats for which a vacation was looked for."""
        while True:
            loaded = await self._core.load(match_id)
            face = await self._read(loaded)
            if isinstance(loaded, Refused) or face is None or loaded.row.status != "live":
                await self._core.store.set_deadlines(match_id, {})
                return tuple(done)
            acts = face.control.acts == "automatic"
            late = [seat for seat in face.late if acts or seat not in face.flagged]
            if not late:
                if await self._note_vacation(loaded, face):
                    continue
                await self._set_deadlines(loaded, face)
                return tuple(done)
            seat = Seat(late[0])
            if seat not in asked:
                asked.add(seat)
                if await self._spend_vacation(loaded.row, face, seat):
                    continue
            played = await self._time_is_up(loaded, face, seat)
            if isinstance(played, Refused):
                if played.stale:
                    continue
                raise RuntimeError(f"time is up for seat {seat} of {match_id}, but {played.why.key}")
            done += () if played.repeated else (played,)

    async def _read(self, loaded: LoadedMatch | Refused) -> ClockFace | None:
        if isinstance(loaded, Refused):
            return None
        return await self._core.timekeeper.read(loaded.row, loaded.match, self._core.now())

    async def _set_deadlines(self, loaded: LoadedMatch, face: ClockFace) -> None:
        async with self._core.locks.hold(loaded.row.id):
            row = await self._core.store.match(loaded.row.id)
            if row is not None and row.version == loaded.match.seq:  # else a later change has set them
                await self._core.store.set_deadlines(row.id, face.deadlines())

    async def _spend_vacation(self, row: MatchRow, face: ClockFace, seat: Seat) -> bool:
        """Begin a vacation for who would be late, if they want that and have days left."""
        user, due = row.seats[seat].user, face.readings[seat].deadline
        if user is None or due is None or not face.control.vacations or seat in face.flagged:
            return False
        begins = due - _reserve(face.control)
        span = Span(begins, max(due, self._core.now()) + AUTOMATIC_VACATION)
        return await self._vacations.begin_automatically(user, span)

    async def _note_vacation(self, loaded: LoadedMatch, face: ClockFace) -> bool:
        """Record automatic vacations in the log; return whether there was one to record.

        Where the time was running out the others are notified at once, elsewhere with the next board.
        """
        row = loaded.row
        unlogged = await self._core.timekeeper.unlogged_vacations(row, loaded.match, self._core.now())
        for seat, span in unlogged.items():
            seconds = (span.end - span.start) // timedelta(seconds=1)

            def judge(now: LoadedMatch, seat: int = seat, seconds: int = seconds) -> Change | Refused:
                if not is_current(now.match.log, loaded.match.seq):
                    return stale()
                change = engine.note_vacation(now.match, Seat(seat), seconds, now.sealed)
                return Refused(change) if isinstance(change, Msg) else change

            request = f"vacation:{row.id}:{seat}:{span.start.timestamp():.0f}"
            silent = face.readings[seat].left > _reserve(face.control)
            await self._core.decide(row.id, None, request, judge, silent=silent)
        return bool(unlogged)

    async def _time_is_up(self, loaded: LoadedMatch, face: ClockFace, seat: Seat) -> Played | Refused:
        turn = loaded.match.seq
        flagged = seat in face.flagged
        if face.control.acts == "automatic" and face.control.follows == "computer" and self._fill_in:
            if not flagged:
                flag = await self._decide(loaded, f"flag:{loaded.row.id}:{turn}:{seat}", None, seat, None)
                if isinstance(flag, Refused):
                    return flag
                loaded_row = flag.row
            else:
                loaded_row = loaded.row
            return await self._fill(loaded_row, seat)
        follows = face.control.follows if face.control.acts == "automatic" else None
        return await self._decide(loaded, f"flag:{loaded.row.id}:{turn}:{seat}", None, seat, follows)

    async def _decide(
        self, seen: LoadedMatch, request: str, user: int | None, seat: Seat, follows: Follows | None
    ) -> Played | Refused:
        stand_in = await self._stand_in(seen, seat) if follows == "default" else None

        def judge(loaded: LoadedMatch) -> Change | Refused:
            if not is_current(loaded.match.log, seen.match.seq):
                return stale()
            change = engine.flag(loaded.match, seat, loaded.sealed)
            if isinstance(change, Change) and follows is not None:
                change = _follow(change, seat, follows, loaded.sealed, stand_in)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(seen.row.id, user, request, judge)

    async def _fill(self, row: MatchRow, seat: Seat) -> Played | Refused:
        """Let a computer take a late seat; if it can't, play the default move instead."""
        filled = (
            Refused(msg("match.refuse.stale")) if self._fill_in is None else await self._fill_in(row, seat)
        )
        if isinstance(filled, Played) or filled.stale:
            return filled
        seen = await self._core.load(row.id)
        if isinstance(seen, Refused):
            return seen
        stand_in = await self._stand_in(seen, seat)

        def judge(loaded: LoadedMatch) -> Change | Refused:
            if not is_current(loaded.match.log, seen.match.seq):
                return stale()
            change = _defaults(loaded.match, seat, loaded.sealed, stand_in)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(row.id, None, f"late:{row.id}:{seen.match.seq}:{seat}:default", judge)

    async def _stand_in(self, seen: LoadedMatch, seat: Seat) -> Any:
        """Return what the weakest thinking computer would do for a seat whose game has no safe move."""
        game, view = seen.match.game, seen.match.game.view(seen.match.state, seat)
        if seat not in seen.match.to_act or game.default(view, seat) is not None:
            return None
        names = self._levels.names(game.key)
        player = self._levels.player(game.key, names[min(1, len(names) - 1)])
        dice = Dice(self._core.entropy.token(SECRET_BYTES), seen.match.id, seen.match.seq + 1, "computer")
        return await in_thread(player.choose, game, view, seat, dice)

    # --- by a person --------------------------------------------------------------------------------------

    async def claim(
        self, match_id: str, who: int, *, request: str, seat: int | None = None
    ) -> Played | Refused:
        """Let an opponent claim what was agreed on for a seat whose time is up, by default the first such."""
        loaded = await self._core.load(match_id)
        if isinstance(loaded, Refused):
            return await self._core.answer(request, loaded)
        face = await self._read(loaded)
        why = _why_no_claim(loaded, face, who, seat)
        if isinstance(why, Msg) or face is None:
            refused = why if isinstance(why, Msg) else msg("match.refuse.no_clock")
            return await self._core.answer(request, Refused(refused))
        late, follows = why, face.control.follows
        stand_in = await self._stand_in(loaded, late) if follows != "loss" else None

        def judge(now: LoadedMatch) -> Change | Refused:
            if not is_current(now.match.log, loaded.match.seq):
                return stale()
            claimant = occupants.seat_of(now.row, who)
            if claimant is None:
                return Refused(msg("match.refuse.not_yours"))
            change = engine.claim(now.match, Seat(claimant), late, now.sealed)
            if isinstance(change, Change):
                if late not in face.flagged:
                    change = _joined(change, engine.flag(change.match, late, now.sealed))
                if isinstance(change, Change) and not (follows == "computer" and self._fill_in):
                    change = _follow(change, late, follows, now.sealed, stand_in)
            return Refused(change) if isinstance(change, Msg) else change

        played = await self._core.decide(match_id, who, request, judge)
        if isinstance(played, Played) and follows == "computer" and self._fill_in:
            return await self._fill(played.row, late)
        return played


def _reserve(control: TimeControl) -> timedelta:
    return min(RESERVE, control.bank / 10)


def _why_no_claim(loaded: LoadedMatch, face: ClockFace | None, who: int, seat: int | None) -> Seat | Msg:
    """Return the seat that a person may claim the time of, or why there is none."""
    claimant = occupants.seat_of(loaded.row, who)
    if claimant is None:
        return msg("match.refuse.not_yours")
    if loaded.match.ending:
        return msg("match.refuse.over")
    if face is None:
        return msg("match.refuse.no_clock")
    if claimant not in loaded.match.playing:
        return msg("match.refuse.gone")
    late = [each for each in face.late if each != claimant and seat in (None, each)]
    if not late:
        own = claimant in face.late and seat in (None, claimant)
        return msg("match.refuse.own_time" if own else "match.refuse.time_left")
    teams = loaded.match.setup.teams
    against = [each for each in late if teams[each] != teams[claimant]]
    return Seat(against[0]) if against else msg("match.refuse.own_side", who=Who(Seat(late[0])))


def _follow(change: Change, seat: Seat, follows: Follows, sealed: Sealed, stand_in: Any) -> Change | Msg:
    """Return a change with what follows for a seat whose time is up."""
    if follows == "loss":
        return _joined(change, engine.leave(change.match, seat, "timeout", sealed))
    played = _joined(change, _defaults(change.match, seat, sealed, stand_in))
    if isinstance(played, Msg):  # the game knows no safe move here
        return _joined(change, engine.leave(change.match, seat, "timeout", sealed))
    return played


def _defaults(match: Match, seat: Seat, sealed: Sealed, stand_in: Any) -> Change | Msg:
    """Return the default actions of a seat until its turn is over; the reason if it has none."""
    played = engine.play_default(match, seat, sealed, stand_in)
    if isinstance(played, Msg):
        return played
    for _ in range(_MAX_DEFAULTS):
        if played.match.game.actions_are_moves or seat not in played.match.to_act:
            break
        more = _joined(played, engine.play_default(played.match, seat, sealed))
        if isinstance(more, Msg):
            break
        played = more
    return played


def _joined(change: Change, more: Change | Msg) -> Change | Msg:
    return more if isinstance(more, Msg) else change.then(more)
