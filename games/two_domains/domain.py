"""Everything about a single domain, the player who owns it: scenarios, order, legal actions (by `actions`).

A domain is a string of faces from Home to Front, such as `12336`. There are 9,325 of them besides the empty
one, and the facts about each are computed once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

from games.two_domains.actions import ARMY, CAPITAL, KING, VILLAGE, Action, legal_actions

Scenario: TypeAlias = Literal[
    "authority", "turmoil", "vigilance", "consensus", "dissonance", "civil_war", "endurance"
]


@dataclass(frozen=True, slots=True)
class Domain:
    """A line of dice, with everything the rules need to know about it."""

    dice: str
    size: int
    kings: int
    capitals: int
    vigilant: bool
    """Military Vigilance: the die at the Front is an army."""
    civil_war: bool
    """Two or more kings and two or more armies: its owner has lost."""
    ordered: str
    """The same dice in ascending order from Home."""
    scenarios: tuple[Scenario, ...]
    """The active ones; equal tuples are always the same object."""
    actions: tuple[Action, ...]
    """The owner's legal actions on their turn: growth from Home on, then the rest."""
    allowed: frozenset[str]
    """The texts of the same actions."""
    grown: tuple[str, ...]
    """By place, the dice after the one there has grown; unchanged if it can't, and at index 0."""


START: Final = VILLAGE * 5


@cache
def domain(dice: str) -> Domain:
    """Return the domain with these faces, at most five."""
    size, kings, capitals = len(dice), dice.count(KING), dice.count(CAPITAL)
    vigilant = dice.endswith(ARMY)
    civil_war = kings >= 2 and dice.count(ARMY) >= 2
    actions = legal_actions(dice)
    true: dict[Scenario, bool] = {
        "authority": kings == 1,
        "turmoil": kings >= 2,
        "vigilance": vigilant,
        "consensus": capitals == 1,
        "dissonance": capitals >= 2,
        "civil_war": civil_war,
        "endurance": size == 1,
    }
    return Domain(
        dice=dice,
        size=size,
        kings=kings,
        capitals=capitals,
        vigilant=vigilant,
        civil_war=civil_war,
        ordered="".join(sorted(dice)),
        scenarios=_interned(tuple(name for name, active in true.items() if active)),
        actions=actions,
        allowed=frozenset(action.text for action in actions),
        grown=tuple(_grown(dice, at) for at in range(size + 1)),
    )


@cache
def _interned(scenarios: tuple[Scenario, ...]) -> tuple[Scenario, ...]:
    return scenarios


def _grown(dice: str, at: int) -> str:
    if not at or dice[at - 1] in (KING, ARMY):
        return dice
    return f"{dice[: at - 1]}{int(dice[at - 1]) + 1}{dice[at:]}"
