"""Dominance once more, word for word from coordinates: slow, and without a line of the engine's code.

Hexagons are axial coordinates (q, r), squares (x, y). Dominated pieces are searched for on the whole board.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

Spot = tuple[int, int]


def hexagon(side: int) -> dict[str, Spot]:
    """Return the spaces of a hexagon with this many cells to a side, rows lettered from the bottom."""
    reach = side - 1
    found = {}
    for row in range(2 * side - 1):
        r = reach - row
        least, most = max(-reach, -reach - r), min(reach, reach - r)
        for n, q in enumerate(range(least, most + 1), 1):
            found["abcdefghi"[row] + str(n)] = (q, r)
    return found


def square(size: int) -> dict[str, Spot]:
    """Return the spaces of a square, files lettered from the left."""
    return {"abcdefghi"[x] + str(y + 1): (x, y) for x in range(size) for y in range(size)}


SPOTS = {"hex4": hexagon(4), "hex5": hexagon(5), "sq7": square(7)}
SPAWNS = {
    "hex4": ("a1", "a4", "g1", "g4"),
    "hex5": ("a1", "a5", "i1", "i5"),
    "sq7": ("a1", "a7", "g1", "g7"),
}


@cache
def apart(board: str, one: str, other: str) -> int:
    """Return the number of steps between two spaces."""
    (a, b), (c, d) = SPOTS[board][one], SPOTS[board][other]
    if board == "sq7":
        return max(abs(a - c), abs(b - d))
    return (abs(a - c) + abs(b - d) + abs(a + b - c - d)) // 2


@cache
def touches(board: str, one: str, other: str) -> bool:
    """Return whether two spaces are directly next to each other."""
    return apart(board, one, other) == 1


@cache
def between(board: str, one: str, space: str, other: str) -> bool:
    """Return whether a space lies exactly between two others."""
    (a, b), (x, y), (c, d) = (SPOTS[board][each] for each in (one, space, other))
    return (a + c, b + d) == (2 * x, 2 * y)


def dominated(board: str, men: set[str], space: str) -> bool:
    """Return whether two of the pieces next to the space are adjacent, or on opposite sides of it."""
    near = [man for man in men if touches(board, man, space)]
    return any(touches(board, x, y) or between(board, x, space, y) for x, y in combinations(near, 2))


@dataclass
class LiteralState:
    """A game on the table; pieces by colour, R or B."""

    board: str = "hex4"
    men: dict[str, set[str]] = field(default_factory=lambda: {"R": set(), "B": set()})
    pool: dict[str, int] = field(default_factory=lambda: {"R": 10, "B": 10})
    lost: dict[str, int] = field(default_factory=lambda: {"R": 0, "B": 0})
    mover: str = "R"
    winner: str | None = None
    drawn: str | None = None
    quiet: int = 0
    seen: list[tuple[frozenset[str], frozenset[str], str]] = field(default_factory=list)

    def copy(self) -> LiteralState:
        """Return another table with the same game."""
        return LiteralState(
            self.board,
            {colour: set(men) for colour, men in self.men.items()},
            dict(self.pool),
            dict(self.lost),
            self.mover,
            self.winner,
            self.drawn,
            self.quiet,
            list(self.seen),
        )


def lay(board: str) -> LiteralState:
    """Return the start."""
    table = LiteralState(board)
    table.seen.append(here(table))
    return table


def here(table: LiteralState) -> tuple[frozenset[str], frozenset[str], str]:
    """Return what makes two positions the same."""
    return frozenset(table.men["R"]), frozenset(table.men["B"]), table.mover


def other(colour: str) -> str:
    """Return the opponent."""
    return "B" if colour == "R" else "R"


def takes_something(table: LiteralState, colour: str, men: set[str]) -> bool:
    """Return whether these pieces dominate any enemy piece."""
    return any(dominated(table.board, men, enemy) for enemy in table.men[other(colour)])


def moves(table: LiteralState, colour: str | None = None) -> list[str]:
    """Return everything that a colour (the seat to act) may do."""
    if table.winner or table.drawn:
        return []
    colour = colour or table.mover
    own, foe = table.men[colour], table.men[other(colour)]
    tries = []
    if table.pool[colour]:
        tries += [(f"+{space}", own | {space}, space) for space in SPAWNS[table.board]]
    for man in own:
        for space in SPOTS[table.board]:
            if touches(table.board, man, space):
                tries.append((f"{man}-{space}", own - {man} | {space}, space))
    return [
        text
        for text, men, space in tries
        if space not in own | foe
        and (not dominated(table.board, foe, space) or takes_something(table, colour, men))
    ]


def is_locked(table: LiteralState, colour: str) -> bool:
    """Return whether a colour that is to act is locked out."""
    foe = table.men[other(colour)]
    if len(table.men[colour]) > 1 or any(text.startswith("+") for text in moves(table, colour)):
        return False
    return all(
        space in foe or (space not in table.men[colour] and dominated(table.board, foe, space))
        for space in SPAWNS[table.board]
    )


def play(before: LiteralState, text: str) -> LiteralState:
    """Return the table after an action of the seat to act."""
    table = before.copy()
    me, you = table.mover, other(table.mover)
    progress = text.startswith("+")
    if progress:
        table.pool[me] -= 1
        target = text[1:]
    else:
        source, target = text.split("-")
        table.men[me].remove(source)
    table.men[me].add(target)
    victims = {man for man in table.men[you] if dominated(table.board, table.men[me], man)}
    table.men[you] -= victims
    table.lost[you] += len(victims)
    if table.lost[you] >= 9:
        table.winner = me
        return table
    doomed = {man for man in table.men[me] if dominated(table.board, table.men[you], man)}
    assert doomed <= {target}
    table.men[me] -= doomed
    table.lost[me] += len(doomed)
    if table.lost[me] >= 9:
        table.winner = you
        return table
    if is_locked(table, you):
        table.winner = me
        return table
    table.mover = you
    if not moves(table):
        if not moves(table, me):
            table.drawn = "stuck"
            return table
        table.mover = me
    if progress or victims:
        table.quiet, table.seen = 0, [here(table)]
        return table
    table.quiet += 1
    table.seen.append(here(table))
    if table.seen.count(here(table)) >= 3:
        table.drawn = "repetition"
    elif table.quiet >= 100:
        table.drawn = "quiet"
    return table


def count(table: LiteralState, depth: int) -> int:
    """Return the number of sequences of this many actions."""
    found = moves(table)
    if depth == 1:
        return len(found)
    return sum(count(play(table, text), depth - 1) for text in found)
