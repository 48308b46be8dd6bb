"""Focus as an engine game: open information; chance only chooses the first player."""

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
from games.focus import actions, evaluation, notation, position, rules, scene, turns
from games.focus.actions import Action, FirstPlayer
from games.focus.glyphs import GLYPHS
from games.focus.rules import State
from games.focus.setups import PIECES, QUIET_TURNS, SEAT_COLOURS, Variant, get_variant, pair_teams


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
        """Return the teams: partners sit opposite each other; otherwise everyone plays alone."""
        return pair_teams(seats, options.get("partners") is True)

    def clash(self, setup: Setup) -> Msg | None:
        """Refuse the fast game with partners."""
        return msg("focus.setup.fast") if setup.options["partners"] and setup.options["fast"] else None

    def max_actions(self, setup: Setup) -> int:
        """Return a limit on the actions of a match, chance included.

        Captured pieces never come back, and the pile that was just moved holds at least one piece, so that
        at most P - 1 of the P pieces are ever captured. With L the limit of quiet turns, there are at most
        L - 1 quiet turns before each capturing turn, and at most L after the last one. That makes
        L * (P - 1) + L = L * P turns, and one action of chance.
        """
        return 1 + QUIET_TURNS * setup.seats * PIECES[setup.seats] * setup.seats

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Return the seat's colour and shape."""
        return scene.LOOKS[SEAT_COLOURS[setup.seats][seat]]

    def start(self, setup: Setup) -> Step[State]:
        """Return the set-up of the booklet; chance is to choose the first player."""
        return Step(rules.start(_variant(setup)))

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return one seat, chance, or nobody."""
        return ONLY_SEAT[state.turn] if state.ended is None else NOBODY

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        return rules.refuse(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return turns.play(state, seat, action)

    def draw(self, state: State, dice: Dice) -> Action:
        """Choose the first player uniformly among the seats that play."""
        if state.turn != CHANCE or state.ended is not None:
            raise ValueError("Focus draws only at the start")
        return FirstPlayer(dice.pick([s for s in range(state.variant.seats) if s not in state.resigned]))

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        """Resign the seat; a timeout has the same effect."""
        return turns.resign(state, seat)

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        """Yield moves by space from the bottom left, each to north, east, south, west; then the reserve."""
        return iter(rules.legal(view, seat))

    def parse(self, view: State, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        return notation.parse(view, seat, text)

    def format(self, view: State, action: Action) -> str:
        """Return `e4-e6`, `+c4`, or `first G` for the draw of the first player."""
        return notation.write(view, action)

    def scene(self, view: State, viewer: Seat | None) -> Scene:
        """Return the board from the viewer's side; from the bottom for spectators."""
        return scene.draw(view, viewer)

    def action_marks(self, view: State, action: Action) -> tuple[Mark, ...]:
        """Mark the source, if on the board, and the target."""
        return scene.action_marks(action)

    def evaluate(self, view: State, seat: Seat) -> float:
        return evaluation.evaluate(view, seat)

    def decode(self, wire: str) -> Action:
        return actions.decode(wire)

    def dump(self, state: State) -> Json:
        return position.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        return position.load(data)


def _variant(setup: Setup) -> Variant:
    return get_variant(setup.seats, bool(setup.options["fast"]), bool(setup.options["partners"]))


GAME: Final = Focus()
"""The game; it holds no state."""
