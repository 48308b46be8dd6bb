"""The legal moves of each domain as row numbers: the rules of the game in the form of tables.

A domain is represented by `games.two_domains.value_table.domain_index`. The die at the Front is the last
digit, so that six domains which differ only there are adjacent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from games.two_domains.actions import CITY
from games.two_domains.domain import domain
from games.two_domains.rules import BATTLE_FAIL_FACE, BEATEN, CONVERTED
from games.two_domains.value_table import domain_index

FACES: Final = "123456"
FAIL: Final = str(BATTLE_FAIL_FACE)
REMOVED: Final = -1


def _targets(change: dict[str, str]) -> tuple[int, ...]:
    """Return, by the target's face counted from 0, the face it becomes, or REMOVED."""
    return tuple(domain_index(change[face]) if face in change else REMOVED for face in FACES)


BEATEN_TO: Final = _targets(BEATEN)
CONVERTED_TO: Final = _targets(CONVERTED)


@dataclass(frozen=True, slots=True)
class DomainMoves:
    """The moves of one domain's owner. Rows are indices of domains with the same number of dice."""

    row: int
    steps: tuple[int, ...]
    """The results of growth and mobilisation."""
    overrun: int | None
    """The result of a battle with Cultural Consensus, which has no roll; None if there is none."""
    clash: tuple[int, ...]
    """The results of a battle with a roll, the failure first; empty if there is none."""
    pledge: int | None
    """The domain without its Front, among those with one die less; None if battle is illegal."""


@dataclass(frozen=True, slots=True)
class GatherGroup:
    """Six domains that differ only at the Gathering Place, so that gathering leads from each to all six."""

    rows: tuple[int, ...]
    moves: tuple[DomainMoves, ...]
    """The moves of those domains that are not in Civil War."""


@cache
def groups(dice: int) -> tuple[GatherGroup, ...]:
    """Return the groups of all domains with this many dice, at least two."""
    found = []
    for home, *rest in product(FACES, repeat=dice - 1):
        six = [f"{home}{face}{''.join(rest)}" for face in FACES]
        moves = tuple(_domain_moves(dice) for dice in six if not domain(dice).civil_war)
        found.append(GatherGroup(tuple(map(domain_index, six)), moves))
    return tuple(found)


@cache
def in_civil_war(dice: int) -> tuple[int, ...]:
    """Return the indices of the domains in Civil War."""
    return tuple(
        domain_index(text) for text in map("".join, product(FACES, repeat=dice)) if domain(text).civil_war
    )


def _domain_moves(dice: str) -> DomainMoves:
    own = domain(dice)
    steps = {domain_index(own.grown[action.n]) for action in own.actions if action.kind == "grow"}
    if "mobilise" in own.allowed:
        steps.add(domain_index(own.ordered))
    battle = "battle" in own.allowed
    line = dice[:-1]
    rolls = (FAIL, *FACES.replace(FAIL, ""))
    return DomainMoves(
        domain_index(dice),
        tuple(sorted(steps)),
        domain_index(line + CITY) if battle and own.capitals else None,
        tuple(domain_index(line + face) for face in rolls) if battle and not own.capitals else (),
        (domain_index(line) if len(line) > 1 else 0) if battle else None,
    )
