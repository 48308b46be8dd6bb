"""Dominance as the engine sees it: open information, two seats, no chance. Seat 0 is Red and begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from games.dominance import actions, insight, notation, position, rules, scene, turns
from games.dominance.actions import Action
from games.dominance.boards import BOARDS
from games.dominance.glyphs import GLYPHS
from games.dominance.rules import FATAL, PIECES, QUIET_LIMIT, State
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
        """Always: the rules begin with a draw for the first move."""
        return True

    def max_actions(self, setup: Setup) -> int:
        """No match takes more actions than this.

        Every seat spawns at most its 10 pieces. While both play, each has lost at most 8, and at most one
        action more removes pieces: at most 20 + 16 + 1 actions are a spawn or a removal. At most L - 1 quiet
        ones lie before each of them and at most L after the last, with L the limit of quiet actions.
        """
        return QUIET_LIMIT * (2 * PIECES + 2 * (FATAL - 1) + 2)

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Each seat has a colour and a shape."""
        return scene.LOOKS[seat]

    def start(self, setup: Setup) -> Step[State]:
        """The empty board; Red begins."""
        return Step(rules.start(str(setup.options["board"])))

    def to_act(self, state: State) -> frozenset[Seat]:
        """One seat, or nobody."""
        return ONLY_SEAT[state.turn] if state.ended is None else NOBODY

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        return rules.refuse(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return turns.play(state, seat, action)

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        """Resigning and running out of time have the same consequences."""
        return turns.resign(state, seat)

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        """Spawns, then moves piece by piece, each in the order of the spaces."""
        return iter(rules.legal(view, seat))

    def parse(self, view: State, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        return notation.parse(view, seat, text)

    def scene(self, view: State, viewer: Seat | None) -> Scene:
        """The board seen from the viewer's side; from below for spectators."""
        return scene.draw(view, viewer)

    def action_marks(self, view: State, action: Action) -> tuple[Mark, ...]:
        """From where to where."""
        return scene.action_marks(action)

    def overlay(self, view: State, key: str) -> tuple[Mark, ...]:
        """`guards`: who dominates which spaces."""
        if key != "guards":
            return super().overlay(view, key)
        return scene.guards(view)

    def shortcuts(self, view: State, seat: Seat) -> tuple[Shortcut, ...]:
        """Spawn, Move."""
        return notation.shortcuts(view, seat)

    def evaluate(self, view: State, seat: Seat) -> float:
        return insight.evaluate(view, seat)

    def decode(self, wire: str) -> Action:
        return actions.decode(wire)

    def dump(self, state: State) -> Json:
        return position.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        return position.load(data)


GAME: Final = Dominance()
"""The game; it holds no state."""
