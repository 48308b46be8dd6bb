"""The picture of a position: two lines of dice that face each other, and panels with their scenarios.

The outlines of glyphs are bold: the narrowest strokes and gaps are about a tenth of the square, 3 pixels on a
phone.
"""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import Final, Literal

from games.engine.game import CHANCE, SeatLook
from games.engine.message import Msg, msg
from games.engine.scene import Badge, Glyph, Lines, Panel, Row, Scene, Token
from games.engine.scene_parts import Outline, arc, box, panel, panel_state, pieces
from games.two_domains import facts
from games.two_domains.actions import DICE
from games.two_domains.domain import Scenario, domain
from games.two_domains.facts import FACE_KEYS, place
from games.two_domains.rules import State


def _house(left: float, right: float, eaves: float, top: float, bottom: float = 0.12) -> Outline:
    """Return a house: walls up to the eaves and a slightly overhanging roof."""
    out = 0.06
    middle = (left + right) / 2
    return (
        (left, bottom), (right, bottom), (right, eaves), (right + out, eaves), (middle, top),
        (left - out, eaves), (left, eaves),
    )  # fmt: skip


def _tower(left: float, right: float, top: float, bottom: float = 0.1) -> Outline:
    """Return a tower with three battlements."""
    step, cut = (right - left) / 5, top - 0.1
    return (
        (left, bottom), (right, bottom), (right, top),
        (right - step, top), (right - step, cut), (right - 2 * step, cut), (right - 2 * step, top),
        (left + 2 * step, top), (left + 2 * step, cut), (left + step, cut), (left + step, top),
        (left, top),
    )  # fmt: skip


def _turned(outline: Outline, degrees: float) -> Outline:
    """Return an outline given around the origin, rotated and moved to the centre of the square."""
    c, s = cos(degrees * pi / 180), sin(degrees * pi / 180)
    return tuple((round(0.5 + x * c - y * s, 4), round(0.5 + x * s + y * c, 4)) for x, y in outline)


# Half the widths of a sword's blade, guard and grip; it points upwards.
_BLADE, _GUARD, _GRIP = 0.075, 0.19, 0.06
_HILT: Outline = (
    (_BLADE, -0.27), (_GUARD, -0.27), (_GUARD, -0.38), (_GRIP, -0.38), (_GRIP, -0.55),
    (-_GRIP, -0.55), (-_GRIP, -0.38), (-_GUARD, -0.38), (-_GUARD, -0.27), (-_BLADE, -0.27),
)  # fmt: skip
_TIP: Outline = ((-_BLADE, 0.46), (0.0, 0.6), (_BLADE, 0.46))
_GRIP_GAP = 0.13
_SWORD: Outline = (*_HILT, *_TIP)
_POINT_HALF: Outline = ((_BLADE, _GRIP_GAP), (-_BLADE, _GRIP_GAP), *_TIP)
_HILT_HALF: Outline = (*_HILT, (-_BLADE, -_GRIP_GAP), (_BLADE, -_GRIP_GAP))

GLYPHS: Final = {
    "king": Glyph(
        (
            ((0.12, 0.34), (0.88, 0.34), (0.97, 0.8), (0.7, 0.58), (0.5, 0.94), (0.3, 0.58), (0.03, 0.8)),
            box(0.12, 0.12, 0.88, 0.24),
        )
    ),
    "village": Glyph((_house(0.22, 0.78, 0.5, 0.92), box(0.42, 0.12, 0.58, 0.38))),
    "town": Glyph(
        (
            _house(0.08, 0.44, 0.36, 0.62),
            box(0.2, 0.12, 0.32, 0.28),
            _house(0.58, 0.92, 0.62, 0.9),
            box(0.69, 0.12, 0.81, 0.28),
            box(0.69, 0.42, 0.81, 0.54),
        )
    ),
    "city": Glyph(
        (
            _tower(0.02, 0.3, 0.62),
            _tower(0.36, 0.64, 0.94),
            _tower(0.7, 0.98, 0.62),
            box(0.11, 0.26, 0.21, 0.4),
            box(0.45, 0.56, 0.55, 0.72),
            box(0.43, 0.1, 0.57, 0.32),
            box(0.79, 0.26, 0.89, 0.4),
        )
    ),
    "capital": Glyph(
        (
            box(0.04, 0.06, 0.96, 0.17),  # the steps
            box(0.12, 0.22, 0.25, 0.42),
            box(0.34, 0.22, 0.46, 0.42),
            box(0.54, 0.22, 0.66, 0.42),
            box(0.75, 0.22, 0.88, 0.42),
            (
                (0.06, 0.46),
                (0.94, 0.46),
                (0.94, 0.55),
                *arc(0.5, 0.55, 0.28, 0, 180, corners=16),
                (0.06, 0.55),
            ),
            ((0.46, 0.85), (0.54, 0.85), (0.76, 0.92), (0.54, 0.99), (0.46, 0.99)),
        )
    ),
    "army": Glyph((_turned(_SWORD, 45), _turned(_POINT_HALF, -45), _turned(_HILT_HALF, -45))),
    "triangle": Glyph((((0.5, 0.95), (0.04, 0.14), (0.96, 0.14)),)),
    "square": Glyph((box(0.17, 0.17, 0.83, 0.83),)),
}


LOOKS: Final = (
    SeatLook(facts.SEAT_NAMES[0], "red", "triangle", "R", "▲"),
    SeatLook(facts.SEAT_NAMES[1], "blue", "square", "B", "■"),
)
"""The looks of the seats."""
LETTERS: Final = dict(zip("123456", "KVTCPA", strict=True))
"""A letter for each face: King, Village, Town, City, caPital, Army."""
_GAP: Final = msg("two_domains.board.gap")
_TONES: Final[dict[Scenario, Literal["good", "bad", "plain"]]] = {
    "authority": "good",
    "vigilance": "good",
    "consensus": "good",
    "turmoil": "bad",
    "dissonance": "bad",
    "civil_war": "bad",
    "endurance": "plain",
}


def draw(view: State, viewer: int | None) -> Scene:
    """Return the picture, with the viewer's line on the left; marks are added later from the facts."""
    tokens = tuple(
        Token(
            place(seat, at),
            FACE_KEYS[face],
            LOOKS[seat].ink,
            LETTERS[face],
            pips=int(face),
            name=facts.FACE_NAME[face],
        )
        for seat, dice in enumerate(view.domains)
        for at, face in enumerate(dice, 1)
    )
    return Scene(
        board(len(view.domains[0]), len(view.domains[1])),
        tokens,
        tuple(_panel(view, seat) for seat in (0, 1)),
        headline(view),
        turns=2 if viewer == 1 else 0,
        glyphs=GLYPHS,
    )


@cache
def board(red: int, blue: int) -> Lines:
    """Return the board with its labels, for domains with these numbers of dice."""
    labels = [label for seat, size in enumerate((red, blue)) for label in _labels(seat, size)]
    return Lines(DICE, _GAP, tuple(labels))


def _labels(seat: int, size: int) -> list[tuple[str, Msg]]:
    """Return a line's labels; with two dice Front and Gathering Place coincide, with one Front and Home."""
    found: list[tuple[str, Msg]] = []
    if size:
        found.append((place(seat, 1), msg("two_domains.board.home")))
    if size > 1:
        found.append((place(seat, 2), msg("two_domains.board.gathering")))
    if size:
        found.append((place(seat, size), msg("two_domains.board.front")))
    return found


def headline(state: State) -> Msg:
    """Return who is to act or how it ended; it names colours, not people, to fit into a picture."""
    names = facts.SEAT_NAMES
    if state.ended is not None and state.outcome is not None:
        ranks = state.outcome.ranks
        return facts.ending(state.ended, names, None if ranks == (1, 1) else ranks.index(1))
    if state.turn == CHANCE:
        return msg("two_domains.headline.chance")
    key = "two_domains.headline.roll" if state.roll else "two_domains.headline.move"
    return msg(key, who=names[state.turn])


def _panel(state: State, seat: int) -> Panel:
    own, look = domain(state.domains[seat]), LOOKS[seat]
    stands = panel_state(state.outcome, (0, 1), seat, acts=seat == state.turn)
    rows = (Row(msg("two_domains.panel.dice"), pieces(look, own.size)),)
    badges = tuple(Badge(facts.SCENARIO[name], _TONES[name]) for name in own.scenarios)
    return panel(seat, look, stands, rows, badges=badges)
