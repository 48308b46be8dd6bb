"""A match that a computer imagines: turns played by hard's plans with sampled dice, quicker than by the judge.

It knows what its seat knows. Other seats' cards are numbers only, and their missions are unknown.
"""

from __future__ import annotations

from random import Random
from typing import Final

from games.domination.computer.campaigns import Campaign, best_campaign
from games.domination.computer.position_model import PositionModel, Strategy, next_set_value
from games.domination.rules import goals
from games.domination.rules.battles import stops
from games.domination.rules.dice import MAX_ATTACK_DICE, float_distribution
from games.domination.rules.position import (
    NEUTRAL,
    NONE,
    Position,
    View,
    map_tables,
    reinforcements,
    replace_at,
)

_SET_CHANCES: Final = (0.0, 0.0, 0.0, 0.42, 0.82)
"""Chance that so many cards hold a set; five always do."""
_MAX_PLANS: Final = 6
"""Maximum number of campaigns in an imagined turn."""
_KEEP: Final = 3
"""Armies with which a larger stack stops to attack."""


class ImaginedMatch:
    """A position that goes on in the mind of one seat."""

    __slots__ = ("_random", "_strategy", "_view", "position", "work")

    def __init__(self, view: View, strategy: Strategy, random: Random) -> None:
        self._view, self._strategy, self._random = view, strategy, random
        self.position = view.position
        self.work = 0

    @property
    def over(self) -> bool:
        """Whether a single seat is left, or the rounds are over."""
        return len(self.position.living()) < 2 or self.position.info.round > self.position.info.law.cap

    def model(self, seat: int) -> PositionModel:
        """Return the position as a seat sees it."""
        own = self._view.own if seat == self.position.turn == self._seat else None
        return PositionModel(View(self.position, own), seat, self._strategy)

    @property
    def _seat(self) -> int:
        return self._view.position.turn

    # --- turns -------------------------------------------------------------------------------------------

    def begin_turn(self) -> int:
        """Pass the turn to the next seat that plays; return its armies, those of a set included."""
        position = self.position
        info, seats = position.info, position.info.law.seats
        turn = next(n % seats for n in range(position.turn + 1, position.turn + seats + 1) if n % seats not in info.out)
        if turn <= position.turn:
            info = info._replace(round=info.round + 1)
        self.position = position = position._replace(info=info, turn=turn, taken=False)
        return reinforcements(position, turn) + self._trade(turn)

    def _trade(self, seat: int) -> int:
        more = 0
        while True:
            info = self.position.info
            held = info.cards[seat]
            if held < 3 or (held < 5 and self._random.random() >= _SET_CHANCES[held]):
                return more
            more += next_set_value(self.position)
            info = info._replace(traded=info.traded + 1, cards=replace_at(info.cards, seat, held - 3))
            self.position = self.position._replace(info=info)

    def play_turn(self, pool: int, first: Campaign | None = None) -> None:
        """Play the rest of a turn: place the armies, follow the campaign `first`, then others while they pay."""
        seat = self.position.turn
        for _ in range(_MAX_PLANS):
            found = first
            if found is None:
                self.work += 1
                model = self.model(seat)
                found = best_campaign(model, pool)
                if found is not None and found.gain < self._strategy.min_gain:
                    found = None
            first = None
            if pool:
                self.place(found.steps[0][0] if found is not None else self._front(seat), pool)
                pool = 0
            if found is None:
                break
            self.follow(found)
            if self.over:
                return
        self._fortify(seat)
        self._draw_card(seat)

    def place(self, at: int, n: int) -> None:
        """Place armies on a country."""
        armies = self.position.armies
        self.position = self.position._replace(armies=replace_at(armies, at, armies[at] + n))

    def _front(self, seat: int) -> int:
        """Return the border country with most enemies next to it."""
        position = self.position
        owner, armies, into = position.owner, position.armies, map_tables(position.info.law.atlas).into
        held = position.held(seat)
        return max(held, key=lambda at: (sum([armies[n] for n in into[at] if owner[n] != seat]), -at))

    def follow(self, found: Campaign) -> None:
        """Fight a campaign's battles until one is lost."""
        for src, dst in found.steps:
            if not self.fight(src, dst) or self.over:
                return

    def fight(self, src: int, dst: int) -> bool:
        """Fight one battle and move all armies in; return whether the country is taken."""
        position = self.position
        seat, law = position.turn, position.info.law
        if position.owner[src] != seat or position.owner[dst] == seat:
            return False
        ours, theirs = position.armies[src], position.armies[dst]
        keep = _KEEP if ours > _KEEP else 1
        draw = self._random.random
        while ours > keep and theirs > 0:
            chance = draw()
            for lost, killed, share in float_distribution(min(MAX_ATTACK_DICE, ours - 1), min(law.defence, theirs)):
                chance -= share
                if chance < 0.0:
                    break
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
            self._beat(seat, victim)
        return True

    def _beat(self, seat: int, victim: int) -> None:
        info = self.position.info
        cards = replace_at(info.cards, seat, info.cards[seat] + info.cards[victim])
        out = info.out if victim in info.out else (*info.out, victim)
        info = info._replace(
            out=out, killers=replace_at(info.killers, victim, seat), cards=replace_at(cards, victim, 0)
        )
        self.position = self.position._replace(info=info)
        if info.cards[seat] > 5 and len(out) < info.law.seats - 1:
            self.place(self._front(seat), self._trade(seat))

    def _fortify(self, seat: int) -> None:
        """Move the largest stack of the interior one step towards a border."""
        position = self.position
        owner, armies, tables = position.owner, position.armies, map_tables(position.info.law.atlas)
        most, move = 1, None
        for src in position.held(seat):
            if armies[src] > most and all(owner[n] == seat for n in tables.borders[src]):
                near = [n for n in tables.borders[src]]
                if near:
                    edge = [n for n in near if any(owner[m] != seat for m in tables.borders[n])]
                    most, move = armies[src], (src, max(edge or near, key=lambda n: (armies[n], -n)))
        if move is not None:
            src, dst = move
            stacks = list(armies)
            stacks[dst] += stacks[src] - 1
            stacks[src] = 1
            self.position = position._replace(armies=tuple(stacks))

    def _draw_card(self, seat: int) -> None:
        info = self.position.info
        if self.position.taken:
            cards = replace_at(info.cards, seat, info.cards[seat] + 1)
            self.position = self.position._replace(info=info._replace(cards=cards))
