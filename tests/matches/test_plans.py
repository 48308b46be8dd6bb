"""Plans are played by the service once what they wait for has happened, and no one else learns of them."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pytest

from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.plans.grammar import written
from matches.plans.service import Planned
from matches.ports import StoreError
from matches.results import Person, Played, Refused
from matches.rows import Commit
from matches.service import MatchService
from tests.fakes import FakeClock, FakeEntropy, MemoryStore
from tests.matches.world import ANN, BOB, CYD, DAN, World, opened, played, refused


@dataclass
class Going:
    """A match with who is to move, `mover`, and who moves after them, `planner`."""

    world: World
    id: str
    people: tuple[Person, ...]

    async def match(self) -> Match:
        seen = await self.world.queries.current(self.id)
        assert not isinstance(seen, Refused)
        return seen.match

    async def after(self, turns: int) -> Person:
        """Return who moves after some turns."""
        seen = await self.world.queries.current(self.id)
        assert not isinstance(seen, Refused)
        seats = seen.row.seats
        user = seats[(min(seen.match.to_act) + turns) % len(seats)].user
        return next(person for person in self.people if person.id == user)

    async def moves(self) -> list[str]:
        return list(await self.world.queries.legal(self.id, (await self.after(0)).id, limit=500))

    async def course(self, turns: int, pick: int = 0) -> list[str]:
        """Return moves that can follow on each other from here."""
        match = await self.match()
        game, state, texts = match.game, match.state, []
        for _ in range(turns):
            (seat,) = game.to_act(state)
            action = list(game.actions(game.view(state, seat), seat))[pick]
            texts.append(game.format(game.view(state, seat), action))
            state = game.apply(state, seat, action).state
        return texts

    async def play(self, text: str, request: str | None = None) -> Played:
        """Let who is to move play, and then what is planned."""
        who = await self.after(0)
        done = played(await self.world.play.submit(self.id, who.id, text, request=request or self.world.new))
        await self.world.service.plans.run(self.id)
        return done

    async def plan(self, who: Person, text: str) -> Planned:
        planned = await self.world.service.plans.add(self.id, who.id, text)
        assert isinstance(planned, Planned), planned
        return planned

    async def shown(self, who: Person) -> list[str]:
        planned = await self.world.service.plans.show(self.id, who.id)
        assert isinstance(planned, Planned), planned
        return [written(line) for line in planned.lines]

    async def news(self, who: Person) -> list[str]:
        """Return what a person was told about their plan."""
        return [
            draft.payload["plan"]["what"]
            for draft in await self.world.drafts(self.id)
            if "plan" in draft.payload and draft.user == who.id
        ]


async def begun(world: World, *people: Person, game: str = "focus", **how: Any) -> Going:
    people = people or (ANN, BOB)
    return Going(world, (await world.match(*people, game=game, **how)).row.id, people)


async def test_a_line_is_played_as_it_comes_true(world: World) -> None:
    at = await begun(world)
    one, two, three, four = await at.course(4)
    planner, other = await at.after(1), await at.after(0)
    text = f"{one}: {two}; {three}: {four}"
    planned = await at.plan(planner, text)
    assert [written(line) for line in planned.lines] == [text] == await at.shown(planner)
    await at.play(one)
    match = await at.match()
    assert [entry.data for entry in match.log[-2:]] == [one, two]
    assert await at.shown(planner) == [f"{three}: {four}"]
    assert await at.news(planner) == ["played"]
    assert await at.news(other) == []
    await at.play(three)
    assert [entry.data for entry in (await at.match()).log[-2:]] == [three, four]
    assert (await at.shown(planner), await at.news(planner)) == ([], ["played", "played"])
    assert await world.store.planned_matches() == frozenset()


async def test_it_is_an_ordinary_move_of_the_person(world: World) -> None:
    at = await begun(world)
    one, two = await at.course(2)
    planner = await at.after(1)
    await at.plan(planner, f"{one}: {two}")
    await world.sent()
    await at.play(one)
    last = (await world.store.log(at.id))[-1]
    assert (last.user, last.entry.data) == (planner.id, two)
    assert await world.store.request(f"plan-{at.id}-{last.entry.seat}-{last.entry.seq}") is not None
    boards = [draft for draft in await world.drafts(at.id) if draft.kind == "board"]
    assert [draft.payload["ping"] for draft in boards][-1] == [(await at.after(0)).id]
    await world.check(at.id)


async def test_what_was_not_foreseen_is_asked_and_told_once(world: World) -> None:
    at = await begun(world)
    planner = await at.after(1)
    moves = await at.moves()
    (_, reply) = await at.course(2)
    await at.plan(planner, f"{moves[0]}: {reply}")
    await at.play(moves[1])
    assert (await at.news(planner), await at.shown(planner)) == (["unforeseen"], [])
    assert await at.after(0) == planner
    await world.service.plans.run(at.id)
    await world.housekeeping.tick()
    assert await at.news(planner) == ["unforeseen"]


async def test_of_alternatives_the_one_that_fits_is_played(world: World) -> None:
    at = await begun(world)
    planner = await at.after(1)
    moves = await at.moves()
    replies = []
    for n in range(3):
        match = await at.match()
        (seat,) = match.to_act
        action = list(match.game.actions(match.state, seat))[n]
        state = match.game.apply(match.state, seat, action).state
        mine = list(match.game.actions(state, planner_seat := Seat(1 - seat)))[n]
        replies.append(match.game.format(match.game.view(state, planner_seat), mine))
    await at.plan(planner, f"{moves[0]}: {replies[0]}")
    await at.plan(planner, f"{moves[1]}: {replies[1]}")
    await at.plan(planner, f"any: {replies[2]}")
    assert len(await at.shown(planner)) == 3
    await at.play(moves[1])
    assert (await at.match()).log[-1].data == replies[1]
    assert await at.shown(planner) == []


async def test_with_three_each_move_before_the_turn_is_named_or_left_open(world: World) -> None:
    for rest in (False, True):
        at = await begun(world, ANN, BOB, CYD)
        one, two, three = await at.course(3)
        planner = await at.after(2)
        answer = await world.service.plans.add(at.id, planner.id, f"{one}: {three}")
        assert refused(answer) == "plan.refuse.more"
        await at.plan(planner, f"{one}, {'any' if rest else two}: {three}")
        await at.play(one)
        assert await at.shown(planner) != []
        assert await at.news(planner) == []
        mine = await at.course(2)
        await at.plan(planner, f"{(await at.moves())[-1]}: {mine[1]}")
        await at.play(two)
        assert (await at.match()).log[-1].data == three
        assert await at.shown(planner) == []


async def test_two_plans_answer_each_other(world: World) -> None:
    at = await begun(world, ANN, BOB, CYD)
    one, two, three = await at.course(3)
    await at.plan(await at.after(1), f"{one}: {two}")
    await at.plan(await at.after(2), f"{one}, {two}: {three}")
    await at.play(one)
    assert [entry.data for entry in (await at.match()).log[-3:]] == [one, two, three]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{one}", "colon"),
        ("e1-h8: {two}", "move"),
        ("{half}: {two}", "half"),
        ("{one}: e1-h8", "reply"),
        ("{one}: {two}, {one}", "reply"),
        ("{one}, {two}: {three}", "yours"),
        ("any: e1-h8", "reply"),
        ("any: {two}; {three}: {two}", "further"),
    ],
)
async def test_what_cannot_be_is_refused(world: World, text: str, why: str) -> None:
    at = await begun(world)
    one, two, three = await at.course(3)
    planner = await at.after(1)
    typed = text.format(one=one, two=two, three=three, half=one.partition("-")[0])
    assert refused(await world.service.plans.add(at.id, planner.id, typed)) == f"plan.refuse.{why}"
    assert await at.shown(planner) == []


async def test_who_may_not_plan(world: World) -> None:
    at = await begun(world)
    one, two = await at.course(2)
    plans, text = world.service.plans, f"{one}: {two}"
    planner, mover = await at.after(1), await at.after(0)
    assert refused(await plans.add(at.id, mover.id, text)) == "plan.refuse.turn"
    assert refused(await plans.add(at.id, CYD.id, text)) == "match.refuse.not_yours"
    assert refused(await plans.show(at.id, CYD.id)) == "match.refuse.not_yours"
    assert refused(await plans.add("F-NONE", ANN.id, text)) == "match.refuse.unknown"
    lobby = await world.open_lobby(ANN, BOB, game="focus")
    assert refused(await plans.add(lobby.id, ANN.id, text)) == "match.refuse.not_started"
    await at.plan(planner, text)
    assert refused(await plans.add(at.id, planner.id, text)) == "plan.refuse.known"
    assert refused(await plans.remove(at.id, mover.id)) == "plan.refuse.none"
    played(await world.play.resign(at.id, mover.id, request=world.new))
    assert refused(await plans.add(at.id, planner.id, text)) == "match.refuse.over"
    assert await world.store.plans(at.id) == ()


async def test_lines_are_removed_and_the_removed_are_not_played(world: World) -> None:
    at = await begun(world)
    one, two = await at.course(2)
    planner, plans = await at.after(1), world.service.plans
    await at.plan(planner, f"{one}: {two}")
    assert refused(await plans.remove(at.id, planner.id, "x: y")) == "plan.refuse.gone"
    gone = await plans.remove(at.id, planner.id, f"{one}: {two}")
    assert isinstance(gone, Planned)
    assert gone.lines == ()
    assert refused(await plans.remove(at.id, planner.id)) == "plan.refuse.none"
    await at.play(one)
    assert await at.after(0) == planner


async def test_a_takeback_drops_the_lines(world: World) -> None:
    at = await begun(world)
    (one,) = await at.course(1)
    planner = await at.after(0)
    await at.play(one)
    (reply, mine) = await at.course(2)
    await at.plan(planner, f"{reply}: {mine}")
    played(await world.service.undo.take_back(at.id, planner.id, request=world.new))
    await world.service.plans.run(at.id)
    assert (await at.shown(planner), await at.news(planner)) == ([], ["takeback"])
    await at.play(one)
    await at.play(reply)
    assert await at.after(0) == planner, "nothing is played that was planned before"


async def test_someone_leaving_drops_the_lines(world: World) -> None:
    at = await begun(world, ANN, BOB, CYD)
    one, two, three = await at.course(3)
    planner = await at.after(2)
    await at.plan(planner, f"{one}, {two}: {three}")
    played(await world.play.resign(at.id, (await at.after(1)).id, request=world.new))
    await world.service.plans.run(at.id)
    assert (await at.shown(planner), await at.news(planner)) == ([], ["left"])


async def test_nothing_is_played_while_an_answer_is_awaited(world: World) -> None:
    """The process dies after the move, and the mover offers a draw before it is back."""
    at = await begun(world)
    one, two = await at.course(2)
    planner, other = await at.after(1), await at.after(0)
    await at.plan(planner, f"{one}: {two}")
    played(await world.play.submit(at.id, other.id, one, request=world.new))
    played(await world.play.offer_draw(at.id, other.id, request=world.new))
    world.restart()
    await world.housekeeping.tick()
    assert await at.after(0) == planner
    played(await world.play.decline_draw(at.id, planner.id, request=world.new))
    await world.service.plans.run(at.id)
    assert (await at.match()).log[-1].data == two


@pytest.mark.parametrize("same", [True, False])
async def test_a_move_by_hand_goes_on_with_the_line_or_drops_it(world: World, same: bool) -> None:
    at = await begun(world)
    one, two, three, four = await at.course(4)
    planner, other = await at.after(1), await at.after(0)
    await at.plan(planner, f"{one}: {two}; {three}: {four}")
    played(await world.play.submit(at.id, other.id, one, request=world.new))
    text = two if same else (await at.moves())[-1]
    played(await world.play.submit(at.id, planner.id, text, request=world.new))
    await world.service.plans.run(at.id)
    assert await at.news(planner) == ([] if same else ["moved"])
    assert await at.shown(planner) == ([f"{three}: {four}"] if same else [])


async def test_plans_against_a_computer(world: World) -> None:
    row = await world.open_lobby(ANN, game="focus", seats=2)
    opened(await world.lobbies.add_computer(row.id, ANN.id, request=world.new))
    row = played(await world.lobbies.start(row.id, ANN.id, request=world.new)).row
    at = Going(world, row.id, (ANN,))
    await world.computers.run(row.id)
    await at.play((await at.moves())[0])
    match = await at.match()
    mine = match.log[-1].seat
    assert mine is not None
    planned = 0
    for action in list(match.game.actions(match.state, Seat(1 - mine))):
        state = match.game.apply(match.state, Seat(1 - mine), action).state
        reply = next(match.game.actions(state, mine))
        text = f"{match.game.format(match.state, action)}: {match.game.format(state, reply)}"
        planned += isinstance(await world.service.plans.add(row.id, ANN.id, text), Planned)
    assert planned == 12, "no more fit"
    await world.computers.run(row.id)
    await world.service.plans.run(row.id)
    assert (await at.shown(ANN)) == []


async def test_dice_that_come_between_leave_only_the_next_reply(world: World) -> None:
    at = await begun(world, game="two_domains")
    planner = await at.after(1)
    plans = world.service.plans
    assert "gather" in await at.moves()
    answer = await plans.add(at.id, planner.id, "gather: gather; gather: gather")
    assert refused(answer) == "plan.refuse.further"
    assert refused(await plans.add(at.id, planner.id, "gather, gather: gather")) == "plan.refuse.chance"
    assert refused(await plans.add(at.id, planner.id, "any: attack")) == "plan.refuse.reply"
    await at.plan(planner, "gather: gather")
    await at.play("gather")
    kinds = [str(entry.kind) for entry in (await at.match()).log[-4:]]
    assert kinds == ["play", "chance", "play", "chance"]


async def test_orders_for_the_next_turn_of_a_long_game(world: World) -> None:
    at = await begun(world, game="domination", options={"map": "islands", "setup": "auto"})
    planner = await at.after(1)
    match = await at.match()
    seat = Seat(1 - min(match.to_act))
    position = match.state.position
    mine = next(code for code, n in position.info.law.atlas.index.items() if position.owner[n] == seat)
    await at.plan(planner, f"any: place {mine} 1; place {mine} 1")
    while (await at.match()).to_act != {seat}:
        now = await at.match()
        (mover,) = now.to_act
        safe = now.game.default(now.game.view(now.state, mover), mover)
        await at.play(now.game.format(now.game.view(now.state, mover), safe))
    last = await world.store.log(at.id)
    assert [(one.entry.data.split()[:2], one.user) for one in last[-2:]] == [
        (["place", mine], planner.id),
        (["place", mine], planner.id),
    ]
    assert await at.news(planner) == ["played"]


async def test_nothing_can_be_planned_while_choices_are_secret(world: World) -> None:
    at = await begun(world, game="dominion")
    text = (await world.queries.legal(at.id, ANN.id))[0]
    assert refused(await world.service.plans.add(at.id, ANN.id, f"any: {text}")) == "plan.refuse.turn"
    played(await world.play.submit(at.id, ANN.id, text, request=world.new))
    if (await at.match()).to_act != {Seat(0)}:
        assert refused(await world.service.plans.add(at.id, ANN.id, "any: e3-e4")) == "plan.refuse.hidden"


async def test_dice_and_someone_else_come_between(world: World) -> None:
    at = await begun(world, ANN, BOB, CYD, game="dominion")
    for person in (ANN, BOB, CYD):
        text = (await world.queries.legal(at.id, person.id))[0]
        await world.play.submit(at.id, person.id, text, request=world.new)
    moves, plans = await at.moves(), world.service.plans
    answer = await plans.add(at.id, (await at.after(2)).id, f"{moves[0]}: e3-e4")
    assert refused(answer) == "plan.refuse.between"
    answer = await plans.add(at.id, (await at.after(1)).id, f"{moves[0]}: {moves[0]}")
    assert refused(answer) == "plan.refuse.reply"


async def test_a_reply_that_is_impossible_when_its_time_comes_is_not_played(world: World) -> None:
    at = await begun(world)
    match = await at.match()
    (mover,) = match.to_act
    planner, me = await at.after(1), Seat(1 - mover)
    game = match.game
    after = [game.apply(match.state, mover, action).state for action in game.actions(match.state, mover)]
    texts = [{game.format(state, action) for action in game.actions(state, me)} for state in after]
    possible = set.union(*texts)
    reply = next((text for text in sorted(possible) if not all(text in each for each in texts)), None)
    assert reply is not None
    bad = next(n for n, each in enumerate(texts) if reply not in each)
    await at.plan(planner, f"any: {reply}")
    await at.play((await at.moves())[bad])
    assert (await at.news(planner), await at.after(0)) == (["illegal"], planner)


@pytest.mark.parametrize("known", [True, False])
async def test_what_the_game_warns_about_is_asked_instead(
    world: World, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    at = await begun(world)
    one, two = await at.course(2)
    planner, game = await at.after(1), type((await at.match()).game)
    text = f"{one if known else 'any'}: {two}"

    def warns(self: object, view: object, seat: Seat, action: Any) -> Msg:
        return msg("match.refuse.over")

    with monkeypatch.context() as patch:
        patch.setattr(game, "caution", warns)
        answer = await world.service.plans.add(at.id, planner.id, text)
        assert not known or refused(answer) == "plan.refuse.caution"
    if known:
        await at.plan(planner, text)
    monkeypatch.setattr(game, "caution", warns)
    for _ in range(2):
        await world.play.submit(at.id, (await at.after(0)).id, one, request=world.new)
        if await at.after(0) == planner:
            break
    await world.service.plans.run(at.id)
    assert (await at.after(0), await at.news(planner)) == (planner, ["caution"])
    assert await at.shown(planner) == []


async def test_of_several_orders_what_is_possible_is_played_and_the_rest_told(world: World) -> None:
    at = await begun(world, game="domination", options={"map": "islands", "setup": "auto"})
    planner, match = await at.after(1), await at.match()
    seat = Seat(1 - min(match.to_act))
    position = match.state.position
    mine = next(code for code, n in position.info.law.atlas.index.items() if position.owner[n] == seat)
    await at.plan(planner, f"any: place {mine} 1; end")
    while (await at.match()).to_act != {seat}:
        now = await at.match()
        (mover,) = now.to_act
        safe = now.game.default(now.game.view(now.state, mover), mover)
        await at.play(now.game.format(now.game.view(now.state, mover), safe))
    (news,) = [draft.payload["plan"] for draft in await world.drafts(at.id) if "plan" in draft.payload]
    assert news == {"what": "partly", "move": f"place {mine} 1; end", "left": "end"}
    assert await at.after(0) == planner


# --- the only move ----------------------------------------------------------------------------------------


async def test_the_only_move_is_played(world: World) -> None:
    at = Going(world, (await world.match(ANN, BOB, game="three")).row.id, (ANN, BOB))
    for text in ("a1", "b1", "c1", "b2", "b3", "a2", "c2"):
        await at.play(text)
    planner = await at.after(1)
    answer = await world.service.plans.set_only_move(at.id, planner.id, on=True)
    assert isinstance(answer, Planned)
    assert answer.only_move
    await at.play("a3")
    match = await at.match()
    assert "c3" in [entry.data for entry in match.log[-2:]]
    assert await at.news(planner) == ["only"]
    assert match.ending is not None
    assert await world.store.planned_matches() == frozenset(), "removed with the end"


async def test_switched_off_nothing_is_played(world: World) -> None:
    at = Going(world, (await world.match(ANN, BOB, game="three")).row.id, (ANN, BOB))
    for text in ("a1", "b1", "c1", "b2", "b3", "a2", "c2"):
        await at.play(text)
    planner, plans = await at.after(1), world.service.plans
    for on in (True, True, False, False):
        assert isinstance(await plans.set_only_move(at.id, planner.id, on=on), Planned)
    assert await world.store.plans(at.id) == ()
    await at.play("a3")
    assert (await at.match()).ending is None


# --- exactly once -----------------------------------------------------------------------------------------


async def test_after_a_crash_the_next_start_plays_it_once(world: World) -> None:
    at = await begun(world)
    one, two, three, four = await at.course(4)
    planner, other = await at.after(1), await at.after(0)
    await at.plan(planner, f"{one}: {two}; {three}: {four}")
    played(await world.play.submit(at.id, other.id, one, request=world.new))
    world.restart()
    done = await world.housekeeping.tick()
    assert [(await world.store.log(at.id))[-1].entry.data] == [two]
    assert len(done) == 1
    world.restart()
    assert await world.housekeeping.tick() == ()
    assert await at.news(planner) == ["played"]
    assert await at.shown(planner) == [f"{three}: {four}"]


class Killed(BaseException):
    """The end of the process."""


class Dying:
    """A store at one of whose methods the process ends, before it has worked or after."""

    def __init__(self, store: Any, name: str, after: bool) -> None:
        self._store, self._name, self._after = store, name, after

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name != self._name:
            return method

        async def dies(*args: Any, **kwargs: Any) -> Any:
            if self._after:
                await method(*args, **kwargs)
            raise Killed

        return dies


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", ["plans", "match", "log", "commit", "save_plan"])
@pytest.mark.parametrize("fits", [True, False])
async def test_killed_at_any_step_it_happens_once(world: World, step: str, after: bool, fits: bool) -> None:
    at = await begun(world)
    one, two, three, four = await at.course(4)
    planner, other = await at.after(1), await at.after(0)
    await at.plan(planner, f"{one}: {two}; {three}: {four}")
    move = one if fits else (await at.moves())[-1]
    played(await world.play.submit(at.id, other.id, move, request=world.new))
    dying = MatchService(Dying(world.store, step, after), world.clock, world.entropy)
    with suppress(Killed):
        await dying.plans.run(at.id)
    world.restart()
    for _ in range(2):
        await world.housekeeping.tick()
    match = await at.match()
    assert [entry.data for entry in match.log[-2:]] == ([one, two] if fits else [match.log[-2].data, move])
    assert await at.news(planner) == (["played"] if fits else ["unforeseen"])
    assert await at.shown(planner) == ([f"{three}: {four}"] if fits else [])


async def test_a_full_store_leaves_it_for_later(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    world = World(store)
    at = await begun(world)
    one, two = await at.course(2)
    planner, other = await at.after(1), await at.after(0)
    await at.plan(planner, f"{one}: {two}")
    played(await world.play.submit(at.id, other.id, one, request=world.new))
    store.failing = StoreError("full")
    with pytest.raises(StoreError):
        await world.service.plans.run(at.id)
    with caplog.at_level(logging.DEBUG):
        await world.housekeeping.tick()
    assert two not in caplog.text
    store.failing = None
    await world.housekeeping.tick()
    assert (await at.match()).log[-1].data == two


# --- secrecy ----------------------------------------------------------------------------------------------


async def seen_by_others(world: World, at: Going) -> object:
    """Return all that others can see of a match: row, log, messages in the channel and to others, records."""
    drafts = await world.drafts(at.id)
    return (
        await world.queries.row(at.id),
        await world.store.log(at.id),
        [draft for draft in drafts if "plan" not in draft.payload],
        [await world.queries.mine(person.id) for person in (ANN, BOB)],
        await world.service.undo.offer(at.id, ANN.id),
        await world.service.undo.offer(at.id, BOB.id),
    )


async def test_nobody_else_can_tell_until_it_is_played(caplog: pytest.LogCaptureFixture) -> None:
    sights = []
    with caplog.at_level(logging.DEBUG):
        for planning in (False, True):
            world = World(MemoryStore(), FakeClock(), FakeEntropy("same"))
            at = await begun(world)
            moves, (one, two) = await at.moves(), await at.course(2)
            planner, seen = await at.after(1), [await seen_by_others(world, at)]
            if planning:
                await at.plan(planner, f"{one}: {two}")
                await world.service.plans.set_only_move(at.id, planner.id, on=True)
                for wrong in (f"{one}: a1-a2", f"{moves[1]}: x"):
                    assert isinstance(await world.service.plans.add(at.id, planner.id, wrong), Refused)
            seen.append(await seen_by_others(world, at))
            await at.play(moves[1])
            seen.append(await seen_by_others(world, at))
            sights.append(seen)
    assert sights[0] == sights[1]
    assert two not in caplog.text


async def test_the_log_is_that_of_the_same_moves_by_hand() -> None:
    logs = []
    for planning in (False, True):
        world = World(MemoryStore(), FakeClock(), FakeEntropy("same"))
        at = await begun(world)
        one, two = await at.course(2)
        if planning:
            await at.plan(await at.after(1), f"{one}: {two}")
        await at.play(one)
        if not planning:
            await at.play(two)
        logs.append(await world.store.log(at.id))
    assert logs[0] == logs[1]


async def test_a_seat_that_changes_hands_takes_no_plan_with_it(world: World) -> None:
    at = await begun(world)
    one, two = await at.course(2)
    planner = await at.after(1)
    await at.plan(planner, f"{one}: {two}")
    row = await world.queries.row(at.id)
    assert row is not None
    seats = tuple(replace(s, user=DAN.id, name="Dan") if s.user == planner.id else s for s in row.seats)
    await world.store.commit(Commit(replace(row, seats=seats, revision=row.revision + 1), world.clock.now()))
    assert await world.store.plans(at.id) == ()
    await at.world.play.submit(at.id, (await at.after(0)).id, one, request=world.new)
    await world.service.plans.run(at.id)
    assert (await at.match()).log[-1].data == one


async def test_suggestions_go_on_with_the_text(world: World) -> None:
    at = await begun(world)
    one, two, three = await at.course(3)
    planner, mover = await at.after(1), await at.after(0)
    suggest = world.service.plans.suggest
    assert one in await suggest(at.id, planner.id, one[:2])
    assert f"{one}: {two}" in await suggest(at.id, planner.id, f"{one}: {two[:2]}", limit=50)
    assert f"{one}: {two}; {three}" in await suggest(at.id, planner.id, f"{one}: {two}; {three[:3]}")
    assert await suggest(at.id, planner.id, "an") == ("any",)
    for who, text in ((mover, one[:2]), (CYD, one[:2]), (planner, "zz: "), (planner, "any: e")):
        assert await suggest(at.id, who.id, text) == ()
