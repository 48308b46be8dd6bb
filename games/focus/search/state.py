"""Focus as a position that is changed in place.

The piles are numbers in a list, each seat's piles a set of bits. What a move replaces is kept on a stack as
it was, so that `unmake` only puts it back: lists of the seats are copied by `make`, not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from games.engine.game import CHANCE
from games.engine.search import OVER, RecurringState, shares
from games.focus.actions import Action
from games.focus.board import BITS, FAST_CAPTURES_EACH, FAST_TOTAL, PILE, indices
from games.focus.rules import State
from games.focus.search.tables import (
    ACTIONS,
    ARRIVALS,
    COUNT,
    DISTANCE,
    FIRST_BASE,
    NUMBER,
    RAYS,
    REACH,
    RESERVE_BASE,
    SOURCE,
    SPACE_COUNT,
    TARGET,
    Tables,
    get_tables,
)
from games.focus.search.weights import ODDS_SCALE, SPREAD, WAITING


class FocusSearch(RecurringState):
    """A position of Focus for searching; made by `from_state`."""

    __slots__ = (
        "_board", "_captured", "_last", "_masks", "_quiet", "_reserve",
        "_strength", "_tables", "_undo", "_waiting", "key", "teams", "turn",
    )  # fmt: skip

    exact_gains: ClassVar[bool] = True
    can_skip: ClassVar[bool] = True
    odds_scale: ClassVar[float] = ODDS_SCALE
    spread: ClassVar[float] = SPREAD

    def __init__(self, tables: Tables) -> None:
        """Make an empty position, to be filled by `from_state` or `copy`."""
        seats = tables.variant.seats
        self._tables = tables
        self.teams = tables.variant.teams
        self.turn: int = CHANCE
        self.key = 0
        self._board = [0] * SPACE_COUNT
        self._masks = [0] * seats
        """By seat, the set of spaces that it controls."""
        self._strength = [0] * seats
        """By seat, the value of its piles and of what it holds."""
        self._reserve: tuple[int, ...] = (0,) * seats
        self._waiting: tuple[bool, ...] = (False,) * seats
        self._captured: tuple[tuple[int, ...], ...] = ((0,) * seats,) * seats
        self._quiet = 0
        self._last = -1
        """The space that the last move led to; -1 if there is none."""
        self._seen = {}  # positions before a capture can't occur again
        self._result = None
        self._undo: list[tuple[Any, ...]] = []

    @classmethod
    def from_state(cls, state: State) -> FocusSearch:
        """Return the position for searching."""
        variant = state.variant
        tables = get_tables(variant.seats, variant.fast, variant.partners, state.resigned)
        made = cls(tables)
        made._board = [tables.number[PILE[char]] for char in state.board]
        made._masks = list(state.controls)
        made._reserve, made._waiting, made._captured = state.reserve, state.thirteenth, state.captured
        made._strength = tables.strengths(made._board, made._reserve, made._waiting, made._captured)
        made._quiet = state.quiet
        made.turn = state.turn
        made.key = made._key_from_scratch()
        if state.outcome is not None:
            made._result = shares(state.outcome.ranks, variant.teams)
            made.turn = OVER
        for key in (made._key_of_past(past) for past in state.past):
            made._seen[key] = made._seen.get(key, 0) + 1
        return made

    def copy(self) -> FocusSearch:
        """Return an independent copy, without the moves that led here."""
        other = FocusSearch.__new__(FocusSearch)
        other._tables, other.teams, other.turn, other.key = self._tables, self.teams, self.turn, self.key
        other._board, other._seen, other._undo = self._board[:], self._seen.copy(), []
        other._masks, other._strength = self._masks, self._strength
        other._reserve, other._waiting, other._captured = self._reserve, self._waiting, self._captured
        other._quiet, other._last, other._result = self._quiet, self._last, self._result
        return other

    # --- moves ------------------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        """Return every move of the seat to act."""
        board, seat = self._board, self.turn
        if self._waiting[seat]:
            return [RESERVE_BASE + at for at, pile in enumerate(board) if not pile]
        height = self._tables.height
        found = [
            move
            for at in indices(self._masks[seat])
            for count in range(1, height[board[at]] + 1)
            for _, move in RAYS[at][count]
        ]
        if self._reserve[seat]:
            found += range(RESERVE_BASE, FIRST_BASE)
        return found

    def scored(self) -> list[int]:
        """Return every move with its exact gain."""
        board, seat, tables = self._board, self.turn, self._tables
        if self._waiting[seat]:
            return self.moves()
        lifts = tables.lifts
        found = [
            base + row[board[to]] + move
            for at in indices(self._masks[seat])
            for count, base, row in lifts[board[at]]
            for to, move in RAYS[at][count]
        ]
        if self._reserve[seat]:
            base, row = tables.reserve_gain + RESERVE_BASE, tables.gain[tables.single[seat]]
            found += [base + row[pile] + at for at, pile in enumerate(board)]
        return found

    def noisy(self) -> list[int]:
        """Return the moves of piles that take back the space that the last move led to."""
        board, seat, to = self._board, self.turn, self._last
        mask = self._masks[seat]
        if to < 0 or mask >> to & 1 or self._waiting[seat]:
            return []
        mask &= REACH[to]
        if not mask:
            return []
        lifts, arrivals, under, found = self._tables.lifts, ARRIVALS[to], board[to], []
        for at in indices(mask):
            count, move = arrivals[at]
            lift = lifts[board[at]]
            if len(lift) >= count:
                _, base, row = lift[count - 1]
                found.append(base + row[under] + move)
        return found

    def make(self, move: int) -> None:
        """Play a move, or a draw of who begins."""
        seat, tables, board = self.turn, self._tables, self._board
        masks, strength, reserve, captured = self._masks, self._strength, self._reserve, self._captured
        key, quiet, worth, owner = self.key, self._quiet, tables.pile_value, tables.owner
        if move >= FIRST_BASE:
            self._undo.append((-1, 0, -1, 0, seat, key, quiet, masks, strength, reserve, self._waiting,
                               captured, self._last))  # fmt: skip
            self._pass_turn(seat, move - FIRST_BASE, key)
            return
        to = TARGET[move]
        under = board[to]
        new_masks, new_strength = masks[:], strength[:]
        if move < RESERVE_BASE:
            at, count = SOURCE[move], COUNT[move]
            pile = board[at]
            self._undo.append((at, pile, to, under, seat, key, quiet, masks, strength, reserve, self._waiting,
                               captured, self._last))  # fmt: skip
            lifted = pile * 6 + count
            top, rest = tables.top[lifted], tables.rest[lifted]
            hashes = tables.pile_hash[at]
            key ^= hashes[pile] ^ hashes[rest]
            board[at] = rest
            new_masks[seat] ^= BITS[at]
            new_strength[seat] -= worth[pile]
            if rest:
                below = owner[rest]
                new_masks[below] |= BITS[at]
                new_strength[below] += worth[rest]
        else:
            waiting = self._waiting
            self._undo.append((-1, 0, to, under, seat, key, quiet, masks, strength, reserve, waiting,
                               captured, self._last))  # fmt: skip
            top = tables.single[seat]
            if waiting[seat]:
                key ^= tables.waiting_hash[seat]
                self._waiting = (*waiting[:seat], False, *waiting[seat + 1 :])
                new_strength[seat] -= WAITING
            else:
                hands, held = tables.hand_hash[seat], reserve[seat]
                key ^= hands[held] ^ hands[held - 1]
                reserve = (*reserve[:seat], held - 1, *reserve[seat + 1 :])
                new_strength[seat] -= tables.reserve_value
        pile, removed = tables.landing[top][under]
        hashes = tables.pile_hash[to]
        key ^= hashes[under] ^ hashes[pile]
        board[to] = pile
        if under:
            below = owner[under]
            new_masks[below] ^= BITS[to]
            new_strength[below] -= worth[under]
        new_masks[seat] |= BITS[to]
        new_strength[seat] += worth[pile]
        self._masks, self._strength, self._reserve, self._last = new_masks, new_strength, reserve, to
        self._quiet = quiet + 1
        if removed:
            key = self._distribute(seat, removed, key, new_strength)
        self._complete(seat, key)

    def _distribute(
        self, seat: int, removed: Sequence[tuple[int, int]], key: int, strength: list[int]
    ) -> int:
        """Hand out the pieces that left from the bottom; return the new key."""
        tables, teams, seats = self._tables, self.teams, len(self.teams)
        hands, taken = list(self._reserve), list(self._captured[seat])
        for other, number in removed:
            if teams[other] == teams[seat]:
                hashes = tables.hand_hash[other]
                key ^= hashes[hands[other]] ^ hashes[hands[other] + number]
                hands[other] += number
                strength[other] += number * tables.reserve_value
            else:
                hashes = tables.captured_hash[seat * seats + other]
                key ^= hashes[taken[other]] ^ hashes[taken[other] + number]
                taken[other] += number
                strength[seat] += number * tables.capture_value
                self._quiet = 0
        self._reserve = tuple(hands)
        if self._quiet == 0:
            self._captured = (*self._captured[:seat], tuple(taken), *self._captured[seat + 1 :])
        return key

    def _complete(self, seat: int, key: int) -> None:
        """Find who acts next, or the result."""
        tables, masks, reserve, waiting = self._tables, self._masks, self._reserve, self._waiting
        variant, turn = tables.variant, -1
        for other, opposed in tables.opponents[seat]:
            if masks[other] or reserve[other] or waiting[other]:
                if turn < 0:
                    turn = other
                if opposed:
                    break
        else:
            turn = seat
        if variant.fast and self._goal(seat):
            turn = seat
        seen = self._seen
        if turn == seat:
            self._finish((seat,))
        else:
            self.turn = turn
        self.key = key = key ^ tables.turn_hash[seat] ^ tables.turn_hash[turn]
        times = seen[key] = seen.get(key, 0) + 1
        if self._quiet and (times >= 3 or self._quiet >= variant.quiet_limit) and self.turn != OVER:
            stay = (s for s in range(variant.seats) if s not in tables.resigned)
            self._finish([s for s in stay if masks[s] or reserve[s] or waiting[s]])

    def _finish(self, winners: Sequence[int]) -> None:
        teams = self.teams
        first = {teams[seat] for seat in winners}
        self._result = tuple(1.0 / len(first) if team in first else 0.0 for team in teams)
        self.turn = OVER

    def _goal(self, seat: int) -> bool:
        """Return whether a seat has reached a goal of the fast game."""
        tables, taken = self._tables, self._captured[seat]
        seats = tables.variant.seats
        each, total = FAST_CAPTURES_EACH[seats], sum(taken) + self._reserve[seat]
        if total < each:
            return False
        if all(taken[other] >= each for other, _ in tables.opponents[seat]):
            return True
        return seats > 2 and total >= FAST_TOTAL

    def _pass_turn(self, seat: int, to: int, key: int) -> None:
        hashes = self._tables.turn_hash
        self.turn = to
        self.key = key ^ hashes[seat] ^ hashes[to]
        self._count()

    def skip_to(self, seat: int) -> None:
        """Give the turn to another seat that can move."""
        self._undo.append((-1, 0, -1, 0, self.turn, self.key, self._quiet, self._masks, self._strength,
                           self._reserve, self._waiting, self._captured, self._last))  # fmt: skip
        self._pass_turn(self.turn, seat, self.key)

    def can_move(self, seat: int) -> bool:
        """Return whether a seat that plays has a pile or a piece in hand."""
        held = self._masks[seat] or self._reserve[seat] or self._waiting[seat]
        return bool(held) and seat not in self._tables.resigned

    def unmake(self) -> None:
        """Take back the last move."""
        self._forget()
        (at, pile, to, under, self.turn, self.key, self._quiet, self._masks, self._strength, self._reserve,
         self._waiting, self._captured, self._last) = self._undo.pop()  # fmt: skip
        board = self._board
        if to >= 0:
            board[to] = under
        if at >= 0:
            board[at] = pile

    # --- values -----------------------------------------------------------------------------------------

    def evaluate(self, seat: int) -> int:
        """Return the strength of the seat's team less the average of the other teams that play."""
        strength, tables, teams = self._strength, self._tables, self.teams
        if len(strength) == 2:
            return strength[seat] - strength[1 - seat]
        team, own, against = teams[seat], 0, 0
        for other, value in enumerate(strength):
            if teams[other] == team:
                own += value
            elif other not in tables.resigned:
                against += value
        return own - against // max(1, tables.sides - 1)

    def chances(self) -> Sequence[tuple[int, int]]:
        """Return the seats that may begin."""
        seats = (seat for seat in range(len(self.teams)) if seat not in self._tables.resigned)
        return [(FIRST_BASE + seat, 1) for seat in seats]

    # --- to and from the game ---------------------------------------------------------------------------

    def action(self, move: int) -> Action:
        """Return the game's action."""
        return ACTIONS[move]

    def find(self, action: Any) -> int:
        """Return the number of an action. Raises ValueError for one that isn't legal."""
        move: int = NUMBER.get(action, -1)
        possible = self.moves() if self.turn >= 0 else [draw for draw, _ in self.chances()]
        if move not in possible:
            raise ValueError(f"{action} isn't possible now")
        return move

    def visibility(self, move: int) -> int:
        """Return how easily a person sees a move: short ones near the last one, and those that cover much."""
        if move >= RESERVE_BASE:
            return 60
        to, count = TARGET[move], COUNT[move]
        near = 0 if self._last < 0 else max(0, 24 - 6 * DISTANCE[self._last][to])
        under = self._board[to]
        covers = 12 * self._tables.height[under] if under and self._tables.owner[under] != self.turn else 0
        return max(0, min(100, 64 - 16 * (count - 1) + near + covers))

    # --- from scratch -----------------------------------------------------------------------------------

    def features(self) -> tuple[int, ...]:
        """Return the features in the order of WEIGHTS, each as seat 0's less seat 1's; only for two."""
        return self._tables.features(self._board, self._reserve, self._captured)

    def _key_from_scratch(self) -> int:
        tables, seats = self._tables, len(self.teams)
        key: int = tables.turn_hash[self.turn] ^ tables.resigned_hash
        for at, pile in enumerate(self._board):
            key ^= tables.pile_hash[at][pile]
        for seat in range(seats):
            key ^= tables.hand_hash[seat][self._reserve[seat]]
            key ^= tables.waiting_hash[seat] if self._waiting[seat] else 0
            for other, taken in enumerate(self._captured[seat]):
                key ^= tables.captured_hash[seat * seats + other][taken]
        return key

    def _key_of_past(self, past: str) -> int:
        """Return the key of an earlier position with the same captures, from its `position_key`."""
        tables, seats = self._tables, len(self.teams)
        numbers = past[SPACE_COUNT:].encode("latin-1")
        there = self.copy()
        there._board = [tables.number[PILE[char]] for char in past[:SPACE_COUNT]]
        there.turn, there._reserve = numbers[0], tuple(numbers[1 : seats + 1])
        there._waiting = tuple(map(bool, numbers[seats + 1 :]))
        return there._key_from_scratch()
