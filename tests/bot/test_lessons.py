"""Lessons on the simulated Discord: every step by presses, wrong answers, restarts, two devices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.actions.lessons import place_of
from bot.messages.components import Call
from bot.messages.lessons import (
    LessonPlace,
    answer_lines,
    offered_moves,
    solved_steps,
    taught_games,
    whole_lessons,
)
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.lessons import answer, position_of, solutions
from locales import Catalogue
from matches.store.lessons import LessonProgress
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, menu_with, shown
from tests.fakes import START
from tests.soak import sampled

pytestmark = pytest.mark.slow


def solution(key: str, at: int) -> str:
    """Return a right answer as people type it."""
    game = registry.get(key)
    step = game.lessons[at]
    return game.format(game.view(position_of(game, step), step.seat), next(solutions(game, step)))


async def opened(stage: Stage, key: str | None = None, channel: Any = None) -> discord.Message:
    options = {} if key is None else {"game": key}
    return shown(await stage.ann.slash(channel or stage.channel, "learn lesson", **options))


async def chosen(stage: Stage, message: discord.Message, move: str) -> discord.Message:
    return shown(await stage.ann.select(message, [move], custom_id=menu_with(message, move)))


async def typed(stage: Stage, message: discord.Message, text: str) -> discord.Message:
    form = await stage.ann.click(message, label="Type a move")
    return shown(await stage.ann.submit_modal(form, {"move": text}))


@pytest.mark.parametrize("key", sampled(registry.KEYS, ["dominance", "domination"]))
async def test_all_steps_of_a_game_are_solved_by_presses(stage: Stage, key: str) -> None:
    message = await opened(stage, key)
    count = len(registry.get(key).lessons)
    for at in range(count):
        assert message.flags.ephemeral
        assert f"step {at + 1} of {count}" in message.content
        assert len(message.attachments) == 1
        message = await chosen(stage, message, solution(key, at))
        assert "**Right.**" in message.content
        if at + 1 < count:
            message = shown(await stage.ann.click(message, label="Next"))
    assert labels(message) >= {"Against the computer", "All lessons"}
    listed = shown(await stage.ann.click(message, label="All lessons"))
    assert f"all {count} steps done" in listed.content


async def test_wrong_and_illegal_answers_are_explained_and_change_nothing(stage: Stage) -> None:
    message = await opened(stage, "focus")
    for text, says in (
        ("d4-d7", "d4 has only 1"),
        ("hello there", "That isn't a move"),
        ("", "d4-d5"),
    ):
        message = await typed(stage, message, text or " ")
        assert says in message.content, text
        assert "step 1 of 11" in message.content
    for at in range(4):
        message = shown(await stage.ann.click(message, label="Skip"))
        assert f"step {at + 2} of 11" in message.content
    message = await typed(stage, message, "b3-b4")
    assert "`b3-b4` is a legal move" in message.content
    assert "A right answer would do this: It covers" in message.content
    assert await stage.bot.context.store.lessons_of(stage.ann.id) == ()


async def test_a_lesson_goes_on_where_it_stopped_after_a_restart(stage: Stage) -> None:
    message = await opened(stage, "dominance")
    message = await typed(stage, message, "a1")
    await stage.restart()
    message = shown(await stage.ann.click(message, label="Next"))
    assert "step 2 of 10" in message.content
    await stage.ann.click(message, label="Back")
    assert "step 2 of 10" in (await opened(stage, "dominance")).content
    theirs = shown(await stage.ben.slash(stage.channel, "learn lesson", game="dominance"))
    assert "step 1 of 10" in theirs.content


async def test_two_devices_at_once_never_lose_progress(stage: Stage) -> None:
    one, two = await opened(stage, "two_domains"), await opened(stage, "two_domains")
    for at in range(3):
        one = shown(
            await stage.ann.click(await chosen(stage, one, solution("two_domains", at)), label="Next")
        )
    await chosen(stage, two, solution("two_domains", 0))
    (progress,) = await stage.bot.context.store.lessons_of(stage.ann.id)
    assert (progress.step, progress.nth) == ("army", 2)


async def test_a_lesson_whose_game_has_later_rules_goes_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.get("dominance")
    message = await typed(stage, await opened(stage, game.key), "a1")
    monkeypatch.setattr(type(game), "rules", game.rules + 1)
    whole_lessons.cache_clear()
    await stage.restart()
    message = shown(await stage.ann.click(message, label="Next"))
    assert "step 2 of 10" in message.content
    message = await chosen(stage, message, solution(game.key, 1))
    assert "**Right.**" in message.content
    assert "step 3 of 10" in (await opened(stage, game.key)).content
    whole_lessons.cache_clear()


async def test_a_flood_of_presses_is_answered_and_counts_once(stage: Stage) -> None:
    devices = [await opened(stage, "focus") for _ in range(5)]
    for _ in range(3):
        devices = [await chosen(stage, each, solution("focus", 0)) for each in devices]
        assert all("**Right.**" in each.content for each in devices)
        devices = [shown(await stage.ann.click(each, label="Again")) for each in devices]
        assert all("step 1 of 11" in each.content for each in devices)
    (progress,) = await stage.bot.context.store.lessons_of(stage.ann.id)
    assert (progress.step, progress.nth) == ("move", 0)
    assert "step 2 of 11" in (await opened(stage, "focus")).content


async def test_a_reader_of_text_boards_has_no_picture(stage: Stage) -> None:
    await stage.ann.slash(stage.channel, "settings me", board="text")
    message = await opened(stage, "dominion")
    assert "```" in message.content
    assert not message.attachments
    right = await chosen(stage, message, solution("dominion", 0))
    assert "```" in right.content
    assert "**Right.**" in right.content


async def test_the_front_page_leads_to_the_lessons(stage: Stage) -> None:
    page = shown(await stage.ann.slash(stage.channel, "games"))
    listed = shown(await stage.ann.click(page, label="Learn"))
    assert "**Focus**: 11 steps" in listed.content
    step = shown(await stage.ann.select(listed, ["focus"], custom_id=menu_with(listed, "focus")))
    assert "step 1 of 11" in step.content


@pytest.mark.parametrize(
    ("arg", "at"),
    [("chess.0", ("focus", 0)), ("focus.9999", ("focus", 10)), ("domination.2", ("domination", 2))],
)
def test_a_step_that_is_gone_is_replaced_by_one_that_exists(arg: str, at: tuple[str, int]) -> None:
    place = place_of(Call("learn_step", "-", 0, arg))
    assert (place.game.key, place.at) == at


@pytest.mark.parametrize("key", registry.KEYS)
def test_menus_have_a_right_answer_and_messages_fit(key: str) -> None:
    reader, game = Reader(Catalogue(strict=True)), registry.get(key)
    for at, step in enumerate(game.lessons):
        place = LessonPlace(game, at)
        moves = offered_moves(place)
        assert 0 < len(moves) <= 25
        view = game.view(position_of(game, step), step.seat)
        right = {game.format(view, each) for each in solutions(game, step)}
        assert right & set(moves)
        for move in moves:
            if move not in right:
                lines = answer_lines(reader, place, answer(game, step, move))
                assert len("\n".join(lines)) < MAX_CONTENT // 3


def test_progress_in_a_step_that_is_gone_counts_by_its_number() -> None:
    game = registry.get("focus")
    assert solved_steps(game, None) == 0
    assert solved_steps(game, LessonProgress(1, "focus", "split", 7, START)) == 3
    assert solved_steps(game, LessonProgress(1, "focus", "of old", 4, START)) == 5
    assert solved_steps(game, LessonProgress(1, "focus", "of old", 99, START)) == 11


def test_damaged_lessons_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    focus = registry.get("focus")
    monkeypatch.setattr(type(focus), "lessons", (replace(focus.lessons[0], position={}),))
    whole_lessons.cache_clear()
    assert "focus" not in {game.key for game in taught_games()}
    whole_lessons.cache_clear()
