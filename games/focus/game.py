"""Focus as an engine game: open information; chance only chooses the first player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from games.engine.dice import Dice
from games.engine.game import Game, Json, Option, Seat, SeatLook, Setup, Step
from games.engine.message import Msg, msg
from games.engine.search import Level
from games.focus import abstract_play, actions, evaluation, notation, position, reasons, rules, scene, turns
from games.focus.actions import Action
from games.focus.lessons import LESSONS, RULES
from games.focus.rules import State
from games.focus.search.levels import LEVELS
from games.focus.search.state import FocusSearch
from games.focus.setups import PIECES, QUIET_TURNS, SEAT_COLOURS, get_variant, pair_teams


class Focus(Game[State, State, Action]):
    """Focus by Sid Sackson, in the edition sold as Domination."""

    key = "focus"
    chance = True
    code = "F"
    seats = tuple(SEAT_COLOURS)
    options = (
        Option("fast", (False, True), False),
        Option("partners", (False, True), False, (4,)),
    )
    families = ("fast",)
    lengths: ClassVar[Mapping[str, int]] = {
        "2": 45,
        "2 fast=true": 25,
        "3": 61,
        "3 fast=true": 37,
        "4": 126,
        "2v2": 27,
        "4 fast=true": 30,
    }
    lessons = LESSONS
    rules_pages = RULES
    glyphs = scene.GLYPHS
    setup_fields = ("seats", "fast", "partners")
    record_styles = (abstract_play.STYLE,)

    listed = staticmethod(rules.legal)
    refuse = staticmethod(rules.refuse)
    apply = staticmethod(turns.play)
    forfeit = staticmethod(turns.resign)
    read = staticmethod(notation.parse)
    format = staticmethod(notation.write)
    scene = staticmethod(scene.draw)
    evaluate = staticmethod(evaluation.evaluate)
    effects = staticmethod(reasons.effects)
    material = staticmethod(evaluation.piles)
    decode = staticmethod(actions.decode)
    dump = staticmethod(position.dump)
    restore = staticmethod(position.load)

    def teams(self, seats: int, options: Mapping[str, Json]) -> tuple[int, ...]:
        """Return the teams: partners sit opposite each other; otherwise everyone plays alone."""
        return pair_teams(seats, options.get("partners") is True)

    def clash(self, setup: Setup) -> Msg | None:
        """Refuse the fast game with partners."""
        return msg("focus.setup.fast") if setup.options["partners"] and setup.options["fast"] else None

    def restyled(self, style: str, setup: Setup, actions: Sequence[Action]) -> Json:
        """Return the moves of a match in Abstract Play's notation; None where it has no such match.

        Raises ValueError for another notation.
        """
        if style != abstract_play.STYLE:
            raise ValueError(f"Focus has no notation {style}")
        return abstract_play.rounds(setup, actions)

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
        fast, partners = bool(setup.options["fast"]), bool(setup.options["partners"])
        return Step(rules.start(get_variant(setup.seats, fast, partners)))

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        return iter(rules.legal(view, seat))

    def search_state(self, view: State, seat: Seat, dice: Dice) -> FocusSearch:
        """Return the position for searching; nothing is hidden."""
        return FocusSearch.from_state(view)

    def levels(self) -> Mapping[str, Level]:
        """Return the levels of Focus."""
        return LEVELS


GAME: Final = Focus()
"""The game; it holds no state."""
