"""The table of exact values: where a pair of domains stands in it, and what every action is worth by it.

`dominium solve two-domains` writes the table; docs/two-domains-solved.md says what its values mean. Nothing
is read before it is asked for, so that a table may be a file mapped into memory.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from games.engine.game import CHANCE, Seat
from games.two_domains import rules
from games.two_domains.actions import ROLLS, Action
from games.two_domains.rules import State

NAME: Final = "two-domains.values"
MAGIC: Final = b"Dominium values of Two Domains, 1\n"
RULES: Final = (1, 2)
"""Versions of the rules whose tables are read. They differ only at the limit, which no table knows."""
HEAD: Final = 4096
"""Bytes before the values: the magic, then JSON on one line, its CRC-32 in hex on the next, then spaces."""

_FLOAT: Final = struct.Struct("<f")
_SIX: Final = str.maketrans("123456", "012345")


def domains(dice: int) -> int:
    """How many domains have so many dice: a single die is always a king."""
    return 1 if dice == 1 else 6**dice


@cache
def place(dice: str) -> int:
    """The number of a domain among those with as many dice: its faces as digits to base six, Home first."""
    return int(dice.translate(_SIX), 6)


def blocks(dice: int) -> Iterator[tuple[int, int, int]]:
    """Dice of the mover, dice of the opponent, and the offset of their values in bytes.

    The values of a block are little-endian 32-bit floats, by the mover's domain and then the opponent's.
    A mover with one die is skipped, and has no block.
    """
    at = HEAD
    for own in range(2, dice + 1):
        for other in range(1, dice + 1):
            yield own, other, at
            at += _FLOAT.size * domains(own) * domains(other)


def length(dice: int) -> int:
    """Bytes of a table of positions with at most so many dice each."""
    values = sum(domains(own) * domains(other) for own, other, _ in blocks(dice))
    return HEAD + _FLOAT.size * values


def header(facts: dict[str, Any]) -> bytes:
    """The head of a table. `facts` hold rules, dice, crc (by block "5-4") and what else is to be told."""
    text = json.dumps(facts, sort_keys=True).encode("ascii")
    head = MAGIC + text + b"\n" + f"{zlib.crc32(text):08x}\n".encode("ascii")
    if len(head) > HEAD:
        raise ValueError("too much is told in the head of a table")
    return head.ljust(HEAD)


def read_header(table: memoryview) -> dict[str, Any]:
    """What the head of a table tells. Raises ValueError with a reason for what is no whole table."""
    head = bytes(table[:HEAD])
    if not head.startswith(MAGIC):
        raise ValueError("this is no table of the values of Two Domains")
    text, _, rest = head[len(MAGIC) :].partition(b"\n")
    if len(head) < HEAD or rest.strip() != f"{zlib.crc32(text):08x}".encode("ascii"):
        raise ValueError("the head of the table is damaged")
    facts: dict[str, Any] = json.loads(text)
    if facts["rules"] not in RULES:
        raise ValueError(f"the table is for version {facts['rules']} of the rules")
    if len(table) != length(facts["dice"]):
        raise ValueError(f"the table is not whole: {len(table):,} of {length(facts['dice']):,} bytes")
    return facts


class Table:
    """An oracle: what best play is worth without a limit of actions, endless play counting as a draw."""

    def __init__(self, table: memoryview) -> None:
        """Read the head. Raises ValueError with a reason for what is no whole table."""
        self.facts = read_header(table)
        self._table = table
        self._blocks = {(own, other): at for own, other, at in blocks(self.facts["dice"])}

    def value(self, mine: str, theirs: str) -> float | None:
        """The probability that the one to move, with the first domain, wins; a draw counts half.

        None for what the table doesn't hold. One die can't move: then it is the other's turn.
        """
        if len(mine) == 1 < len(theirs):
            other = self.value(theirs, mine)
            return None if other is None else 1.0 - other
        at = self._blocks.get((len(mine), len(theirs)))
        if at is None:
            return None
        index = place(mine) * domains(len(theirs)) + place(theirs)
        value: float = _FLOAT.unpack_from(self._table, at + _FLOAT.size * index)[0]
        return value

    def worth(self, state: State, seat: int) -> float | None:
        """What a position is worth to a seat: after the end, before a roll, or before a decision.

        None for what the table doesn't hold.
        """
        if state.outcome is not None:
            mine, theirs = state.outcome.ranks[seat], state.outcome.ranks[1 - seat]
            return 0.5 if mine == theirs else float(mine < theirs)
        if state.roll == "first":
            return 0.5
        if state.roll:
            rolled = [self.worth(rules.play(state, CHANCE, roll).state, seat) for roll in ROLLS]
            known = [value for value in rolled if value is not None]
            return sum(known) / len(rolled) if len(known) == len(rolled) else None
        turn = state.turn
        value = self.value(state.domains[turn], state.domains[1 - turn])
        return value if value is None or turn == seat else 1.0 - value

    def appraise(self, view: State, seat: Seat) -> tuple[tuple[Action, float], ...] | None:
        """Each legal action of the seat, which is to act, with its probability to win; see `Oracle`."""
        found: list[tuple[Action, float]] = []
        for action in rules.legal(view, seat):
            value = self.worth(rules.play(view, seat, action).state, seat)
            if value is None:
                return None
            found.append((action, value))
        return tuple(found) or None
