"""The endings of Domination: a goal is reached, one seat is left, or the last round is over and scored."""

from __future__ import annotations

from fractions import Fraction

from games.domination.rules import facts
from games.domination.rules.position import NONE, Position, State, held_continents, with_position
from games.engine.game import Fact, Outcome, Setup, Step, ranks

_Score = tuple[Fraction, int]


def score(position: Position, seat: int) -> _Score:
    """Return countries + values of held continents + armies / 3, and the armies to break ties."""
    worth = position.info.law.atlas.continents
    pairs = zip(position.owner, position.armies, strict=True)
    armies = sum(n for by, n in pairs if by == seat)
    held = sum(worth[n].value for n in held_continents(position, seat))
    return position.owner.count(seat) + held + Fraction(armies, 3), armies


def final_ranks(position: Position, winner: int) -> tuple[int, ...]:
    """Return the ranks by seat: the winner, if any; those that play, by score; the beaten, the last first."""
    info = position.info
    scores: dict[_Score, set[int]] = {}
    for seat in position.living():
        if seat != winner:
            scores.setdefault(score(position, seat), set()).add(seat)
    tiers = [frozenset((winner,))] if winner != NONE else []
    tiers += [frozenset(scores[found]) for found in sorted(scores, reverse=True)]
    tiers += [frozenset((seat,)) for seat in reversed(info.out) if seat != winner]
    teams = tuple(range(info.law.seats))
    return ranks(Setup(info.law.seats, teams, {}), *tiers)


def finish(state: State, reason: str, winner: int) -> Step[State]:
    """End the match: the winner reached a goal or is the last seat; NONE ranks all by score."""
    position = state.position
    found = final_ranks(position, winner)
    winners = [seat for seat, rank in enumerate(found) if rank == 1]
    if winner == NONE:
        reason = "points" if len(winners) == 1 else "draw"
    info = position.info._replace(outcome=Outcome(found, facts.ending(reason, winners)))
    own = tuple(each._replace(wishes=(), pool=0, spread=(), pick=NONE) for each in state.own)
    state = state._replace(own=own)
    after = with_position(state, info=info, phase="over", attack=None, pool=0)
    said: tuple[Fact, ...] = facts.revealed(info.law.atlas, [own.mission for own in state.own])
    return Step(after, said)
