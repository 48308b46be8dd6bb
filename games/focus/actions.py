"""What a player of Focus can do: move pieces, play one from the reserve; and chance names who begins.

Distance and number of pieces are always equal, so that two spaces say everything about a move. There is
one object for each of the possible moves; what is derived from the spaces is computed once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from games.engine import grid
from games.focus.board import INDEX, SPACES, TALLEST, between


@dataclass(frozen=True, slots=True)
class Move:
    """Lift as many pieces as there are steps from source to target, and put them there."""

    source: str
    target: str
    text: str = field(init=False, compare=False, repr=False)
    src: int = field(init=False, compare=False, repr=False)
    """Index of the source, -1 if there is no such space."""
    dst: int = field(init=False, compare=False, repr=False)
    count: int = field(init=False, compare=False, repr=False)
    """Steps, which is pieces; 0 if the spaces are not in one line, or the same."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", f"{self.source}-{self.target}")
        object.__setattr__(self, "src", INDEX.get(self.source, -1))
        object.__setattr__(self, "dst", INDEX.get(self.target, -1))
        object.__setattr__(self, "count", between(self.source, self.target))


@dataclass(frozen=True, slots=True)
class Reserve:
    """Play a piece from the reserve; with three players the first turn places the 13th piece like this."""

    target: str
    text: str = field(init=False, compare=False, repr=False)
    dst: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", f"+{self.target}")
        object.__setattr__(self, "dst", INDEX.get(self.target, -1))


@dataclass(frozen=True, slots=True)
class First:
    """Chance names the seat that plays first."""

    seat: int

    @property
    def text(self) -> str:
        """As the log has it."""
        return f"first {self.seat}"


Action: TypeAlias = Move | Reserve | First


def _moves(space: str, height: int) -> tuple[Move, ...]:
    rays = [grid.ray(space, direction, frozenset(SPACES))[:height] for direction in grid.DIRECTIONS]
    return tuple(MOVE[space, target] for ray in rays for target in ray)


MOVE: Final = {(a, b): Move(a, b) for a in SPACES for b in SPACES if 0 < between(a, b) <= TALLEST}
"""Every move that some pile could make, by source and target."""
MOVES: Final = tuple(tuple(_moves(space, height) for height in range(TALLEST + 1)) for space in SPACES)
"""By index of the space and height of the pile: its moves to the north, east, south and west."""
RESERVES: Final = tuple(Reserve(space) for space in SPACES)
"""Every reserve move, in the order of the spaces."""


def move(source: str, target: str) -> Move:
    """The move between two spaces, be it possible or not."""
    return MOVE.get((source, target)) or Move(source, target)


def reserve(target: str) -> Reserve:
    """The reserve move to a space, be there such a space or not."""
    index = INDEX.get(target, -1)
    return RESERVES[index] if index >= 0 else Reserve(target)


def decode(wire: str) -> Action:
    """Read what the log has: `e4-e6`, `+c4` or `first 1`. Raises ValueError for anything else."""
    if wire[:1] == "+" and wire[1:] in INDEX:
        return RESERVES[INDEX[wire[1:]]]
    source, dash, target = wire.partition("-")
    if dash and (source, target) in MOVE:
        return MOVE[source, target]
    if wire in _FIRST:
        return _FIRST[wire]
    raise ValueError(f"{wire!r} is not an action of Focus")


_FIRST: Final = {first.text: first for first in map(First, range(4))}
