"""Scenes for testing pictures: the four set-ups of Focus, positions in play, and the fullest board.

They are made without the game, so that pictures are tested on everything that a scene may contain, not on
what one game produces. Set-ups: docs/rules/focus.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin
from random import Random
from typing import Literal

from PIL import Image

from games.engine.message import Msg, Who, msg
from games.engine.scene import Glyph, Grid, Ink, Item, Mark, Panel, PanelState, Row, Scene, Token
from render.colour import RGB
from render.themes import to_palette

MISSING = frozenset(["a1", "b1", "g1", "h1", "a2", "h2", "a7", "h7", "a8", "b8", "g8", "h8"])
BOARD = Grid(8, 8, MISSING)
PLACES = [f + r for r in "12345678" for f in "abcdefgh" if f + r not in MISSING]


def _ring(corners: int, radius: float, turn: float = 0.0) -> tuple[tuple[float, float], ...]:
    return tuple(
        (0.5 + radius * sin(turn + 2 * pi * k / corners), 0.5 + radius * cos(turn + 2 * pi * k / corners))
        for k in range(corners)
    )


GLYPHS: Mapping[str, Glyph] = {
    "circle": Glyph((_ring(40, 0.46), _ring(40, 0.22))),
    "square": Glyph((_ring(4, 0.58, pi / 4),)),
    "triangle": Glyph((((0.5, 0.95), (0.98, 0.1), (0.02, 0.1)),)),
    "diamond": Glyph((_ring(4, 0.52), _ring(4, 0.2))),
}

SEATS: dict[str, tuple[Ink, str]] = {
    "R": ("red", "square"),
    "G": ("green", "circle"),
    "B": ("blue", "triangle"),
    "Y": ("yellow", "diamond"),
}
ORDER = {2: "RG", 3: "RGB", 4: "GBYR"}

SetUp = Literal["2", "3", "4", "pairs"]
SET_UPS: tuple[SetUp, ...] = ("2", "3", "4", "pairs")

WORDS = {
    "green": "Green",
    "red": "Red",
    "blue": "Blue",
    "yellow": "Yellow",
    "reserve": "Reserve",
    "captured": "Captured",
    "to_move": "{who} to move",
    "wins": "{who} wins by domination",
    "three towers": "three towers",
    "long": "x" * 300,
    "render.alt.order": "Piles from bottom to top.",
    "render.alt.seat": "{name} ({code}): {piles}.",
    "render.alt.nothing": "none",
    "render.alt.out": "Out.",
    "render.alt.others": "Others: {piles}.",
    "render.alt.more": "{n} more piles don't fit here.",
    "render.alt.move": "Last move: {start} to {end}.",
    "render.alt.from": "Moved from {at}.",
    "render.alt.to": "Moved to {at}.",
    "render.alt.captured": "Captured at {at}.",
    "render.alt.legal": "Possible: {at}.",
    "render.alt.hint": "Hint: {at}.",
}


def say(message: Msg) -> str:
    """Return a message in the language of these tests."""
    values: dict[str, object] = {}
    for name, value in message.values:
        if isinstance(value, Who):
            values[name] = ("Red", "Green", "Blue", "Yellow")[value.seat % 4]
        else:
            values[name] = say(value) if isinstance(value, Msg) else value
    return WORDS[message.key].format(**values)


def nearest_index(key: str, colour: RGB) -> int:
    """Return the index of the colour nearest to `colour` in the palette of a theme."""
    return to_palette(Image.new("RGB", (1, 1), colour), key).tobytes()[0]


def set_up(kind: SetUp) -> dict[str, str]:
    """Return the piles at the start, from bottom to top, by place."""
    found: dict[str, str] = {}
    for at in PLACES:
        j, i = "abcdefgh".index(at[0]), 8 - int(at[1])
        inner = 1 <= j <= 6 and 1 <= i <= 6
        if kind == "2" and inner:
            found[at] = "RG"[(i - 1 + (j - 1) // 2) % 2]
        elif kind == "3" and inner:
            found[at] = "RGB"[((j - 1) // 2 - (i - 1)) % 3]
        elif kind in ("4", "pairs"):
            quarter = ("BY" if j < 4 else None) if i < 4 else None
            if quarter:
                found[at] = "B" if i % 2 == 0 else "Y"
            elif i < 4:
                found[at] = "R" if j % 2 == 0 else "Y"
            elif j < 4:
                found[at] = "G" if j % 2 == 0 else "B"
            else:
                found[at] = "G" if i % 2 == 0 else "R"
    return found


def scene(
    piles: Mapping[str, str],
    kind: SetUp = "2",
    *,
    to_act: str | None = None,
    marks: tuple[Mark, ...] = (),
    turns: int = 0,
    reserves: Mapping[str, int] | None = None,
    captured: Mapping[str, Mapping[str, int]] | None = None,
    states: Mapping[str, PanelState] | None = None,
    headline: Msg | None = None,
    board: Grid = BOARD,
) -> Scene:
    """Build a scene of Focus as its game would."""
    order = ORDER[4 if kind == "pairs" else int(kind)]
    mover = to_act or order[0]
    panels = []
    for seat, code in enumerate(order):
        ink, glyph = SEATS[code]
        kept = (reserves or {}).get(code, 0)
        taken = (captured or {}).get(code, {})
        panels.append(
            Panel(
                seat=seat,
                name=msg(ink),
                glyph=glyph,
                ink=ink,
                code=code,
                state=(states or {}).get(code, "to_act" if code == mover else "waiting"),
                rows=(
                    Row(msg("reserve"), (Item(glyph, ink, code, kept),) if kept else ()),
                    Row(
                        msg("captured"), tuple(Item(SEATS[c][1], SEATS[c][0], c, n) for c, n in taken.items())
                    ),
                ),
                team=seat % 2 if kind == "pairs" else None,
            )
        )
    tokens = tuple(
        Token(at, SEATS[code][1], SEATS[code][0], code, level)
        for at, pile in piles.items()
        for level, code in enumerate(pile)
    )
    who = Who("RGBY".index(mover))
    return Scene(
        board, tokens, tuple(panels), headline or msg("to_move", who=who), marks, turns, glyphs=GLYPHS
    )


def start(kind: SetUp) -> Scene:
    """Return a set-up as a scene."""
    return scene(set_up(kind), kind, reserves=dict.fromkeys("RGB", 1) if kind == "3" else None)


def midgame(kind: SetUp = "2", seed: int = 1) -> Scene:
    """Return a position in the middle of a match: 26 places in use, piles of one to five."""
    chance = Random(seed)
    codes = ORDER[4 if kind == "pairs" else int(kind)]
    piles = {
        at: "".join(chance.choices(codes, k=chance.choice((1, 1, 2, 2, 3, 4, 5))))
        for at in chance.sample(PLACES, 26)
    }
    piles |= {"e4": "RGGRG", "c5": "GRR", "d2": codes[-1] * 2}
    piles.pop("b4", None)
    marks = (Mark("from", "b4"), Mark("to", "e4"), Mark("captured", "e4"))
    return scene(
        piles,
        kind,
        marks=marks,
        reserves={"G": 3},
        captured={
            code: {other: n + 1 for n, other in enumerate(codes) if other != code} for code in codes[:2]
        },
    )


def fullest(kind: SetUp = "4", seed: int = 2) -> Scene:
    """Return the fullest board there can be: 52 piles of five, with pieces in every reserve, and marks."""
    chance = Random(seed)
    codes = ORDER[4 if kind == "pairs" else int(kind)]
    piles = {at: "".join(chance.choices(codes, k=5)) for at in PLACES}
    return scene(
        piles,
        kind,
        marks=(Mark("from", "b4"), Mark("to", "e4"), Mark("captured", "e4")),
        reserves=dict.fromkeys(codes, 12),
        captured={code: {other: 13 for other in codes if other != code} for code in codes},
    )
