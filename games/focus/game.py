"""Focus as the engine sees it: a game of open information in which chance only names who begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from games.engine.dice import Dice
from games.engine.game import (
    CHANCE,
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
    Step,
    Why,
)
from games.engine.message import Msg, msg
from games.engine.scene import Glyph, Mark, Scene
from games.focus import actions, insight, notation, position, rules, scene, turns
from games.focus.actions import Action, First
from games.focus.glyphs import GLYPHS
from games.focus.rules import State
from games.focus.setups import PIECES, QUIET_TURNS, SEAT_COLOURS, Variant, pair_teams, variant


class Focus(Game[State, State, Action]):
    """Focus by Sid Sackson, in the edition sold as Domination."""

    key: ClassVar[str] = "focus"
    code: ClassVar[str] = "F"
    seats: ClassVar[tuple[int, ...]] = tuple(SEAT_COLOURS)
    options: ClassVar[tuple[Option, ...]] = (
        Option("fast", (False, True), False),
        Option("partners", (False, True), False, (4,)),
    )
    glyphs: ClassVar[Mapping[str, Glyph]] = GLYPHS

    def teams(self, seats: int, options: Mapping[str, Json]) -> tuple[int, ...]:
        """Pairs sit opposite each other; otherwise everybody plays alone."""
        return pair_teams(seats, options.get("partners") is True)

    def clash(self, setup: Setup) -> Msg | None:
        """The fast game is for players on their own."""
        return msg("focus.setup.fast") if setup.options["partners"] and setup.options["fast"] else None

    def max_actions(self, setup: Setup) -> int:
        """No match takes more actions than this, chance included.

        A captured piece never comes back. After a turn its pile holds at least one piece, so at most all
        but one of the P pieces are ever captured: P - 1 captures. With L the limit of quiet turns, at most
        L - 1 quiet turns lie before each turn that captures, and at most L after the last one. That is
        L * (P - 1) + L = L * P turns, and one action of chance.
        """
        return 1 + QUIET_TURNS * setup.seats * PIECES[setup.seats] * setup.seats

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Each seat has a colour, and each colour a shape."""
        return scene.LOOKS[SEAT_COLOURS[setup.seats][seat]]

    def start(self, setup: Setup) -> Step[State]:
        """The pieces stand as in the booklet; chance names who begins."""
        return Step(rules.start(_variant(setup)))

    def to_act(self, state: State) -> frozenset[Seat]:
        """One seat, chance, or nobody."""
        return ONLY_SEAT[state.turn] if state.ended is None else NOBODY

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        return rules.refuse(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return turns.play(state, seat, action)

    def draw(self, state: State, dice: Dice) -> Action:
        """One of the seats that play, each as likely as the others."""
        if state.turn != CHANCE or state.ended is not None:
            raise ValueError("Focus draws at the start only")
        return First(dice.pick([s for s in range(state.variant.seats) if s not in state.resigned]))

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        """Resigning and running out of time have the same consequences."""
        return turns.resign(state, seat)

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        """Moves by space from the bottom left, each to north, east, south, west; then the reserve."""
        return iter(rules.legal(view, seat))

    def parse(self, view: State, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        return notation.parse(view, seat, text)

    def format(self, view: State, action: Action) -> str:
        """`e4-e6`, `+c4`, and `first G` for what chance drew."""
        return notation.write(view, action)

    def scene(self, view: State, viewer: Seat | None) -> Scene:
        """The board seen from the viewer's side; from below for spectators."""
        return scene.draw(view, viewer)

    def action_marks(self, view: State, action: Action) -> tuple[Mark, ...]:
        """From where to where."""
        return scene.action_marks(action)

    def evaluate(self, view: State, seat: Seat) -> float:
        return insight.evaluate(view, seat)

    def decode(self, wire: str) -> Action:
        return actions.decode(wire)

    def dump(self, state: State) -> Json:
        return position.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        return position.load(data)


def _variant(setup: Setup) -> Variant:
    return variant(setup.seats, bool(setup.options["fast"]), bool(setup.options["partners"]))


GAME: Final = Focus()
"""The game; it holds no state."""
