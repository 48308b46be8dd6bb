"""What a position is worth to each seat, what to play in it, and what other moves are worth.

Values are shares of the match (see `win_shares`), each with its uncertainty. They come from the best source
that the game has: exact values, a search by the work of a level, imagined continuations, or a look at every
move one ply deep.
A move that is asked about is searched alone, with the same work as the best one, and to no lesser depth, so
that it is never rated worse only because it was looked at less. The values are those of the seat's view:
nothing is used that the seat can't know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from games.ai.imagined_values import SAMPLES, appraise_by_imagining
from games.ai.one_ply_values import appraise_one_ply
from games.ai.players_by_level import Levels
from games.ai.search_values import appraise_by_search
from games.ai.valued import MAX_LINE, Appraisal, Question, Rated
from games.ai.win_shares import spread_shares
from games.engine.dice import Dice
from games.engine.game import AnyGame, Oracle, Seat
from games.engine.levels import Level
from games.engine.search import Stop

__all__ = ["VERSION", "Appraisal", "Question", "Rated", "appraise", "source_of"]

VERSION: Final = 5
"""Changes whenever values change, such as by new weights: analyses that were kept are then made anew."""


def appraise(question: Question, levels: Levels, dice: Dice, stop: Stop | None = None) -> Appraisal:
    """Return what a position is worth and the best move in it.

    `dice` are the searches' own, never those of the match. Once `stop` returns True, the searches end with
    what they have found so far.
    """
    game = question.game
    oracle = levels.oracle(game.key)
    if oracle is not None and len(question.teams) == 2:
        exact = _exact(question, oracle)
        if exact is not None:
            return exact
    level = _level(game, question.level)
    if level is not None:
        state = game.search_state(question.view, question.seat, dice)
        if state is not None and state.turn == question.seat:
            return appraise_by_search(question, state, level, dice, stop)
    if game.imagined_spread:
        known = game.guess(question.view, question.seat)
        if known is not None:
            return appraise_by_imagining(question, known, dice, stop)
    return appraise_one_ply(question, dice, stop)


def source_of(game: AnyGame, levels: Levels, name: str) -> str:
    """Return what values of a game come from, as a short text that changes whenever the values may."""
    if levels.oracle(game.key) is not None:
        return f"{VERSION}-exact"
    level = _level(game, name)
    if level is None and game.imagined_spread:
        return f"{VERSION}-{SAMPLES}-{game.imagined_spread}-imagined"
    if level is None:
        return f"{VERSION}-moves"
    return f"{VERSION}-{level.two.method}-{level.two.work}-{level.more.method}-{level.more.work}"


def _level(game: AnyGame, name: str) -> Level | None:
    """Return the level without its oversights, the strongest one if there is none of this name."""
    levels = game.levels()
    if not levels:
        return None
    return replace(levels.get(name) or levels[list(levels)[-1]], oversight=0, slack=0)


def _exact(question: Question, oracle: Oracle) -> Appraisal | None:
    """Return the values of a table; None if it doesn't hold the position."""
    game, seat, view = question.game, question.seat, question.view
    found = oracle.appraise(view, seat)
    if not found:
        return None

    def rated(action: Any, value: float) -> Rated:
        return Rated(action, spread_shares(value, seat, question.teams, (1.0, 1.0)), 0.0, exact=True)

    values = dict(found)
    asked = frozenset(question.also)
    best, most = max(found, key=lambda pair: (pair[1], pair[0] in asked))
    also = tuple(rated(action, values[action]) if action in values else None for action in question.also)
    line, state = [(seat, best)], game.guess(view, seat)
    while state is not None and len(line) < MAX_LINE:
        state = game.apply(state, *line[-1]).state
        mover = min(game.to_act(state), default=Seat(-1))
        more = oracle.appraise(game.view(state, mover), mover) if mover >= 0 else None
        if not more:
            break
        line.append((mover, max(more, key=lambda pair: pair[1])[0]))
    return Appraisal(seat, rated(best, most), tuple(line), also)
