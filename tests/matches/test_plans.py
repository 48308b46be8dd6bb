"""Plans are played by the service once what they wait for has happened."""

from __future__ import annotations

import pytest

from games.engine.game import Seat
from matches.plans.grammar import written
from matches.plans.planning import Planned
from tests.matches.planning import Going, begun
from tests.matches.world import ANN, BOB, CYD, World, played, refused


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
    assert [draft.message.to_json()["ping"] for draft in boards][-1] == [(await at.after(0)).id]
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
