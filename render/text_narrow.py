"""A board of squares or hexagons as text for a phone: at most `COLUMNS` wide.

A place shows its piece, or the top of its pile and the height (`G3`). What takes more room is listed below:
the piles from bottom to top, and the marks as the brackets of the wide board around the names of places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.engine.scene import Grid, Hexes, Token
from render import geometry_grid, geometry_hex

COLUMNS = 34
"""Maximum width of a line in a code block on a common phone, in characters."""


def narrow_squares(
    board: Grid,
    turns: int,
    stacks: Mapping[str, tuple[Token, ...]],
    piles: Mapping[str, str],
    brackets: Sequence[tuple[tuple[str, str], Sequence[str]]],
    empty: str,
) -> Iterator[str]:
    """Yield the lines of a board.

    `piles` are the stacks as letters from bottom to top, by place; `brackets` are pairs of characters, each
    with the places that it encloses.
    """
    rows, left, below = geometry_grid.visible_rows(board, turns)
    ringed = board.special | board.forts
    gutter = max(map(len, left))
    width = 3 if gutter + 3 * len(below) <= COLUMNS else 2
    for label, row in zip(left, rows, strict=True):
        cells = (
            _cell(stacks.get(name, ()), "o" if name in ringed else empty) if name else "" for name in row
        )
        yield f"{label:>{gutter}}{''.join(f'{cell:>{width}}' for cell in cells)}".rstrip()
    yield " " * gutter + "".join(f"{label:>{width}}" for label in below)
    yield from _piles_and_marks(stacks, piles, brackets)


def narrow_hexagons(
    board: Hexes,
    turns: int,
    stacks: Mapping[str, tuple[Token, ...]],
    piles: Mapping[str, str],
    brackets: Sequence[tuple[tuple[str, str], Sequence[str]]],
) -> Iterator[str]:
    """Yield the lines of a board; an empty hexagon shows its number in the row, a special one `o`.

    The arguments are those of `narrow_squares`.
    """
    rows = geometry_hex.visible_rows(board, turns)
    longest = max(map(len, rows))
    width = max(2, min(4, (COLUMNS - 1) // longest))
    for row in rows:
        indent = 1 + (longest - len(row)) * width // 2
        cells = (_cell(stacks.get(name, ()), "o" if name in board.special else name[1:]) for name in row)
        yield f"{row[0][0]:<{indent}}{''.join(f'{cell:>{width}}' for cell in cells)}"
    yield from _piles_and_marks(stacks, piles, brackets)


def _piles_and_marks(
    stacks: Mapping[str, tuple[Token, ...]],
    piles: Mapping[str, str],
    brackets: Sequence[tuple[tuple[str, str], Sequence[str]]],
) -> Iterator[str]:
    """Yield the piles from bottom to top, and the marked places in their brackets."""
    tall = [f"{name} {piles[name]}" for name, stack in stacks.items() if len(stack) > 1]
    marked = [f"{opening}{name}{closing}" for (opening, closing), names in brackets for name in names]
    for listed in (tall, marked):
        if listed:
            yield ""
            yield from _wrapped(listed)


def _wrapped(listed: Sequence[str]) -> Iterator[str]:
    """Yield lines of as many items as fit, none of them broken."""
    line = ""
    for item in listed:
        longer = f"{line}  {item}" if line else item
        if line and len(longer) > COLUMNS:
            yield line
            longer = item
        line = longer
    yield line


def _cell(stack: Sequence[Token], empty: str) -> str:
    if not stack:
        return empty
    return stack[-1].code if len(stack) == 1 else f"{stack[-1].code[:1]}{len(stack)}"
