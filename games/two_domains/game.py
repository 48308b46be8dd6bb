"""Two Domains as an engine game: open information, and dice that are rolled after the decision."""

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
from games.two_domains import actions, evaluation, notation, odds, position, rules, scene
from games.two_domains.actions import FIRST, ROLLS, Action
from games.two_domains.glyphs import GLYPHS
from games.two_domains.rules import LIMIT, VERSION, State
from games.two_domains.value_table import FILE_NAME, ValueTable


class TwoDomains(Game[State, State, Action]):
    """Two Domains by Simon K. Jensen."""

    key: ClassVar[str] = "two_domains"
    code: ClassVar[str] = "T"
    rules: ClassVar[int] = VERSION
    seats: ClassVar[tuple[int, ...]] = (2,)
    glyphs: ClassVar[Mapping[str, Glyph]] = GLYPHS
    table: ClassVar[str | None] = FILE_NAME

    def max_actions(self, setup: Setup) -> int:
        """Return a limit on the actions of a match, chance included.

        Chance chooses the first player once. Each completed action is one decision and at most one roll, each
        decision is completed before the next, skipped turns are no actions, and the game ends when the 500th
        action is completed.
        """
        return 1 + 2 * LIMIT

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Return the look of Red or Blue."""
        return scene.LOOKS[seat]

    def start(self, setup: Setup) -> Step[State]:
        """Return five villages each; chance is to choose the first player."""
        return Step(rules.start(setup.rules))

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return one seat, chance, or nobody."""
        if state.ended is not None:
            return NOBODY
        return ONLY_SEAT[CHANCE] if state.roll else ONLY_SEAT[state.turn]

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        return rules.refuse(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return rules.play(state, seat, action)

    def draw(self, state: State, dice: Dice) -> Action:
        """Draw the first player, or roll a die."""
        if not state.roll:
            raise ValueError("Two Domains draws nothing now")
        return dice.pick(FIRST) if state.roll == "first" else ROLLS[dice.below(6)]

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        """Resign the seat; a timeout has the same effect."""
        return rules.resign(state, seat)

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        """Yield growth from Home to Front, gather, mobilise, battle."""
        return iter(rules.legal(view, seat))

    def parse(self, view: State, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        return notation.parse(view, seat, text)

    def format(self, view: State, action: Action) -> str:
        """Return `grow 3`, `gather`, `mobilise` or `battle`; `roll 4` or `first R` for chance."""
        return notation.write(action)

    def scene(self, view: State, viewer: Seat | None) -> Scene:
        """Return both lines, with the viewer's on the left, or Red's for spectators."""
        return scene.draw(view, viewer)

    def shortcuts(self, view: State, seat: Seat) -> tuple[Shortcut, ...]:
        """Return a button for each legal kind of action."""
        return notation.shortcuts(view, seat)

    def odds(self, view: State, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        """Return the exact odds of the seat's actions, see `odds`."""
        return odds.odds(view, seat, text)

    def oracle(self, table: memoryview) -> ValueTable:
        """Return an oracle for a table that `dominium solve` wrote. Raises ValueError with a reason."""
        return ValueTable(table)

    def evaluate(self, view: State, seat: Seat) -> float:
        return evaluation.evaluate(view, seat)

    def decode(self, wire: str) -> Action:
        return actions.decode(wire)

    def dump(self, state: State) -> Json:
        return position.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        return position.load(data, rules)


GAME: Final = TwoDomains()
"""The game; it holds no state."""
