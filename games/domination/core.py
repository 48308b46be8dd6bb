"""Domination as the engine sees it, without words and pictures: seats, options, legality, the course of a
match.

`game` adds the rest of the engine's interface: what people type, the scene, and the computer players.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import ClassVar

from games.domination.computer import evaluation
from games.domination.maps.map_reader import MAP_READER
from games.domination.rules import (
    actions,
    battles,
    cards,
    default_moves,
    guess,
    judge,
    opening,
    options,
    position_json,
    turns,
)
from games.domination.rules.actions import Action
from games.domination.rules.position import RULES_VERSION, State, View
from games.engine.dice import Dice
from games.engine.game import Game, Json, Option, Outcome, Seat, Setup, Step, Why
from games.engine.maps import MapReader
from games.engine.message import Msg


class DominationCore(Game[State, View, Action]):
    """Domination, the world conquest of yura.net."""

    key: ClassVar[str] = "domination"
    code: ClassVar[str] = "C"
    rules: ClassVar[int] = RULES_VERSION
    seats: ClassVar[tuple[int, ...]] = options.SEATS
    options: ClassVar[tuple[Option, ...]] = options.OPTIONS
    hidden: ClassVar[bool] = True

    def seats_by_lot(self, setup: Setup) -> bool:
        """Return True: the order of play is drawn, since moving first is an advantage."""
        return True

    def maps(self) -> MapReader:
        """Return the reader of uploaded maps, as `docs/maps.md` describes them."""
        return MAP_READER

    def clash(self, setup: Setup) -> Msg | None:
        """Return why the options don't go together: the map is too small, or has too few missions."""
        return options.clash(setup)

    def advice(self, setup: Setup) -> Msg | None:
        """Return the advice to even out the start of two players: moving first is a large advantage."""
        return options.advice(setup)

    def max_actions(self, setup: Setup) -> int:
        """Return the maximum number of actions that a match can take."""
        return options.max_actions(options.law_of(setup))

    def start(self, setup: Setup) -> Step[State]:
        """Return the position with an empty map."""
        return Step(opening.begin(options.law_of(setup)))

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return who is to decide: everyone at once before the first turn and in the vote on going on."""
        return judge.to_act(state.position)

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        """Return why the seat may not do this now; None if it may."""
        return judge.refuse(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Carry out an action that `refuse` allows. Total and pure."""
        return turns.play(state, seat, action)

    def draw(self, state: State, dice: Dice) -> Action:
        """Draw dice, a card, or how countries, missions or armies are dealt."""
        position = state.position
        law = position.info.law
        match position.phase:
            case "roll":
                return actions.roll(*battles.draw_roll(position, dice))
            case "card":
                return actions.with_code("card", cards.deck(law.atlas).names[dice.pick(state.deck)])
            case "deal":
                return actions.assignment("deal", opening.draw_deal(law, dice))
            case "missions":
                return actions.assignment("missions", opening.draw_missions(law, dice))
            case "spread":
                return actions.assignment("spread", opening.draw_spread(state, dice))
            case _:
                return super().draw(state, dice)

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        """Take a seat out of the match; resigning and running out of time have the same consequences."""
        return turns.forfeit(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result, exactly when no one is to act."""
        return state.position.info.outcome

    def eliminated(self, state: State) -> frozenset[Seat]:
        """Return the seats that have no country left or gave up."""
        return frozenset(map(Seat, state.position.info.out))

    def guess(self, view: View, seat: Seat) -> State | None:
        """Fill in others' cards and missions with possible ones; None while all decide in secret."""
        return guess.guess_state(view, seat)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return everything but others' cards, missions and secret decisions."""
        return judge.view(state, viewer)

    def actions(self, view: View, seat: Seat) -> Iterator[Action]:
        """Yield every legal action of the seat, in the order of the countries."""
        return chain.from_iterable(judge.legal_rows(view, seat))

    def default(self, view: View, seat: Seat) -> Action | None:
        """Return the default move: trade only if forced, place armies where most needed, don't attack."""
        return default_moves.default(view, seat)

    def evaluate(self, view: View, seat: Seat) -> float:
        """Return how good the view is for the seat, from -1.0 (lost) to 1.0 (won)."""
        return evaluation.evaluate(view, seat)

    def encode(self, action: Action) -> str:
        """Return the action as one line of the log, see `actions`."""
        return action.text

    def decode(self, wire: str) -> Action:
        """Read a line of the log. Raises ValueError for anything but what `encode` returns."""
        return actions.decode(wire)

    def dump(self, state: State) -> Json:
        """Return the position as JSON, see `position_json`."""
        return position_json.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        """Read a position, see `position_json`. Raises ValueError with a reason."""
        return position_json.load(data, rules)
