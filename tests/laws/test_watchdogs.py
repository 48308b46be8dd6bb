"""The laws of secrecy can fail: a toy game that leaks is caught, whatever way it leaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from games.engine.game import Seat, Step
from tests.laws import test_secrets as laws
from tests.laws.courses import Case
from tests.toy import rules
from tests.toy.game import Toy

CASE = Case("toy", 3, (("pairs", False), ("rounds", 2)))
LAWS: tuple[Callable[[Case], None], ...] = (
    laws.test_who_was_told_the_same_sees_the_same,
    laws.test_what_was_told_to_others_alone_is_not_told_to_all,
    laws.test_simultaneous_choices_are_hidden_until_all_have_chosen,
    laws.test_two_matches_look_the_same_until_they_are_told_apart,
)


def _all_cards(game: Toy, state: rules.State, viewer: Seat | None) -> rules.View:
    return replace(rules.view(state, viewer), hand=tuple(card for hand in state.hands for card in hand))


def _lying_cards(game: Toy, state: rules.State, viewer: Seat | None) -> rules.View:
    return replace(rules.view(state, viewer), shown=state.down)


def _told_to_all(game: Toy, state: rules.State, seat: Seat, action: rules.Action) -> Step[rules.State]:
    step = rules.apply(state, seat, action)
    return Step(step.state, tuple(replace(fact, to=None) for fact in step.facts))


@pytest.mark.parametrize(
    ("method", "leak", "caught"),
    [
        ("view", _all_cards, {0, 3}),
        ("view", _lying_cards, {0, 2, 3}),
        ("apply", _told_to_all, {2}),
    ],
)
def test_a_leak_is_caught(
    monkeypatch: pytest.MonkeyPatch, method: str, leak: Callable[..., object], caught: set[int]
) -> None:
    for law in LAWS:
        law(CASE)
    monkeypatch.setattr(Toy, method, leak)
    for number in caught:
        with pytest.raises(AssertionError):
            LAWS[number](CASE)


def test_a_private_fact_told_to_all_beside_it_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def both(game: Toy, state: rules.State, seat: Seat, action: rules.Action) -> Step[rules.State]:
        step = rules.apply(state, seat, action)
        return Step(step.state, (*step.facts, *(replace(fact, to=None) for fact in step.facts if fact.to)))

    monkeypatch.setattr(Toy, "apply", both)
    with pytest.raises(AssertionError):
        laws.test_what_was_told_to_others_alone_is_not_told_to_all(CASE)
