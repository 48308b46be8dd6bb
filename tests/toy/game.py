"""Three Walkers as an engine game: hidden cards, simultaneous choices, dice, and optional teams.

It uses most hooks of the interface: shortcuts, odds, an overlay, a table of values, marks of an action, a
caution, a default action, two orders in one text, facts on two lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.engine.dice import Dice
from games.engine.game import (
    CHANCE,
    Done,
    Fact,
    Game,
    Json,
    Odds,
    Option,
    Oracle,
    Outcome,
    Partial,
    Rejected,
    Seat,
    SeatLook,
    Setup,
    Shortcut,
    Step,
    Why,
    ranks,
)
from games.engine.message import Msg, Who, msg
from games.engine.scene import Mark, Scene
from games.engine.values import Script
from tests.toy import extras, notation, position, rules
from tests.toy.rules import DIE, FILES, HAND, Action, State, View
from tests.toy.scene import GLYPHS, LOOKS, scene


class Toy(Game[State, View, Action]):
    """The game for two or three walkers, over two or three rounds."""

    key = "toy"
    chance = True
    code = "W"
    hidden = True
    seats = (2, 3)
    options = (Option("pairs", (False, True), False, (3,)), Option("rounds", (2, 3), 2))
    families = ("rounds",)
    glyphs = GLYPHS
    setup_fields = ("teams", "rounds")
    overlays = ("reach",)
    table = "walkers.values"

    def teams(self, seats: int, options: Mapping[str, Json]) -> tuple[int, ...]:
        return tuple(s % 2 for s in range(seats)) if options.get("pairs") is True else tuple(range(seats))

    def advice(self, setup: Setup) -> Msg | None:
        return msg("toy.advice") if setup.seats == 3 and setup.options["pairs"] is False else None

    def max_actions(self, setup: Setup) -> int:
        return 1 + HAND * (setup.seats + 1)  # one deal; in each round a card per seat and one roll

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        return LOOKS[seat]

    def start(self, setup: Setup) -> Step[State]:
        rounds = setup.options["rounds"]
        if not isinstance(rounds, int):
            raise TypeError("the setup was not judged")
        return Step(rules.start(setup.teams, rounds))

    def to_act(self, state: State) -> frozenset[Seat]:
        return rules.to_act(state)

    def refuse(self, state: State, seat: Seat, action: Action) -> Msg | None:
        if seat == CHANCE:
            return rules.judge_chance(state, action)
        return rules.judge(rules.view(state, seat), seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return rules.apply(state, seat, action)

    def draw(self, state: State, dice: Dice) -> Action:
        if state.phase == "deal":
            return Action("deal", dice.shuffled(range(1, HAND * len(state.teams) + 1)))
        return Action("roll", (dice.die(DIE),))

    def forfeit(self, state: State, seat: Seat, why: Why) -> Step[State]:
        return rules.forfeit(state, seat, why)

    def outcome(self, state: State) -> Outcome | None:
        return self._result(rules.view(state, None))

    def view(self, state: State, viewer: Seat | None) -> View:
        return rules.view(state, viewer)

    def actions(self, view: View, seat: Seat) -> Iterator[Action]:
        if seat in view.to_act:
            yield from (Action("card", (card,)) for card in view.hand)

    def read(self, view: View, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        return notation.parse(view, seat, text)

    def recap(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        return tuple(fact for fact in facts if not fact.detail)

    def resume(self, view: View, seat: Seat, script: Script) -> Done[Action] | Partial | Rejected:
        return notation.resume(view, seat, script)

    def scene(self, view: View, viewer: Seat | None) -> Scene:
        return scene(view, self._result(view))

    def action_marks(self, view: View, action: Action) -> tuple[Mark, ...]:
        return extras.action_marks(view)

    def caution(self, view: View, seat: Seat, action: Action) -> Msg | None:
        return extras.caution(view, action)

    def default(self, view: View, seat: Seat) -> Action | None:
        return next(self.actions(view, seat), None)

    def overlay(self, view: View, key: str) -> tuple[Mark, ...]:
        return extras.reach(view) if key == "reach" else super().overlay(view, key)

    def shortcuts(self, view: View, seat: Seat) -> tuple[Shortcut, ...]:
        return extras.shortcuts(view, seat)

    def odds(self, view: View, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        read = self.parse(view, seat, text)
        if isinstance(read, Rejected) and text:
            return read
        named = (read.action,) if isinstance(read, Done) else tuple(self.actions(view, seat))
        return tuple(extras.odds(notation.encode(action)) for action in named)

    def oracle(self, table: memoryview) -> Oracle:
        return extras.FakeOracle(table)

    def evaluate(self, view: View, seat: Seat) -> float:
        others = (view.at[s] for s, team in enumerate(view.teams) if team != view.teams[seat])
        return (view.at[seat] - max(others)) / FILES

    def encode(self, action: Action) -> str:
        return notation.encode(action)

    def decode(self, wire: str) -> Action:
        return notation.decode(wire)

    def dump(self, state: State) -> Json:
        return position.dump(state)

    def restore(self, data: Json, rules: int) -> State:
        return position.load(data)

    def _result(self, view: View) -> Outcome | None:
        """Return the result, which depends only on the public places of the walkers."""
        if view.phase != "over":
            return None
        best: dict[int, int] = {}
        for seat, team in enumerate(view.teams):
            if seat not in view.gone:
                best[team] = max(best.get(team, 0), view.at[seat])
        tiers = (
            frozenset(t for t in best if best[t] == at) for at in sorted(set(best.values()), reverse=True)
        )
        places = ranks(Setup(len(view.teams), view.teams, {}), *tiers)
        winners = tuple(Who(s) for s, place in enumerate(places) if place == 1)
        return Outcome(
            places, msg("toy.outcome.farthest" if len(best) > 1 else "toy.outcome.alone", who=winners)
        )


GAME = Toy()
