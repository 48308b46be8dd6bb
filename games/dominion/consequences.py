"""The consequences of a change on the board, in the order of the rules, until nothing changes.

Control of Territories, surrounded units, control again, every Peasant, arming. Each step looks at the board
that the step before left; all changes of one step happen at once.
"""

from __future__ import annotations

from itertools import compress
from typing import Final, NamedTuple

from games.dominion import facts
from games.dominion.board import (
    ALL_STRONGHOLDS,
    NEIGHBOURS,
    OPPOSITE_NEIGHBOURS,
    SIZE,
    SQUARES,
    STRADDLE_PARTNERS,
    TERRITORIES,
    Rays,
    SquareLists,
)
from games.dominion.position import (
    ARMY_OWNER,
    LOWER,
    NOBODY,
    PEASANT,
    SOLDIER,
    Law,
    Position,
    controllers,
    owner,
    piece,
    put,
)
from games.engine.game import Fact

_RING: Final[SquareLists] = tuple(around if len(around) == 8 else () for around in NEIGHBOURS)
"""The eight squares around each square; empty at the edge, where nothing can be surrounded."""
_TERRITORY_SQUARES: Final = tuple(tuple(sorted(squares)) for squares in TERRITORIES)
_IS_LOWER: Final = bytes(code & 15 in LOWER for code in range(256))
_IS_PEASANT: Final = bytes(code & 15 == PEASANT for code in range(256))
"""Whether each code is such a piece, for `board.translate`."""
_PEASANT_DIGITS: Final = bytes(b"01"[code & 15 == PEASANT] for code in range(256))
_ARMY_DIGITS: Final = tuple(
    bytes(b"01"[ARMY_OWNER[code] == seat + 1] for code in range(256)) for seat in range(4)
)
"""The same as binary digits, so that a board becomes a set of squares; of each seat's army units."""


def _middles(axes: Rays, step: int) -> int:
    """Return the set of squares with two opposite neighbours that many squares away."""
    return sum(1 << SIZE * SIZE - 1 - at for at in SQUARES if {at - step, at + step} in map(set, axes[at]))


_AXES: Final = {
    key: tuple((step, found) for step in (SIZE, 1, SIZE + 1, SIZE - 1) if (found := _middles(axes, step)))
    for key, axes in OPPOSITE_NEIGHBOURS.items()
}
"""For each axis how far away its two neighbours are, and the squares that have both."""


class Settled(NamedTuple):
    """The board after all consequences."""

    board: bytes
    control: tuple[int, ...]
    stirred: bool
    """Whether anything was recruited, armed or turned."""
    facts: tuple[Fact, ...]


def may_have_consequences(position: Position, board: bytes, src: int, dst: int) -> bool:
    """Return whether a step of one unit may have consequences; False is always right.

    `board` is the board after the step. Only a stronghold that changes hands, a pair beside a Peasant
    that is formed or broken, a Peasant's own step, or a full ring can make a difference.
    """
    if board[dst] & 15 == PEASANT:
        return True
    if (src in ALL_STRONGHOLDS or dst in ALL_STRONGHOLDS) and controllers(board) != position.control:
        return True
    mover, victim = ARMY_OWNER[board[dst]], ARMY_OWNER[position.board[dst]]
    pivots = STRADDLE_PARTNERS[position.law.straddle]
    for middle, other in pivots[src] + pivots[dst]:
        if (by := ARMY_OWNER[board[other]]) and board[middle] & 15 == PEASANT and by in (mover, victim):
            return True
    # Who walks into a ring leaves it open behind, so only those beside the unit can be surrounded now.
    return any(board[at] & 15 in LOWER and _may_be_surrounded(board, at) for at in NEIGHBOURS[dst])


def _may_be_surrounded(board: bytes, at: int) -> bool:
    """Return whether the ring around a square is full; two of its squares nearly always decide."""
    ring = _RING[at]
    return bool(ring and board[ring[0]] and board[ring[1]]) and all(board[beside] for beside in ring)


def settle(law: Law, board: bytes, control: tuple[int, ...], actor: int, before: bytes) -> Settled:
    """Return the board after all consequences of a change.

    `control` is who controlled each Territory before the change, `before` the board before it, `actor` the
    seat that acts.
    """
    reported: list[Fact] = []
    stirred = False
    held = control
    while True:
        begun = board
        if turned := _surrounded(law, board):
            board = _turn(board, turned, reported)
        control = controllers(board)
        straddled = _straddled(law, board)
        if straddled:
            board, gained = _recruit(law, board, straddled, actor, reported)
            stirred |= gained
        armed = _arm(board, control, reported)
        stirred |= bool(turned) or armed is not board
        board = armed
        if board == begun:
            break
    was = contests(law, before)
    now = [at for at, by in straddled if len({law.camps[seat] for seat in by}) > 1]
    if fresh := [at for at in now if at not in was]:
        reported.append(facts.changed("contested", NOBODY, fresh))
    if freed := [at for at in was if at not in now and board[at] == PEASANT]:
        reported.append(facts.changed("released", NOBODY, freed))
    return Settled(board, control, stirred, (*facts.control_changes(held, control), *reported))


def _surrounded(law: Law, board: bytes) -> dict[int, list[int]]:
    """Return the Soldiers and Sergeants whose eight neighbours are army units of one enemy, by enemy."""
    army = board.translate(ARMY_OWNER)
    found: dict[int, list[int]] = {}
    for at in compress(SQUARES, board.translate(_IS_LOWER)):
        ring = _RING[at]
        if not ring or not (by := army[ring[0]]) or by != army[ring[1]]:
            continue
        if law.camps[by - 1] != law.camps[army[at] - 1] and all(army[beside] == by for beside in ring):
            found.setdefault(by - 1, []).append(at)
    return found


def _turn(board: bytes, turned: dict[int, list[int]], reported: list[Fact]) -> bytes:
    """Make the surrounded units Soldiers of the seats that surround them."""
    reported += (facts.changed("turned", seat, victims) for seat, victims in turned.items())
    return put(board, {at: piece(seat, SOLDIER) for seat, victims in turned.items() for at in victims})


def _straddled(law: Law, board: bytes) -> list[tuple[int, set[int]]]:
    """Return each Peasant that army units of one seat straddle, with all seats that do."""
    if not (peasants := int(board.translate(_PEASANT_DIGITS), 2)):
        return []
    axes, found = _AXES[law.straddle], 0
    for digits in _ARMY_DIGITS[: len(law.sides)]:
        army = int(board.translate(digits), 2)
        for step, middles in axes:
            found |= army << step & army >> step & middles
    found &= peasants
    straddled: list[tuple[int, set[int]]] = []
    while found:
        at = SIZE * SIZE - found.bit_length()
        found ^= 1 << found.bit_length() - 1
        straddled.append((at, straddlers(law, board, at)))
    return straddled


def straddlers(law: Law, board: bytes, at: int) -> set[int]:
    """Return the seats with army units on two opposite neighbours of a square."""
    found: set[int] = set()
    for ahead, behind in OPPOSITE_NEIGHBOURS[law.straddle][at]:
        if (by := ARMY_OWNER[board[ahead]]) and by == ARMY_OWNER[board[behind]]:
            found.add(by - 1)
    return found


def contests(law: Law, board: bytes) -> list[int]:
    """Return the squares of the Peasants that two camps or more straddle."""
    return [at for at, by in _straddled(law, board) if len({law.camps[seat] for seat in by}) > 1]


def contested(position: Position) -> list[int]:
    """Return the squares of the Peasants-in-contest."""
    return contests(position.law, position.board)


def _recruit(
    law: Law, board: bytes, straddled: list[tuple[int, set[int]]], actor: int, reported: list[Fact]
) -> tuple[bytes, bool]:
    """Recruit every Peasant that one camp straddles, free every one that several do."""
    work = bytearray(board)
    gained: dict[int, list[int]] = {}
    for at, by in straddled:
        code, camps = board[at], {law.camps[seat] for seat in by}
        if len(camps) > 1:
            work[at] = PEASANT
        elif code == PEASANT or law.camps[owner(code)] not in camps:
            seat = min(by, key=lambda each: (each - actor) % len(law.sides))
            work[at] = piece(seat, PEASANT)
            gained.setdefault(seat, []).append(at)
    reported += (facts.changed("recruited", seat, squares) for seat, squares in gained.items())
    return bytes(work), bool(gained)


def _arm(board: bytes, control: tuple[int, ...], reported: list[Fact]) -> bytes:
    """Turn Recruited Peasants in a Territory that their own team controls into Soldiers."""
    for side, seat in enumerate(control):
        if seat < 0 or (code := piece(seat, PEASANT)) not in board:
            continue
        if squares := [at for at in _TERRITORY_SQUARES[side] if board[at] == code]:
            board = put(board, dict.fromkeys(squares, piece(seat, SOLDIER)))
            reported.append(facts.changed("armed", seat, squares))
    return board


# --- falls -----------------------------------------------------------------------------------------------


def disband(board: bytes, seat: int) -> bytes:
    """Return the board without a team: its court is removed, its other units become free Peasants."""
    left = {piece(seat, kind): PEASANT if kind in (*LOWER, PEASANT) else 0 for kind in range(1, 10)}
    return bytes(left.get(code, code) for code in board)


def eliminate(position: Position, seat: int) -> tuple[Position, tuple[Fact, ...]]:
    """Return the position without a team; the consequences on the board are still to be settled."""
    after = position._replace(
        board=disband(position.board, seat),
        out=(*position.out, seat),
        pending=position.pending - {seat},
        stirred=True,
    )
    return after, (facts.dynasty_fact("out", seat),)


def settle_position(position: Position, actor: int, before: bytes) -> tuple[Position, tuple[Fact, ...]]:
    """Return the position after all consequences of an action by `actor`; `before` is the board before it."""
    done = settle(position.law, position.board, position.control, actor, before)
    after = position._replace(
        board=done.board, control=done.control, stirred=position.stirred or done.stirred
    )
    return after, done.facts
