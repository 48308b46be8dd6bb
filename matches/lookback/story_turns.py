"""A finished match turn by turn: what everyone saw of it, what counted, and how lucky its dice were.

Moves that were taken back are left out. Everything comes from public facts and the spectator's view.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from games.ai.win_shares import shares_of_evaluations
from games.engine.game import AnyGame, Fact, Game, Seat
from games.engine.lookback import Fortune
from games.engine.match import Entry, Kind, Match, in_force, walk

MOST_JUDGED: Final = 400
"""Maximum number of turns whose positions are evaluated; of longer matches evenly spread ones are."""
_DECISIONS: Final = frozenset((Kind.PLAY, Kind.DEFAULT))
_DEPARTURES: Final = frozenset((Kind.RESIGN, Kind.TIMEOUT))


@dataclass(slots=True)
class Throw:
    """The draws that followed a decision, as far as the game can say how lucky they were."""

    seq: int
    """The log entry of the last draw."""
    fortune: Fortune
    facts: tuple[Fact, ...]


@dataclass(slots=True)
class StoryTurn:
    """One turn, with what was true after it."""

    number: int
    """From 1; 0 for what came before the first decision."""
    seat: Seat | None = None
    first: int = 0
    last: int = 0
    """Its log entries."""
    move: str = ""
    """The move as people type it; empty where a turn has many actions, and for secret ones."""
    facts: list[Fact] = field(default_factory=list)
    """The public facts, without those about people who left."""
    throws: list[Throw] = field(default_factory=list)
    material: tuple[float, ...] = ()
    values: tuple[float, ...] | None = None
    """The shares of all seats by evaluation; None if the position wasn't evaluated."""
    eliminated: frozenset[Seat] = frozenset()
    left: tuple[tuple[int, Seat, Kind], ...] = ()
    """Who resigned or ran out of time after it: log entry, seat and kind."""


def turns_of(match: Match, *, judge: bool = True) -> list[StoryTurn]:
    """Return the turns of a match in order, after one for its start. It takes as long as replaying it.

    `judge` is whether positions are to be evaluated.
    """
    chain = in_force(match.log, match.seq)
    reader = _Reader(match, _turns_to_judge(match.game, chain) if judge else 0)
    wanted = {entry.seq for entry in chain}
    for past, facts in walk(match.log):
        if past.seq in wanted:
            reader.read(past, facts)
        reader.previous = past
    reader.close_turn(match.state)
    return reader.turns


def has_evaluation(game: AnyGame) -> bool:
    """Return whether a game evaluates positions."""
    return type(game).evaluate is not Game.evaluate


def _turns_to_judge(game: AnyGame, chain: list[Entry]) -> int:
    """Return after how many turns each a position is evaluated; 0 for never."""
    if not has_evaluation(game):
        return 0
    seats = [entry.seat for entry in chain if entry.kind in _DECISIONS]
    turns = sum(game.actions_are_moves or not at or seat != seats[at - 1] for at, seat in enumerate(seats))
    return 1 + turns // MOST_JUDGED


class _Reader:
    """Collects turns from the entries in force, in order."""

    def __init__(self, match: Match, step: int) -> None:
        self.game, self.seats, self.teams = match.game, match.setup.seats, match.setup.teams
        self.step = step
        self.turns = [StoryTurn(0)]
        self.previous: Match | None = None
        self._draws: list[Any] = []
        self._before: Any = None
        self._drawn: list[Fact] = []
        self._seq = 0
        self._kept: dict[int, float] = {}
        """What seats had that ended the match by leaving it: they gave it up, and didn't lose it."""

    def read(self, after: Match, facts: tuple[Fact, ...]) -> None:
        """Take in one entry in force: the match after it, and its facts."""
        entry, before = after.log[-1], self.previous
        if before is None:
            return
        if entry.kind is not Kind.CHANCE:
            self._end_throw()
        if entry.kind in _DECISIONS and entry.seat is not None:
            self._decided(before, entry)
        public = [fact for fact in facts if fact.to is None]
        turn = self.turns[-1]
        turn.last = entry.seq
        if entry.kind in _DEPARTURES and entry.seat is not None:
            turn.left = (*turn.left, (entry.seq, entry.seat, entry.kind))
            had = self.game.material(self.game.view(before.state, None))
            if after.ending is not None and had:
                self._kept[entry.seat] = had[entry.seat]
        elif entry.kind in _DECISIONS or entry.kind is Kind.CHANCE:
            turn.facts += public
        if entry.kind is Kind.CHANCE:
            if not self._draws:
                self._before = before.state
            self._draws.append(self.game.decode(entry.data))
            self._drawn += public
            self._seq = entry.seq

    def _decided(self, before: Match, entry: Entry) -> None:
        turn, game, seat = self.turns[-1], self.game, Seat(entry.seat or 0)
        if turn.number and not game.actions_are_moves and turn.seat == seat:
            return
        self.close_turn(before.state)
        move = ""
        if game.actions_are_moves and (len(before.to_act) == 1 or not game.hidden):
            move = game.format(game.view(before.state, seat), game.decode(entry.data))
        self.turns.append(StoryTurn(turn.number + 1, seat, entry.seq, entry.seq, move.replace("`", "'")))

    def _end_throw(self) -> None:
        if not self._draws:
            return
        fortune = self.game.fortune(self._before, self._draws)
        if fortune is not None:
            self.turns[-1].throws.append(Throw(self._seq, fortune, tuple(self._drawn)))
        self._draws, self._drawn = [], []

    def close_turn(self, state: Any) -> None:
        """Note what is true after the current turn."""
        self._end_throw()
        turn, game = self.turns[-1], self.game
        view = game.view(state, None)
        turn.material = tuple(self._kept.get(seat, had) for seat, had in enumerate(game.material(view)))
        turn.eliminated = game.eliminated(state)
        if self.step and turn.number % self.step == 0:
            values = [game.evaluate(view, Seat(seat)) for seat in range(self.seats)]
            turn.values = shares_of_evaluations(values, self.teams)
