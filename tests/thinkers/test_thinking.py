"""Workers decide what threads decide, and where they can't, a thread does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from bot.platform.tablebases import find_oracles
from bot.platform.thinkers.pool import WorkerPool
from bot.platform.thinkers.processes import SLACK, ProcessThinker
from games.ai.appraisal import Appraisal
from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Dice, Sealed
from games.engine.game import AnyGame, InterruptiblePlayer, Player, Seat
from games.engine.match import Change, Match
from games.engine.search import Stop
from matches.thinking import thread_thinker as threads
from matches.thinking import wire
from matches.thinking.jobs import AppraisalJob, BusyError, Job, NoAnswerError
from matches.thinking.questions import answer_question
from matches.thinking.thread_thinker import ThreadThinker
from matches.thinking.turns import SECONDS, Patience, play_turns, seconds_for
from tests.patience import PATIENCE

LEVELS = Levels(find_oracles(Path(__file__).parent))
"""What a worker has, too: tables that ship with their games."""
MAIN = registry.KEYS
GAMES = (*MAIN, "toy", "three")


def position(key: str, seats: int, moves: int) -> tuple[Match, Sealed]:
    """Return a match after some random moves."""
    game, random = registry.get(key), Random(seats)
    sealed = Sealed(bytes(range(32)), "X-1", "salt")
    match = engine.begin(game, game.setup(seats), sealed).match
    for _ in range(moves):
        if match.ending:
            break
        seat = min(match.to_act)
        action = random.choice(list(game.actions(game.view(match.state, seat), seat)))
        change = engine.play(match, seat, action, sealed)
        assert isinstance(change, Change)
        match = change.match
    return match, sealed


def job_of(key: str, seats: int, *, level: int = 0, moves: int = 5, turns: int = 3) -> Job:
    """Return a job in which computers hold all seats but the last to act."""
    match, sealed = position(key, seats, moves)
    name = LEVELS.names(key)[level]
    person = max(set(map(Seat, range(seats))) - match.to_act, default=Seat(seats - 1))
    levels = dict.fromkeys(map(Seat, range(seats)), name)
    del levels[person]
    assert match.to_act & levels.keys()
    return Job(match, sealed, levels, b"seed" * 8, turns)


def shown(turns: tuple[Change, ...] | None) -> list[Any]:
    """Return what of turns will be stored."""
    assert turns
    return [(turn.entries, turn.match.state) for turn in turns]


@pytest.mark.parametrize("key", GAMES)
def test_a_job_and_its_turns_survive_the_wire(key: str) -> None:
    job = job_of(key, max(registry.get(key).seats))
    sent = json.dumps(wire.pack_job(job))
    assert len(sent) < 16_000
    read = wire.unpack_job(json.loads(sent))
    assert (read.match.state, read.levels, read.seed, read.turns) == (
        job.match.state,
        job.levels,
        job.seed,
        job.turns,
    )
    assert (read.match.seq, read.match.playing, read.sealed) == (job.match.seq, job.match.playing, job.sealed)
    turns = play_turns(read, LEVELS, Patience.of())
    told = json.loads(json.dumps(wire.pack_turns(turns)))
    assert shown(wire.carry_out(job, told)) == shown(play_turns(job, LEVELS, Patience.of()))


def test_what_the_wire_refuses() -> None:
    job = job_of("toy", 3)
    good = wire.pack_job(job)
    bad: dict[str, Any]
    for bad in ({"version": 0}, {"game": "chess"}, {"state": {}}, {"seed": "x"}):
        with pytest.raises(wire.WireError):
            wire.unpack_job(good | bad)
    turns = wire.pack_turns(play_turns(job, LEVELS, Patience.of()))
    (seat, _), *_ = turns["turns"][0]
    stranger = next(Seat(n) for n in range(3) if n not in job.levels)
    decisions: list[Any]
    for decisions in ([], [[]], [[[seat, "card 99"]]], [[[stranger, "card 1"]]], [[[seat]]]):
        with pytest.raises(wire.WireError):
            wire.carry_out(
                job, {"version": wire.VERSION, "turns": decisions, "expected": [[]] * len(decisions)}
            )


def test_computers_in_a_row_are_played_in_one_job() -> None:
    job = job_of("focus", 4, turns=8)
    turns = play_turns(job, LEVELS, Patience.of())
    assert len(turns) > 1
    assert all(turn.match.to_act <= job.levels.keys() for turn in turns[:-1])
    assert not turns[-1].match.to_act & job.levels.keys(), "up to the person's turn"
    assert [turn.entries[0].seq for turn in turns[1:]] == [turn.match.seq + 1 for turn in turns[:-1]]


class Listener:
    """A player of no particular kind that notes whether it is told to stop."""

    seconds = 5.0

    def __init__(self) -> None:
        self.told: list[bool] = []

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Never called where decisions can be stopped."""
        raise AssertionError

    def decide(self, game: AnyGame, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None) -> Any:
        """Return the first action."""
        assert stop is not None
        self.told.append(stop())
        return next(iter(game.actions(view, seat)))


class OneLevel(Levels):
    """Levels that are all the same player."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.only = player

    def player(self, game: str, name: str) -> Player:
        """Return the only player."""
        return self.only


@pytest.mark.parametrize(("seconds", "told"), [(60.0, False), (0.0, True)])
@pytest.mark.parametrize("key", ["domination", "focus"])
def test_any_player_that_can_be_stopped_is_told_when(key: str, seconds: float, told: bool) -> None:
    player = Listener()
    play_turns(job_of(key, 2, turns=1), OneLevel(player), Patience.of(seconds=seconds))
    assert set(player.told) == {told}


def test_a_job_may_take_as_long_as_its_levels() -> None:
    caps = {name: level.seconds for name, level in registry.get("focus").levels().items()}
    for name in ("beginner", "hard"):
        job = replace(job_of("focus", 2), levels={Seat(0): name, Seat(1): "beginner"})
        assert seconds_for(replace(job, turns=1), LEVELS) == min(SECONDS, 2 * 2 * caps[name])
    for key in registry.KEYS:
        assert 0 < seconds_for(job_of(key, 2, level=-1), LEVELS) <= SECONDS
    assert seconds_for(job_of("domination", 2), LEVELS) == SECONDS, "a turn has many decisions"


@pytest.mark.parametrize("question", [False, True])
async def test_workers_get_little_more_time_than_their_searches(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch, question: bool
) -> None:
    given: list[float] = []

    async def run(key: str, kind: str, data: Any, seconds: float, **how: Any) -> None:
        given.append(seconds)

    monkeypatch.setattr(pool, "run", run)
    thinker = ProcessThinker(LEVELS, pool)
    if question:
        await thinker.appraise(question_of("focus", seconds=8.0))
        assert given == [2 * 8.0 + SLACK]
    else:
        job = replace(job_of("focus", 2, turns=1), levels={Seat(0): "beginner", Seat(1): "beginner"})
        await thinker.think(job)
        assert given == [seconds_for(job, LEVELS) + SLACK]
        assert given[0] < 15.0


def test_players_that_think_for_long_can_be_stopped() -> None:
    for key, name in (("domination", "hard"), ("focus", "expert"), ("domination", "beginner")):
        player = LEVELS.player(key, name)
        assert isinstance(player, InterruptiblePlayer)
        assert player.seconds > 0


@pytest.mark.slow
async def test_a_thread_thinks_for_a_short_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Patience] = []

    def spy(job: Job, levels: Levels, patience: Patience, **how: Any) -> tuple[Change, ...]:
        given.append(patience)
        return play_turns(job, levels, replace(patience, decision=0.05), **how)

    monkeypatch.setattr(threads, "play_turns", spy)
    assert await ThreadThinker(LEVELS).think(job_of("focus", 2, level=-1, turns=1))
    assert [each.decision for each in given] == [threads.SECONDS]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads think to the end, however slow the machine is: what they decide is compared."""
    monkeypatch.setattr(threads, "SECONDS", PATIENCE)


@pytest.fixture
async def pool(tmp_path: Path) -> AsyncIterator[WorkerPool]:
    """A pool of one worker, as the bot has it."""
    made = WorkerPool(1, tmp_path)
    yield made
    await made.close()


@pytest.mark.process
async def test_a_worker_decides_what_a_thread_decides(pool: WorkerPool) -> None:
    """The dice follow from the seed, and levels are budgets of work: so both decide alike."""
    thinker = ProcessThinker(LEVELS, pool)
    for key in registry.KEYS:
        job = job_of(key, min(registry.get(key).seats), level=1)
        there, here = await thinker.think(job), await ThreadThinker(LEVELS).think(job)
        assert shown(there) == shown(here)
    assert len(pool.pids) == 1


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "says"),
    [("tests.thinkers.missing", "don't start"), ("tests.thinkers.odd_worker", "KeyError: 'turns'")],
)
async def test_a_thread_thinks_where_processes_cannot(
    tmp_path: Path, module: str, says: str, caplog: pytest.LogCaptureFixture
) -> None:
    thinker = ProcessThinker(LEVELS, WorkerPool(1, tmp_path, module=module))
    job = job_of("focus", 2)
    assert shown(await thinker.think(job)) == shown(await ThreadThinker(LEVELS).think(job))
    assert says in caplog.text
    await thinker.close()


@pytest.mark.process
async def test_a_job_that_kills_workers_ends_with_a_safe_move(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    thinker = ProcessThinker(LEVELS, WorkerPool(1, tmp_path, module="tests.thinkers.deadly_worker"))
    job = job_of("toy", 2, moves=0)
    turns = await thinker.think(job)
    assert turns
    (seat,) = job.levels.keys() & job.match.to_act
    view = job.match.game.view(job.match.state, seat)
    assert turns[0].entries[0].data == job.match.game.encode(job.match.game.default(view, seat))
    assert "a safe move is played" in caplog.text
    await thinker.close()


# --- questions ------------------------------------------------------------------------------------------


def question_of(key: str, **how: Any) -> AppraisalJob:
    """Return a question about a position in which a seat knows a state; if there is none, about the start."""
    match, sealed = position(key, min(registry.get(key).seats), 1)
    while (state := known_state(match)) is None and key in MAIN:
        seat = min(match.to_act)
        action = match.game.default(match.game.view(match.state, seat), seat)
        change = engine.play(match, seat, action, sealed)
        assert isinstance(change, Change)
        match = change.match
    game, teams = match.game, match.setup.teams
    about = "ann", game, match.setup.rules, state or match.state, min(match.to_act), teams, b"seed" * 8
    return AppraisalJob(*about, **{"tempting": 2, "level": "beginner", **how})


def known_state(match: Match) -> Any:
    """Return a state as the first seat to act can know it; None if it knows too little."""
    seat = min(match.to_act)
    return match.game.guess(match.game.view(match.state, seat), seat)


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_a_question_and_its_answer_survive_the_wire(key: str) -> None:
    job = question_of(key, effort=0.005)
    sent = json.dumps(wire.pack_question(job))
    assert len(sent) < 16_000
    assert wire.unpack_question(json.loads(sent)) == job
    found = answer_question(job, LEVELS, Patience.of())
    knows = job.game.guess(job.game.view(job.state, job.seat), job.seat) is not None
    assert (found.best is not None) == bool(found.also) == knows
    told = json.loads(json.dumps(wire.pack_appraisal(job.game, found)))
    assert wire.unpack_appraisal(job.game, told) == found


@pytest.mark.slow
def test_a_game_without_a_search_is_asked_for_its_best_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    job = question_of("domination", level="hard", effort=0.01, seconds=PATIENCE)
    asked = Listener()
    shown = dict(job.game.computers()) | {"expert": asked}
    monkeypatch.setattr(type(job.game), "computers", lambda game: shown)
    found = answer_question(job, LEVELS, Patience.of())
    assert found.best is not None
    assert asked.told == [False]


def test_which_questions_and_answers_the_wire_refuses() -> None:
    job = question_of("toy")
    good = wire.pack_question(job)
    bad: dict[str, Any]
    for bad in ({"version": 0}, {"game": "chess"}, {"state": {}}, {"also": ["castle"]}, {"seat": "x"}):
        with pytest.raises(wire.WireError):
            wire.unpack_question(good | bad)
    answer = wire.pack_appraisal(job.game, answer_question(job, LEVELS, Patience.of()))
    for bad in ({"version": 0}, {"best": ["castle"]}, {"line": [["x", "card 1"]]}, {"now": None}):
        with pytest.raises(wire.WireError):
            wire.unpack_appraisal(job.game, answer | bad)


@pytest.mark.process
async def test_a_worker_answers_what_a_thread_answers(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "SECONDS", PATIENCE)  # a slow machine thinks as much
    thinker = ProcessThinker(LEVELS, pool)
    for key in registry.KEYS:
        job = question_of(key, effort=0.02, seconds=PATIENCE)
        assert await thinker.appraise(job) == await ThreadThinker(LEVELS).appraise(job)


@pytest.mark.process
async def test_a_question_that_kills_workers_has_no_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    thinker = ProcessThinker(LEVELS, WorkerPool(1, tmp_path, module="tests.thinkers.deadly_worker"))
    with pytest.raises(NoAnswerError):
        await thinker.appraise(question_of("toy"))
    assert "the question stays open" in caplog.text
    await thinker.close()


@pytest.mark.process
async def test_a_thread_answers_where_processes_cannot(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    thinker = ProcessThinker(LEVELS, WorkerPool(1, tmp_path, module="tests.thinkers.odd_worker"))
    job = question_of("toy")
    assert await thinker.appraise(job) == answer_question(job, LEVELS, Patience.of())
    assert "KeyError: 'appraise'" in caplog.text
    await thinker.close()


async def test_threads_take_few_questions_at_a_time_and_drop_what_is_not_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go, begun = Event(), Event()

    def held(job: AppraisalJob, levels: Levels, patience: Patience) -> Appraisal:
        assert patience.decision == threads.SECONDS
        begun.set()
        assert go.wait(PATIENCE)
        return answer_question(job, levels, patience)

    monkeypatch.setattr(threads, "answer_question", held)
    thinker, job = ThreadThinker(LEVELS), question_of("toy")
    asked = [asyncio.create_task(thinker.appraise(job)) for _ in range(10)]
    await asyncio.to_thread(begun.wait)
    for _ in range(1000):
        with pytest.raises(BusyError):
            await thinker.appraise(job)
    asked[9].cancel()
    await asyncio.sleep(0)
    last = asyncio.create_task(thinker.appraise(replace(job, key="ben")))
    await asyncio.sleep(0)
    thinker.drop("ann")
    go.set()
    assert [await each for each in asked[:9]] == [None] * 9
    assert await last == answer_question(replace(job, key="ben"), LEVELS, Patience.of())
    await thinker.close()
