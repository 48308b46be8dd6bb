"""Several orders in one text, and warnings before a move: what is written, what is left, what is asked."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from games.engine.match import Kind
from games.engine.message import msg
from games.engine.orders import Undone
from matches.results import Asked, Played, Refused, Tried, Warned
from tests.matches.world import ANN, BOB, CYD, World, catalogue, played, refused
from tests.toy.game import Toy


async def one_card_lies(world: World) -> tuple[str, tuple[str, ...]]:
    """A match in which Ann's card lies and Bob is to act: its id, and what he may do."""
    id_ = (await world.match(ANN, BOB)).row.id
    await world.move(id_, ANN)
    await world.sent()
    return id_, await world.queries.legal(id_, 2)


async def test_two_orders_are_one_change(world: World) -> None:
    id_, (low, _, high) = await one_card_lies(world)
    done = played(await world.play.submit(id_, 2, f"{high} ! {low}", request="a"))
    log = [each for each in await world.queries.log(id_) if each.entry.seq >= done.first]
    assert [each.entry.kind for each in log] == [Kind.PLAY, Kind.CHANCE, Kind.PLAY]
    assert [each.entry.data for each in log if each.entry.kind is Kind.PLAY] == [high, low]
    assert done.left is None
    assert done.match.to_act == {0}
    assert done.match.plays == 3
    (board,) = [draft for draft in await world.drafts(id_) if draft.kind == "board"]
    assert board.message.to_json() == {"first": done.first, "last": done.last, "ping": [1]}
    assert [fact.msg.key for fact in done.facts].count("toy.fact.ready") == 2
    world.restart()
    again = played(await world.play.submit(id_, 2, f"{high} ! {low}", request="a"))
    assert (again.repeated, again.first, again.last) == (True, done.first, done.last)
    assert again.facts == done.facts
    row = await world.store.match(id_)
    assert row is not None
    assert await world.queries.last_change(row) == (again.match, done.facts, done.first)
    await world.play_out(id_, ANN, BOB)
    await world.check(id_)


async def test_the_change_of_one_text_ends_where_the_next_begins(world: World) -> None:
    id_, (low, _, high) = await one_card_lies(world)
    one = played(await world.play.submit(id_, 2, high, request="a"))
    two = played(await world.play.submit(id_, 2, low, request="b"))
    world.restart()
    row = await world.store.match(id_)
    assert row is not None
    assert (await world.queries.last_change(row)).first == two.first == one.last + 1
    await world.play.offer_draw(id_, 2, request="c")
    row = await world.store.match(id_)
    assert row is not None
    assert (await world.queries.last_change(row)).first == two.first, "talk is no change"
    world.restart()
    assert (await world.queries.last_change(row)).first == two.first


async def test_what_can_not_be_carried_out_is_left_with_its_reason(world: World) -> None:
    id_, (low, _, high) = await one_card_lies(world)
    done = played(await world.play.submit(id_, 2, f"{high} ! card 99 ! {low}", request="a"))
    assert isinstance(done.left, Undone)
    assert (done.left.text, done.left.why.key) == (f"card 99 ! {low}", "toy.refuse.card")
    assert done.left.near == await world.queries.legal(id_, 2)
    assert catalogue().say(done.left.why)
    assert (await world.queries.log(id_))[-1].entry.kind is Kind.CHANCE
    again = played(await world.play.submit(id_, 2, f"{high} ! card 99 ! {low}", request="a"))
    assert (again.first, again.last, again.left) == (done.first, done.last, None), "told once"


async def test_half_an_order_waits_for_the_board_and_a_late_one_is_told(world: World) -> None:
    id_, (low, _, high) = await one_card_lies(world)
    done = played(await world.play.submit(id_, 2, f"{high} ! card", request="a"))
    assert (done.left, done.match.plays) == (None, 2), "the board asks"
    done = played(await world.play.submit(id_, 2, f"{low} ! card 99", request="b"))
    assert (done.left, done.match.plays) == (Undone("card 99", msg("match.undone.turn")), 3)


async def test_a_wrong_first_order_plays_nothing(world: World) -> None:
    id_, (low, _, _) = await one_card_lies(world)
    before = await world.store.match(id_)
    assert refused(await world.play.submit(id_, 2, f"card 99 ! {low}", request="a")) == "toy.refuse.card"
    assert isinstance(await world.play.submit(id_, 2, f"card ! {low}", request="a"), Asked)
    assert await world.store.match(id_) == before


async def test_the_last_order_may_end_the_match(world: World) -> None:
    id_, (low, _, high) = await one_card_lies(world)
    played(await world.play.submit(id_, 2, f"{high} ! {low}", request="a"))
    last = (await world.queries.legal(id_, 1))[0]
    done = played(await world.play.submit(id_, 1, f"{last} ! 1", request="b"))
    assert done.match.ending is not None
    assert done.left == Undone("1", msg("match.undone.over"), refused=False)
    assert (await world.queries.log(id_))[-1].entry.kind is Kind.REVEAL
    await world.check(id_)


async def test_two_texts_of_several_orders_at_once(world: World) -> None:
    id_, (low, _, high) = await one_card_lies(world)
    version = (await world.queries.log(id_))[-1].entry.seq
    answers = await asyncio.gather(
        *(
            world.play.submit(id_, 2, f"{high} ! {low}", request=request, version=version)
            for request in ("a", "b")
        )
    )
    assert {type(answer) for answer in answers} == {Played, Refused}
    (late,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert late.stale
    seen = await world.queries.current(id_)
    assert not isinstance(seen, Refused)
    assert seen.match.plays == 3


async def test_changes_bear_times_of_their_own(world: World) -> None:
    id_, (low, _, high) = await one_card_lies(world)
    await world.play.submit(id_, 2, high, request="a")
    await world.play.submit(id_, 2, low, request="b")
    times = [each.at for each in await world.queries.log(id_) if each.entry.kind is Kind.PLAY]
    assert times == sorted(set(times))
    world.clock.advance(-timedelta(hours=1))
    await world.move(id_, ANN)
    assert (await world.queries.log(id_))[-1].at > times[-1], "also when the clock was put back"


async def test_a_warning_asks_once(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    _, middle, _ = await world.queries.legal(id_, 1)
    before = await world.store.match(id_)
    warned = await world.play.submit(id_, 1, middle.removeprefix("card "), request="a")
    assert warned == Warned(msg("toy.caution.middle", card=int(middle[5:])), middle, 1)
    assert catalogue().say(warned.why)
    assert await world.play.submit(id_, 1, middle, request="a") == warned, "delivered twice is asked once"
    assert await world.store.match(id_) == before
    assert await world.store.request("a") is None
    done = played(await world.play.submit(id_, 1, middle, request="b"))
    assert done.match.plays == 1
    await world.check(id_)


async def test_a_warning_is_for_one_seat_one_position_one_action(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    mine, theirs = (await world.queries.legal(id_, 1))[1], (await world.queries.legal(id_, 2))[1]
    assert isinstance(await world.play.submit(id_, 1, mine, request="a"), Warned)
    assert isinstance(await world.play.submit(id_, 2, theirs, request="b"), Warned)
    await world.move(id_, BOB)
    assert isinstance(await world.play.submit(id_, 1, mine, request="c"), Warned), "another position"
    version = (await world.queries.log(id_))[-1].entry.seq
    late = await world.play.submit(id_, 1, mine, request="d", version=version - 1)
    assert isinstance(late, Refused)
    assert late.stale
    world.restart()
    assert isinstance(await world.play.submit(id_, 1, mine, request="e"), Warned), "a restart asks again"
    assert isinstance(await world.play.submit(id_, 1, mine, request="f"), Played)


async def test_a_warning_keeps_the_orders_behind_it(world: World) -> None:
    id_, (low, middle, _) = await one_card_lies(world)
    warned = await world.play.submit(id_, 2, f"{middle} ! {low}", request="a")
    assert isinstance(warned, Warned)
    assert warned.text == f"{middle} ! {low}"
    done = played(await world.play.submit(id_, 2, warned.text, request="b"))
    assert done.match.plays == 3


async def test_an_order_behind_is_not_carried_out_against_a_warning(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_, (low, _, high) = await one_card_lies(world)
    why = msg("toy.caution.middle", card=int(low[5:]))

    def wary(self: Toy, view: object, seat: int, action: object) -> object:
        return why if self.encode(action) == low else None  # type: ignore[arg-type] # any action

    monkeypatch.setattr(Toy, "caution", wary)
    done = played(await world.play.submit(id_, 2, f"{high} ! {low}", request="a"))
    assert done.left == Undone(low, why)
    assert done.match.plays == 2


async def test_a_try_tells_of_the_warning_and_a_computer_is_not_asked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    focus = (await world.match(ANN, BOB, game="focus")).row.id
    seen = await world.queries.current(focus)
    assert not isinstance(seen, Refused)
    mover = 1 + min(seen.match.to_act)
    why = msg("toy.caution.middle", card=1)
    game = type(seen.match.game)
    monkeypatch.setattr(game, "caution", lambda *_: why)
    text = (await world.queries.legal(focus, mover))[0]
    tried = await world.play.submit(focus, mover, f"?{text}", request="a")
    assert isinstance(tried, Tried)
    assert tried.caution == why
    assert isinstance(await world.play.submit(focus, mover, text, request="b"), Warned)
    row = await world.open_lobby(CYD)
    await world.lobbies.add_computer(row.id, CYD.id, request=world.new, level="random")
    await world.lobbies.start(row.id, CYD.id, request=world.new)
    monkeypatch.setattr(Toy, "caution", lambda *_: why)
    assert len(await world.computers.run(row.id)) == 1


async def test_only_the_latest_warnings_are_remembered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.play.moves._MAX_WARNINGS", 1)
    world.restart()
    id_ = (await world.match(ANN, BOB)).row.id
    mine, theirs = (await world.queries.legal(id_, 1))[1], (await world.queries.legal(id_, 2))[1]
    for who, text, request in ((1, mine, "a"), (2, theirs, "b"), (1, mine, "c")):
        assert isinstance(await world.play.submit(id_, who, text, request=request), Warned)
    assert isinstance(await world.play.submit(id_, 1, mine, request="d"), Played)


async def one_more(world: World) -> tuple[str, int, str]:
    """A match of world conquest, who is to act, and an order that they can give again and again."""
    id_ = (await world.match(ANN, BOB, game="domination", options={"setup": "deal"})).row.id
    seen = await world.queries.current(id_)
    assert not isinstance(seen, Refused)
    who = seen.row.seats[min(seen.match.to_act)].user
    assert who is not None
    text = next(each for each in await world.queries.legal(id_, who) if each.endswith(" 1"))
    return id_, who, text


@pytest.mark.parametrize("known", ["noted", "killed"])
async def test_an_order_whose_answer_failed_is_asked_about_once(world: World, known: str) -> None:
    id_, who, text = await one_more(world)
    done = played(await world.play.submit(id_, who, text, request="a"))
    if known == "noted":
        world.play.note_unanswered(id_, who, done.last)
    else:
        world.clock.advance(seconds=1)
        world.restart()
    asked = await world.play.submit(id_, who, text.upper(), request="b")
    assert isinstance(asked, Warned)
    assert asked.why == msg("match.again")
    assert isinstance(await world.play.submit(id_, who, text.upper(), request="b"), Warned), "delivered twice"
    once_more = played(await world.play.submit(id_, who, asked.text, request="c", version=asked.version))
    assert once_more.match.plays == done.match.plays + 1
    played(await world.play.submit(id_, who, text, request="d"))


@pytest.mark.parametrize("why", ["answered", "later", "another", "undone"])
async def test_an_order_given_again_is_played_where_its_author_knows(world: World, why: str) -> None:
    id_, who, text = await one_more(world)
    done = played(await world.play.submit(id_, who, text, request="a"))
    if why != "answered":
        world.play.note_unanswered(id_, who, done.last)
    if why == "later":
        world.clock.advance(minutes=1, seconds=1)
    if why == "another":
        text = f"{text[:-1]}2"
    if why == "undone":
        played(await world.service.undo.take_back(id_, who, request="undo"))
    played(await world.play.submit(id_, who, text, request="b"))
