"""Puzzles on the simulated Discord: solved, missed, given up, never twice, streaks, restarts, two devices."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.messages.puzzles import streak
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.puzzle_files import puzzle_file, shipped_puzzles
from games.engine import registry
from games.engine.lessons import position_of
from games.engine.puzzles import (
    HARDEST,
    Puzzle,
    PuzzleFileError,
    expected_share,
    played_difficulty,
    step_of,
)
from matches.store.lessons import PuzzleResult
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, menu_with, shown
from tests.fakes import START

pytestmark = pytest.mark.slow
GAME = registry.get("two_domains")


def in_order() -> list[Puzzle]:
    return list(shipped_puzzles(GAME.key).values())


def spelled(puzzle: Puzzle, move: str, key: str = GAME.key) -> str:
    """A move of a puzzle as people type it."""
    game = registry.get(key)
    view = game.view(position_of(game, step_of(game, puzzle)), puzzle.seat)
    return game.format(view, game.decode(move))


async def opened(stage: Stage, key: str | None = GAME.key) -> discord.Message:
    options = {} if key is None else {"game": key}
    return shown(await stage.ann.slash(stage.channel, "learn puzzle", **options))


async def chosen(stage: Stage, message: discord.Message, move: str) -> discord.Message:
    return shown(await stage.ann.select(message, [move], custom_id=menu_with(message, move)))


async def typed(stage: Stage, message: discord.Message, text: str) -> discord.Message:
    form = await stage.ann.click(message, label="Type a move")
    return shown(await stage.ann.submit_modal(form, {"move": text}))


def asks(message: discord.Message) -> bool:
    """Whether a message sets a puzzle: the best move of all, or the best one for a task."""
    return any(
        each in message.content
        for each in ("One move is clearly best", "by far the likeliest", "Where are they best")
    )


async def results(stage: Stage) -> list[tuple[str, bool]]:
    found = await stage.bot.context.store.puzzles_of(stage.ann.id)
    return [(each.puzzle, each.solved) for each in found]


@pytest.mark.parametrize("key", registry.KEYS)
async def test_a_puzzle_of_each_game_is_solved_in_private(stage: Stage, key: str) -> None:
    puzzle = next(iter(shipped_puzzles(key).values()))
    message = await opened(stage, key)
    assert message.flags.ephemeral
    assert asks(message)
    assert "★" in message.content
    assert len(message.attachments) == 1
    message = await chosen(stage, message, spelled(puzzle, puzzle.best, key))
    assert "**Right.**" in message.content
    assert spelled(puzzle, puzzle.rival, key) in message.content
    assert len(message.content) < MAX_CONTENT
    assert await results(stage) == [(puzzle.key, True)]
    assert asks(shown(await stage.ann.click(message, label="Next puzzle")))


async def test_a_wrong_answer_to_a_task_has_its_chance_and_no_other_reason(stage: Stage) -> None:
    puzzle = next(iter(shipped_puzzles("domination").values()))
    game = registry.get("domination")
    view = game.view(game.load(puzzle.position, puzzle.rules), puzzle.seat)
    choice = game.puzzle_choice(view, puzzle.seat)
    assert choice is not None
    worst = min(choice.moves, key=choice.chance)
    n, m = (max(1, round(100 * choice.chance(each))) for each in (game.decode(puzzle.best), worst))
    message = await chosen(stage, await opened(stage, "domination"), game.format(view, worst))
    told = [line for line in message.content.splitlines() if line.startswith("> ")]
    assert told[1:] == [f"> It would succeed with a chance of {m} %, the best move with {n} %."]
    other = next(
        each
        for each in game.actions(view, puzzle.seat)
        if game.idea(each) == game.idea(worst) and each not in choice.moves
    )
    message = await typed(stage, message, game.format(view, other))
    assert "would succeed" not in message.content, "with other numbers it has another chance"


async def test_the_first_answer_counts_and_nonsense_is_none(stage: Stage) -> None:
    first, second, *_ = in_order()
    message = await opened(stage)
    for text in ("nonsense", "grow 9"):
        message = await typed(stage, message, text)
        assert "> " in message.content
    assert await results(stage) == []
    message = await typed(stage, message, spelled(first, first.rival))
    assert "is a legal move" in message.content
    assert await results(stage) == [(first.key, False)]
    message = await typed(stage, message, spelled(first, first.best))
    assert "**Right.**" in message.content
    assert await results(stage) == [(first.key, False)]
    message = shown(await stage.ann.click(message, label="Next puzzle"))
    message = shown(await stage.ann.click(message, label="Show the answer"))
    assert f"The best move is `{spelled(second, second.best)}`" in message.content
    assert await results(stage) == [(first.key, False), (second.key, False)]


async def test_no_puzzle_comes_twice_and_streaks_are_told(stage: Stage) -> None:
    for at, puzzle in enumerate(in_order()[:3], 1):
        message = await chosen(stage, await opened(stage), spelled(puzzle, puzzle.best))
        assert (f"{at} in a row" in message.content) == (at > 1)
    assert len({key for key, _ in await results(stage)}) == 3
    for puzzle in in_order()[3:]:
        result = PuzzleResult(stage.ann.id, GAME.key, puzzle.key, True, START)
        await stage.bot.context.store.note_puzzle(result)
    message = await opened(stage)
    assert "You have tried all puzzles of Two Domains." in message.content
    listed = shown(await stage.ann.click(message, label="All puzzles"))
    count = len(in_order())
    assert f"**Two Domains**: {count} of {count} puzzles tried, {count} solved at once" in listed.content
    theirs = shown(await stage.ben.slash(stage.channel, "learn puzzle", game=GAME.key))
    assert "One move is clearly best" in theirs.content


async def test_a_puzzle_goes_on_after_a_restart_and_on_two_devices(stage: Stage) -> None:
    first = in_order()[0]
    one, two = await opened(stage), await opened(stage)
    await stage.restart()
    one = await chosen(stage, one, spelled(first, first.best))
    assert "**Right.**" in one.content
    await typed(stage, two, spelled(first, first.rival))
    assert await results(stage) == [(first.key, True)]


async def test_a_flood_of_answers_counts_once(stage: Stage) -> None:
    first, devices = in_order()[0], [await opened(stage) for _ in range(6)]
    for device, move in zip(devices, (first.rival, first.best) * 3, strict=True):
        message = await chosen(stage, device, spelled(first, move))
        assert ("**Right.**" in message.content) == (move == first.best)
    assert await results(stage) == [(first.key, False)]
    count = await stage.bot.context.store.puzzle_count(GAME.key, first.key)
    assert (count.tries, count.solves) == (1, 0)


async def test_the_lessons_lead_to_the_puzzles_and_back(stage: Stage) -> None:
    page = shown(await stage.ann.slash(stage.channel, "games"))
    lessons = shown(await stage.ann.click(page, label="Learn"))
    listed = shown(await stage.ann.click(lessons, label="Puzzles"))
    assert f"**Two Domains**: {len(in_order())} puzzles" in listed.content
    message = shown(await stage.ann.select(listed, [GAME.key], custom_id=menu_with(listed, GAME.key)))
    assert labels(message) >= {"Type a move", "Show the answer", "All puzzles"}
    listed = shown(await stage.ann.click(message, label="All puzzles"))
    again = shown(await stage.ann.click(listed, label="All lessons"))
    assert "Learn to play" in again.content


async def test_a_reader_of_text_boards_has_no_picture(stage: Stage) -> None:
    await stage.ann.slash(stage.channel, "settings me", board="text")
    message = await opened(stage)
    assert "```" in message.content
    assert not message.attachments


async def test_a_puzzle_that_is_gone_leads_to_the_list(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    message = await opened(stage)
    kept = {each.key: each for each in in_order()[1:]}
    monkeypatch.setattr("bot.messages.puzzles.shipped_puzzles", lambda key: kept)
    gone = shown(await stage.ann.click(message, label="Show the answer"))
    assert "**Two Domains**" in gone.content
    assert await results(stage) == []


async def test_a_damaged_file_is_left_out(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "puzzles.jsonl").write_text("{}\n")
    shipped_puzzles.cache_clear()
    with monkeypatch.context() as broken:
        broken.setattr("bot.platform.puzzle_files.files", lambda package: tmp_path)
        with pytest.raises(PuzzleFileError, match="line 1"):
            puzzle_file(GAME)
        assert "There are none here yet." in (await opened(stage, None)).content
        assert "You have tried all puzzles" in (await opened(stage)).content
    shipped_puzzles.cache_clear()


async def test_how_people_fare_changes_order_and_stars(stage: Stage) -> None:
    first, second, *_ = in_order()
    assert f"{'★' * first.difficulty}\n" in (await opened(stage)).content
    store = stage.bot.context.store
    for user in range(100, 130):
        await store.note_puzzle(PuzzleResult(user, GAME.key, first.key, user < 103, START))
    message = await opened(stage)
    assert step_of(GAME, second).position != step_of(GAME, first).position
    message = await typed(stage, message, spelled(second, second.best))
    assert "**Right.**" in message.content, "what most people miss comes later"
    for puzzle in in_order()[2:]:
        await store.note_puzzle(PuzzleResult(stage.ann.id, GAME.key, puzzle.key, True, START))
    message = await opened(stage)
    assert "★★★★\n" in message.content
    message = await typed(stage, message, spelled(first, first.best))
    assert "31 people have answered it; 13 % were right at once." in message.content


def test_a_few_people_say_little_about_a_puzzle() -> None:
    assert [played_difficulty(each, 0, 0) for each in range(1, HARDEST + 1)] == [1, 2, 3, 4, 5]
    assert played_difficulty(1, 1, 0) == 1
    assert played_difficulty(1, 30, 3) == 4
    assert played_difficulty(5, 200, 190) == 1
    shares = [expected_share(3, 20, solves) for solves in range(21)]
    assert shares == sorted(shares)


def test_a_streak_ends_with_a_miss() -> None:
    def row(*solved: bool) -> list[PuzzleResult]:
        return [PuzzleResult(1, "focus", str(n), each, START) for n, each in enumerate(solved)]

    assert streak(row()) == 0
    assert streak(row(True, True)) == 2
    assert streak(row(True, False)) == 0
    assert streak(row(False, True, False, True, True)) == 2
