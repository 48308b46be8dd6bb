"""The players that plan: place armies where the best campaign begins, and attack along it while it pays.

Every decision plans anew. Armies placed for a campaign make it the best one again, so the target stays; after
bad dice it no longer is, and the attack ends.
"""

from __future__ import annotations

from typing import Final

from games.domination.computer import imagined_match, opening_choices
from games.domination.computer.campaigns import Campaign, best_campaign, follow, possible_campaigns
from games.domination.computer.players import Computer, steps_to
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.rules import actions, move_generator
from games.domination.rules.actions import END, Action
from games.domination.rules.position import View, map_tables
from games.engine.dice import Dice
from games.engine.game import AnyGame, Expectation, Seat
from games.engine.search import Stop

_LARGE_STACK: Final = 10
"""Armies from which on an attack stops for a new decision once its lead is halved."""
_MIN_MOVE_GAIN: Final = 0.15
"""Minimum gain of a last move, in armies."""
_TIE: Final = 1e-9
_SHARP: Final = 1000
"""Steps in which a misjudgement is drawn."""


class Planning(Computer):
    """Compares campaigns and begins the best one.

    When it places its armies it may misjudge each goal by up to `misjudges` armies: then it puts all of
    them into one plan that looks better than it is, as people do, and carries that out as far as it pays.
    Once it has conquered a country it stops in `contented` of 100 decisions.
    """

    def __init__(self, strategy: Strategy, *, misjudges: float = 0.0, contented: int = 0) -> None:
        self._strategy, self._misjudges, self._contented = strategy, misjudges, contented
        self.denies, self.settles = strategy.denies, strategy.settles

    def _model(self, view: View, seat: int) -> PositionModel:
        return PositionModel(view, seat, self._strategy)

    def weigh(
        self, game: AnyGame, view: View, seat: Seat, dice: Dice, stop: Stop | None = None
    ) -> tuple[Action, Expectation | None]:
        """Return the same as `decide`, with what the seat may expect at the beginning of its turn."""
        action = self.decide(game, view, seat, dice, stop)
        return action, imagined_match.expect(view, seat, dice, stop)

    # --- placing -----------------------------------------------------------------------------------------

    def choose_placement(
        self, view: View, seat: int, pool: int, dice: Dice, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Return a country that a mission lacks armies on, else the best campaign's origin, else a border."""
        position = view.position
        model = self._model(view, seat)
        few = opening_choices.lacking_armies(model)
        if few and len(few) <= pool:
            return few[0], 1
        if self._misjudges and position.phase == "place":
            return self._misjudged(model, pool, dice, stop) or self._reinforce(model, pool)
        found = best_campaign(model, pool, stop)
        if found is None or found.gain < self._strategy.min_gain:
            return self._reinforce(model, pool)
        return found.places[0] if len(found.places) > 1 else self._armies_needed(model, found, pool)

    def _misjudged(
        self, model: PositionModel, pool: int, dice: Dice, stop: Stop | None
    ) -> tuple[int, int] | None:
        """Return where the campaign begins that seems best, and all armies; None if none seems to pay."""
        errors: dict[frozenset[int], float] = {}
        most, found = self._strategy.min_gain, None
        for each in possible_campaigns(model, pool, stop):
            goal = each.goal.countries
            if goal not in errors:  # a triangle: small errors are more frequent than large ones
                errors[goal] = self._misjudges * (dice.below(_SHARP) - dice.below(_SHARP)) / _SHARP
            seems = each.gain + errors[goal]
            if seems > most:
                most, found = seems, (each.places[0][0], pool)
        return found

    def _armies_needed(self, model: PositionModel, found: Campaign, pool: int) -> tuple[int, int]:
        """Return the origin, and the armies that make the campaign worth most: others count as armies too."""
        src, most, need = found.steps[0][0], found.worth, pool
        stand = found.worth - found.gain - pool
        for part in (3, 2, 1):
            n = pool * part // 4
            if n < 1:
                break
            again = follow(model, found.goal, ((src, n),), stand + n)
            if again is None or again.steps[0] != found.steps[0] or again.worth + pool - n <= most:
                break
            most, need = again.worth + pool - n, n
        return src, need

    def _reinforce(self, model: PositionModel, pool: int) -> tuple[int, int]:
        """Return the country that gains most from armies, and half of a large pool, to decide again later."""
        n = pool if pool < 4 else (pool + 1) // 2
        armies = model.armies
        most, found = -1e9, 0
        for at, by in enumerate(model.owner):
            if by != model.seat:
                continue
            near = sum(armies[m] for m in model.tables.into[at] if model.feared(m))
            stacks = armies.copy()
            stacks[at] += n
            worth = model.worth(model.owner, stacks, model.position.taken)
            worth += 0.05 * min(4.0, near / armies[at]) if near else -1.0
            if worth > most:
                most, found = worth, at
        return found, n

    # --- attacks -----------------------------------------------------------------------------------------

    def choose_attack(self, view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Action:
        """Return the first battle of the best campaign; without a campaign, the last move."""
        model = self._model(view, seat)
        if self._contented and view.position.taken and dice.below(100) < self._contented:
            return self._last_move(model)
        found = best_campaign(model, 0, stop)
        alone = len(model.living) == 1  # what others gave up is all that is left
        if found is None or (found.gain < self._strategy.min_gain and not alone):
            return self._last_move(model)
        return self._order(model, found)

    def _order(self, model: PositionModel, found: Campaign) -> Action:
        """Return the first battle of a campaign; a large stack stops halfway, to decide again."""
        src, dst = found.steps[0]
        codes, armies = map_tables(model.law.atlas).codes, model.position.armies
        ours, theirs = armies[src], armies[dst]
        if ours >= _LARGE_STACK and ours - theirs >= 4:
            return actions.attack(codes[src], codes[dst], "lead", (ours - theirs) // 2)
        return actions.attack(codes[src], codes[dst], "until", 3 if ours > 3 else 1)

    def choose_move_in(self, view: View, seat: int, low: int, high: int, stop: Stop | None = None) -> int:
        """Return all armies if no enemy borders the origin; else the number worth most, with what follows."""
        position = view.position
        attack = position.attack
        if attack is None:
            return low
        model = self._model(view, seat)
        src, dst = attack.src, attack.dst
        if all(model.owner[n] == seat for n in model.tables.into[src]):
            return high
        whole = model.armies[src] + model.armies[dst]
        most, found = -1e9, high
        for n in sorted({high, low, (low + high) // 2}, reverse=True):
            model.armies[src], model.armies[dst] = whole - n, float(n)
            worth = model.worth(model.owner, model.armies, True)
            onward = best_campaign(model, 0, stop)
            worth += max(0.0, onward.gain) if onward is not None else 0.0
            if worth > most + _TIE:
                most, found = worth, n
        return found

    # --- the last move -----------------------------------------------------------------------------------

    def _last_move(self, model: PositionModel) -> Action:
        """Return the last move worth most: idle armies towards enemies, or to where they are needed."""
        codes, owner, armies = map_tables(model.law.atlas).codes, model.owner, model.armies
        far = self._distances(model)
        stand = model.worth(owner, armies, True)
        most, found = _MIN_MOVE_GAIN, END
        for src, by in enumerate(owner):
            if by != model.seat or armies[src] < 2:
                continue
            for dst in move_generator.destinations(model.position, src):
                idle = far[src] > 0
                if idle and far[dst] >= far[src]:
                    continue
                for n in {round(armies[src]) - 1, max(1, round(armies[src]) // 2)}:
                    stacks = armies.copy()
                    stacks[src] -= n
                    stacks[dst] += n
                    worth = model.worth(owner, stacks, True) - stand
                    worth += 0.1 * n * (far[src] - far[dst])
                    if worth > most + _TIE:
                        most, found = worth, actions.fortify(codes[src], codes[dst], n)
        return found

    def _distances(self, model: PositionModel) -> list[int]:
        """Return how many moves each of the seat's countries is from the nearest that borders an enemy."""
        owner, seat, tables = model.owner, model.seat, model.tables
        edge = [
            at
            for at, by in enumerate(owner)
            if by == seat and any(owner[n] != seat for n in (*tables.borders[at], *tables.into[at]))
        ]
        return steps_to(model.law.atlas, edge, {at for at, by in enumerate(owner) if by == seat})
