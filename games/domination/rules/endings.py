"""The endings of Domination: a goal is reached, one seat is left, or the last round is over and scored."""

from __future__ import annotations

from fractions import Fraction

from games.domination.rules import facts
from games.domination.rules.position import NONE, Position, State, continents, with_place
from games.engine.game import Fact, Outcome, Setup, Step, ranks

_Score = tuple[Fraction, int]


def score(position: Position, seat: int) -> _Score:
    """Return countries + values of held continents + armies / 3, and the armies to break ties."""
    worth = position.table.law.atlas.continents
    pairs = zip(position.owner, position.armies, strict=True)
    armies = sum(n for by, n in pairs if by == seat)
    held = sum(worth[n].value for n in continents(position, seat))
    return position.owner.count(seat) + held + Fraction(armies, 3), armies


def places(position: Position, winner: int) -> tuple[int, ...]:
    """Return the ranks by seat: the winner, if any; those that play, by score; the beaten, the last first."""
    table = position.table
    scores: dict[_Score, set[int]] = {}
    for seat in position.living():
        if seat != winner:
            scores.setdefault(score(position, seat), set()).add(seat)
    tiers = [frozenset((winner,))] if winner != NONE else []
    tiers += [frozenset(scores[found]) for found in sorted(scores, reverse=True)]
    tiers += [frozenset((seat,)) for seat in reversed(table.out) if seat != winner]
    teams = tuple(range(table.law.seats))
    return ranks(Setup(table.law.seats, teams, {}), *tiers)


def finish(state: State, reason: str, winner: int) -> Step[State]:
    """End the match: the winner reached a goal or is the last seat; NONE ranks all by score."""
    place = state.position
    found = places(place, winner)
    winners = [seat for seat, rank in enumerate(found) if rank == 1]
    if winner == NONE:
        reason = "points" if len(winners) == 1 else "draw"
    table = place.table._replace(outcome=Outcome(found, facts.ending(reason, winners)))
    own = tuple(each._replace(wishes=(), pool=0, spread=(), pick=NONE) for each in state.own)
    state = state._replace(own=own)
    after = with_place(state, table=table, phase="over", order=None, pool=0)
    said: tuple[Fact, ...] = facts.revealed(table.law.atlas, [own.mission for own in state.own])
    return Step(after, said)
