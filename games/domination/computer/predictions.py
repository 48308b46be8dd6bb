"""What the planning players predict, and whether it comes true.

- `continent`: a continent that a seat holds at the end of its turn is still its own when its next one begins.
- `capital`: the same of its capital.
- `campaign`: the best campaign, once all armies are placed, takes all its countries in this turn.
- `kill`: the same of a campaign against all countries of a rival: it is beaten in this turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from games.domination.computer.campaigns import best_campaign
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.rules import judge
from games.domination.rules.position import NONE, Position, State
from games.engine.predictions import Prediction
from games.engine.values import Seat


class _Awaited(NamedTuple):
    kind: str
    chance: float
    has_come_true: Callable[[Position], bool]


class TurnPredictions:
    """Follows a match: makes predictions when armies are placed and when a turn ends, and compares them."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self._turn = (NONE, 0)
        self._has_planned = False
        self._kept: dict[int, list[_Awaited]] = {}
        """For each seat what it hopes to keep until its next turn."""
        self._plans: list[_Awaited] = []
        """What the seat whose turn it is hopes to do in it."""

    def __call__(self, state: State, /) -> list[Prediction]:
        """Return the predictions that a state decides."""
        position = state.position
        if position.info.outcome is not None:
            return self._decided([*self._kept], position)
        turn, found = (position.turn, position.info.round), list[Prediction]()
        if position.phase not in ("place", "attack"):
            return found
        if turn != self._turn:
            last = self._turn[0]
            found += self._done(position)
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
        found = self._done(position) if position.info.outcome is not None else []
        for seat in seats:
            found += _compared(seat, self._kept.pop(seat, []), position)
        return found

    def _done(self, position: Position) -> list[Prediction]:
        """Return what was predicted of the turn that has ended."""
        plans, self._plans = self._plans, []
        return _compared(self._turn[0], plans, position)

    def _holdings(self, state: State, seat: int) -> list[_Awaited]:
        model = PositionModel(judge.view(state, seat), seat, self._strategy)
        tables, found = model.tables, list[_Awaited]()
        for n in state.position.continents_of(seat):
            if tables.values[n] > 0:
                chance = model.hold_chance(model.owner, model.armies, tables.rims[n], model.fears[n])
                found.append(_Awaited("continent", chance, _all_held(seat, tables.countries_of[n])))
        info = state.position.info
        own = info.capitals[seat] if info.mode == "capital" else NONE
        if own != NONE and model.owner[own] == seat:
            chance = model.hold_chance(model.owner, model.armies, (own,), model.fear)
            found.append(_Awaited("capital", chance, _all_held(seat, (own,))))
        return found

    def _campaigns(self, state: State, seat: int) -> list[_Awaited]:
        model = PositionModel(judge.view(state, seat), seat, self._strategy)
        best = best_campaign(model, 0)
        if best is None or best.gain < self._strategy.min_gain:
            return []
        targets = tuple(sorted({dst for _, dst in best.steps}))
        found = [_Awaited("campaign", best.chance, _all_held(seat, targets))]
        for each in model.living:
            held = {at for at, by in enumerate(model.owner) if by == each}
            if each != seat and held <= set(targets):
                found.append(_Awaited("kill", best.chance, _is_beaten(each)))
        return found


def _compared(seat: int, awaited: list[_Awaited], position: Position) -> list[Prediction]:
    return [Prediction(each.kind, Seat(seat), each.chance, each.has_come_true(position)) for each in awaited]


def _all_held(seat: int, countries: tuple[int, ...]) -> Callable[[Position], bool]:
    return lambda position: all(position.owner[at] == seat for at in countries)


def _is_beaten(seat: int) -> Callable[[Position], bool]:
    return lambda position: seat not in position.owner
