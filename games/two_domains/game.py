"""Two Domains as the engine sees it: open information, and dice that are drawn after the decision."""

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
    Odds,
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
from games.engine.scene import Glyph, Scene
from games.two_domains import actions, insight, notation, position, rules, scene
from games.two_domains.actions import FIRST, ROLLS, Action
from games.two_domains.glyphs import GLYPHS
from games.two_domains.rules import LIMIT, VERSION, State
from games.two_domains.table import NAME, Table


class TwoDomains(Game[State, State, Action]):
    """Two Domains by Simon K. Jensen."""

    key: ClassVar[str] = "two_domains"
    code: ClassVar[str] = "T"
    rules: ClassVar[int] = VERSION
    seats: ClassVar[tuple[int, ...]] = (2,)
    glyphs: ClassVar[Mapping[str, Glyph]] = GLYPHS
    table: ClassVar[str | None] = NAME

    def max_actions(self, setup: Setup) -> int:
        """No match takes more actions than this, chance included.

        Chance names once who plays first. Every completed action is one decision and at most one roll
        (nothing is rolled twice, and a skipped turn is no action), a decision is completed before the next
        one, and the game is over when the 500th is completed.
        """
        return 1 + 2 * LIMIT

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Red and Blue."""
        return scene.LOOKS[seat]

    def start(self, setup: Setup) -> Step[State]:
        """Five villages each; chance names who begins."""
        return Step(rules.start(setup.rules))

    def to_act(self, state: State) -> frozenset[Seat]:
        """One seat, chance, or nobody."""
        if state.ended is not None:
            return NOBODY
        return ONLY_SEAT[CHANCE] if state.roll else ONLY_SEAT[state.turn]

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        return rules.refuse(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return rules.play(state, seat, action)

    def draw(self, state: State, dice: Dice) -> Action:
        """Who plays first, or one roll of a die."""
        if not state.roll:
            raise ValueError("Two Domains draws nothing now")
        return dice.pick(FIRST) if state.roll == "first" else ROLLS[dice.below(6)]

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        """Resigning and running out of time have the same consequences."""
        return rules.resign(state, seat)

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        """Growth from Home to Front, gather, mobilise, battle."""
        return iter(rules.legal(view, seat))

    def parse(self, view: State, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        return notation.parse(view, seat, text)

    def format(self, view: State, action: Action) -> str:
        """`grow 3`, `gather`, `mobilise`, `battle`; `roll 4` and `first R` for what chance drew."""
        return notation.write(action)

    def scene(self, view: State, viewer: Seat | None) -> Scene:
        """Both lines, the viewer's on the left; Red's for spectators."""
        return scene.draw(view, viewer)

    def shortcuts(self, view: State, seat: Seat) -> tuple[Shortcut, ...]:
        """A button for each kind of action that is legal."""
        return notation.shortcuts(view, seat)

    def odds(self, view: State, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        """The exact chances of what the seat may do, see `insight`."""
        return insight.odds(view, seat, text)

    def oracle(self, table: memoryview) -> Table:
        """Exact values from a table that `dominium solve` wrote. Raises ValueError with a reason."""
        return Table(table)

    def evaluate(self, view: State, seat: Seat) -> float:
        return insight.evaluate(view, seat)

    def decode(self, wire: str) -> Action:
        return actions.decode(wire)

    def dump(self, state: State) -> Json:
        return position.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        return position.load(data, rules)


GAME: Final = TwoDomains()
"""The game; it holds no state."""
