"""Dominance as an engine game: open information, two seats, no chance. Seat 0 is Red and begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from games.dominance import actions, evaluation, notation, position, rules, scene, turns
from games.dominance.actions import Action
from games.dominance.boards import BOARDS
from games.dominance.glyphs import GLYPHS
from games.dominance.rules import LOSING_LOSSES, PIECES, QUIET_LIMIT, State
from games.engine.game import (
    NOBODY,
    ONLY_SEAT,
    Done,
    Game,
    Json,
    Option,
    Partial,
    Rejected,
    Seat,
    SeatLook,
    Setup,
    Shortcut,
    Step,
    Why,
)
from games.engine.message import Msg
from games.engine.scene import Glyph, Mark, Scene

_KEYS: Final = tuple(BOARDS)


class Dominance(Game[State, State, Action]):
    """Dominance by C. M. Perry."""

    key: ClassVar[str] = "dominance"
    code: ClassVar[str] = "D"
    seats: ClassVar[tuple[int, ...]] = (2,)
    options: ClassVar[tuple[Option, ...]] = (Option("board", _KEYS, _KEYS[0]),)
    glyphs: ClassVar[Mapping[str, Glyph]] = GLYPHS
    overlays: ClassVar[tuple[str, ...]] = ("guards",)

    def seats_by_lot(self, setup: Setup) -> bool:
        """Return True: by the rules, lots are drawn for the first move."""
        return True

    def max_actions(self, setup: Setup) -> int:
        """Return a limit on the actions of a match.

        Each seat spawns at most its 10 pieces. Until the game ends each has lost at most 8, and at most one
        more action removes pieces: so at most 20 + 16 + 1 actions are spawns or removals. With L the limit of
        quiet actions, there are at most L - 1 of them before each of these and at most L after the last.
        """
        return QUIET_LIMIT * (2 * PIECES + 2 * (LOSING_LOSSES - 1) + 2)

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Return the seat's colour and shape."""
        return scene.LOOKS[seat]

    def start(self, setup: Setup) -> Step[State]:
        """Return the empty board; Red begins."""
        return Step(rules.start(str(setup.options["board"])))

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return one seat, or nobody."""
        return ONLY_SEAT[state.turn] if state.ended is None else NOBODY

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        return rules.refuse(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return turns.play(state, seat, action)

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        """Resign the seat; a timeout has the same effect."""
        return turns.resign(state, seat)

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        """Yield spawns, then moves piece by piece, each in the order of the spaces."""
        return iter(rules.legal(view, seat))

    def parse(self, view: State, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        return notation.parse(view, seat, text)

    def scene(self, view: State, viewer: Seat | None) -> Scene:
        """Return the board from the viewer's side; from Red's for spectators."""
        return scene.draw(view, viewer)

    def action_marks(self, view: State, action: Action) -> tuple[Mark, ...]:
        """Mark the source, if on the board, and the target."""
        return scene.action_marks(action)

    def overlay(self, view: State, key: str) -> tuple[Mark, ...]:
        """Return the marks of `guards`: the spaces that each side dominates."""
        if key != "guards":
            return super().overlay(view, key)
        return scene.guards(view)

    def shortcuts(self, view: State, seat: Seat) -> tuple[Shortcut, ...]:
        """Return the buttons Spawn and Move."""
        return notation.shortcuts(view, seat)

    def evaluate(self, view: State, seat: Seat) -> float:
        return evaluation.evaluate(view, seat)

    def decode(self, wire: str) -> Action:
        return actions.decode(wire)

    def dump(self, state: State) -> Json:
        return position.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        return position.load(data)


GAME: Final = Dominance()
"""The game; it holds no state."""
