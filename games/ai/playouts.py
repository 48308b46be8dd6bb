"""Monte Carlo tree search for any number of teams, with each seat playing for itself (max^n).

Selection is UCT with Progressive History; decided positions are proved (MCTS-Solver for several players); the
value of a new leaf is its evaluation, as a share of the match for each seat
(Nijssen, "Monte-Carlo Tree Search for Multi-Player Games", 2013). Draws of chance are sampled by weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Final

from games.ai.thinking import Eyes, StoppedError, Thought, Work, shuffled
from games.engine.dice import Dice
from games.engine.levels import Budget
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, WIN, SearchState, Stop
from games.engine.values import CHANCE

_EXPLORATION: Final = 0.2
"""Weight of the uncertainty of a move."""
_HISTORY: Final = 3.0
"""Weight of how well a move did elsewhere in the tree, as long as it has been tried little here."""
_PRIOR: Final = 400.0
"""Gain that is worth a whole win in the order in which moves are tried."""


class _Node:
    """A position after a move, reached from its parent."""

    __slots__ = ("children", "gain", "move", "proved", "squares", "total", "turn", "visits")

    def __init__(self, move: int, gain: int) -> None:
        self.move = move
        self.gain = gain
        self.turn = OVER
        self.visits = 0
        self.total = 0.0
        """Sum of the shares of the seat that made the move."""
        self.squares = 0.0
        """Sum of their squares."""
        self.proved: tuple[float, ...] | None = None
        """The shares of all seats, once they are certain."""
        self.children: list[_Node] | None = None


class Playouts:
    """One decision."""

    def __init__(
        self,
        state: SearchState,
        budget: Budget,
        dice: Dice,
        *,
        eyes: Eyes | None = None,
        stop: Stop | None = None,
        only: int | None = None,
    ) -> None:
        """Begin with one node; `stop` may end it early. With `only`, no other move is looked at first."""
        self._state = state.copy()
        self._seats = len(state.teams)
        self._budget = budget
        self._dice = dice
        self._eyes = eyes
        self._only = only
        self._work = Work(budget.work, stop)
        self._history: dict[tuple[int, int], list[float]] = {}
        """By seat and move: the sum of its shares, and how often it was played."""

    def think(self) -> Thought:
        """Return the most visited move of the seat to act."""
        root = _Node(-1, 0)
        root.turn = self._state.turn
        self._expand(root, top=True)
        if self._only is not None:
            root.children = [_Node(self._only, 0)]
        children = root.children or []
        deepest = 0
        while (len(children) > 1 or self._only is not None) and root.proved is None:
            try:
                self._work.check()
            except StoppedError:
                break
            self._work.done += 1
            deepest = max(deepest, self._play(root))
        seat = root.turn
        best = max(children, key=lambda node: (_certain(node, seat), node.visits, node.gain))
        if best.proved or best.visits:
            value = self._value(best.proved[seat] if best.proved else best.total / best.visits)
        else:
            value = self._state.evaluate(seat)  # the only move isn't thought about
        variance = max(0.0, best.squares * best.visits - best.total**2) / max(1, best.visits) ** 2
        error = 0.0 if best.proved else sqrt(variance / max(1, best.visits))
        return Thought(best.move, value, self._line(best), deepest, self._work.done, error)

    def _value(self, share: float) -> int:
        if share in (0.0, 1.0):
            return WIN if share else -WIN
        even = 1.0 / len(set(self._state.teams))
        return round(self._state.odds_scale * (log(share / (1.0 - share)) - log(even / (1.0 - even))))

    def _line(self, node: _Node) -> tuple[int, ...]:
        line = [node.move]
        while node.children and len(line) < 8 and (seat := node.turn) >= 0:
            node = max(node.children, key=lambda child: (_certain(child, seat), child.visits))
            if not node.visits:
                break
            line.append(node.move)
        return tuple(line)

    # --- one playout ------------------------------------------------------------------------------------

    def _play(self, root: _Node) -> int:
        """Go down to a leaf, evaluate it, and count the result on the way back; return the depth."""
        state, path, movers = self._state, [root], [root.turn]
        node = root
        while node.children and node.proved is None:
            mover = node.turn
            node = self._draw(node) if mover == CHANCE else self._select(node, mover)
            state.make(node.move)
            path.append(node)
            movers.append(mover)
        if node.proved is None and node.visits > 0 and node.children is None:
            self._expand(node)
        shares = node.proved or self._appraise(node)
        for _ in range(len(path) - 1):
            state.unmake()
        for depth in range(len(path) - 1, 0, -1):
            node, mover = path[depth], movers[depth]
            node.visits += 1
            if mover >= 0:
                share = shares[mover]
                node.total += share
                node.squares += share * share
                record = self._history.setdefault((mover, node.move), [0.0, 0.0])
                record[0] += share
                record[1] += 1.0
            if node.proved is not None:
                self._prove(path[depth - 1], mover)
        root.visits += 1
        return len(path) - 1

    def _select(self, node: _Node, seat: int) -> _Node:
        """Return the child with the highest bound, for a seat that knows what is proved."""
        history, spread = self._history, _EXPLORATION**2 * log(node.visits + 1)
        best, most = None, -1e9
        for child in node.children or ():
            visits = child.visits
            if child.proved is not None:
                bound = child.proved[seat] * 10.0 - 5.0
            elif visits == 0:
                bound = 0.6 + child.gain / _PRIOR
            else:
                mean = child.total / visits
                known = history[seat, child.move]
                bound = mean + sqrt(spread / visits)
                bound += known[0] / known[1] * _HISTORY / ((1.0 - mean) * visits + 1.0)
            if bound > most:
                best, most = child, bound
        if best is None:
            raise ValueError("a node without children was asked for one")
        return best

    def _draw(self, node: _Node) -> _Node:
        children = node.children or []
        left = self._dice.below(sum(child.gain for child in children))
        for child in children:
            left -= child.gain
            if left < 0:
                return child
        raise ValueError("chance has nothing to draw")

    def _expand(self, node: _Node, *, top: bool = False) -> None:
        state = self._state
        if node.turn == CHANCE:
            node.children = [_Node(draw, weight) for draw, weight in state.chances()]
            return
        scored = state.scored()
        if top and self._eyes is not None:
            scored = self._eyes.visible(state, scored)
        ordered = shuffled(scored, self._dice) if top else sorted(scored, reverse=True)
        node.children = [_Node(packed & MOVE_MASK, packed >> MOVE_BITS) for packed in ordered]

    def _appraise(self, node: _Node) -> Sequence[float]:
        """Return the shares that each seat may expect from the state."""
        state = self._state
        node.turn = state.turn
        if state.turn == OVER:
            node.proved = state.result()
            return node.proved or ()
        powers = [exp(state.evaluate(seat) / state.odds_scale) for seat in range(self._seats)]
        teams: dict[int, float] = {}
        for seat, team in enumerate(state.teams):
            teams[team] = powers[seat]
        whole = sum(teams.values())
        return [power / whole for power in powers]

    def _prove(self, parent: _Node, mover: int) -> None:
        """Note what is certain of a parent: a winning move, or the best of moves that are all decided."""
        if parent.proved is not None or mover < 0:
            return
        children = parent.children or []
        best = max((child.proved[mover] for child in children if child.proved), default=0.0)
        if best == 1.0 or all(child.proved for child in children):
            parent.proved = next(
                child.proved for child in children if child.proved and child.proved[mover] == best
            )


def share_of(value: int, teams: int, scale: float) -> float:
    """Return the share of the match that a `Thought.value` of playouts stands for; see `odds_scale`."""
    if abs(value) >= WIN:
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + (teams - 1) * exp(-value / scale))


def _certain(node: _Node, seat: int) -> int:
    """Return 1 for a proved win of the seat, -1 for a proved loss, otherwise 0."""
    if node.proved is None:
        return 0
    share = node.proved[seat]
    return 1 if share == 1.0 else 0 if share else -1
