"""Run the computer players: each gets the view of its seat, dice of its own, and one commit for each turn.

What they have to do follows from the position alone, so that a crash loses nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

from games.ai.levels import Levels, probability
from games.engine import match as engine
from games.engine.dice import SECRET_BYTES, Dice, Sealed
from games.engine.game import Player, Seat
from games.engine.match import Change, Match
from games.engine.message import Msg, msg
from matches.core import Core, LoadedMatch, SharedBoard, stale
from matches.results import Played, Refused
from matches.rows import MatchRow

log = logging.getLogger(__name__)

_MAX_TURNS = 64
"""Maximum number of turns in one call; the next `tick` continues longer matches among computers."""
_MAX_DECISIONS = 400
"""Maximum number of decisions in one change."""
_NO_LIMIT = 1_000_000


def computer_seats(row: MatchRow) -> frozenset[Seat]:
    """Return the seats that computers hold."""
    return frozenset(Seat(seat.seat) for seat in row.seats if seat.occupant == "computer")


def seats_to_play(row: MatchRow, match: Match) -> frozenset[Seat]:
    """Return the computer seats that have to move or to answer a draw offer."""
    if match.ending:
        return frozenset()
    ours = computer_seats(row) & match.playing
    asked = ours - match.offers if match.offers else frozenset[Seat]()
    return asked | (ours & match.to_act)


def _only_computers_next(row: MatchRow, match: Match) -> bool:
    """Return whether only computers are to act while people still play: then their turns share one board."""
    ours = computer_seats(row)
    return not match.ending and bool(match.to_act) and match.to_act <= ours and bool(match.playing - ours)


class _Task(NamedTuple):
    """What a computer has to do: move, answer a draw offer, or offer a draw."""

    what: Literal["move", "answer", "draw"]
    seat: Seat


class _Turn(NamedTuple):
    """The moves of a computer after entry `seq`, until someone else is to act."""

    seq: int
    seat: Seat
    change: Change


class Computers:
    """Moves and answers for the seats held by computers."""

    def __init__(self, core: Core, levels: Levels) -> None:
        """`levels` has the computer players of each game."""
        self._core = core
        self._levels = levels
        self._unknown_levels: set[tuple[str, str]] = set()
        """Pairs of game and level that matches name but that no longer exist."""
        self._waiting: set[str] | None = None
        """Matches in which a computer may have to act; None until they have been read from the store."""
        core.observe(self._note)

    async def run(self, match_id: str, row: MatchRow | None = None) -> tuple[Played, ...]:
        """Let computers move until a person is to act or the match is over, and return their turns.

        They agree to a draw unless they are ahead, and among themselves once all people have left.
        `row` is the match's row if the caller has just read it.
        """
        done: list[Played] = []
        since: int | None = None
        loaded = await self._core.load(match_id, row)
        for left in reversed(range(_MAX_TURNS)):
            if isinstance(loaded, Refused) or (task := _next_task(loaded)) is None:
                break
            request = f"ai:{match_id}:{loaded.match.seq + 1}"
            act = partial(self._act, turn=await self._choose(loaded, task))
            shared = SharedBoard(since, _only_computers_next if left else lambda row, match: False)
            played = await self._core.decide(match_id, None, request, act, row=loaded.row, shared=shared)
            if isinstance(played, Played):
                told = not shared.continues(played.row, played.match)
                since = None if told else played.first if since is None else since
                done += () if played.repeated else (played,)
                loaded = await self._core.load_row(played.row)
            elif played.stale:
                loaded = await self._core.load(match_id)  # someone was quicker: there may be more to do
            else:
                break
        return tuple(done)

    async def waiting(self) -> tuple[str, ...]:
        """Return the matches in which a computer may have to act."""
        if self._waiting is None:
            # left by an earlier run of the program; from now on `_note` is called for every change
            live = await self._core.store.by_status("live", _NO_LIMIT)
            self._waiting = {row.id for row in live if computer_seats(row)}
        return tuple(self._waiting)

    async def run_waiting(self, match_id: str) -> tuple[Played, ...]:
        """Run the computers of a match; if they have nothing to do, drop it from `waiting`."""
        played = await self.run(match_id)
        if not played and self._waiting is not None:
            self._waiting.discard(match_id)
        return played

    def _note(self, row: MatchRow, match: Match) -> None:
        """Note whether a computer is to act, so that `waiting` finds it."""
        if self._waiting is None:
            return  # the first call of `waiting` reads all matches
        if seats_to_play(row, match):
            self._waiting.add(row.id)
        else:
            self._waiting.discard(row.id)

    async def _choose(self, loaded: LoadedMatch, task: _Task) -> _Turn | None:
        """Return a computer's moves, computed in a worker thread; None if its task isn't to move."""
        if task.what != "move":
            return None
        match, seat = loaded.match, task.seat
        dice = Dice(self._core.entropy.token(SECRET_BYTES), match.id, match.seq + 1, "computer")
        seats = sorted(seats_to_play(loaded.row, match)) if len(match.to_act) > 1 else [seat]
        players = {each: self._levels.player(match.game.key, self._level(loaded, each)) for each in seats}
        change = await asyncio.to_thread(_play_on, match, players, dice, loaded.sealed)
        return _Turn(match.seq, seat, change)

    def _act(self, loaded: LoadedMatch, turn: _Turn | None) -> Change | Refused:
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
        elif turn is None or (turn.seq, turn.seat) != (match.seq, seat):
            return stale()
        else:
            return turn.change
        if isinstance(change, Msg):
            raise RuntimeError(f"the computer in seat {seat} of {match.id} was refused: {change.key}")
        return change

    def _answer_draw(self, loaded: LoadedMatch, seat: Seat) -> Change | Msg:
        match = loaded.match
        answer = engine.decline if self._is_ahead(loaded, seat) else engine.offer_draw
        return answer(match, seat, loaded.sealed)

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


def _play_on(match: Match, players: Mapping[Seat, Player], dice: Dice, sealed: Sealed) -> Change:
    """Return all decisions of the players until someone else is to act, as one change.

    There are several players if all decide at once: each sees only its own view, without the others' choices.
    """
    made, waiting = Change(match, (), ()), match.to_act
    for seat, player in players.items():
        if made.match.to_act != waiting:
            break  # all have decided, and the turn is over
        for _ in range(_MAX_DECISIONS):
            now = made.match
            change = engine.play(now, seat, _decision(now, seat, player, dice), sealed)
            if isinstance(change, Msg):
                raise RuntimeError(f"the computer in seat {seat} of {match.id} was refused: {change.key}")
            made = made.then(change)
            if seat not in change.match.to_act:
                break
        waiting -= {seat}
    return made


def _decision(match: Match, seat: Seat, player: Player, dice: Dice) -> Any:
    """Return a player's choice, or the game's default action if the player raises an error."""
    view = match.game.view(match.state, seat)
    try:
        return player.choose(match.game, view, seat, dice)
    except Exception:
        action = match.game.default(view, seat)
        if action is None:
            raise
        log.exception("%s: the computer in seat %s fails and plays the default", match.id, seat)
        return action


def _next_task(loaded: LoadedMatch) -> _Task | None:
    """Return the next task of a computer; None if only people can act."""
    match, row = loaded.match, loaded.row
    if match.playing <= computer_seats(row) and not match.ending:
        return _Task("draw", min(match.playing - match.offers))
    wanted = seats_to_play(row, match)
    if not wanted:
        return None
    seat = min(wanted)
    return _Task("answer" if match.offers and seat not in match.offers else "move", seat)
