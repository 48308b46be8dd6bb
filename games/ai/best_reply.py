"""Best-reply search for three or more teams: after each move of ours, only one opponent answers.

It is the opponent whose move hurts most (Schadd and Winands, "Best Reply Search for Multiplayer Games",
2011): so the search looks further ahead for the seat it thinks for than if every opponent moved. Positions
arise that the rules don't allow, because the others' turns are skipped. Team mates' turns are skipped too.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, TypeAlias

from games.ai.thinking import EXACT, INFINITE, LOWER, UPPER, DeepeningSearch, end_value
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, SearchState

_NOISE_PLIES: Final = 4
_OURS, _THEIRS = 0, 1 << 64
"""Added to the key: who is to move next differs from the state's."""


_Entry: TypeAlias = tuple[int, int, int, int, int]
"""Depth, kind of bound, value, move, and who plays the move."""


class BestReply(DeepeningSearch[_Entry]):
    """One decision."""

    @cached_property
    def _others(self) -> list[int]:
        """The seats of other teams, in the order of play."""
        seats = len(self._teams)
        order = [(self._seat + step) % seats for step in range(1, seats)]
        return [seat for seat in order if self._teams[seat] != self._teams[self._seat]]

    def _deepen(self, moves: list[int], depth: int, around: int) -> list[tuple[int, int]]:
        state, alpha, slack = self._state, -INFINITE, self._slack
        found: list[tuple[int, int]] = []
        self._partial = []
        for move in moves:
            state.make(move)
            self._work.done += 1
            value = self._after_ours(depth - 1, alpha, INFINITE, 1)
            state.unmake()
            found.append((move, value if value > alpha or not found else value - 1))
            alpha = max(alpha, value - slack - 1 if slack else value)
            if len(found) > 1:
                self._partial = found
        return found

    def _line(self, root: SearchState, move: int) -> tuple[int, ...]:
        return (move,)

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
        kind = LOWER if best >= beta else EXACT if best > was else UPPER
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
        kind = UPPER if best <= alpha else EXACT if best < was else LOWER
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

    def _ordered(self, first: int, ply: int) -> list[int]:
        scored = self._scored(ply)
        self._gains = {packed & MOVE_MASK: packed >> MOVE_BITS for packed in scored}
        return self._in_order(scored, first, ply)


def _usable(entry: _Entry, depth: int, alpha: int, beta: int) -> int | None:
    """Return the value of an entry that is deep enough to end the search here; otherwise None."""
    there, kind, value = entry[:3]
    if there < depth:
        return None
    if kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha):
        return value
    return None
