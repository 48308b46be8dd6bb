"""Computer players: they get the view of their seat, their own dice, and one commit for each move.

What they are asked to do is found in the position alone, so that a crash loses nothing.
"""

from __future__ import annotations

import logging

from games.ai.levels import probability
from games.engine import match as engine
from games.engine.dice import SECRET_BYTES, Dice
from games.engine.game import Seat
from games.engine.match import Change
from games.engine.message import Msg, msg
from matches.desk import Desk, Hot, computers, computers_wanted
from matches.results import Played, Refused

log = logging.getLogger(__name__)

_AT_ONCE = 64
"""Moves of one call; `tick` goes on where a match among computers is longer."""


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
            played = await self._decide(match_id, None, request, self._act_for_computer)
            if isinstance(played, Refused):
                break
            if not played.repeated:
                done.append(played)
        return tuple(done)

    def _act_for_computer(self, hot: Hot) -> Change | Refused:
        match = hot.match
        wanted = computers_wanted(hot.row, match)
        alone = match.playing <= computers(hot.row) and not match.ending
        if not wanted and not alone:
            return Refused(msg("match.refuse.turn", next=()))
        seat = min(match.playing - match.offers if alone else wanted)
        if alone:
            change = engine.offer_draw(match, seat, hot.sealed)
        elif match.offers and seat not in match.offers:
            change = self._answer_draw(hot, seat)
        else:
            change = self._move(hot, seat)
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

    def _move(self, hot: Hot, seat: Seat) -> Change | Msg:
        match = hot.match
        dice = Dice(self.entropy.token(SECRET_BYTES), match.id, match.seq + 1, "computer")
        player = self.levels.player(match.game.key, self._level(hot, seat))
        action = player.choose(match.game, match.game.view(match.state, seat), seat, dice)
        return engine.play(match, seat, action, hot.sealed)
