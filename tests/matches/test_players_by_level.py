"""Levels of computer players: which there are, what becomes of one that is gone, who knows exact values."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from games.ai.players import CarefulPlayer, FalliblePlayer, PerfectPlayer, RandomPlayer, SearchingPlayer
from games.ai.players_by_level import Levels, probability
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import Oracle, Seat
from games.engine.levels import LEVELS
from games.engine.match import Kind
from games.two_domains.evaluation import Estimate
from tests.matches.world import ANN, BOB, World, catalogue, opened, played, refused
from tests.toy.extras import MAGIC, FakeOracle


def opinion(*percents: int) -> Oracle:
    """What each of the six cards is worth."""
    return FakeOracle(memoryview(MAGIC + bytes(percents)))


RISING = opinion(10, 20, 30, 40, 50, 60)


def knowing(world: World, oracle: Oracle | None) -> None:
    """The program starts again, with a table or without."""
    world.settings = {"levels": Levels({} if oracle is None else {"toy": oracle})}
    world.restart()


async def against(world: World, level: str) -> str:
    """A match of Ann and a computer of that level; its id."""
    row = await world.open_lobby(ANN, seats=2)
    opened(await world.lobbies.add_computer(row.id, 1, request=world.new, level=level))
    return played(await world.lobbies.start(row.id, 1, request=world.new)).row.id


def test_what_a_game_has_to_offer() -> None:
    levels = Levels({"toy": RISING})
    assert levels.names("toy") == ("random", "perfect")
    assert levels.names("focus") == LEVELS
    assert isinstance(levels.player("toy", "perfect"), PerfectPlayer)
    assert isinstance(levels.player("toy", "random"), RandomPlayer)
    assert isinstance(levels.player("toy", "grand"), PerfectPlayer), "the strongest there is"
    assert levels.player("focus", "perfect") == SearchingPlayer(registry.get("focus").levels()["expert"])
    assert levels.oracle("toy") is RISING
    assert levels.oracle("focus") is None
    assert levels.solved == {"toy"}
    assert Levels().solved == frozenset()
    for name in (*levels.names("toy"), *LEVELS, "careful", "perfect"):
        assert {f"ai.level.{name}", f"ai.player.{name}"} <= catalogue().keys()


@pytest.mark.parametrize("game", ["focus", "dominance", "dominion"])
def test_levels_of_before_are_played_but_not_offered(game: str) -> None:
    levels = Levels()
    assert isinstance(levels.player(game, "random"), RandomPlayer)
    assert isinstance(levels.player(game, "careful"), CarefulPlayer)
    assert levels.names(game) == LEVELS
    assert all(levels.has(game, name) for name in ("random", "careful", *LEVELS))
    assert not levels.has(game, "perfect")


def test_levels_that_a_game_never_had_are_unknown() -> None:
    levels = Levels()
    assert not levels.has("domination", "careful"), "its own computers were there from the beginning"
    assert not levels.has("domination", "greedy"), "an opponent to measure against isn't a level"
    assert [levels.has("toy", name) for name in ("random", "careful", "expert")] == [True, False, False]


def test_games_with_an_estimate_have_levels_that_misjudge() -> None:
    known = Estimate()
    with_table, without = Levels({"two_domains": known}), Levels()
    assert without.names("two_domains") == LEVELS
    assert with_table.names("two_domains") == (*LEVELS[:4], "perfect")
    for levels in (with_table, without):
        assert all(isinstance(levels.player("two_domains", name), FalliblePlayer) for name in LEVELS[:4])
        assert isinstance(levels.player("two_domains", "expert"), PerfectPlayer)
        assert isinstance(levels.player("two_domains", "perfect"), PerfectPlayer)
        assert isinstance(levels.player("two_domains", "random"), RandomPlayer)
        assert isinstance(levels.player("two_domains", "careful"), CarefulPlayer)
        old = ("random", "careful", "expert")
        assert [levels.has("two_domains", name) for name in old] == [True, True, True]
    assert with_table.has("two_domains", "perfect")
    assert not without.has("two_domains", "perfect")
    assert with_table.player("two_domains", "expert") is with_table.player("two_domains", "perfect")


@pytest.mark.parametrize("game", ["focus", "dominion"])
async def test_a_match_goes_on_with_a_level_that_is_no_longer_offered(
    world: World, caplog: pytest.LogCaptureFixture, game: str
) -> None:
    row = await world.open_lobby(ANN, game=game, seats=2)
    opened(await world.lobbies.add_computer(row.id, 1, request=world.new, level="careful"))
    id_ = played(await world.lobbies.start(row.id, 1, request=world.new)).row.id
    with caplog.at_level(logging.WARNING):
        moved = [*await world.computers.run(id_)]
        played(await world.play.submit(id_, 1, (await world.queries.legal(id_, 1))[0], request="a"))
        assert [*moved, *await world.computers.run(id_)]
    assert not caplog.records
    other = await world.open_lobby(BOB, game="focus", seats=2)
    why = await world.lobbies.add_computer(other.id, BOB.id, request="b", level="perfect")
    assert refused(why) == "lobby.refuse.level"


async def test_a_perfect_computer_takes_what_is_worth_most(world: World) -> None:
    knowing(world, RISING)
    id_ = await against(world, "perfect")
    moved = await world.computers.run(id_)
    state = moved[-1].match.state
    assert state.down[1] == max((*state.hands[1], state.down[1]))
    await world.check(id_)


async def test_a_level_is_there_only_with_its_table(world: World) -> None:
    row = await world.open_lobby(ANN, seats=2)
    answer = await world.lobbies.add_computer(row.id, 1, request="a", level="perfect")
    assert refused(answer) == "lobby.refuse.level"
    knowing(world, RISING)
    seated = opened(await world.lobbies.add_computer(row.id, 1, request="b", level="perfect"))
    assert seated.row.seats[1].level == "perfect"


async def test_a_seat_whose_level_is_gone_is_played_on_and_told_of_once(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    knowing(world, RISING)
    ids = [await against(world, "perfect") for _ in range(2)]
    knowing(world, None)
    with caplog.at_level(logging.WARNING):
        for id_ in ids:
            assert len(await world.computers.run(id_)) == 1
            played(await world.play.offer_draw(id_, 1, request=f"draw {id_}"))
            assert len(await world.computers.run(id_)) == 1
    assert [record.getMessage() for record in caplog.records] == [
        "toy no longer has the computer player 'perfect': 'random' plays instead"
    ]


@pytest.mark.parametrize(("percent", "kind"), [(51, Kind.DECLINE), (50, Kind.OFFER), (10, Kind.OFFER)])
async def test_a_perfect_computer_answers_a_draw_by_what_its_seat_is_worth(
    world: World, percent: int, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    worth = 1.0 if kind is Kind.OFFER else -1.0
    monkeypatch.setattr(type(registry.get("toy")), "evaluate", lambda *_: worth)
    knowing(world, opinion(*[percent] * 6))
    id_ = await against(world, "perfect")
    played(await world.play.offer_draw(id_, 1, request="a"))
    answer = (await world.computers.run(id_))[0]
    assert answer.match.log[answer.first].kind is kind


async def test_other_computers_and_unknown_positions_go_by_the_games_judgement(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registry.get("toy")), "evaluate", lambda *_: 0.5)
    knowing(world, opinion(*[10] * 6))
    id_ = await against(world, "random")
    played(await world.play.offer_draw(id_, 1, request="a"))
    answer = (await world.computers.run(id_))[0]
    assert answer.match.log[answer.first].kind is Kind.DECLINE
    row = await world.open_lobby(ANN, BOB, seats=3)
    opened(await world.lobbies.add_computer(row.id, 1, request="b", level="perfect"))
    three = played(await world.lobbies.start(row.id, 1, request="c")).row.id
    played(await world.play.offer_draw(three, 1, request="d"))
    answer = (await world.computers.run(three))[0]
    assert answer.match.log[answer.first].kind is Kind.DECLINE, "three walkers are not in the table"


def test_the_probability_of_a_seat_that_waits_is_what_the_mover_leaves() -> None:
    game = registry.get("toy")
    state = game.start(game.setup(2)).state
    state = game.apply(state, Seat(-1), game.draw(state, Dice(b"s", "m", 0, ""))).state

    class Half:
        """Knows one seat's chances."""

        def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...] | None:
            return ((None, 0.25), (None, 0.75)) if seat == 0 else None

    view = game.view(state, Seat(0))
    assert probability(Half(), view, Seat(0), frozenset({Seat(0)})) == 0.75
    assert probability(Half(), view, Seat(1), frozenset({Seat(0)})) == 0.25
    assert probability(Half(), view, Seat(0), frozenset({Seat(1)})) is None
