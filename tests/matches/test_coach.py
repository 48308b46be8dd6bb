"""The coach: in all games it says which moves give away much, three times at most, and takes them back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.ai.appraisal import Appraisal
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.coaching import COACH_TIMES, CoachRemark, read_remark
from games.engine.game import Seat
from games.engine.match import Kind, Match
from matches.log.changes import is_current
from matches.play import coach as room
from matches.play.coach import CoachAdvice
from matches.results import Played, Refused
from matches.thinking.jobs import AppraisalJob, BusyError
from matches.thinking.thread_thinker import ThreadThinker
from tests.matches.test_computers import against
from tests.matches.test_hints import Failing
from tests.matches.test_thinking import held
from tests.matches.world import ANN, BOB, World, opened, played, refused

pytestmark = pytest.mark.slow
TURNS = 60


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The coach is as good as a beginner, and says more."""
    monkeypatch.setattr(room, "LEVEL", "beginner")
    monkeypatch.setattr(room, "LEAST", 0.03)
    monkeypatch.setattr(room, "_PAUSE", 0.0)


class Sure(ThreadThinker):
    """A thinker whose estimates count as exact: those of beginners would never be sure enough."""

    async def appraise(self, job: AppraisalJob) -> Appraisal | None:
        """Answer in a thread."""
        found = await super().appraise(job)
        if found is None or found.best is None:
            return found
        also = tuple(each and replace(each, error=0.0, behind=None) for each in found.also)
        return replace(found, best=replace(found.best, error=0.0), also=also)


async def coached(world: World, game: str = "focus") -> str:
    """A match of Ann against a computer, with the coach on, in which she is to move; its id."""
    world.settings = {"thinker": Sure(Levels())}
    world.restart()
    row = await world.open_lobby(ANN, game=game)
    level = world.service.levels.names(game)[-5]
    opened(await world.lobbies.add_computer(row.id, 1, request=world.new, level=level))
    id_ = played(await world.lobbies.start(row.id, 1, request=world.new)).row.id
    played(await world.service.coach.switch(id_, 1, on=True, request=world.new))
    await answered(world, id_)
    return id_


async def mine(world: World, id_: str) -> Seat:
    """Ann's seat, by lot."""
    row = await world.store.match(id_)
    assert row is not None
    return Seat(next(seat.seat for seat in row.seats if seat.user == ANN.id))


async def answered(world: World, id_: str) -> None:
    """Let the computer go on until Ann is to move."""
    while await world.computers.run(id_):
        pass


async def now(world: World, id_: str) -> Match:
    current = await world.queries.current(id_)
    assert not isinstance(current, Refused)
    return current.match


async def stray(world: World, id_: str, rng: Random) -> bool:
    """Let Ann move at random, and the computer answer; whether she could."""
    match = await now(world, id_)
    seat = await mine(world, id_)
    if match.ending is not None or seat not in match.to_act:
        return False
    view = match.game.view(match.state, seat)
    answer: object = None
    while not isinstance(answer, Played):  # the game warns against some moves
        action = match.game.pick(view, seat, rng.randrange)
        answer = await world.play.submit(id_, 1, match.game.format(view, action), request=world.new)
    await answered(world, id_)
    return True


async def spoken(world: World, id_: str, seed: str) -> Played:
    """Let Ann move at random until the coach speaks; what it does then."""
    rng = Random(seed)
    for _ in range(TURNS):
        if not await stray(world, id_, rng):
            break
        if (said := await world.service.coach.look(id_)) is not None:
            return said
    raise AssertionError("the coach has said nothing")


@pytest.mark.parametrize("game", registry.KEYS)
async def test_it_speaks_says_why_and_takes_back(world: World, game: str) -> None:
    for attempt in range(3):  # some matches are over before a move gives away much
        id_ = await coached(world, game)
        try:
            said = await spoken(world, id_, f"{game} {attempt}")
            break
        except AssertionError:
            if attempt == 2:
                raise
    entry, seat = said.match.log[said.last], await mine(world, id_)
    remark = read_remark(entry.data)
    assert (entry.kind, entry.seat) == (Kind.COACH, seat)
    assert remark is not None
    assert remark.percent >= 3
    assert said.match.log[remark.seq].seat == seat
    (draft,) = [each for each in await world.drafts(id_) if getattr(each.message, "last", -1) == said.last]
    assert draft.kind == "notice"
    assert await world.service.coach.look(id_) is None, "once for a turn"
    world.restart()
    assert await world.service.coach.look(id_) is None, "also after a restart"
    found = await world.service.coach.advice(id_, 1, said.last)
    assert isinstance(found, CoachAdvice)
    before = found.match
    assert before.seq == remark.seq - 1
    assert before.game.refuse(before.state, seat, before.game.decode(remark.best)) is None
    assert remark.best != found.action
    assert is_current(said.match.log, said.first - 1), "the board before it is still the current one"
    back = played(await world.service.coach.take_back(id_, 1, said.last, request=world.new))
    assert back.match.state == before.state
    assert back.match.help.coached == {seat: (said.last,)}
    assert back.match.help.coach == {seat}
    assert refused(await world.service.coach.take_back(id_, 1, said.last, request=world.new))
    await world.check(id_)


async def test_it_speaks_three_times_and_not_after_it_is_off(world: World) -> None:
    id_ = await coached(world)
    for time in range(COACH_TIMES):
        said = await spoken(world, id_, f"{time}")
        assert len(said.match.help.coached[await mine(world, id_)]) == time + 1
        played(await world.service.coach.take_back(id_, 1, said.last, request=world.new))
    rng = Random(1)
    for _ in range(5):
        await stray(world, id_, rng)
        assert await world.service.coach.look(id_) is None
    other = await coached(world)
    played(await world.service.coach.switch(other, 1, on=False, request=world.new))
    for _ in range(5):
        await stray(world, other, rng)
        assert await world.service.coach.look(other) is None


async def test_a_good_move_is_left_alone_and_a_later_one_makes_it_void(world: World) -> None:
    id_ = await coached(world)
    said = await spoken(world, id_, "1")
    assert refused(await world.service.coach.advice(id_, 2, said.last)) == "match.refuse.not_yours"
    assert refused(await world.service.coach.take_back(id_, 2, said.last, request=world.new))
    await stray(world, id_, Random(1))
    answer = await world.service.coach.take_back(id_, 1, said.last, request=world.new)
    assert refused(answer) == "match.refuse.stale"
    monkey: Any = room
    monkey.LEAST = 1.1  # nothing gives away more than the match
    await stray(world, id_, Random(2))
    assert await world.service.coach.look(id_) is None


async def test_who_has_no_coach(world: World) -> None:
    alone = await against(world, ANN, machines=2)
    assert refused(await world.service.coach.switch(alone, 2, on=True, request=world.new))
    people = (await world.match(ANN, BOB, game="focus")).row.id
    for id_ in (people, await against(world, ANN, BOB, game="focus")):
        answer = await world.service.coach.switch(id_, 1, on=True, request=world.new)
        assert refused(answer) == "match.refuse.coach"
    await coached(world)
    world.rated = True
    rated = await against(world, ANN, game="focus")
    row = await world.store.match(rated)
    assert row is not None
    if row.conditions.rated:
        answer = await world.service.coach.switch(rated, 1, on=True, request=world.new)
        assert refused(answer) == "match.refuse.coach"


async def test_a_busy_thinker_makes_it_silent_and_not_for_good(world: World) -> None:
    id_ = await coached(world)
    await stray(world, id_, Random("x"))
    world.settings = {"thinker": Failing(BusyError())}
    world.restart()
    assert await world.service.coach.look(id_) is None
    world.settings = {}
    world.restart()
    await spoken(world, id_, "1")


async def test_no_move_waits_for_it(world: World) -> None:
    id_ = await coached(world)
    await stray(world, id_, Random("x"))
    thinker = held(world)
    looking = asyncio.create_task(world.service.coach.look(id_))
    await thinker.begun.wait()
    match = await now(world, id_)
    text = (await world.queries.legal(id_, 1))[0]
    played(await world.play.submit(id_, 1, text, request=world.new))
    assert thinker.dropped == [f"coach/{id_}"]
    assert await looking is None
    assert (await now(world, id_)).plays == match.plays + 1


@pytest.mark.parametrize(
    "data", ["", "on ", "0 5 a", "4 0 a", "4 101 a", "04 5 a", "4 5", "4 5  a", "1 2 3 4\n"]
)
def test_what_is_no_remark(data: str) -> None:
    assert read_remark(data) is None


def test_a_remark_is_read_as_it_was_written() -> None:
    remark = CoachRemark(12, 30, "e4 e6")
    assert read_remark(remark.data) == remark
