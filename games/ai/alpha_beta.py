"""Alpha-beta search for two teams, deepened ply by ply until the work is used up.

Values are for the team of the seat to act (negamax); the same team may act several times in a row, and draws
of chance are averaged. It has a transposition table, killer moves, history, null moves, reductions of late
moves, zero windows, and a search of noisy moves at the end of each line. Where gains are exact, or never too
small, the last ply makes only moves that may raise the value.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.ai.thinking import INFINITE, Eyes, StoppedError, Thought, Work, end_value, shuffled
from games.engine.dice import Dice
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, WIN, Budget, SearchState, Stop
from games.engine.values import CHANCE

_WINDOW: Final = 150
"""Half the width of the first window around the value of the depth before."""
_NOISE_PLIES: Final = 6
_DECIDED: Final = WIN // 2
_MOST_ENTRIES: Final = 400_000
"""Size at which the transposition table is emptied."""
_EXACT, _LOWER, _UPPER = 0, 1, 2


class _Entry(NamedTuple):
    depth: int
    kind: int
    value: int
    move: int


class AlphaBeta:
    """One decision."""

    def __init__(
        self,
        state: SearchState,
        budget: Budget,
        dice: Dice,
        *,
        eyes: Eyes | None = None,
        slack: int = 0,
        stop: Stop | None = None,
        only: int | None = None,
    ) -> None:
        """`slack` is the loss of value within which moves count as equal; `stop` may end it early.

        With `only`, no other move of the seat to act is looked at, and the value is that of this one.
        """
        self._state = state.copy()
        self._state.presume()
        self._teams = state.teams
        self._budget = budget
        self._dice = dice
        self._eyes = eyes
        self._slack = slack
        self._only = only
        self._work = Work(budget.work, stop)
        self._table: dict[int, _Entry] = {}
        self._killers = [[-1, -1] for _ in range(2 * budget.depth + 8)]
        self._history: dict[int, int] = {}
        self._bounded = state.exact_gains or state.bounding_gains
        self._skips = state.can_skip

    def think(self) -> Thought:
        """Return the best move of the seat to act."""
        state, root = self._state, self._state.copy()
        scored = state.scored()
        if self._eyes is not None:
            scored = self._eyes.visible(state, scored)
        moves = [packed & MOVE_MASK for packed in shuffled(scored, self._dice)]
        if self._only is not None:
            moves = [self._only]
        best, value, reached = [moves[0]], state.evaluate(state.turn), 0
        if len(moves) > 1 or self._only is not None:
            for depth in range(1, self._budget.depth + 1):
                try:
                    values = self._deepen(moves, depth, value)
                except StoppedError:
                    if self._partial:
                        best, value = self._choice(self._partial)
                    break
                best, value = self._choice(values)
                reached = depth
                order = dict(values)
                moves.sort(key=lambda move: -order.get(move, -INFINITE))
                if abs(value) > _DECIDED and abs(value) >= WIN - depth:
                    break
        move = best[0] if len(best) == 1 else self._dice.pick(best)
        return Thought(move, value, self._line(root, move), reached, self._work.done)

    def _choice(self, values: list[tuple[int, int]]) -> tuple[list[int], int]:
        top = max(value for _, value in values)
        return [move for move, value in values if value >= top - self._slack], top

    # --- the root ---------------------------------------------------------------------------------------

    def _deepen(self, moves: list[int], depth: int, around: int) -> list[tuple[int, int]]:
        """Return the moves that may be best with their values, searched to a depth."""
        low, high = around - _WINDOW, around + _WINDOW
        if depth < 3 or abs(around) > _DECIDED:
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
        seat, made = state.turn, 0
        alpha = low
        found: list[tuple[int, int]] = []
        self._partial: list[tuple[int, int]] = []
        copy = state.copy()
        try:
            for move in moves:
                state.make(move)
                made += 1
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
        except StoppedError:
            self._state = copy
            raise
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
        state, total, weights = self._state, 0, 0
        for draw, weight in state.chances():
            state.make(draw)
            self._work.done += 1
            total += weight * self._after(seat, depth, -INFINITE, INFINITE, ply + 1)
            weights += weight
            state.unmake()
        return total // weights

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
                if entry.kind == _EXACT:
                    return value
                if entry.kind == _LOWER:
                    if value >= beta:
                        return value
                elif value <= alpha:
                    return value
        seat, teams = state.turn, self._teams
        if depth == 1 and self._bounded and (self._eyes is None or ply >= Eyes.PLIES):
            return self._frontier(alpha, beta, ply)
        narrow = beta - alpha == 1
        if null and narrow and depth >= 3 and self._skips and state.evaluate(seat) >= beta:
            value = self._null(seat, depth, beta, ply)
            if value >= beta:
                return value
        moves = self._ordered(first, ply)
        best, best_move, was = -INFINITE, -1, alpha
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
                less = 0 if depth < 3 or nth < 4 else 1 if nth < 16 or depth < 4 else 2
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
        kind = _LOWER if best >= beta else _EXACT if best > was else _UPPER
        self._remember(key, _Entry(depth, kind, best, best_move))
        return best

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
        return min(value, _DECIDED)

    def _ordered(self, first: int, ply: int) -> list[int]:
        """Return all moves, the most promising ones first."""
        state = self._state
        scored = state.scored()
        if self._eyes is not None and ply < Eyes.PLIES:
            scored = self._eyes.visible(state, scored)
        history = self._history.get
        if self._history:
            scored = [packed + (history(packed & MOVE_MASK, 0) << MOVE_BITS) for packed in scored]
        scored.sort(reverse=True)
        moves = [packed & MOVE_MASK for packed in scored]
        front = [move for move in self._killers[ply] if move != first]
        if first >= 0:
            front.insert(0, first)
        for move in reversed(front):
            if move in moves:
                moves.remove(move)
                moves.insert(0, move)
        return moves

    def _note_cut(self, move: int, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move
        history = self._history
        history[move] = min(100, history.get(move, 0) + depth * depth)

    def _remember(self, key: int, entry: _Entry) -> None:
        table = self._table
        if len(table) >= _MOST_ENTRIES:
            table.clear()
        table[key] = entry

    def _frontier(self, alpha: int, beta: int, ply: int) -> int:
        """Search the last ply: only moves whose gain can raise alpha are made; never less than alpha."""
        state, teams, work = self._state, self._teams, self._work
        seat = state.turn
        now, best = state.evaluate(seat), alpha
        least = (alpha - now + 1) << MOVE_BITS
        scored = [packed for packed in state.scored() if packed >= least]
        scored.sort(reverse=True)
        for packed in scored:
            if now + (packed >> MOVE_BITS) <= alpha:
                break
            state.make(packed & MOVE_MASK)
            work.done += 1
            turn = state.turn
            if turn < 0 or teams[turn] == teams[seat]:
                value = self._after(seat, 0, alpha, beta, ply + 1)
            else:
                value = -self._noise(-beta, -alpha, ply + 1, _NOISE_PLIES)
            state.unmake()
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        return best

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

    def _line(self, state: SearchState, move: int) -> tuple[int, ...]:
        """Return a move and the best moves that follow, as far as the table knows them."""
        line = [move]
        state.make(move)
        while state.turn >= 0 and len(line) < 8:
            entry = self._table.get(state.key)
            if entry is None or entry.move not in state.moves():
                break
            line.append(entry.move)
            state.make(entry.move)
        return tuple(line)
