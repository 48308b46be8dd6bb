"""The exact odds of each action: what its roll may lead to, with probabilities."""

from __future__ import annotations

from fractions import Fraction

from games.engine.game import Odds, Rejected, Seat
from games.engine.message import Msg, msg
from games.two_domains import facts, notation, rules
from games.two_domains.actions import ROLLS, Action
from games.two_domains.domain import domain
from games.two_domains.rules import State


def odds(view: State, seat: int, text: str) -> tuple[Odds, ...] | Rejected:
    """Return the odds of the actions that the text may mean, or of all, as if the seat were to act.

    Empty once the game is over, before its first turn, for spectators, and in Kingly Endurance.
    """
    if view.ended is not None or view.roll == "first" or seat not in (0, 1):
        return ()
    as_if = view._replace(turn=seat, roll="")
    legal = rules.legal(as_if, seat)
    if not legal:
        return ()
    named = notation.named(as_if, Seat(seat), text)
    if isinstance(named, Rejected):
        return named
    return tuple(_odds_of(as_if, seat, action) for action in legal if action in named)


def _odds_of(state: State, seat: int, action: Action) -> Odds:
    begun = rules.play(state, seat, action).state
    if not begun.roll:
        return Odds(action.text, ((Fraction(1), _certain(state, seat, action, begun)),))
    grouped: dict[tuple[str, tuple[Msg, ...]], list[int]] = {}
    for roll in ROLLS:
        after = rules.play(begun, seat, roll).state
        # Gathering has six different results; a battle's rolls are grouped by their effect.
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
        face, into = mine[action.n - 1], after.domains[seat][action.n - 1]
        message = msg("two_domains.odds.grow", face=facts.FACE_NAME[face], into=facts.A_FACE[into])
    elif action.kind == "mobilise":
        dice = tuple(facts.FACE_NAME[face] for face in after.domains[seat])
        message = msg("two_domains.odds.mobilise", dice=dice)
    elif target == "6":
        message = msg("two_domains.odds.converted")
    else:
        message = msg("two_domains.odds.overrun", face=facts.FACE_NAME[target])
    return _with(message, _then(state, seat, after))


def _rolled(begun: State, seat: int, faces: list[int], what: str, then: tuple[Msg, ...]) -> Msg:
    rolls, face = "/".join(map(str, faces)), str(faces[0])
    mine, theirs = begun.domains[seat], begun.domains[1 - seat]
    if begun.roll == "gather":
        key = "two_domains.odds.stays" if mine[1] == face else "two_domains.odds.gather"
        return _with(msg(key, rolls=rolls, into=facts.A_FACE[face]), then)
    if begun.roll == "endurance":
        return _with(msg("two_domains.odds.pledge" if what else "two_domains.odds.kill", rolls=rolls), then)
    target = facts.FACE_NAME[theirs[-1]]
    if faces == [rules.BATTLE_FAIL_FACE]:
        return _with(msg("two_domains.odds.holds", rolls=rolls, face=target, own=facts.A_FACE[face]), then)
    if len(what) < len(theirs):
        return _with(msg("two_domains.odds.removed", rolls=rolls, face=target), then)
    return _with(msg("two_domains.odds.beaten", rolls=rolls, face=target, into=facts.A_FACE[what[-1]]), then)


def _then(state: State, seat: int, after: State) -> tuple[Msg, ...]:
    """Return further effects: scenarios of the own domain, Kingly Endurance on either side, the end."""
    if after.ended == "emptied":
        return (msg("two_domains.odds.won"),)  # the winner's own scenarios no longer matter
    old, new = domain(state.domains[seat]).scenarios, domain(after.domains[seat]).scenarios
    messages = list(facts.scenario_changes(old, new))
    alone = [len(now) == 1 < len(was) for was, now in zip(state.domains, after.domains, strict=True)]
    if alone[seat]:
        messages.append(msg("two_domains.odds.endures"))
    if alone[1 - seat]:
        messages.append(msg("two_domains.odds.endured"))
    if after.ended in facts.DRAWS:
        messages.append(msg("two_domains.odds.drawn"))
    elif after.outcome is not None:
        won = after.outcome.ranks[seat] == 1
        messages.append(msg("two_domains.odds.won" if won else "two_domains.odds.lost"))
    return tuple(messages)


def _with(message: Msg, then: tuple[Msg, ...]) -> Msg:
    return msg("two_domains.odds.then", what=message, then=then) if then else message
