"""Find puzzles: positions of matches in which one move is clearly better than all with another idea.

A position is glanced at, and if that is promising judged twice, the second time with ten times the work; both
times the same move has to lead by the margin. Where a game has exact values, they judge alone, be they of the
match or of a task within a turn; elsewhere a search does. Matches come from computers that play each other,
with a random move now and then, or from records; seed and number of a match determine its puzzles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from games.ai.alpha_beta import AlphaBeta
from games.ai.one_ply_values import tempting_actions
from games.ai.players_by_level import Levels
from games.ai.win_shares import share_of_value
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat, Setup
from games.engine.levels import Budget
from games.engine.puzzles import HARDEST, Puzzle
from games.engine.reasons import reasons
from games.engine.search import SearchState
from games.engine.teaching import PuzzleChoice

_MARGIN: Final = 0.2
"""Share of the match by which the best move has to lead, by searches."""
_EXACT_MARGIN: Final = 0.1
"""The same by exact values."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The best move of a position, the best one with another idea, and what that gives away."""

    best: Any
    rival: Any
    share: float
    """The share of the match that the best move leads to."""
    margin: float
    clear: bool
    """Whether the margin is as large as that of a puzzle."""


def lead_in(
    game: AnyGame, view: Any, seat: Seat, teams: Sequence[int], levels: Levels, work: int, dice: Dice
) -> Lead | None:
    """Return which move leads in a position, and by how much, with so much work; None if that is unknown."""
    if len(set(teams)) != 2:
        return None
    oracle = levels.oracle(game.key)
    if oracle is not None and (exact := _leading(game, oracle.appraise(view, seat) or ())) is not None:
        return exact
    state = game.search_state(view, seat, dice)
    if state is not None and state.turn == seat:
        return _searched_lead(state, work, dice)
    choice = game.puzzle_choice(view, seat)
    if choice is None:
        return None
    return _leading(game, ((action, choice.chance(action)) for action in choice.moves))


def _leading(game: AnyGame, values: Iterable[tuple[Any, float]]) -> Lead | None:
    """Return the lead by exact values; None if there is only one idea."""
    ideas: dict[Any, tuple[float, Any]] = {}
    for action, value in values:
        idea = game.idea(action)
        if idea not in ideas or ideas[idea][0] < value:
            ideas[idea] = value, action
    if len(ideas) < 2:
        return None
    first, *others = sorted(ideas.values(), key=lambda pair: -pair[0])
    margin = first[0] - others[0][0]
    return Lead(first[1], others[0][1], first[0], margin, margin >= _EXACT_MARGIN)


def _searched_lead(state: SearchState, work: int, dice: Dice) -> Lead | None:
    if len(state.moves()) < 2:
        return None
    budget = Budget("alpha-beta", work)
    first = AlphaBeta(state, budget, dice).think()
    second = AlphaBeta(state, budget, dice, without=first.move).think()
    ours, theirs = (share_of_value(each.value, state.odds_scale) for each in (first, second))
    margin = ours - theirs
    return Lead(state.action(first.move), state.action(second.move), ours, margin, margin >= _MARGIN)


DEEPER: Final = 10
"""How many times the work is done to judge a position the second time."""
WORK: Final = 4_000
"""Moves made by the first search of a position."""
_PROMISING: Final = 0.1
"""Margin that a tenth of the work has to find, or nothing more is done for a position."""
_LEAST: Final = 0.35
"""Share of the match that the best move has to lead to: a puzzle is worth solving."""
_CLEAR_REASON: Final = 0.5
"""Weight of the reason that names the kind of a puzzle."""
_SEEN: Final = (80, 50)
"""Visibilities of a move below which it is harder to find, by one for each."""
_NEAR: Final = 0.4
"""Chance by which a move may be behind the best one of a task and still make it harder."""
_MANY: Final = 8
"""Moves from above which on a task is harder."""
_STRAY: Final = 10
"""One of this many moves of a match is random."""
_MOST_OPENING: Final = 8
"""A match begins with fewer random moves than this."""
_MOST_OF_MATCH: Final = 3
"""Puzzles taken from one match."""
_LONGEST: Final = 150
"""Decisions of a match that are looked at; three times as many where a turn has many."""


class Found(NamedTuple):
    """A decision in a match: the state, the seat to act, and the number of the decision."""

    state: Any
    seat: Seat
    number: int


def puzzle_in(
    game: AnyGame, setup: Setup, found: Found, levels: Levels, work: int, source: str, secret: bytes
) -> Puzzle | None:
    """Return the puzzle that a decision is; None if it is none."""
    seat = found.seat
    known = game.guess(game.view(found.state, seat), seat)
    if known is None:
        return None
    view = game.view(known, seat)

    def dice(salt: str) -> Dice:
        return Dice(secret, "puzzle", found.number, salt)

    if len(list(islice(game.actions(view, seat), 2))) < 2:
        return None
    choice = game.puzzle_choice(view, seat)
    glance = lead_in(game, view, seat, setup.teams, levels, max(1, work // DEEPER), dice("glance"))
    if glance is None or glance.margin < _PROMISING:
        return None
    first = lead_in(game, view, seat, setup.teams, levels, work, dice("first"))
    if first is None or not first.clear or first.share < _LEAST:
        return None
    second = lead_in(game, view, seat, setup.teams, levels, DEEPER * work, dice("second"))
    if second is None or not second.clear or second.share < _LEAST:
        return None
    if game.idea(first.best) != game.idea(second.best):
        return None
    why = reasons(game, view, seat, second.best, second.rival)
    if choice is None and (not why or why[0].weight < _CLEAR_REASON):
        return None
    return Puzzle(
        game.dump(known),
        setup.rules,
        seat,
        setup.seats,
        game.encode(second.best),
        game.encode(second.rival),
        why[0].kind if choice is None else choice.kind,
        _difficulty_of(game, choice, second.best)
        if choice is not None
        else difficulty(game, view, seat, second.best, work, dice("difficulty")),
        min(1.0, second.margin),
        source,
    )


def _difficulty_of(game: AnyGame, choice: PuzzleChoice, best: Any) -> int:
    """Return how hard a task is: by how many moves with other ideas come near, and by how many there are."""
    chances: dict[Any, float] = {}
    for move in choice.moves:
        chances[game.idea(move)] = max(choice.chance(move), chances.get(game.idea(move), 0.0))
    near = sum(each >= chances[game.idea(best)] - _NEAR for each in chances.values()) - 1
    return min(HARDEST, 1 + near + (len(chances) > _MANY))


def difficulty(game: AnyGame, view: Any, seat: Seat, best: Any, work: int, dice: Dice) -> int:
    """Return how hard a move is to find: the depth at which a search prefers it, and more if it is hidden.

    Without a search, its place among the moves by how they look right after they were played.
    """
    state = game.search_state(view, seat, dice)
    if state is not None and state.turn == seat:
        found = [_best_at(game, state, depth, DEEPER * work, dice) for depth in range(1, HARDEST)]
        idea, seen = game.idea(best), state.visibility(state.find(best))
        deep = next(
            (at for at in range(1, HARDEST) if all(each == idea for each in found[at - 1 :])), HARDEST
        )
        return min(HARDEST, deep + sum(seen < least for least in _SEEN))
    ideas = [game.idea(each) for each in tempting_actions(game, view, seat, HARDEST - 1, dice)]
    return ideas.index(game.idea(best)) + 1 if game.idea(best) in ideas else HARDEST


def _best_at(game: AnyGame, state: SearchState, depth: int, work: int, dice: Dice) -> Any:
    budget = Budget("alpha-beta", work, depth, settles=False)
    return game.idea(state.action(AlphaBeta(state, budget, dice).think().move))


def puzzles_of(
    game: AnyGame, setup: Setup, decisions: Iterator[Found], levels: Levels, work: int, source: str
) -> Iterator[Puzzle]:
    """Yield the puzzles among the decisions of a match: at most three, each of another kind."""
    kinds: set[str] = set()
    for found in decisions:
        puzzle = puzzle_in(game, setup, found, levels, work, f"{source}.{found.number}", source.encode())
        if puzzle is not None and puzzle.kind not in kinds:
            kinds.add(puzzle.kind)
            yield puzzle
        if len(kinds) == _MOST_OF_MATCH:
            return


def self_play(game: AnyGame, setup: Setup, levels: Levels, seed: str, number: int) -> Iterator[Found]:
    """Yield the decisions of a match of computers, from a random opening, with a random move now and then."""
    secret = f"{seed} {number}".encode()
    names = levels.names(game.key)
    level = ("beginner", "easy")[number % 2]
    player = levels.player(game.key, level if level in names else names[0])
    random = Dice(secret, "puzzles", 0, "")
    opening = random.below(_MOST_OPENING)
    state: Any = game.start(setup).state
    made, at, most = 0, 0, _LONGEST if game.actions_are_moves else 3 * _LONGEST
    while game.outcome(state) is None and at < most:
        made += 1
        seat, dice = min(game.to_act(state)), Dice(secret, "puzzles", made, "")
        if seat == CHANCE:
            state = game.apply(state, seat, game.draw(state, dice)).state
            continue
        at += 1
        view = game.view(state, seat)
        strays = at <= opening or not random.below(_STRAY)
        if at > opening and game.to_act(state) == {seat}:
            yield Found(state, seat, at)
        action = game.pick(view, seat, random.below) if strays else player.choose(game, view, seat, dice)
        state = game.apply(state, seat, action).state


class Collection:
    """Puzzles that were found so far: none twice, and no kind too often."""

    def __init__(self, wanted: int, puzzles: Sequence[Puzzle] = ()) -> None:
        """`wanted` is how many there will be."""
        self._wanted = wanted
        self._kinds = Counter[str]()
        self.puzzles: list[Puzzle] = []
        self._keys: set[str] = set()
        for each in puzzles:
            self._take(each)

    @property
    def full(self) -> bool:
        """Whether there are as many as wanted."""
        return len(self.puzzles) >= self._wanted

    def add(self, puzzle: Puzzle) -> bool:
        """Add a puzzle, and return whether it was added."""
        most = max(1, self._wanted * 2 // 5)
        if self.full or self._kinds[puzzle.kind] >= most or puzzle.key in self._keys:
            return False
        self._take(puzzle)
        return True

    def _take(self, puzzle: Puzzle) -> None:
        self._kinds[puzzle.kind] += 1
        self._keys.add(puzzle.key)
        self.puzzles.append(puzzle)
