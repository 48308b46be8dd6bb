"""The player with foresight: it plays the match on from its best choices, and takes what went best.

All seats play on as the planning player does, for some turns and with the same dice after each choice. The
plan is left only for what is better beyond doubt. (Rollouts: Tesauro and Galperin, "On-line policy
improvement using Monte-Carlo search", 1996.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import exp, log, sqrt
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from games.domination.computer.campaigns import Campaign, possible_campaigns
from games.domination.computer.planning_player import Planning
from games.domination.computer.position_model import PositionModel, Strategy, next_set_value, set_chance
from games.domination.rules import actions, judge, opening
from games.domination.rules.actions import Action
from games.domination.rules.position import (
    NONE,
    UNKNOWN,
    Position,
    State,
    View,
    map_tables,
    reinforcements,
    replace_at,
)
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat
from games.engine.search import Stop

_LIKELY: Final = 0.6
"""Chance that a rival places its secret armies where a plan would, if the map is all it knows."""
_GUESSES: Final = 4
"""Number of countries on which a rival may place its secret armies."""
_COUNTRIES: Final = 42
"""Countries of a map up to which the whole budget is used: on larger maps turns take longer."""
_FEW: Final = 3
"""Seats of a match up to which playing on a turn of each says enough."""
_LAND, _FORCE, _INCOME, _LARGEST, _SET, _MOVES = 1.43, 2.33, 0.99, 0.46, 0.21, 1.36
"""Weights of the logarithms of countries, armies, income and the largest stack, of each army of the next set,
and of being the next to move. The chances that come true look at armies alone, but choose no better."""
_WORD: Final = 1 << 32
_MIN_MATCHES: Final = 4
"""Minimum number of continuations that say anything."""
_K = TypeVar("_K", bound=Hashable)
_Rivals: TypeAlias = dict[int, tuple[int, list[int]]]
"""For each rival the armies that it places in secret, and the countries where it may."""


class Foresight(NamedTuple):
    """The budget of a decision, and how it is spent."""

    work: int = 160
    """Maximum number of turns that are played on to compare placements."""
    attack_work: int = 36
    """The same for attacks."""
    opening_work: int = 200
    """The same before the first turn."""
    rounds: int = 3
    """Rounds of the match in which it looks ahead: most matches are decided by then."""
    choices: int = 5
    """Maximum number of places, or of campaigns to begin, that are compared besides the plan."""
    turns: int = 2
    """Minimum number of turns that are played on after its own; all others have at least one."""
    doubt: float = 1.0
    """Standard errors by which a choice has to be better than the plan's."""


class Foreseeing(Planning):
    """Plans, and compares its best choices by playing the match on.

    With many seats a turn of each says too little about the end, and another player decides.
    """

    seconds = 20.0

    def __init__(self, strategy: Strategy, foresight: Foresight, among_many: Planning) -> None:
        super().__init__(strategy)
        self._foresight, self._among_many = foresight, among_many

    def decide(self, game: AnyGame, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None) -> Action:
        """Return the action after which the match goes best, as far as that is seen."""
        position: Position = view.position
        if position.info.law.seats > _FEW:
            return self._among_many.decide(game, view, seat, dice, stop)
        plain = super().decide(game, view, seat, dice, stop)
        foresight = self._foresight
        if position.info.round > foresight.rounds:
            return plain
        if plain.kind == "place":
            in_secret = position.phase == "setup"
            pool = view.own.pool if in_secret else position.pool
            choices = self._placements(view, seat, pool, plain, stop)
            work = foresight.opening_work if in_secret else foresight.work
        elif position.phase == "attack":
            choices, work = self._attacks(view, seat, plain, stop), foresight.attack_work
        else:
            return plain
        return choices[self._best(game, view, seat, choices, work, dice, stop)]

    # --- choices -----------------------------------------------------------------------------------------

    def _placements(self, view: View, seat: int, pool: int, plain: Action, stop: Stop | None) -> list[Action]:
        """Return the plan's placement, and all armies where others begin; in secret, half of them, too."""
        codes = map_tables(view.position.info.law.atlas).codes
        sources = [codes[at] for at in _origins(self._model(view, seat), pool, stop)]
        found = [plain, *[actions.place(at, pool) for at in sources[: self._foresight.choices]]]
        if view.position.phase == "setup" and pool > 1:
            found += [actions.place(at, pool // 2) for at in sources[:3]]
        return list(dict.fromkeys(found))

    def _attacks(self, view: View, seat: int, plain: Action, stop: Stop | None) -> list[Action]:
        """Return the plan's action, the first battles of other campaigns, and the end of the attacks."""
        model = self._model(view, seat)
        best = _best_by(lambda each: each.steps[0], model, 0, stop)
        order = sorted(best.values(), key=lambda each: -each.worth)[: self._foresight.choices]
        found = [plain, *[self._order(model, each) for each in order]]
        if plain.kind == "attack":
            found.append(self._last_move(model))
        return list(dict.fromkeys(found))

    # --- comparing ---------------------------------------------------------------------------------------

    def _best(
        self, game: AnyGame, view: View, seat: int, choices: Sequence[Action], work: int, dice: Dice,
        stop: Stop | None,
    ) -> int:  # fmt: skip
        """Return the number of the best choice: 0, the plan's, unless another is better beyond doubt.

        The worse half of the others is dropped after each stage. Once `stop` says so, playing on ends.
        """
        if len(choices) < 2:
            return 0
        seed, rivals = dice.word(), self._rivals(view, seat, stop)
        left, stages = list(range(1, len(choices))), (len(choices) - 1).bit_length()
        gains, squares, nth = [0.0] * len(choices), [0.0] * len(choices), 0
        work = work * _COUNTRIES // max(_COUNTRIES, len(view.position.owner))
        share_of_work, turns = work // stages, self._turns(view.position)
        for _ in range(stages):
            cost = (len(left) + 1) * turns
            for _ in range(min(work // cost, max(2, share_of_work // cost))):
                work -= cost
                again = seed + _WORD * nth
                deal = Dice(b"guessed", "", again, "")
                state = judge.guess_state(view, seat, deal) or _with_secrets(view, seat, rivals, deal)
                found = [
                    self._continued(game, state, seat, choices[each], turns, again, stop)
                    for each in (0, *left)
                    if stop is None or not stop()
                ]
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

    def _turns(self, position: Position) -> int:
        """Return how many turns are played on, the current one included: each seat plays one at least."""
        living = len(position.living())
        return living if position.phase == "setup" else max(self._foresight.turns + 1, living)

    def _continued(
        self,
        game: AnyGame,
        state: State,
        seat: int,
        action: Action,
        turns: int,
        seed: int,
        stop: Stop | None,
    ) -> float:
        """Return the chance to win after an action and some turns as all seats plan them."""
        state = game.apply(state, Seat(seat), action).state
        turn = NONE if state.position.phase == "setup" else state.position.turn
        seq = seed
        while (outcome := state.position.info.outcome) is None:
            position = state.position
            if position.phase == "place" and position.turn != turn:
                turn, turns = position.turn, turns - (turn != NONE)
                if not turns:
                    break
            if stop is not None and stop():
                break
            acting, dice = min(judge.to_act(position)), Dice(b"continued", "", seq, "")
            if acting == CHANCE:
                action = game.draw(state, dice)
            else:
                action = super().decide(game, judge.view(state, acting), acting, dice, stop)
            state, seq = game.apply(state, acting, action).state, seq + 1
        if outcome is not None:
            return float(outcome.ranks[seat] == 1)
        return _outlook(state.position, seat)

    # --- what is hidden ----------------------------------------------------------------------------------

    def _rivals(self, view: View, seat: int, stop: Stop | None) -> _Rivals:
        """Return for each rival the armies that it places in secret, and where it may place them."""
        position = view.position
        found: _Rivals = {}
        if position.phase != "setup":
            return found
        for each in position.living():
            pool = max(0, opening.start_pool(position.info.law, each) - position.owner.count(each))
            if each != seat and pool:
                model = self._model(View(position, UNKNOWN._replace(pool=pool)), each)
                found[each] = pool, _origins(model, pool, stop)[:_GUESSES] or position.held(each)
        return found


def _outlook(position: Position, seat: int) -> float:
    """Return how well a seat stands, from 0 to 1, between two turns."""
    odds, value = dict[int, float](), next_set_value(position)
    for each in position.living():
        stacks = [n for n, by in zip(position.armies, position.owner, strict=True) if by == each]
        if not stacks:
            continue
        x = _LAND * log(len(stacks)) + _FORCE * log(sum(stacks)) + _LARGEST * log(max(stacks))
        x += _INCOME * log(max(1, reinforcements(position, each)))
        x += _SET * value * set_chance(position.info.cards[each])
        odds[each] = exp(x + _MOVES * (each == position.turn))
    return odds.get(seat, 0.0) / sum(odds.values())


def _with_secrets(view: View, seat: int, rivals: _Rivals, dice: Dice) -> State:
    """Return a state of the set-up that the view allows, with what rivals may place in secret."""
    position, law = view.position, view.position.info.law
    found = [UNKNOWN._replace(spread=(0,) * len(position.owner))] * law.seats
    found[seat] = view.own or UNKNOWN
    for each, (pool, where) in rivals.items():
        if dice.word() < _LIKELY * _WORD:
            found[each] = found[each]._replace(pool=pool)
        else:
            at = dice.pick(where)
            found[each] = found[each]._replace(spread=replace_at(found[each].spread, at, pool))
    info = position.info._replace(ready=tuple(not own.pool for own in found))
    return State(position._replace(info=info), tuple(found), tuple(range(len(law.atlas.cards))))


def _origins(model: PositionModel, pool: int, stop: Stop | None) -> list[int]:
    """Return where campaigns begin, the best one first."""
    best = _best_by(lambda each: each.steps[0][0], model, pool, stop)
    return sorted(best, key=lambda at: (-best[at].worth, at))


def _best_by(
    key: Callable[[Campaign], _K], model: PositionModel, pool: int, stop: Stop | None
) -> dict[_K, Campaign]:
    """Return the best campaign for each key."""
    found: dict[_K, Campaign] = {}
    for each in possible_campaigns(model, pool, stop):
        of = key(each)
        if of not in found or each.worth > found[of].worth:
            found[of] = each
    return found
