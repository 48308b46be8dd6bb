"""Computer players: they get the view of their seat, their own dice, and one commit for each turn.

What they are asked to do is found in the position alone, so that a crash loses nothing.
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
from matches.core import Core, LoadedMatch, Telling, stale
from matches.ports import MatchRow
from matches.results import Played, Refused

log = logging.getLogger(__name__)

_MAX_TURNS = 64
"""Turns of one call; `tick` goes on where a match among computers is longer."""
_MAX_DECISIONS = 400
"""Decisions that are told together at most, as those of a person's text are."""
_NO_LIMIT = 1_000_000


def computer_seats(row: MatchRow) -> frozenset[Seat]:
    """Return the seats that computers hold."""
    return frozenset(Seat(seat.seat) for seat in row.seats if seat.occupant == "computer")


def seats_wanted(row: MatchRow, match: Match) -> frozenset[Seat]:
    """Return the computer seats that have to move, or to answer the offer of a draw."""
    if match.ending:
        return frozenset()
    ours = computer_seats(row) & match.playing
    asked = ours - match.offers if match.offers else frozenset[Seat]()
    return asked | (ours & match.to_act)


def _computers_go_on(row: MatchRow, match: Match) -> bool:
    """Return whether only computers are to act and people still play, who see all those turns at once."""
    ours = computer_seats(row)
    return not match.ending and bool(match.to_act) and match.to_act <= ours and bool(match.playing - ours)


class _Duty(NamedTuple):
    """What a computer has to do: to move, to answer the offer of a draw, or to offer one."""

    what: Literal["move", "answer", "draw"]
    seat: Seat


class _Turn(NamedTuple):
    """What a computer does after an entry, until somebody else is to act."""

    seq: int
    seat: Seat
    change: Change


class Computers:
    """What the host does for the seats without a person."""

    def __init__(self, core: Core, levels: Levels) -> None:
        """`levels` are the computer players there are."""
        self._core = core
        self._levels = levels
        self._unknown_levels: set[tuple[str, str]] = set()
        """Games and levels that matches name and that are no more."""
        self._waiting: set[str] | None = None
        """Matches in which a computer is to act; None until those of an earlier run were looked up."""
        core.observe(self._note)

    async def run(self, match_id: str, row: MatchRow | None = None) -> tuple[Played, ...]:
        """Let computers move until a person is to act or the match is over, and return their turns.

        They agree to a draw where they do not stand better, and among themselves once all people have left.
        `row` is the match's row if the caller has just read it.
        """
        done: list[Played] = []
        since: int | None = None
        loaded = await self._core.load(match_id, row)
        for left in reversed(range(_MAX_TURNS)):
            if isinstance(loaded, Refused) or (duty := _duty(loaded)) is None:
                break
            request = f"ai:{match_id}:{loaded.match.seq + 1}"
            act = partial(self._act, turn=await self._choose(loaded, duty))
            telling = Telling(since, _computers_go_on if left else lambda row, match: False)
            played = await self._core.decide(match_id, None, request, act, row=loaded.row, telling=telling)
            if isinstance(played, Played):
                told = not telling.later(played.row, played.match)
                since = None if told else played.first if since is None else since
                done += () if played.repeated else (played,)
                loaded = await self._core.load_row(played.row)
            elif played.stale:
                loaded = await self._core.load(match_id)  # somebody was quicker: there may be more to do
            else:
                break
        return tuple(done)

    async def waiting(self) -> tuple[str, ...]:
        """Return the matches in which a computer is to act and may be run by nobody."""
        if self._waiting is None:
            # what an earlier run of the program left behind; from now on `_note` hears of every change
            live = await self._core.store.by_status("live", _NO_LIMIT)
            self._waiting = {row.id for row in live if computer_seats(row)}
        return tuple(self._waiting)

    async def run_waiting(self, match_id: str) -> tuple[Played, ...]:
        """Run the computers of a match, which waits no longer if they have nothing to do."""
        played = await self.run(match_id)
        if not played and self._waiting is not None:
            self._waiting.discard(match_id)
        return played

    def _note(self, row: MatchRow, match: Match) -> None:
        """Note whether a computer is to act, so that it is found if nobody runs it."""
        if self._waiting is None:
            return  # the first look goes through all matches anyway
        if seats_wanted(row, match):
            self._waiting.add(row.id)
        else:
            self._waiting.discard(row.id)

    async def _choose(self, loaded: LoadedMatch, duty: _Duty) -> _Turn | None:
        """Return what a computer does, thought of in a thread: people are answered meanwhile.

        None where it has to answer a draw, or to offer one.
        """
        if duty.what != "move":
            return None
        match, seat = loaded.match, duty.seat
        dice = Dice(self._core.entropy.token(SECRET_BYTES), match.id, match.seq + 1, "computer")
        seats = sorted(seats_wanted(loaded.row, match)) if len(match.to_act) > 1 else [seat]
        players = {each: self._levels.player(match.game.key, self._level(loaded, each)) for each in seats}
        change = await asyncio.to_thread(_play_on, match, players, dice, loaded.sealed)
        return _Turn(match.seq, seat, change)

    def _act(self, loaded: LoadedMatch, turn: _Turn | None) -> Change | Refused:
        match = loaded.match
        duty = _duty(loaded)
        if duty is None:
            return Refused(msg("match.refuse.turn", next=()))
        seat = duty.seat
        change: Change | Msg
        if duty.what == "draw":
            change = engine.offer_draw(match, seat, loaded.sealed)
        elif duty.what == "answer":
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
        answer = engine.decline_draw if self._stands_better(loaded, seat) else engine.offer_draw
        return answer(match, seat, loaded.sealed)

    def _stands_better(self, loaded: LoadedMatch, seat: Seat) -> bool:
        """Judge by exact values where the seat's player goes by them, else by the game's own evaluation."""
        match, level = loaded.match, self._level(loaded, seat)
        view = match.game.view(match.state, seat)
        oracle = self._levels.oracle(match.game.key) if level == "perfect" else None
        if oracle is not None and (wins := probability(oracle, view, seat, match.to_act)) is not None:
            return wins > 0.5
        return match.game.evaluate(view, seat) > 0

    def _level(self, loaded: LoadedMatch, seat: Seat) -> str:
        """Return the level that plays a seat: the one it was given, or the strongest if that one is gone."""
        game, level = loaded.match.game.key, loaded.row.seats[seat].level
        names = self._levels.names(game)
        if level in names:
            return level
        if (game, level) not in self._unknown_levels:
            self._unknown_levels.add((game, level))
            log.warning("%s has no computer player %r any more: %r plays instead", game, level, names[-1])
        return names[-1]


def _play_on(match: Match, players: Mapping[Seat, Player], dice: Dice, sealed: Sealed) -> Change:
    """Return all that computers decide until someone else is to act, as one change. Pure but for log lines.

    Several of them where all decide at once: each has its own view, and what one decided is hidden there.
    """
    made, waiting = Change(match, (), ()), match.to_act
    for seat, player in players.items():
        if made.match.to_act != waiting:
            break  # all have decided: what comes now is another turn
        for _ in range(_MAX_DECISIONS):
            now = made.match
            change = engine.play(now, seat, _decision(now, seat, player, dice), sealed)
            if isinstance(change, Msg):
                raise RuntimeError(f"the computer in seat {seat} of {match.id} was refused: {change.key}")
            made = Change(change.match, (*made.entries, *change.entries), (*made.facts, *change.facts))
            if seat not in change.match.to_act:
                break
        waiting -= {seat}
    return made


def _decision(match: Match, seat: Seat, player: Player, dice: Dice) -> Any:
    """Return what a player chooses; the game's default action if it fails."""
    view = match.game.view(match.state, seat)
    try:
        return player.choose(match.game, view, seat, dice)
    except Exception:
        action = match.game.default(view, seat)
        if action is None:
            raise
        log.exception("%s: the computer in seat %s fails and plays the default", match.id, seat)
        return action


def _duty(loaded: LoadedMatch) -> _Duty | None:
    """Return what the next computer has to do; None where it is for people to act."""
    match, row = loaded.match, loaded.row
    if match.playing <= computer_seats(row) and not match.ending:
        return _Duty("draw", min(match.playing - match.offers))
    wanted = seats_wanted(row, match)
    if not wanted:
        return None
    seat = min(wanted)
    return _Duty("answer" if match.offers and seat not in match.offers else "move", seat)
