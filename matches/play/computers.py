"""Run the computer players: a thinker decides their turns, and each turn is committed as one change.

What they have to do follows from the position alone, so that a crash loses nothing. A job is dropped as soon
as its match goes on without it: it has ended, a move was taken back, or someone else has acted.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Literal, NamedTuple
from zlib import crc32

from games.ai.players_by_level import Levels, probability
from games.engine import match as engine
from games.engine.dice import SECRET_BYTES
from games.engine.game import Seat
from games.engine.match import Change, Match
from games.engine.message import Msg, msg
from matches.core import Core, LoadedMatch, SharedBoard, stale
from matches.play.manners import Courtesies
from matches.results import Played, Refused
from matches.store.rows import MatchRow
from matches.thinking.jobs import DecidedTurn, Job, Thinker

log = logging.getLogger(__name__)

_MAX_TURNS = 64
"""Maximum number of turns in one call; the next `tick` continues longer matches among computers."""
_MAX_JOB_TURNS = 8
"""Maximum number of turns that are decided in one job."""
_SPREAD = 1.5
"""Up to how many times its least time a computer waits longer than that before it answers."""
_NO_LIMIT = 1_000_000


def computer_seats(row: MatchRow) -> frozenset[Seat]:
    """Return the seats that computers hold."""
    return frozenset(Seat(seat.seat) for seat in row.seats if seat.occupant == "computer")


def seats_to_play(row: MatchRow, match: Match) -> frozenset[Seat]:
    """Return the computer seats that have to move or to answer a draw offer."""
    if match.ending:
        return frozenset()
    ours = computer_seats(row) & match.playing
    asked = ours - match.talk.offers if match.talk.offers else frozenset[Seat]()
    return asked | (ours & match.to_act)


def _only_computers_next(row: MatchRow, match: Match) -> bool:
    """Return whether only computers are to act while people still play: then their turns share one board."""
    ours = computer_seats(row)
    return not match.ending and bool(match.to_act) and match.to_act <= ours and bool(match.playing - ours)


class _Task(NamedTuple):
    """What a computer has to do: move, answer a draw offer, or offer a draw."""

    what: Literal["move", "answer", "draw"]
    seat: Seat


class Computers:
    """Moves and answers for the seats held by computers."""

    def __init__(self, core: Core, levels: Levels, thinker: Thinker, pace: timedelta) -> None:
        """`levels` has the computer players of each game, `thinker` decides their turns.

        A computer answers no sooner than `pace` after the change that made it its turn.
        """
        self._core = core
        self._levels = levels
        self._thinker = thinker
        self._pace = pace
        self._courtesies = Courtesies()
        self._unknown_levels: set[tuple[str, str]] = set()
        """Pairs of game and level that matches name but that no longer exist."""
        self._waiting: dict[str, int | None] | None = None
        """Matches in which a computer may have to act, by id, with their servers; None until read."""
        self._thinking: dict[str, int] = {}
        """The entries after which computers are thinking, by match."""
        core.observe(self._note)

    async def run(self, match_id: str, row: MatchRow | None = None) -> tuple[Played, ...]:
        """Let computers move until a person is to act or the match is over, and return their turns.

        They agree to a draw unless they are ahead, and among themselves once all people have left. Those that
        search resign and offer draws as their level does (see `manners`).
        `row` is the match's row if the caller has just read it. Raises BusyError if too many matches wait.
        """
        done: list[Played] = []
        since: int | None = None
        decided: deque[DecidedTurn] = deque()
        loaded = await self._core.load(match_id, row)
        for left in reversed(range(_MAX_TURNS)):
            if isinstance(loaded, Refused) or (task := _next_task(loaded)) is None:
                if self._waiting is not None:
                    self._waiting.pop(match_id, None)
                break
            if task.what == "move" and (not decided or decided[0].entries[0].seq != loaded.match.seq + 1):
                decided = deque(await self._think(loaded, left + 1))
                if not decided:
                    loaded = await self._core.load(match_id)  # the match has gone on without the job
                    continue
                if since is None:
                    await self._wait_until_due(loaded)
            request = f"ai:{match_id}:{loaded.match.seq + 1}"
            turn = decided.popleft() if task.what == "move" else None
            act = partial(self._act, turn=turn)
            shared = SharedBoard(since, _only_computers_next if left else lambda row, match: False)
            played = await self._core.decide(match_id, None, request, act, row=loaded.row, shared=shared)
            if isinstance(played, Played):
                changed = not shared.continues(played.row, played.match)
                since = None if changed else played.first if since is None else since
                done += () if played.repeated else (played,)
                if turn is not None and not played.repeated and played.last == turn.match.seq:
                    self._courtesies.note(turn)
                    offered = await self._offer_draw(played, turn)
                    done += () if offered is None else (offered,)
                    played = offered or played
                loaded = await self._core.load_row(played.row)
            elif played.stale:
                loaded = await self._core.load(match_id)  # someone was quicker: there may be more to do
            else:
                break
        return tuple(done)

    async def _offer_draw(self, played: Played, turn: DecidedTurn) -> Played | None:
        """Offer a draw after a turn, if its seat's level does that now; None if not."""
        seats = (s for s in turn.expected if self._courtesies.offers(played.row, played.match, s))
        seat = next(seats, None)
        if seat is None:
            return None

        def offer(loaded: LoadedMatch) -> Change | Refused:
            if loaded.match.seq != played.last:
                return stale()  # someone has moved meanwhile
            change = engine.offer_draw(loaded.match, seat, loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        request = f"ai:{played.row.id}:{played.last + 1}"
        offered = await self._core.decide(played.row.id, None, request, offer, row=played.row)
        return offered if isinstance(offered, Played) else None

    async def waiting(self, serves: Callable[[int | None], bool] = lambda guild: True) -> tuple[str, ...]:
        """Return the matches in which a computer may have to act, in servers that this process `serves`."""
        if self._waiting is None:
            # left by an earlier run of the program; from now on `_note` is called for every change
            live = await self._core.store.by_status("live", _NO_LIMIT)
            self._waiting = {row.id: row.place.guild for row in live if computer_seats(row)}
        return tuple(match_id for match_id, guild in self._waiting.items() if serves(guild))

    def look_again(self) -> None:
        """Find out anew where a computer may have to act: other processes have changed matches."""
        self._waiting = None

    def _note(self, row: MatchRow, match: Match) -> None:
        """Note whether a computer is to act, for `waiting`; drop the job of an earlier position."""
        if self._thinking.get(row.id, match.seq) != match.seq:
            self._thinker.drop(row.id)
        if self._waiting is None:
            return  # the first call of `waiting` reads all matches
        if seats_to_play(row, match):
            self._waiting[row.id] = row.place.guild
        else:
            self._waiting.pop(row.id, None)

    async def _think(self, loaded: LoadedMatch, turns: int) -> tuple[DecidedTurn, ...]:
        """Return the turns of computers from a position on; none if the job was dropped."""
        match = loaded.match
        levels = {seat: self._level(loaded, seat) for seat in sorted(computer_seats(loaded.row))}
        seed = self._core.entropy.token(SECRET_BYTES)
        self._thinking[match.id] = match.seq
        try:
            job = Job(match, loaded.sealed, levels, seed, min(turns, _MAX_JOB_TURNS))
            return await self._thinker.think(job) or ()
        finally:
            self._thinking.pop(match.id, None)

    async def _wait_until_due(self, loaded: LoadedMatch) -> None:
        """Wait until a computer may answer: at once is too soon for people to see what they have done."""
        if not self._pace:
            return
        spread = crc32(f"{loaded.match.id}:{loaded.match.seq}".encode()) / 2**32
        due = loaded.row.updated + self._pace * (1 + _SPREAD * spread)
        left = (due - self._core.now()).total_seconds()
        if left > 0:  # also a clock that was set back must not hold it for longer
            await asyncio.sleep(min(left, self._pace.total_seconds() * (1 + _SPREAD)))

    def _act(self, loaded: LoadedMatch, turn: DecidedTurn | None) -> Change | Refused:
        match = loaded.match
        task = _next_task(loaded)
        if task is None:
            return Refused(msg("match.refuse.turn", next=()))
        seat = task.seat
        change: Change | Msg
        if task.what == "draw":
            change = engine.offer_draw(match, seat, loaded.sealed)
        elif task.what == "answer":
            change = self._answer_draw(loaded, seat)
        elif turn is None or turn.entries[0].seq != match.seq + 1:
            return stale()
        elif (hopeless := self._courtesies.resigns(loaded.row, match, turn)) is not None:
            change = engine.leave(match, hopeless, "resign", loaded.sealed)
        else:
            return turn
        if isinstance(change, Msg):
            raise RuntimeError(f"the computer in seat {seat} of {match.id} was refused: {change.key}")
        return change

    def _answer_draw(self, loaded: LoadedMatch, seat: Seat) -> Change | Msg:
        match = loaded.match
        agrees = self._courtesies.agrees(match, seat)
        if agrees is None:
            agrees = not self._is_ahead(loaded, seat)
        return (engine.offer_draw if agrees else engine.decline)(match, seat, loaded.sealed)

    def _is_ahead(self, loaded: LoadedMatch, seat: Seat) -> bool:
        """Return whether a seat is ahead: by exact values for the perfect level, else by `evaluate`."""
        match, level = loaded.match, self._level(loaded, seat)
        view = match.game.view(match.state, seat)
        oracle = self._levels.oracle(match.game.key) if level == "perfect" else None
        if oracle is not None and (wins := probability(oracle, view, seat, match.to_act)) is not None:
            return wins > 0.5
        return match.game.evaluate(view, seat) > 0

    def _level(self, loaded: LoadedMatch, seat: Seat) -> str:
        """Return the level that plays a seat: its own, or the strongest if that no longer exists."""
        game, level = loaded.match.game.key, loaded.row.seats[seat].level
        if self._levels.has(game, level):
            return level
        names = self._levels.names(game)
        if (game, level) not in self._unknown_levels:
            self._unknown_levels.add((game, level))
            log.warning("%s no longer has the computer player %r: %r plays instead", game, level, names[-1])
        return names[-1]


def _next_task(loaded: LoadedMatch) -> _Task | None:
    """Return the next task of a computer; None if only people can act."""
    match, row = loaded.match, loaded.row
    if match.playing <= computer_seats(row) and not match.ending:
        return _Task("draw", min(match.playing - match.talk.offers))
    wanted = seats_to_play(row, match)
    if not wanted:
        return None
    seat = min(wanted)
    return _Task("answer" if match.talk.offers and seat not in match.talk.offers else "move", seat)
