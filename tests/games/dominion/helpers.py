"""Short notation for positions and actions, and random actions."""

from __future__ import annotations

from random import Random
from typing import Any

from games.dominion import actions, fate, judge, position_json, turns
from games.dominion.actions import NO, Action
from games.dominion.board import DEFAULT_SERGEANTS, INDEX, NAMES
from games.dominion.moves import targets
from games.dominion.position import (
    LETTERS,
    VERSION,
    Law,
    Position,
    State,
    kind_of,
    owner,
    relation_table,
    sides_of,
)
from games.engine.game import CHANCE, Fact, Seat, Step
from games.engine.message import Msg

N, S = 0, 1
"""The seats of a match for two."""


def lawful(
    seats: int = 2, empty: str = "west", allied: bool = False, rules: int = VERSION, **options: Any
) -> Law:
    """Return a law as printed, except for the given options."""
    camps = [0, 1, 0, 1] if allied else list(range(seats))
    return position_json.read_law({"sides": list(sides_of(seats, empty)), "camps": camps, **options}, rules)


def position(turn: int = S, free: str = "", law: Law | None = None, **more: Any) -> State:
    """A position with `p0="Eg13 Se11"` and so on; Emperors stand in corners if nothing is said of them.

    Everything else is passed on to `position_json.load`.
    """
    law = law or lawful()
    pieces: dict[str, Any] = {"free": free.split()}
    out = more.get("out", [])
    pending = more.get("pending", [])
    corners = ("a13", "m13", "m1", "a1")
    for seat, side in enumerate(law.sides):
        row = more.pop(f"p{seat}", "").split()
        if seat not in out and seat not in pending and not any(text[0] == "E" for text in row):
            row.append(f"E{corners[side]}")
        pieces[str(seat)] = row
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in law._asdict().items()}
    del plain["rules"]
    return position_json.load({"law": plain, "pieces": pieces, "turn": turn, **more}, law.rules)


def at(state: State, square: str) -> str:
    """Return the piece on a square: `1S` a Soldier of seat 1, `p` a free Peasant, empty if there is none."""
    code = state.position.board[INDEX[square]]
    seat = owner(code)
    return f"{seat if seat >= 0 else ''}{LETTERS[kind_of(code)]}".strip()


def reach(state: State, square: str) -> set[str]:
    """Return where the piece on a square may go."""
    place, src = state.position, INDEX[square]
    seat = owner(place.board[src])
    return {
        NAMES[to]
        for to in targets(place.board, place.control, relation_table(place.law.camps, seat), seat, src)
    }


def squares(text: str) -> set[str]:
    """Return the names in a text."""
    return set(text.split())


def act(state: State, wire: str) -> State:
    """Apply an action in its wire form for the seat that is to act."""
    return step(state, wire).state


def step(state: State, wire: str) -> Step[State]:
    """Apply an action; return the facts too."""
    (seat,) = judge.to_act(state.position)
    action = actions.decode(wire)
    assert judge.refuse(state.position, seat, action) is None, wire
    return turns.play(state, seat, action)


def why(state: State, wire: str, seat: int | None = None) -> str:
    """Return the key of a refusal and, after a blank, that of its reason."""
    if seat is None:
        (seat,) = judge.to_act(state.position)
    said = judge.refuse(state.position, seat, actions.decode(wire))
    assert said is not None, wire
    reason = dict(said.values).get("why")
    return said.key.removeprefix("dominion.") + (
        f" {reason.key.removeprefix('dominion.')}" if isinstance(reason, Msg) else ""
    )


def keys(facts: tuple[Fact, ...]) -> list[str]:
    """Return the keys of facts."""
    return [fact.msg.key.removeprefix("dominion.fact.") for fact in facts]


def ready(law: Law, first: int = 0) -> State:
    """Return the state at the first turn, with the default Sergeants."""
    state = turns.begin(law)
    seats = len(law.sides)
    if state.position.phase == "throw":
        state = act(state, "throw " + ",".join("6" if seat == first else "1" for seat in range(seats)))
    for seat, side in enumerate(law.sides):
        pair = actions.sergeants(*DEFAULT_SERGEANTS[side])
        assert judge.refuse(state.position, seat, pair) is None
        state = turns.play(state, seat, pair).state
    return state


def chance(place: Position, rng: Random) -> Action:
    """Draw the throw that is due from the test's own generator."""
    if place.phase == "throw":
        living = place.living()
        return actions.throw((tuple(6 if seat == living[-1] else rng.randint(1, 5) for seat in living),))
    kindly = place.phase == "succession" and place.law.succession == "kind"
    if not kindly and rng.randrange(place.law.fate):
        return actions.FATE[NO]
    return actions.FATE[rng.choice(fate.faces(place.law))]


def any_action(state: State, rng: Random) -> tuple[Seat, Action]:
    """Return a random legal action with its seat."""
    place = state.position
    seat = rng.choice(sorted(judge.to_act(place)))
    if seat == CHANCE:
        return seat, chance(place, rng)
    return seat, rng.choice(judge.legal(place, seat))
