"""The actions of players and of chance in Dominion, and the lines by which the log writes them.

There is one move object for each pair of squares; whether it is a step, a swap or an elimination follows from
the position.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from games.dominion.board import INDEX, NAMES, SQUARES
from games.dominion.position import LETTERS, PEASANT, PRINCE

Kind: TypeAlias = Literal[
    "move", "pass", "stay", "sergeants", "promote", "demote", "peasant", "throw", "fate"
]
NO: Final = -1
"""Fate's answer `no`."""
MAX_THROW_ROUNDS: Final = 1000
"""Maximum number of rounds of the starting throw that a line of the log may hold."""


class Action(NamedTuple):
    """One decision; `text` is its line in the log and determines the rest.

    a, b: the squares of a move or of two Sergeants; the square and the new kind of a promotion or demotion;
    the square of a Peasant; Fate's answer, NO or 0 to 6.
    """

    kind: Kind
    a: int
    b: int
    rounds: tuple[tuple[int, ...], ...]
    """The starting throw: the numbers of the teams that still take part, round by round."""
    text: str


def _action(kind: Kind, a: int, b: int, text: str) -> Action:
    return Action(kind, a, b, (), text)


MOVES: Final = tuple(tuple(_action("move", a, b, f"{NAMES[a]}-{NAMES[b]}") for b in SQUARES) for a in SQUARES)
"""The move from each square to each other; those from a square to itself are never used."""
PASS: Final = _action("pass", 0, 0, "pass")
STAY: Final = _action("stay", 0, 0, "stay")
PEASANTS: Final = tuple(_action("peasant", at, 0, f"peasant {NAMES[at]}") for at in SQUARES)
FATE: Final = {n: _action("fate", n, 0, f"fate {'no' if n == NO else n}") for n in range(-1, 7)}


def sergeants(a: int, b: int) -> Action:
    """Return the promotion of two Soldiers before the first move, lower square first."""
    a, b = min(a, b), max(a, b)
    return _action("sergeants", a, b, f"sergeants {NAMES[a]} {NAMES[b]}")


@cache
def change_rank(kind: Literal["promote", "demote"], at: int, new: int) -> Action:
    """Return the promotion or demotion of the unit on a square to a new kind."""
    return _action(kind, at, new, f"{kind} {NAMES[at]}={LETTERS[new]}")


def throw(rounds: tuple[tuple[int, ...], ...]) -> Action:
    """Return the starting throw with its re-throws."""
    text = "/".join(",".join(map(str, each)) for each in rounds)
    return Action("throw", 0, 0, rounds, f"throw {text}")


def decode(wire: str) -> Action:
    """Return the action of a line of the log. Raises ValueError for anything else."""
    action = _read(wire)
    if action is None or action.text != wire:
        raise ValueError(f"{wire!r} isn't an action of Dominion")
    return action


_FIXED: Final = {action.text: action for action in (PASS, STAY, *PEASANTS, *FATE.values())}


def _read(wire: str) -> Action | None:
    if wire in _FIXED:
        return _FIXED[wire]
    match wire.split(" "):
        case ["sergeants", a, b] if a in INDEX and b in INDEX and a != b:
            return sergeants(INDEX[a], INDEX[b])
        case ["throw", rounds]:
            return _read_throw(rounds)
        case [("promote" | "demote") as kind, made]:
            at, _, letter = made.partition("=")
            new = LETTERS.find(letter) if len(letter) == 1 else 0
            if at in INDEX and PRINCE <= new < PEASANT:
                return change_rank("promote" if kind == "promote" else "demote", INDEX[at], new)
        case [step]:
            a, _, b = step.partition("-")
            if a in INDEX and b in INDEX and a != b:
                return MOVES[INDEX[a]][INDEX[b]]
        case _:
            pass
    return None


def _read_throw(text: str) -> Action | None:
    rounds = text.split("/")
    faces = [each.split(",") for each in rounds]
    if len(rounds) > MAX_THROW_ROUNDS or any(face not in tuple("0123456") for each in faces for face in each):
        return None
    return throw(tuple(tuple(map(int, each)) for each in faces))
