"""A board of squares as text for a phone: at most `COLUMNS` wide.

A square shows a piece, or the top of a pile and how many pieces it has (`G3`). What takes more room stands
below: the piles from bottom to top, and the marks with the brackets that a wide board has around its squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.engine.scene import Grid, Token
from render import geometry_grid

COLUMNS = 34
"""Characters of a line in a code block on a common phone."""


def narrow_squares(
    board: Grid,
    turns: int,
    stacks: Mapping[str, tuple[Token, ...]],
    piles: Mapping[str, str],
    brackets: Sequence[tuple[tuple[str, str], Sequence[str]]],
    empty: str,
) -> Iterator[str]:
    """Yield the lines of a board.

    `piles` are the stacks as letters from bottom to top; `brackets` are signs, each pair with the places it
    stands around.
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
    tall = [f"{name} {piles[name]}" for name, stack in stacks.items() if len(stack) > 1]
    marked = [f"{opening}{name}{closing}" for (opening, closing), names in brackets for name in names]
    for listed in (tall, marked):
        if listed:
            yield ""
            yield from _wrapped(listed)


def _wrapped(listed: Sequence[str]) -> Iterator[str]:
    """Yield as many items a line as there is room for, none of them broken."""
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
