"""What follows from every change on the board, in the order of the rules, until nothing changes any more.

Control of Territories, surrounded units, control again, every Peasant, arming. Each step looks at the board
as the step before left it; what happens within a step happens at once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.dominion import facts
from games.dominion.board import AROUND, FORTS, STRADDLES, TERRITORY, Steps
from games.dominion.position import (
    LOWER,
    NOBODY,
    PEASANT,
    PRINCE,
    SOLDIER,
    Law,
    Position,
    controllers,
    find,
    kind_of,
    owner,
    piece,
)
from games.engine.game import Fact

_RING: Final[Steps] = tuple(around if len(around) == 8 else () for around in AROUND)
"""The eight squares around a square; none at the edge, where nothing can be surrounded."""


class Settled(NamedTuple):
    """The board at rest."""

    board: bytes
    control: tuple[int, ...]
    stirred: bool
    """Whether anything was recruited, armed or turned."""
    facts: tuple[Fact, ...]


def touches(board: bytes, src: int, dst: int) -> bool:
    """Whether anything but the move itself may follow from a step of one unit; never wrong when it says no.

    Only a stronghold, a Peasant beside either square or on the second, or a full ring can make a difference.
    """
    if src in FORTS or dst in FORTS or board[dst] & 15 == PEASANT:
        return True
    for at in AROUND[src]:
        if board[at] & 15 == PEASANT:
            return True
    for at in AROUND[dst]:
        kind = board[at] & 15
        if kind == PEASANT or (kind >= SOLDIER - 1 and _ringed(board, at)):
            return True
    return board[dst] & 15 in LOWER and _ringed(board, dst)


def _ringed(board: bytes, at: int) -> bool:
    ring = _RING[at]
    return bool(ring) and all(board[beside] for beside in ring)


def settle(law: Law, board: bytes, control: tuple[int, ...], actor: int) -> Settled:
    """All that follows on a board; `control` is who controlled what before the change, `actor` who acts."""
    work = bytearray(board)
    said: list[Fact] = []
    stirred = False
    contested = _contested(law, board)
    while True:
        before = bytes(work)
        control = _recontrol(bytes(work), control, said)
        for seat, victims in _surrounded(law, bytes(work)).items():
            for at in victims:
                work[at] = piece(seat, SOLDIER)
            said.append(facts.changed("turned", seat, victims))
            stirred = True
        control = _recontrol(bytes(work), control, said)
        stirred |= _court(law, work, actor, said)
        stirred |= _arm(work, control, said)
        if work == before:
            break
    now = _contested(law, bytes(work))
    if fresh := [at for at in now if at not in contested]:
        said.append(facts.changed("contested", NOBODY, fresh))
    if freed := [at for at in contested if at not in now and work[at] == PEASANT]:
        said.append(facts.changed("released", NOBODY, freed))
    return Settled(bytes(work), control, stirred, tuple(said))


def _recontrol(board: bytes, control: tuple[int, ...], said: list[Fact]) -> tuple[int, ...]:
    now = controllers(board)
    if now != control:
        for side, (was, seat) in enumerate(zip(control, now, strict=True)):
            if was != seat:
                said.append(facts.controls(side, seat, was))
    return now


def _surrounded(law: Law, board: bytes) -> dict[int, list[int]]:
    """The Soldiers and Sergeants whose eight neighbours are army units of one enemy, by that enemy."""
    found: dict[int, list[int]] = {}
    for at, code in enumerate(board):
        if code & 15 not in LOWER or not _RING[at]:
            continue
        by = board[_RING[at][0]] >> 4
        if not by or law.camps[by - 1] == law.camps[owner(code)]:
            continue
        if all(board[beside] >> 4 == by and board[beside] & 15 != PEASANT for beside in _RING[at]):
            found.setdefault(by - 1, []).append(at)
    return found


def straddlers(law: Law, board: bytes, at: int) -> set[int]:
    """The seats with army units on two opposite neighbours of a square."""
    found: set[int] = set()
    for ahead, behind in STRADDLES[law.straddle][at]:
        a, b = board[ahead], board[behind]
        if a >> 4 and a >> 4 == b >> 4 and a & 15 != PEASANT and b & 15 != PEASANT:
            found.add((a >> 4) - 1)
    return found


def _contested(law: Law, board: bytes) -> list[int]:
    """The Peasants that are straddled by two camps or more."""
    found: list[int] = []
    at = board.find(PEASANT)
    while at >= 0:
        if len({law.camps[seat] for seat in straddlers(law, board, at)}) > 1:
            found.append(at)
        at = board.find(PEASANT, at + 1)
    return found


def contested(position: Position) -> list[int]:
    """The squares of the Peasants-in-contest."""
    return _contested(position.law, position.board)


def _court(law: Law, work: bytearray, actor: int, said: list[Fact]) -> bool:
    """Recruit every Peasant that one camp straddles, free every one that several do."""
    board = bytes(work)
    gained: dict[int, list[int]] = {}
    for at, code in enumerate(board):
        if code & 15 != PEASANT:
            continue
        by = straddlers(law, board, at)
        if not by:
            continue
        camps = {law.camps[seat] for seat in by}
        if len(camps) > 1:
            work[at] = PEASANT
        elif code == PEASANT or law.camps[owner(code)] not in camps:
            seat = min(by, key=lambda each: (each - actor) % len(law.sides))
            work[at] = piece(seat, PEASANT)
            gained.setdefault(seat, []).append(at)
    said += (facts.changed("recruited", seat, squares) for seat, squares in gained.items())
    return bool(gained)


def _arm(work: bytearray, control: tuple[int, ...], said: list[Fact]) -> bool:
    """Recruited Peasants in a Territory that their own team controls become Soldiers."""
    armed: dict[int, list[int]] = {}
    for side, seat in enumerate(control):
        if seat < 0 or (code := piece(seat, PEASANT)) not in work:
            continue
        for at in sorted(at for at in TERRITORY[side] if work[at] == code):
            work[at] = piece(seat, SOLDIER)
            armed.setdefault(seat, []).append(at)
    said += (facts.changed("armed", seat, squares) for seat, squares in armed.items())
    return bool(armed)


# --- falls -----------------------------------------------------------------------------------------------


def disband(board: bytes, seat: int) -> bytes:
    """The board without a team: its court is gone, the rest are free Peasants where they stand."""
    work = bytearray(board)
    for at, code in enumerate(board):
        if owner(code) == seat and code:
            work[at] = PEASANT if kind_of(code) in LOWER or kind_of(code) == PEASANT else 0
    return bytes(work)


def eliminate(position: Position, seat: int) -> tuple[Position, tuple[Fact, ...]]:
    """A team is out. What follows on the board is still to be settled."""
    after = position._replace(
        board=disband(position.board, seat),
        out=(*position.out, seat),
        pending=position.pending - {seat},
        stirred=True,
    )
    return after, (facts.of_seat("out", seat),)


def has_prince(board: bytes, seat: int) -> bool:
    """Whether there is an heir."""
    return find(board, seat, PRINCE) >= 0


def rest(position: Position, actor: int) -> tuple[Position, tuple[Fact, ...]]:
    """The position after all that follows on the board; `actor` is whose action it was."""
    done = settle(position.law, position.board, position.control, actor)
    after = position._replace(
        board=done.board, control=done.control, stirred=position.stirred or done.stirred
    )
    return after, done.facts
