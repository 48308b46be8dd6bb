"""Dominion as an engine game: hidden choices, chance, and two, three or four camps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, Final

from games.dominion import (
    actions,
    answers,
    endings,
    evaluation,
    facts,
    fate,
    judge,
    lookback,
    notation,
    player_aids,
    position_json,
    reasons,
    scene,
    turns,
)
from games.dominion.actions import Action
from games.dominion.lessons import LESSONS, RULES
from games.dominion.position import VERSION, Law, State, View, sides_of
from games.dominion.scene import GLYPHS
from games.dominion.search.state import DominionSearch
from games.engine.dice import Dice
from games.engine.game import CHANCE, Done, Game, Json, Odds, Option, Outcome, Rejected, Seat, Setup, Step
from games.engine.levels import Level
from games.engine.message import Msg
from games.engine.reasons import Effect
from games.engine.scene import Mark

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level.of(600, 1, seconds=2, oversight=80, slack=25),
    "easy": Level.of(3_000, 2, seconds=2, oversight=30, slack=10),
    "average": Level.of(8_000, 3, seconds=5, oversight=12),
    "hard": Level.of(40_000, seconds=10),
    "expert": Level.of(250_000, seconds=20),
}
"""By name, weakest first."""


_MAX_ODDS: Final = 4
"""Maximum number of moves for which the odds of a partial text are shown."""


class Dominion(Game[State, View, Action]):
    """Dominion: Ancient Art of War (2003)."""

    key = "dominion"
    chance = True
    code = "A"
    rules = VERSION
    seats = (2, 3, 4)
    setup_fields = ("law",)
    options = (
        Option("allied", (False, True), False, (4,)),
        Option("empty", ("west", "north", "east", "south"), "west", (3,)),
        Option("sandwiched", ("throw", "first"), "throw", (3,)),
        Option("succession", ("strict", "kind", "sure"), "strict"),
        Option("straddle", ("all", "orth"), "all"),
        Option("sticks", ("die", "sticks"), "die"),
        Option("fate", (4, 2, 3, 6, 8), 4),
    )
    hidden = True
    lengths: ClassVar[Mapping[str, int]] = {"2": 147, "3": 148, "2v2": 132, "4": 161}
    lessons = LESSONS
    rules_pages = RULES
    glyphs = GLYPHS

    apply = staticmethod(turns.play)
    forfeit = staticmethod(turns.forfeit)
    view = staticmethod(judge.view)
    material = staticmethod(lookback.material)
    rolls = staticmethod(lookback.rolls)
    fortune = staticmethod(lookback.fortune)
    decode = staticmethod(actions.decode)
    dump = staticmethod(position_json.dump)
    restore = staticmethod(position_json.load)
    look = staticmethod(scene.look)
    read = staticmethod(notation.parse)
    resume = staticmethod(notation.resume)
    scene = staticmethod(scene.draw)
    caution = staticmethod(player_aids.caution)
    shortcuts = staticmethod(player_aids.shortcuts)

    def teams(self, seats: int, options: Mapping[str, Json]) -> tuple[int, ...]:
        """Return each seat's team: north and south against east and west if allied, else one team a seat."""
        if seats == 4 and options.get("allied") is True:
            return (0, 1, 0, 1)
        return tuple(range(seats))

    def seats_by_lot(self, setup: Setup) -> bool:
        """Return whether seats are drawn by lot: with three, since they decide who is between the others.

        The board looks the same from all sides, so random seats replace a random empty side.
        """
        return setup.seats == 3

    def max_actions(self, setup: Setup) -> int:
        """Return an upper bound for the number of actions of a match.

        One throw and the Sergeants of each seat; then in each round at most one turn for each seat, of at
        most three actions: a move, Fate's throw, an answer to it.
        """
        return 1 + setup.seats + 3 * setup.seats * endings.max_rounds(setup.seats)

    def start(self, setup: Setup) -> Step[State]:
        """Return the position with the armies; of three teams, report who sits between the others."""
        lawful = law_of(setup)
        return Step(turns.begin(lawful), facts.sandwiched_fact(lawful))

    def to_act(self, state: State) -> frozenset[Seat]:
        return judge.to_act(state.position)

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        return judge.refuse(state.position, seat, action)

    def draw(self, state: State, dice: Dice) -> Action:
        """Draw the starting throw, or Fate: the Diviner, and if it succeeds the sticks."""
        position = state.position
        if judge.to_act(position) != {CHANCE}:
            return super().draw(state, dice)
        if position.phase == "throw":
            return actions.throw(fate.starting_throw(position.law, position.living(), dice))
        return actions.FATE[fate.throw_fate(position, dice)]

    def outcome(self, state: State) -> Outcome | None:
        return state.position.outcome

    def eliminated(self, state: State) -> frozenset[Seat]:
        """Return the seats whose Emperor fell without an heir."""
        return frozenset(map(Seat, state.position.out))

    def guess(self, view: View, seat: Seat, dice: Dice | None = None) -> State | None:
        """Return the state: all of it is open, except while Sergeants are chosen (None)."""
        position = view.position
        return None if position.phase == "sergeants" else State(position, (None,) * len(position.law.sides))

    def actions(self, view: View, seat: Seat) -> Iterator[Action]:
        return iter(judge.legal(view.position, seat))

    def pick(self, view: View, seat: Seat, below: Callable[[int], int]) -> Action | None:
        """Return one of the actions; moves are only counted."""
        return judge.pick(view.position, seat, below)

    def search_state(self, view: View, seat: Seat, dice: Dice) -> DominionSearch | None:
        """Return the position for searching; None until all Sergeants are revealed."""
        position = view.position
        return None if position.phase in ("throw", "sergeants") else DominionSearch.from_position(position)

    def levels(self) -> Mapping[str, Level]:
        """Return the levels of Dominion."""
        return LEVELS

    def evaluate(self, view: View, seat: Seat) -> float:
        return evaluation.evaluate(view.position, seat)

    def format(self, view: View, action: Action) -> str:
        """Return `e3-e4`, `sgt f3 h3`, `promote f3`, `demote g2=G`, `peasant g5`; for chance the log line."""
        return answers.write(view.position, action)

    def effects(self, view: View, seat: Seat, action: Action) -> tuple[Effect, ...]:
        """Return what a legal action of the seat leads to."""
        return reasons.effects(view.position, seat, action)

    def action_marks(self, view: View, action: Action) -> tuple[Mark, ...]:
        """Return the marks where an action begins and where it leads."""
        return scene.aim(action)

    def default(self, view: View, seat: Seat) -> Action | None:
        """Return the Sergeants in the middle or a harmless answer to Fate; None for an ordinary move."""
        return player_aids.default(view.position, seat)

    def odds(self, view: View, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        """Return the chances of Fate after the move that the text names; without a text, after the first.

        Fate hardly depends on the move, so one move stands for all.
        """
        position = view.position
        if position.phase not in ("move", "heir") or seat not in judge.to_act(position):
            return ()
        found = self.parse(view, seat, text)
        if isinstance(found, Rejected):
            return found
        if isinstance(found, Done):
            return (player_aids.odds(position, seat, found.action),)
        few = found.choices[: _MAX_ODDS if text.strip() else 1] if position.phase == "move" else ()
        parsed = (self.parse(view, seat, each) for each in few)
        return tuple(player_aids.odds(position, seat, a.action) for a in parsed if isinstance(a, Done))


def law_of(setup: Setup) -> Law:
    """Return the law of a match with a valid setup."""
    chosen = setup.options
    return position_json.read_law(
        {
            "sides": list(sides_of(setup.seats, str(chosen["empty"]))),
            "camps": list(setup.teams),
            **{key: chosen[key] for key in ("succession", "straddle", "sticks", "fate", "sandwiched")},
        },
        setup.rules,
    )


GAME: Final = Dominion()
"""The game; it holds no state."""
