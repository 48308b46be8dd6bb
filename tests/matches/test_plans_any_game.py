"""In every game: an accepted plan is played exactly if its condition holds, as if it were typed by hand."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.engine import registry
from games.engine.game import Done, Seat
from games.engine.match import Kind, Match
from matches.plans import checks
from matches.plans.planning import Planned
from matches.results import Person, Played, Refused, Warned
from matches.store.rows import MatchRow
from tests.fakes import FakeClock, FakeEntropy, MemoryStore
from tests.matches.world import World
from tests.soak import examples

PEOPLE = [Person(n, f"P{n}") for n in range(1, 5)]
OPTIONS: dict[str, dict[str, Any]] = {"domination": {"map": "islands", "setup": "auto"}}
GAMES = [(game.key, seats) for game in registry.all_games() for seats in game.seats[:2] if game.key != "toy"]


@dataclass
class Course:
    """A match that is played at random, and what was typed so far."""

    game: str
    seats: int
    seed: int
    world: World = field(init=False)
    id: str = ""
    typed: list[tuple[int, str]] = field(default_factory=list)
    fired: bool = False

    def __post_init__(self) -> None:
        self.world = World(MemoryStore(), FakeClock(), FakeEntropy(str(self.seed)))

    async def begin(self) -> None:
        options = OPTIONS.get(self.game, {})
        begun = await self.world.match(*PEOPLE[: self.seats], game=self.game, options=options)
        self.id = begun.row.id

    async def now(self) -> tuple[MatchRow, Match]:
        seen = await self.world.queries.current(self.id)
        assert not isinstance(seen, Refused)
        return seen.row, seen.match

    async def submit(self, user: int, text: str) -> None:
        """Type a move, twice if the game warns about it."""
        self.typed.append((user, text))
        for _ in range(2):
            answer = await self.world.play.submit(self.id, user, text, request=self.world.new)
            if not isinstance(answer, Warned):
                assert isinstance(answer, Played), answer
                return

    async def wander(self, rng: random.Random, moves: int) -> None:
        for _ in range(moves):
            row, match = await self.now()
            if match.ending:
                return
            seat = min(match.to_act)
            await self.submit(user_of(row, seat), rng.choice(legal(match, seat)))


def user_of(row: MatchRow, seat: Seat) -> int:
    user = row.seats[seat].user
    assert user is not None
    return user


def legal(match: Match, seat: Seat) -> list[str]:
    view = match.game.view(match.state, seat)
    return [match.game.format(view, action) for action in match.game.actions(view, seat)]


def is_playable(match: Match, seat: Seat, text: str) -> bool:
    """Return whether a text is a move that would be played without a question."""
    view = match.game.view(match.state, seat)
    read = match.game.parse(view, seat, text)
    return isinstance(read, Done) and match.game.caution(view, seat, read.action) is None


def replies(match: Match, seat: Seat, text: str, *, rest: bool) -> list[str]:
    """Return moves of a seat that may be possible after a move of the one to act."""
    (mover,) = match.to_act
    game = match.game
    state = game.guess(game.view(match.state, seat), seat)
    if state is None:
        return []
    read = game.parse(game.view(state, mover), mover, text)
    if not isinstance(read, Done) or game.refuse(state, mover, read.action) is not None:
        return []
    state = game.apply(state, mover, read.action).state
    found = checks._turns_to_come(game, state, seat, only_chance=not rest) if game.to_act(state) else iter(())
    position = state if seat in game.to_act(state) else next(found, None)
    if position is None:
        return []
    view = game.view(position, seat)
    return [game.format(view, action) for action in game.actions(view, seat)]


async def plan_and_play(game: str, seats: int, seed: int, moves: int, follows: bool, rest: bool) -> Course:
    """Play at random, plan, play on until it is the planner's turn, and check what was played for them."""
    rng = random.Random(seed)
    course = Course(game, seats, seed)
    await course.begin()
    await course.wander(rng, moves)
    row, match = await course.now()
    assume(match.ending is None and len(match.to_act) == 1)
    mover = min(match.to_act)
    planner = Seat(rng.choice([seat for seat in range(seats) if seat != mover]))
    assume(planner in match.playing)
    named = rng.choice(legal(match, mover))
    possible = replies(match, planner, named, rest=rest)
    assume(possible)
    reply = rng.choice(possible)
    text = f"{named}{', any' if rest else ''}: {reply}"
    answer = await course.world.service.plans.add(course.id, user_of(row, planner), text)
    assume(isinstance(answer, Planned))
    wire = match.game.encode(parsed(match, mover, named))
    begin = match.seq
    for turn in range(60):
        row, match = await course.now()
        if match.ending or planner in match.to_act or len(match.to_act) > 1:
            break
        mover = min(match.to_act)
        choice = named if follows and not turn else calm_move(match, mover, rng)
        await course.submit(user_of(row, mover), choice)
        row, before = await course.now()
        made = [entry.data for entry in before.log[begin + 1 :] if entry.kind is Kind.PLAY]
        done = await course.world.service.plans.run(course.id)
        holds = made[0] == wire and (rest or made == [wire])
        expected = planner in before.to_act and holds and is_playable(before, planner, reply)
        assert len(done) == expected, (text, made, reply)
        if done:
            course.typed.append((user_of(row, planner), reply))
            course.fired = True
            break
    if not course.fired:
        row, match = await course.now()
        if planner in match.to_act:
            assert await course.world.store.plans(course.id) == (), "nothing is left to surprise anyone"
    return course


def parsed(match: Match, seat: Seat, text: str) -> Any:
    read = match.game.parse(match.game.view(match.state, seat), seat, text)
    assert isinstance(read, Done)
    return read.action


def calm_move(match: Match, seat: Seat, rng: random.Random) -> str:
    """Return a move that soon ends a long turn."""
    view = match.game.view(match.state, seat)
    default = match.game.default(view, seat)
    return rng.choice(legal(match, seat)) if default is None else match.game.format(view, default)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_plan_is_played_exactly_if_its_condition_holds(game: str, seats: int) -> None:
    counted: Counter[bool] = Counter()

    @settings(max_examples=examples(12))
    @given(
        seed=st.integers(0, 10_000),
        moves=st.integers(0, 30),
        follows=st.booleans(),
        rest=st.booleans(),
    )
    def check(seed: int, moves: int, follows: bool, rest: bool) -> None:
        async def both() -> None:
            planned = await plan_and_play(game, seats, seed, moves, follows, rest)
            counted[planned.fired] += 1
            by_hand = Course(game, seats, seed)
            await by_hand.begin()
            for user, text in planned.typed:
                await by_hand.submit(user, text)
            one = [(logged.entry, logged.user) for logged in await planned.world.store.log(planned.id)]
            other = [(logged.entry, logged.user) for logged in await by_hand.world.store.log(by_hand.id)]
            assert one == other

        with asyncio.Runner() as runner:
            runner.run(both())

    check()
    assert counted[True] > 1, "plans are played"
    assert counted[False] > 1, "and others aren't"
