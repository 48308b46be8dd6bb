"""A slow reference implementation of consequences and Fate, on dictionaries, literally from the rules.

Like `literal`, it shares no code with the game. Seats are digits, in the order of their turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.games.dominion.literal import SLANTED, STRAIGHT, Board, controls, go, land, moves

AXES = {"orth": [(0, 1), (1, 0)], "all": [(0, 1), (1, 0), (1, 1), (1, -1)]}
LADDER = ["S", "R", "WX", "GA", "P"]
CIRCLE = [
    f"{file}{rank}"
    for file, low, high in zip("defghij", (6, 5, 4, 4, 4, 5, 6), (8, 9, 10, 10, 10, 9, 8), strict=True)
    for rank in range(low, high + 1)
]
POINTS = [f"{file}{rank}" for rank in (5, 7, 9) for file in "egi"]


@dataclass(frozen=True)
class Rules:
    camps: dict[str, str]
    straddle: str

    def clockwise(self, seat: str) -> list[str]:
        seats = sorted(self.camps)
        return seats[seats.index(seat) :] + seats[: seats.index(seat)]


def unit(board: Board, at: str | None) -> str:
    """Return the seat whose army unit is on a square, or an empty text."""
    there = board.get(at or "", "")
    return there[0] if len(there) == 2 and there[1] != "p" else ""


def straddlers(board: Board, at: str, rules: Rules) -> set[str]:
    found = set()
    for dx, dy in AXES[rules.straddle]:
        a, b = unit(board, go(at, dx, dy)), unit(board, go(at, -dx, -dy))
        if a and a == b:
            found.add(a)
    return found


def ringed_by(board: Board, at: str, rules: Rules) -> str:
    ring = [unit(board, go(at, dx, dy)) for dx, dy in STRAIGHT + SLANTED]
    seat = ring[0]
    foe = seat and rules.camps[seat] != rules.camps[board[at][0]]
    return seat if foe and ring == [seat] * 8 else ""


def settled(board: Board, actor: str, rules: Rules) -> Board:
    """Turn, recruit and arm until nothing changes."""
    while (after := settled_once(board, actor, rules)) != board:
        board = after
    return board


def settled_once(board: Board, actor: str, rules: Rules) -> Board:
    """Turn, recruit and arm, once each."""
    now = dict(board)
    for at, there in board.items():
        if there[1:] in ("R", "S") and (seat := ringed_by(board, at, rules)):
            now[at] = f"{seat}S"
    after = dict(now)
    for at, there in now.items():
        if there[-1] != "p":
            continue
        by = straddlers(now, at, rules)
        camps = {rules.camps[seat] for seat in by}
        if len(camps) > 1:
            after[at] = "p"
        elif by and (there == "p" or rules.camps[there[0]] not in camps):
            after[at] = next(seat for seat in rules.clockwise(actor) if seat in by) + "p"
    armed = dict(after)
    for at, there in after.items():
        side = land(at)
        if len(there) == 2 and there[1] == "p" and side and controls(after, there[0], side):
            armed[at] = f"{there[0]}S"
    return armed


def moved(board: Board, wire: str, rules: Rules) -> Board:
    """Return the board after a move; a team falls with the last of its Emperor and its Prince."""
    src, dst = wire.split("-")
    after, mover, victim = dict(board), board[src], board.get(dst, "")
    after[dst] = mover
    del after[src]
    if victim and victim[0] == mover[0]:
        after[src] = victim
    elif victim[1:] in ("E", "P") and not {f"{victim[0]}E", f"{victim[0]}P"} & set(after.values()):
        after = disbanded(after, victim[0])
    return settled(after, mover[0], rules)


def disbanded(board: Board, seat: str) -> Board:
    left = {}
    for at, there in board.items():
        if there[0] != seat:
            left[at] = there
        elif there[1] in "RSp":
            left[at] = "p"
    return left


def full(board: Board, seat: str, kind: str) -> bool:
    army = [there[1] for there in board.values() if len(there) == 2 and there[0] == seat]
    if kind in "WX":
        return army.count("W") + army.count("X") >= 4
    return army.count(kind) >= {"P": 1, "G": 2, "A": 2, "R": 3, "S": 999}[kind]


def answers(board: Board, seat: str, sticks: int, rules: Rules) -> Iterator[tuple[str, Board]]:
    """Yield each answer of a seat to the sticks in its wire form, with the board after it."""
    if sticks == 3:
        for at in [at for at in POINTS if at not in board] or [at for at in CIRCLE if at not in board]:
            yield f"peasant {at}", settled({**board, at: "p"}, seat, rules)
    if sticks not in (1, 2, 5, 6):
        return
    for at, there in board.items():
        if len(there) < 2 or there[0] != seat or there[1] in "Ep":
            continue
        level = next(n for n, kinds in enumerate(LADDER) if there[1] in kinds)
        if (level > 1) != (sticks in (1, 6)):
            continue
        side = land(at)
        if side and any(
            controls(board, other, side) for other in rules.camps if rules.camps[other] != rules.camps[seat]
        ):
            continue
        if sticks in (5, 6):
            steps = [LADDER[level + 1]] if level < 4 else []
        else:
            steps = [kinds for kinds in LADDER[:level] if any(not full(board, seat, kind) for kind in kinds)][
                -1:
            ]
        for kind in "".join(steps):
            if not full(board, seat, kind):
                verb = "promote" if sticks in (5, 6) else "demote"
                yield f"{verb} {at}={kind}", settled({**board, at: f"{seat}{kind}"}, seat, rules)


def tree(board: Board, seat: str, depth: int, rules: Rules, chance: bool, sticks: int | None = None) -> int:
    """Count lines of `depth` plies while nobody falls; with `chance`, Fate's throws and answers are plies."""
    if depth == 0:
        return 1
    following = rules.clockwise(seat)[1]
    if sticks is not None:
        return sum(
            tree(after, following, depth - 1, rules, chance)
            for _, after in answers(board, seat, sticks, rules)
        )
    total = 0
    for wire in moves(board, rules.camps, seat):
        if depth == 1:
            total += 1
            continue
        after = moved(board, wire, rules)
        if not chance:
            total += tree(after, following, depth - 1, rules, chance)
            continue
        total += tree(after, following, depth - 2, rules, chance)
        for n in range(1, 7):
            asked = any(True for _ in answers(after, seat, n, rules))
            total += tree(after, seat if asked else following, depth - 2, rules, chance, n if asked else None)
    return total
