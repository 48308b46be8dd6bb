"""A board as monospaced text: rows as in the picture, piles as letters from bottom to top.

Marks are brackets around a place: `[to]`, `(from)`, `{captured}`, `<legal>`, `!hint!`. The shape of the text
doesn't depend on the language, only headline, names and labels do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import wrap

from games.engine.message import Msg
from games.engine.scene import Item, MarkKind, Panel, PanelState, Scene, Token
from render.geometry import rows_of
from render.piles import marks_at, piles

COLUMNS = 80
"""The widest a text gets on boards of up to 24 files."""

_BRACKETS: tuple[tuple[MarkKind, tuple[str, str]], ...] = (
    ("to", ("[", "]")),
    ("from", ("(", ")")),
    ("captured", ("{", "}")),
    ("hint", ("!", "!")),
    ("legal", ("<", ">")),
)
"""The first kind that a place bears decides."""

_STATES: dict[PanelState, tuple[str, str]] = {
    "to_act": ("►", ">"),
    "waiting": (" ", " "),
    "out": ("×", "x"),
    "won": ("★", "*"),
    "lost": (" ", " "),
    "drawn": ("=", "="),
}
"""Signs in front of seats, with and without Unicode."""


def text_board(scene: Scene, say: Callable[[Msg], str], *, unicode: bool = True) -> str:
    """Return the board, its headline and its seats as lines of text; without `unicode` the frame is ASCII.

    Raises ValueError, naming it, for a token or mark off the board and for two tokens in one spot.
    """
    rows, left, below = rows_of(scene.board, scene.turns)
    stacks, marks = piles(scene), marks_at(scene)
    gutter = max(map(len, left))
    room = max(1, (COLUMNS - gutter) // len(below) - 2)
    texts = {name: _pile(stack, room) for name, stack in stacks.items()}
    width = max([3, *map(len, texts.values())]) if max(map(len, texts.values()), default=1) > 1 else 1
    empty = "·" if unicode else "."
    lines = [say(scene.headline), ""]
    for label, row in zip(left, rows, strict=True):
        cells = "".join(_cell(name, texts.get(name, empty), marks, width) for name in row)
        lines.append(f"{label:>{gutter}}{cells}".rstrip())
    lines.append((" " * gutter + "".join(f" {label:^{width}} " for label in below)).rstrip())
    lines.append("")
    for panel in scene.panels:
        lines += _seat(panel, say, unicode)
    return "\n".join(lines)


def _cell(name: str, text: str, marks: dict[str, frozenset[MarkKind]], width: int) -> str:
    if not name:
        return " " * (width + 2)
    kinds = marks.get(name, frozenset())
    opening, closing = next((signs for kind, signs in _BRACKETS if kind in kinds), (" ", " "))
    return f"{opening + text + closing:^{width + 2}}"


def _pile(stack: Sequence[Token], room: int) -> str:
    """Return the letters of a pile; where they don't fit, how many lie hidden: `7+RG`."""
    codes = [token.code for token in stack]
    hidden = 0
    while (
        len(text := (f"{hidden}+" if hidden else "") + "".join(codes[hidden:])) > room
        and hidden < len(codes) - 1
    ):
        hidden += 1
    return text if len(text) <= room else codes[-1]


def items_of(items: Sequence[Item]) -> str:
    """Return what a row holds: `3 G, 2 R`."""
    return ", ".join(f"{item.count} {item.code}" for item in items)


def _seat(panel: Panel, say: Callable[[Msg], str], unicode: bool) -> list[str]:
    sign = _STATES[panel.state][0 if unicode else 1]
    team = "" if panel.team is None else f" ({panel.team + 1})"
    nothing = "–" if unicode else "-"
    rows = (f"{say(row.label)}: {items_of(row.items) or nothing}" for row in panel.rows)
    text = f"{sign} {panel.code} {say(panel.name)}{team}   " + "   ".join(rows)
    return wrap(text.rstrip(), COLUMNS, subsequent_indent="    ")
