"""The table of exact values: its file format, and an oracle that looks up positions in it.

`dominium solve two-domains` writes the table; docs/two-domains-solved.md explains its values. Only what is
looked up is read, so that the table can be a file mapped into memory. `packed_table` is a small stand-in.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from games.two_domains.position_values import PositionValues

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
