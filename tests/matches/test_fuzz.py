"""Any text, by anyone, at any time: an answer, no exception, and nothing written unless it is a move.

The texts that happen to be moves are played, so that the matches go on under the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from games.engine import registry
from matches.results import Asked, Played, Refused, Tried
from tests.fakes import MemoryStore
from tests.matches.world import ANN, BOB, World
from tests.soak import examples

NOTATION = st.text(alphabet="abcdefgh12345678 -x>+?*`~_|:card", max_size=30)


@dataclass
class Games:
    """A match of every game, each in its first position and again after its end."""

    runner: asyncio.Runner
    world: World
    ids: list[str]


@pytest.fixture(scope="module")
def games() -> Iterator[Games]:
    """One world for all examples: texts that are moves are played, and the match goes on."""
    with asyncio.Runner() as runner:
        world = World(MemoryStore())
        ids = []
        for game in registry.all_games():
            for over in (False, True):
                seats = game.seats[0]
                begun = runner.run(world.match(ANN, BOB, game=game.key, seats=seats))
                if over:
                    runner.run(world.play.resign(begun.row.id, ANN.id, request=world.new))
                ids.append(begun.row.id)
        yield Games(runner, world, ids)


@pytest.mark.slow
@settings(
    max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    text=st.one_of(NOTATION, st.text(max_size=4000)),
    which=st.integers(0, 99),
    who=st.integers(1, 3),
    attempt=st.booleans(),
)
@example(text="a1" * 2000, which=0, who=1, attempt=False)
@example(text="@everyone <@1> [x](http://x)", which=1, who=2, attempt=True)
@example(text="\ud800", which=0, who=1, attempt=False)
@example(text="e" + "4-e" * 39, which=0, who=2, attempt=False)
def test_any_text_is_answered(games: Games, text: str, which: int, who: int, attempt: bool) -> None:
    id_, world = games.ids[which % len(games.ids)], games.world
    before = games.runner.run(world.queries.row(id_))
    answer = games.runner.run(world.play.submit(id_, who, text, request=world.new, attempt=attempt))
    assert isinstance(answer, Played | Asked | Tried | Refused)
    if not isinstance(answer, Played):
        assert games.runner.run(world.queries.row(id_)) == before
    if who == 3:
        assert isinstance(answer, Refused)
        assert answer.chat
    games.runner.run(world.queries.find(text))
    games.runner.run(world.queries.legal(id_, who, text))
