"""The player that tries its plans out: each is played on in imagined matches, and the best one is begun."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from games.domination.computer.campaigns import Campaign, possible_campaigns
from games.domination.computer.imagined_match import ImaginedMatch
from games.domination.computer.planning_player import Planning
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.rules.actions import Action
from games.domination.rules.position import View, map_tables
from games.engine.dice import Dice
from games.engine.search import Stop


class Foresight(NamedTuple):
    work: int = 48
    """Imagined matches for a decision."""
    plans: int = 5
    turns: int = 2
    """Turns that are played after the own one."""


class Foreseeing(Planning):
    def __init__(self, strategy: Strategy, foresight: Foresight = Foresight()) -> None:
        super().__init__(strategy)
        self._foresight = foresight

    # --- trying ------------------------------------------------------------------------------------------

    def _best(self, view, seat, pool, plans: Sequence[Campaign | None], dice: Dice, stop) -> Campaign | None:
        """Return the plan whose imagined matches end best: half of the plans are dropped after each pass."""
        seeds = dice.word()
        left = list(range(len(plans)))
        sums = [0.0] * len(plans); n = [0]*len(plans)
        work = self._foresight.work
        import math
        stages = max(1, math.ceil(math.log2(len(left))))
        per = work // stages
        nth = 0
        while len(left) > 1:
            each = max(2, per // len(left))
            for k in range(each):
                for at in left:
                    if stop is not None and stop():
                        return plans[max(range(len(plans)), key=lambda i: (sums[i] / n[i] if n[i] else -1e9))] if all(n) else plans[0]
                    sums[at] += self.imagine(view, seat, pool, plans[at], Random(seeds + (nth + k) * 7919))
                    n[at] += 1
            nth += each
            left.sort(key=lambda i: -sums[i] / n[i])
            left = left[: (len(left)) // 2] if len(left) > 2 else left[:1]
        return plans[left[0]]

    def imagine(self, view: View, seat: int, pool: int, plan: Campaign | None, random: Random) -> float:
        match = ImaginedMatch(view, self._strategy, random)
        if plan is None:
            if pool:
                match.place(match._front(seat), pool)
            match._fortify(seat); match._draw_card(seat)
        else:
            match.play_turn(pool, plan)
        for _ in range(self._foresight.turns):
            if match.over: break
            p = match.begin_turn()
            if match.over: break
            match.play_turn(p)
        return value(match, seat, self._strategy)

    def _plans(self, model: PositionModel, pool: int, stop) -> list[Campaign]:
        found: dict[tuple[int, int], Campaign] = {}
        for each in possible_campaigns(model, pool, stop):
            key = each.steps[0] if not pool else (each.steps[0][0], len(each.steps))
            if key not in found or each.worth > found[key].worth:
                found[key] = each
        every = sorted(found.values(), key=lambda each: -each.worth)
        return every[: self._foresight.plans]

    # --- decisions ---------------------------------------------------------------------------------------

    def choose_placement(self, view, seat, pool, dice, stop=None):
        if view.position.phase == "setup":
            return super().choose_placement(view, seat, pool, dice, stop)
        plain = super().choose_placement(view, seat, pool, dice, stop)
        model = self._model(view, seat)
        plans = self._plans(model, pool, stop)
        if len(plans) < 2:
            return plain
        best = self._best(view, seat, pool, plans, dice, stop)
        if best is None or best.gain < 0 and best is plans[0]: return plain
        return best.steps[0][0], self._armies_needed(model, best, pool)

    def choose_attack(self, view, seat, dice, stop=None) -> Action:
        model = self._model(view, seat)
        plans = self._plans(model, 0, stop)
        if not plans or plans[0].gain < -3:
            return self._last_move(model)
        if plans[0].chance>0.999 and len(plans)==1: return self._order(model, plans[0])
        best = self._best(view, seat, 0, [*plans, None], dice, stop)
        return self._last_move(model) if best is None else self._order(model, best)



from math import exp, log
from games.domination.computer.position_model import next_set_value
from games.domination.computer.imagined_match import _SET_CHANCES
from games.domination.rules.position import reinforcements

def value(match: ImaginedMatch, seat: int, strategy) -> float:
    """Return the seat's chance to win, roughly."""
    position = match.position
    living = position.living()
    if seat not in living: return 0.0
    if len(living) == 1: return 1.0
    seats = position.info.law.seats
    nxt = next(n % seats for n in range(position.turn + 1, position.turn + seats + 1) if n % seats in living)
    owner, armies = position.owner, position.armies
    force = [0] * 256; big = [0] * 256; land = [0] * 256
    for by, n in zip(owner, armies):
        force[by] += n; land[by] += 1
        if n > big[by]: big[by] = n
    logs = []
    setv = next_set_value(position)
    for s in living:
        if not land[s]: logs.append(-99.0); continue
        c = position.info.cards[s]
        x = 1.43 * log(land[s]) + 2.33 * log(force[s]) + 0.99 * log(max(1,reinforcements(position, s))) + 0.46 * log(big[s])
        x += 0.21 * setv * (_SET_CHANCES[c] if c < 5 else 1.0) + (1.36 if s == nxt else 0.0)
        logs.append(x)
    top = max(logs)
    w = [exp(x - top) for x in logs]
    return w[living.index(seat)] / sum(w)
