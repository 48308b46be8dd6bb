"""The cells of a text board: piles as letters, and marks as brackets around places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.engine.message import Msg
from games.engine.scene import MarkKind, Token

COLUMNS = 80
"""Maximum width of a text, in characters, for up to 24 files or rows of up to 19 hexagons."""

PHONE_COLUMNS = 34
"""Maximum width of a line in a code block on a common phone, in characters."""

_BRACKETS: tuple[tuple[MarkKind, tuple[str, str]], ...] = (
    ("to", ("[", "]")),
    ("from", ("(", ")")),
    ("captured", ("{", "}")),
    ("hint", ("!", "!")),
    ("legal", ("<", ">")),
    ("contested", ("?", "?")),
    ("changed", ("+", "+")),
)
"""The brackets of each kind of mark; the first kind on a place decides."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What lies where, and how to write it."""

    stacks: Mapping[str, tuple[Token, ...]]
    marks: Mapping[str, frozenset[MarkKind]]
    say: Callable[[Msg], str]
    empty: str
    columns: int
    """Maximum width of a line."""
    phone: bool
    """Whether to leave out brackets and the lower pieces of piles, and to list them below the board."""

    def codes(self, room: int) -> dict[str, str]:
        """Return the piles as letters, each in at most `room` characters where possible.

        For a phone, return the piece, or the top of a pile and the height (`G3`).
        """
        if self.phone:
            tops = ((name, stack[-1].code, len(stack)) for name, stack in self.stacks.items())
            return {name: code if high == 1 else f"{code[:1]}{high}" for name, code, high in tops}
        return {name: _letters(stack, room) for name, stack in self.stacks.items()}

    def cell(self, name: str, text: str) -> str:
        """Return the text of a place, in the brackets of its marks or in spaces if not for a phone."""
        if self.phone:
            return text
        kinds = self.marks.get(name, frozenset())
        opening, closing = next((pair for kind, pair in _BRACKETS if kind in kinds), (" ", " "))
        return opening + text + closing

    def details(self) -> Iterator[str]:
        """Yield what is left out: the piles from bottom to top, and the marked places in brackets."""
        tall = [f"{name} {_letters(stack, COLUMNS)}" for name, stack in self.stacks.items() if len(stack) > 1]
        marked = [
            opening + name + closing
            for kind, (opening, closing) in _BRACKETS
            for name in sorted(name for name, kinds in self.marks.items() if kind in kinds)
        ]
        for listed in filter(None, (tall, marked) if self.phone else ()):
            line = ""
            for item in listed:
                longer = f"{line}  {item}" if line else item
                if not line or len(longer) > PHONE_COLUMNS:
                    yield line
                    longer = item
                line = longer
            yield line


def _letters(stack: Sequence[Token], room: int) -> str:
    """Return the letters of a pile, after the number of those left out if they don't fit: `7+RG`."""
    codes = [token.code for token in stack]
    hidden = 0
    while (
        len(text := (f"{hidden}+" if hidden else "") + "".join(codes[hidden:])) > room
        and hidden < len(codes) - 1
    ):
        hidden += 1
    return text if len(text) <= room else codes[-1]
