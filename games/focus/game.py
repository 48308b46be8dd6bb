"""Focus as an engine game: open information; chance only chooses the first player.

Abstract Play has Focus for two on the same board, with the same start and the same moves: `b3-b4`, `+c4`.
Its first player has the pieces that are Red's here, and always begins. Where Green begins, the ranks are
reversed, which exchanges the colours of the start. Its list has an array for each round, as in the game
records of that host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from games.engine.dice import Dice
from games.engine.game import Game, Json, Option, Seat, SeatLook, Setup, Step
from games.engine.levels import Level
from games.engine.message import Msg, msg
from games.focus import actions, evaluation, notation, position_json, reasons, rules, scene
from games.focus.actions import Action, FirstPlayer, Move
from games.focus.board import PIECES, QUIET_TURNS, SEAT_COLOURS, get_variant, pair_teams
from games.focus.lessons import LESSONS, RULES
from games.focus.rules import State
from games.focus.search.state import FocusSearch

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level.of(400, 1, settles=False, seconds=2, oversight=90, slack=30),
    "easy": Level.of(1_000, 2, settles=False, seconds=2, oversight=60, slack=12),
    "average": Level.of(8_000, 3, seconds=5, oversight=15),
    "hard": Level.of(60_000, seconds=10),
    "expert": Level.of(600_000, seconds=20),
}
"""By name, weakest first."""


STYLE: Final = "abstract-play"
_PLAYERS: Final = 2
_RANKS: Final = 8


def rounds(setup: Setup, actions: Sequence[Action]) -> Json:
    """Return the moves of a match by rounds; None if it has other players, options or no beginning."""
    usual = setup.seats == _PLAYERS and setup.options["fast"] is False and setup.options["partners"] is False
    if not usual or not actions or not isinstance(actions[0], FirstPlayer):
        return None
    mirrored = actions[0].seat != 0
    moves = [_write(action, mirrored=mirrored) for action in actions[1:]]
    return [list[Json](moves[at : at + _PLAYERS]) for at in range(0, len(moves), _PLAYERS)]


def _write(action: Action, *, mirrored: bool) -> str:
    if isinstance(action, FirstPlayer):
        raise TypeError("the first player is drawn once")
    there = _mirrored if mirrored else str
    if isinstance(action, Move):
        return f"{there(action.source)}-{there(action.target)}"
    return f"+{there(action.target)}"


def _mirrored(space: str) -> str:
    return f"{space[0]}{_RANKS + 1 - int(space[1:])}"


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
    record_styles = (STYLE,)

    listed = staticmethod(rules.legal)
    refuse = staticmethod(rules.refuse)
    apply = staticmethod(rules.play)
    forfeit = staticmethod(rules.resign)
    read = staticmethod(notation.parse)
    format = staticmethod(notation.write)
    scene = staticmethod(scene.draw)
    evaluate = staticmethod(evaluation.evaluate)
    effects = staticmethod(reasons.effects)
    material = staticmethod(evaluation.piles)
    decode = staticmethod(actions.decode)
    dump = staticmethod(position_json.dump)
    restore = staticmethod(position_json.load)

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
        if style != STYLE:
            raise ValueError(f"Focus has no notation {style}")
        return rounds(setup, actions)

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
