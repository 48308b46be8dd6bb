"""Lobbies: who sits where, who may change what, and why not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.engine.message import Who, msg
from matches.results import Person, Refused
from matches.store.rows import MatchRow, Place
from tests.matches.world import ANN, BOB, CYD, DAN, DIRECT, SERVER, World, opened, played, refused


def seats(row: MatchRow) -> str:
    """`1 2? * -`: people by id, the invited with a question mark, computers, open seats."""
    signs = {"open": "-", "computer": "*"}
    return " ".join(signs.get(s.occupant, f"{s.user}{'?' * (s.occupant == 'invited')}") for s in row.seats)


async def test_a_new_lobby_has_its_host_in_the_first_seat(world: World) -> None:
    row = await world.open_lobby(ANN)
    assert (seats(row), row.host, row.status, row.version, row.revision) == ("1 -", 1, "lobby", -1, 0)
    assert row.options == {"pairs": False, "rounds": 2}
    assert row.lobby.expires == world.clock.now() + timedelta(hours=24)
    assert await world.store.match(row.id) == row


async def test_the_fewest_seats_with_room_for_the_guests_are_chosen(world: World) -> None:
    alone = await world.lobbies.create(ANN, SERVER, "toy", request="a")
    assert seats(opened(alone).row) == "1 -"
    three = await world.lobbies.create(ANN, SERVER, "toy", request="b", invited=(BOB, CYD))
    assert seats(opened(three).row) == "1 2? 3?"
    twice = await world.lobbies.create(ANN, SERVER, "toy", request="c", invited=(BOB, BOB))
    assert seats(opened(twice).row) == "1 2?"


@pytest.mark.parametrize(
    ("how", "key"),
    [
        ({"game": "ludo"}, "lobby.refuse.game"),
        ({"seats": 4}, "lobby.refuse.seats"),
        ({"seats": 2, "options": {"pairs": True}}, "match.setup.for"),
        ({"options": {"stakes": 5}}, "lobby.refuse.option"),
        ({"options": {"rounds": 4}}, "lobby.refuse.choice"),
        ({"options": {"rounds": True}}, "lobby.refuse.choice"),
        ({"options": {"pairs": 0}}, "lobby.refuse.choice"),
        ({"invited": (ANN,)}, "lobby.refuse.invite_self"),
        ({"seats": 2, "invited": (BOB, CYD)}, "lobby.refuse.invited"),
        ({"invited": (BOB, CYD, DAN)}, "lobby.refuse.invited"),
    ],
)
async def test_what_can_not_be_played_is_refused(world: World, how: dict[str, object], key: str) -> None:
    game = str(how.get("game", "toy"))
    rest = {name: value for name, value in how.items() if name != "game"}
    assert refused(await world.lobbies.create(ANN, SERVER, game, request="a", **rest)) == key  # type: ignore[arg-type]  # a table of calls
    assert await world.store.by_user(ANN.id, ("lobby",)) == ()


async def test_a_refused_choice_names_the_choices(world: World) -> None:
    no = await world.lobbies.create(ANN, SERVER, "toy", request="a", options={"rounds": 9})
    listed = (msg("toy.option.rounds.2"), msg("toy.option.rounds.3"))
    assert isinstance(no, Refused)
    assert no.why == msg("lobby.refuse.choice", option=msg("toy.option.rounds"), choices=listed)


async def test_nobody_keeps_more_open_lobbies_than_the_limit(world: World) -> None:
    world.settings = {"max_open_per_user": 2}
    world.restart()
    first, _ = await world.open_lobby(ANN), await world.open_lobby(ANN)
    assert refused(await world.lobbies.create(ANN, SERVER, "toy", request="x")) == "lobby.refuse.many"
    assert (await world.open_lobby(BOB, ANN)).host == BOB.id, "a guest's seat does not count"
    await world.lobbies.close(first.id, ANN.id, request=world.new)
    opened(await world.lobbies.create(ANN, SERVER, "toy", request="x"))


async def test_ids_grow_when_the_short_ones_are_taken(world: World) -> None:
    class Stuck:
        """Always the same bytes."""

        def token(self, size: int) -> bytes:
            return bytes(range(size))

    world.entropy = Stuck()  # type: ignore[assignment]  # a broken source on purpose
    world.settings = {"max_open_per_user": 99}
    world.restart()
    made = [(await world.open_lobby(ANN)).id for _ in range(3)]
    assert made == ["W-234567", "W-2345678", "W-23456789"]


async def test_people_join_the_first_free_seat_or_the_one_they_name(world: World) -> None:
    row = await world.open_lobby(ANN, seats=3)
    row = opened(await world.lobbies.join(row.id, BOB, request="a", seat=2)).row
    assert seats(row) == "1 - 2"
    row = opened(await world.lobbies.join(row.id, Person(3, " Cyd\nthe  Great "), request="b")).row
    assert seats(row) == "1 3 2"
    assert row.seats[1].name == "Cyd the Great"
    assert await world.store.match(row.id) == row


async def test_joining_is_refused_with_a_reason(world: World) -> None:
    row = await world.open_lobby(ANN, seats=3)
    join = world.lobbies.join
    assert refused(await join(row.id, ANN, request="a")) == "lobby.refuse.seated"
    assert refused(await join(row.id, BOB, request="a", seat=3)) == "lobby.refuse.seat"
    assert refused(await join(row.id, BOB, request="a", seat=-1)) == "lobby.refuse.seat"
    taken = await join(row.id, BOB, request="a", seat=0)
    assert isinstance(taken, Refused)
    assert taken.why == msg("lobby.refuse.taken", who=Who(0))
    assert refused(await join("W-ZZZ", BOB, request="a")) == "match.refuse.unknown"
    await join(row.id, BOB, request="b")
    await join(row.id, CYD, request="c")
    assert refused(await join(row.id, DAN, request="d")) == "lobby.refuse.full"


async def test_the_host_invites_people_to_the_free_seats(world: World) -> None:
    row = await world.open_lobby(ANN, game="focus", seats=4)
    assert refused(await world.lobbies.invite(row.id, 2, [CYD], request="a")) == "lobby.refuse.host"
    row = opened(await world.lobbies.invite(row.id, 1, [BOB, CYD, BOB], request="b")).row
    assert seats(row) == "1 2? 3? -"
    again = opened(await world.lobbies.invite(row.id, 1, [BOB, CYD], request="b"))
    assert again.repeated
    assert seats(again.row) == "1 2? 3? -"
    assert refused(await world.lobbies.invite(row.id, 1, [CYD, DAN], request="c")) == "lobby.refuse.there"
    more = [Person(user, str(user)) for user in (11, 12)]
    assert refused(await world.lobbies.invite(row.id, 1, more, request="d")) == "lobby.refuse.guests"
    row = opened(await world.lobbies.invite(row.id, 1, [DAN], request="e")).row
    assert refused(await world.lobbies.invite(row.id, 1, more, request="f")) == "lobby.refuse.kept"


async def test_invited_people_are_called_once(world: World) -> None:
    row = await world.open_lobby(ANN, seats=3)
    await world.sent()
    for request in ("a", "a"):
        await world.lobbies.invite(row.id, 1, [BOB, CYD], request=request)
    drafts = await world.drafts(row.id)
    assert [(draft.kind, draft.message.to_json()) for draft in drafts] == [
        ("lobby", {}),
        ("notice", {"invited": [2, 3]}),
    ]
    direct = opened(await world.lobbies.create(ANN, DIRECT, "toy", request="d", seats=3)).row
    await world.sent()
    await world.lobbies.invite(direct.id, 1, [BOB], request="e")
    assert [(d.kind, d.user) for d in await world.drafts(direct.id)] == [("lobby", None), ("lobby", 2)]


@pytest.mark.parametrize("place", [SERVER, DIRECT])
async def test_the_host_is_called_when_others_take_the_last_seat(world: World, place: Place) -> None:
    async def called() -> list[tuple[int | None, object]]:
        """Whom the messages since the last look call, by what way."""
        drafts = await world.drafts(id_)
        await world.sent()
        return [(d.user, d.message.to_json()) for d in drafts if d.kind == "notice"]

    made = await world.lobbies.create(ANN, place, "toy", request="a", invited=(BOB,), seats=3)
    id_ = opened(made).row.id
    await world.lobbies.join(id_, CYD, request="b")
    assert await called() == [], "a seat is kept for a guest"
    for request in ("c", "c", "d"):
        await world.lobbies.join(id_, BOB, request=request)
    assert await called() == [(None, {"full": 1})], "once, however often it was pressed"
    await world.lobbies.leave(id_, CYD.id, request="e")
    await world.lobbies.join(id_, DAN, request="f")
    assert await called() == [(None, {"full": 1})], "it is full again"
    await world.lobbies.remove(id_, ANN.id, 1, request="g")
    await world.lobbies.add_computer(id_, ANN.id, request="h")
    await world.lobbies.remove(id_, ANN.id, 1, request="i")
    assert await called() == [], "hosts know what they do themselves"


async def test_an_invited_seat_is_kept_until_it_is_declined(world: World) -> None:
    made = await world.lobbies.create(ANN, SERVER, "toy", request="a", invited=(BOB,), seats=2)
    id_ = opened(made).row.id
    assert refused(await world.lobbies.join(id_, CYD, request="b")) == "lobby.refuse.kept"
    assert refused(await world.lobbies.join(id_, CYD, request="b", seat=1)) == "lobby.refuse.kept"
    assert seats(opened(await world.lobbies.leave(id_, BOB.id, request="c")).row) == "1 -"
    assert seats(opened(await world.lobbies.join(id_, CYD, request="d")).row) == "1 3"
    assert refused(await world.lobbies.leave(id_, BOB.id, request="e")) == "lobby.refuse.not_seated"


async def test_an_invitation_is_accepted_on_its_seat_or_on_another_free_one(world: World) -> None:
    for wanted, after in ((None, "1 2 -"), (1, "1 2 -"), (2, "1 - 2")):
        made = await world.lobbies.create(ANN, SERVER, "toy", request=world.new, invited=(BOB,), seats=3)
        joined = await world.lobbies.join(opened(made).row.id, BOB, request=world.new, seat=wanted)
        assert seats(opened(joined).row) == after


async def test_a_host_who_leaves_passes_the_lobby_on_or_closes_it(world: World) -> None:
    row = await world.open_lobby(ANN, BOB, seats=3)
    row = opened(await world.lobbies.leave(row.id, ANN.id, request="a")).row
    assert (seats(row), row.host, row.status) == ("- 2 -", BOB.id, "lobby")
    await world.lobbies.add_computer(row.id, BOB.id, request="b")
    row = opened(await world.lobbies.leave(row.id, BOB.id, request="c")).row
    assert (row.status, row.lobby.expires) == ("closed", None)
    assert refused(await world.lobbies.join(row.id, CYD, request="d")) == "lobby.refuse.closed"


async def test_a_lobby_in_direct_messages_goes_with_its_host(world: World) -> None:
    made = await world.lobbies.create(ANN, DIRECT, "toy", request="a", invited=(BOB,))
    await world.lobbies.join(opened(made).row.id, BOB, request="b")
    assert opened(await world.lobbies.leave(opened(made).row.id, ANN.id, request="c")).row.status == "closed"


async def test_only_the_host_arranges_the_lobby(world: World) -> None:
    id_, service = (await world.open_lobby(ANN, BOB, seats=3)).id, world.service
    for answer in (
        await service.lobbies.add_computer(id_, BOB.id, request="a"),
        await service.lobbies.remove(id_, BOB.id, 0, request="a"),
        await service.lobbies.swap(id_, BOB.id, 0, 1, request="a"),
        await service.lobbies.configure(id_, BOB.id, request="a", seats=2),
        await service.lobbies.close(id_, BOB.id, request="a"),
        await service.lobbies.start(id_, BOB.id, request="a"),
    ):
        assert refused(answer) == "lobby.refuse.host"


async def test_computers_take_seats_and_lose_them(world: World) -> None:
    id_, service = (await world.open_lobby(ANN, seats=3)).id, world.service
    assert seats(opened(await service.lobbies.add_computer(id_, 1, request="a", seat=2)).row) == "1 - *"
    assert seats(opened(await service.lobbies.add_computer(id_, 1, request="b")).row) == "1 * *"
    assert refused(await service.lobbies.add_computer(id_, 1, request="c")) == "lobby.refuse.full"
    assert refused(await service.lobbies.add_computer(id_, 1, request="c", seat=1)) == "lobby.refuse.taken"
    assert refused(await service.lobbies.add_computer(id_, 1, request="c", seat=7)) == "lobby.refuse.seat"
    assert (
        refused(await service.lobbies.add_computer(id_, 1, request="c", level="god")) == "lobby.refuse.level"
    )
    assert seats(opened(await service.lobbies.remove(id_, 1, 1, request="d")).row) == "1 - *"


async def test_the_host_removes_guests_but_not_themselves(world: World) -> None:
    id_, service = (await world.open_lobby(ANN, BOB, seats=3, invited=(CYD,))).id, world.service
    assert seats(opened(await service.lobbies.remove(id_, 1, 1, request="a")).row) == "1 - 2"
    assert seats(opened(await service.lobbies.remove(id_, 1, 2, request="b")).row) == "1 - -"
    assert refused(await service.lobbies.remove(id_, 1, 2, request="c")) == "lobby.refuse.empty"
    assert refused(await service.lobbies.remove(id_, 1, 0, request="c")) == "lobby.refuse.remove_self"
    assert refused(await service.lobbies.remove(id_, 1, 3, request="c")) == "lobby.refuse.seat"


async def test_seats_are_swapped_full_or_empty(world: World) -> None:
    id_, service = (await world.open_lobby(ANN, BOB, seats=3)).id, world.service
    row = opened(await service.lobbies.swap(id_, 1, 0, 2, request="a")).row
    assert (seats(row), [s.seat for s in row.seats]) == ("- 2 1", [0, 1, 2])
    assert refused(await service.lobbies.swap(id_, 1, 1, 1, request="b")) == "lobby.refuse.same"
    assert refused(await service.lobbies.swap(id_, 1, 1, 3, request="b")) == "lobby.refuse.seat"


async def test_seats_and_options_are_judged_together(world: World) -> None:
    id_, service = (await world.open_lobby(ANN)).id, world.service
    no = await service.lobbies.configure(id_, 1, request="a", options={"pairs": True})
    assert refused(no) == "match.setup.for"
    row = opened(await service.lobbies.configure(id_, 1, request="a", seats=3, options={"pairs": True})).row
    assert (seats(row), row.options) == ("1 - -", {"pairs": True, "rounds": 2})
    row = opened(await service.lobbies.configure(id_, 1, request="b", options={"rounds": 3})).row
    assert row.options == {"pairs": True, "rounds": 3}
    wrong = await service.lobbies.configure(id_, 1, request="c", seats=2, options={"pairs": True})
    assert refused(wrong) == "match.setup.for", "who asks for both is told"
    row = opened(await service.lobbies.configure(id_, 1, request="d", seats=2)).row
    assert row.options == {"pairs": False, "rounds": 3}, "with two, pairs mean nothing any more"
    row = opened(await service.lobbies.configure(id_, 1, request="e", seats=3)).row
    assert row.options == {"pairs": False, "rounds": 3}
    assert refused(await service.lobbies.configure(id_, 1, request="c", seats=9)) == "lobby.refuse.seats"
    assert (
        refused(await service.lobbies.configure(id_, 1, request="c", options={"x": 1}))
        == "lobby.refuse.option"
    )


async def test_fewer_seats_put_no_one_out(world: World) -> None:
    row = await world.open_lobby(ANN, seats=3)
    await world.lobbies.join(row.id, BOB, request="a", seat=2)
    row = opened(await world.lobbies.configure(row.id, 1, request="b", seats=2)).row
    assert (seats(row), [s.seat for s in row.seats]) == ("1 2", [0, 1])
    row = opened(await world.lobbies.configure(row.id, 1, request="c", seats=3)).row
    await world.lobbies.join(row.id, CYD, request="d")
    assert refused(await world.lobbies.configure(row.id, 1, request="e", seats=2)) == "lobby.refuse.crowded"


async def test_an_option_for_two_gets_its_usual_value_once_two_play(world: World) -> None:
    row = await world.open_lobby(ANN, game="domination", seats=2, options={"even": False})
    assert row.options["even"] is False
    row = opened(await world.lobbies.configure(row.id, 1, request="a", options={"cards": "fixed"})).row
    assert row.options["even"] is False, "it was chosen"
    row = opened(await world.lobbies.configure(row.id, 1, request="b", seats=3)).row
    assert row.options["even"] is False, "nothing to even out"
    row = opened(await world.lobbies.configure(row.id, 1, request="c", seats=2)).row
    assert row.options["even"] is True
    assert row.options["cards"] == "fixed"


async def test_a_match_starts_when_all_seats_are_taken(world: World) -> None:
    made = await world.lobbies.create(ANN, SERVER, "toy", request="a", invited=(BOB,), seats=3)
    id_, start = opened(made).row.id, world.lobbies.start
    no = await start(id_, 1, request="b")
    assert isinstance(no, Refused)
    assert no.why == msg("lobby.refuse.not_full", n=1)
    await world.lobbies.add_computer(id_, 1, request="c")
    no = await start(id_, 1, request="d")
    assert isinstance(no, Refused)
    assert no.why == msg("lobby.refuse.waiting", who=(Who(1),))
    await world.lobbies.join(id_, BOB, request="e")
    begun = played(await start(id_, 1, request="f"))
    assert (begun.first, begun.last, begun.row.status, begun.row.lobby.expires) == (0, 1, "live", None)
    assert begun.match.salt == "f:person,person,random", "nobody's id is in a log or record"
    assert await world.store.match(id_) == begun.row
    await world.check(id_)


async def test_a_lobby_that_has_ended_says_how(world: World) -> None:
    live = (await world.match(ANN, BOB)).row.id
    closed = (await world.open_lobby(ANN)).id
    opened(await world.lobbies.close(closed, 1, request=world.new))
    expired = (await world.open_lobby(ANN)).id
    await world.pass_time(hours=20)
    await world.pass_time(hours=4)
    over = (await world.match(ANN, BOB)).row.id
    await world.play.resign(over, 1, request=world.new)
    ends = {
        live: "lobby.refuse.live",
        closed: "lobby.refuse.closed",
        expired: "lobby.refuse.expired",
        over: "lobby.refuse.over",
    }
    for id_, how in ends.items():
        for answer in (
            await world.lobbies.join(id_, CYD, request="x"),
            await world.lobbies.leave(id_, 1, request="x"),
            await world.lobbies.close(id_, 1, request="x"),
            await world.lobbies.start(id_, 1, request="x"),
        ):
            assert refused(answer) == how


async def test_a_repeated_request_is_answered_and_counts_once(world: World) -> None:
    service = world.service
    row = opened(await service.lobbies.create(ANN, SERVER, "toy", request="a")).row
    again = opened(await service.lobbies.create(ANN, SERVER, "toy", request="a"))
    assert (again.row, again.repeated) == (row, True)
    assert opened(await service.lobbies.create(ANN, SERVER, "ludo", request="a")).repeated, "judged no more"
    joined = opened(await service.lobbies.join(row.id, BOB, request="b"))
    again = opened(await service.lobbies.join(row.id, BOB, request="b"))
    assert (again.row, again.repeated, joined.repeated) == (joined.row, True, False)
    begun = played(await service.lobbies.start(row.id, 1, request="c"))
    again_begun = played(await service.lobbies.start(row.id, 1, request="c"))
    assert again_begun.repeated
    assert (again_begun.match, again_begun.facts) == (begun.match, begun.facts)
    assert opened(await service.lobbies.join(row.id, BOB, request="b")).row.status == "live"


async def test_the_secret_is_sealed_with_the_lobby_and_never_shown(world: World) -> None:
    row = await world.open_lobby(ANN, BOB)
    assert len(bytes.fromhex(row.secret)) == 32
    assert row.secret not in repr(row)
    begun = played(await world.lobbies.start(row.id, 1, request="a"))
    assert begun.row.secret == row.secret
    assert row.secret not in repr(begun)
