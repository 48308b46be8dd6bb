"""Tables of the search state of Dominion: numbers of moves, sets of squares, hashes, values of places.

A move from a square to another is `src * 169 + dst`. Sets of squares are integers with a bit for each. What a
unit's place is worth depends on where the Emperors stand, but only roughly: the board is divided into nine
zones, and all that counts is the middle of an Emperor's zone. So the values of all places are in
rows by kind and square, which change only when an Emperor comes to another zone or a Territory changes hands.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from games.dominion.actions import FATE, MOVES, PASS, PEASANTS, STAY, Action, change_rank
from games.dominion.board import (
    ALL_STRONGHOLDS,
    NEIGHBOURS,
    SIZE,
    SQUARES,
    TERRITORIES,
    WIDTH,
    distance,
    territory_square,
)
from games.dominion.position import (
    ADMIRAL,
    ASSASSIN,
    EMPEROR,
    GENERAL,
    PEASANT,
    PRINCE,
    SERGEANT,
    SOLDIER,
    WARRIOR,
    Phase,
)
from games.dominion.search.weights import PRESS, WEIGHTS, Weight
from games.engine.search import MOVE_BITS, hash_words

COUNT: Final = len(SQUARES)
_KINDS: Final = 16
PASS_MOVE: Final = COUNT * COUNT
STAY_MOVE: Final = PASS_MOVE + 1
FATE_BASE: Final = STAY_MOVE + 2
"""The draw of Fate's number 0; that of `no` is one less."""
PEASANT_BASE: Final = FATE_BASE + 7
"""The first of the moves that place a Peasant, one for each square."""
PROMOTE_BASE: Final = PEASANT_BASE + COUNT
DEMOTE_BASE: Final = PROMOTE_BASE + COUNT * _KINDS
"""The first promotion and demotion: add `square * 16 + new kind`."""

PHASES: Final[tuple[Phase, ...]] = (
    "move", "fate", "succession", "heir", "over",
    "demote_upper", "demote_lower", "peasant", "promote_lower", "promote_upper",
)  # fmt: skip
MOVE, FATE_DUE, SUCCESSION, HEIR, ENDED = range(5)
"""Indices of PHASES; those behind are Fate's questions."""


def number_of(action: Action) -> int:
    """Return the number of an action. Raises ValueError for one that a search never meets."""
    match action.kind:
        case "move":
            return action.a * COUNT + action.b
        case "pass":
            return PASS_MOVE
        case "stay":
            return STAY_MOVE
        case "fate":
            return FATE_BASE + action.a
        case "peasant":
            return PEASANT_BASE + action.a
        case "promote":
            return PROMOTE_BASE + action.a * _KINDS + action.b
        case "demote":
            return DEMOTE_BASE + action.a * _KINDS + action.b
        case _:
            raise ValueError(f"{action.text} isn't searched")


def action_of(move: int) -> Action:
    """Return the action of a number."""
    if move < PASS_MOVE:
        return MOVES[move // COUNT][move % COUNT]
    if move >= PROMOTE_BASE:
        rises = move < DEMOTE_BASE
        at, new = divmod(move - (PROMOTE_BASE if rises else DEMOTE_BASE), _KINDS)
        return change_rank("promote" if rises else "demote", at, new)
    if move >= PEASANT_BASE:
        return PEASANTS[move - PEASANT_BASE]
    if move >= FATE_BASE - 1:
        return FATE[move - FATE_BASE]
    return PASS if move == PASS_MOVE else STAY


# --- sets of squares -------------------------------------------------------------------------------------

BIT: Final = tuple(1 << at for at in SQUARES)
NEAR: Final = tuple(sum(BIT[beside] for beside in NEIGHBOURS[at]) for at in SQUARES)
"""The squares beside each square."""
_NEVER: Final = 1 << COUNT
RING: Final = tuple(NEAR[at] if len(NEIGHBOURS[at]) == 8 else _NEVER for at in SQUARES)
"""The eight squares around each; at the edge a set that is never full."""
STRONG: Final = sum(BIT[at] for at in ALL_STRONGHOLDS)
LAND: Final = tuple(sum(BIT[at] for at in inside) for inside in TERRITORIES)
"""The squares of each Territory."""

# --- hashes ----------------------------------------------------------------------------------------------

_CODES: Final = 5 * 16
(_WORDS,) = hash_words("dominion", _CODES * COUNT + 64)
PIECE_HASH: Final = tuple(
    (0,) * COUNT if code == 0 else _WORDS[code * COUNT : (code + 1) * COUNT] for code in range(_CODES)
)
"""By piece and square; 0 for no piece."""
TURN_HASH: Final = _WORDS[_CODES * COUNT :][:4]
PHASE_HASH: Final = _WORDS[_CODES * COUNT + 4 :][: len(PHASES)]
PENDING_HASH: Final = _WORDS[_CODES * COUNT + 16 :][:4]
LATE_HASH: Final = _WORDS[_CODES * COUNT + 20 :][:4]
RETURN_HASH: Final = _WORDS[_CODES * COUNT + 24]

# --- values ----------------------------------------------------------------------------------------------

Row: TypeAlias = tuple[int, ...]
Rows: TypeAlias = tuple[Row, ...]
"""By kind and square: the value of the place, shifted by MOVE_BITS."""
MATERIAL_NAMES: Final[tuple[Weight, ...]] = (
    "prince", "general", "admiral", "warrior", "assassin", "sergeant", "soldier", "recruit"
)  # fmt: skip
"""The features of material, by kind from the Prince on."""
MATERIAL: Final = (0, 0, *(WEIGHTS[name] for name in MATERIAL_NAMES), *(0 for _ in range(6)))
"""By kind; an Emperor counts nothing, since a team without one is out."""
_MIDDLES: Final = (2, 2, 2, 2, 6, 6, 6, 6, 6, 10, 10, 10, 10)
ZONE: Final = tuple(_MIDDLES[at // SIZE] * SIZE + _MIDDLES[at % SIZE] for at in SQUARES)
"""The square in the middle of each square's zone."""
NO_ZONE: Final = -1
_CENTRE: Final = 6 * SIZE + 6
_UPPER: Final = (PRINCE, GENERAL, ADMIRAL, WARRIOR, ASSASSIN)
_ARMY: Final = (*_UPPER, SERGEANT, SOLDIER)
_HUNTS: Final[tuple[Weight, ...]] = ("hunt_upper", "hunt_lower")
_GUARDED_STEPS: Final = 2
_LONGEST_WAY: Final = 8
"""Steps beyond which the way home of a Recruited Peasant doesn't count: it is never worth less than none."""
_BACK: Final = tuple(
    tuple(min(distance(at, territory_square(side, x, 0)) for x in range(WIDTH)) for at in SQUARES)
    for side in range(4)
)
"""Steps from the back edge of each Territory."""
_TO_LAND: Final = tuple(
    tuple(min(distance(at, inside) for inside in TERRITORIES[side]) for at in SQUARES) for side in range(4)
)
PLACES: Final[tuple[Weight, ...]] = (
    "stronghold", "guard", "hunt_upper", "hunt_lower", "centre", "exposed", "way_home"
)  # fmt: skip
"""The features of places."""


class Standing(NamedTuple):
    """What the value of a team's places depends on."""

    side: int
    throne: int
    """The zone of its own Emperor, NO_ZONE without one."""
    prey: tuple[int, ...]
    """The zones of its enemies' Emperors."""
    held: int
    """The set of Territories that it controls."""
    force: int = 0
    """How much it presses."""


def place_features(standing: Standing, kind: int, at: int) -> dict[Weight, int]:
    """Return the features of a unit's place."""
    found: dict[Weight, int] = {}
    if kind == EMPEROR:
        found["exposed"] = _BACK[standing.side][at]
    elif kind == PEASANT:
        ways = (_TO_LAND[n][at] for n in range(4) if standing.held >> n & 1)
        found["way_home"] = min(_LONGEST_WAY, *ways, _LONGEST_WAY)
    elif kind in _ARMY:
        hunt: Weight = "hunt_upper" if kind in _UPPER else "hunt_lower"
        found[hunt] = min((distance(at, zone) for zone in standing.prey), default=0)
        if STRONG >> at & 1:
            found["stronghold"] = 1
        if standing.throne != NO_ZONE and distance(at, standing.throne) <= _GUARDED_STEPS:
            found["guard"] = 1
        if kind in (PRINCE, ADMIRAL, WARRIOR):
            found["centre"] = distance(at, _CENTRE)
    return found


@lru_cache(maxsize=4096)
def all_rows(
    sides: tuple[int, ...],
    teams: tuple[int, ...],
    zones: tuple[int, ...],
    control: tuple[int, ...],
    forces: tuple[int, ...],
) -> tuple[Rows, ...]:
    """Return the values of places by seat; `zones` are the Emperors', `control` is by Territory.

    `forces` is how much each seat presses.
    """
    return tuple(
        get_rows(find_standing(side, seat, teams, zones, control)._replace(force=forces[seat]))
        for seat, side in enumerate(sides)
    )


def find_standing(
    side: int, seat: int, teams: tuple[int, ...], zones: tuple[int, ...], control: tuple[int, ...]
) -> Standing:
    """Return what the value of a seat's places depends on."""
    prey = {zone for other, zone in enumerate(zones) if teams[other] != teams[seat] and zone != NO_ZONE}
    held = sum(1 << n for n, holder in enumerate(control) if holder == seat)
    return Standing(side, zones[seat], tuple(sorted(prey)), held)


@lru_cache(maxsize=1024)
def get_rows(standing: Standing) -> Rows:
    """Return the values of all places of a team."""
    weights = dict(WEIGHTS)
    for hunt in _HUNTS:
        weights[hunt] = round(WEIGHTS[hunt] * (1 + PRESS * standing.force))
    return tuple(
        tuple(
            sum(weights[name] * n for name, n in place_features(standing, kind, at).items()) << MOVE_BITS
            for at in SQUARES
        )
        for kind in range(PEASANT + 1)
    )
