"""Dominion without words and pictures: seats, options, law, and the course of a match.

The rest of the engine's interface, notation and scene, is in the subclass in `game`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from games.dominion import actions, endings, evaluation, facts, fate, judge, lookback, position_json, turns
from games.dominion.actions import Action
from games.dominion.position import VERSION, Law, State, View, sides_of
from games.dominion.search.levels import LEVELS
from games.dominion.search.state import DominionSearch
from games.engine.dice import Dice
from games.engine.game import CHANCE, Game, Json, Option, Outcome, Seat, Setup, Step
from games.engine.message import Msg
from games.engine.search import Level


class DominionCore(Game[State, View, Action]):
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

    apply = staticmethod(turns.play)
    forfeit = staticmethod(turns.forfeit)
    view = staticmethod(judge.view)
    material = staticmethod(lookback.material)
    rolls = staticmethod(lookback.rolls)
    fortune = staticmethod(lookback.fortune)
    decode = staticmethod(actions.decode)
    dump = staticmethod(position_json.dump)
    restore = staticmethod(position_json.load)

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
        """Return the position with the armies; of three teams, tell who sits between the others."""
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

    def guess(self, view: View, seat: Seat) -> State | None:
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
