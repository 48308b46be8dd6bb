"""Focus a second time, slow and literal: lists, loops and the rule text, sharing no code with the engine.

Whatever the engine computes with characters, sets and tables is computed here by moving single pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field

BOARD = """
..cdef..
.bcdefg.
abcdefgh
abcdefgh
abcdefgh
abcdefgh
.bcdefg.
..cdef..
"""
FIGURES = {
    2: """
    . . . . . . . .
    . R R G G R R .
    . G G R R G G .
    . R R G G R R .
    . G G R R G G .
    . R R G G R R .
    . G G R R G G .
    . . . . . . . .
    """,
    3: """
    . . . . . . . .
    . R R G G B B .
    . B B R R G G .
    . G G B B R R .
    . R R G G B B .
    . B B R R G G .
    . G G B B R R .
    . . . . . . . .
    """,
    4: """
    . . B B R Y . .
    . Y Y Y R Y R .
    B B B B R Y R Y
    Y Y Y Y R Y R Y
    G B G B G G G G
    G B G B R R R R
    . B G B G G G .
    . . G B R R . .
    """,
}
PLAYERS = {2: ["R", "G"], 3: ["R", "G", "B"], 4: ["G", "B", "Y", "R"]}
PARTNER = {"G": "Y", "Y": "G", "B": "R", "R": "B"}


def spaces() -> list[str]:
    """Return the names of the 52 spaces."""
    lines = enumerate(BOARD.split())
    return [file + str(8 - down) for down, line in lines for file in line if file != "."]


@dataclass
class LiteralState:
    """What lies on a table at which Focus is played."""

    players: list[str]
    fast: bool
    partners: bool
    piles: dict[str, list[str]]
    mover: str
    reserve: dict[str, int]
    taken: dict[str, list[str]]
    aside: list[str] = field(default_factory=list)
    winner: str | None = None

    def copy(self) -> LiteralState:
        """Return a second table that looks the same."""
        return LiteralState(
            list(self.players),
            self.fast,
            self.partners,
            {space: list(pile) for space, pile in self.piles.items()},
            self.mover,
            dict(self.reserve),
            {player: list(pieces) for player, pieces in self.taken.items()},
            list(self.aside),
            self.winner,
        )


def lay(seats: int, first: str, fast: bool = False, partners: bool = False) -> LiteralState:
    """Set the pieces up as the booklet's figures show."""
    players = PLAYERS[seats]
    piles: dict[str, list[str]] = {space: [] for space in spaces()}
    for down, line in enumerate(FIGURES[seats].split("\n")[1:9]):
        for across, colour in enumerate(line.split()):
            if colour != ".":
                piles["abcdefgh"[across] + str(8 - down)].append(colour)
    return LiteralState(
        players,
        fast,
        partners,
        piles,
        first,
        dict.fromkeys(players, 0),
        {player: [] for player in players},
        list(players) if seats == 3 else [],
    )


def moves(table: LiteralState) -> list[str]:
    """Return everything the player to move may do, as typed."""
    found: list[str] = []
    if table.winner is not None:
        return found
    if table.mover in table.aside:
        return ["+" + space for space, pile in table.piles.items() if pile == []]
    for space, pile in table.piles.items():
        if not pile or pile[-1] != table.mover:
            continue
        for lifted in range(1, len(pile) + 1):
            for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                goal = chr(ord(space[0]) + across * lifted) + str(int(space[1]) + up * lifted)
                if goal in table.piles:
                    found.append(space + "-" + goal)
    if table.reserve[table.mover] > 0:
        found.extend("+" + space for space in table.piles)
    return found


def stuck(table: LiteralState, player: str) -> bool:
    """Return whether a player controls nothing on the board and has nothing to place."""
    on_top = [pile for pile in table.piles.values() if pile and pile[-1] == player]
    return not on_top and table.reserve[player] == 0 and player not in table.aside


def friends(table: LiteralState, one: str, other: str) -> bool:
    """Return whether these are the same player, or partners."""
    return one == other or (table.partners and PARTNER[one] == other)


def play(table: LiteralState, move: str) -> LiteralState:
    """Return the table after a move; the old one stays as it was."""
    table = table.copy()
    me = table.mover
    if move[0] == "+":
        goal = move[1:]
        if me in table.aside:
            table.aside.remove(me)
        else:
            table.reserve[me] -= 1
        table.piles[goal].append(me)
    else:
        start, goal = move.split("-")
        steps = abs(ord(start[0]) - ord(goal[0])) + abs(int(start[1]) - int(goal[1]))
        hand = [table.piles[start].pop() for _ in range(steps)]
        while hand:
            table.piles[goal].append(hand.pop())
    while len(table.piles[goal]) > 5:
        piece = table.piles[goal].pop(0)
        if friends(table, piece, me):
            table.reserve[piece] += 1
        else:
            table.taken[me].append(piece)
    others = [player for player in table.players if not friends(table, player, me)]
    if (table.fast and fast_win(table, me, others)) or all(stuck(table, player) for player in others):
        table.winner = me
        return table
    while True:
        place = table.players.index(table.mover)
        table.mover = table.players[(place + 1) % len(table.players)]
        if not stuck(table, table.mover):
            return table


def fast_win(table: LiteralState, me: str, others: list[str]) -> bool:
    """Return whether an alternate win situation of the booklet is reached."""
    mine = table.taken[me]
    if len(table.players) == 2:
        return len(mine) >= 6
    each = 3 if len(table.players) == 3 else 2
    if all(mine.count(other) >= each for other in others):
        return True
    return len(mine) + table.reserve[me] >= 10


def count(table: LiteralState, depth: int) -> int:
    """Return the number of sequences of this many turns."""
    if depth == 1:
        return len(moves(table))
    return sum(count(play(table, move), depth - 1) for move in moves(table))
