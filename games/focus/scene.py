"""The picture of a position: piles on the grid, and panels with reserves and captures in order of play."""

from __future__ import annotations

from typing import Final

from games.engine.game import CHANCE, SeatLook
from games.engine.message import Msg, msg
from games.engine.scene import Glyph, Panel, Row, Scene
from games.engine.scene_parts import arc, box, panel, panel_state, pieces, token
from games.focus import facts
from games.focus.board import GRID, to_piles
from games.focus.rules import State

# Their areas are about equal (0.4 to 0.44), so that no colour looks heavier than another.
GLYPHS: Final = {
    "triangle": Glyph((((0.5, 0.97), (0.03, 0.13), (0.97, 0.13)),)),
    "circle": Glyph((arc(0.5, 0.5, 0.37),)),
    "square": Glyph((box(0.17, 0.17, 0.83, 0.83),)),
    "diamond": Glyph((((0.5, 0.97), (0.96, 0.5), (0.5, 0.03), (0.04, 0.5)),)),
}
"""A glyph for each of the four colours, readable without colour."""
LOOKS: Final = {
    "R": SeatLook(facts.colour_name("R"), "red", "triangle", "R", "▲"),
    "G": SeatLook(facts.colour_name("G"), "green", "circle", "G", "●"),
    "B": SeatLook(facts.colour_name("B"), "blue", "square", "B", "■"),
    "Y": SeatLook(facts.colour_name("Y"), "yellow", "diamond", "Y", "◆"),
}
"""The look of each colour's seat."""
_TURNS: Final = {"G": 0, "R": 1, "Y": 2, "B": 3}
"""Quarter turns by colour: Green sits at the bottom of the board, then clockwise Blue, Yellow and Red."""


def side(state: State, viewer: int | None) -> int:
    """Return the quarter turns that bring a viewer's side to the bottom.

    Two players face each other, Red at the bottom as printed; otherwise all sit as four players do.
    """
    if viewer is None or viewer not in range(state.variant.seats):
        return 0
    return 2 * viewer if state.variant.seats == 2 else _TURNS[state.variant.colours[viewer]]


def draw(view: State, viewer: int | None) -> Scene:
    """Return the picture from the viewer's side; marks are added later from the facts."""
    tokens = tuple(
        token(space, LOOKS[colour], level)
        for space, pile in to_piles(view.board).items()
        for level, colour in enumerate(pile)
    )
    panels = tuple(_panel(view, seat) for seat in range(view.variant.seats))
    return Scene(GRID, tokens, panels, headline(view), turns=side(view, viewer), glyphs=GLYPHS)


def headline(state: State) -> Msg:
    """Return who is to act or how it ended; it names colours, not people, to fit into a picture."""
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
    variant = state.variant
    look = LOOKS[variant.colours[seat]]
    captured = zip(variant.colours, state.captured[seat], strict=True)
    rows = (
        *([Row(msg("focus.panel.thirteenth"), pieces(look, 1))] if state.thirteenth[seat] else []),
        Row(msg("focus.panel.reserve"), pieces(look, state.reserve[seat])),
        Row(msg("focus.panel.captured"), tuple(i for c, count in captured for i in pieces(LOOKS[c], count))),
    )
    stands = panel_state(
        state.outcome, variant.teams, seat, acts=seat == state.turn, out=seat in state.resigned
    )
    return panel(seat, look, stands, rows, variant.teams[seat] if variant.partners else None)
