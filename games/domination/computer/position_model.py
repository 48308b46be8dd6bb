"""The worth of a position to a computer player: its armies, income, cards and goal, less those of rivals.

The unit is one army. Stronger rivals count for more, and a single rival counts in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from games.domination.computer import evaluation
from games.domination.rules import cards, goals
from games.domination.rules.battle_odds import battle
from games.domination.rules.position import NEUTRAL, NONE, Position, View, map_tables, reinforcements

WON: Final = 2000.0
"""Worth of a win: more than anything else can add up to."""
ATTACK_COST: Final = 0.86
"""Approximate number of armies lost for each defender."""
_SET_CHANCES: Final = (0.0, 0.0, 0.0, 0.42, 0.82, 1.0)
"""Chance that a hand holds a set, by its number of cards."""
_FARTHEST: Final = 2.5
"""Cost of a way, in the strongest rival's armies, beyond which nobody comes."""
_TAKEN: Final = 0.25
"""What a continent is worth that is lost at once, as a share of its bonus: others don't hold it either."""
_IDLE_ROUNDS: Final = 3.0
"""Number of armies, in rounds of reinforcements, from which on they are considered idle."""
_MAX_STRETCH: Final = 20.0
"""Maximum factor by which idle armies lengthen the time that income is counted for."""
_HASTE_ROUNDS: Final = 10
"""Rounds in which that factor grows by one."""
_COUNTRY_INCOME: Final = 0.06
"""Armies a turn for each country, which matter where the minimum income hides them."""
_LAST_ROUND_TURNS: Final = 9.0
"""Turns of income that countries count for in the last round: three armies for each country."""


class Threat(NamedTuple):
    """How likely a rival attacks a continent of its map's mean bonus, and on what that depends."""

    odds: float
    bonus: float
    """Exponent of the continent's bonus."""
    share: float
    """Exponent of the rival's share of the map."""
    superiority: float
    """Exponent of its armies over the cost of their way."""
    arriving: float
    """Share of its new armies that joins them."""


_THREATS: Final = {2: Threat(6.4, 1.55, 0.23, 1.88, 0.61), 3: Threat(2.15, 2.4, 0.0, 2.2, 0.73)}
"""By the seats that still play; fitted to self-play: see docs/measured.md."""
_THREAT_OF_MANY: Final = Threat(0.134, 2.58, -0.74, 3.05, 2.2)
_FIXED, _ITALIAN = 1.6, 0.45
"""Factors of the odds: of two rivals whose sets bring fixed armies, of three or more by Italian rules."""
_SPARED, _UNFORESEEN = 0.037, 0.022
"""Chance that a single rival spares what it could take at will, and odds that it comes from afar."""


class Distraction(NamedTuple):
    """What changes if rivals have missions or want capitals."""

    factor: float
    """Factor of the odds."""
    spared: float
    """Chance that they spare what they could take at will."""


_DISTRACTED: Final = {2: Distraction(1.4, 0.3)}
_MANY_DISTRACTED: Final = Distraction(0.6, 0.08)
_CAPITAL: Final = 0.41
"""Factor of the odds that a capital is attacked."""


class Strategy(NamedTuple):
    """How a computer player values positions, and what it considers."""

    continent_turns: float = 3.0
    """Turns for which the income of continents is counted."""
    country_turns: float = 1.0
    """Turns for which the income of countries is counted."""
    hunts: bool = True
    """Whether it considers eliminating seats."""
    breaks: bool = True
    """Whether it considers breaking rivals' continents."""
    denies: bool = True
    """Whether it first claims a country of each continent from a single rival."""
    settles: bool = False
    """Whether it claims remote countries of good continents instead as the first of two."""
    max_steps: int = 14
    """Maximum number of conquests in a campaign."""
    min_gain: float = 1.0
    """Minimum expected gain of an attack, in armies."""
    first_army: float = 0.5
    """Worth of a country's first army, which can't leave."""
    interior: float = 0.5
    """Worth of an army without enemy neighbours."""
    partial_continent: float = 0.2
    """Worth of a partly held continent, as a share of its bonus."""
    aggression: float = 1.0
    """How much more it fights when ahead."""
    patience: int = 40
    """Rounds after which rivals' losses count for more and more, so that matches end."""
    rival_exponent: float = 2.0
    """Exponent of a rival's strength in its weight: larger ones single out the strongest rival."""
    rival_losses: float = 1.0
    """Worth of what the rival of a match for two loses, as a multiple of its own losses."""
    elimination: float = 5.0
    """Worth of eliminating a rival, apart from its cards."""
    goal: float = 40.0
    """Worth of a mission or capitals that are almost achieved."""


@lru_cache(maxsize=1 << 15)
def battle_odds(armies: int, against: int, defence: int) -> tuple[float, float, float]:
    """Return the chance to win a battle to its end, armies lost if won, and armies killed if lost."""
    wins, lost, killed = battle(armies, against, defence=defence)
    if wins <= 0.0:
        return 0.0, 0.0, killed
    spent = armies - 1
    less = max(0.0, (lost - (1.0 - wins) * spent) / wins)
    kills = (killed - wins * against) / (1.0 - wins) if wins < 1.0 else 0.0
    return wins, less, max(0.0, kills)


class Explored(NamedTuple):
    """A position of a campaign, its worth, and those that follow, by origin and target of the conquest."""

    worth: float
    further: dict[tuple[int, int], Explored]


class PositionModel:
    """A position from a seat's point of view, made once for each decision; `worth` rates what may follow."""

    __slots__ = (
        "active", "armies", "arriving", "card", "continent_turns", "country_turns", "defence", "drawn",
        "explored", "farthest", "fear", "fear_for_capital", "fears", "held", "law", "living", "might",
        "mission", "owner", "peaks", "position", "prizes", "seat", "size", "spared", "strategy", "tables",
        "target", "threat", "unforeseen", "view", "weights",
    )  # fmt: skip

    def __init__(self, view: View, seat: int, strategy: Strategy) -> None:
        position = view.position
        info = position.info
        self.view, self.position, self.seat, self.strategy = view, position, seat, strategy
        self.law, self.tables = info.law, map_tables(info.law.atlas)
        # The neutral army is counted as one more seat, which is out of play.
        self.owner = [info.law.seats if by == NEUTRAL else by for by in position.owner]
        spread = view.own.spread if view.own is not None else ()
        self.armies = [float(n) for n in position.armies]
        for at, more in enumerate(spread):
            self.armies[at] += more
        self.size, self.defence = len(self.owner), info.law.defence
        self.living = position.living()
        self.active = [each in self.living for each in range(info.law.seats + 1)]
        self.mission = view.own.mission if view.own is not None and info.mode == "mission" else NONE
        self.target = NONE  # the seat that the mission wants beaten
        if self.mission != NONE:
            self.target = goals.target(position, seat, self.law.atlas.missions[self.mission])
        self.card = 0.28 * next_set_value(position)
        self.drawn = self.card if info.left and not position.taken else 0.0
        self.held = [self.owner.count(each) for each in range(info.law.seats)]
        self.prizes = tuple(self._prizes())
        self.weights = [0.0] * (info.law.seats + 1)
        self.explored: dict[tuple[float, ...], dict[tuple[int, int], Explored]] = {}
        self.country_turns, self.continent_turns = strategy.country_turns, strategy.continent_turns
        self._expect_arrivals()
        self._stretch_horizon()
        self._weigh_rivals()

    def _prizes(self) -> Iterator[tuple[int, float]]:
        """Yield each seat whose last country is worth taking, and its worth: a rival gone, and cards."""
        for each, held in enumerate(self.held):
            prize = 1.25 * self.card * self.position.info.cards[each]
            prize += self.strategy.elimination if each in self.living else 0.0
            if held and prize and each != self.seat:
                yield each, prize

    def _expect_arrivals(self) -> None:
        """Set what each rival's attack gains before this seat's next turn, and how much it is feared."""
        many = len(self.living)
        self.threat = threat = _THREATS.get(many, _THREAT_OF_MANY)
        value, held = next_set_value(self.position), self.position.info.cards
        self.arriving = [0.0] * (self.law.seats + 1)
        for each in self.living:
            fresh = reinforcements(self.position, each) + value * set_chance(held[each])
            self.arriving[each] = threat.arriving * fresh
        self.peaks: dict[int, float] = {}
        for n, by in zip(self.armies, self.owner, strict=True):
            if by != self.seat and self.active[by]:
                self.peaks[by] = max(n, self.peaks.get(by, 0.0))
        most = max((n + self.arriving[by] for by, n in self.peaks.items()), default=0.0)
        self.farthest = _FARTHEST * most
        self.fear = threat.odds
        if self.law.cards == "fixed" and many == 3:
            self.fear *= _FIXED
        elif self.law.cards == "italian" and many > 3:
            self.fear *= _ITALIAN
        self.spared, self.unforeseen = (_SPARED, _UNFORESEEN) if many == 2 else (0.0, 0.0)
        if self.position.info.mode != "domination":
            factor, self.spared = _DISTRACTED.get(many, _MANY_DISTRACTED)
            self.fear *= factor
        values = [max(0, n) for n in self.tables.values]
        mean = max(1, sum(values)) / max(1, sum(n > 0 for n in values))
        self.fear_for_capital = _CAPITAL * self.fear
        self.fears = [self.fear * (n / mean) ** threat.bonus for n in values]
        fair = self.size / max(1, many)
        self.might = [(max(1, n) / fair) ** threat.share for n in (*self.held, 0)]

    def _stretch_horizon(self) -> None:
        """Count income for more turns if armies stand idle, and countries more in the last round."""
        if self.position.info.round >= self.law.cap:
            self.country_turns = max(self.country_turns, _LAST_ROUND_TURNS)
        income = sum(reinforcements(self.position, each) for each in self.living)
        idle = sum(self.armies) / (_IDLE_ROUNDS * max(1, income))
        pace = max(1.0, min(_MAX_STRETCH, idle))
        self.country_turns, self.continent_turns = self.country_turns * pace, self.continent_turns * pace

    def _weigh_rivals(self) -> None:
        """Set each rival's weight by its share of the rivals' strength; more if this seat is far ahead."""
        found = self.strengths(self.owner, self.armies)
        rivals = {each: found[each] for each in self.living if each != self.seat}
        total = sum(rivals.values())
        squares = sum(n**self.strategy.rival_exponent for n in rivals.values())
        if total <= 0.0:
            return
        ahead = found[self.seat] / total
        aggression = 1.0 + self.strategy.aggression * max(0.0, min(1.5, ahead - 0.8))
        aggression *= 1.0 + max(0, self.position.info.round - self.strategy.patience) / _HASTE_ROUNDS
        if self.law.seats == 2:
            aggression *= self.strategy.rival_losses
        for each, n in rivals.items():
            self.weights[each] = aggression * n**self.strategy.rival_exponent / squares

    def inherited_armies(self, beaten: int) -> int:
        """Return the armies of the set that is traded at once with the cards of a beaten seat."""
        held, most = self.position.info.cards, self.law.hand
        if not most or beaten == self.law.seats or held[self.seat] + held[beaten] <= most:
            return 0
        return next_set_value(self.position)

    def feared(self, at: int) -> bool:
        """Return whether a country is held by another seat, not by the neutral army, which never attacks."""
        return self.owner[at] not in (self.seat, self.law.seats)

    def strengths(self, owner: list[int], armies: list[float]) -> list[float]:
        """Return each seat's strength: armies, income of the next turns, cards."""
        strategy, tables = self.strategy, self.tables
        borders = tables.borders
        seats, me, held_cards = self.law.seats, self.seat, self.position.info.cards
        inner, lone = 1.0 - strategy.interior, 1.0 - strategy.first_army
        force, land = [0.0] * (seats + 1), [0] * (seats + 1)
        for at, by in enumerate(owner):
            land[by] += 1
            n = armies[at]
            if n > 1.0:
                force[by] += n - lone
                for other in borders[at]:
                    if owner[other] != by:
                        break
                else:
                    force[by] -= inner * (n - 1.0)
            else:
                force[by] += strategy.first_army * n
        income = [0.0] * (seats + 1)
        own: list[tuple[int, tuple[int, ...], float]] = []
        for row, value, rim, fear in zip(
            tables.countries_of, tables.values, tables.rims, self.fears, strict=True
        ):
            if not row or not value:
                continue
            by, mine = owner[row[0]], 0
            whole = True
            for at in row:
                if owner[at] != by:
                    whole = False
                if owner[at] == me:
                    mine += 1
            if not whole:
                share = mine / len(row)
                income[me] += value * strategy.partial_continent * share * share * share
            elif by != me:
                income[by] += 0.85 * value
            else:
                own.append((value, rim, fear))
        for value, rim, fear in own:
            income[me] += value * (_TAKEN + self.hold_chance(owner, armies, rim, fear, len(own)))
        found = []
        for each in range(seats):
            if not land[each]:
                found.append(0.0)
                continue
            worth = 0.3 * force[each]
            if self.active[each]:
                base = max(self.law.minimum, land[each] / 3.0) + _COUNTRY_INCOME * land[each]
                worth = force[each] + self.country_turns * base + self.continent_turns * income[each]
            found.append(worth + self.card * held_cards[each])
        return found

    def hold_chance(
        self, owner: list[int], armies: list[float], rim: tuple[int, ...], fear: float, among: int = 1
    ) -> float:
        """Return the approximate chance that the seat still holds a continent when its next turn begins.

        `fear` is how likely rivals are to attack it, one of `fears`; a single rival chooses one of `among`
        continents. For each rival, the way that leaves most armies: from a stack of its own to a country of
        the rim, at the cost of all countries between, the seat's own and weakly held ones too.
        """
        me, into, active = self.seat, self.tables.into, self.active
        heap = [(ATTACK_COST * armies[at] + 1.0, at) for at in rim]
        heapify(heap)
        seen, found, peaks = set(rim), dict[int, tuple[float, float]](), self.peaks
        limit = self.farthest
        while heap:
            cost, at = heappop(heap)
            if cost >= limit:
                break
            for n in into[at]:
                by = owner[n]
                if by != me and active[by]:
                    left = armies[n] - cost
                    if by not in found or left > found[by][0]:
                        found[by] = left, cost
                        if len(found) == len(peaks):  # no longer way leaves a rival more than that
                            limit = min(limit, max([peaks[each] - found[each][0] for each in found]))
                if n not in seen:
                    seen.add(n)
                    heappush(heap, (cost + ATTACK_COST * armies[n] + 1.0, n))
        threat, superiority = 0.0, self.threat.superiority
        for by, (left, cost) in found.items():
            odds = max(0.0, left + cost - 1.0 + self.arriving[by]) / cost
            threat += fear * self.might[by] * odds**superiority
        if len(self.living) == 2:
            threat /= among
        return self.spared + (1.0 - self.spared) / (1.0 + self.unforeseen + threat)

    def worth(self, owner: list[int], armies: list[float], taken: bool) -> float:
        """Return the worth of a position to the seat; `taken`: whether it takes a country in this turn."""
        me = self.seat
        found = self.strengths(owner, armies)
        total = found[me] + (self.drawn if taken else 0.0)
        alive = False
        for each in self.living:
            if each == me:
                continue
            total -= self.weights[each] * found[each]
            alive = alive or found[each] > 0.0
        for each, prize in self.prizes:
            if not found[each]:
                total += prize
        share = owner.count(me) / self.size
        if share == 1.0 or (not alive and self.law.rules > 1):
            return total + WON
        if not alive:  # by version 1 of the rules, the countries of beaten seats have to be taken too
            return total + 0.5 * WON * share
        return total + self._goal(owner, armies) if self.position.info.mode != "domination" else total

    def _goal(self, owner: list[int], armies: list[float]) -> float:
        """Return the worth of the progress towards the mission or the capitals."""
        info, me = self.position.info, self.seat
        if info.mode == "capital":
            chosen = [at for at in info.capitals if at != NONE]
            if not chosen or info.capitals[me] == NONE:
                return 0.0
            mine = sum(owner[at] == me for at in chosen)
            if mine == len(chosen):
                return WON
            value = self.strategy.goal * (mine / len(chosen)) ** 2
            if owner[info.capitals[me]] == me:
                rim = (info.capitals[me],)
                value += (
                    0.25 * self.strategy.goal * self.hold_chance(owner, armies, rim, self.fear_for_capital)
                )
            for each in self.living:
                if each != me and (theirs := sum(owner[at] == each for at in chosen)) > 1:
                    value -= self.strategy.goal * (theirs / len(chosen)) ** 2
            return value
        if self.mission == NONE:
            return 0.0
        position = self.position._replace(owner=bytes(owner), armies=tuple(round(n) for n in armies))
        if self.target != NONE and self.target not in owner and self.held[self.target]:
            return WON
        if goals.accomplished(position, me, self.law.atlas.missions[self.mission]):
            return WON
        done = evaluation.progress(View(position, self.view.own), me, self.mission)
        return self.strategy.goal * done * done


def set_chance(held: int) -> float:
    """Return the chance that a hand of this many cards holds a set."""
    return _SET_CHANCES[min(5, held)]


def next_set_value(position: Position) -> int:
    """Return the approximate number of armies for the next set."""
    info = position.info
    return cards.increasing_value(info.traded) if info.law.cards == "increasing" else 8
