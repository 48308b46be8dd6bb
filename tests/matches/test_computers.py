"""Computer players: they move when it is their turn, see a view, and answer offers."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from games.ai.players import RandomPlayer
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat
from games.engine.match import Kind
from matches.play import computers as room
from matches.results import Played
from tests.matches.world import ANN, BOB, CYD, World, opened, played
from tests.patience import PATIENCE
from tests.toy.game import Toy


async def against(world: World, *people: Any, machines: int = 1, game: str = "toy") -> str:
    """A match of these people and computers; its id."""
    row = await world.open_lobby(*people, game=game, seats=len(people) + machines)
    for _ in range(machines):
        opened(await world.lobbies.add_computer(row.id, people[0].id, request=world.new))
    return played(await world.lobbies.start(row.id, people[0].id, request=world.new)).row.id


async def test_computers_move_when_it_is_their_turn(world: World) -> None:
    id_ = await against(world, ANN, machines=2)
    moved = await world.computers.run(id_)
    assert [(done.first, done.last) for done in moved] == [(2, 3)], (
        "they decide at once, and are told at once"
    )
    assert {done.match.to_act for done in moved[-1:]} == {frozenset({0})}
    assert await world.computers.run(id_) == ()
    log = await world.queries.log(id_)
    assert [(one.entry.kind, one.user) for one in log[2:]] == [(Kind.PLAY, None)] * 2
    assert await world.store.request(f"ai:{id_}:2") is not None


async def test_a_match_with_a_computer_is_played_to_its_end(world: World) -> None:
    id_ = await against(world, ANN, game="focus")
    for _ in range(20):
        await world.computers.run(id_)
        if not (moves := await world.queries.legal(id_, 1)):
            break
        played(await world.play.submit(id_, 1, moves[0], request=world.new))
    await world.check(id_)
    assert len(await world.queries.log(id_)) > 20


async def test_nobody_moves_twice_if_two_run_them(world: World) -> None:
    id_ = await against(world, ANN, machines=2)
    at_once = [await world.computers.run(id_) for _ in range(2)]
    assert [len(moved) for moved in at_once] == [1, 0]


async def test_where_no_computer_sits_nothing_runs(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    lobby = (await world.open_lobby(ANN)).id
    for match in (id_, lobby, "W-ZZZ"):
        assert await world.computers.run(match) == ()


@pytest.mark.parametrize(("worth", "kind"), [(0.5, Kind.DECLINE), (0.0, Kind.OFFER), (-0.5, Kind.OFFER)])
async def test_a_computer_draws_where_it_does_not_stand_better(
    world: World, worth: float, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registry.get("toy")), "evaluate", lambda *_: worth)
    id_ = await against(world, ANN)
    played(await world.play.offer_draw(id_, 1, request="a"))
    answer = (await world.computers.run(id_))[0]
    assert answer.match.log[answer.first].kind is kind
    assert (answer.row.status == "over") == (kind is Kind.OFFER)


async def test_computers_left_alone_agree_to_a_draw(world: World) -> None:
    id_ = await against(world, ANN, machines=2)
    played(await world.play.resign(id_, 1, request="a"))
    end = (await world.computers.run(id_))[-1]
    assert end.row.result == {"how": "draw", "ranks": [3, 1, 1]}
    await world.check(id_)


async def test_a_draw_waits_for_the_people(world: World) -> None:
    id_ = await against(world, ANN, BOB)
    played(await world.play.offer_draw(id_, 1, request="a"))
    moved = await world.computers.run(id_)
    assert moved[0].match.talk.offers == {0, 2}
    assert moved[-1].row.status == "live"


async def test_what_a_crash_left_undone_is_done_at_the_next_start(world: World) -> None:
    id_ = await against(world, ANN, machines=2)
    world.restart()
    done = await world.housekeeping.tick()
    assert [(change.first, change.last) for change in done if isinstance(change, Played)] == [(2, 3)]
    assert await world.housekeeping.tick() == ()
    played(await world.play.submit(id_, 1, (await world.queries.legal(id_, 1))[0], request="a"))
    done = await world.housekeeping.tick()
    assert [change.row.id for change in done] == [id_], "nobody ran them: the tick does"


async def test_a_long_run_goes_on_with_the_tick(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_MAX_TURNS", 1)
    await world.housekeeping.tick()
    id_ = await against(world, ANN, machines=2, game="focus")
    while not (moves := await world.queries.legal(id_, 1)):
        assert len(await world.computers.run(id_)) == 1
    played(await world.play.submit(id_, 1, moves[0], request="a"))
    assert len(await world.computers.run(id_)) == 1
    assert len(await world.housekeeping.tick()) == 1
    assert await world.housekeeping.tick() == ()


async def test_a_computer_that_cheats_is_not_believed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat:
        """Plays a card that is not in its hand."""

        def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
            return game.decode("card 99")

    monkeypatch.setattr(Levels, "player", lambda *_: Cheat())
    bad = await against(world, ANN)
    with pytest.raises(RuntimeError, match=r"toy\.refuse\.card"):
        await world.computers.run(bad)
    fine = await against(world, BOB, CYD, machines=1)
    assert await world.housekeeping.tick() == (), "each is supervised on its own"
    monkeypatch.undo()
    assert {change.row.id for change in await world.housekeeping.tick()} == {bad, fine}


async def test_a_player_that_fails_plays_what_is_safe_or_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        """Can't make up its mind."""

        def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
            raise RecursionError("thinks too much")

    monkeypatch.setattr(Levels, "player", lambda *_: Broken())
    id_ = await against(world, ANN)
    (done,) = await world.computers.run(id_)
    hand = done.match.state.hands[1]
    assert done.match.state.down[1] < min(hand), "the toy game's default is the lowest card"
    monkeypatch.setattr(Toy, "default", lambda *_: None)
    other = await against(world, BOB)
    with pytest.raises(RecursionError):
        await world.computers.run(other)


async def test_the_loop_goes_on_while_a_computer_thinks(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answer = threading.Event(), threading.Event()
    first = True

    class Slow(RandomPlayer):
        """Thinks until it is told to stop, the first time."""

        def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
            nonlocal first
            if first:
                first = False
                asked.set()
                assert answer.wait(PATIENCE)
            return super().choose(game, view, seat, dice)

    monkeypatch.setattr(Levels, "player", lambda *_: Slow())
    id_ = await against(world, ANN, BOB)
    running = asyncio.create_task(world.computers.run(id_))
    await asyncio.to_thread(asked.wait, 60)
    await world.move(id_, ANN)
    answer.set()
    (done,) = await running
    assert done.match.state.down.count(None) == 1, "it thought again, of the position that there was then"
    assert done.match.plays == 2
    await world.check(id_)


def test_the_random_player_takes_each_action_as_often() -> None:
    game = registry.get("focus")
    state = game.start(game.setup(2)).state
    dice = Dice(b"s", "m", 0, "")
    while (mover := next(iter(game.to_act(state)))) < 0:
        state = game.apply(state, mover, game.draw(state, dice)).state
    view = game.view(state, mover)
    actions = tuple(game.actions(view, mover))
    chosen = [RandomPlayer().choose(game, view, mover, dice) for _ in range(12 * len(actions))]
    assert set(chosen) == set(actions)
    with pytest.raises(ValueError, match="nothing to choose"):
        RandomPlayer().choose(game, view, Seat(1 - mover), dice)


def test_level_names_stay_the_same() -> None:
    assert Levels().names("toy") == ("random",)
