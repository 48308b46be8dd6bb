"""Best-reply search for three or more teams: after each move of ours, only one opponent answers.

It is the opponent whose move hurts most (Schadd and Winands, "Best Reply Search for Multiplayer Games",
2011): so the search looks further ahead for the seat it thinks for than if every opponent moved. Positions
arise that the rules don't allow, because the others' turns are skipped. Team mates' turns are skipped too.
"""

from __future__ import annotations

from typing import Final

from games.ai.thinking import INFINITE, Eyes, StoppedError, Thought, Work, end_value, shuffled
from games.engine.dice import Dice
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, WIN, Budget, SearchState, Stop

_DECIDED: Final = WIN // 2
_MOST_ENTRIES: Final = 400_000
_NOISE_PLIES: Final = 4
_EXACT, _LOWER, _UPPER = 0, 1, 2
_OURS, _THEIRS = 0, 1 << 64
"""Added to the key: who is to move next isn't what the state says."""


class BestReply:
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
        self._bounded = state.exact_gains or state.bounding_gains
        self._seat = state.turn
        seats = len(state.teams)
        order = [(state.turn + step) % seats for step in range(1, seats)]
        self._others = [seat for seat in order if state.teams[seat] != state.teams[state.turn]]
        self._budget = budget
        self._dice = dice
        self._eyes = eyes
        self._slack = slack
        self._only = only
        self._work = Work(budget.work, stop)
        self._table: dict[int, tuple[int, int, int, int, int]] = {}
        """By key: depth, kind of bound, value, move, and who plays the move."""
        self._killers = [[-1, -1] for _ in range(budget.depth + 2)]
        self._history: dict[int, int] = {}

    def think(self) -> Thought:
        """Return the best move of the seat to act."""
        state = self._state
        scored = state.scored()
        if self._eyes is not None:
            scored = self._eyes.visible(state, scored)
        moves = [packed & MOVE_MASK for packed in shuffled(scored, self._dice)]
        if self._only is not None:
            moves = [self._only]
        best, value, reached = [moves[0]], state.evaluate(self._seat), 0
        if len(moves) > 1 or self._only is not None:
            for depth in range(1, self._budget.depth + 1):
                found: list[tuple[int, int]] = []
                copy = state.copy()
                try:
                    self._root(moves, depth, found)
                except StoppedError:
                    self._state = state = copy
                    if len(found) > 1:
                        best, value = self._choice(found)
                    break
                best, value = self._choice(found)
                reached = depth
                order = dict(found)
                moves.sort(key=lambda move: -order.get(move, -INFINITE))
                if abs(value) > _DECIDED and abs(value) >= WIN - depth:
                    break
        move = best[0] if len(best) == 1 else self._dice.pick(best)
        return Thought(move, value, (move,), reached, self._work.done)

    def _choice(self, values: list[tuple[int, int]]) -> tuple[list[int], int]:
        top = max(value for _, value in values)
        return [move for move, value in values if value >= top - self._slack], top

    def _root(self, moves: list[int], depth: int, found: list[tuple[int, int]]) -> None:
        """Search each move to a depth; add those that may be best to `found`, with their values."""
        state, alpha, slack = self._state, -INFINITE, self._slack
        for move in moves:
            state.make(move)
            self._work.done += 1
            value = self._after_ours(depth - 1, alpha, INFINITE, 1)
            state.unmake()
            found.append((move, value if value > alpha or not found else value - 1))
            alpha = max(alpha, value - slack - 1 if slack else value)

    # --- our moves --------------------------------------------------------------------------------------

    def _after_ours(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        state = self._state
        if state.turn == OVER:
            return end_value(state, self._seat, ply)
        if depth <= 0:
            return self._settled(_NOISE_PLIES, alpha, beta, ply, ours=False)
        return self._theirs(depth, alpha, beta, ply)

    def _ours(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the best value over our moves; the turn is ours."""
        state, work = self._state, self._work
        if work.done >= work.limit or work.stop is not None:
            work.check()
        key, first, cut = state.key + _OURS, -1, None
        if (entry := self._table.get(key)) is not None:
            first = entry[3]
            cut = _usable(entry, depth, alpha, beta)
        if cut is not None:
            return cut
        best, best_move, was = -INFINITE, -1, alpha
        last, now = self._bounded and depth == 1, state.evaluate(self._seat)  # settling never adds
        for packed in self._ordered(first, ply):
            if last and best > -INFINITE and now + self._gains[packed] <= best:
                continue
            state.make(packed)
            work.done += 1
            value = self._after_ours(depth - 1, alpha, beta, ply + 1)
            state.unmake()
            if value > best:
                best, best_move = value, packed
                alpha = max(alpha, value)
                if value >= beta:
                    self._note_cut(packed, depth, ply)
                    break
        kind = _LOWER if best >= beta else _EXACT if best > was else _UPPER
        self._remember(key, (depth, kind, best, best_move, self._seat))
        return best

    # --- their best reply -------------------------------------------------------------------------------

    def _theirs(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the lowest value that one move of one opponent leads to."""
        state, work, ours = self._state, self._work, self._seat
        if work.done >= work.limit or work.stop is not None:
            work.check()
        key, first, who = state.key + _THEIRS, -1, -1
        if (entry := self._table.get(key)) is not None:
            first, who = entry[3:]
            if (cut := _usable(entry, depth, alpha, beta)) is not None:
                return cut
        best, best_move, best_seat, was = INFINITE, -1, -1, beta
        able = [seat for seat in self._others if state.can_move(seat)]
        able.sort(key=lambda seat: seat != who)
        turn = state.turn
        for seat in able:
            if seat != turn:
                state.skip_to(seat)
            for move in self._ordered(first if seat == who else -1, ply):
                state.make(move)
                work.done += 1
                value = self._after_theirs(depth - 1, alpha, beta, ply + 1)
                state.unmake()
                if value < best:
                    best, best_move, best_seat = value, move, seat
                    beta = min(beta, value)
                    if value <= alpha:
                        self._note_cut(move, depth, ply)
                        break
            if seat != turn:
                state.unmake()
            if best <= alpha:
                break
        if best == INFINITE:
            return state.evaluate(ours)
        kind = _UPPER if best <= alpha else _EXACT if best < was else _LOWER
        self._remember(key, (depth, kind, best, best_move, best_seat))
        return best

    def _after_theirs(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        state, seat = self._state, self._seat
        turn = state.turn
        if turn == OVER:
            return end_value(state, seat, ply)
        if not state.can_move(seat):
            return state.evaluate(seat)
        if depth <= 0:
            return self._settled(_NOISE_PLIES, alpha, beta, ply, ours=True)
        if turn == seat:
            return self._ours(depth, alpha, beta, ply)
        state.skip_to(seat)
        value = self._ours(depth, alpha, beta, ply)
        state.unmake()
        return value

    # --- the end of a line ------------------------------------------------------------------------------

    def _settled(self, left: int, alpha: int, beta: int, ply: int, *, ours: bool) -> int:
        """Return the value once noisy moves are played out, by us or by the opponent whose reply is best."""
        state, seat, work = self._state, self._seat, self._work
        best = state.evaluate(seat)
        if left == 0 or not self._budget.settles or (best >= beta if ours else best <= alpha):
            return best
        turn = state.turn
        for mover in (seat,) if ours else self._others:
            if not state.can_move(mover):
                continue
            if mover != turn:
                state.skip_to(mover)
            for packed in sorted(state.noisy(), reverse=True):
                state.make(packed & MOVE_MASK)
                work.done += 1
                if state.turn == OVER:
                    value = end_value(state, seat, ply + 1)
                else:
                    value = self._settled(left - 1, alpha, beta, ply + 1, ours=not ours)
                state.unmake()
                if ours and value > best:
                    best, alpha = value, max(alpha, value)
                elif not ours and value < best:
                    best, beta = value, min(beta, value)
                if alpha >= beta:
                    break
            if mover != turn:
                state.unmake()
            if alpha >= beta:
                break
        return best

    # --- order and memory -------------------------------------------------------------------------------

    def _ordered(self, first: int, ply: int) -> list[int]:
        state = self._state
        scored = state.scored()
        if self._eyes is not None and ply < Eyes.PLIES:
            scored = self._eyes.visible(state, scored)
        self._gains = {packed & MOVE_MASK: packed >> MOVE_BITS for packed in scored}
        if history := self._history:
            scored = [packed + (history.get(packed & MOVE_MASK, 0) << MOVE_BITS) for packed in scored]
        scored.sort(reverse=True)
        moves = [packed & MOVE_MASK for packed in scored]
        front = [move for move in self._killers[ply] if move != first]
        if first >= 0:
            front.insert(0, first)
        for move in reversed(front):
            if move in self._gains:
                moves.remove(move)
                moves.insert(0, move)
        return moves

    def _note_cut(self, move: int, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move
        self._history[move] = min(100, self._history.get(move, 0) + depth * depth)

    def _remember(self, key: int, entry: tuple[int, int, int, int, int]) -> None:
        if len(self._table) >= _MOST_ENTRIES:
            self._table.clear()
        self._table[key] = entry


def _usable(entry: tuple[int, int, int, int, int], depth: int, alpha: int, beta: int) -> int | None:
    """Return the value of an entry that is deep enough to end the search here; otherwise None."""
    there, kind, value = entry[:3]
    if there < depth:
        return None
    if kind == _EXACT or (kind == _LOWER and value >= beta) or (kind == _UPPER and value <= alpha):
        return value
    return None
