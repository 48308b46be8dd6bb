"""Moves are taken back by the service: once, as a whole, while nothing has come of them."""

from __future__ import annotations

import pytest

from matches.outbox.messages import LogNotice
from matches.play.undo import Takeback
from matches.results import Person, Refused
from tests.matches.test_computers import against
from tests.matches.world import ANN, BOB, CYD, World, played, refused


async def mover_of(world: World, id_: str, *people: object) -> tuple[int, int]:
    """The user to move, and one who isn't."""
    seen = await world.queries.current(id_)
    assert not isinstance(seen, Refused)
    users = [seat.user for seat in seen.row.seats]
    mover = users[min(seen.match.to_act)]
    other = next(user for user in users if user != mover)
    assert mover is not None
    assert other is not None
    return mover, other


async def test_ones_own_last_move_is_taken_back_once(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    mover, other = await mover_of(world, id_)
    assert refused(await world.service.undo.offer(id_, mover)) == "match.refuse.takeback"
    text = (await world.queries.legal(id_, mover))[0]
    done = played(await world.play.submit(id_, mover, text, request="move"))
    offered = await world.service.undo.offer(id_, mover)
    assert offered == Takeback(done.first - 1, (text,), done.match.seq)
    assert refused(await world.service.undo.offer(id_, other)) == "match.refuse.takeback"
    back = played(await world.service.undo.take_back(id_, mover, request="undo", version=done.match.seq))
    assert [fact.msg.key for fact in back.facts] == ["match.fact.takeback"]
    assert dict(back.facts[0].msg.values)["moves"] == (text,)
    again = played(await world.service.undo.take_back(id_, mover, request="undo", version=done.match.seq))
    assert (again.repeated, again.match.seq) == (True, back.match.seq)
    assert refused(await world.service.undo.take_back(id_, mover, request="other")) == "match.refuse.takeback"
    assert (await mover_of(world, id_))[0] == mover


async def test_an_old_offer_is_stale(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    mover, _ = await mover_of(world, id_)
    seen = [await world.queries.legal(id_, mover)]
    first = played(await world.play.submit(id_, mover, seen[0][0], request="a"))
    played(await world.service.undo.take_back(id_, mover, request="b"))
    played(await world.play.submit(id_, mover, seen[0][1], request="c"))
    late = await world.service.undo.take_back(id_, mover, request="d", version=first.match.seq)
    assert isinstance(late, Refused)
    assert late.stale


@pytest.mark.slow
async def test_who_has_rolled_needs_the_other(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="two_domains")).row.id
    while True:
        mover, _ = await mover_of(world, id_)
        text = (await world.queries.legal(id_, mover))[0]
        done = played(await world.play.submit(id_, mover, text, request=world.new))
        if len(done.match.log[done.first :]) > 1:
            break
    offered = await world.service.undo.offer(id_, mover)
    assert isinstance(offered, Takeback)
    assert len(offered.others) == 1


async def test_a_text_of_several_orders_is_taken_back_whole(world: World) -> None:
    options = {"map": "islands", "setup": "auto"}
    id_ = (await world.match(ANN, BOB, game="domination", options=options)).row.id
    mover, _ = await mover_of(world, id_)
    first = (await world.queries.legal(id_, mover))[0]
    country = first.split()[1] if " " in first else first
    done = played(await world.play.submit(id_, mover, f"place {country} 1; place {country} 1", request="a"))
    assert done.last - done.first == 1
    offered = await world.service.undo.offer(id_, mover)
    assert isinstance(offered, Takeback)
    assert (offered.to, len(offered.moves)) == (done.first - 1, 2)
    back = played(await world.service.undo.take_back(id_, mover, request="b"))
    assert back.first == back.last


async def test_each_message_of_a_turn_is_taken_back_on_its_own_the_last_one_first(world: World) -> None:
    options = {"map": "islands", "setup": "auto"}
    id_ = (await world.match(ANN, BOB, game="domination", options=options)).row.id
    mover, _ = await mover_of(world, id_)
    country = (await world.queries.legal(id_, mover))[0].split()[1]
    sent = [f"place {country} {armies}" for armies in (1, 2)]
    for text in sent:
        played(await world.play.submit(id_, mover, text, request=text))
    for text in reversed(sent):
        offered = await world.service.undo.offer(id_, mover)
        assert isinstance(offered, Takeback)
        assert (offered.moves, offered.others) == ((text,), frozenset()), "the question names it"
        played(await world.service.undo.take_back(id_, mover, request=world.new))
    assert refused(await world.service.undo.offer(id_, mover)) == "match.refuse.takeback"


@pytest.mark.parametrize(("game", "dice"), [("focus", False), ("two_domains", True)])
async def test_computers_agree_unless_dice_have_come_of_it(world: World, game: str, dice: bool) -> None:
    id_ = await against(world, ANN, game=game)
    rolled = False
    while not rolled:
        await world.computers.run(id_)
        done = await world.move(id_, ANN)
        rolled = not dice or len(done.match.log[done.first :]) > 1
    await world.computers.run(id_)
    offered = await world.service.undo.offer(id_, ANN.id)
    if dice:
        assert refused(offered) == "match.refuse.takeback_dice"
    else:
        assert isinstance(offered, Takeback)
        assert (len(offered.moves), offered.others) == (2, frozenset()), "the computer's move goes too"


async def test_a_secret_choice_is_free_until_all_have_chosen(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="dominion")).row.id
    seen = await world.queries.current(id_)
    assert not isinstance(seen, Refused)
    assert len(seen.match.to_act) == 2
    texts = {person.id: (await world.queries.legal(id_, person.id))[0] for person in (ANN, BOB)}
    played(await world.play.submit(id_, ANN.id, texts[ANN.id], request="a"))
    back = played(await world.service.undo.take_back(id_, ANN.id, request="b"))
    assert [fact.msg.key for fact in back.facts] == ["match.fact.takeback_closed"]
    assert not any(word in str(back.facts) for word in texts[ANN.id].split()[1:])
    played(await world.play.submit(id_, ANN.id, texts[ANN.id], request="c"))
    played(await world.play.submit(id_, BOB.id, texts[BOB.id], request="d"))
    for person in (ANN, BOB):
        offered = await world.service.undo.offer(id_, person.id)
        assert isinstance(offered, Takeback)
        assert offered.others, "all have seen what was chosen"


@pytest.mark.parametrize("who", [CYD.id, 77])
async def test_only_players_take_back(world: World, who: int) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    assert refused(await world.service.undo.take_back(id_, who, request="a")) == "match.refuse.not_yours"


async def both_moved(world: World, *people: Person, game: str = "focus") -> tuple[str, int, int]:
    """A match in which two have moved: its id, who moved first, who then."""
    id_ = (await world.match(*people, game=game)).row.id
    movers = []
    for _ in range(2):
        mover, _ = await mover_of(world, id_)
        text = (await world.queries.legal(id_, mover))[0]
        played(await world.play.submit(id_, mover, text, request=world.new))
        movers.append(mover)
    return id_, movers[0], movers[1]


async def test_who_has_been_answered_asks_the_other(world: World) -> None:
    id_, first, second = await both_moved(world, ANN, BOB)
    offered = await world.service.undo.offer(id_, first)
    assert isinstance(offered, Takeback)
    assert len(offered.moves) == 2, "the other's move goes too"
    asked = played(await world.service.undo.take_back(id_, first, request="ask", version=offered.version))
    assert [fact.msg.key for fact in asked.facts] == ["match.fact.ask"]
    assert asked.match.talk.asked is not None
    again = await world.service.undo.take_back(id_, first, request="again")
    assert refused(again) == "match.refuse.asked"
    (asking,) = [each for each in await world.drafts(id_) if isinstance(each.message, LogNotice)]
    assert asking.message.to_json()["last"] == asked.match.seq
    assert refused(await world.service.undo.agree(id_, first, request="own", asked=asked.match.seq)) == (
        "match.refuse.asked"
    )
    back = played(await world.service.undo.agree(id_, second, request="yes", asked=asked.match.seq))
    assert [fact.msg.key for fact in back.facts] == ["match.fact.takeback"]
    assert (back.match.plays, back.match.talk.asked) == (0, None)
    late = await world.service.undo.agree(id_, second, request="late", asked=asked.match.seq)
    assert refused(late) == "match.refuse.no_request"
    assert played(await world.service.undo.agree(id_, second, request="yes", asked=1)).repeated


async def test_with_three_all_others_have_to_agree(world: World) -> None:
    id_, first, _ = await both_moved(world, ANN, BOB, CYD)
    asked = played(await world.service.undo.take_back(id_, first, request="ask")).match.seq
    others = [person.id for person in (ANN, BOB, CYD) if person.id != first]
    half = played(await world.service.undo.agree(id_, others[0], request="a", asked=asked))
    assert (half.match.plays, [fact.msg.key for fact in half.facts]) == (2, ["match.fact.ask_agree"])
    whole = played(await world.service.undo.agree(id_, others[1], request="b", asked=asked))
    assert whole.match.plays == 0


async def test_a_request_is_declined_or_withdrawn_by_a_move(world: World) -> None:
    id_, first, second = await both_moved(world, ANN, BOB)
    asked = played(await world.service.undo.take_back(id_, first, request="ask")).match.seq
    no = played(await world.service.undo.decline(id_, second, request="no", asked=asked))
    assert ([fact.msg.key for fact in no.facts], no.match.talk.asked) == (["match.fact.ask_decline"], None)
    assert refused(await world.service.undo.decline(id_, second, request="x", asked=asked)) == (
        "match.refuse.no_request"
    )
    asked = played(await world.service.undo.take_back(id_, first, request="ask 2")).match.seq
    text = (await world.queries.legal(id_, first))[0]
    assert played(await world.play.submit(id_, first, text, request="move")).match.talk.asked is None
    assert refused(await world.service.undo.agree(id_, second, request="y", asked=asked)) == (
        "match.refuse.no_request"
    )


async def test_a_request_outlives_a_restart(world: World) -> None:
    id_, first, second = await both_moved(world, ANN, BOB)
    asked = played(await world.service.undo.take_back(id_, first, request="ask")).match.seq
    world.restart()
    assert played(await world.service.undo.agree(id_, second, request="yes", asked=asked)).match.plays == 0


async def test_after_a_resignation_nothing_before_it_is_taken_back(world: World) -> None:
    id_, first, second = await both_moved(world, ANN, BOB, CYD)
    played(await world.play.resign(id_, second, request="gone"))
    assert refused(await world.service.undo.offer(id_, first)) == "match.refuse.takeback_left"
