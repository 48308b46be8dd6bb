"""How good a position is for a seat, judged at a glance, and what chance may make of each action.

The glance counts dice and readiness for battle; where a roll is due it is the mean over the six faces, so
that whoever always takes the best glance also knows when to roll.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Final

from games.engine.game import Odds, Rejected, Seat
from games.engine.message import Msg, msg
from games.two_domains import facts, notation, rules
from games.two_domains.actions import ROLLS, Action
from games.two_domains.domain import domain
from games.two_domains.rules import State

_DIE: Final = 1.0
_KING: Final = 0.7
_TURMOIL: Final = -0.5
"""For each king too many."""
_CAPITAL: Final = 0.35
_DISSONANCE: Final = -0.5
_FRONT: Final = 0.6
_RESERVE: Final = 0.3
"""An army that may be moved to the Front."""
_CITIZEN: Final = 0.04
_SINGLE: Final = -1.5
"""What Kingly Endurance costs: no turn, and one blow from the end."""


@cache
def worth(dice: str) -> float:
    """What a domain is worth by itself, in dice."""
    own = domain(dice)
    if own.civil_war or not own.size:
        return -5.0
    if own.size == 1:
        return _DIE + _SINGLE
    worth = _DIE * own.size
    if own.kings:
        worth += _KING if own.kings == 1 else _TURMOIL * (own.kings - 1)
    if own.capitals:
        worth += _CAPITAL if own.capitals == 1 else _DISSONANCE * (own.capitals - 1)
    if own.vigilant:
        worth += _FRONT
    elif "6" in dice:
        worth += _RESERVE
    return worth + _CITIZEN * sum(int(face) for face in dice if face in "2345")


def evaluate(state: State, seat: int) -> float:
    """From -1.0 (lost) to 1.0 (won); 0.0 is a draw, or neither better nor worse than the other side."""
    if state.outcome is not None:
        if state.ended in facts.DRAWN:
            return 0.0
        return 1.0 if state.outcome.ranks[seat] == 1 else -1.0
    if state.roll and state.roll != "first":
        after = (rules.play(state, state.turn, roll).state for roll in ROLLS)
        return sum(evaluate(each, seat) for each in after) / len(ROLLS)
    balance = (worth(state.domains[seat]) - worth(state.domains[1 - seat])) / 10
    return max(-0.99, min(0.99, balance))


# --- chances --------------------------------------------------------------------------------------------


def odds(state: State, seat: int, text: str) -> tuple[Odds, ...] | Rejected:
    """The chances of the actions that the text names, of all for no text, as if the seat were to act.

    Nothing once the game is over, before it has begun, for whoever has no seat, and for a seat in Kingly
    Endurance, which has no turn.
    """
    if state.ended is not None or state.roll == "first" or seat not in (0, 1):
        return ()
    view = state._replace(turn=seat, roll="")
    legal = rules.legal(view, seat)
    if not legal:
        return ()
    named = notation.named(view, Seat(seat), text)
    if isinstance(named, Rejected):
        return named
    return tuple(_chances(view, seat, action) for action in legal if action in named)


def _chances(state: State, seat: int, action: Action) -> Odds:
    begun = rules.play(state, seat, action).state
    if not begun.roll:
        return Odds(action.text, ((Fraction(1), _certain(state, seat, action, begun)),))
    grouped: dict[tuple[str, tuple[Msg, ...]], list[int]] = {}
    for roll in ROLLS:
        after = rules.play(begun, seat, roll).state
        # What gathering brings is six different things; a battle's rolls differ by what they do to others.
        what = str(roll.n) if begun.roll == "gather" else after.domains[1 - seat]
        grouped.setdefault((what, _then(state, seat, after)), []).append(roll.n)
    found = [
        (Fraction(len(faces), len(ROLLS)), _rolled(begun, seat, faces, what, then))
        for (what, then), faces in grouped.items()
    ]
    return Odds(action.text, tuple(sorted(found, key=lambda pair: -pair[0])))


def _certain(state: State, seat: int, action: Action, after: State) -> Msg:
    mine, target = state.domains[seat], state.domains[1 - seat][-1]
    if action.kind == "grow":
        face = mine[action.n - 1]
        said = msg("two_domains.odds.grow", face=facts.FACE[face], into=facts.A[str(int(face) + 1)])
    elif action.kind == "mobilise":
        dice = tuple(facts.FACE[face] for face in after.domains[seat])
        said = msg("two_domains.odds.mobilise", dice=dice)
    elif target == "6":
        said = msg("two_domains.odds.converted")
    else:
        said = msg("two_domains.odds.overrun", face=facts.FACE[target])
    return _with(said, _then(state, seat, after))


def _rolled(begun: State, seat: int, faces: list[int], what: str, then: tuple[Msg, ...]) -> Msg:
    rolls, face = "/".join(map(str, faces)), str(faces[0])
    mine, theirs = begun.domains[seat], begun.domains[1 - seat]
    if begun.roll == "gather":
        key = "two_domains.odds.stays" if mine[1] == face else "two_domains.odds.gather"
        return _with(msg(key, rolls=rolls, into=facts.A[face]), then)
    if begun.roll == "endurance":
        return _with(msg("two_domains.odds.pledge" if what else "two_domains.odds.kill", rolls=rolls), then)
    target = facts.FACE[theirs[-1]]
    if faces == [rules.BATTLE_FAIL_FACE]:
        return _with(msg("two_domains.odds.holds", rolls=rolls, face=target, own=facts.A[face]), then)
    if len(what) < len(theirs):
        return _with(msg("two_domains.odds.removed", rolls=rolls, face=target), then)
    return _with(msg("two_domains.odds.beaten", rolls=rolls, face=target, into=facts.A[what[-1]]), then)


def _then(state: State, seat: int, after: State) -> tuple[Msg, ...]:
    """What else comes of it: scenarios of the own domain, Kingly Endurance of either, the end."""
    if after.ended == "emptied":
        return (msg("two_domains.odds.won"),)  # what the winner's own dice show is of no interest any more
    old, new = domain(state.domains[seat]).scenarios, domain(after.domains[seat]).scenarios
    said = list(facts.turns(old, new))
    alone = [len(now) == 1 < len(was) for was, now in zip(state.domains, after.domains, strict=True)]
    if alone[seat]:
        said.append(msg("two_domains.odds.endures"))
    if alone[1 - seat]:
        said.append(msg("two_domains.odds.endured"))
    if after.ended in facts.DRAWN:
        said.append(msg("two_domains.odds.drawn"))
    elif after.outcome is not None:
        won = after.outcome.ranks[seat] == 1
        said.append(msg("two_domains.odds.won" if won else "two_domains.odds.lost"))
    return tuple(said)


def _with(said: Msg, then: tuple[Msg, ...]) -> Msg:
    return msg("two_domains.odds.then", what=said, then=then) if then else said
