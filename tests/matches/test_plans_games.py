"""What a plan can be depends on the game: dice, secrets, long turns, warnings, computers."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.game import Seat
from games.engine.message import Msg, msg
from matches.plans.planning import Planned
from tests.matches.planning import Going, begun
from tests.matches.world import ANN, BOB, CYD, World, opened, played, refused


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


@pytest.mark.parametrize("torn", ["{at}, 1", "{at}; 1", "{at}\n1", "{at} 1.5", "1, {at}", "{at}; {at} 1"])
async def test_a_reply_of_which_a_part_has_no_meaning_is_not_planned(world: World, torn: str) -> None:
    at = await begun(world, game="domination", options={"map": "islands", "setup": "auto"})
    planner = await at.after(1)
    match = await at.match()
    seat = Seat(1 - min(match.to_act))
    position = match.state.position
    mine = next(code for code, n in position.info.law.atlas.index.items() if position.owner[n] == seat)
    answer = await world.service.plans.add(at.id, planner.id, f"any: place {torn.format(at=mine)}")
    assert refused(answer) == "plan.refuse.reply"


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
    (news,) = [
        draft.message.to_json()["plan"]
        for draft in await world.drafts(at.id)
        if "plan" in draft.message.to_json()
    ]
    assert news == {"what": "partly", "move": f"place {mine} 1; end", "left": "end"}
    assert await at.after(0) == planner
