"""The actions of Dominance: spawn a piece, or move one to a neighbouring space.

Whether that is an attack follows from the position and is never stated. Possible actions are created once and
shared, with the bits of their spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, TypeVar

from games.dominance.board import BIT, BOARDS, NAME, PLANS, SPACES, Board, iter_bits


@dataclass(frozen=True, slots=True)
class Spawn:
    """Put a piece from the pool on a spawn space."""

    target: str
    text: str = field(init=False, compare=False, repr=False)
    dst: int = field(init=False, compare=False, repr=False)
    """Bit of the space; 0 if no board has it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", f"+{self.target}")
        object.__setattr__(self, "dst", BIT.get(self.target, 0))


@dataclass(frozen=True, slots=True)
class Move:
    """Move a piece to another space."""

    source: str
    target: str
    text: str = field(init=False, compare=False, repr=False)
    src: int = field(init=False, compare=False, repr=False)
    """Bit of the source; 0 if no board has it."""
    dst: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", f"{self.source}-{self.target}")
        object.__setattr__(self, "src", BIT.get(self.source, 0))
        object.__setattr__(self, "dst", BIT.get(self.target, 0))


Action: TypeAlias = Spawn | Move
A = TypeVar("A")

SPAWN: Final = {space: Spawn(space) for space in SPACES if any(space in p.spawns for p in PLANS.values())}
"""Every spawn that any board allows, by target."""
MOVE: Final = {
    (a, b): Move(a, b)
    for a in SPACES
    for b in SPACES
    if any(b in plan.adjacent.get(a, ()) for plan in PLANS.values())
}
"""Every move that any board allows, by source and target."""


class _BySet(dict[int, tuple[A, ...]]):
    """A cache of actions by the set of their targets."""

    def __init__(self, to: Callable[[str], A]) -> None:
        super().__init__()
        self._to = to

    def __missing__(self, targets: int) -> tuple[A, ...]:
        found = self[targets] = tuple(self._to(NAME[target]) for target in iter_bits(targets))
        return found


MovesOf: TypeAlias = Mapping[int, tuple[int, _BySet[Move]]]


def moves_of(board: Board) -> MovesOf:
    """Return for each space its neighbours, and the moves to any subset of them (at most 2^8)."""
    return {
        space: (neighbours, _BySet(partial(move, NAME[space])))
        for space, neighbours in board.neighbours.items()
    }


def move(source: str, target: str) -> Move:
    """Return the move between two spaces, legal or not."""
    return MOVE.get((source, target)) or Move(source, target)


def spawn(target: str) -> Spawn:
    """Return the spawn on a space, legal or not."""
    return SPAWN.get(target) or Spawn(target)


MOVES: Final[dict[str, MovesOf]] = {key: moves_of(board) for key, board in BOARDS.items()}
"""The moves of each board by its key."""
SPAWNS: Final = _BySet(spawn)


def decode(wire: str) -> Action:
    """Return the action written as `+a1` or `c3-d4`. Raises ValueError for anything else."""
    if wire[:1] == "+" and wire[1:] in SPAWN:
        return SPAWN[wire[1:]]
    source, dash, target = wire.partition("-")
    if dash and (source, target) in MOVE:
        return MOVE[source, target]
    raise ValueError(f"{wire!r} is not an action of Dominance")
