"""Dominance as an engine game: open information, two seats, no chance. Seat 0 is Red and begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import ClassVar, Final

from games.dominance import actions, evaluation, notation, position_json, reasons, rules, scene
from games.dominance.actions import Action
from games.dominance.board import BOARDS
from games.dominance.lessons import LESSONS, RULES
from games.dominance.rules import LOSING_LOSSES, PIECES, QUIET_LIMIT, State
from games.dominance.search.state import DominanceSearch
from games.engine.dice import Dice
from games.engine.game import Game, Option, Seat, SeatLook, Setup, Step
from games.engine.levels import Level
from games.engine.scene import Mark

_level = partial(Level.of, more="alpha-beta")  # there are always two

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": _level(400, 1, settles=False, seconds=2, oversight=90, slack=30),
    "easy": _level(1_000, 2, settles=False, seconds=2, oversight=60, slack=12),
    "average": _level(8_000, 3, seconds=5, oversight=15),
    "hard": _level(40_000, seconds=10),
    "expert": _level(400_000, seconds=20),
}
"""By name, weakest first."""


class Dominance(Game[State, State, Action]):
    """Dominance by C. M. Perry."""

    key = "dominance"
    code = "D"
    seats = (2,)
    options = (Option("board", tuple(BOARDS), next(iter(BOARDS))),)
    families = ("board",)
    lengths: ClassVar[Mapping[str, int]] = {"2": 96, "2 board=hex5": 222, "2 board=sq7": 139}
    lessons = LESSONS
    rules_pages = RULES
    glyphs = scene.GLYPHS
    setup_fields = ("board",)
    overlays = ("guards",)

    listed = staticmethod(rules.legal)
    refuse = staticmethod(rules.refuse)
    apply = staticmethod(rules.play)
    forfeit = staticmethod(rules.resign)
    read = staticmethod(notation.parse)
    shortcuts = staticmethod(notation.shortcuts)
    scene = staticmethod(scene.draw)
    evaluate = staticmethod(evaluation.evaluate)
    effects = staticmethod(reasons.effects)
    material = staticmethod(evaluation.pieces)
    decode = staticmethod(actions.decode)
    dump = staticmethod(position_json.dump)
    restore = staticmethod(position_json.load)

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

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        return iter(rules.legal(view, seat))

    def search_state(self, view: State, seat: Seat, dice: Dice) -> DominanceSearch:
        """Return the position for searching; nothing is hidden."""
        return DominanceSearch.from_state(view)

    def levels(self) -> Mapping[str, Level]:
        """Return the levels of Dominance."""
        return LEVELS

    def overlay(self, view: State, key: str) -> tuple[Mark, ...]:
        """Return the marks of `guards`: the spaces that each side dominates."""
        return scene.guards(view) if key == "guards" else super().overlay(view, key)


GAME: Final = Dominance()
"""The game; it holds no state."""
