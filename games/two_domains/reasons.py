"""What an action of Two Domains leads to, over all rolls of its die: battles, kings, capitals, the Front.

Amounts are numbers of rolls, of the six: an action without a roll has all of them or none.
"""

from __future__ import annotations

from typing import Final

from games.engine.message import Msg, Value, Who, msg
from games.engine.reasons import Effect
from games.two_domains import facts
from games.two_domains.actions import ARMY, BATTLE, CAPITAL, KING, ROLLS, TOWN, Action
from games.two_domains.domain import domain
from games.two_domains.rules import State, play

_WEIGHTS: Final = {
    "wins": 4.0,
    "ruins": -4.0,
    "removes": 0.35,
    "weakens": 0.15,
    "authority": 0.2,
    "loses_authority": -0.2,
    "ready": 0.12,
    "consensus": 0.08,
    "dissonance": -0.08,
    "exposes": -0.2,
    "army": 0.06,
}
_SURE: Final = 6
_SHELTER: Final = 0.15
"""Weight of each place by which the king moves away from the Front."""


def effects(view: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return what a legal action leads to."""
    state = view
    if action.kind in ("roll", "first"):
        return ()
    begun = play(state, seat, action).state
    after = [play(begun, begun.turn, roll).state for roll in ROLLS] if begun.roll else [begun] * _SURE
    fronts = {each.domains[seat][-1:] for each in after}
    found = [
        Effect(kind, n, _WEIGHTS[kind], _sentence(kind, n, action, state, seat))
        for kind in _WEIGHTS
        if (kind != "exposes" or len(fronts) == 1)
        and (n := sum(_HOLDS[kind](state, each, seat) for each in after))
    ]
    mine = state.domains[seat]
    if action.kind == "mobilise" and mine.count(KING) == 1:
        behind = len(mine) - 1
        if gained := mine.index(KING):
            sentence = msg("two_domains.reason.shelters", n=behind)
            found.append(Effect("shelters", gained, _SHELTER, sentence))
    return tuple(found)


def _sentence(kind: str, n: int, action: Action, state: State, seat: int) -> Msg:
    """Return the sentence; `n` is the number of rolls with which it happens."""
    who, move = Who(1 - seat), action.text
    target = facts.FACE_NAME[state.domains[1 - seat][-1]]
    if kind == "exposes":
        mine = play(state, seat, action).state.domains[seat]
        return msg("two_domains.reason.exposes", move=move, who=who, face=facts.FACE_NAME[mine[-1]])
    every: dict[str, dict[str, Value]] = {
        "removes": {"who": who, "face": target},
        "weakens": {"who": who, "face": target},
        "loses_authority": {"move": move},
        "dissonance": {"move": move},
        "ruins": {"move": move},
    }
    named = every.get(kind, {})
    if n == _SURE:
        return msg(f"two_domains.reason.{kind}", **named)
    return msg(f"two_domains.reason.{kind}.rolls", n=n, **named)


def _won(before: State, after: State, seat: int) -> bool:
    return after.outcome is not None and after.ended == "emptied" and bool(after.domains[seat])


def _ruined(before: State, after: State, seat: int) -> bool:
    return after.ended == "civil_war" and domain(after.domains[seat]).civil_war


def _removed(before: State, after: State, seat: int) -> bool:
    theirs = after.domains[1 - seat]
    return bool(theirs) and len(theirs) < len(before.domains[1 - seat])


def _weakened(before: State, after: State, seat: int) -> bool:
    was, now = before.domains[1 - seat], after.domains[1 - seat]
    return len(was) == len(now) > 1 and was != now


def _kings(dice: str) -> int:
    return dice.count(KING)


def _authority(before: State, after: State, seat: int) -> bool:
    return after.outcome is None and _kings(before.domains[seat]) != 1 == _kings(after.domains[seat])


def _no_authority(before: State, after: State, seat: int) -> bool:
    return after.outcome is None and _kings(before.domains[seat]) == 1 != _kings(after.domains[seat])


def _ready(before: State, after: State, seat: int) -> bool:
    """Return whether the seat can battle now and couldn't before."""
    was, now = (domain(each.domains[seat]) for each in (before, after))
    return after.outcome is None and BATTLE.text in now.allowed and BATTLE.text not in was.allowed


def _consensus(before: State, after: State, seat: int) -> bool:
    was, now = before.domains[seat].count(CAPITAL), after.domains[seat].count(CAPITAL)
    return after.outcome is None and was != 1 == now


def _dissonance(before: State, after: State, seat: int) -> bool:
    was, now = before.domains[seat].count(CAPITAL), after.domains[seat].count(CAPITAL)
    return after.outcome is None and was < 2 <= now


def _exposed(before: State, after: State, seat: int) -> bool:
    """Return whether the other seat, to act, could battle and remove the Front.

    With Cultural Consensus it removes all but an army; without, only a king, a village or a town.
    """
    mine, theirs = after.domains[seat], domain(after.domains[1 - seat])
    if after.outcome is not None or after.turn == seat or len(mine) < 2 or BATTLE.text not in theirs.allowed:
        return False
    return mine[-1] != ARMY if theirs.capitals else mine[-1] <= TOWN


def _army(before: State, after: State, seat: int) -> bool:
    was, now = before.domains[seat].count(ARMY), after.domains[seat].count(ARMY)
    return after.outcome is None and now > was


_HOLDS: Final = {
    "wins": _won,
    "ruins": _ruined,
    "removes": _removed,
    "weakens": _weakened,
    "authority": _authority,
    "loses_authority": _no_authority,
    "ready": _ready,
    "consensus": _consensus,
    "dissonance": _dissonance,
    "exposes": _exposed,
    "army": _army,
}
