"""A scene as monospaced text: rows as in the picture, piles as letters from bottom to top.

Marks are brackets around a place: `[to]`, `(from)`, `{captured}`, `<legal>`, `!hint!`, `?contested?`,
`+changed+`. An empty place is a dot, or `o` with a ring or an octagon; an empty hexagon shows its number,
after an `o` if it has a ring. A line of dice is written from home to front, each die with its number and a
lost one as an empty place. A map is a table by zone: area, owner, count, neighbours; areas come after their
numbers if the picture shows numbers. Zone holders are listed below the seats. The shape of the text is the
same in all languages; only headline, names and labels differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Final, assert_never

from games.engine.message import Msg, msg
from games.engine.scene import (
    Board,
    Grid,
    Hexes,
    Ink,
    Lines,
    Map,
    MarkKind,
    Panel,
    PanelState,
    Row,
    Scene,
    Token,
)
from render import geometry_grid, geometry_hex, geometry_lines, text_narrow
from render.area_labels import shows_numbers
from render.piles import guards_at, marks_at, piles, zone_owners

COLUMNS = 80
"""Maximum width of a text, in characters, for up to 24 files or rows of up to 19 hexagons."""

TABLE_COLUMNS = 72
"""Maximum width of the table of a map, in characters."""

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


@dataclass(frozen=True, slots=True)
class _Content:
    """What lies where, and how to write it."""

    stacks: Mapping[str, tuple[Token, ...]]
    marks: Mapping[str, frozenset[MarkKind]]
    say: Callable[[Msg], str]
    empty: str

    def codes(self, room: int) -> dict[str, str]:
        """Return the piles as letters, each in at most `room` characters where possible."""
        return {name: _pile(stack, room) for name, stack in self.stacks.items()}

    def cell(self, name: str, text: str) -> str:
        """Return the text of a place in the brackets of its marks, or in spaces."""
        kinds = self.marks.get(name, frozenset())
        opening, closing = next((pair for kind, pair in _BRACKETS if kind in kinds), (" ", " "))
        return opening + text + closing


def text_board(scene: Scene, say: Callable[[Msg], str], *, unicode: bool = True, narrow: bool = False) -> str:
    """Return headline, board and seats as lines of text; without `unicode`, all symbols are ASCII.

    With `narrow`, a board of squares or hexagons and the text on seats fit the width of a phone. Raises
    ValueError for a token or mark off the board, and for two tokens in one spot.
    """
    board = scene.board
    content = _Content(piles(scene), marks_at(scene), say, "·" if unicode else ".")
    columns = text_narrow.COLUMNS if narrow else COLUMNS
    if narrow and isinstance(board, Grid | Hexes):
        rows = _narrow(board, scene.turns, content)
    elif isinstance(board, Grid):
        rows = _squares(board, scene.turns, content)
    elif isinstance(board, Hexes):
        rows = _hexagons(board, scene.turns, content)
    elif isinstance(board, Lines):
        rows = _lines(board, scene, content)
    elif isinstance(board, Map):
        rows = _table(board, scene, content)
    else:
        assert_never(board)
    head = [] if scene.watermark is None else [f"=== {say(scene.watermark)} ==="]
    lines = [*head, *wrap(say(scene.headline), columns), "", *(row.rstrip() for row in rows), ""]
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
    owned = [f"{say(name)}: {codes.get(ink, nobody)}" for name, ink in zone_owners(scene)]
    if isinstance(board, Map):
        owned = []
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


def _squares(board: Grid, turns: int, content: _Content) -> Iterator[str]:
    rows, left, below = geometry_grid.visible_rows(board, turns)
    ringed = board.special | board.forts
    gutter = max(map(len, left))
    texts = content.codes(max(1, (COLUMNS - gutter) // len(below) - 2))
    longest = max(map(len, texts.values()), default=1)
    width = max(3, longest) if longest > 1 else 1
    for label, row in zip(left, rows, strict=True):
        cells = (
            content.cell(name, texts.get(name, "o" if name in ringed else content.empty)) if name else ""
            for name in row
        )
        yield f"{label:>{gutter}}{''.join(f'{cell:^{width + 2}}' for cell in cells)}"
    yield " " * gutter + "".join(f" {label:^{width}} " for label in below)


def _narrow(board: Grid | Hexes, turns: int, content: _Content) -> Iterator[str]:
    brackets = [
        (pair, sorted(name for name, kinds in content.marks.items() if kind in kinds))
        for kind, pair in _BRACKETS
    ]
    piles = content.codes(COLUMNS)
    if isinstance(board, Hexes):
        return text_narrow.narrow_hexagons(board, turns, content.stacks, piles, brackets)
    return text_narrow.narrow_squares(board, turns, content.stacks, piles, brackets, content.empty)


def _hexagons(board: Hexes, turns: int, content: _Content) -> Iterator[str]:
    rows = geometry_hex.visible_rows(board, turns)
    longest = max(map(len, rows))
    width = max(2, min(6, (COLUMNS - 2) // longest) // 2 * 2 - 2)
    texts = content.codes(width)
    for row in rows:
        indent = (longest - len(row)) * (width + 2) // 2
        cells = (
            content.cell(name, texts.get(name, ("o" if name in board.special else "") + name[1:]))
            for name in row
        )
        yield f"{row[0][0]} {' ' * indent}{''.join(f'{cell:^{width + 2}}' for cell in cells)}"


def _lines(board: Lines, scene: Scene, content: _Content) -> Iterator[str]:
    """Yield each line of dice with the names of its places below, and the gap between them."""
    seats = {"ab"[panel.seat]: panel.code for panel in scene.panels if panel.seat in (0, 1)}
    width = max((len(code) for code in seats.values()), default=1)
    names: dict[str, list[str]] = {}
    for at, what in board.labels:
        names.setdefault(at[0], []).append(f"{content.say(what)}: {at[1:]}")
    dice = {at: f"{at[1:]}:{_die(content.stacks.get(at, ()), content.empty)}" for at in board.places}
    longest = max(map(len, dice.values())) + 2
    order = geometry_lines.line_order(scene.turns)
    for line in order:
        places = (f"{line}{n}" for n in range(1, board.length + 1))
        row = " ".join(f"{content.cell(at, dice[at]):<{longest}}" for at in places)
        yield from wrap(
            f"{seats.get(line, line):<{width}} {row.rstrip()}",
            COLUMNS,
            subsequent_indent=" " * (width + 2),
            drop_whitespace=False,
        )
        yield from wrap(
            "   ".join(names.get(line, ())),
            COLUMNS,
            initial_indent=" " * (width + 2),
            subsequent_indent=" " * (width + 2),
        )
        if line == order[0]:
            yield f"{' ' * (width + 2)}~ {content.say(board.gap)} ~"


def _table(board: Map, scene: Scene, content: _Content) -> Iterator[str]:
    """Yield each zone with its holder and its areas below, and last the attacks."""
    codes: dict[Ink | None, str] = {token.ink: token.code for token in scene.tokens if token.name is not None}
    codes |= {panel.ink: panel.code for panel in scene.panels}
    held = dict(zone_owners(scene))
    zoned = frozenset(place for zone in board.zones for place in zone.places)
    groups = [(zone.name, zone.places) for zone in board.zones]
    groups.append((None, board.places - zoned))
    long = max(map(len, board.places), default=1)
    numbers = (
        {area.name: f"{nth:>3} " for nth, area in enumerate(board.areas, 1)} if _shows_numbers(board) else {}
    )
    for name, places in groups:
        seen = [area.name for area in board.areas if area.name in places & board.places]
        if seen and name is not None:
            holder = codes.get(held.get(name))
            yield from wrap(content.say(name) + (f": {holder}" if holder else ""), TABLE_COLUMNS)
        for place in seen:
            yield from _area_lines(board, place, content, long, numbers.get(place, ""))
    attacks = dict.fromkeys(f"{mark.at}>{mark.to}" for mark in scene.marks if mark.kind == "arrow")
    if attacks:
        yield ""
        yield from wrap(content.say(msg("render.alt.attacks", at=", ".join(attacks))), TABLE_COLUMNS)


def _shows_numbers(board: Map) -> bool:
    """Tell whether the picture of the whole map shows numbers instead of codes."""
    return shows_numbers(board if board.window is None else replace(board, window=None))


def legend(board: Board) -> str:
    """Return what the numbers on a picture mean, `12 = Kamchatka (kam)`; an empty string if it shows none."""
    if not isinstance(board, Map) or not shows_numbers(board):
        return ""
    return "\n".join(
        f"{nth} = {area.title or area.name} ({area.name})"
        for nth, area in enumerate(board.areas, 1)
        if area.name in board.places
    )


def _area_lines(board: Map, place: str, content: _Content, width: int, number: str) -> Iterator[str]:
    """Yield the lines of an area: number, name with its marks, owner's letter, count, neighbours."""
    stack = content.stacks.get(place, ())
    who, count = (stack[-1].code, str(stack[-1].count)) if stack else (content.empty, "")
    start = f"{number}{content.cell(place, place):<{width + 2}}{who:>2}{count:>4} "
    yield from wrap(
        " ".join(board.neighbours[place]),
        TABLE_COLUMNS,
        initial_indent=start,
        subsequent_indent=" " * len(start),
    ) or [start]


def _die(stack: Sequence[Token], empty: str) -> str:
    """Return a die as its letters and its pips: `V2`."""
    return f"{stack[-1].code}{stack[-1].pips or ''}" if stack else empty


def _pile(stack: Sequence[Token], room: int) -> str:
    """Return the letters of a pile, after the number of those left out if they don't fit: `7+RG`."""
    codes = [token.code for token in stack]
    hidden = 0
    while (
        len(text := (f"{hidden}+" if hidden else "") + "".join(codes[hidden:])) > room
        and hidden < len(codes) - 1
    ):
        hidden += 1
    return text if len(text) <= room else codes[-1]


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
