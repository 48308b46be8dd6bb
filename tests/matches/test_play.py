"""Moves: what a text does, in turn and out of turn, late, twice, and two at once."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from games.engine.match import Kind
from games.engine.message import Who, msg
from games.engine.notation import MAX_LENGTH
from matches.results import Asked, Played, Refused, Tried
from matches.service import MatchService
from tests.matches.world import ANN, BOB, CYD, Interposed, World, played, refused


async def test_a_move_is_written_and_answered(world: World) -> None:
    begun = await world.match(ANN, BOB)
    world.clock.advance(timedelta(minutes=1))
    card = (await world.queries.legal(begun.row.id, 1))[0]
    done = played(await world.play.submit(begun.row.id, 1, card, request="a"))
    assert (done.first, done.last, done.repeated) == (2, 2, False)
    assert done.facts[0].msg == msg("toy.fact.ready", who=Who(0))
    assert await world.store.match(begun.row.id) == done.row
    logged = (await world.queries.log(begun.row.id))[-1]
    assert (logged.entry.kind, logged.entry.data, logged.user) == (Kind.PLAY, card, 1)
    assert logged.at == world.clock.now()


async def test_a_move_brings_what_follows_from_it(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.move(id_, ANN)
    done = await world.move(id_, BOB)
    kinds = [(logged.entry.kind, logged.user) for logged in (await world.queries.log(id_))[-2:]]
    assert (done.first, done.last) == (3, 4)
    assert kinds == [(Kind.PLAY, 2), (Kind.CHANCE, None)]
    end = await world.play_out(id_, ANN, BOB)
    assert end.row.status == "over"
    assert end.row.result is not None
    assert end.row.result["how"] == "outcome"
    assert (await world.queries.log(id_))[-1].entry.kind is Kind.REVEAL
    await world.check(id_)


@pytest.mark.parametrize(
    "dress", ["{}", "  {}\n", "**{}**", "`{}`", "```{}```", "> {}", "||{}||", "\u200b{}", "__*{}*__"]
)
async def test_markup_around_a_move_is_taken_off(world: World, dress: str) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    card = (await world.queries.legal(id_, 1))[0]
    played(await world.play.submit(id_, 1, dress.format(card), request="a"))


async def test_half_a_move_is_answered_by_what_may_follow(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    for text in ("card", "", "?"):
        asked = await world.play.submit(id_, 1, text, request="a")
        assert isinstance(asked, Asked)
        assert asked.choices == await world.queries.legal(id_, 1)


@pytest.mark.parametrize(
    ("text", "key", "chat"),
    [
        ("good luck!", "toy.refuse.text", True),
        ("card 99", "toy.refuse.card", False),
        ("x" * (MAX_LENGTH + 1), "match.refuse.long", True),
        ("?" * 4000, "match.refuse.long", True),
        ("**" * 2000, "", False),
        ("card 1 " * 500, "match.refuse.long", True),
    ],
)
async def test_what_is_no_move_writes_nothing(world: World, text: str, key: str, chat: bool) -> None:
    begun = await world.match(ANN, BOB)
    answer = await world.play.submit(begun.row.id, 1, text, request="a")
    if key:
        assert isinstance(answer, Refused)
        assert (answer.why.key, answer.chat, answer.stale) == (key, chat, False)
    else:
        assert isinstance(answer, Asked), "nothing but markup is an empty text"
    assert await world.store.match(begun.row.id) == begun.row
    assert await world.store.request("a") is None


async def test_a_wrong_move_names_near_ones(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    answer = await world.play.submit(id_, 1, "card 99", request="a")
    assert isinstance(answer, Refused)
    assert answer.near == await world.queries.legal(id_, 1)


async def test_out_of_turn_a_move_hears_whose_turn_it_is_and_chat_stays_chat(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.move(id_, ANN)
    early = await world.play.submit(id_, 1, "card 1", request="a")
    assert early == Refused(msg("match.refuse.turn", next=(Who(1),)))
    begun = await world.match(ANN, BOB, game="focus")
    waiting = 2 - min(begun.match.to_act)
    chat = await world.play.submit(begun.row.id, waiting, "your turn, my friend", request="a")
    assert isinstance(chat, Refused)
    assert (chat.why.key, chat.chat) == ("match.refuse.turn", True)


async def test_a_spectators_text_is_chat(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    answer = await world.play.submit(id_, 3, "card 1", request="a")
    assert answer == Refused(msg("match.refuse.not_yours"), chat=True)


async def test_after_the_end_nothing_moves(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.play_out(id_, ANN, BOB)
    service = world.service
    for answer in (
        await service.play.submit(id_, 1, "card 1", request="a"),
        await service.play.submit(id_, 1, "card 1", request="a", version=1),
        await service.play.resign(id_, 1, request="a"),
        await service.play.resign(id_, 1, request="a", version=1),
        await service.play.offer_draw(id_, 1, request="a"),
        await service.play.decline_draw(id_, 1, request="a"),
        await service.play.abort(id_, 1, request="a"),
    ):
        assert refused(answer) == "match.refuse.over"


async def test_talk_after_the_end_is_chat(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    await world.play.resign(id_, 1, request="a")
    for text, chat in (("well played", True), ("d4-d5", False)):
        answer = await world.play.submit(id_, 1, text, request="b")
        assert answer == Refused(msg("match.refuse.over"), chat=chat)


async def test_what_is_no_match_yet_or_at_all_says_so(world: World) -> None:
    lobby = (await world.open_lobby(ANN)).id
    for id_, key in ((lobby, "match.refuse.not_started"), ("W-ZZZ", "match.refuse.unknown")):
        for answer in (
            await world.play.submit(id_, 1, "card 1", request="a"),
            await world.play.resign(id_, 1, request="a"),
            await world.play.abort(id_, 1, request="a"),
            await world.queries.current(id_),
        ):
            assert refused(answer) == key
    await world.lobbies.close(lobby, 1, request="b")
    assert refused(await world.play.submit(lobby, 1, "x", request="a")) == "lobby.refuse.closed"


async def test_a_try_shows_the_move_and_writes_nothing(world: World) -> None:
    begun = await world.match(ANN, BOB, game="focus")
    mover = ANN if min(begun.match.to_act) == 0 else BOB
    text = (await world.queries.legal(begun.row.id, mover.id))[0]
    tried = await world.play.submit(begun.row.id, mover.id, f"? {text}", request="a")
    assert isinstance(tried, Tried)
    assert (tried.text, tried.match.seq) == (text, begun.last + 1)
    assert tried.facts
    assert await world.play.submit(begun.row.id, mover.id, text, request="a", attempt=True) == tried
    assert await world.store.match(begun.row.id) == begun.row
    done = played(await world.play.submit(begun.row.id, mover.id, text, request="a"))
    assert done.match.state == tried.match.state


async def test_a_try_tells_nothing_hidden_and_is_judged(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    card = (await world.queries.legal(id_, 1))[0]
    assert await world.play.submit(id_, 1, f"?{card}", request="a") == Refused(
        msg("match.refuse.hidden", move=card)
    )
    assert refused(await world.play.submit(id_, 1, "?card 99", request="a")) == "toy.refuse.card"


async def test_a_repeated_move_is_answered_again_even_later(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.move(id_, ANN)
    card = (await world.queries.legal(id_, 2))[0]
    first = played(await world.play.submit(id_, 2, card, request="a"))
    await world.move(id_, ANN)
    world.restart()
    again = played(await world.play.submit(id_, 2, card, request="a"))
    assert again.repeated
    assert (again.first, again.last, again.facts) == (first.first, first.last, first.facts)
    assert again.match == first.match
    chat = played(await world.play.submit(id_, 2, "edited to chat", request="a"))
    assert chat.repeated, "an edited message changes nothing"
    assert len(await world.queries.log(id_)) == 6


async def test_a_request_of_the_lobby_is_no_move(world: World) -> None:
    row = await world.open_lobby(ANN)
    joined = world.new
    await world.lobbies.join(row.id, BOB, request=joined)
    await world.lobbies.start(row.id, 1, request=world.new)
    assert refused(await world.play.submit(row.id, 1, "card", request=joined)) == "match.refuse.not_started"


async def test_two_moves_at_once_one_counts_and_one_hears_of_it(world: World) -> None:
    begun = await world.match(ANN, BOB, game="focus")
    mover = ANN if min(begun.match.to_act) == 0 else BOB
    one, two = (await world.queries.legal(begun.row.id, mover.id))[:2]
    store = Interposed(world.store, lambda: asyncio.sleep(0))  # the other comes in during the commit
    service = MatchService(store, world.clock, world.entropy)
    first, second = await asyncio.gather(
        service.play.submit(begun.row.id, mover.id, one, request="a"),
        service.play.submit(begun.row.id, mover.id, two, request="b"),
    )
    assert played(first).last == begun.last + 1
    assert isinstance(second, Refused)
    assert (second.why.key, second.stale) == ("match.refuse.stale", True)
    assert len(await world.queries.log(begun.row.id)) == begun.last + 2


async def test_the_same_request_twice_at_once_counts_once(world: World) -> None:
    begun = await world.match(ANN, BOB)
    card = (await world.queries.legal(begun.row.id, 1))[0]
    answers = await asyncio.gather(*(world.play.submit(begun.row.id, 1, card, request="a") for _ in range(3)))
    assert sorted(played(answer).repeated for answer in answers) == [False, True, True]


async def test_simultaneous_choices_at_once_all_count(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD)).row.id
    cards = {who: (await world.queries.legal(id_, who))[0] for who in (1, 2, 3)}
    answers = await asyncio.gather(
        *(world.play.submit(id_, who, card, request=f"m{who}") for who, card in cards.items())
    )
    assert [played(answer).last for answer in answers] == [2, 3, 5]


async def test_a_button_of_an_old_position_is_stale(world: World) -> None:
    begun = await world.match(ANN, BOB)
    id_, service = begun.row.id, world.service
    await world.move(id_, ANN)
    for answer in (
        await service.play.submit(id_, 2, "card 1", request="a", version=begun.last),
        await service.play.submit(id_, 2, "card 1", request="a", version=99),
        await service.play.submit(id_, 2, "card 1", request="a", version=-1),
        await service.play.resign(id_, 2, request="a", version=begun.last),
        await service.play.offer_draw(id_, 2, request="a", version=begun.last),
        await service.play.abort(id_, 2, request="a", version=begun.last),
    ):
        assert answer == Refused(msg("match.refuse.stale"), stale=True)
    card = (await service.queries.legal(id_, 2))[0]
    played(await service.play.submit(id_, 2, card, request="a", version=begun.last + 1))


async def test_talk_about_a_draw_makes_no_board_stale(world: World) -> None:
    begun = await world.match(ANN, BOB)
    id_, service, seen = begun.row.id, world.service, begun.last
    played(await service.play.offer_draw(id_, 1, request="a", version=seen))
    late = await service.play.offer_draw(id_, 2, request="b", version=seen)
    assert late == Refused(msg("match.refuse.stale"), stale=True), "it would have been an agreement"
    played(await service.play.decline_draw(id_, 2, request="c", version=seen + 1))
    assert (
        refused(await service.play.decline_draw(id_, 2, request="d", version=seen + 1))
        == "match.refuse.stale"
    )
    played(await service.play.offer_draw(id_, 2, request="e", version=seen))
    card = (await service.queries.legal(id_, 1))[0]
    assert (
        played(await service.play.submit(id_, 1, card, request="f", version=seen)).match.talk.offers
        == frozenset()
    )


async def test_a_draw_takes_everybody(world: World) -> None:
    id_, service = (await world.match(ANN, BOB, CYD)).row.id, world.service
    assert refused(await service.play.decline_draw(id_, 1, request="a")) == "match.refuse.no_offer"
    played(await service.play.offer_draw(id_, 1, request="b"))
    assert refused(await service.play.offer_draw(id_, 1, request="c")) == "match.refuse.offered"
    assert refused(await service.play.offer_draw(id_, 9, request="c")) == "match.refuse.not_yours"
    played(await service.play.offer_draw(id_, 2, request="d"))
    done = played(await service.play.offer_draw(id_, 3, request="e"))
    assert done.row.result == {"how": "draw", "ranks": [1, 1, 1]}
    assert done.row.status == "over"
    await world.check(id_)


async def test_who_resigned_is_out_and_the_others_play_on(world: World) -> None:
    id_, service = (await world.match(ANN, BOB, CYD)).row.id, world.service
    done = played(await service.play.resign(id_, 2, request="a"))
    assert done.row.status == "live"
    assert done.match.seats.gone == {1}
    for answer in (
        await service.play.submit(id_, 2, "card 1", request="b"),
        await service.play.resign(id_, 2, request="b"),
        await service.play.offer_draw(id_, 2, request="b"),
    ):
        assert refused(answer) == "match.refuse.gone"
    assert refused(await service.play.resign(id_, 8, request="b")) == "match.refuse.not_yours"
    end = played(await service.play.resign(id_, 1, request="c"))
    assert end.row.result == {"how": "outcome", "ranks": [2, 2, 1]}
    await world.check(id_)


async def test_abort_is_for_those_in_it_before_a_move(world: World) -> None:
    id_, service = (await world.match(ANN, BOB)).row.id, world.service
    assert refused(await service.play.abort(id_, 9, request="a")) == "match.refuse.not_yours"
    done = played(await service.play.abort(id_, 2, request="b"))
    assert (done.row.status, done.row.result) == ("aborted", {"how": "abort", "ranks": []})
    await world.check(id_)
    other = (await world.match(ANN, BOB)).row.id
    await world.move(other, ANN)
    assert refused(await service.play.abort(other, 2, request="c")) == "match.refuse.abort"


async def test_a_change_that_came_too_late_is_judged_again(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    cards = {who: (await world.queries.legal(id_, who))[0] for who in (1, 2)}
    quicker = world.service
    slower = MatchService(
        Interposed(world.store, lambda: quicker.play.submit(id_, 1, cards[1], request="a")),
        world.clock,
        world.entropy,
    )
    done = played(await slower.play.submit(id_, 2, cards[2], request="b"))
    assert (done.first, done.last) == (3, 4)


async def test_a_match_that_never_stands_still_is_given_up(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    card = (await world.queries.legal(id_, 2))[0]
    numbers = iter(range(10))
    noisy = Interposed(world.store, *[lambda: world.channels.record(id_, thread=next(numbers) + 1)] * 2)
    answer = await MatchService(noisy, world.clock, world.entropy).play.submit(id_, 2, card, request="b")
    assert answer == Refused(msg("match.refuse.stale"), stale=True)
    await world.check(id_)


async def test_a_request_that_another_process_served_is_repeated(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    card = (await world.queries.legal(id_, 1))[0]

    async def same() -> Played:
        return played(await world.play.submit(id_, 1, card, request="a"))

    late = MatchService(Interposed(world.store, same), world.clock, world.entropy)
    assert played(await late.play.submit(id_, 1, card, request="a")).repeated


async def test_two_services_on_one_store_take_turns(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD)).row.id
    other = World(world.store, world.clock, world.entropy, numbers=world.numbers)
    for turn, who in enumerate((ANN, BOB, CYD, ANN, BOB, CYD)):
        await (world, other)[turn % 2].move(id_, who)
    assert [logged.user for logged in await world.queries.log(id_) if logged.user][1:] == [1, 2, 3, 1, 2, 3]
    await world.check(id_)
