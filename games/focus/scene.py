"""How a position looks: piles on the grid, and beside it what each colour holds, in order of play."""

from __future__ import annotations

from typing import Final

from games.engine.game import CHANCE, SeatLook
from games.engine.message import Msg, msg
from games.engine.panels import panel, panel_state, pieces, token
from games.engine.scene import Ink, Mark, Panel, Row, Scene
from games.focus import facts
from games.focus.actions import Action, First, Move
from games.focus.board import to_piles
from games.focus.glyphs import GLYPHS
from games.focus.rules import State
from games.focus.setups import GRID

_SHOWN: Final[dict[str, tuple[Ink, str, str]]] = {
    "R": ("red", "triangle", "▲"),
    "G": ("green", "circle", "●"),
    "B": ("blue", "square", "■"),
    "Y": ("yellow", "diamond", "◆"),
}
LOOKS: Final = {
    colour: SeatLook(facts.colour_name(colour), ink, glyph, colour, sign)
    for colour, (ink, glyph, sign) in _SHOWN.items()
}
"""How the seat of each colour is named and shown."""
_TURNS: Final = {"G": 0, "R": 1, "Y": 2, "B": 3}
"""Green sits at the bottom of the board, and clockwise from there Blue, Yellow and Red."""


def side(state: State, viewer: int | None) -> int:
    """Quarter turns that bring a viewer's side to the bottom.

    Two players face each other, Red as printed below; otherwise all sit as four players do.
    """
    if viewer is None or viewer not in range(state.variant.seats):
        return 0
    return 2 * viewer if state.variant.seats == 2 else _TURNS[state.variant.colours[viewer]]


def draw(state: State, viewer: int | None) -> Scene:
    """The picture of a position, seen from the viewer's side. Marks are added from what happened."""
    tokens = tuple(
        token(space, LOOKS[colour], level)
        for space, pile in to_piles(state.board).items()
        for level, colour in enumerate(pile)
    )
    panels = tuple(_panel(state, seat) for seat in range(state.variant.seats))
    return Scene(GRID, tokens, panels, headline(state), turns=side(state, viewer), glyphs=GLYPHS)


def action_marks(action: Action) -> tuple[Mark, ...]:
    """Where an action begins, if on the board, and where it leads."""
    if isinstance(action, First):
        return ()
    start = (Mark("from", action.source),) if isinstance(action, Move) else ()
    return (*start, Mark("legal", action.target))


def headline(state: State) -> Msg:
    """The one sentence of the moment; it names colours, not people, so that it fits into a picture."""
    colours = state.variant.colours
    if state.outcome is not None and state.ended is not None:
        best = (c for c, rank in zip(colours, state.outcome.ranks, strict=True) if rank == 1)
        return facts.ending(state.ended, map(facts.colour_name, best), state.quiet)
    if state.turn == CHANCE:
        return msg("focus.headline.chance")
    who = facts.colour_name(colours[state.turn])
    return msg(
        "focus.headline.thirteenth" if state.thirteenth[state.turn] else "focus.headline.move", who=who
    )


def _panel(state: State, seat: int) -> Panel:
    way = state.variant
    look = LOOKS[way.colours[seat]]
    captured = zip(way.colours, state.captured[seat], strict=True)
    rows = (
        *([Row(msg("focus.panel.thirteenth"), pieces(look, 1))] if state.thirteenth[seat] else []),
        Row(msg("focus.panel.reserve"), pieces(look, state.reserve[seat])),
        Row(msg("focus.panel.captured"), tuple(i for c, count in captured for i in pieces(LOOKS[c], count))),
    )
    stands = panel_state(state.outcome, way.teams, seat, acts=seat == state.turn, out=seat in state.resigned)
    return panel(seat, look, stands, rows, way.teams[seat] if way.partners else None)
