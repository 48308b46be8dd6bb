"""Domination as the engine sees it, without words and pictures: seats, options, law, the course of a match.

What is missing from the engine's interface, the notation of people and the scene, is for who derives from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import ClassVar

from games.domination.computer import evaluation
from games.domination.maps.map_reader import MAPS
from games.domination.rules import (
    actions,
    battles,
    cards,
    default_moves,
    guess,
    judge,
    opening,
    options,
    record,
    turns,
)
from games.domination.rules.actions import Action
from games.domination.rules.position import RULES, State, View
from games.engine.dice import Dice
from games.engine.game import Game, Json, Option, Outcome, Seat, Setup, Step, Why
from games.engine.maps import MapReader
from games.engine.message import Msg


class Core(Game[State, View, Action]):
    """Domination, the world conquest of yura.net."""

    key: ClassVar[str] = "domination"
    code: ClassVar[str] = "C"
    rules: ClassVar[int] = RULES
    seats: ClassVar[tuple[int, ...]] = options.SEATS
    options: ClassVar[tuple[Option, ...]] = options.OPTIONS
    hidden: ClassVar[bool] = True

    def seats_by_lot(self, setup: Setup) -> bool:
        """The order of play is drawn: who begins has the better of it."""
        return True

    def maps(self) -> MapReader:
        """Maps of others, as `docs/maps.md` describes them."""
        return MAPS

    def clash(self, setup: Setup) -> Msg | None:
        """A map may be too small for the seats, or have too few missions."""
        return options.clash(setup)

    def advice(self, setup: Setup) -> Msg | None:
        """Return that two players had better even the start out: whoever begins has a large advantage."""
        return options.advice(setup)

    def max_actions(self, setup: Setup) -> int:
        """No match takes more actions than this."""
        return options.bound(options.of(setup))

    def start(self, setup: Setup) -> Step[State]:
        """An empty map."""
        return Step(opening.begin(options.of(setup)))

    def to_act(self, state: State) -> frozenset[Seat]:
        """Who is to decide; all at once before the first turn, and where it is asked whether to go on."""
        return judge.to_act(state.position)

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        """Why the seat may not do this now; None if it may."""
        return judge.refuse(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Do it. Total and pure for whatever `refuse` lets pass."""
        return turns.play(state, seat, action)

    def draw(self, state: State, dice: Dice) -> Action:
        """Dice, a card, or how countries, missions or armies are dealt."""
        place = state.position
        law = place.table.law
        match place.phase:
            case "roll":
                return actions.roll(*battles.draw_roll(place, dice))
            case "card":
                return actions.at("card", cards.deck(law.atlas).names[dice.pick(state.deck)])
            case "deal":
                return actions.lot("deal", opening.draw_deal(law, dice))
            case "missions":
                return actions.lot("missions", opening.draw_missions(law, dice))
            case "spread":
                return actions.lot("spread", opening.draw_spread(state, dice))
            case _:
                return super().draw(state, dice)

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        """Resigning and running out of time have the same consequences."""
        return turns.forfeit(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """The result, exactly when nobody is to act."""
        return state.position.table.outcome

    def eliminated(self, state: State) -> frozenset[Seat]:
        """Who has no country left, or gave up."""
        return frozenset(map(Seat, state.position.table.out))

    def guess(self, view: View, seat: Seat) -> State | None:
        """Others' cards and missions are any that may be theirs; None while all decide in secret."""
        return guess.guess_state(view, seat)

    def view(self, state: State, viewer: Seat | None) -> View:
        """All but others' cards, missions and what they decided in secret."""
        return judge.view(state, viewer)

    def actions(self, view: View, seat: Seat) -> Iterator[Action]:
        """Every legal action of the seat, in the order of the countries."""
        return chain.from_iterable(judge.rows(view, seat))

    def default(self, view: View, seat: Seat) -> Action | None:
        """Cards only if they must be traded, armies where they are needed most, no attack."""
        return default_moves.default(view, seat)

    def evaluate(self, view: View, seat: Seat) -> float:
        """How good the view is for the seat, from -1.0 (lost) to 1.0 (won)."""
        return evaluation.evaluate(view, seat)

    def encode(self, action: Action) -> str:
        """One line for the log, see `actions`."""
        return action.text

    def decode(self, wire: str) -> Action:
        """The inverse of `encode`. Raises ValueError for anything else."""
        return actions.decode(wire)

    def dump(self, state: State) -> Json:
        """A position as JSON, see `record`."""
        return record.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        """Read a position, see `record`. Raises ValueError with a reason."""
        return record.load(data, rules)
