"""How a position looks: two lines of dice that face each other, and what each domain is in the state of."""

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
from games.two_domains.facts import NAMES, place
from games.two_domains.glyphs import GLYPHS
from games.two_domains.rules import State

LOOKS: Final = (
    SeatLook(facts.SEAT_NAMES[0], "red", "triangle", "R", "▲"),
    SeatLook(facts.SEAT_NAMES[1], "blue", "square", "B", "■"),
)
"""How the seats are named and shown."""
LETTERS: Final = dict(zip("123456", "KVTCPA", strict=True))
"""A face in one letter: King, Village, Town, City, caPital, Army."""
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


def draw(state: State, viewer: int | None) -> Scene:
    """The picture of a position, the viewer's line on the left. Marks are added from what happened."""
    tokens = tuple(
        Token(
            place(seat, at),
            NAMES[face],
            LOOKS[seat].ink,
            LETTERS[face],
            pips=int(face),
            name=facts.FACE[face],
        )
        for seat, dice in enumerate(state.domains)
        for at, face in enumerate(dice, 1)
    )
    return Scene(
        board(len(state.domains[0]), len(state.domains[1])),
        tokens,
        tuple(_panel(state, seat) for seat in (0, 1)),
        headline(state),
        turns=2 if viewer == 1 else 0,
        glyphs=GLYPHS,
    )


@cache
def board(red: int, blue: int) -> Lines:
    """Both lines with their labels, for domains of so many dice."""
    labels = [label for seat, size in enumerate((red, blue)) for label in _labels(seat, size)]
    return Lines(DICE, _GAP, tuple(labels))


def _labels(seat: int, size: int) -> list[tuple[str, Msg]]:
    """With two dice Front and Gathering Place are one, with one die Front and Home."""
    found: list[tuple[str, Msg]] = []
    if size:
        found.append((place(seat, 1), msg("two_domains.board.home")))
    if size > 1:
        found.append((place(seat, 2), msg("two_domains.board.gathering")))
    if size:
        found.append((place(seat, size), msg("two_domains.board.front")))
    return found


def headline(state: State) -> Msg:
    """The one sentence of the moment; it names colours, not people, so that it fits into a picture."""
    names = facts.SEAT_NAMES
    if state.ended is not None and state.outcome is not None:
        ranks = state.outcome.ranks
        return facts.ending(state.ended, names, None if ranks == (1, 1) else ranks.index(1))
    if state.turn == CHANCE:
        return msg("two_domains.headline.chance")
    who = names[state.turn]
    if state.roll:
        return msg("two_domains.headline.roll", who=who)
    return msg("two_domains.headline.move", who=who)


def _panel(state: State, seat: int) -> Panel:
    own, look = domain(state.domains[seat]), LOOKS[seat]
    stands = panel_state(state.outcome, (0, 1), seat, acts=seat == state.turn)
    rows = (Row(msg("two_domains.panel.dice"), pieces(look, own.size)),)
    badges = tuple(Badge(facts.SCENARIO[name], _TONES[name]) for name in own.scenarios)
    return panel(seat, look, stands, rows, badges=badges)
