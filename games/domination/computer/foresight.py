"""The player with foresight: it tries its best choices out in imagined matches, and takes the best one.

All choices meet the same dice. The plain plan is left only for what is better beyond doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

from games.domination.computer.campaigns import possible_campaigns
from games.domination.computer.imagined_match import ImaginedMatch
from games.domination.computer.planning_player import Planning
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.rules import opening
from games.domination.rules.position import UNKNOWN, Position, View
from games.engine.dice import Dice
from games.engine.search import Stop

_LIKELY: Final = 0.6
"""Chance that a rival places its secret armies where a plain plan would, if the map is all it knows."""
_GUESSES: Final = 4
"""Number of countries on which a rival may place its secret armies."""
_COUNTRIES: Final = 42
"""Countries of a map up to which the whole budget is used: on larger maps turns take longer."""
_WORD: Final = 1 << 32
_MIN_MATCHES: Final = 4
"""Minimum number of imagined matches that say anything."""
_Steps = tuple[tuple[int, int], ...]
_Rivals = dict[int, tuple[int, list[int]]]
"""For each rival the armies that it places in secret, and the countries where it may."""


class Foresight(NamedTuple):
    """The budget of a decision, and how it is spent."""

    work: int = 300
    """Maximum number of imagined turns to compare placements."""
    opening_work: int = 1200
    """The same before the first turn."""
    choices: int = 4
    """Maximum number of countries that are compared for placing, besides the plain plan's."""
    turns: int = 2
    """Turns that are imagined after its own."""
    doubt: float = 1.0
    """Standard errors by which a choice has to be better than the plain plan's."""


class Foreseeing(Planning):
    """Plans, and compares its best placements by matches that it imagines."""

    seconds = 10.0

    def __init__(self, strategy: Strategy, foresight: Foresight) -> None:
        super().__init__(strategy)
        self._foresight = foresight

    # --- choices -----------------------------------------------------------------------------------------

    def choose_placement(
        self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Return the placement after which the imagined matches go best."""
        plain = super().choose_placement(view, seat, pool, dice, stop)
        choices = self._placements(view, seat, pool, plain, stop)
        in_secret = view.position.phase == "setup"
        work = self._foresight.opening_work if in_secret else self._foresight.work
        return choices[self._best(view, seat, choices, work, dice, stop)][0]

    def _placements(
        self, view: View, seat: int, pool: int, plain: tuple[int, int], stop: Stop | None
    ) -> list[_Steps]:
        """Return the plain placement, and all armies where another campaign begins; in secret, halves too."""
        most = self._foresight.choices
        at = plain[0]
        near = [at, *[src for src in _origins(self._model(view, seat), pool, stop)[:most] if src != at]]
        found: list[_Steps] = [((src, pool),) for src in near]
        if plain[1] < pool:
            found.insert(0, (plain, (at, pool - plain[1])))
        half = pool // 2
        if view.position.phase == "setup" and half > 1:
            pairs = [(src, other) for src in near[:3] for other in near[:4] if src < other]
            found += [((src, half), (other, pool - half)) for src, other in pairs]
        return found

    # --- comparing ---------------------------------------------------------------------------------------

    def _best(
        self, view: View, seat: int, choices: Sequence[_Steps], work: int, dice: Dice, stop: Stop | None
    ) -> int:
        """Return the number of the best choice: 0, the plain plan's, unless another is better beyond doubt.

        The worse half of the others is dropped after each stage. Once `stop` says so, imagining ends.
        """
        if len(choices) < 2:
            return 0
        seed, rivals = dice.word(), self._guesses(view, seat, stop)
        left, stages = list(range(1, len(choices))), (len(choices) - 1).bit_length()
        gains, squares, nth = [0.0] * len(choices), [0.0] * len(choices), 0
        work = work * _COUNTRIES // max(_COUNTRIES, len(view.position.owner))
        share_of_work = work // stages
        for _ in range(stages):
            cost = (len(left) + 1) * (self._foresight.turns + 1)
            for _ in range(min(work // cost, max(2, share_of_work // cost))):
                work -= cost
                found: list[float] = []
                for each in (0, *left):
                    if stop is None or not stop():
                        again = seed + _WORD * nth
                        found.append(self._imagined(view, seat, choices[each], rivals, again, stop))
                if len(found) <= len(left) or (stop is not None and stop()):
                    work = 0  # nothing is left for later stages
                    break
                nth += 1
                for each, value in zip(left, found[1:], strict=True):
                    gains[each] += value - found[0]
                    squares[each] += (value - found[0]) ** 2
            left.sort(key=lambda each: (-gains[each], each))
            left = left[: max(1, len(left) // 2)]
        if nth < _MIN_MATCHES:
            return 0
        best, gain = left[0], gains[left[0]] / nth
        error = sqrt(max(0.0, squares[best] / nth - gain * gain) / nth)
        return best if gain > self._foresight.doubt * error else 0

    def _imagined(
        self, view: View, seat: int, places: _Steps, rivals: _Rivals, seed: int, stop: Stop | None
    ) -> float:
        """Return the chance to win after these placements and some imagined turns."""
        turns, dice = self._foresight.turns, Dice(b"imagined", "", seed, "")
        if view.position.phase == "setup":
            begun = _first_turn(view, places, rivals, dice)
            match = ImaginedMatch(begun, seat, self._strategy, dice, stop)
            match.play_turns(turns + 1)
            return match.share()
        match = ImaginedMatch(view, seat, self._strategy, dice, stop)
        for at, n in places:
            match.place(at, n)
        match.play_turn(0)
        match.play_turns(turns)
        return match.share()

    def _guesses(self, view: View, seat: int, stop: Stop | None) -> _Rivals:
        """Return for each rival the armies that it places in secret, and where it may place them."""
        position = view.position
        found: _Rivals = {}
        if position.phase != "setup":
            return found
        for each in position.living():
            pool = _secret_pool(position, each)
            if each != seat and pool:
                model = self._model(View(position, UNKNOWN._replace(pool=pool)), each)
                found[each] = pool, _origins(model, pool, stop)[:_GUESSES] or position.held(each)
        return found


def _origins(model: PositionModel, pool: int, stop: Stop | None) -> list[int]:
    """Return where campaigns begin, the best one first."""
    worth: dict[int, float] = {}
    for each in possible_campaigns(model, pool, stop):
        src = each.steps[0][0]
        worth[src] = max(worth.get(src, each.worth), each.worth)
    return sorted(worth, key=lambda at: (-worth[at], at))


def _secret_pool(position: Position, seat: int) -> int:
    """Return the armies that a seat places in secret before the first turn."""
    return max(0, opening.start_pool(position.info.law, seat) - position.owner.count(seat))


def _first_turn(view: View, places: _Steps, rivals: _Rivals, dice: Dice) -> View:
    """Return the view before the first turn, with its own secret armies and those that rivals may place."""
    position, own = view.position, view.own or UNKNOWN
    armies = [
        n + more for n, more in zip(position.armies, own.spread or (0,) * len(position.armies), strict=True)
    ]
    for at, n in places:
        armies[at] += n
    for pool, where in rivals.values():
        likely = dice.word() < _LIKELY * _WORD
        armies[where[0] if likely else dice.pick(where)] += pool
    info = position.info._replace(round=0)
    begun = position._replace(info=info, armies=tuple(armies), turn=info.law.seats - 1)
    return View(begun, own._replace(spread=()))
