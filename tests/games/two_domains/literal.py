"""Two Domains once more, straight from the author's text: slow, with named things, and nothing of the engine.

Dice are lists of words from Home to Front. Whoever changes the rules must change them here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

FACES = ["king", "village", "town", "city", "capital", "army"]
LOST_SYMBOL = "king"
LIMIT = 500


@dataclass
class LiteralState:
    """Both domains, whose turn it is, and how it ended: the number of the winner, or 2 for a draw."""

    lines: list[list[str]] = field(default_factory=lambda: [["village"] * 5, ["village"] * 5])
    mover: int = 0
    done: int = 0
    winner: int | None = None
    rules: int = 2


def table(lines: tuple[str, str], mover: int, done: int = 0) -> LiteralState:
    """Return a table from lines of digits."""
    return LiteralState([[FACES[int(digit) - 1] for digit in line] for line in lines], mover, done)


def digits(line: list[str]) -> str:
    return "".join(str(FACES.index(die) + 1) for die in line)


def kingly_authority(line: list[str]) -> bool:
    return line.count("king") == 1


def cultural_consensus(line: list[str]) -> bool:
    return line.count("capital") == 1


def cultural_dissonance(line: list[str]) -> bool:
    return line.count("capital") > 1


def military_vigilance(line: list[str]) -> bool:
    return len(line) > 0 and line[len(line) - 1] == "army"


def civil_war(line: list[str]) -> bool:
    return line.count("king") > 1 and line.count("army") > 1


def growable(line: list[str], which: int) -> bool:
    die = line[which]
    if die == "village" or die == "town":
        return True
    if die == "city":
        return "capital" not in line
    if die == "capital":
        return kingly_authority(line)
    return False


def in_order(line: list[str]) -> list[str]:
    return [face for face in FACES for die in line if die == face]


def choices(table: LiteralState) -> list[str]:
    """Return what the mover may do."""
    if table.winner is not None:
        return []
    line = table.lines[table.mover]
    found = [f"grow {which + 1}" for which in range(len(line)) if growable(line, which)]
    if len(line) >= 2:
        found.append("gather")
    if line != in_order(line):
        found.append("mobilise")
    if military_vigilance(line) and kingly_authority(line) and not cultural_dissonance(line):
        found.append("battle")
    return found


def rolls_a_die(table: LiteralState, choice: str) -> bool:
    if choice == "battle":
        last = len(table.lines[1 - table.mover]) == 1
        return last or not cultural_consensus(table.lines[table.mover])
    return choice == "gather"


def play(table: LiteralState, choice: str, rolled: int | None = None) -> LiteralState:
    """Return the table after an action, with the face that was rolled if one was."""
    table = deepcopy(table)
    mine, theirs = table.lines[table.mover], table.lines[1 - table.mover]
    if choice.startswith("grow"):
        which = int(choice.split()[1]) - 1
        mine[which] = FACES[FACES.index(mine[which]) + 1]
    elif choice == "gather":
        assert rolled is not None
        mine[1] = FACES[rolled - 1]
    elif choice == "mobilise":
        mine[:] = in_order(mine)
    elif len(theirs) == 1:
        assert rolled is not None
        mine[-1] = FACES[rolled - 1]
        if mine[-1] == LOST_SYMBOL:
            mine.pop()
            theirs.insert(1, "army")
        else:
            theirs.pop()
    elif cultural_consensus(mine):
        if theirs[-1] == "army":
            theirs[-1] = "village"
        else:
            theirs.pop()
        mine[-1] = "city"
    else:
        assert rolled is not None
        mine[-1] = FACES[rolled - 1]
        if mine[-1] != LOST_SYMBOL:
            damage(theirs)
    return settle(table)


def damage(line: list[str]) -> None:
    if line[-1] == "army":
        line[-1] = "city"
    elif line[-1] == "capital":
        line[-1] = "town"
    elif line[-1] == "city":
        line[-1] = "village"
    else:
        line.pop()


def settle(table: LiteralState) -> LiteralState:
    """Complete an action: check the ends, and find who is next."""
    table.done += 1
    for line in table.lines:
        if len(line) == 1:
            line[0] = "king"
    for seat in (table.mover, 1 - table.mover):
        if table.winner is None and (table.lines[seat] == [] or civil_war(table.lines[seat])):
            table.winner = 1 - seat
    if table.winner is None and table.done == LIMIT:
        first, second = map(len, table.lines)
        more_dice = table.rules == 1 and first != second
        table.winner = 2 if not more_dice else 0 if first > second else 1
    if len(table.lines[1 - table.mover]) != 1:
        table.mover = 1 - table.mover
    return table


def nexts(table: LiteralState) -> Iterator[LiteralState]:
    """Return every table that may follow: each choice, and where it rolls a die, each face."""
    for choice in choices(table):
        if rolls_a_die(table, choice):
            yield from (play(table, choice, rolled) for rolled in range(1, 7))
        else:
            yield play(table, choice)


def count(table: LiteralState, depth: int) -> tuple[int, int]:
    """Return the numbers of sequences of decisions, and of decisions with rolls, of this many actions."""
    if depth == 1:
        decisions = choices(table)
        return len(decisions), sum(6 if rolls_a_die(table, each) else 1 for each in decisions)
    below = [count(each, depth - 1) for each in nexts(table)]
    return sum(d for d, _ in below), sum(n for _, n in below)
