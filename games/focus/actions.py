"""The actions of Focus: move pieces, play one from the reserve; and chance chooses the first player.

Distance and number of pieces are always equal, so that two spaces determine a move. Possible moves are
created once and shared, with everything that is derived from their spaces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from games.engine import grid
from games.focus.board import INDEX, MAX_HEIGHT, SPACES, straight_distance


@dataclass(frozen=True, slots=True)
class Move:
    """Move as many pieces as there are steps from source to target."""

    source: str
    target: str
    text: str = field(init=False, compare=False, repr=False)
    src: int = field(init=False, compare=False, repr=False)
    """Index of the source, -1 if there is no such space."""
    dst: int = field(init=False, compare=False, repr=False)
    count: int = field(init=False, compare=False, repr=False)
    """Number of steps and of pieces; 0 if the spaces are equal or not in one line."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", f"{self.source}-{self.target}")
        object.__setattr__(self, "src", INDEX.get(self.source, -1))
        object.__setattr__(self, "dst", INDEX.get(self.target, -1))
        object.__setattr__(self, "count", straight_distance(self.source, self.target))


@dataclass(frozen=True, slots=True)
class Reserve:
    """Play a piece from the reserve; with three players, also how the first turn places the 13th piece."""

    target: str
    text: str = field(init=False, compare=False, repr=False)
    dst: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", f"+{self.target}")
        object.__setattr__(self, "dst", INDEX.get(self.target, -1))


@dataclass(frozen=True, slots=True)
class FirstPlayer:
    """Chance chooses the seat that plays first."""

    seat: int

    @property
    def text(self) -> str:
        """The action as written in the log."""
        return f"first {self.seat}"


Action: TypeAlias = Move | Reserve | FirstPlayer


def _moves(space: str, height: int) -> tuple[Move, ...]:
    rays = [grid.ray(space, direction, frozenset(SPACES))[:height] for direction in grid.DIRECTIONS]
    return tuple(MOVE[space, target] for ray in rays for target in ray)


MOVE: Final = {
    (a, b): Move(a, b) for a in SPACES for b in SPACES if 0 < straight_distance(a, b) <= MAX_HEIGHT
}
"""Every move that some pile could make, by source and target."""
MOVES: Final = tuple(tuple(_moves(space, height) for height in range(MAX_HEIGHT + 1)) for space in SPACES)
"""The moves of a pile by the index of its space and its height: to the north, east, south and west."""
RESERVES: Final = tuple(Reserve(space) for space in SPACES)
"""Every reserve move, in the order of the spaces."""


def move(source: str, target: str) -> Move:
    """Return the move between two spaces, legal or not."""
    return MOVE.get((source, target)) or Move(source, target)


def reserve(target: str) -> Reserve:
    """Return the reserve move to a space, whether it exists or not."""
    index = INDEX.get(target, -1)
    return RESERVES[index] if index >= 0 else Reserve(target)


def decode(wire: str) -> Action:
    """Return the action written as `e4-e6`, `+c4` or `first 1`. Raises ValueError for anything else."""
    if wire[:1] == "+" and wire[1:] in INDEX:
        return RESERVES[INDEX[wire[1:]]]
    source, dash, target = wire.partition("-")
    if dash and (source, target) in MOVE:
        return MOVE[source, target]
    if wire in _FIRST:
        return _FIRST[wire]
    raise ValueError(f"{wire!r} is not an action of Focus")


_FIRST: Final = {first.text: first for first in map(FirstPlayer, range(4))}
