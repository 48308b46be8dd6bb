"""Laws of shipped puzzles: legal, answered by one idea, explained, and the best move leads by far."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

import render
from bot.platform.puzzle_files import puzzle_file
from bot.platform.tablebases import find_oracles
from games.ai.players_by_level import Levels
from games.ai.puzzle_search import DEEPER, WORK, lead_in
from games.engine import registry
from games.engine.dice import Dice
from games.engine.lessons import Right, Wrong, answer, position_of
from games.engine.message import msg
from games.engine.puzzles import Puzzle, PuzzleFileError, PuzzleRun, read_puzzles, step_of, why, write_puzzles
from locales import Catalogue
from tests.games.domination import slow_effects
from tests.soak import QUICK, SEED, SOAK

CATALOGUE = Catalogue(strict=True)
JUDGED_AGAIN = 1
"""Puzzles of each game that are judged again; in a soak all of them."""


@cache
def shipped(key: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game."""
    return puzzle_file(registry.get(key))


def tried(key: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game that are looked at."""
    return shipped(key)[:: 10 if QUICK else 1]


@pytest.mark.parametrize("key", registry.KEYS)
def test_a_game_has_puzzles_of_several_kinds_and_difficulties(key: str) -> None:
    puzzles = shipped(key)
    assert len(puzzles) >= 10
    assert len({each.kind for each in puzzles}) >= 3
    assert len({each.difficulty for each in puzzles}) >= 2
    assert len({each.key for each in puzzles}) == len(puzzles)


@pytest.mark.parametrize("key", registry.KEYS)
def test_each_puzzle_is_answered_by_its_best_move_and_by_no_other_idea(key: str) -> None:
    game, random = registry.get(key), Random(SEED)
    for puzzle in tried(key):
        step = step_of(game, puzzle)
        state = position_of(game, step)
        view = game.view(state, step.seat)
        assert game.dump(state) == puzzle.position
        best, rival = game.decode(puzzle.best), game.decode(puzzle.rival)
        assert isinstance(answer(game, step, game.format(view, best)), Right)
        assert isinstance(answer(game, step, game.format(view, rival)), Wrong)
        assert game.idea(best) != game.idea(rival)
        legal = game.listed(view, step.seat)
        for action in random.sample(list(legal), min(5, len(legal))):
            found = game.encode(action) in step.accepts
            assert found == (game.idea(action) == game.idea(best))


@pytest.mark.parametrize("key", registry.KEYS)
def test_the_kind_of_a_puzzle_is_that_of_its_task_or_first_reason_and_has_a_text(key: str) -> None:
    game, say = registry.get(key), CATALOGUE.speaker("en")
    for puzzle in tried(key):
        view = game.view(game.load(puzzle.position, puzzle.rules), puzzle.seat)
        choice = game.puzzle_choice(view, puzzle.seat)
        assert puzzle.kind == (why(game, puzzle)[0].kind if choice is None else choice.kind)
        for language in CATALOGUE.languages:
            assert 5 <= len(CATALOGUE.say(msg(f"{key}.puzzle.{puzzle.kind}"), language)) <= 40
        scene = game.scene(game.view(position_of(game, step_of(game, puzzle)), puzzle.seat), puzzle.seat)
        assert render.text_board(scene, say, narrow=True)
        assert render.alt_text(scene, say)


def test_no_other_move_of_a_task_serves_an_aim_better() -> None:
    game = registry.get("domination")
    for puzzle in shipped("domination"):
        state = game.load(puzzle.position, puzzle.rules)
        choice = game.puzzle_choice(game.view(state, puzzle.seat), puzzle.seat)
        assert choice is not None
        best = slow_effects.amounts(game, state, puzzle.seat, game.decode(puzzle.best))
        for move in choice.moves:
            found = slow_effects.amounts(game, state, puzzle.seat, move)
            for aim in ("completes", "breaks", "beats", "aims", "threatens", "guards"):
                assert found.get(aim, 0) <= best.get(aim, 0), (puzzle.source, game.encode(move), aim)


@pytest.mark.slow
@pytest.mark.parametrize("key", registry.KEYS)
def test_the_best_move_leads_by_far_when_it_is_judged_again(key: str) -> None:
    game, levels = registry.get(key), Levels(find_oracles(Path("none")))
    some = shipped(key) if SOAK else Random(SEED).sample(shipped(key), JUDGED_AGAIN)
    for puzzle in some:
        view = game.view(game.load(puzzle.position, puzzle.rules), puzzle.seat)
        teams = game.setup(puzzle.seats).teams
        dice = Dice(b"again", puzzle.key, SEED, "")
        lead = lead_in(game, view, puzzle.seat, teams, levels, DEEPER * WORK, dice)
        assert lead is not None, puzzle.source
        assert game.idea(lead.best) == game.idea(game.decode(puzzle.best)), puzzle.source
        assert lead.margin >= puzzle.margin / 2, puzzle.source


@pytest.mark.parametrize("key", registry.KEYS)
def test_a_file_is_read_as_it_was_written_and_a_damaged_line_is_named(key: str) -> None:
    game, puzzles = registry.get(key), shipped(key)[:2]
    origin = PuzzleRun(key, "1", 4000, 7)
    content = write_puzzles(origin, puzzles)
    assert read_puzzles(game, content) == (origin, puzzles)
    lines = content.splitlines()
    damaged = {
        "line 1": ["[]", *lines[1:]],
        "line 2: ": [lines[0], lines[1][:-2], lines[2]],
        "line 3: the puzzle is there twice": [*lines[:2], lines[1]],
        "line 2: best": [lines[0], _changed(puzzles[0], best="")],
        "line 2: difficulty": [lines[0], _changed(puzzles[0], difficulty=9)],
        "line 2: rules": [lines[0], _changed(puzzles[0], rules=99)],
        "line 2: at most": [lines[0], " " * 30_000],
        "line 2: another seat": [lines[0], _changed(puzzles[0], seat=1 - puzzles[0].seat)],
    }
    for reason, altered in damaged.items():
        with pytest.raises(PuzzleFileError, match=reason):
            read_puzzles(game, "\n".join(altered))
    with pytest.raises(PuzzleFileError, match="line 1: is missing"):
        read_puzzles(game, "")


def _changed(puzzle: Puzzle, **parts: object) -> str:
    changed: Puzzle = replace(puzzle, **parts)  # type: ignore[arg-type] # damaged on purpose
    return write_puzzles(PuzzleRun("focus", "1", 1), [changed]).splitlines()[1]
