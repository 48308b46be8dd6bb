"""Dominance as a position that is changed in place.

It is little more than two sets of men and two pools. All that follows from one side's men alone (guarded
spaces, value, hash) comes from a table of sets of men, for the same set meets many sets of the other side's.
After an action the other side's men on guarded spaces are exactly those that are taken: nothing was dominated
before. What a move replaces is kept on a stack.

A search sees a few moves ahead, but to corner the last pieces of a side takes ten and more. A side that
only keeps what it has then waits for the draw after 100 quiet actions. So the longer nothing has happened,
the more a step towards the enemy's pieces is worth to the side that is ahead, and the more a trade.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

from games.dominance.actions import Action
from games.dominance.board import SPACE_COUNT, iter_bits
from games.dominance.locks import locked
from games.dominance.rules import LOSING_LOSSES, PIECES, QUIET_LIMIT, State, can_act
from games.dominance.search.tables import ACTIONS, NUMBER, SWAP, TARGET, Tables, get_tables
from games.dominance.search.weights import ODDS_SCALE, SPREAD, count_pieces
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, RecurringState, shares

SETS_IN: Final = 6
"""Quiet actions before a side presses."""
FULL: Final = 56
"""Quiet actions from which it presses with full force."""
TRADE: Final = 40
"""What its own pieces count less then, and the enemy's more, in hundredths of a piece."""
STEP: Final = 8
"""What a step of a piece towards the enemy's pieces is worth then, in hundredths of a piece."""

Worth = Sequence[Sequence[int]]
"""What pieces are worth, by their numbers in the pool and in play."""


class Pressure(NamedTuple):
    """What counts differently for the side that presses, as long as a search goes on."""

    seat: int
    worths: tuple[Worth, Worth]
    """By seat."""
    places: dict[int, int]
    """What a piece of this side is worth on each space beyond the usual."""
    gains: dict[int, int]
    """The same for each move of this side, shifted as in `scored`."""

    def worth_of(self, men: int) -> int:
        """Return what the places of some of this side's men are worth."""
        return sum([self.places[bit] for bit in iter_bits(men)])


def pressure(tables: Tables, seat: int, foes: int, quiet: int) -> Pressure | None:
    """Return how a side that is ahead presses on the enemy's men after a number of quiet actions."""
    force = min(quiet, FULL) - SETS_IN
    if force <= 0 or not foes:
        return None
    whole = FULL - SETS_IN
    trade, step = force * TRADE // whole, force * STEP / whole
    less, more = (
        [[worth + sign * trade * (pool + size) for size, worth in enumerate(row)]
         for pool, row in enumerate(tables.worth)]
        for sign in (-1, 1)
    )  # fmt: skip
    spots = [*iter_bits(foes)]
    away = {
        bit: sum(steps[spot] for spot in spots) / len(spots)
        for bit, steps in tables.features.distances.items()
    }
    far = max(away.values())
    places = {bit: round(step * (far - steps)) for bit, steps in away.items()}
    gains = {
        number: places[target] - places.get(SWAP[number] ^ target, 0) << MOVE_BITS
        for number, target in TARGET.items()
        if target in places
    }
    return Pressure(seat, (less, more) if seat == 0 else (more, less), places, gains)


_TEAMS = (0, 1)
_DRAWN = (0.5, 0.5)
_WON = ((1.0, 0.0), (0.0, 1.0))


class DominanceSearch(RecurringState):
    """A position of Dominance for searching; made by `from_state`."""

    __slots__ = ("_last", "_men", "_pools", "_pressure", "_quiet", "_tables", "_undo", "_value", "_worths",
                 "key", "turn")  # fmt: skip

    exact_gains: ClassVar[bool] = True
    can_skip: ClassVar[bool] = True
    odds_scale: ClassVar[float] = ODDS_SCALE
    spread: ClassVar[float] = SPREAD
    teams: tuple[int, ...] = _TEAMS

    def __init__(self, tables: Tables) -> None:
        """Make an empty board, to be filled by `from_state` or `copy`."""
        self._tables = tables
        self._worths: tuple[Worth, Worth] = (tables.worth, tables.worth)
        """By seat, what pieces are worth."""
        self._pressure: Pressure | None = None
        self.turn: int = 0
        self.key = 0
        self._men = (0, 0)
        """By seat, the set of spaces with its pieces."""
        self._pools = (PIECES, PIECES)
        self._value = 0
        """The evaluation for seat 0."""
        self._quiet = 0
        self._last = 0
        """The space that the last move led to."""
        self._seen = {}  # positions before a loss or a spawn can't recur
        self._result = None
        self._undo: list[tuple[Any, ...]] = []

    def features(self) -> tuple[int, ...]:
        """Return the features, each as seat 0's less seat 1's; `evaluate` is their sum by weight."""
        tables = self._tables
        sides = [
            count_pieces(pool, men.bit_count()) + tables.counts(men)
            for men, pool in zip(self._men, self._pools, strict=True)
        ]
        return tuple(red - black for red, black in zip(*sides, strict=True))

    @classmethod
    def from_state(cls, state: State) -> DominanceSearch:
        """Return the position for searching."""
        made = cls(get_tables(state.board))
        made._men, made._pools, made._quiet = state.men, state.pools, state.quiet
        made.turn = state.turn
        made.key = made._key(state.men, state.turn)
        made._value = made._worth(0) - made._worth(1)
        if state.outcome is not None:
            made._result, made.turn = shares(state.outcome.ranks, _TEAMS), OVER
        side = (1 << SPACE_COUNT) - 1
        for past in state.past:
            both, turn = past >> 1, past & 1
            key = made._key((both >> SPACE_COUNT, both & side), turn)
            made._seen[key] = made._seen.get(key, 0) + 1
        return made

    def _key(self, men: tuple[int, int], turn: int) -> int:
        tables, pools = self._tables, self._pools
        key: int = tables.men[men[0]].hashes[0] ^ tables.men[men[1]].hashes[1]
        key ^= tables.pool_hash[0][pools[0]] ^ tables.pool_hash[1][pools[1]]
        return key ^ tables.turn_hash if turn else key

    def _worth(self, seat: int) -> int:
        here = self._tables.men[self._men[seat]]
        return here.value + self._tables.worth[self._pools[seat]][here.size]

    def press(self) -> bool:
        """Let the seat to act press if it is ahead and nothing has happened for a while."""
        if self.turn < 0 or self.evaluate(self.turn) <= 0:
            return False
        found = pressure(self._tables, self.turn, self._men[1 - self.turn], self._quiet)
        if found is None:
            return False
        self._pressure, self._worths = found, found.worths
        return True

    def copy(self) -> DominanceSearch:
        """Return an independent copy, without the moves that led here."""
        other = DominanceSearch(self._tables)
        other._worths, other._pressure = self._worths, self._pressure
        other.turn, other.key, other._men, other._pools = self.turn, self.key, self._men, self._pools
        other._value, other._quiet, other._last = self._value, self._quiet, self._last
        other._seen, other._result = self._seen.copy(), self._result
        return other

    # --- moves ------------------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        """Return every move of the seat to act."""
        return [packed & MOVE_MASK for packed in self.scored()]

    def scored(self) -> list[int]:
        """Return every move with its exact gain."""
        seat, tables = self.turn, self._tables
        own, foe = self._men[seat], self._men[1 - seat]
        safe = tables.spaces & ~(own | foe | tables.men[foe].guarded)
        found = [packed for packed, target in tables.plays[own] if target & safe]
        pool = self._pools[seat]
        spots = safe & tables.spawns if pool else 0
        if spots:
            here, count = tables.men[own].value, own.bit_count()
            worth = self._worths[seat]
            base = worth[pool - 1][count + 1] - worth[pool][count] - here
            while spots:
                spot = spots & -spots
                spots ^= spot
                found.append((base + tables.men[own | spot].value << MOVE_BITS) + tables.spawn_move[spot])
        if (pressed := self._pressure) is not None and pressed.seat == seat:
            gains = pressed.gains
            found = [packed + gains[packed & MOVE_MASK] for packed in found]
        attacks = self._attacks(own, foe, pool)
        if attacks:
            those = {packed & MOVE_MASK for packed in attacks}
            found = [packed for packed in found if packed & MOVE_MASK not in those]
            found += attacks
        return found

    def noisy(self) -> list[int]:
        """Return the attacks."""
        seat = self.turn
        return self._attacks(self._men[seat], self._men[1 - seat], self._pools[seat])

    def _attacks(self, own: int, foe: int, pool: int) -> list[int]:
        """Return the moves that take something, with their gains."""
        tables = self._tables
        table, free = tables.men, tables.spaces & ~(own | foe)
        spawns = tables.spawns if pool else 0
        targets = free & table[foe].near & (table[own].near | spawns)
        found: list[int] = []
        attack = tables.attack
        while targets:
            target = targets & -targets
            targets ^= target
            partners, dominated = attack[target]
            partners &= own
            if not partners or not dominated[partners] & foe:
                continue
            if target & spawns:
                taken = dominated[partners] & foe
                found.append(self._attack(own, foe, own | target, taken, target, pool, pool - 1)
                             + tables.spawn_move[target])  # fmt: skip
            comers = own & tables.near[target]
            while comers:
                comer = comers & -comers
                comers ^= comer
                taken = dominated[partners & ~comer] & foe
                if taken:
                    found.append(self._attack(own, foe, own ^ comer ^ target, taken, target, pool, pool)
                                 + tables.sources[target][comer])  # fmt: skip
        return found

    def _attack(self, own: int, foe: int, struck: int, taken: int, target: int, pool: int, left: int) -> int:
        """Return the gain of an attack, shifted by MOVE_BITS."""
        tables = self._tables
        table, theirs = tables.men, self._pools[1 - self.turn]
        worth, opposed = self._worths[self.turn], self._worths[1 - self.turn]
        mine, other = table[own], table[foe]
        rest = table[foe ^ taken]
        left_there = struck ^ target if rest.guarded & target else struck
        after = table[left_there]
        gain = after.value + worth[left][after.size] - mine.value - worth[pool][mine.size]
        gain += other.value + opposed[theirs][other.size] - rest.value - opposed[theirs][rest.size]
        if (pressed := self._pressure) is not None:
            if pressed.seat != self.turn:
                gain += pressed.worth_of(taken)
            else:
                gain += pressed.worth_of(left_there & ~own) - pressed.worth_of(own & ~left_there)
        return gain << MOVE_BITS

    def make(self, move: int) -> None:
        """Play a move."""
        seat, tables, men, pools = self.turn, self._tables, self._men, self._pools
        key, value = self.key, self._value
        self._undo.append((men, pools, seat, key, value, self._quiet, self._last))
        table, other, target = tables.men, 1 - seat, TARGET[move]
        old, foe, left = men[seat], men[other], pools[seat]
        own = old ^ SWAP[move]
        before, here, there = table[old], table[own], table[foe]
        gain = here.value - before.value
        calm = here.size == before.size
        if not calm:
            hashes = tables.pool_hash[seat]
            worth = self._worths[seat]
            gain += worth[left - 1][here.size] - worth[left][before.size]
            key ^= hashes[left] ^ hashes[left - 1]
            left -= 1
            self._pools = (left, pools[1]) if seat == 0 else (pools[0], left)
        taken = foe & here.guarded
        if (pressed := self._pressure) is not None:
            gain += pressed.gains[move] >> MOVE_BITS if pressed.seat == seat else pressed.worth_of(taken)
        if taken:
            calm = False
            foe ^= taken
            rest, theirs = table[foe], self._worths[other][pools[other]]
            gain += there.value + theirs[there.size] - rest.value - theirs[rest.size]
            key ^= there.hashes[other] ^ rest.hashes[other]
            there = rest
            if there.guarded & target:
                own ^= target
                fallen = table[own]
                mine = self._worths[seat][left]
                gain += fallen.value + mine[fallen.size] - here.value - mine[here.size]
                if pressed is not None and pressed.seat == seat:
                    gain -= pressed.places[target]
                here = fallen
        key ^= before.hashes[seat] ^ here.hashes[seat]
        self._men = men = (own, foe) if seat == 0 else (foe, own)
        self._value = value + gain if seat == 0 else value - gain
        self._last = target
        turn, winner = other, -1
        if taken or there.size < 2:
            winner = self._winner(seat, here.size, there.size)
        safe = tables.spaces & ~(own | foe | here.guarded)
        if winner >= 0:
            turn, self._result = winner, _WON[winner]
        elif not (there.near & safe or (pools[other] and tables.spawns & safe)) and not self.can_move(other):
            if self.can_move(seat):
                turn = seat
            else:
                self._result = _DRAWN
        if turn:
            if not seat:
                key ^= tables.turn_hash
        elif seat:
            key ^= tables.turn_hash
        self.key, seen = key, self._seen
        seen[key] = times = seen.get(key, 0) + 1
        if calm:
            self._quiet += 1
            if (times >= 3 or self._quiet >= QUIET_LIMIT) and self._result is None:
                self._result = _DRAWN
        else:
            self._quiet = 0
        self.turn = turn if self._result is None else OVER

    def _winner(self, seat: int, here: int, there: int) -> int:
        """Return who has won by an action of the seat that may have ended the game; -1 if nobody has."""
        pools, other = self._pools, 1 - seat
        if PIECES - pools[other] - there >= LOSING_LOSSES:
            return seat
        if PIECES - pools[seat] - here >= LOSING_LOSSES:
            return other
        return seat if there < 2 and locked(self._tables.board, self._men, self._guarded, other) else -1

    @property
    def _guarded(self) -> tuple[int, int]:
        table, men = self._tables.men, self._men
        return table[men[0]].guarded, table[men[1]].guarded

    def can_move(self, seat: int) -> bool:
        """Return whether a seat would have a legal action if it were its turn."""
        return can_act(self._tables.board, self._men, self._pools[seat], self._guarded, seat)

    def skip_to(self, seat: int) -> None:
        """Give the turn to the other seat."""
        self._undo.append((self._men, self._pools, self.turn, self.key, self._value, self._quiet, self._last))
        if seat != self.turn:
            self.key ^= self._tables.turn_hash
        self.turn = seat
        self._count()

    def unmake(self) -> None:
        """Take back the last move."""
        self._forget()
        (self._men, self._pools, self.turn, self.key, self._value, self._quiet,
         self._last) = self._undo.pop()  # fmt: skip

    # --- values -----------------------------------------------------------------------------------------

    def evaluate(self, seat: int) -> int:
        """Return the value of the pieces and places of a seat less that of the other's."""
        return -self._value if seat else self._value

    # --- to and from the game ---------------------------------------------------------------------------

    def action(self, move: int) -> Action:
        """Return the game's action."""
        return ACTIONS[move]

    def find(self, action: Any) -> int:
        """Return the number of an action. Raises ValueError for one that isn't legal."""
        move: int = NUMBER.get(action, -1)
        if move not in self.moves():
            raise ValueError(f"{action} isn't possible now")
        return move

    def visibility(self, move: int) -> int:
        """Return how easily a person sees a move: spawns, those near the last one, and attacks."""
        tables, target = self._tables, TARGET[move]
        steps = tables.features.distances[target].get(self._last, 4)
        own = self._men[self.turn] ^ SWAP[move]
        taken = self._men[1 - self.turn] & tables.men[own].guarded
        seen = 70 if SWAP[move] == target else 40 + max(0, 24 - 8 * (steps - 1))
        return max(0, min(100, seen + 18 * taken.bit_count()))
