"""Computer players: they get the view of their seat, their own dice, and one commit for each turn.

What they are asked to do is found in the position alone, so that a crash loses nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

from games.ai.levels import probability
from games.engine import match as engine
from games.engine.dice import SECRET_BYTES, Dice, Sealed
from games.engine.game import Player, Seat
from games.engine.match import Change, Match
from games.engine.message import Msg, msg
from matches.desk import Desk, Hot, computers, computers_wanted, stale
from matches.results import Played, Refused

log = logging.getLogger(__name__)

_AT_ONCE = 64
"""Turns of one call; `tick` goes on where a match among computers is longer."""
_IN_A_TURN = 400
"""Decisions that are told together at most, as those of a person's text are."""


class _Duty(NamedTuple):
    """What a computer has to do: to move, to answer the offer of a draw, or to offer one."""

    what: Literal["move", "answer", "draw"]
    seat: Seat


class _Turn(NamedTuple):
    """What a computer does after an entry, until somebody else is to act."""

    seq: int
    seat: Seat
    change: Change


class Computers(Desk):
    """What the host does for the seats without a person."""

    async def run_computers(self, match_id: str) -> tuple[Played, ...]:
        """Let computers move until a person is to act or the match is over.

        They agree to a draw where they do not stand better, and among themselves once all people have left.
        """
        done: list[Played] = []
        for _ in range(_AT_ONCE):
            row = await self.store.match(match_id)
            if row is None or row.status != "live" or not computers(row):
                break
            request = f"ai:{match_id}:{row.version + 1}"
            turn = await self._choose(match_id)
            act = partial(self._act_for_computer, turn=turn)
            played = await self._decide(match_id, None, request, act)
            if isinstance(played, Refused):
                if played.stale:
                    continue  # somebody was quicker: there may be another move to think of
                break
            if not played.repeated:
                done.append(played)
        return tuple(done)

    async def _choose(self, match_id: str) -> _Turn | None:
        """What a computer does, thought of in a thread: people are answered meanwhile.

        None where it has to answer a draw, or has nothing to do.
        """
        hot = await self._open(match_id)
        duty = None if isinstance(hot, Refused) else _duty(hot)
        if isinstance(hot, Refused) or duty is None or duty.what != "move":
            return None
        match, seat = hot.match, duty.seat
        dice = Dice(self.entropy.token(SECRET_BYTES), match.id, match.seq + 1, "computer")
        seats = sorted(computers_wanted(hot.row, match)) if len(match.to_act) > 1 else [seat]
        players = {each: self.levels.player(match.game.key, self._level(hot, each)) for each in seats}
        change = await asyncio.to_thread(_play_on, match, players, dice, hot.sealed)
        return _Turn(match.seq, seat, change)

    def _act_for_computer(self, hot: Hot, turn: _Turn | None) -> Change | Refused:
        match = hot.match
        duty = _duty(hot)
        if duty is None:
            return Refused(msg("match.refuse.turn", next=()))
        seat = duty.seat
        change: Change | Msg
        if duty.what == "draw":
            change = engine.offer_draw(match, seat, hot.sealed)
        elif duty.what == "answer":
            change = self._answer_draw(hot, seat)
        elif turn is None or (turn.seq, turn.seat) != (match.seq, seat):
            return stale()
        else:
            return turn.change
        if isinstance(change, Msg):
            raise RuntimeError(f"the computer in seat {seat} of {match.id} was refused: {change.key}")
        return change

    def _answer_draw(self, hot: Hot, seat: Seat) -> Change | Msg:
        match = hot.match
        answer = engine.decline_draw if self._stands_better(hot, seat) else engine.offer_draw
        return answer(match, seat, hot.sealed)

    def _stands_better(self, hot: Hot, seat: Seat) -> bool:
        """By exact values where the player of the seat goes by them, else by the game's own judgement."""
        match, level = hot.match, self._level(hot, seat)
        view = match.game.view(match.state, seat)
        oracle = self.levels.oracle(match.game.key) if level == "perfect" else None
        if oracle is not None and (wins := probability(oracle, view, seat, match.to_act)) is not None:
            return wins > 0.5
        return match.game.evaluate(view, seat) > 0

    def _level(self, hot: Hot, seat: Seat) -> str:
        """The level that plays a seat: the one it was given, or the strongest if that one is gone."""
        game, level = hot.match.game.key, hot.row.seats[seat].level
        names = self.levels.names(game)
        if level in names:
            return level
        if (game, level) not in self._gone:
            self._gone.add((game, level))
            log.warning("%s has no computer player %r any more: %r plays instead", game, level, names[-1])
        return names[-1]


def _play_on(match: Match, players: Mapping[Seat, Player], dice: Dice, sealed: Sealed) -> Change:
    """All that computers decide until somebody else is to act, as one change. Pure but for the log.

    Several of them where all decide at once: each has its own view, and what one decided is hidden there.
    """
    made, waiting = Change(match, (), ()), match.to_act
    for seat, player in players.items():
        if made.match.to_act != waiting:
            break  # all have decided: what comes now is another turn
        for _ in range(_IN_A_TURN):
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
    """What a player chooses; what is safe if it fails."""
    view = match.game.view(match.state, seat)
    try:
        return player.choose(match.game, view, seat, dice)
    except Exception:
        action = match.game.default(view, seat)
        if action is None:
            raise
        log.exception("%s: the computer in seat %s fails and plays what is safe", match.id, seat)
        return action


def _duty(hot: Hot) -> _Duty | None:
    """What the next computer has to do; None where it is for people to act."""
    match, row = hot.match, hot.row
    if match.playing <= computers(row) and not match.ending:
        return _Duty("draw", min(match.playing - match.offers))
    wanted = computers_wanted(row, match)
    if not wanted:
        return None
    seat = min(wanted)
    return _Duty("answer" if match.offers and seat not in match.offers else "move", seat)
