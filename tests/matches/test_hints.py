"""Hints: three steps for the one who is to move, counted in the log, and a reason wherever there is none."""

from __future__ import annotations

import asyncio

import pytest

from games.engine.game import Seat
from games.engine.match import Kind
from matches.play import hints as room
from matches.play.hints import Hint, NoChoice, steps_seen
from matches.results import Person, Refused
from matches.thinking.jobs import AppraisalJob, BusyError, NoAnswerError
from matches.thinking.thread_thinker import ThreadThinker
from tests.matches.test_thinking import Held, held
from tests.matches.world import ANN, BOB, CYD, World, opened, played, refused

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints are as good as those of a beginner."""
    monkeypatch.setattr(room, "LEVEL", "beginner")


async def hint(world: World, match_id: str, who: int = 1, step: int | None = None, **how: int) -> Hint:
    """The hint that a person is shown."""
    shown = await world.service.hints.show(match_id, who, request=world.new, step=step, **how)
    assert isinstance(shown, Hint), shown
    return shown


async def begun(world: World, other: Person = BOB) -> str:
    """A match of Focus in which Ann is to move first; its id."""
    while True:  # lots decide who begins
        made = await world.match(ANN, other, game="focus")
        if made.row.seats[min(made.match.to_act)].user == ANN.id:
            return made.row.id


async def why_not(world: World, match_id: str, who: int = 1, **how: int) -> str:
    """The key of the reason why a person gets no hint."""
    return refused(await world.service.hints.show(match_id, who, request=world.new, **how))


async def test_a_hint_comes_in_three_steps_that_the_log_counts(world: World) -> None:
    id_ = await begun(world)
    await world.sent()
    shown = [await hint(world, id_, step=step) for step in (1, 3, 3, 1, 2)]
    assert [each.step for each in shown] == [1, 2, 3, 3, 3], "none can be left out, and all stay"
    assert len({each.advice for each in shown}) == 1
    assert (await hint(world, id_)).step == 3
    log = await world.queries.log(id_)
    assert [(one.entry.data, one.user) for one in log if one.entry.kind is Kind.HINT] == [
        ("1", 1),
        ("2", 1),
        ("3", 1),
    ]
    assert await world.drafts(id_) == [], "nobody is told, and nobody pinged"
    best = shown[0].advice.best
    now = played(
        await world.play.submit(id_, 1, best.text, request=world.new, version=shown[0].match.seq - 1)
    )
    assert now.match.help.hints == {shown[0].seat: (1, 1, 1)}
    assert steps_seen(now.match, Seat(1 - shown[0].seat)) == 0
    back = played(await world.service.undo.take_back(id_, 1, request=world.new))
    assert back.match.help.hints == {shown[0].seat: (1, 1, 1)}, (
        "a hint doesn't stop undo, and undo doesn't hide it"
    )
    again = await hint(world, id_)
    assert again.step == 1
    await world.check(id_)


async def test_the_same_hint_comes_after_a_restart_and_for_a_repeated_request(world: World) -> None:
    id_ = await begun(world)
    first = await world.service.hints.show(id_, 1, request="one")
    second = await world.service.hints.show(id_, 1, request="one", step=2)
    assert isinstance(first, Hint)
    assert isinstance(second, Hint)
    assert second.step == 1, "a delivery that is repeated counts once"
    world.restart()
    assert (await hint(world, id_)).advice == first.advice


async def test_a_hint_stops_no_other_act(world: World) -> None:
    id_ = await begun(world)
    await world.move(id_, ANN)
    offered = await world.service.undo.offer(id_, 1)
    assert not isinstance(offered, Refused)
    await hint(world, id_, 2)
    assert played(await world.service.undo.take_back(id_, 1, request=world.new, version=offered.version)), (
        "the offer was made before the hint"
    )


async def test_who_gets_no_hint_and_why(world: World) -> None:
    row = await world.open_lobby(ANN, BOB, game="focus")
    assert await why_not(world, row.id) == "match.refuse.not_started"
    assert (
        refused(await world.lobbies.allow_hints(row.id, 2, allowed=False, request=world.new))
        == "lobby.refuse.host"
    )
    assert not opened(
        await world.lobbies.allow_hints(row.id, 1, allowed=False, request=world.new)
    ).row.conditions.hints
    await world.lobbies.start(row.id, 1, request=world.new)
    assert await why_not(world, row.id) == "match.refuse.hints_off"
    played(await world.play.resign(row.id, 1, request=world.new))
    rematch = opened(await world.rematches.open(row.id, BOB, request=world.new))
    assert not rematch.row.conditions.hints, "a rematch is played as agreed"

    id_ = await begun(world)
    seen = await hint(world, id_)
    assert await why_not(world, id_, 3) == "match.refuse.not_yours"
    assert await why_not(world, id_, 2) == "match.refuse.hint_turn"
    assert await why_not(world, "F-XXXXXX") == "match.refuse.unknown"
    await world.move(id_, ANN)
    await world.move(id_, BOB)
    assert await why_not(world, id_, step=2, version=seen.match.seq) == "match.refuse.stale"
    played(await world.play.resign(id_, 2, request=world.new))
    assert await why_not(world, id_) == "match.refuse.over"

    secret = (await world.match(ANN, BOB, CYD)).row.id
    assert await why_not(world, secret) == "match.refuse.hint_hidden"


async def test_an_only_move_is_told_and_costs_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    id_ = await begun(world)
    monkeypatch.setattr(room, "islice", lambda actions, most: [next(actions)])
    shown = await world.service.hints.show(id_, 1, request=world.new)
    assert isinstance(shown, NoChoice)
    assert shown.text == (await world.queries.legal(id_, 1))[0]
    assert Kind.HINT not in {one.entry.kind for one in await world.queries.log(id_)}


class Failing(ThreadThinker):
    """A thinker without answers."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def appraise(self, job: AppraisalJob) -> None:
        """Raise the error."""
        raise self.error


@pytest.mark.parametrize(("error", "why"), [(BusyError(), "hint_busy"), (NoAnswerError(), "hint_failed")])
async def test_a_thinker_that_has_no_answer(world: World, error: Exception, why: str) -> None:
    id_ = await begun(world)
    world.settings = {"thinker": Failing(error)}
    world.restart()
    assert await why_not(world, id_) == f"match.refuse.{why}"
    world.settings = {}
    world.restart()
    await hint(world, id_)


async def asked(world: World, thinker: Held, id_: str) -> asyncio.Task[object]:
    """A question of Ann's that is being thought about."""
    task = asyncio.create_task(world.service.hints.show(id_, 1, request=world.new))
    await thinker.begun.wait()
    return task


async def test_a_person_has_one_question_at_a_time(world: World) -> None:
    id_ = await begun(world)
    other = await begun(world, CYD)
    thinker = held(world)
    task = await asked(world, thinker, id_)
    assert await why_not(world, id_) == "match.refuse.hint_asking"
    assert await why_not(world, other) == "match.refuse.hint_asking"
    thinker.go()
    assert isinstance(await task, Hint)
    await hint(world, other)


@pytest.mark.parametrize("what", ["moves", "resigns"])
async def test_a_question_is_dropped_once_its_position_has_gone(world: World, what: str) -> None:
    id_ = await begun(world)
    thinker = held(world)
    task = await asked(world, thinker, id_)
    if what == "moves":
        await world.move(id_, ANN)
    else:
        played(await world.play.resign(id_, 2, request=world.new))
    assert refused(await task) == "match.refuse.stale"
    assert len(thinker.dropped) == 1
    match = (await world.queries.current(id_)).match  # type: ignore[union-attr]
    assert match.help.hints == {}


async def test_a_question_lives_on_while_people_talk(world: World) -> None:
    id_ = await begun(world)
    thinker = held(world)
    task = await asked(world, thinker, id_)
    played(await world.play.offer_draw(id_, 2, request=world.new))
    assert thinker.dropped == []
    thinker.go()
    shown = await task
    assert isinstance(shown, Hint)
    assert shown.match.talk.offers == {Seat(1 - shown.seat)}, "the offer stands"
