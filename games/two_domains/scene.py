"""The picture of a position: two lines of dice that face each other, and panels with their scenarios."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

from games.engine.game import CHANCE, SeatLook
from games.engine.message import Msg, msg
from games.engine.panels import panel, panel_state, pieces
from games.engine.scene import Badge, Lines, Panel, Row, Scene, Token
from games.two_domains import facts
from games.two_domains.actions import DICE
from games.two_domains.domain import Scenario, domain
from games.two_domains.facts import FACE_KEYS, place
from games.two_domains.glyphs import GLYPHS
from games.two_domains.rules import State

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
