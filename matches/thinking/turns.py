"""Play the turns of computers: each player gets the view of its seat and dice of its own, and nothing else.

This is all that is done in a worker process, too. It needs a match without its log.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine.dice import Dice, Sealed
from games.engine.game import Expectation, ExpectingPlayer, InterruptiblePlayer, Player, Seat
from games.engine.match import Change, Match
from games.engine.message import Msg
from games.engine.search import Stop
from matches.thinking.jobs import DecidedTurn, Job

log = logging.getLogger(__name__)

_MAX_DECISIONS: Final = 400
"""Maximum number of decisions in one change."""
SECONDS: Final = 20.0
"""Seconds after which the searches of a job end as soon as they can, however many decisions are left."""
QUICK: Final = 2.0
"""Seconds that a player may take which can't be stopped: it hardly thinks."""


class DroppedError(Exception):
    """Raised where a job was dropped while it was worked on."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the players of one job may search."""

    until: float
    """The end of all searches, in the time of `time.monotonic`."""
    decision: float
    """Maximum number of seconds for one decision."""
    dropped: Callable[[], bool]
    """Whether the job was given up."""

    @staticmethod
    def of(
        dropped: Callable[[], bool] = lambda: False, *, seconds: float = SECONDS, decision: float = SECONDS
    ) -> Patience:
        """Return the patience of a job that begins now."""
        return Patience(time.monotonic() + seconds, decision, dropped)

    def stop(self, seconds: float) -> Stop:
        """Return the question whether to end a search that begins now, and should take so long at most."""
        end = min(self.until, time.monotonic() + min(seconds, self.decision))
        return lambda: self.dropped() or time.monotonic() >= end


def seconds_for(job: Job, levels: Levels) -> float:
    """Return after how many seconds the searches of a job have ended, by the caps of its levels.

    Where actions are moves, a turn has one decision, or two with the answer to what was drawn, and each seat
    may have to decide.
    """
    key = job.match.game.key
    players = [levels.player(key, name) for name in job.levels.values()]
    timed = InterruptiblePlayer, ExpectingPlayer
    caps = [each.seconds if isinstance(each, timed) else QUICK for each in players]
    decisions = 2 * max(job.turns, len(caps)) if job.match.game.actions_are_moves else _MAX_DECISIONS
    return min(SECONDS, decisions * max(caps, default=QUICK))


class SafePlayer:
    """Plays the game's default action, or the weakest level where there is none."""

    def __init__(self, weakest: Player) -> None:
        self._weakest = weakest

    def choose(self, game: Any, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return an action that takes no thought."""
        action = game.default(view, seat)
        return self._weakest.choose(game, view, seat, dice) if action is None else action


def play_turns(
    job: Job, levels: Levels, patience: Patience, *, safely: bool = False
) -> tuple[DecidedTurn, ...]:
    """Return the turns of a job; `safely` with players that take no thought.

    Raises DroppedError, and RuntimeError if a player's action is refused.
    """
    key = job.match.game.key
    weakest = levels.player(key, levels.names(key)[0])

    def player(seat: Seat) -> Player:
        return SafePlayer(weakest) if safely else levels.player(key, job.levels[seat])

    made: list[DecidedTurn] = []
    match = job.match
    while not made or (len(made) < job.turns and _only_computers_next(job, match)):
        players = {seat: player(seat) for seat in sorted(match.to_act & job.levels.keys())}
        dice = Dice(job.seed, match.id, match.seq + 1, "computer")
        made.append(_play_on(match, players, dice, job.sealed, patience))
        match = made[-1].match
    return tuple(made)


def _only_computers_next(job: Job, match: Match) -> bool:
    """Return whether only computers are to act while people still play."""
    ours = job.levels.keys()
    return not match.ending and not match.talk.offers and match.to_act <= ours and bool(match.playing - ours)


def _play_on(
    match: Match, players: Mapping[Seat, Player], dice: Dice, sealed: Sealed, patience: Patience
) -> DecidedTurn:
    """Return all decisions of the players until someone else is to act, as one change.

    There are several players if all decide at once: each sees only its own view, without the others' choices.
    """
    made, waiting = Change(match, (), ()), match.to_act
    expected: dict[Seat, Expectation] = {}
    for seat, player in players.items():
        if made.match.to_act != waiting:
            break  # all have decided, and the turn is over
        for _ in range(_MAX_DECISIONS):
            now = made.match
            action, hope = _decision(now, seat, player, dice, patience)
            if patience.dropped():
                raise DroppedError
            change = engine.play(now, seat, action, sealed)
            if isinstance(change, Msg):
                raise RuntimeError(f"the computer in seat {seat} of {match.id} was refused: {change.key}")
            made = made.then(change)
            if hope is not None:
                expected[seat] = hope
            if seat not in change.match.to_act:
                break
        waiting -= {seat}
    return DecidedTurn(made.match, made.entries, made.facts, expected)


def _decision(
    match: Match, seat: Seat, player: Player, dice: Dice, patience: Patience
) -> tuple[Any, Expectation | None]:
    """Return a player's choice and what it expects, if it knows.

    If the player raises an error, the choice is the game's default action.
    """
    view = match.game.view(match.state, seat)
    try:
        if isinstance(player, ExpectingPlayer):
            return player.weigh(match.game, view, seat, dice, patience.stop(player.seconds))
        if isinstance(player, InterruptiblePlayer):
            return player.decide(match.game, view, seat, dice, patience.stop(player.seconds)), None
        return player.choose(match.game, view, seat, dice), None
    except Exception:
        action = match.game.default(view, seat)
        if action is None:
            raise
        log.exception("%s: the computer in seat %s fails and plays the default", match.id, seat)
        return action, None
