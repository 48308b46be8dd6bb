"""Laws of secrecy: what a viewer may not know changes nothing in their view, facts, texts or picture.

A game declares secrets in two ways: facts that are for some seats only, and several seats that act at once.
The laws compare matches that differ only in hidden things: other draws of chance, other choices. A viewer who
was told the same in both must see the same in both; and what only one seat was told, and another seat can't
see on the board, must not show in what the other seat is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from games.engine.dice import Sealed
from games.engine.game import CHANCE, AnyGame, Fact, Seat, Step
from games.engine.match import Entry, Kind, Match, advance, begin
from tests.laws.courses import Case, Course, course

FIRST_STEPS, INTERVAL = 16, 24
"""Two matches are compared after each of their first steps, then at this interval."""
WORLDS = 3
"""Number of draws or choices that are compared at a time."""


def viewers(case: Case) -> list[Seat | None]:
    return [None, *(Seat(seat) for seat in range(case.seats))]


def told(facts: tuple[Fact, ...], viewer: Seat | None) -> list[Fact]:
    """Return the facts for a viewer; those for a spectator are the public ones."""
    return [fact for fact in facts if fact.to is None or viewer in fact.to]


def shown(game: AnyGame, state: Any, viewer: Seat | None) -> tuple[Any, ...]:
    """Return everything a game shows a viewer: view, picture, legal actions, texts, answers, evaluation."""
    view = game.view(state, viewer)
    if viewer is None:
        return (view, game.scene(view, None))
    actions = list(game.actions(view, viewer))
    texts = [game.format(view, action) for action in actions]
    answers = [game.parse(view, viewer, text) for text in ("", "1", "card 4", "e4", *texts[:3])]
    return (view, game.scene(view, viewer), actions, texts, answers, game.evaluate(view, viewer))


def worlds(match: Match, seat: Seat) -> list[Step[Any]]:
    """Return possible next steps: different draws if chance is to act, else different choices of the seat."""
    game = match.game
    if seat == CHANCE:
        sealed = (Sealed(bytes([n]), match.id, match.salt) for n in range(WORLDS))
        actions = [game.draw(match.state, each.dice(match.seq + 1)) for each in sealed]
    else:
        legal = list(game.actions(game.view(match.state, seat), seat))
        actions = legal[:: max(1, len(legal) // WORLDS)][:WORLDS]
    return [game.apply(match.state, seat, action) for action in actions]


def moments(played: Course) -> Iterator[tuple[Match, Seat]]:
    live = [stop.match for stop in played.stops if stop.match.to_act]
    for match in live[:: max(1, len(live) // 16)]:
        yield from ((match, seat) for seat in sorted(match.to_act))


def test_who_was_told_the_same_sees_the_same(case: Case) -> None:
    game = case.game
    for match, actor in moments(course(case, "random")):
        for one, other in combinations(worlds(match, actor), 2):
            for viewer in viewers(case):
                if told(one.facts, viewer) == told(other.facts, viewer):
                    assert shown(game, one.state, viewer) == shown(game, other.state, viewer), viewer


def test_what_was_told_to_others_alone_is_not_told_to_all(case: Case) -> None:
    game = case.game
    for match, actor in moments(course(case, "random")):
        for one, other in combinations(worlds(match, actor), 2):
            for viewer in viewers(case):
                secret = [[f for f in step.facts if f.to and viewer not in f.to] for step in (one, other)]
                if secret[0] != secret[1] and game.view(one.state, viewer) == game.view(other.state, viewer):
                    assert told(one.facts, viewer) == told(other.facts, viewer), viewer


def test_simultaneous_choices_are_hidden_until_all_have_chosen(case: Case) -> None:
    game = case.game
    for match, actor in moments(course(case, "random")):
        steps = worlds(match, actor)
        if len(match.to_act) < 2 or game.to_act(steps[0].state) != match.to_act - {actor}:
            continue
        for one, other in combinations(steps, 2):
            for viewer in viewers(case):
                if viewer != actor:
                    assert told(one.facts, viewer) == told(other.facts, viewer)
                    assert shown(game, one.state, viewer) == shown(game, other.state, viewer)


@pytest.mark.slow
def test_two_matches_look_the_same_until_they_are_told_apart(case: Case) -> None:
    """Play the same actions with different dice: a viewer sees a difference only once told of one."""
    game = case.game
    for first, second in ((1, 2), (3, 4), (5, 6)):
        pair = [begin(game, case.setup, Sealed(bytes([n]), "L-AAA", "law")) for n in (first, second)]
        fresh = [Sealed(bytes([n]), "L-AAA", "law") for n in (first, second)]
        matches = [change.match for change in pair]
        same = {v for v in viewers(case) if told(pair[0].facts, v) == told(pair[1].facts, v)}
        steps = 0
        while same and not any(match.ending for match in matches):
            steps += 1
            for viewer in same if steps < FIRST_STEPS or steps % INTERVAL == 0 else ():
                assert shown(game, matches[0].state, viewer) == shown(game, matches[1].state, viewer), viewer
            if matches[0].to_act != matches[1].to_act:
                break
            seat = min(matches[0].to_act)
            heard: list[tuple[Fact, ...]] = []
            for at, match in enumerate(matches):
                entry = _next(match, seat, fresh[at])
                matches[at], facts = advance(match, entry)
                heard.append(facts)
            same = {v for v in same if told(heard[0], v) == told(heard[1], v)}


def _next(match: Match, seat: Seat, sealed: Sealed) -> Entry:
    game = match.game
    if seat == CHANCE:
        action = game.draw(match.state, sealed.dice(match.seq + 1))
        return Entry(match.seq + 1, Kind.CHANCE, None, game.encode(action))
    action = next(game.actions(game.view(match.state, seat), seat))
    return Entry(match.seq + 1, Kind.PLAY, seat, game.encode(action))
