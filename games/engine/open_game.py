"""Games that hide nothing, with computers that search through `apply`.

A game that inherits from `OpenGame` has the five levels that search, hints and analyses, without a search
state of its own. One made for the game (`search_state`) makes a hundred times as many moves a second.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from math import atanh
from typing import Any, ClassVar, Final, Generic

from games.engine.dice import Dice
from games.engine.game import Game, Seat
from games.engine.levels import Budget, Level
from games.engine.search import MOVE_BITS, OVER, WIN, SearchState, shares
from games.engine.values import A, S

_SURE: Final = 0.999
"""The highest evaluation of a position that isn't decided, as a part of the whole range."""


def _level(work: int, depth: int = 60, *, seconds: float, oversight: int = 0, slack: int = 0) -> Level:
    two = Budget("alpha-beta", work, depth, settles=False)
    return Level(two, Budget("playouts", max(20, work // 50), depth), seconds, oversight, slack)


LEVELS: Final[Mapping[str, Level]] = {
    "beginner": _level(200, 1, seconds=2, oversight=90, slack=30),
    "easy": _level(500, 2, seconds=2, oversight=60, slack=12),
    "average": _level(3_000, 3, seconds=5, oversight=15),
    "hard": _level(20_000, seconds=10),
    "expert": _level(100_000, seconds=20),
}
"""The levels of open games, weakest first."""


class OpenGame(Game[S, S, A], Generic[S, A]):
    """A game in which nothing is hidden and one seat acts at a time.

    What chance may do (`actions` of CHANCE) is equally likely, and `dump` writes all that the future depends
    on. With several numbers of seats, or with teams, a game returns by `teams_of` who plays with whom.
    """

    def teams_of(self, state: S) -> tuple[int, ...]:
        """Return the team of each seat; by default everyone plays alone."""
        (seats,) = self.seats
        return tuple(range(seats))

    def search_state(self, view: S, seat: Seat, dice: Dice) -> SearchState:
        """Return the position, to be searched through `apply`."""
        return OpenSearch(self, view)

    def levels(self) -> Mapping[str, Level]:
        """Return the five levels that search."""
        return LEVELS


class OpenSearch(SearchState):
    """A position of an open game. A move is its number in the order of `actions`."""

    __slots__ = ("_game", "_nodes", "key", "teams", "turn")

    exact_gains: ClassVar[bool] = True

    def __init__(self, game: OpenGame[Any, Any], state: Any) -> None:
        self._game = game
        self._nodes: list[_Node] = []
        self.teams = game.teams_of(state)
        self._enter(_Node(game, state, self.teams))

    def copy(self) -> OpenSearch:
        """Return an independent copy, without the moves that led here."""
        return OpenSearch(self._game, self._nodes[-1].state)

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as a copy does."""
        return OpenSearch, (self._game, self._nodes[-1].state)

    def moves(self) -> list[int]:
        """Return every move of the seat to act."""
        return list(range(len(self._nodes[-1].actions)))

    def scored(self) -> list[int]:
        """Return every move with its exact gain; one that ends the game gains all, or loses all."""
        now = self.evaluate(self.turn)
        worth = (self._nodes[-1].after(move).worth(self.turn) for move in self.moves())
        return [(value - now) << MOVE_BITS | move for move, value in enumerate(worth)]

    def make(self, move: int) -> None:
        """Play a move, or a draw of chance."""
        self._enter(self._nodes[-1].after(move))

    def unmake(self) -> None:
        """Take back the last move or draw."""
        self._nodes.pop().forget()
        self._enter(self._nodes.pop())

    def evaluate(self, seat: int) -> int:
        """Return the game's own evaluation, on the scale of searches."""
        return self._nodes[-1].evaluations[seat]

    def result(self) -> tuple[float, ...] | None:
        """Return the shares of the seats at the end."""
        return self._nodes[-1].result

    def chances(self) -> list[tuple[int, int]]:
        """Return the possible draws, all equally likely."""
        return [(draw, 1) for draw in self.moves()]

    def action(self, move: int) -> Any:
        """Return the action of a move or a draw."""
        return self._nodes[-1].actions[move]

    def _enter(self, node: _Node) -> None:
        self._nodes.append(node)
        self.turn, self.key = node.turn, node.key


class _Node:
    """A state with what has been found out about it, each thing when it is asked for first."""

    __slots__ = ("_actions", "_after", "_evaluations", "_key", "game", "result", "state", "teams", "turn")

    def __init__(self, game: OpenGame[Any, Any], state: Any, teams: tuple[int, ...]) -> None:
        self.game, self.state, self.teams = game, state, teams
        outcome = game.outcome(state)
        self.turn = OVER if outcome is not None else int(min(game.to_act(state)))
        self.result = None if outcome is None else shares(outcome.ranks, teams)
        self._actions: tuple[Any, ...] | None = None
        self._after: dict[int, _Node] = {}
        self._evaluations: tuple[int, ...] | None = None
        self._key: int | None = None

    @property
    def actions(self) -> tuple[Any, ...]:
        """Every legal action of the seat to act, or of chance."""
        if self._actions is None:
            self._actions = tuple(self.game.listed(self.state, Seat(self.turn)))
        return self._actions

    def after(self, move: int) -> _Node:
        """Return what a move or a draw leads to."""
        if (found := self._after.get(move)) is None:
            state = self.game.apply(self.state, Seat(self.turn), self.actions[move]).state
            found = self._after[move] = _Node(self.game, state, self.teams)
        return found

    def forget(self) -> None:
        """Let go of what follows: a search would keep all of its tree."""
        self._after.clear()

    @property
    def key(self) -> int:
        """A hash of the position as the game writes it, the same on every machine."""
        if self._key is None:
            text = json.dumps(self.game.dump(self.state), sort_keys=True)
            self._key = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        return self._key

    @property
    def evaluations(self) -> tuple[int, ...]:
        """How good the position is for each seat: for its team, less the mean of the others."""
        if self._evaluations is None:
            seats = range(len(self.teams))
            values = [self.game.evaluate(self.state, Seat(each)) for each in seats]
            self._evaluations = tuple(map(self._balance, [values] * len(values), seats))
        return self._evaluations

    def _balance(self, values: list[float], seat: int) -> int:
        ours = [value for value, team in zip(values, self.teams, strict=True) if team == self.teams[seat]]
        others = [value for value, team in zip(values, self.teams, strict=True) if team != self.teams[seat]]
        mean = (sum(ours) / len(ours) - sum(others) / len(others)) / 2
        # So that the share which a search makes of the value is that of the evaluation: (1 + mean) / 2.
        return round(2 * SearchState.odds_scale * atanh(max(-_SURE, min(_SURE, mean))))

    def worth(self, seat: int) -> int:
        """Return the value for a seat; WIN or -WIN for the shares of a match that is over."""
        if self.result is None:
            return self.evaluations[seat]
        return round((2 * self.result[seat] - 1) * WIN)
