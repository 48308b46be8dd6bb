"""What each domain may become by its owner's action, as row numbers: the game's rules in the form of tables.

A domain is its place among those with as many dice (`games.two_domains.table.place`). The die at the Front is
the last digit, so that the domains which differ there only lie side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from games.two_domains.domain import CITY, domain
from games.two_domains.rules import BATTLE_FAIL_FACE, BEATEN, CONVERTED
from games.two_domains.table import place

FACES: Final = "123456"
FAIL: Final = str(BATTLE_FAIL_FACE)
REMOVED: Final = -1


def _targets(change: dict[str, str]) -> tuple[int, ...]:
    """Return, by the target's face counted from 0, the face it gets, or REMOVED."""
    return tuple(place(change[face]) if face in change else REMOVED for face in FACES)


BEATEN_TO: Final = _targets(BEATEN)
CONVERTED_TO: Final = _targets(CONVERTED)


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of one domain's owner. Rows are places of domains with as many dice as it has."""

    row: int
    steps: tuple[int, ...]
    """Where growth and mobilisation lead."""
    overrun: int | None
    """What it becomes in a battle with Cultural Consensus, without a roll."""
    clash: tuple[int, ...]
    """What it becomes in a battle with a roll, the failure first; empty where there is none."""
    pledge: int | None
    """Where a battle is allowed: the domain without its Front, among those with one die less."""


@dataclass(frozen=True, slots=True)
class Group:
    """Six domains that differ at the Gathering Place only: gathering leads all of them to the same six."""

    rows: tuple[int, ...]
    plans: tuple[Plan, ...]
    """Of those that are not in Civil War."""


@cache
def groups(dice: int) -> tuple[Group, ...]:
    """Return all domains with this many dice, at least two."""
    found = []
    for home, *rest in product(FACES, repeat=dice - 1):
        six = [f"{home}{face}{''.join(rest)}" for face in FACES]
        plans = tuple(_plan(dice) for dice in six if not domain(dice).civil_war)
        found.append(Group(tuple(map(place, six)), plans))
    return tuple(found)


@cache
def at_war(dice: int) -> tuple[int, ...]:
    """Return the places of the domains in Civil War."""
    return tuple(place(text) for text in map("".join, product(FACES, repeat=dice)) if domain(text).civil_war)


def _plan(dice: str) -> Plan:
    own = domain(dice)
    steps = {place(own.grown[action.n]) for action in own.actions if action.kind == "grow"}
    if "mobilise" in own.allowed:
        steps.add(place(own.ordered))
    battle = "battle" in own.allowed
    line = dice[:-1]
    rolls = (FAIL, *FACES.replace(FAIL, ""))
    return Plan(
        place(dice),
        tuple(sorted(steps)),
        place(line + CITY) if battle and own.capitals else None,
        tuple(place(line + face) for face in rolls) if battle and not own.capitals else (),
        (place(line) if len(line) > 1 else 0) if battle else None,
    )
