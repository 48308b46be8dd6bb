"""Fate: the possible throws, the units it may promote or demote, the squares for a new Peasant.

Units on neutral land or in a Territory that their camp controls at the throw are eligible. No kind exceeds
its limit: a promotion then isn't possible, a demotion goes further down.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress, pairwise, product
from typing import Final, Literal

from games.dominion.actions import FATE, NO, PEASANTS, Action, change_rank, throw
from games.dominion.board import (
    CIRCLE,
    CIRCLE_POINTS,
    INDEX,
    OPPOSITE_NEIGHBOURS,
    SQUARES,
    TERRITORY_OF,
    distance,
)
from games.dominion.endings import WORTH
from games.dominion.position import (
    ADMIRAL,
    ASSASSIN,
    EMPEROR,
    GENERAL,
    LOWER,
    NOBODY,
    OWNED,
    PEASANT,
    PRINCE,
    SERGEANT,
    SOLDIER,
    UPPER,
    WARRIOR,
    Law,
    Phase,
    Position,
    owner,
    piece,
    territory_controller,
)
from games.engine.dice import Dice

STICK_COUNT: Final = 6
_LIMITS: Final = (
    *(((EMPEROR,), 1), ((PRINCE,), 1), ((GENERAL,), 2), ((ADMIRAL,), 2)),
    *(((WARRIOR, ASSASSIN), 4), ((SERGEANT,), 3)),
)
"""Maximum numbers of a team's units, of one kind or of two together."""
CHOICE_BY_STICKS: Final[dict[int, Phase]] = {
    1: "demote_upper",
    2: "demote_lower",
    3: "peasant",
    5: "promote_lower",
    6: "promote_upper",
}
"""The phase that each number of the sticks leads to; 0 and 4 change nothing."""
CHOICE_PHASES: Final = frozenset(CHOICE_BY_STICKS.values())
"""The phases in which a seat answers Fate."""
_SENIORITY: Final = (PRINCE, GENERAL, ADMIRAL, ASSASSIN, WARRIOR, SERGEANT, SOLDIER)
"""The kinds, the most advanced first."""


def _count(board: bytes, seat: int, kinds: tuple[int, ...]) -> int:
    return sum(board.count(piece(seat, kind)) for kind in kinds)


def has_room(board: bytes, seat: int, kind: int) -> bool:
    """Return whether a team may have one more of a kind; Soldiers have no limit."""
    return all(_count(board, seat, kinds) < most for kinds, most in _LIMITS if kind in kinds)


def is_overfull(board: bytes, seat: int) -> bool:
    """Return whether a team has more of a kind than there may be."""
    return any(_count(board, seat, kinds) > most for kinds, most in _LIMITS)


_LADDER: Final = ((PRINCE,), (GENERAL, ADMIRAL), (WARRIOR, ASSASSIN), (SERGEANT,), (SOLDIER,))
"""The kinds from the highest rank to the lowest."""


def promotions_of(board: bytes, seat: int, kind: int) -> tuple[int, ...]:
    """Return the kinds that a unit may be promoted to: those of the next step with room."""
    step = next((above for above, here in pairwise(_LADDER) if kind in here), ())
    return tuple(new for new in step if has_room(board, seat, new))


def demotions_of(board: bytes, seat: int, kind: int) -> tuple[int, ...]:
    """Return the kinds that a unit may be demoted to: those of the next step down with room."""
    here = next((n for n, step in enumerate(_LADDER) if kind in step), len(_LADDER))
    free = (tuple(new for new in step if has_room(board, seat, new)) for step in _LADDER[here + 1 :])
    return next(filter(None, free), ())


def is_eligible(position: Position, seat: int, at: int) -> bool:
    """Return whether units on a square may be promoted or demoted."""
    holder = territory_controller(position, at)
    return holder == NOBODY or position.law.camps[holder] == position.law.camps[seat]


def choices(position: Position, event: Phase, seat: int) -> tuple[Action, ...]:
    """Return every legal answer of the seat, in the order of the squares; empty if there is none."""
    return list_choices(position.board, position.control, position.law.camps, event, seat)


@lru_cache(maxsize=64)
def list_choices(
    board: bytes, control: tuple[int, ...], camps: tuple[int, ...], event: Phase, seat: int
) -> tuple[Action, ...]:
    """Return the same by what it depends on; cached, since it is asked for several times in one position."""
    if event == "peasant":
        free = [at for at in CIRCLE_POINTS if not board[at]]
        return tuple([PEASANTS[at] for at in free or sorted(CIRCLE) if not board[at]])
    kinds = UPPER if event in ("promote_upper", "demote_upper") else LOWER
    verb: Literal["promote", "demote"] = "promote" if event.startswith("promote") else "demote"
    step = promotions_of if verb == "promote" else demotions_of
    abroad = [holder != NOBODY and camps[holder] != camps[seat] for holder in (*control, NOBODY)]
    steps: dict[int, tuple[int, ...]] = {}
    found: list[Action] = []
    for at in compress(SQUARES, board.translate(OWNED[seat])):
        kind = board[at] & 15
        if kind in kinds and not abroad[TERRITORY_OF[at]]:
            if kind not in steps:
                steps[kind] = step(board, seat, kind)
            found += [change_rank(verb, at, new) for new in steps[kind]]
    return tuple(found)


def safe_choice(position: Position, seat: int) -> Action:
    """Return a harmless answer, always the same, for a seat that doesn't answer itself.

    Promote the most advanced unit, demote the one of fewest points; put a Peasant where it is recruited at
    once, else nearest to the seat's central stronghold. The seat must have a choice to make.
    """
    options = choices(position, position.phase, seat)
    if position.phase == "peasant":
        home = INDEX[("g12", "l7", "g2", "b7")[position.law.sides[seat]]]
        return min(options, key=lambda it: (not _is_recruited_at(position, seat, it.a), distance(it.a, home)))
    board, worth = position.board, WORTH[position.law.rules]
    if position.phase.startswith("promote"):
        return min(options, key=lambda it: _SENIORITY.index(board[it.a] & 15))
    return min(options, key=lambda it: (worth[board[it.a] & 15], -_SENIORITY.index(board[it.a] & 15)))


def _is_recruited_at(position: Position, seat: int, at: int) -> bool:
    board = position.board
    return any(
        owner(board[a]) == owner(board[b]) == seat and PEASANT not in (board[a] & 15, board[b] & 15)
        for a, b in OPPOSITE_NEIGHBOURS[position.law.straddle][at]
    )


# --- chance ----------------------------------------------------------------------------------------------


def faces(law: Law) -> range:
    """Return the numbers that a throw of the sticks may show."""
    return range(STICK_COUNT + 1) if law.sticks == "sticks" else range(1, STICK_COUNT + 1)


def throw_sticks(law: Law, dice: Dice) -> int:
    """Throw a die, or count the marked ones of six flat sticks."""
    return sum(dice.below(2) for _ in range(STICK_COUNT)) if law.sticks == "sticks" else dice.die()


def throw_fate(position: Position, dice: Dice) -> int:
    """Throw for the end of a turn or for an heir: return NO, or the number of the sticks.

    The Diviner comes first and succeeds with a chance of 1 in `law.fate`; a kind succession skips it.
    """
    law = position.law
    if not is_kind(position) and dice.below(law.fate):
        return NO
    return throw_sticks(law, dice)


def is_kind(position: Position) -> bool:
    """Return whether the throw that is due is one for an heir without the Diviner."""
    return position.phase == "succession" and position.law.succession == "kind"


def leaders(seats: tuple[int, ...], throws: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats that threw the highest number."""
    return tuple(seat for seat, n in zip(seats, throws, strict=True) if n == max(throws))


def starting_throw(law: Law, seats: tuple[int, ...], dice: Dice) -> tuple[tuple[int, ...], ...]:
    """Throw for all seats, then for the tied ones, until one leads alone."""
    rounds: list[tuple[int, ...]] = []
    while len(seats) > 1:
        rounds.append(tuple(throw_sticks(law, dice) for _ in seats))
        seats = leaders(seats, rounds[-1])
    return tuple(rounds)


def winner_of(law: Law, seats: tuple[int, ...], rounds: tuple[tuple[int, ...], ...]) -> int:
    """Return the seat that starts after these rounds; NOBODY if they are impossible."""
    for throws in rounds:
        if len(seats) == 1 or len(throws) != len(seats) or not set(throws) <= set(faces(law)):
            return NOBODY
        seats = leaders(seats, throws)
    return seats[0] if len(seats) == 1 else NOBODY


def throws(position: Position) -> list[Action]:
    """Return what chance may draw now; of the starting throws only those without a tie."""
    law = position.law
    if position.phase == "throw":
        seats = position.living()
        once = ((shown,) for shown in product(faces(law), repeat=len(seats)))
        return [throw(rounds) for rounds in once if winner_of(law, seats, rounds) != NOBODY]
    return [FATE[n] for n in (*(() if is_kind(position) else (NO,)), *faces(law))]
