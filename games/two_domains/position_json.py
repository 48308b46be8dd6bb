"""Positions as JSON that people can read and write; invalid ones are refused with a reason.

Only `red`, `blue` and `turn` are required: all else defaults to the first turn of a game.
"""

from __future__ import annotations

from typing import Final

from games.engine.fields import Fields, Json, checked, lookup, one_of, optional, text, whole
from games.engine.game import CHANCE
from games.two_domains import facts
from games.two_domains.actions import BATTLE, DICE
from games.two_domains.domain import START, domain
from games.two_domains.facts import DRAWS, Reason, reasons
from games.two_domains.rules import LIMIT, Roll, State, conclude

_FIELDS: Final = ("red", "blue", "turn", "roll", "completed", "ended", "winner")
_ROLLS: Final[tuple[Roll, ...]] = ("first", "gather", "battle", "endurance")
_SEATS: Final = {"red": 0, "blue": 1, "chance": int(CHANCE)}
_NAMES: Final = {seat: name for name, seat in _SEATS.items()}
_DICE: Final = checked(
    text(
        "line of at most five faces from 1 to 6",
        lambda dice: len(dice) <= DICE and set(dice) <= set("123456"),
    ),
    lambda dice: len(dice) != 1 or dice == "1",
    "a single die is a king",
)


def dump(state: State) -> Json:
    """Return the position with everything that affects its future, except the version of the rules.

    `load` is the inverse.
    """
    winner = None
    if state.outcome is not None and state.ended not in DRAWS:
        winner = _NAMES[state.outcome.ranks.index(1)]
    return {
        "red": state.domains[0],
        "blue": state.domains[1],
        "turn": _NAMES[state.turn],
        "roll": state.roll or None,
        "completed": state.completed,
        "ended": state.ended,
        "winner": winner,
    }


def load(data: Json, rules: int) -> State:
    """Return the position under a version of the rules. Raises ValueError with a reason if it is invalid."""
    part = Fields(data, _FIELDS)
    ended = part("ended", optional(one_of(reasons(rules))), None)
    domains = (part("red", _DICE), part("blue", _DICE))
    turn, roll = part("turn", lookup(_SEATS, "seat")), part("roll", optional(one_of(_ROLLS)), None)
    state = State(domains, turn, roll or "", part("completed", whole(LIMIT), 0), ended, None, rules)
    if max(map(len, domains)) < 2:
        raise ValueError("red and blue: one of them has two dice or more")
    winner = part("winner", optional(one_of(("red", "blue"))), None)
    return _live(state, winner) if state.ended is None else _over(state, state.ended, winner)


def _live(state: State, winner: str | None) -> State:
    if winner is not None:
        raise ValueError("winner: nobody has won yet")
    if not all(state.domains) or any(domain(dice).civil_war for dice in state.domains):
        raise ValueError("ended: this is the end of the game")
    if state.completed >= LIMIT:
        raise ValueError(f"ended: {LIMIT} actions are completed")
    if (state.turn == CHANCE) != (state.roll == "first"):
        raise ValueError("turn: chance is to act before the first action only")
    if state.roll == "first":
        if state.domains != (START, START) or state.completed:
            raise ValueError("roll: who plays first is drawn at the start only")
        return state
    mine, theirs = (domain(state.domains[seat]) for seat in (state.turn, 1 - state.turn))
    if mine.size < 2:
        raise ValueError("turn: there is no turn in Kingly Endurance")
    if state.roll in ("battle", "endurance"):
        fitting = theirs.size == 1 if state.roll == "endurance" else theirs.size > 1 and not mine.capitals
        if BATTLE.text not in mine.allowed or not fitting:
            raise ValueError(f"roll: there can be no {state.roll}")
    return state


def _over(state: State, ended: Reason, winner: str | None) -> State:
    empty, war = not all(state.domains), any(domain(dice).civil_war for dice in state.domains)
    played = state.turn != CHANCE and state.completed > 0
    last, even = played and state.completed == LIMIT, len(state.domains[0]) == len(state.domains[1])
    fair = {
        "emptied": played and empty and bool(state.domains[state.turn]),
        "civil_war": played and not empty and domain(state.domains[state.turn]).civil_war,
        "limit": last,
        "dice": last and not even,
        "even": last and even,
        "left": state.completed < LIMIT,
    }
    if not fair[ended] or (empty and ended != "emptied") or (war and ended != "civil_war") or state.roll:
        raise ValueError(f"ended: the game does not end like this: {ended}")
    if state.turn == CHANCE and (state.domains != (START, START) or state.completed):
        raise ValueError("turn: chance is to act before the first action only")
    if ended == "left":
        if winner is None:
            raise ValueError("winner: red or blue is needed where the other one left")
        outcome = facts.outcome(ended, _SEATS[winner])
    else:
        outcome = conclude(state.domains, state.turn, ended)
        right = None if ended in DRAWS else _NAMES[outcome.ranks.index(1)]
        if winner not in (None, right):
            raise ValueError(f"winner: {winner!r} has not won")
    return state._replace(outcome=outcome)
