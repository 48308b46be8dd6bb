"""What positions and actions are worth: the table of exact values, and an oracle that looks them up.

`dominium solve two-domains` writes the table; docs/two-domains-solved.md explains its values. Only what is
looked up is read, so that the table can be a file mapped into memory. `packed_table` is a small stand-in.

A source only knows what a position is worth to the side whose action it is. Whether it reads exact values
from a file or estimates them, chance, ends and skipped turns are the same (`PositionValues`).
"""

from __future__ import annotations

import json
import struct
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from games.engine.game import CHANCE, Seat
from games.two_domains import rules
from games.two_domains.actions import ROLLS, Action
from games.two_domains.rules import State

ROUNDING: Final = 1e-7
"""How far from 0 and 1 a source's values are kept: it has rounded them, so they prove nothing."""


class PositionValues(ABC):
    """An oracle on a source of values; draws count half."""

    @abstractmethod
    def mover_value(self, mine: str, theirs: str) -> float | None:
        """Return the probability that the mover, who has the first domain, wins.

        Only asked of movers with two dice or more, and of games that aren't over. None if it isn't known.
        """

    def value(self, mine: str, theirs: str) -> float | None:
        """Return the same for any mover: one with a single die is skipped."""
        if len(mine) == 1 < len(theirs):
            other = self.mover_value(theirs, mine)
            return None if other is None else 1.0 - other
        return self.mover_value(mine, theirs)

    def position_value(self, state: State, seat: int) -> float | None:
        """Return a seat's probability of winning: after the end, before a roll, or before a decision.

        It is 0 or 1 only if the action and its roll, whatever it is, end the game. None if it isn't known.
        """
        if state.outcome is not None:
            mine, theirs = state.outcome.ranks[seat], state.outcome.ranks[1 - seat]
            return 0.5 if mine == theirs else float(mine < theirs)
        if state.roll == "first":
            return 0.5
        if state.roll:
            rolled = [self.position_value(rules.play(state, CHANCE, roll).state, seat) for roll in ROLLS]
            known = [value for value in rolled if value is not None]
            return sum(known) / len(rolled) if len(known) == len(rolled) else None
        turn = state.turn
        value = self.value(state.domains[turn], state.domains[1 - turn])
        if value is None:
            return None
        value = min(max(value, ROUNDING), 1.0 - ROUNDING)
        return value if turn == seat else 1.0 - value

    def appraise(self, view: State, seat: Seat) -> tuple[tuple[Action, float], ...] | None:
        """Return each legal action of the acting seat with its probability of winning; see `Oracle`."""
        found: list[tuple[Action, float]] = []
        for action in rules.legal(view, seat):
            value = self.position_value(rules.play(view, seat, action).state, seat)
            if value is None:
                return None
            found.append((action, value))
        return tuple(found) or None


FILE_NAME: Final = "two-domains.values"
MAGIC: Final = b"Dominium values of Two Domains, 1\n"
RULES: Final = (1, 2)
"""Versions of the rules whose tables are accepted. They differ only at the limit, which tables ignore."""
HEADER_SIZE: Final = 4096
"""Bytes before the values: the magic, one line of JSON, its CRC-32 in hex on the next line, then spaces."""

_FLOAT: Final = struct.Struct("<f")
_SIX: Final = str.maketrans("123456", "012345")


def domain_count(dice: int) -> int:
    """Return the number of domains with this many dice; a single die is always a king."""
    return 1 if dice == 1 else 6**dice


@cache
def domain_index(dice: str) -> int:
    """Return the index of a domain among those of equal size: its faces as digits to base six, Home first."""
    return int(dice.translate(_SIX), 6)


def blocks(dice: int) -> Iterator[tuple[int, int, int]]:
    """Yield for each block the mover's dice, the opponent's dice, and the offset of its values in bytes.

    The values of a block are little-endian 32-bit floats, by the mover's domain and then the opponent's.
    There are no blocks for movers with one die, who are skipped.
    """
    at = HEADER_SIZE
    for own in range(2, dice + 1):
        for other in range(1, dice + 1):
            yield own, other, at
            at += _FLOAT.size * domain_count(own) * domain_count(other)


def table_size(dice: int) -> int:
    """Return the size in bytes of a table of positions with at most this many dice on each side."""
    values = sum(domain_count(own) * domain_count(other) for own, other, _ in blocks(dice))
    return HEADER_SIZE + _FLOAT.size * values


def format_header(facts: dict[str, Any]) -> bytes:
    """Return the header of a table. `facts` contain rules, dice, crc (by block "5-4") and anything else.

    Raises ValueError if they don't fit.
    """
    text = json.dumps(facts, sort_keys=True).encode("ascii")
    head = MAGIC + text + b"\n" + f"{zlib.crc32(text):08x}\n".encode("ascii")
    if len(head) > HEADER_SIZE:
        raise ValueError("the facts don't fit into the header of a table")
    return head.ljust(HEADER_SIZE)


def read_header(table: memoryview) -> dict[str, Any]:
    """Return the facts in the header of a table. Raises ValueError with a reason for an invalid table."""
    head = bytes(table[:HEADER_SIZE])
    if not head.startswith(MAGIC):
        raise ValueError("this is not a table of the values of Two Domains")
    text, _, rest = head[len(MAGIC) :].partition(b"\n")
    if len(head) < HEADER_SIZE or rest.strip() != f"{zlib.crc32(text):08x}".encode("ascii"):
        raise ValueError("the header of the table is damaged")
    facts: dict[str, Any] = json.loads(text)
    if facts["rules"] not in RULES:
        raise ValueError(f"the table is for version {facts['rules']} of the rules")
    if len(table) != table_size(facts["dice"]):
        raise ValueError(f"the table is incomplete: {len(table):,} of {table_size(facts['dice']):,} bytes")
    return facts


class ValueTable(PositionValues):
    """An oracle for best play without the limit of actions; endless play counts as a draw."""

    def __init__(self, table: memoryview) -> None:
        """Read the header. Raises ValueError with a reason for an invalid table."""
        self.facts = read_header(table)
        self._table = table
        self._blocks = {(own, other): at for own, other, at in blocks(self.facts["dice"])}

    def mover_value(self, mine: str, theirs: str) -> float | None:
        """Return the mover's probability of winning; None if the table doesn't contain the position."""
        at = self._blocks.get((len(mine), len(theirs)))
        if at is None:
            return None
        index = domain_index(mine) * domain_count(len(theirs)) + domain_index(theirs)
        value: float = _FLOAT.unpack_from(self._table, at + _FLOAT.size * index)[0]
        return value
