"""Scenes on a small map: two countries that touch, an island, a disc, and a link around the world."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.message import msg
from games.engine.scene import (
    Area,
    Badge,
    Ink,
    Item,
    Link,
    Map,
    Mark,
    Panel,
    Row,
    Scene,
    Token,
    Zone,
)
from tests.render.boards import GLYPHS, WORDS

WORDS.update(
    {
        "main": "Mainland 5",
        "sea": "Isles 2",
        "troops": "Armies",
        "steady": "Steady",
        "render.alt.changed": "Changed: {at}.",
        "render.alt.attacks": "Attacks: {at}.",
        "render.alt.capitals": "Capitals: {at}.",
    }
)
WEST = Area("west", (150, 150), (((60, 60), (250, 60), (260, 150), (250, 240), (60, 240)),))
EAST = Area("east", (350, 150), (((250, 60), (440, 60), (440, 240), (250, 240), (260, 150)),))
ISLE = Area(
    "isle", (620, 130), (((560, 60), (680, 60), (680, 200), (560, 200)), ((600, 260), (640, 260), (620, 300)))
)
ROCK = Area("rock", (620, 400))
SMALL = Map(
    (760, 480),
    (WEST, EAST, ISLE, ROCK),
    (
        Link(("east", "isle"), ((420, 150), (580, 150))),
        Link(("isle", "rock"), directed=True),
        Link(("west", "isle"), ((80, 200), (660, 180)), wraps=True),
    ),
    (
        Zone("blue", frozenset({"west", "east"}), msg("main"), (250, 350)),
        Zone("green", frozenset({"isle", "rock"}), msg("sea"), (700, 340)),
    ),
    seats=2,
)
SEATS: tuple[tuple[str, Ink, str], ...] = (
    ("R", "red", "square"),
    ("G", "green", "circle"),
    ("B", "blue", "triangle"),
    ("Y", "yellow", "diamond"),
    ("P", "purple", "square"),
    ("O", "orange", "circle"),
)
_INKS = {code: (ink, glyph) for code, ink, glyph in SEATS}


def map_scene(
    held: Mapping[str, tuple[str, int]],
    board: Map = SMALL,
    *,
    marks: tuple[Mark, ...] = (),
    seats: int = 2,
) -> Scene:
    """Build a scene; `held` maps areas to the letter of their owner and their count."""
    tokens = tuple(
        Token(at, _INKS[code][1], _INKS[code][0], code, count=count) for at, (code, count) in held.items()
    )
    panels = tuple(
        Panel(
            nth,
            msg("red" if code == "R" else "green"),
            glyph,
            ink,
            code,
            "waiting" if nth else "to_act",
            (Row(msg("troops"), (Item(glyph, ink, code, 7 + nth),)),),
            badges=() if nth else (Badge(msg("steady"), "good"),),
        )
        for nth, (code, ink, glyph) in enumerate(SEATS[:seats])
    )
    return Scene(board, tokens, panels, msg("red"), marks, glyphs=GLYPHS)


def war_scene() -> Scene:
    """Return a position with every kind of mark on maps."""
    marks = (
        Mark("arrow", "east", "green", "isle"),
        Mark("arrow", "west", "red", "isle"),
        Mark("captured", "isle"),
        Mark("changed", "isle"),
        Mark("capital", "west", "red"),
        Mark("legal", "rock"),
        Mark("hint", "east"),
    )
    return map_scene({"west": ("R", 12), "east": ("G", 3), "isle": ("G", 1)}, marks=marks)
