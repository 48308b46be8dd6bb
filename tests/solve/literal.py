"""Value iteration as slow and literal as can be, on nothing but the public interface of the game."""

from __future__ import annotations

from itertools import product
from typing import Any

from games.engine.game import CHANCE, Seat
from games.two_domains import GAME
from games.two_domains.rules import LIMIT

Outcomes = list[tuple[float, Any]]
"""What an action may lead to: probability, and a position of `Literal.index` or the value itself."""


class Literal:
    """All positions of at most two dice against at most two, with the first seat to move."""

    def __init__(self) -> None:
        pairs = ["".join(faces) for faces in product("123456", repeat=2)]
        self.starts = [(mine, theirs) for mine in pairs for theirs in [*pairs, "1"]]
        self.index = {pair: at for at, pair in enumerate(self.starts)}
        self.choices = [self._choices(*pair) for pair in self.starts]

    def _choices(self, mine: str, theirs: str, rules: int = GAME.rules, completed: int = 0) -> list[Outcomes]:
        state = GAME.load({"red": mine, "blue": theirs, "turn": "red", "completed": completed}, rules)
        return [
            self._outcomes(GAME.apply(state, Seat(0), action).state, 1.0)
            for action in GAME.actions(GAME.view(state, Seat(0)), Seat(0))
        ]

    def _outcomes(self, state: Any, weight: float) -> Outcomes:
        """Positions by (who moves is the first seat, index), or the first seat's result."""
        if (outcome := GAME.outcome(state)) is not None:
            first, second = outcome.ranks
            return [(weight, 0.5 if first == second else float(first < second))]
        (seat,) = GAME.to_act(state)
        if seat == CHANCE:
            rolls = list(GAME.actions(GAME.view(state, CHANCE), CHANCE))
            return [
                found
                for roll in rolls
                for found in self._outcomes(GAME.apply(state, CHANCE, roll).state, weight / len(rolls))
            ]
        view: Any = GAME.dump(state)
        lines = (view["red"], view["blue"])
        return [(weight, (seat == 0, self.index[lines if seat == 0 else lines[::-1]]))]

    def singles(self) -> dict[int, float]:
        """Values against a single die: only its opponent moves, and must get on with it.

        A failed battle turns the tables: what it leaves is taken from the pass before.
        """
        at = [index for index, (_, theirs) in enumerate(self.starts) if theirs == "1"]
        before = dict.fromkeys(at, 0.0)
        for _ in range(20):
            now = dict.fromkeys(at, 0.0)
            for _ in range(200):
                now = {
                    index: max(
                        sum(weight * self._alone(then, now, before) for weight, then in found)
                        for found in self.choices[index]
                    )
                    for index in at
                }
            before = now
        return before

    @staticmethod
    def _alone(then: Any, now: dict[int, float], before: dict[int, float]) -> float:
        if isinstance(then, float):
            return then
        mine, at = then
        return now[at] if mine else 1.0 - before[at]

    def bounds(self, turns: int) -> tuple[list[float], list[float]]:
        """Return lower and upper bounds: what can be forced and prevented within this many turns."""
        singles = self.singles()
        low = [singles.get(at, 0.0) for at in range(len(self.starts))]
        high = [singles.get(at, 1.0) for at in range(len(self.starts))]
        for _ in range(turns):
            low, high = (
                [
                    singles[at]
                    if at in singles
                    else max(self._worth(found, mine, theirs) for found in choices)
                    for at, choices in enumerate(self.choices)
                ]
                for mine, theirs in ((low, high), (high, low))
            )
        return low, high

    def limited(self, actions: int, rules: int) -> list[float]:
        """Return values by backward induction with this many actions left until the limit."""
        last = [self._choices(*pair, rules, LIMIT - 1) for pair in self.starts]
        values = [max(self._worth(found, [], []) for found in choices) for choices in last]
        for _ in range(actions - 1):
            values = [
                max(self._worth(found, values, values) for found in choices) for choices in self.choices
            ]
        return values

    @staticmethod
    def _worth(outcomes: Outcomes, mine: list[float], theirs: list[float]) -> float:
        total = 0.0
        for weight, then in outcomes:
            if isinstance(then, float):
                total += weight * then
            else:
                first, at = then
                total += weight * (mine[at] if first else 1.0 - theirs[at])
        return total
