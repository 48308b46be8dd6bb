"""Scenes on a large board of squares with zones, lines, forts and starts, made without a game.

The board has thirteen files and ranks: four kingdoms around a circle, each with three forts joined by lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sin

from games.engine.message import Msg, msg
from games.engine.scene import Badge, Glyph, Grid, Ink, Item, Mark, Panel, PanelState, Row, Scene, Token, Zone
from tests.render.boards import WORDS

SIDE = 13
KINGDOMS: Mapping[str, tuple[Ink, str]] = {
    "N": ("red", "zhao"),
    "E": ("yellow", "qi"),
    "S": ("blue", "chu"),
    "W": ("green", "liang"),
}
WORDS.update(
    {
        "zhao": "Zhao",
        "qi": "Qi",
        "chu": "Chu",
        "liang": "Liang",
        "circle": "Circle",
        "army": "Army",
        "free": "free Peasant",
        "recruit": "Peasant",
        "emperor": "Emperor",
        "prince": "Prince",
        "general": "General",
        "admiral": "Admiral",
        "sergeant": "Sergeant",
        "soldier": "Soldier",
        "holds": "2 territories",
        "render.alt.changed": "Changed: {at}.",
    }
)
KINDS = {"E": "emperor", "P": "prince", "G": "general", "A": "admiral", "R": "sergeant", "S": "soldier"}


def place_of(seat: str, x: int, y: int) -> str:
    """Return the place at a column and row of a seat's own land, as that seat sees it."""
    file, rank = {
        "S": (3 + x, y),
        "N": (9 - x, 12 - y),
        "E": (12 - y, 3 + x),
        "W": (y, 9 - x),
    }[seat]
    return "abcdefghijklm"[file] + str(rank + 1)


def _lines(seat: str) -> Iterator[tuple[str, str]]:
    for x in (1, 3, 5):
        for dx in (-1, 1):
            for dy in (-1, 1):
                yield place_of(seat, x, 1), place_of(seat, x + dx, 1 + dy)


CIRCLE = frozenset(
    "abcdefghijklm"[6 + x] + str(7 + y) for x in range(-3, 4) for y in range(-3, 4) if x * x + y * y <= 10
)
MIDDLE = tuple(f + r for f in "egi" for r in "579")
MARCHES = ("a3", "b2", "c1", "m3", "l2", "k1", "a11", "b12", "c13", "m11", "l12", "k13")
LARGE_BOARD = Grid(
    SIDE,
    SIDE,
    zones=(
        *(
            Zone(ink, frozenset(place_of(seat, x, y) for x in range(7) for y in range(3)), msg(name))
            for seat, (ink, name) in KINGDOMS.items()
        ),
        Zone("faint", CIRCLE),
    ),
    edges=frozenset(edge for seat in KINGDOMS for edge in _lines(seat)),
    forts=frozenset(place_of(seat, x, 1) for seat in KINGDOMS for x in (1, 3, 5)),
    starts=frozenset((*MIDDLE, *MARCHES)),
)


def _star(
    points: int, inner: float, outer: float = 0.5, turn: float = 0.0
) -> tuple[tuple[float, float], ...]:
    return tuple(
        (
            0.5 + (outer, inner)[k % 2] * sin(turn + pi * k / points),
            0.5 + (outer, inner)[k % 2] * cos(turn + pi * k / points),
        )
        for k in range(2 * points)
    )


GLYPHS: Mapping[str, Glyph] = {
    "emperor": Glyph((((0, 0.1), (1, 0.1), (1, 0.9), (0.72, 0.5), (0.5, 0.98), (0.28, 0.5), (0, 0.9)),)),
    "prince": Glyph((_star(5, 0.2),)),
    "general": Glyph((_star(2, 0.5, 0.5), ((0.35, 0.35), (0.65, 0.35), (0.65, 0.65), (0.35, 0.65)))),
    "admiral": Glyph((_star(4, 0.14, 0.5, pi / 4),)),
    "sergeant": Glyph((((0, 0.5), (0.5, 0.95), (1, 0.5), (1, 0.1), (0.5, 0.55), (0, 0.1)),)),
    "soldier": Glyph((((0.15, 0.1), (0.85, 0.1), (0.5, 0.9)),)),
    "recruit": Glyph((_star(12, 0.4, 0.4),)),
}
START: Mapping[tuple[int, int], str] = {
    (3, 0): "E",
    (2, 1): "G",
    (3, 1): "P",
    (4, 1): "A",
    (1, 1): "S",
    (5, 1): "S",
    (1, 2): "S",
    (2, 2): "R",
    (3, 2): "S",
    (4, 2): "R",
    (5, 2): "S",
}


def piece(seat: str, kind: str, place: str) -> Token:
    """Return a piece of a seat; `p` is a Peasant, whose seat may be none (`-`)."""
    glyph = KINDS.get(kind, "recruit")
    if seat == "-":
        return Token(place, glyph, "paper", "p", name=msg("free"))
    return Token(place, glyph, KINGDOMS[seat][0], seat + kind, name=msg(glyph), letter=kind.upper())


def army(seat: str) -> dict[str, Token]:
    return {place_of(seat, x, y): piece(seat, kind, place_of(seat, x, y)) for (x, y), kind in START.items()}


def large_scene(
    seats: str = "NESW",
    tokens: Mapping[str, Token] | None = None,
    marks: tuple[Mark, ...] = (),
    turns: int = 0,
    headline: Msg | None = None,
) -> Scene:
    """Build a scene of the large board; without `tokens`, of the start."""
    if tokens is None:
        tokens = {place: piece("-", "p", place) for place in (*MIDDLE, *(MARCHES if len(seats) > 3 else ()))}
        for seat in seats:
            tokens |= army(seat)
    panels = []
    for nth, seat in enumerate(seats):
        ink, name = KINGDOMS[seat]
        kinds = [token for token in tokens.values() if token.ink == ink]
        items = tuple(
            Item(glyph, ink, kind, count)
            for kind, glyph in (*KINDS.items(), ("p", "recruit"))
            if (count := sum(token.glyph == glyph for token in kinds))
        )
        badges = (Badge(msg("holds"), "good"),) if nth == 1 else ()
        state: PanelState = "waiting" if nth else "to_act"
        panels.append(
            Panel(nth, msg(name), "emperor", ink, seat, state, (Row(msg("army"), items),), badges=badges)
        )
    return Scene(
        LARGE_BOARD,
        tuple(tokens.values()),
        tuple(panels),
        headline or msg("zhao"),
        marks,
        turns,
        glyphs=GLYPHS,
    )


def battle_scene(turns: int = 0) -> Scene:
    """Return a position in play with every mark there is."""
    tokens: dict[str, Token] = {}
    for seat in KINGDOMS:
        tokens |= army(seat)
    for gone in ("e3", "k5", "k6", "c5", "f11"):
        del tokens[gone]
    tokens |= {place: piece("-", "p", place) for place in (*MIDDLE, "a3", "m11", "l12")}
    for seat, kind, place in (
        ("S", "p", "g5"),
        ("S", "S", "f6"),
        ("N", "S", "f8"),
        ("E", "R", "j6"),
        ("W", "p", "e7"),
        ("S", "A", "h8"),
        ("N", "G", "d9"),
    ):
        tokens[place] = piece(seat, kind, place)
    marks = (
        *(Mark("from", "e4"), Mark("to", "h8"), Mark("captured", "h8"), Mark("changed", "g5")),
        *(Mark("contested", "g9"), Mark("legal", "e10"), Mark("legal", "f8"), Mark("hint", "j6")),
        *(Mark("flag", "d13", "red"), Mark("flag", "k4", "blue"), Mark("flag", "g2", "blue")),
        Mark("flag", "a10", "green"),
    )
    return large_scene("NESW", tokens, marks, turns)
