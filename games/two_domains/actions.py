"""The actions of Two Domains: the four kinds of a player's, which of them are legal, and those of chance.

Each action is created once and shared; its text is its form in the log.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["grow", "gather", "mobilise", "battle", "roll", "first"]

DICE: Final = 5
"""Number of dice of a domain at the start, which is also the maximum."""

KING, VILLAGE, TOWN, CITY, CAPITAL, ARMY = "123456"
"""The six faces as characters; a die that shows 1 is a king."""


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


def legal_actions(dice: str) -> tuple[Action, ...]:
    """Return the legal actions of a domain's owner on their turn: growth from Home on, then the rest."""
    if len(dice) < 2:
        return ()  # there are no turns in Kingly Endurance
    kings, capitals = dice.count(KING), dice.count(CAPITAL)
    growing = {VILLAGE, TOWN}
    if not capitals:
        growing.add(CITY)
    if kings == 1:
        growing.add(CAPITAL)
    found = [GROW[at] for at, face in enumerate(dice, 1) if face in growing]
    found.append(GATHER)
    if list(dice) != sorted(dice):
        found.append(MOBILISE)
    if dice[-1] == ARMY and kings == 1 and capitals < 2:
        found.append(BATTLE)
    return tuple(found)


def decode(wire: str) -> Action:
    """Return the action with this text. Raises ValueError for anything else."""
    try:
        return _BY_TEXT[wire]
    except KeyError:
        raise ValueError(f"{wire!r} is not an action of Two Domains") from None
