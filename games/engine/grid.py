"""Names and coordinates of squares: `a1` is the bottom left, files go right, ranks go up."""

from __future__ import annotations

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""North, east, south, west, as (file, rank) steps."""


def name(file: int, rank: int) -> str:
    """Return the name of the square at 0-based file and rank: `name(4, 3) == "e4"`."""
    return f"{chr(ord('a') + file)}{rank + 1}"


def squares(files: int, ranks: int, missing: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return all squares, rank by rank from the bottom, each from the left."""
    every = (name(f, r) for r in range(ranks) for f in range(files))
    return tuple(square for square in every if square not in missing)


def coordinates(square: str) -> tuple[int, int]:
    """Return the 0-based (file, rank) of a name, on any board. Raises ValueError if it names no square."""
    digits = square[1:]
    plain = square.isascii() and digits.isdecimal() and (digits == "0" or digits[0] != "0")
    if not plain or not "a" <= square[0] <= "z":
        raise ValueError(f"{square!r} is not the name of a square")
    return ord(square[0]) - ord("a"), int(digits) - 1


def ray(square: str, direction: tuple[int, int], on: frozenset[str]) -> tuple[str, ...]:
    """Return the squares from a square (not included) in one direction to the edge of the board."""
    file, rank = coordinates(square)
    met: list[str] = []
    while True:
        file, rank = file + direction[0], rank + direction[1]
        if file < 0 or rank < 0 or (there := name(file, rank)) not in on:
            return tuple(met)
        met.append(there)
