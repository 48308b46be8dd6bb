"""Domination as an engine game: secrets, dice and maps, long turns, and computer players of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import ClassVar, Final

from games.domination.commands import notation
from games.domination.commands.tokens import MAX_TEXT_LENGTH
from games.domination.computer import evaluation, imagined_match
from games.domination.computer.benchmark_players import Brawler, Gatherer, GreedyPlayer, Hunter, Keeper
from games.domination.computer.foresight import Foreseeing, Foresight
from games.domination.computer.planning_player import Planning
from games.domination.computer.position_model import Strategy
from games.domination.computer.predictions import TurnPredictions
from games.domination.maps.playable_maps import MAP_READER
from games.domination.rules import (
    actions,
    battles,
    cards,
    default_moves,
    judge,
    lookback,
    opening,
    options,
    position_json,
    turns,
)
from games.domination.rules.actions import Action
from games.domination.rules.position import RULES_VERSION, State, View
from games.domination.view import (
    attack_odds,
    forecast,
    player_aids,
    private_hand,
    puzzle_choices,
    reasons,
    scene,
)
from games.domination.view.lessons import LESSONS, RULES
from games.domination.view.scene import GLYPHS
from games.engine.dice import Dice
from games.engine.game import Game, Json, Outcome, Player, Seat, Setup, Step
from games.engine.maps import MapReader
from games.engine.message import Msg
from games.engine.predictions import PredictionWatcher

_AVERAGE: Final = Strategy(
    breaks=False, denies=False, max_steps=5, continent_turns=4.0, partial_continent=0.6
)
_WEAK: Final = Strategy(
    breaks=False,
    denies=False,
    hunts=False,
    max_steps=1,
    min_gain=-3.0,
    continent_turns=0.5,
    partial_continent=0.2,
)
_AMONG_MANY: Final = Strategy(
    continent_turns=1.5, country_turns=0.5, first_army=0.2, partial_continent=0.05, aggression=2.5, patience=8
)
"""Fitted to matches of four and six planners with weights drawn for each seat: see docs/measured.md."""
COMPUTERS: Final[Mapping[str, Player]] = {
    "beginner": Planning(_WEAK, misjudges=80.0, contented=18),
    "easy": Planning(_WEAK, misjudges=80.0, contented=7),
    "average": Planning(_AVERAGE, misjudges=30.0),
    "hard": Planning(Strategy()),
    "expert": Foreseeing(Strategy(rival_losses=2.0, settles=True), Foresight(), Planning(_AMONG_MANY)),
}
"""The levels, weakest first. Their names are stored with matches."""
BENCHMARKS: Final[Mapping[str, Player]] = {
    "greedy": GreedyPlayer(),
    "keeper": Keeper(),
    "gatherer": Gatherer(),
    "hunter": Hunter(),
    "brawler": Brawler(),
}
"""Opponents that levels are measured against."""


class Domination(Game[State, View, Action]):
    """Domination, the world conquest of yura.net."""

    key = "domination"
    chance = True
    code = "C"
    rules = RULES_VERSION
    seats = options.SEATS
    setup_fields = ("law",)
    hidden = True
    families = ("mode",)
    lengths: ClassVar[Mapping[str, int]] = {
        "2": 157,
        "2 mode=capital": 17,
        "3 mode=mission": 79,
        "4": 150,
        "5 mode=capital": 377,
        "6 mode=mission": 36,
    }
    lessons = LESSONS
    rules_pages = RULES
    glyphs = GLYPHS
    max_text_length = MAX_TEXT_LENGTH
    actions_are_moves = False

    clash = staticmethod(options.clash)
    advice = staticmethod(options.advice)
    refuse = staticmethod(judge.refuse)
    apply = staticmethod(turns.play)
    forfeit = staticmethod(turns.forfeit)
    guess = staticmethod(judge.guess_state)
    view = staticmethod(judge.view)
    default = staticmethod(default_moves.default)
    evaluate = staticmethod(evaluation.evaluate)
    material = staticmethod(evaluation.countries)
    rolls = staticmethod(lookback.rolls)
    fortune = staticmethod(lookback.fortune)
    decode = staticmethod(actions.decode)
    idea = staticmethod(actions.idea)
    dump = staticmethod(position_json.dump)
    restore = staticmethod(position_json.load)
    admits = staticmethod(options.admits)
    look = staticmethod(scene.look)
    action_marks = staticmethod(scene.action_marks)
    read = staticmethod(notation.parse)
    resume = staticmethod(notation.resume)
    format = staticmethod(notation.write)
    hand = staticmethod(private_hand.hand)
    caution = staticmethod(player_aids.caution)
    shortcuts = staticmethod(player_aids.shortcuts)
    odds = staticmethod(attack_odds.odds)
    effects = staticmethod(reasons.effects)
    puzzle_choice = staticmethod(puzzle_choices.puzzle_choice)
    forecast = staticmethod(forecast.forecast)
    recap = staticmethod(lookback.recap)
    scene = staticmethod(scene.draw)
    imagine = staticmethod(imagined_match.imagine)
    imagined_spread = imagined_match.SPREAD
    options = options.OPTIONS

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

    def choice(self, option: str, value: Json) -> Msg:
        """Return the name of an option's value; an uploaded map goes by its own title."""
        return options.choice(option, value) or super().choice(option, value)

    def computers(self) -> Mapping[str, Player]:
        """Return the levels from beginner to expert."""
        return COMPUTERS

    def benchmarks(self) -> Mapping[str, Player]:
        """Return the greedy grabber of continents, and players that fight by one rule each."""
        return BENCHMARKS

    def predictions(self) -> PredictionWatcher:
        """Return what compares predictions of continents, capitals, campaigns and kills with what happens."""
        return TurnPredictions(Strategy())


GAME: Final = Domination()
"""The game; it holds no state."""
