"""What can happen in Two Domains: the four actions of a player, and what chance does.

There is one object for each of them, and its text is what the log has.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["grow", "gather", "mobilise", "battle", "roll", "first"]

DICE: Final = 5
"""Dice of a domain at the start, and never more."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action; `n` is the die that grows (1 is Home), the face rolled, or the seat that plays first."""

    kind: Kind
    n: int = -1
    text: str = field(init=False, compare=False, repr=False)
    """As the log has it: `grow 3`, `gather`, `roll 4`, `first 1`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.kind if self.n < 0 else f"{self.kind} {self.n}")


GROW: Final = {at: Action("grow", at) for at in range(1, DICE + 1)}
GATHER: Final = Action("gather")
MOBILISE: Final = Action("mobilise")
BATTLE: Final = Action("battle")
ROLLS: Final = tuple(Action("roll", face) for face in range(1, 7))
"""What a die can show, all equally likely."""
FIRST: Final = tuple(Action("first", seat) for seat in range(2))
"""Who may play first, both equally likely."""

_BY_TEXT: Final = {
    action.text: action for action in (*GROW.values(), GATHER, MOBILISE, BATTLE, *ROLLS, *FIRST)
}


def decode(wire: str) -> Action:
    """Read what the log has. Raises ValueError for anything else."""
    try:
        return _BY_TEXT[wire]
    except KeyError:
        raise ValueError(f"{wire!r} is not an action of Two Domains") from None
