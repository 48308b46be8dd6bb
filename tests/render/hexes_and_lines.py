"""Scenes on hexagons and on lines of dice, and curves of matches, made without a game."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.lookback import WinChart
from games.engine.message import Msg, msg
from games.engine.scene import (
    Badge,
    Grid,
    Hexes,
    Ink,
    Item,
    Lines,
    Mark,
    Panel,
    PanelState,
    Row,
    Scene,
    Token,
)
from tests.render.boards import GLYPHS, WORDS

SPAWNS = frozenset({"a1", "a4", "g1", "g4"})
HEX4 = Hexes((4, 5, 6, 7, 6, 5, 4), SPAWNS)
SMALL = Hexes((2, 3, 2), frozenset({"a1"}))
RINGED = Grid(3, 3, special=frozenset({"a1", "c3"}))

WORDS.update(
    {
        "black": "Black",
        "lost": "Lost",
        "home": "Home",
        "meeting": "Meeting",
        "front": "Front",
        "gap": "Nowhere",
        "face": "{name}",
        "steady": "Steady",
        "torn": "Torn",
        "alone": "Alone",
        "render.alt.guard": "Guarded by {name}: {at}.",
        "render.alt.special": "Ringed: {at}.",
        "render.alt.lost": "lost {at}",
        "render.alt.attacked": "Attack from {at}.",
        "render.alt.changed": "Changed: {at}.",
    }
)
FACES = ("one", "two", "three", "four", "five", "six")
BADGES = (
    Badge(msg("steady"), "good"),
    Badge(msg("torn"), "bad"),
    Badge(msg("alone"), "plain"),
)


def _panel(seat: int, ink: Ink, count: int, state: PanelState, badges: tuple[Badge, ...]) -> Panel:
    glyph, code = ("square", "circle")[seat], ("R", "B")[seat]
    rows = (Row(msg("lost"), (Item(glyph, ink, code, count),) if count else ()),)
    return Panel(seat, msg(ink), glyph, ink, code, state, rows, badges=badges)


def hexes(
    pieces: Mapping[str, str],
    board: Hexes | Grid = HEX4,
    *,
    marks: tuple[Mark, ...] = (),
    turns: int = 0,
    badges: tuple[Badge, ...] = (),
) -> Scene:
    """Build a scene of two seats; `pieces` are places to R or B."""
    inks: dict[str, Ink] = {"R": "red", "B": "black"}
    glyphs = {"R": "square", "B": "circle"}
    tokens = tuple(Token(at, glyphs[code], inks[code], code) for at, code in pieces.items())
    panels = (_panel(0, "red", 1, "to_act", badges), _panel(1, "black", 0, "waiting", ()))
    return Scene(board, tokens, panels, msg("red"), marks, turns, GLYPHS)


def lines(
    left: str,
    right: str,
    *,
    marks: tuple[Mark, ...] = (),
    turns: int = 0,
    badges: tuple[Badge, ...] = (),
    length: int = 5,
    labels: tuple[tuple[str, Msg], ...] | None = None,
) -> Scene:
    """Build a scene of two lines of dice, each a text of faces from home to front."""
    names: list[tuple[str, Msg]] = []
    tokens: list[Token] = []
    for line, dice, ink in (("a", left, "red"), ("b", right, "blue")):
        glyphs = dict(
            zip("123456", ("circle", "square", "triangle", "diamond", "circle", "square"), strict=True)
        )
        piece: Ink = "red" if ink == "red" else "blue"
        for n, face in enumerate(dice, 1):
            name = msg("face", name=FACES[int(face) - 1])
            tokens.append(Token(f"{line}{n}", glyphs[face], piece, "F", pips=int(face), name=name))
        names += [(f"{line}1", msg("home"))] if dice else []
        names += [(f"{line}2", msg("meeting"))] if len(dice) > 1 else []
        names += [(f"{line}{len(dice)}", msg("front"))] if dice else []
    board = Lines(length, msg("gap"), tuple(names) if labels is None else labels)
    panels = (
        _panel(0, "red", length - len(left), "to_act", badges),
        _panel(1, "blue", length - len(right), "waiting", badges[:1]),
    )
    return Scene(board, tuple(tokens), panels, msg("red"), marks, turns, GLYPHS)


def curve(
    points: tuple[float, ...], flags: tuple[tuple[int, int], ...] = (), headline: Msg | None = None
) -> WinChart:
    """Build the curve of a match between Red and Black."""
    seats = (_panel(0, "red", 0, "won", ()), _panel(1, "black", 0, "lost", ()))
    return WinChart(points, seats, headline or msg("wins", who=msg("red")), flags, GLYPHS)


EVERY = (
    hexes({"a1": "R", "d4": "B", "e4": "R"}, marks=(Mark("from", "d3"), Mark("to", "d4"))),
    hexes({"a1": "R", "c1": "B"}, RINGED, badges=BADGES),
    lines("12345", "226", marks=(Mark("from", "a5"), Mark("captured", "b4")), badges=BADGES),
)
"""A scene of each kind that `boards` doesn't have."""
