"""A match as a computer imagines it, and each seat's chance to win after it.

Turns go by plain plans with sampled dice, quicker than by the judge. A player knows what its seat knows: of
others' cards only their number, and nothing of their missions.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, hypot, sqrt
from typing import Final

from games.domination.computer.campaigns import quick_campaign
from games.domination.computer.position_model import PositionModel, Strategy, next_set_value, set_chance
from games.domination.rules import actions, battles, goals, judge, turns
from games.domination.rules.battle_odds import MAX_ATTACK_DICE, float_distribution
from games.domination.rules.position import (
    NEUTRAL,
    NONE,
    Position,
    State,
    View,
    map_tables,
    reinforcements,
    replace_at,
)
from games.domination.rules.turns import FRESH
from games.engine.dice import Dice
from games.engine.game import Expectation
from games.engine.search import Stop

_MAX_CAMPAIGNS: Final = 6
"""Maximum number of campaigns in an imagined turn."""
_KEEP: Final = 3
"""Armies with which a larger stack stops to attack."""
_WEIGHTS: Final = ((0.0, 0.0), (1.0, 0.0), (9.3, 1.4), (2.4, 0.3), (1.3, 0.15), (1.7, 0.1), (1.9, 0.1))
"""Weights of the logarithm of all armies, with those of sets in hand, and of being the next to move in the
odds to win, by the seats that still play: fitted to matches of hard, which countries, income and the largest
stack explained no better."""
_SOME_ARE_OUT: Final = 2.9, 0.4
"""The same once a seat is beaten and more than two are left."""
_LARGE_SET: Final = 50.0
"""What a set brings when armies weigh half as much."""
_WORD: Final = 1 << 32
"""Numbers that a word of dice can be."""


class ImaginedMatch:
    """A position that is played on in the mind of one seat, from the beginning of a turn or within one."""

    __slots__ = ("_dice", "_stop", "_strategy", "_view", "position", "seat", "turns", "winner")

    def __init__(
        self, view: View, seat: int, strategy: Strategy, dice: Dice, stop: Stop | None = None
    ) -> None:
        self._view, self._strategy, self._dice, self._stop = view, strategy, dice, stop
        self.position, self.seat = view.position, seat
        self.winner = NONE
        self.turns = 0
        """Number of turns that were played."""

    def _model(self) -> PositionModel:
        """Return the position as the seat whose turn it is sees it."""
        turn = self.position.turn
        own = self._view.own._replace(spread=()) if turn == self.seat and self._view.own else None
        return PositionModel(View(self.position, own), turn, self._strategy)

    # --- turns -------------------------------------------------------------------------------------------

    def play_turns(self, n: int) -> None:
        """Play whole turns of the seats that follow, as long as nobody has won."""
        for _ in range(n):
            if self.winner != NONE or self.position.info.round > self.position.info.law.cap:
                break
            pool = self._begin_turn()
            self.play_turn(pool)

    def finish_turn(self) -> None:
        """Play what is left of the current turn, its cards and armies included."""
        position = self.position
        pool = position.pool + (self._trade(position.turn) if position.step == FRESH else 0)
        self.play_turn(pool if position.phase == "place" else 0)

    def _begin_turn(self) -> int:
        """Pass the turn to the next seat; return its armies, those of a set included."""
        position = self.position
        info, seats = position.info, position.info.law.seats
        following = range(position.turn + 1, position.turn + seats + 1)
        turn = next(n % seats for n in following if n % seats not in info.out)
        if turn <= position.turn:
            info = info._replace(round=info.round + 1)
        self.position = position = position._replace(info=info, turn=turn, taken=False)
        return reinforcements(position, turn) + self._trade(turn)

    def _trade(self, seat: int) -> int:
        """Trade the sets that a seat probably has; return their armies."""
        armies = 0
        while True:
            info = self.position.info
            held = info.cards[seat]
            if self._dice.word() / _WORD >= set_chance(held):
                return armies
            armies += next_set_value(self.position)
            left = info.left + 3 * info.law.recycle
            fewer = replace_at(info.cards, seat, held - 3)
            self.position = self.position._replace(
                info=info._replace(traded=info.traded + 1, cards=fewer, left=left)
            )

    def play_turn(self, pool: int) -> None:
        """Play the rest of a turn: place the armies, and follow campaigns while they pay."""
        self.turns += 1
        for _ in range(_MAX_CAMPAIGNS if self.winner == NONE else 0):
            if self._stop is not None and self._stop():
                return
            model = self._model()
            found = quick_campaign(model, pool, self._stop)
            if found is not None and found.gain < self._strategy.min_gain:
                found = None
            if pool:
                for at, n in found.places if found is not None else ((self._front(), pool),):
                    self.place(at, n)
                pool = 0
            if found is None:
                break
            self._follow(found.steps)
            if self.winner != NONE:
                return
        self._end_turn()

    def _end_turn(self) -> None:
        """Move idle armies and draw the card."""
        self._move_idle()
        self._draw_card()

    def _follow(self, steps: Iterable[tuple[int, int]]) -> None:
        """Fight the battles of a campaign until one is lost or the match is won."""
        for src, dst in steps:
            if not self._fight(src, dst) or self.winner != NONE:
                break

    def place(self, at: int, n: int) -> None:
        """Place armies on a country."""
        armies = self.position.armies
        self.position = self.position._replace(armies=replace_at(armies, at, armies[at] + n))

    def _front(self) -> int:
        """Return the country of the seat with most enemies next to it."""
        position, seat = self.position, self.position.turn
        owner, armies, into = position.owner, position.armies, map_tables(position.info.law.atlas).into
        return max(
            position.held(seat), key=lambda at: (sum([armies[n] for n in into[at] if owner[n] != seat]), -at)
        )

    def _fight(self, src: int, dst: int) -> bool:
        """Fight one battle and move all armies in; return whether the country is taken."""
        position = self.position
        seat, law = position.turn, position.info.law
        if position.owner[src] != seat or position.owner[dst] == seat:
            return False
        ours, theirs = position.armies[src], position.armies[dst]
        keep = _KEEP if ours > _KEEP else 1
        while ours > keep and theirs > 0:
            lost, killed = self._roll(min(MAX_ATTACK_DICE, ours - 1), min(law.defence, theirs))
            ours, theirs = ours - lost, theirs - killed
        armies = list(position.armies)
        if theirs > 0:
            armies[src], armies[dst] = ours, theirs
            self.position = position._replace(armies=tuple(armies))
            return False
        victim = position.owner[dst]
        armies[src], armies[dst] = 1, ours - 1
        owner = bytearray(position.owner)
        owner[dst] = seat
        self.position = position._replace(owner=bytes(owner), armies=tuple(armies), taken=True)
        if victim not in owner and victim != NEUTRAL:
            self._beat(victim)
        own = self._view.own
        if goals.reached(self.position, seat, own.mission if own and seat == self.seat else NONE):
            self.winner = seat
        return True

    def _roll(self, attack: int, defence: int) -> tuple[int, int]:
        """Return the attacker's and the defender's losses by one roll."""
        chance = self._dice.word() / _WORD
        lost = killed = 0
        for lost, killed, share in float_distribution(attack, defence):  # noqa: B007
            chance -= share
            if chance < 0.0:
                break
        return lost, killed

    def _beat(self, victim: int) -> None:
        """Take the cards of a beaten seat, and trade if they are too many."""
        info, seat = self.position.info, self.position.turn
        cards = replace_at(info.cards, seat, info.cards[seat] + info.cards[victim])
        out = info.out if victim in info.out else (*info.out, victim)
        killers = replace_at(info.killers, victim, seat)
        info = info._replace(out=out, killers=killers, cards=replace_at(cards, victim, 0))
        self.position = self.position._replace(info=info)
        if info.law.hand and info.cards[seat] > info.law.hand and len(out) < info.law.seats - 1:
            self.place(self._front(), self._trade(seat))

    def _move_idle(self) -> None:
        """Move the largest stack of the interior one step towards a border."""
        position, seat = self.position, self.position.turn
        owner, armies, borders = position.owner, position.armies, map_tables(position.info.law.atlas).borders
        most, src, dst = 1, NONE, NONE
        for at in position.held(seat):
            near = borders[at]
            if armies[at] <= most or not near or any(owner[n] != seat for n in near):
                continue
            edge = [n for n in near if any(owner[m] != seat for m in borders[n])]
            most, src, dst = armies[at], at, max(edge or near, key=lambda n: (armies[n], -n))
        if src != NONE:
            stacks = list(armies)
            stacks[src], stacks[dst] = 1, stacks[dst] + stacks[src] - 1
            self.position = position._replace(armies=tuple(stacks))

    def _draw_card(self) -> None:
        info, seat = self.position.info, self.position.turn
        if self.position.taken and info.left:
            cards = replace_at(info.cards, seat, info.cards[seat] + 1)
            self.position = self.position._replace(info=info._replace(cards=cards, left=info.left - 1))

    # --- value -------------------------------------------------------------------------------------------

    def share(self) -> float:
        """Return the approximate chance of the imagining seat to win."""
        return self.shares()[self.seat]

    def shares(self) -> tuple[float, ...]:
        """Return the approximate chance of each seat to win."""
        position = self.position
        living = position.living()
        seats = position.info.law.seats
        winner = living[0] if self.winner == NONE and len(living) == 1 else self.winner
        if winner != NONE:
            return tuple(float(each == winner) for each in range(seats))
        following = range(position.turn + 1, position.turn + seats + 1)
        return chances(position, next(n % seats for n in following if n % seats in living))


def chances(position: Position, following: int) -> tuple[float, ...]:
    """Return the approximate chance of each seat to win between two turns, `following` being next to move."""
    info, living = position.info, position.living()
    value, odds = next_set_value(position), [0.0] * info.law.seats
    armies, moves = _SOME_ARE_OUT if 2 < len(living) < info.law.seats else _WEIGHTS[len(living)]
    armies /= 1.0 + value / _LARGE_SET
    for each in living:
        own = position.force(each) + value * set_chance(info.cards[each])
        odds[each] = own**armies * exp(moves * (each == following))
    whole = sum(odds)
    return tuple(each / whole if whole else 1.0 / len(odds) for each in odds)


_TURNS: Final = 1
"""Turns that are imagined after the current one."""
_DOUBT: Final = 0.02
"""Chance that anything else happens."""
_STRATEGY: Final = Strategy()
SPREAD: Final = 0.15
"""A quarter of what chances of p are off by, for each p (1 - p): the difference from matches played on."""
_SAMPLES: Final = 8
"""Continuations imagined of a turn to say what may be expected."""


def imagine(state: State, seat: int, dice: Dice, stop: Stop | None = None) -> tuple[float, ...]:
    """Return each seat's chance to win after the rest of this turn and some more, imagined with `dice`.

    A seat is to act, in its turn or in a vote. What is hidden from `seat` isn't used.
    """
    while state.position.phase == "move":
        _, high = battles.move_in_range(state.position)
        state = turns.play(state, state.position.turn, actions.move(high)).state
    position = state.position
    info = position.info
    winner = info.victor if position.phase == "vote" else -1
    if info.outcome is not None:
        winner = info.outcome.ranks.index(1)
    if winner >= 0:
        return tuple(float(each == winner) for each in range(info.law.seats))
    match = ImaginedMatch(judge.view(state, seat), seat, _STRATEGY, dice, stop)
    match.finish_turn()
    match.play_turns(_TURNS)
    doubt = _DOUBT / info.law.seats
    return tuple((1.0 - _DOUBT) * share + doubt for share in match.shares())


def expect(view: View, seat: int, dice: Dice, stop: Stop | None = None) -> Expectation | None:
    """Return what a seat may expect of the match at the beginning of its turn, against a single rival.

    None at other times, if stopped, and where missions or capitals may end the match: the imagined plans see
    too little of those.
    """
    position = view.position
    if position.phase != "place" or position.step != turns.FRESH or position.info.mode != "domination":
        return None
    if len(position.living()) != 2:
        return None
    found: list[float] = []
    for _ in range(_SAMPLES):
        match = ImaginedMatch(view, seat, _STRATEGY, dice, stop)
        match.finish_turn()
        match.play_turns(_TURNS)
        found.append(match.share())
    if stop is not None and stop():
        return None
    mean = sum(found) / _SAMPLES
    variance = sum((share - mean) ** 2 for share in found) / (_SAMPLES - 1)
    return Expectation(mean, hypot(4.0 * SPREAD * mean * (1.0 - mean), sqrt(variance / _SAMPLES)))
