"""Polite computers: when they resign, and when they offer or accept a draw."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Expectation, Seat
from games.engine.levels import MANNERS
from games.engine.match import Kind
from matches.thinking.jobs import DecidedTurn, Job
from matches.thinking.thread_thinker import ThreadThinker
from matches.thinking.turns import Patience, play_turns
from tests.matches.world import ANN, BOB, World, opened, played

pytestmark = pytest.mark.slow
SEARCHING = [key for key in registry.KEYS if registry.get(key).levels()]
WEAK, HARD, EXPERT = "beginner", "hard", "expert"
LOST, EVEN = Expectation(0.001, 0.0), Expectation(0.5, 0.05)


class Hoping(ThreadThinker):
    """Plays like a beginner, and expects of the match what the test says."""

    def __init__(self) -> None:
        super().__init__(Levels())
        self.expected = LOST

    async def think(self, job: Job, *, safely: bool = False) -> tuple[DecidedTurn, ...] | None:
        """Return a beginner's turns with expectations."""
        plain = replace(job, levels=dict.fromkeys(job.levels, WEAK))
        turns = await super().think(plain, safely=safely)
        return turns and tuple(
            replace(each, expected=dict.fromkeys(_movers(each), self.expected)) for each in turns
        )


def _movers(turn: DecidedTurn) -> set[Seat]:
    """The seats that have played in a turn."""
    return {entry.seat for entry in turn.entries if entry.kind is Kind.PLAY and entry.seat is not None}


def hoping(world: World) -> Hoping:
    """The program starts again, with a thinker of settled hopes."""
    thinker = Hoping()
    world.settings = {"thinker": thinker}
    world.restart()
    return thinker


async def against(world: World, key: str, *levels: str, seats: int = 2) -> str:
    """A match of Ann against computers; its id."""
    row = await world.open_lobby(ANN, game=key, seats=seats)
    for level in levels:
        opened(await world.lobbies.add_computer(row.id, 1, request=world.new, level=level))
    return played(await world.lobbies.start(row.id, 1, request=world.new)).row.id


async def rounds(world: World, id_: str, count: int) -> list[Kind]:
    """Let both sides move, and return what the computers have done besides playing."""
    for _ in range(count):
        await world.computers.run(id_)
        if not (moves := await world.queries.legal(id_, 1)):
            break
        played(await world.play.submit(id_, 1, moves[0], request=world.new))
    await world.computers.run(id_)
    plain = {Kind.START, Kind.CHANCE, Kind.PLAY, Kind.REVEAL}
    return [one.entry.kind for one in await world.queries.log(id_) if one.entry.kind not in plain]


async def turns_of_computers(world: World, id_: str) -> int:
    """How often computers have played."""
    log = await world.queries.log(id_)
    return sum(one.entry.kind is Kind.PLAY and one.user is None for one in log)


@pytest.mark.parametrize(("key", "level"), [*product(SEARCHING, (HARD, EXPERT)), ("two_domains", HARD)])
async def test_a_strong_computer_resigns_once_it_was_hopeless_for_some_turns(
    world: World, key: str, level: str
) -> None:
    hoping(world)
    id_ = await against(world, key, level)
    assert await rounds(world, id_, 8) == [Kind.RESIGN]
    assert await turns_of_computers(world, id_) == MANNERS[level].resigns_after - 1
    row = await world.store.match(id_)
    assert row is not None
    assert row.status == "over"
    await world.check(id_)


@pytest.mark.parametrize("key", SEARCHING)
async def test_weak_computers_play_to_the_end(world: World, key: str) -> None:
    hoping(world)
    assert await rounds(world, await against(world, key, WEAK), 8) == []


async def test_one_better_turn_keeps_hope_alive(world: World) -> None:
    thinker = hoping(world)
    id_ = await against(world, "focus", HARD)
    await rounds(world, id_, 2)
    thinker.expected = EVEN
    await rounds(world, id_, 1)
    thinker.expected = LOST
    assert await rounds(world, id_, 2) == []
    assert await rounds(world, id_, 3) == [Kind.RESIGN]


async def test_an_uncertain_value_is_no_reason_to_resign(world: World) -> None:
    hoping(world).expected = Expectation(0.01, 0.02)
    assert await rounds(world, await against(world, "focus", HARD), 8) == []


async def test_nobody_resigns_who_would_harm_others(world: World) -> None:
    hoping(world)
    three = await against(world, "focus", HARD, HARD, seats=3)
    assert await rounds(world, three, 8) == []
    row = await world.open_lobby(ANN, BOB, game="focus", seats=3)
    opened(await world.lobbies.add_computer(row.id, 1, request=world.new, level=HARD))
    await world.lobbies.start(row.id, 1, request=world.new)
    for _ in range(12):
        await world.computers.run(row.id)
        for who in (1, 2):
            if moves := await world.queries.legal(row.id, who):
                played(await world.play.submit(row.id, who, moves[0], request=world.new))
    assert Kind.RESIGN not in {one.entry.kind for one in await world.queries.log(row.id)}


@pytest.mark.parametrize("key", [*SEARCHING, "two_domains"])
async def test_a_draw_is_offered_once_where_nothing_goes_on(world: World, key: str) -> None:
    hoping(world).expected = EVEN
    id_ = await against(world, key, EXPERT)
    after = MANNERS[EXPERT].offers_after
    assert await rounds(world, id_, after - 2) == []
    assert await rounds(world, id_, 4) == [Kind.OFFER]
    assert (await world.drafts(id_))[-1].kind in ("board", "notice")
    await world.check(id_)


@pytest.mark.parametrize(
    ("share", "turns", "answer"),
    [(0.2, 1, Kind.OFFER), (0.5, 1, Kind.DECLINE), (0.5, 7, Kind.OFFER), (0.7, 7, Kind.DECLINE)],
)
async def test_whether_a_draw_is_accepted(world: World, share: float, turns: int, answer: Kind) -> None:
    hoping(world).expected = Expectation(share, 0.05)
    id_ = await against(world, "focus", HARD)
    assert await rounds(world, id_, turns) == []
    played(await world.play.offer_draw(id_, 1, request=world.new))
    await world.computers.run(id_)
    log = await world.queries.log(id_)
    assert [one.entry.kind for one in log if one.entry.kind in (Kind.OFFER, Kind.DECLINE)] == [
        Kind.OFFER,
        answer,
    ]


@pytest.mark.parametrize("key", SEARCHING)
def test_a_search_says_what_it_expects(key: str) -> None:
    game, sealed = registry.get(key), Sealed(bytes(32), "X-1", "salt")
    match = engine.begin(game, game.setup(2), sealed).match
    for _ in range(2):  # what is chosen in secret at the start isn't searched
        job = Job(match, sealed, dict.fromkeys(match.to_act, WEAK), bytes(32))
        (turn,) = play_turns(job, Levels(), Patience.of())
        if turn.expected:
            break
        match = turn.match
    (expected,) = turn.expected.values()
    assert turn.expected.keys() <= job.levels.keys()
    assert 0.1 < expected.share < 0.9, "nothing is decided at the start"


def test_a_planner_says_what_it_expects_at_the_beginning_of_its_turn() -> None:
    game, sealed = registry.get("domination"), Sealed(bytes(32), "X-1", "salt")
    match = engine.begin(game, game.setup(2, {"setup": "auto"}), sealed).match
    found: list[Expectation] = []
    while not found:
        job = Job(match, sealed, dict.fromkeys(match.to_act, HARD), bytes(32))
        (turn,) = play_turns(job, Levels(), Patience.of())
        found += turn.expected.values()
        match = turn.match
    assert 0.0 < found[0].share < 1.0
