"""The packed table: the values of all positions in a few megabytes, which ships with the game.

Seen as a matrix, by the mover's domain (rows) and the opponent's (columns), the values of a block have
far less in them than numbers: most of a domain's strength is the same against any opponent. So a block of
m rows and n columns is kept as two thin matrices A (m by r) and B (n by r) of small integers, with

    value(x, y) = sum over k of A[x, k] * B[y, k] / 2 ** shift[k]

which is the singular value decomposition cut off after r terms and rounded. Equal rows are kept once.
Rows are compressed in chunks, so that a look-up reads and unpacks two of them at most. All sums are exact in
64-bit floats, and so the same on every machine. Blocks against a single die are small, and exact.

`dominium solve two-domains --pack` writes the table, and docs/two-domains-solved.md shows how much it
differs from the exact one.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
import zlib
from array import array
from functools import cache, lru_cache
from math import ldexp
from operator import mul
from typing import Any, Final

from games.two_domains.value_table import RULES, PositionValues, domain_index

FILE_NAME: Final = "two-domains.packed"
HEADER_LIMIT: Final = 1 << 16
"""Most bytes of the header: the magic, one line of JSON, its CRC-32 in hex on the next line."""
MAGIC: Final = b"Dominium packed values of Two Domains, 1\n"
CHUNK: Final = 16
"""Rows that are compressed together."""
GAME_OVER: Final = 0xFFFF
"""Stands for a domain in Civil War in the list of rows."""
CERTAIN: Final = 1e-4
"""How far from 0 and 1 values stay at least: while a game goes on, nothing is certain."""

_KEPT_ROWS: Final = 512
_KEPT_CHUNKS: Final = 128


def format_packed(facts: dict[str, Any], body: bytes) -> bytes:
    """Return a packed table. `facts` contain rules, dice, blocks and anything else.

    Positions in `facts` are counted from the start of the body.

    Raises ValueError for facts that are too long.
    """
    facts = {**facts, "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    text = json.dumps(facts, sort_keys=True, separators=(",", ":")).encode("ascii")
    head = MAGIC + text + b"\n" + f"{zlib.crc32(text):08x}\n".encode("ascii")
    if len(head) > HEADER_LIMIT:
        raise ValueError("the facts don't fit into the header of a packed table")
    return head + body


def read_packed(table: memoryview) -> tuple[dict[str, Any], memoryview]:
    """Return the facts and the body of a packed table. Raises ValueError with a reason for an invalid one."""
    head = bytes(table[:HEADER_LIMIT])
    if not head.startswith(MAGIC):
        raise ValueError("this is not a packed table of the values of Two Domains")
    text, _, rest = head[len(MAGIC) :].partition(b"\n")
    if rest[:9] != f"{zlib.crc32(text):08x}\n".encode("ascii"):
        raise ValueError("the header of the packed table is damaged")
    facts: dict[str, Any] = json.loads(text)
    body = table[len(MAGIC) + len(text) + 10 :]
    if facts["rules"] not in RULES:
        raise ValueError(f"the packed table is for version {facts['rules']} of the rules")
    if len(body) != facts["bytes"]:
        raise ValueError(f"the packed table is incomplete: {len(body):,} of {facts['bytes']:,} bytes")
    if hashlib.sha256(body).hexdigest() != facts["sha256"]:
        raise ValueError("the packed table is damaged: its checksum is wrong")
    return facts, body


class PackedTable(PositionValues):
    """An oracle for best play by rounded values; endless play counts as a draw."""

    def __init__(self, table: memoryview) -> None:
        """Check the whole table. Raises ValueError with a reason for an invalid one."""
        self.facts, self._body = read_packed(table)
        self._blocks = {tuple(block["dice"]): block for block in self.facts["blocks"]}
        self._row_numbers = cache(self._read_row_numbers)
        self._chunk = lru_cache(_KEPT_CHUNKS)(self._read_chunk)
        self._row = lru_cache(_KEPT_ROWS)(self._read_row)
        self._exact = cache(self._read_exact)
        self._scales = cache(self._read_scales)

    def mover_value(self, mine: str, theirs: str) -> float | None:
        """Return the mover's probability of winning; None if the table doesn't contain the position."""
        size = len(mine), len(theirs)
        if size not in self._blocks:
            return None
        if size[1] == 1:
            return self._exact(size[0])[domain_index(mine)]
        left, right = self._row(size, "own", mine), self._row(size, "other", theirs)
        if left is None or right is None:
            return None
        value: float = sum(map(mul, left, right))
        return min(max(value, CERTAIN), 1.0 - CERTAIN)

    def _read_exact(self, own: int) -> array[float]:
        """Return the values against a single die, by the mover's domain."""
        return _little_endian("f", self._unpack(*self._blocks[own, 1]["exact"]))

    def _read_row(self, size: tuple[int, int], side: str, dice: str) -> array[float] | array[int] | None:
        """Return a domain's row of A or B, those of A divided by the powers of two; None in Civil War."""
        number = self._row_numbers(size, side)[domain_index(dice)]
        if number == GAME_OVER:
            return None
        block = self._blocks[size]
        wide = block[side]["wide"]
        row = struct.Struct(f"<{wide}h{len(block['shifts']) - wide}b")
        chunk, nth = divmod(number, CHUNK)
        found = row.unpack_from(self._chunk(size, side, chunk), nth * row.size)
        if side == "other":
            return array("h", found)
        return array("d", map(mul, found, self._scales(size)))

    def _read_scales(self, size: tuple[int, int]) -> tuple[float, ...]:
        """Return what each column of A is multiplied by: powers of two."""
        return tuple(ldexp(1.0, -shift) for shift in self._blocks[size]["shifts"])

    def _read_row_numbers(self, size: tuple[int, int], side: str) -> array[int]:
        """Return the number of the row of each domain."""
        return _little_endian("H", self._unpack(*self._blocks[size][side]["rows"]))

    def _read_chunk(self, size: tuple[int, int], side: str, chunk: int) -> bytes:
        return self._unpack(*self._blocks[size][side]["chunks"][chunk : chunk + 2])

    def _unpack(self, begin: int, end: int) -> bytes:
        return zlib.decompress(self._body[begin:end])


def _little_endian(code: str, data: bytes) -> array[Any]:
    """Return an array of numbers that were written with the lowest byte first."""
    found: array[Any] = array(code, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
