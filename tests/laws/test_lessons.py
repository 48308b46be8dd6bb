"""Laws of lessons: each step can be solved, explains wrong answers truthfully, and has texts and a board."""

from __future__ import annotations

from random import Random

import pytest

import render
from games.engine import registry
from games.engine.lessons import Right, Wrong, answer, position_of, solutions
from games.engine.message import Msg, msg
from games.engine.teaching import MAX_TEXT
from locales import Catalogue
from tests.soak import SEED, examples

CATALOGUE = Catalogue(strict=True)


@pytest.mark.parametrize("key", registry.KEYS)
def test_a_game_is_taught_in_six_to_twelve_steps_to_its_end(key: str) -> None:
    game = registry.get(key)
    keys = [step.key for step in game.lessons]
    assert 6 <= len(keys) <= 12
    assert len(set(keys)) == len(keys)
    last = game.lessons[-1]
    view = game.view(position_of(game, last), last.seat)
    kinds = [{each.kind for each in game.effects(view, last.seat, best)} for best in solutions(game, last)]
    assert all(found & {"wins", "beats"} for found in kinds)


@pytest.mark.parametrize("key", registry.KEYS)
def test_each_answer_is_legal_and_each_listed_one_is_an_answer(key: str) -> None:
    game = registry.get(key)
    for step in game.lessons:
        state = position_of(game, step)
        assert game.to_act(state) == {step.seat}, step.key
        view = game.view(state, step.seat)
        found = list(solutions(game, step))
        legal = game.listed(view, step.seat)
        first = step is game.lessons[0]
        assert 0 < len(found) < len(legal) + first, (
            f"a task, and a way to fail but in the first step: {step.key}"
        )
        assert set(step.accepts) <= {game.encode(each) for each in found}, step.key
        for action in found:
            assert game.refuse(state, step.seat, action) is None, step.key
            answered = answer(game, step, game.format(view, action))
            assert isinstance(answered, Right), step.key
            assert answered.state == game.apply(state, step.seat, action).state


@pytest.mark.parametrize("key", registry.KEYS)
def test_a_wrong_answer_is_explained_and_nothing_else_counts(key: str) -> None:
    game, random = registry.get(key), Random(SEED)
    for step in game.lessons:
        view = game.view(position_of(game, step), step.seat)
        right = {game.encode(each) for each in solutions(game, step)}
        wrong = [each for each in game.listed(view, step.seat) if game.encode(each) not in right]
        for action in random.sample(wrong, min(len(wrong), examples(20))):
            text = game.format(view, action)
            answered = answer(game, step, text)
            if isinstance(answered, Right):  # a text may stand for several actions, or for an equal one
                assert game.parse(view, step.seat, text) != action, step.key
                continue
            assert isinstance(answered, Wrong | Msg), (step.key, text)
            if isinstance(answered, Wrong):
                for each in answered.reasons:
                    assert CATALOGUE.say(each.sentence, "en", str)
        for text in ("", "nonsense", "🙂", "a1-z9", "x" * 400):
            assert isinstance(answer(game, step, text), Msg), (step.key, text)


@pytest.mark.parametrize("key", registry.KEYS)
def test_a_step_has_short_texts_a_picture_and_a_board_in_words(key: str) -> None:
    game = registry.get(key)
    for step in game.lessons:
        for language in CATALOGUE.languages:
            for name in (f"{key}.lesson.{step.key}", f"{key}.lesson.{step.key}.right"):
                said = CATALOGUE.say(msg(name), language)
                assert 20 <= len(said) <= MAX_TEXT, name
        scene = game.scene(game.view(position_of(game, step), step.seat), step.seat)
        say = CATALOGUE.speaker("en")
        assert render.text_board(scene, say, narrow=True), step.key
        assert render.alt_text(scene, say)
        for action in list(solutions(game, step))[:1]:
            after = game.apply(position_of(game, step), step.seat, action).state
            assert render.alt_text(game.scene(game.view(after, step.seat), step.seat), say)


def test_the_setups_of_steps_are_those_of_their_games() -> None:
    for key in registry.KEYS:
        game = registry.get(key)
        for step in game.lessons:
            assert game.fits(position_of(game, step), game.setup(step.seats))
