"""The decisions of a finished match that are in force, each with the position it was made in."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from games.ai.valued import Question
from games.engine.game import Seat
from games.engine.match import Entry, Kind, Match, in_force, walk

_DECISIONS: Final = frozenset((Kind.PLAY, Kind.DEFAULT))
_DEPARTURES: Final = frozenset((Kind.RESIGN, Kind.TIMEOUT))
"""What changes the shares without a decision or chance."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: who made it, where in the log it is, the position before it, and the action played."""

    seat: Seat
    seq: int
    turn: int
    """The number of its turn, from 1. In games whose turns have many actions, several share a turn."""
    state: Any
    action: Any
    default: bool
    """Whether it was made for the seat, because its time was up."""
    chance: bool
    """Whether dice or cards were drawn between it and the next decision, or the end."""
    departed: bool
    """Whether a seat left the match in between."""

    def question(self, match: Match, level: str, effort: float) -> Question:
        """Return what to ask about it: from the mover's own view, and with the action played."""
        view = match.game.view(self.state, self.seat)
        return Question(match.game, view, self.seat, match.setup.teams, (self.action,), level, effort)


def decisions_of(match: Match) -> tuple[Decision, ...]:
    """Return the decisions of a match in order; those that were taken back are left out.

    It takes as long as replaying the match.
    """
    chain = in_force(match.log, match.seq)
    starts = [at for at, entry in enumerate(chain) if entry.kind in _DECISIONS]
    wanted = {chain[at].seq for at in starts}
    before: dict[int, Any] = {}
    previous: Any = None
    for past, _ in walk(match.log):
        if past.seq in wanted:
            before[past.seq] = previous
        previous = past.state
    found: list[Decision] = []
    for at, end in pairwise([*starts, len(chain)]):
        entry, between = chain[at], {each.kind for each in chain[at + 1 : end]}
        found.append(
            Decision(
                Seat(-1 if entry.seat is None else entry.seat),
                entry.seq,
                _turn(match, found, entry),
                before[entry.seq],
                match.game.decode(entry.data),
                entry.kind is Kind.DEFAULT,
                Kind.CHANCE in between,
                bool(between & _DEPARTURES),
            )
        )
    return tuple(found)


def _turn(match: Match, found: list[Decision], entry: Entry) -> int:
    if not found:
        return 1
    same = not match.game.actions_are_moves and found[-1].seat == entry.seat
    return found[-1].turn + (0 if same else 1)
