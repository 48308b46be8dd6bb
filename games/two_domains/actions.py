"""The actions of Two Domains: the four kinds of a player's actions, and those of chance.

Each is created once and shared; its text is its form in the log.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["grow", "gather", "mobilise", "battle", "roll", "first"]

DICE: Final = 5
"""Number of dice of a domain at the start, which is also the maximum."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action; `n` is the place of the die that grows (1 is Home), the face rolled, or the first seat."""

    kind: Kind
    n: int = -1
    text: str = field(init=False, compare=False, repr=False)
    """The form in the log: `grow 3`, `gather`, `roll 4`, `first 1`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.kind if self.n < 0 else f"{self.kind} {self.n}")


GROW: Final = {at: Action("grow", at) for at in range(1, DICE + 1)}
GATHER: Final = Action("gather")
MOBILISE: Final = Action("mobilise")
BATTLE: Final = Action("battle")
ROLLS: Final = tuple(Action("roll", face) for face in range(1, 7))
"""The six rolls of a die, all equally likely."""
FIRST: Final = tuple(Action("first", seat) for seat in range(2))
"""The choices of the first seat, both equally likely."""

_BY_TEXT: Final = {
    action.text: action for action in (*GROW.values(), GATHER, MOBILISE, BATTLE, *ROLLS, *FIRST)
}


def decode(wire: str) -> Action:
    """Return the action with this text. Raises ValueError for anything else."""
    try:
        return _BY_TEXT[wire]
    except KeyError:
        raise ValueError(f"{wire!r} is not an action of Two Domains") from None
