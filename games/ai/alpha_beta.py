"""Alpha-beta search for two teams, deepened ply by ply until the work is used up.

Values are for the team of the seat to act (negamax); the same team may act several times in a row, and draws
of chance are averaged. It has a transposition table, killer moves, history, null moves, reductions of late
moves, zero windows, and a search of noisy moves at the end of each line. The table's move is tried before
the others are generated. Where gains are exact, or never too small, the last ply makes only moves that may
raise the value, and near the end of a line who is far enough ahead isn't looked at further (`_LEADS`): moves
that would lead there are left out before they are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from games.ai.thinking import DECIDED, EXACT, INFINITE, LOWER, UPPER, DeepeningSearch, Eyes, end_value
from games.ai.win_shares import PROOF, proves
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, SearchState
from games.engine.values import CHANCE

_WINDOW: Final = 150
"""Half the width of the first window around the value of the depth before."""
_NOISE_PLIES: Final = 6
_LEADS: Final = {1: 30, 2: 250}
"""By plies left, the lead over what the window asks for that the side to move won't lose again."""
_EARLY: Final = 4
"""Number of moves of a position that are searched to the full depth."""
_LATE: Final = 16
"""Number of moves after which they are searched by two plies less, others by one."""
_PRUNED: Final = 4
"""Plies left from which on moves are left out."""


class _Entry(NamedTuple):
    depth: int
    kind: int
    value: int
    move: int


class AlphaBeta(DeepeningSearch[_Entry]):
    """One decision."""

    # --- the root ---------------------------------------------------------------------------------------

    def _deepen(self, moves: list[int], depth: int, around: int) -> list[tuple[int, int]]:
        """Return the moves that may be best with their values, searched to a depth."""
        low, high = around - _WINDOW, around + _WINDOW
        if depth < 3 or abs(around) > DECIDED:
            low, high = -INFINITE, INFINITE
        while True:
            values = self._root(moves, depth, low, high)
            top = max(value for _, value in values)
            if top <= low and low > -INFINITE:
                low = -INFINITE
            elif top >= high and high < INFINITE:
                high = INFINITE
                best = max(values, key=lambda pair: pair[1])[0]
                moves.sort(key=lambda move: move != best)
            else:
                return values

    def _root(self, moves: list[int], depth: int, low: int, high: int) -> list[tuple[int, int]]:
        state, slack = self._state, self._slack
        seat, alpha = state.turn, low
        found: list[tuple[int, int]] = []
        self._partial = []
        for made, move in enumerate(moves, 1):
            state.make(move)
            self._work.done += 1
            if made == 1 or slack:
                value = self._after(seat, depth - 1, alpha, high, 1)
            else:
                value = self._after(seat, depth - 1, alpha, alpha + 1, 1)
                if alpha < value < high:
                    value = self._after(seat, depth - 1, alpha, high, 1)
            state.unmake()
            if value > alpha or made == 1:
                found.append((move, value))
                if value > low:
                    self._partial = found
            elif slack == 0:
                found.append((move, value - 1))  # a bound: never better than the best so far
            alpha = max(alpha, value - slack - 1 if slack else value)
            if value >= high:
                break
        return found

    # --- inside -----------------------------------------------------------------------------------------

    def _after(self, seat: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the value for a seat's team of the position that its move has led to."""
        state = self._state
        turn = state.turn
        if turn == OVER:
            return end_value(state, seat, ply)
        if turn == CHANCE:
            return self._average(seat, depth, ply)
        if self._teams[turn] == self._teams[seat]:
            return self._search(depth, alpha, beta, ply)
        return -self._search(depth, -beta, -alpha, ply)

    def _average(self, seat: int, depth: int, ply: int) -> int:
        state, total, weights, decided = self._state, 0, 0, True
        for draw, weight in state.chances():
            state.make(draw)
            self._work.done += 1
            value = self._after(seat, depth, -INFINITE, INFINITE, ply + 1)
            total, weights, decided = total + weight * value, weights + weight, decided and proves(value)
            state.unmake()
        mean = total // weights
        return mean if decided else max(1 - PROOF, min(PROOF - 1, mean))  # rare draws count, too

    def _search(self, depth: int, alpha: int, beta: int, ply: int, *, null: bool = True) -> int:
        """Return the value for the team of the seat to act, exact between alpha and beta."""
        state = self._state
        if state.repeated():
            return 0
        if depth <= 0:
            return self._noise(alpha, beta, ply, _NOISE_PLIES)
        work = self._work
        if work.done >= work.limit or work.stop is not None:
            work.check()
        key, first = state.key, -1
        entry = self._table.get(key)
        if entry is not None:
            first = entry.move
            if entry.depth >= depth:
                value = entry.value
                if entry.kind == EXACT:
                    return value
                if entry.kind == LOWER:
                    if value >= beta:
                        return value
                elif value <= alpha:
                    return value
        seat, teams = state.turn, self._teams
        narrow, sees = beta - alpha == 1, self._eyes is None or ply >= Eyes.PLIES
        prunes = depth <= _PRUNED and narrow and sees and self._bounded and abs(alpha) < DECIDED
        now = state.evaluate(seat) if prunes else 0
        if prunes and depth in _LEADS and now >= beta + _LEADS[depth]:
            return now
        if depth == 1 and self._bounded and sees:
            return self._frontier(key, alpha, beta, ply)
        if null and narrow and depth >= 3 and state.can_skip:
            well = (now if prunes else state.evaluate(seat)) >= beta
            if well and (value := self._null(seat, depth, beta, ply)) >= beta:
                return value
        best, best_move, was = alpha if prunes else -INFINITE, first, alpha
        moves = self._staged(first, ply, depth, beta - now if prunes else None, sees=sees)
        team = teams[seat]
        for nth, move in enumerate(moves):
            state.make(move)
            work.done += 1
            turn = state.turn
            if turn < 0:
                value = self._after(seat, depth - 1, alpha, beta, ply + 1)
            elif teams[turn] == team:
                value = self._search(depth - 1, alpha, beta, ply + 1)
            elif nth == 0:
                value = -self._search(depth - 1, -beta, -alpha, ply + 1)
            else:
                less = 0 if depth < 3 or nth < _EARLY else 1 if nth < _LATE or depth < 4 else 2
                value = -self._search(depth - 1 - less, -alpha - 1, -alpha, ply + 1)
                if less and value > alpha:
                    value = -self._search(depth - 1, -alpha - 1, -alpha, ply + 1)
                if alpha < value < beta:
                    value = -self._search(depth - 1, -beta, -alpha, ply + 1)
            state.unmake()
            if value > best:
                best, best_move = value, move
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        self._note_cut(move, depth, ply)
                        break
        kind = LOWER if best >= beta else EXACT if best > was else UPPER
        self._remember(key, _Entry(depth, kind, best, best_move))
        return best

    def _staged(self, first: int, ply: int, depth: int, least: int | None, *, sees: bool) -> Iterator[int]:
        """Yield moves in order, the table's move before the others are generated.

        `least` is what a move has to gain for a cut. Those are left out whose search would end at once.
        """
        if sees and first >= 0:
            yield first
        scored = self._scored(ply)
        if least is not None and depth - 1 in _LEADS:
            gain = (least - _LEADS[depth - 1]) << MOVE_BITS
            scored = [packed for packed in scored if packed >= gain]
        moves = self._in_order(scored, first, ply)
        if least is not None:
            self._drop_late(moves, scored, depth, least)
        if sees and first >= 0 and moves and moves[0] == first:
            del moves[0]
        yield from moves

    def _drop_late(self, moves: list[int], scored: list[int], depth: int, least: int) -> None:
        """Leave out late moves whose search, by one ply or two less, would end at once."""
        for begin, left in ((_LATE, depth - 3), (_EARLY, depth - 2)):
            if len(moves) > begin and left in _LEADS:
                gain = (least - _LEADS[left]) << MOVE_BITS
                good = {packed & MOVE_MASK for packed in scored if packed >= gain}
                moves[begin:] = [move for move in moves[begin:] if move in good]

    def _null(self, seat: int, depth: int, beta: int, ply: int) -> int:
        """Return a bound for the value if the seat passed: who is well off even so needs no deep search."""
        state, teams = self._state, self._teams
        seats = len(teams)
        for step in range(1, seats):
            other = (seat + step) % seats
            if teams[other] != teams[seat] and state.can_move(other):
                break
        else:
            return -INFINITE
        state.skip_to(other)
        value = -self._search(depth - 3, -beta, -beta + 1, ply + 1, null=False)
        state.unmake()
        return min(value, DECIDED)

    def _frontier(self, key: int, alpha: int, beta: int, ply: int) -> int:
        """Search the last ply: only moves whose gain can raise alpha are made; never less than alpha."""
        state, teams, work = self._state, self._teams, self._work
        seat = state.turn
        now, was, best_move = state.evaluate(seat), alpha, -1
        least = (alpha - now + 1) << MOVE_BITS
        scored = state.scored()
        packed, rest = max(scored), None
        while packed >= least:
            state.make(packed & MOVE_MASK)
            work.done += 1
            turn = state.turn
            if turn < 0 or teams[turn] == teams[seat]:
                value = self._after(seat, 0, alpha, beta, ply + 1)
            else:
                value = -self._noise(-beta, -alpha, ply + 1, _NOISE_PLIES)
            state.unmake()
            if value > alpha:
                alpha, best_move = value, packed & MOVE_MASK
                if value >= beta:
                    break
                least = (alpha - now + 1) << MOVE_BITS
            if rest is None:  # mostly the first move is enough
                rest = sorted([packed for packed in scored if packed >= least])
                rest = rest[:-1]
            if not rest:
                break
            packed = rest.pop()
        kind = LOWER if alpha >= beta else EXACT if alpha > was else UPPER
        self._remember(key, _Entry(1, kind, alpha, best_move))
        return alpha

    def _noise(self, alpha: int, beta: int, ply: int, left: int) -> int:
        """Return the value once noisy moves, such as recaptures, are played out."""
        state = self._state
        seat = state.turn
        best = state.evaluate(seat)
        if best >= beta or left == 0 or not self._budget.settles:
            return best
        if state.repeated():
            return 0
        noisy = state.noisy()
        if not noisy:
            return best
        now = best
        alpha = max(alpha, best)
        noisy.sort(reverse=True)
        teams, work = self._teams, self._work
        for packed in noisy:
            if self._bounded and now + (packed >> MOVE_BITS) <= alpha:
                break
            state.make(packed & MOVE_MASK)
            work.done += 1
            turn = state.turn
            if turn == OVER:
                value = end_value(state, seat, ply + 1)
            elif turn == CHANCE:
                value = self._average(seat, 0, ply + 1)
            elif teams[turn] == teams[seat]:
                value = self._noise(alpha, beta, ply + 1, left - 1)
            else:
                value = -self._noise(-beta, -alpha, ply + 1, left - 1)
            state.unmake()
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        return best

    def _line(self, root: SearchState, move: int) -> tuple[int, ...]:
        """Return a move and the best moves that follow, as far as the table knows them."""
        line = [move]
        state = root
        state.make(move)
        while state.turn >= 0 and len(line) < 8:
            entry = self._table.get(state.key)
            if entry is None or entry.move not in state.moves():
                break
            line.append(entry.move)
            state.make(entry.move)
        return tuple(line)
