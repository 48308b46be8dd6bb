"""Workers decide what threads decide, and where they can't, a thread does."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.platform.thinkers.pool import WorkerPool
from bot.platform.thinkers.processes import ProcessThinker
from games.ai.levels import Levels
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, Match
from matches.thinking import threads, wire
from matches.thinking.ports import Job
from matches.thinking.threads import ThreadThinker
from matches.thinking.turns import Patience, play_turns

LEVELS = Levels()
GAMES = (*registry.KEYS, "toy", "three")


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
            wire.carry_out(job, {"version": wire.VERSION, "turns": decisions})


def test_computers_in_a_row_are_played_in_one_job() -> None:
    job = job_of("focus", 4, turns=8)
    turns = play_turns(job, LEVELS, Patience.of())
    assert len(turns) > 1
    assert all(turn.match.to_act <= job.levels.keys() for turn in turns[:-1])
    assert not turns[-1].match.to_act & job.levels.keys(), "up to the person's turn"
    assert [turn.entries[0].seq for turn in turns[1:]] == [turn.match.seq + 1 for turn in turns[:-1]]


async def test_a_thread_thinks_for_a_short_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Patience] = []

    def spy(job: Job, levels: Levels, patience: Patience, **how: Any) -> tuple[Change, ...]:
        given.append(patience)
        return play_turns(job, levels, patience, **how)

    monkeypatch.setattr(threads, "play_turns", spy)
    assert await ThreadThinker(LEVELS).think(job_of("focus", 2, level=-1))
    assert [each.decision for each in given] == [threads.SECONDS]


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
