"""Squares by name: `a1` is the bottom left, files go right, ranks go up."""

from __future__ import annotations

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""North, east, south, west, as (file, rank) steps."""


def name(file: int, rank: int) -> str:
    """The name of the square at 0-based file and rank: `name(4, 3) == "e4"`."""
    return f"{chr(ord('a') + file)}{rank + 1}"


def squares(files: int, ranks: int, missing: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """All squares, rank by rank from the bottom, each from the left."""
    every = (name(f, r) for r in range(ranks) for f in range(files))
    return tuple(square for square in every if square not in missing)


def coordinates(square: str) -> tuple[int, int]:
    """0-based (file, rank) of a square's name, on a board or off it. Raises ValueError for anything else."""
    digits = square[1:]
    plain = square.isascii() and digits.isdecimal() and (digits == "0" or digits[0] != "0")
    if not plain or not "a" <= square[0] <= "z":
        raise ValueError(f"{square!r} is no square")
    return ord(square[0]) - ord("a"), int(digits) - 1


def ray(square: str, direction: tuple[int, int], on: frozenset[str]) -> tuple[str, ...]:
    """The squares met when walking from a square (not included) until the board ends."""
    file, rank = coordinates(square)
    met: list[str] = []
    while True:
        file, rank = file + direction[0], rank + direction[1]
        if file < 0 or rank < 0 or (there := name(file, rank)) not in on:
            return tuple(met)
        met.append(there)
