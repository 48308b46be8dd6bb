"""The picture of a position: pieces on the board, panels with pools and losses, marks of guarded spaces."""

from __future__ import annotations

from typing import Final

from games.dominance import facts
from games.dominance.board import BOARDS, NAME, iter_bits
from games.dominance.facts import DRAWS
from games.dominance.locks import WARNING_SPAWNS, held_spawns, lock_danger
from games.dominance.rules import LOSING_LOSSES, State, ending_number
from games.engine.game import SeatLook
from games.engine.message import Msg, msg
from games.engine.scene import Badge, Glyph, Mark, Panel, Row, Scene
from games.engine.scene_parts import Outline, arc, panel, panel_state, pieces, token


def _cross(reach: float, half: float) -> Outline:
    """Return an upright cross, with arms `reach` long from its centre and twice `half` wide."""
    corners = (
        (-half, reach), (half, reach), (half, half), (reach, half), (reach, -half), (half, -half),
        (half, -reach), (-half, -reach), (-half, -half), (-reach, -half), (-reach, half), (-half, half),
    )  # fmt: skip
    return tuple((round(0.5 + x, 4), round(0.5 + y, 4)) for x, y in corners)


# Their areas are about equal (0.38 and 0.39), so that neither colour looks heavier.
GLYPHS: Final = {
    "ring": Glyph((arc(0.5, 0.5, 0.4), arc(0.5, 0.5, 0.2))),
    "cross": Glyph((_cross(0.42, 0.14),)),
}
"""A glyph for each of the two colours, readable without colour."""
CODES: Final = "RB"
LOOKS: Final = (
    SeatLook(facts.seat_name(0), "red", "ring", "R", "◉"),
    SeatLook(facts.seat_name(1), "black", "cross", "B", "✚"),
)
"""The looks of the seats."""


def draw(view: State, viewer: int | None) -> Scene:
    """Return the picture of a position, for Black with its own side at the bottom."""
    tokens = tuple(
        token(NAME[bit], LOOKS[seat])
        for bit in iter_bits(view.men[0] | view.men[1])
        for seat in (0, 1)
        if view.men[seat] & bit
    )
    panels = (_panel(view, 0), _panel(view, 1))
    turns = 2 if viewer == 1 else 0
    return Scene(BOARDS[view.board].shape, tokens, panels, headline(view), turns=turns, glyphs=GLYPHS)


def guards(state: State) -> tuple[Mark, ...]:
    """Return a mark on each space that a side dominates, in its ink; a space may have one of each."""
    return tuple(
        Mark("guard", NAME[bit], LOOKS[seat].ink) for seat in (0, 1) for bit in iter_bits(state.guarded[seat])
    )


def headline(state: State) -> Msg:
    """Return who is to act or how it ended; it names colours, not people, to fit into a picture."""
    if state.ended is None:
        return msg("dominance.headline.move", who=facts.seat_name(state.turn))
    winners = (0, 1) if state.ended in DRAWS else (state.turn,)
    return facts.ending(state.ended, map(facts.seat_name, winners), ending_number(state.ended, state))


def _panel(state: State, seat: int) -> Panel:
    look = LOOKS[seat]
    rows = (
        Row(msg("dominance.panel.pool"), pieces(look, state.pools[seat])),
        Row(msg("dominance.panel.lost"), pieces(look, state.lost[seat])),
    )
    stands = panel_state(state.outcome, (0, 1), seat, acts=seat == state.turn)
    return panel(seat, look, stands, rows, badges=_badges(state, seat) if state.ended is None else ())


def _badges(state: State, seat: int) -> tuple[Badge, ...]:
    """Return badges for spawns held, and for a threatening loss of the game: by one more piece or a lock."""
    board = BOARDS[state.board]
    found = []
    if count := held_spawns(board, state.men, state.guarded, seat).bit_count():
        label = msg("dominance.badge.spawns", n=count)
        found.append(Badge(label, "good" if count >= WARNING_SPAWNS else "plain"))
    if state.lost[seat] == LOSING_LOSSES - 1:
        found.append(Badge(msg("dominance.badge.last"), "bad"))
    if lock_danger(board, state.men, state.guarded, seat):
        found.append(Badge(msg("dominance.badge.lock"), "bad"))
    return tuple(found)
