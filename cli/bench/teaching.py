"""What teaching costs: a step of a lesson against a move with its board, and reasons against their hint.

A step is answered twice, rightly and wrongly, with all that the bot does but sending: it judges, finds the
reasons and the moves of the menu, and draws. What is compared is a move that is read, played and drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time
from typing import Final

import render
from bot.messages.lessons import LessonPlace, answered_scene, lesson_moves, offered_moves, task_scene
from bot.platform.tablebases import find_oracles
from cli.bench.measure import Line, Work, compare
from cli.words import sayer
from games.ai.advice import advise
from games.ai.appraisal import appraise
from games.ai.one_ply_values import tempting_actions
from games.ai.players_by_level import Levels
from games.ai.puzzle_search import self_play
from games.ai.valued import Question
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import AnyGame
from games.engine.lessons import Right, answer, position_of, solutions
from games.engine.reasons import reasons
from games.engine.values import Done

STEP: Final = 1.5
"""How many moves with their boards a step may take at the 99th percentile."""
REASONS: Final = 0.1
"""The part of a hint that its reasons may take."""
_TIMES: Final = 6
"""How often each step is answered in a round."""
_POSITIONS: Final = 3
"""Positions of a match in which a hint is given."""


def _p99(times: list[float]) -> float:
    return quantiles(times, n=100)[98] * 1000


def _answers(game: AnyGame) -> list[tuple[LessonPlace, str]]:
    """Return a right and a wrong answer to each step, as they are typed."""
    found: list[tuple[LessonPlace, str]] = []
    for at, step in enumerate(game.lessons):
        place = LessonPlace(game, at)
        view = game.view(position_of(game, step), step.seat)
        right = {game.format(view, each) for each in solutions(game, step)}
        wrong = next((move for move in offered_moves(place) if move not in right), min(right))
        found += [(place, min(right)), (place, wrong)]
    return found


def _steps(game: AnyGame) -> tuple[Work, Work]:
    say, answers = sayer(game, game.setup(game.seats[0])), _answers(game)

    def step(number: int) -> float:
        times: list[float] = []
        for place, text in answers * (1 if number < 0 else _TIMES):
            begun = process_time()
            found = answer(game, place.step, text)
            if isinstance(found, Right):
                render.draw(answered_scene(place, found), say)
            else:
                lesson_moves(place)
                render.draw(task_scene(place), say)
            times.append(process_time() - begun)
        return _p99(times)

    def board(number: int) -> float:
        times: list[float] = []
        for place, text in answers * (1 if number < 0 else _TIMES):
            state, seat = position_of(game, place.step), place.step.seat
            begun = process_time()
            read = game.parse(game.view(state, seat), seat, text)
            if isinstance(read, Done):
                after = game.apply(state, seat, read.action)
                render.draw(answered_scene(place, Right(after.state, after.facts)), say)
            times.append(process_time() - begun)
        return _p99(times)

    return step, board


def _reasons(game: AnyGame, levels: Levels) -> Line:
    """Return what the reasons of some hints take, and what the hints themselves do."""
    setup, reasoned, searched = game.setup(game.seats[0]), 0.0, 0.0
    every = [
        each
        for each in self_play(game, setup, levels, "bench", 1)
        if game.guess(game.view(each.state, each.seat), each.seat) is not None
    ]
    for found in every[:: -(-len(every) // _POSITIONS)]:
        view, dice = game.view(found.state, found.seat), Dice(b"bench", "hint", found.number, "")
        known = game.guess(view, found.seat)
        begun = perf_counter()
        also = tempting_actions(game, view, found.seat, 2, dice)
        question = Question(game, view, found.seat, setup.teams, also)
        advice = advise(game, known, appraise(question, levels, dice))
        searched += perf_counter() - begun
        if advice is not None and advice.rival is not None:
            begun = perf_counter()
            reasons(game, view, found.seat, advice.best.action, advice.rival.action)
            reasoned += perf_counter() - begun
    name = f"reasons, {game.key}, v the hints"
    return Line(name, "ms", reasoned * 1000, searched * 1000, reasoned / searched, REASONS, "less")


def lines(rounds: int) -> Iterator[Line]:
    """Yield a line for the steps of each game, and one for the reasons of its hints."""
    levels = Levels(find_oracles(Path("none")))
    for key in registry.KEYS:
        game = registry.get(key)
        name = f"step of a lesson at p99, {key}, v a move"
        yield compare(name, "ms", *_steps(game), rounds=rounds, target=STEP, better="less")
        yield _reasons(game, levels)
