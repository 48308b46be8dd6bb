"""Domination as the engine sees it, without words and pictures: seats, options, legality, the course of a
match.

`game` adds the rest of the engine's interface: what people type, the scene, and the computer players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from games.domination.computer import evaluation
from games.domination.maps.map_reader import MAP_READER
from games.domination.rules import (
    actions,
    battles,
    cards,
    default_moves,
    fortunes,
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
from games.engine.game import Game, Outcome, Seat, Setup, Step
from games.engine.maps import MapReader


class DominationCore(Game[State, View, Action]):
    """Domination, the world conquest of yura.net."""

    key = "domination"
    chance = True
    code = "C"
    rules = RULES_VERSION
    seats = options.SEATS
    setup_fields = ("law",)
    hidden = True

    clash = staticmethod(options.clash)
    advice = staticmethod(options.advice)
    refuse = staticmethod(judge.refuse)
    apply = staticmethod(turns.play)
    forfeit = staticmethod(turns.forfeit)
    guess = staticmethod(guess.guess_state)
    view = staticmethod(judge.view)
    default = staticmethod(default_moves.default)
    evaluate = staticmethod(evaluation.evaluate)
    material = staticmethod(evaluation.countries)
    rolls = staticmethod(fortunes.rolls)
    fortune = staticmethod(fortunes.fortune)
    decode = staticmethod(actions.decode)
    idea = staticmethod(actions.idea)
    dump = staticmethod(position_json.dump)
    restore = staticmethod(position_json.load)
    options = options.OPTIONS
    families = ("mode",)

    def seats_by_lot(self, setup: Setup) -> bool:
        """Return True: the order of play is drawn, since moving first is an advantage."""
        return True

    def maps(self) -> MapReader:
        """Return the reader of uploaded maps, as `docs/maps.md` describes them."""
        return MAP_READER

    def max_actions(self, setup: Setup) -> int:
        return options.max_actions(options.law_of(setup))

    def start(self, setup: Setup) -> Step[State]:
        """Return the position with an empty map."""
        return Step(opening.begin(options.law_of(setup)))

    def to_act(self, state: State) -> frozenset[Seat]:
        return judge.to_act(state.position)

    def draw(self, state: State, dice: Dice) -> Action:
        """Draw dice, a card, or how countries, missions or armies are dealt."""
        position = state.position
        match position.phase:
            case "roll":
                return actions.roll(*battles.draw_roll(position, dice))
            case "card":
                return actions.with_code(
                    "card", cards.deck(position.info.law.atlas).names[dice.pick(state.deck)]
                )
            case ("deal" | "missions" | "spread") as kind:
                return actions.assignment(kind, opening.draw(state, kind, dice))
            case _:
                return super().draw(state, dice)

    def outcome(self, state: State) -> Outcome | None:
        return state.position.info.outcome

    def eliminated(self, state: State) -> frozenset[Seat]:
        """Return the seats that have no country left or gave up."""
        return frozenset(map(Seat, state.position.info.out))

    def actions(self, view: View, seat: Seat) -> Iterator[Action]:
        """Yield every legal action of the seat, in the order of the countries."""
        return chain.from_iterable(judge.legal_rows(view, seat))

    def pick(self, view: View, seat: Seat, below: Callable[[int], int]) -> Action | None:
        """Return the legal action at the number that `below` returns, without making the others."""
        return judge.pick(view, seat, below)
