"""Three in a Row: two seats claim squares in turn; the first with three in a line has won.

A game with nothing hidden, without chance, options or teams: it relies on the engine's defaults for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.engine.fields import Fields, Json, one_of, optional, text
from games.engine.game import (
    NOBODY,
    ONLY_SEAT,
    Done,
    Fact,
    Outcome,
    Partial,
    Rejected,
    Seat,
    SeatLook,
    Setup,
    Step,
    Why,
)
from games.engine.grid import squares
from games.engine.message import Msg, Who, msg
from games.engine.notation import nearest, words
from games.engine.open_game import OpenGame
from games.engine.scene import Glyph, Grid, Mark, Scene
from games.engine.scene_parts import by_look, panel, panel_state, token
from games.engine.space_notation import DECORATION

SQUARES = squares(3, 3)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LOOKS = (
    SeatLook(msg("three.seat.cross"), "red", "cross", "X", "X"),
    SeatLook(msg("three.seat.nought"), "blue", "nought", "O", "O"),
)
BOX = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
GLYPHS = {
    "cross": Glyph((((0.1, 0.1), (0.5, 0.3), (0.9, 0.1), (0.7, 0.5), (0.9, 0.9), (0.5, 0.7), (0.1, 0.9)),)),
    "nought": Glyph((BOX, tuple((0.5 + (x - 0.5) / 2, 0.5 + (y - 0.5) / 2) for x, y in BOX))),
}


class Claim(NamedTuple):
    """A square that a seat claims; `text` is its name, in the log too."""

    text: str


class State(NamedTuple):
    """The seat's code on each square, `.` for none, and the seat that resigned, if any."""

    cells: str = "." * 9
    left: int | None = None

    @property
    def turn(self) -> Seat:
        """The seat to move."""
        return Seat((9 - self.cells.count(".")) % 2)

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while there is none."""
        lines = {"".join(self.cells[at] for at in line) for line in LINES}
        for seat in (0, 1):
            if LOOKS[seat].code * 3 in lines or self.left == 1 - seat:
                return Outcome((1 + seat, 2 - seat), msg("three.outcome.won", who=Who(seat)))
        return None if "." in self.cells else Outcome((1, 1), msg("three.outcome.drawn"))


class Three(OpenGame[State, Claim]):
    """Three in a Row."""

    key = "three"
    code = "R"
    seats = (2,)
    glyphs = GLYPHS

    def max_actions(self, setup: Setup) -> int:
        return 9  # each action fills a square

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        return LOOKS[seat]

    def start(self, setup: Setup) -> Step[State]:
        return Step(State())

    def to_act(self, state: State) -> frozenset[Seat]:
        return NOBODY if state.outcome else ONLY_SEAT[state.turn]

    def refuse(self, state: State, seat: Seat, action: Claim) -> Msg | None:
        if seat not in self.to_act(state):
            return msg("three.refuse.turn")
        taken = state.cells[SQUARES.index(action.text)] != "."
        return msg("three.refuse.taken", at=action.text) if taken else None

    def apply(self, state: State, seat: Seat, action: Claim) -> Step[State]:
        at = SQUARES.index(action.text)
        fact = Fact(msg("three.fact.claim", at=action.text), (Mark("to", action.text),))
        return Step(State(state.cells[:at] + LOOKS[seat].code + state.cells[at + 1 :]), (fact,))

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        return Step(state._replace(left=seat))

    def actions(self, view: State, seat: Seat) -> Iterator[Claim]:
        if seat in self.to_act(view):
            yield from (Claim(at) for at, cell in zip(SQUARES, view.cells, strict=True) if cell == ".")

    def read(self, view: State, seat: Seat, text: str) -> Done[Claim] | Partial | Rejected:
        typed = tuple(word for word in words(text) if word.text not in DECORATION)
        legal = tuple(action.text for action in self.actions(view, seat))
        if not typed and legal:
            return Partial(msg("three.ask"), legal)
        at = "".join(word.text for word in typed)
        span = (typed[0].start, typed[-1].end) if typed else (0, 0)
        if at not in SQUARES:
            return Rejected(msg("three.refuse.text"), span, nearest(text, legal), chat=True)
        why = self.refuse(view, seat, Claim(at))
        return Done(Claim(at), spans=(span,)) if why is None else Rejected(why, span, nearest(at, legal))

    def scene(self, view: State, viewer: Seat | None) -> Scene:
        looks = {look.code: look for look in LOOKS}
        shown = zip(SQUARES, view.cells, strict=True)
        tokens = tuple(token(at, looks[cell]) for at, cell in shown if cell != ".")
        panels = tuple(
            panel(seat, look, panel_state(view.outcome, (0, 1), seat, acts=seat == view.turn))
            for seat, look in enumerate(LOOKS)
        )
        headline = view.outcome.why if view.outcome else msg("three.head", who=Who(view.turn))
        headline = by_look(headline, LOOKS)
        return Scene(Grid(3, 3), tokens, panels, headline, glyphs=GLYPHS)

    def decode(self, wire: str) -> Claim:
        if wire not in SQUARES:
            raise ValueError(f"{wire!r} is not a square")
        return Claim(wire)

    def dump(self, state: State) -> Json:
        return {"cells": state.cells, "left": state.left}

    def restore(self, data: Json, rules: int) -> State:
        part = Fields(data, State._fields)
        return State(part("cells", text("board of nine", _possible)), part("left", optional(one_of((0, 1)))))


def _possible(cells: str) -> bool:
    return len(cells) == 9 and set(cells) <= set("XO.") and cells.count("X") - cells.count("O") in (0, 1)


GAME = Three()
