"""The picture of Three Walkers: a lane for each walker, and panels with the viewer's own cards."""

from __future__ import annotations

from collections.abc import Mapping

from games.engine.game import Outcome, Seat, SeatLook
from games.engine.grid import name
from games.engine.message import Who, msg
from games.engine.scene import Glyph, Grid, Item, Panel, Row, Scene
from games.engine.scene_parts import by_look, panel, panel_state, token
from tests.toy.rules import FILES, View

LOOKS = (
    SeatLook(msg("toy.seat.ash"), "red", "wedge", "A", "A"),
    SeatLook(msg("toy.seat.birch"), "green", "block", "B", "B"),
    SeatLook(msg("toy.seat.cedar"), "blue", "kite", "C", "C"),
)
GLYPHS: Mapping[str, Glyph] = {
    "wedge": Glyph((((0.1, 0.1), (0.9, 0.1), (0.5, 0.9)),)),
    "block": Glyph((((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)),)),
    "kite": Glyph((((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)),)),
    "card": Glyph((((0.2, 0.0), (0.8, 0.0), (0.8, 1.0), (0.2, 1.0)),)),
}


def scene(view: View, outcome: Outcome | None) -> Scene:
    """Return the picture of a view; the board is never rotated."""
    seats = range(len(view.teams))
    tokens = tuple(token(name(view.at[s], s), LOOKS[s]) for s in seats)
    panels = tuple(_panel(view, s, outcome) for s in seats)
    if outcome is not None:
        headline = outcome.why
    elif view.to_act <= {Seat(s) for s in seats}:
        headline = msg("toy.head.choose", who=tuple(Who(s) for s in sorted(view.to_act)), round=view.round)
    else:
        headline = msg("toy.head.chance")
    return Scene(Grid(FILES, len(view.teams)), tokens, panels, by_look(headline, LOOKS), glyphs=GLYPHS)


def _panel(view: View, seat: int, outcome: Outcome | None) -> Panel:
    look = LOOKS[seat]
    if seat == view.viewer:
        cards = tuple(Item("card", "paper", str(card), 1) for card in view.hand)
    else:
        cards = (Item("card", "faint", "?", view.counts[seat]),) if view.counts[seat] else ()
    lies = view.shown[seat]
    down = () if lies is None else (Item("card", "paper", str(lies), 1),)
    rows = (Row(msg("toy.label.hand"), cards), Row(msg("toy.label.down"), down))
    team = view.teams[seat] if len(set(view.teams)) < len(view.teams) else None
    acts = seat in view.to_act
    stands = panel_state(outcome, view.teams, seat, acts=acts, out=seat in view.gone)
    return panel(seat, look, stands, rows, team)
