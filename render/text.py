"""A scene as monospaced text: rows as in the picture, piles as letters from bottom to top.

Marks are brackets around a place: `[to]`, `(from)`, `{captured}`, `<legal>`, `!hint!`, `?contested?`,
`+changed+`. An empty place is a dot, or `o` with a ring or an octagon; an empty hexagon shows its number,
after an `o` if it has a ring. A line of dice is written from home to front, each die with its number and a
lost one as an empty place. A map is a table by zone: area, owner, count, neighbours; areas come after their
numbers if the picture shows numbers. Zone holders are listed below the seats. The shape of the text is the
same in all languages; only headline, names and labels differ.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap
from typing import Final

from games.engine.message import Msg, msg
from games.engine.scene import Ink, Panel, PanelState, Row, Scene
from render.board_contents import guards_at, marks_at, piles, zone_owners
from render.kinds import kind_of, layout
from render.text_cells import COLUMNS, PHONE_COLUMNS, Cells

_STATES: dict[PanelState, tuple[str, str]] = {
    "to_act": ("►", ">"),
    "waiting": (" ", " "),
    "out": ("×", "x"),
    "won": ("★", "*"),
    "lost": (" ", " "),
    "drawn": ("=", "="),
}
"""Symbols before seats, in Unicode and in ASCII."""

_HELD: Final = "\N{NO-BREAK SPACE}"
"""A space at which a short part of a seat's line isn't broken."""


def text_board(scene: Scene, say: Callable[[Msg], str], *, unicode: bool = True, narrow: bool = False) -> str:
    """Return headline, board and seats as lines of text; without `unicode`, all symbols are ASCII.

    With `narrow` they fit the width of a phone. Raises ValueError for an invalid board, a token or mark off
    the board, and for two tokens in one spot.
    """
    board, kind = scene.board, kind_of(scene.board)
    layout(board, scene.turns)
    columns = PHONE_COLUMNS if narrow else COLUMNS
    empty = "·" if unicode else "."
    cells = Cells(piles(scene), marks_at(scene), say, empty, columns, narrow and kind.brief)
    head = [] if scene.watermark is None else [f"=== {say(scene.watermark)} ==="]
    lines = [
        *head,
        *wrap(say(scene.headline), columns),
        "",
        *map(str.rstrip, kind.rows(board, scene, cells)),
        "",
    ]
    guarded = guards_at(scene)
    for panel in scene.panels:
        lines += _seat_lines(panel, say, unicode, columns)
    lines += [f"  {code} {name}" for code, name in _unseated_owners(scene, say).items()]
    for panel in scene.panels:
        if places := " ".join(name for name, inks in guarded.items() if panel.ink in inks):
            text = say(msg("render.alt.guard", name=panel.code, at=places))
            lines += wrap(text, columns, subsequent_indent="    ")
    codes: dict[Ink | None, str] = {panel.ink: panel.code for panel in scene.panels}
    nobody = "–" if unicode else "-"
    zones = () if board.armies else zone_owners(scene)  # the rows name who holds the zones of armies
    owned = [f"{say(name)}: {codes.get(ink, nobody)}" for name, ink in zones]
    capitals = [f"{codes.get(m.ink, nobody)} {m.at}" for m in scene.marks if m.kind == "capital"]
    if capitals:
        lines += wrap(
            say(msg("render.alt.capitals", at=", ".join(capitals))), columns, subsequent_indent="    "
        )
    lines += wrap("   ".join(owned), columns, subsequent_indent="    ")
    return "\n".join(lines)


def _unseated_owners(scene: Scene, say: Callable[[Msg], str]) -> dict[str, str]:
    """Return the names of armies that no seat commands, by their letters."""
    seats = {panel.ink for panel in scene.panels}
    free = [token for token in scene.tokens if token.count and token.ink not in seats]
    return {token.code: say(token.name) for token in free if token.name is not None}


def row_text(row: Row, say: Callable[[Msg], str], *, letters: bool = False, nothing: str = "–") -> str:
    """Return a panel's row in words: `Army: 5 Soldiers, 1 Prince`; with letters `Army: 5 S, 1 P`."""
    items = (
        f"{item.count} {item.code}" if letters or item.label is None else say(item.label)
        for item in row.items
    )
    held = ", ".join(items) or nothing
    return held if row.legend and row.items and not letters else f"{say(row.label)}: {held}"


def _seat_lines(panel: Panel, say: Callable[[Msg], str], unicode: bool, columns: int) -> list[str]:
    symbol = _STATES[panel.state][0 if unicode else 1]
    team = "" if panel.team is None else f" ({panel.team + 1})"
    nothing = "–" if unicode else "-"
    tones = {"good": "✓" if unicode else "+", "bad": "!", "plain": "•" if unicode else "*"}
    parts = [f"{tones[badge.tone]} {say(badge.label)}" for badge in panel.badges]
    parts += (row_text(row, say, nothing=nothing) for row in panel.rows)
    held = (part.replace(" ", _HELD) if len(part) <= columns // 2 else part for part in parts)
    text = f"{symbol} {panel.code} {say(panel.name)}{team}   " + "   ".join(held)
    return [line.replace(_HELD, " ") for line in wrap(text.rstrip(), columns, subsequent_indent="    ")]
