"""What the planning players predict, and whether it comes true.

- `continent`: a continent that a seat holds at the end of its turn is still its own when its next one begins.
- `capital`: the same of its capital.
- `campaign`: the best campaign, once all armies are placed, takes all its countries if fought to the end.
- `kill`: the same of its battles up to the last country of a rival, which is then beaten.

A seat that turns to something else, or leaves armies behind, drops a campaign, most often after bad dice.
Then sampled dice fight the rest: the odds are compared, not whether a player sticks to a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.domination.computer.campaigns import best_campaign, exact_chance
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.rules import judge
from games.domination.rules.battle_odds import MAX_ATTACK_DICE, losses
from games.domination.rules.position import NONE, Position, State
from games.engine.dice import Dice
from games.engine.predictions import Prediction
from games.engine.values import Seat


class _Awaited(NamedTuple):
    kind: str
    chance: float
    has_come_true: Callable[[Position], bool]


class _Pursued:
    """A campaign while its seat carries it out, battle by battle."""

    def __init__(self, kind: str, model: PositionModel, steps: Sequence[tuple[int, int]]) -> None:
        self.kind, self.chance = kind, exact_chance(model, steps)
        self._steps, self._defence, self._is_fighting = list(steps), model.defence, False
        self._armies, self._seat = list(model.position.armies), model.seat

    def is_dropped(self, position: Position) -> bool:
        """Follow the next state of the turn; return whether the campaign is over or isn't carried out."""
        if not self._steps:
            return True
        (src, dst), attack = self._steps[0], position.attack
        if attack is None:
            if self._is_fighting:
                self._armies[src], self._armies[dst] = position.armies[src], position.armies[dst]
                if position.owner[dst] == self._seat:  # the only number of armies that may move in has
                    self._steps.pop(0)
            self._is_fighting = False
            return (
                not self._steps
                or position.phase != "attack"
                or position.armies[self._steps[0][0]] != self._armies[self._steps[0][0]]
            )
        if (attack.src, attack.dst) != (src, dst):
            return True
        self._is_fighting = position.phase == "roll"
        self._armies[src], self._armies[dst] = position.armies[src], position.armies[dst]
        if position.phase == "move":
            self._take()
        return not self._steps

    def _take(self) -> None:
        """Move all armies into the country that was taken."""
        (src, dst), armies = self._steps.pop(0), self._armies
        armies[src], armies[dst] = 1, armies[src] - 1

    def succeeds(self) -> bool:
        """Return whether the battles that are left succeed, with dice sampled for the position."""
        armies, dice = self._armies, Dice(b"pursued", f"{self._armies}", self._seat, "")
        while self._steps:
            src, dst = self._steps[0]
            while armies[dst]:
                if armies[src] < 2:
                    return False
                counts = min(MAX_ATTACK_DICE, armies[src] - 1), min(self._defence, armies[dst])
                lost, killed = losses(dice.roll(counts[0]), dice.roll(counts[1]))
                armies[src], armies[dst] = armies[src] - lost, armies[dst] - killed
            self._take()
        return True


class TurnPredictions:
    """Follows a match: makes predictions when armies are placed and when a turn ends, and compares them."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self._turn = (NONE, 0)
        self._has_planned = False
        self._kept: dict[int, list[_Awaited]] = {}
        """For each seat what it hopes to keep until its next turn."""
        self._plans: list[_Pursued] = []
        """What the seat whose turn it is means to do in it."""

    def __call__(self, state: State, /) -> list[Prediction]:
        """Return the predictions that a state decides."""
        position = state.position
        turn = position.turn, position.info.round
        is_over = position.info.outcome is not None
        found = self._pursued(position, is_over=is_over or turn != self._turn)
        if is_over:
            return found + self._decided([*self._kept], position)
        if position.phase not in ("place", "attack"):
            return found
        if turn != self._turn:
            last = self._turn[0]
            if last in position.living():
                self._kept[last] = self._holdings(state, last)
            beaten = [seat for seat in self._kept if seat not in position.living()]
            found += self._decided([position.turn, *beaten], position)
            self._turn, self._has_planned = turn, False
        if position.phase == "attack" and not self._has_planned:
            self._has_planned = True
            self._plans = self._campaigns(state, position.turn)
        return found

    def _decided(self, seats: list[int], position: Position) -> list[Prediction]:
        """Return what was predicted of things that these seats would keep."""
        return [
            Prediction(each.kind, Seat(seat), each.chance, each.has_come_true(position))
            for seat in seats
            for each in self._kept.pop(seat, [])
        ]

    def _pursued(self, position: Position, *, is_over: bool) -> list[Prediction]:
        """Return what was predicted of campaigns that are fought to the end or dropped."""
        ended = [each for each in self._plans if each.is_dropped(position) or is_over]
        self._plans = [each for each in self._plans if each not in ended]
        seat = Seat(self._turn[0])
        return [Prediction(each.kind, seat, each.chance, each.succeeds()) for each in ended]

    def _holdings(self, state: State, seat: int) -> list[_Awaited]:
        model = PositionModel(judge.view(state, seat), seat, self._strategy)
        tables, found = model.tables, list[_Awaited]()
        held = [n for n in state.position.continents_of(seat) if tables.values[n] > 0]
        for n in held:
            rim, fear = tables.rims[n], model.fears[n]
            chance = model.hold_chance(model.owner, model.armies, rim, fear, len(held))
            found.append(_Awaited("continent", chance, _all_held(seat, tables.countries_of[n])))
        info = state.position.info
        own = info.capitals[seat] if info.mode == "capital" else NONE
        if own != NONE and model.owner[own] == seat:
            chance = model.hold_chance(model.owner, model.armies, (own,), model.fear_for_capital)
            found.append(_Awaited("capital", chance, _all_held(seat, (own,))))
        return found

    def _campaigns(self, state: State, seat: int) -> list[_Pursued]:
        model = PositionModel(judge.view(state, seat), seat, self._strategy)
        best = best_campaign(model, 0)
        if best is None or best.gain < self._strategy.min_gain:
            return []
        found = [_Pursued("campaign", model, best.steps)]
        for each in model.living:
            left = {at for at, by in enumerate(model.owner) if by == each}
            for nth, (_, dst) in enumerate(best.steps, 1):
                left.discard(dst)
                if not left and each != seat:
                    found.append(_Pursued("kill", model, best.steps[:nth]))
                    break
        return found


def _all_held(seat: int, countries: tuple[int, ...]) -> Callable[[Position], bool]:
    return lambda position: all(position.owner[at] == seat for at in countries)
