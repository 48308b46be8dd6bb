"""How a position looks: piles on the grid, and beside it what each colour holds, in order of play."""

from __future__ import annotations

from typing import Final

from games.engine.game import CHANCE, SeatLook
from games.engine.message import Msg, msg
from games.engine.scene import Ink, Item, Mark, Panel, PanelState, Row, Scene, Token
from games.focus import facts
from games.focus.actions import Action, First, Move
from games.focus.board import to_piles
from games.focus.facts import DRAWS
from games.focus.glyphs import GLYPHS
from games.focus.rules import State
from games.focus.setups import GRID

_INK: Final[dict[str, Ink]] = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
_GLYPH: Final = {"R": "triangle", "G": "circle", "B": "square", "Y": "diamond"}
_SIGN: Final = {"R": "▲", "G": "●", "B": "■", "Y": "◆"}
_TURNS: Final = {"G": 0, "R": 1, "Y": 2, "B": 3}
"""Green sits at the bottom of the board, and clockwise from there Blue, Yellow and Red."""


def look(colour: str) -> SeatLook:
    """How the seat of a colour is named and shown."""
    return SeatLook(facts.colour_name(colour), _INK[colour], _GLYPH[colour], colour, _SIGN[colour])


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
        Token(space, _GLYPH[colour], _INK[colour], colour, level)
        for space, pile in to_piles(state.board).items()
        for level, colour in enumerate(pile)
    )
    panels = tuple(_panel(state, seat) for seat in range(state.variant.seats))
    return Scene(GRID, tokens, panels, headline(state), turns=side(state, viewer), glyphs=GLYPHS)


def aim(action: Action) -> tuple[Mark, ...]:
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
    variant = state.variant
    colour = variant.colours[seat]
    rows = [
        Row(msg("focus.panel.reserve"), _items({colour: state.reserve[seat]})),
        Row(
            msg("focus.panel.captured"),
            _items(dict(zip(variant.colours, state.captured[seat], strict=True))),
        ),
    ]
    if state.thirteenth[seat]:
        rows.insert(0, Row(msg("focus.panel.thirteenth"), _items({colour: 1})))
    team = variant.teams[seat] if variant.partners else None
    return Panel(
        seat,
        facts.colour_name(colour),
        _GLYPH[colour],
        _INK[colour],
        colour,
        _panel_state(state, seat),
        tuple(rows),
        team,
    )


def _panel_state(state: State, seat: int) -> PanelState:
    if state.outcome is not None:
        if state.outcome.ranks[seat] != 1:
            return "lost"
        return "drawn" if state.ended in DRAWS else "won"
    if seat in state.resigned:
        return "out"
    return "to_act" if seat == state.turn else "waiting"


def _items(counts: dict[str, int]) -> tuple[Item, ...]:
    return tuple(Item(_GLYPH[c], _INK[c], c, count) for c, count in counts.items() if count)
