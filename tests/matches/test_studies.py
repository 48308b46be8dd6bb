"""Studies: one person plays all sides, goes back as they like, and nobody is called."""

from __future__ import annotations

import pytest

from games.engine.game import Seat
from matches.lobby.forks import MAX_STUDIES
from matches.results import Refused
from matches.store.rows import MatchRow
from tests.matches.test_forks import over
from tests.matches.world import ANN, BOB, DAN, World, opened, played, refused


async def begun(world: World, move: int | None = None, request: str = "study") -> MatchRow:
    """A study of Dan's, from a move of a match of three."""
    row = await world.service.forks.study(await over(world), DAN, 77, request=request, move=move)
    assert isinstance(row, MatchRow), row
    return row


async def position(world: World, row: MatchRow) -> tuple[MatchRow, frozenset[Seat]]:
    seen = await world.queries.current(row.id)
    assert not isinstance(seen, Refused)
    return seen.row, seen.match.to_act


async def test_its_owner_sits_where_it_is_to_move_until_the_end(world: World) -> None:
    row = await begun(world, 0)
    assert (row.status, row.provenance.source, row.conditions.rated) == ("live", "study", False)
    assert row.provenance.origin is not None
    seen: set[int] = set()
    while True:
        now, acting = await position(world, row)
        at = world.queries.seat_of(now, DAN.id)
        assert at == min(acting)
        assert [seat.occupant for seat in now.seats].count("open") == 2
        seen.add(at)
        if (done := await world.move(row.id, DAN)).match.ending:
            break
    assert seen == {0, 1, 2}
    assert done.row.status == "over"
    assert refused(await world.rematches.open(row.id, DAN, request="r")) == "match.refuse.study"
    await world.check(row.id)


async def test_it_goes_back_to_its_beginning_whatever_was_drawn(world: World) -> None:
    row = await begun(world, 1)
    first = await position(world, row)
    for _ in range(4):
        await world.move(row.id, DAN)
    for _ in range(4):
        played(await world.service.undo.take_back(row.id, DAN.id, request=world.new))
    now, acting = await position(world, row)
    assert (acting, now.seats) == (first[1], first[0].seats)
    assert refused(await world.service.undo.take_back(row.id, DAN.id, request="x")) == "match.refuse.takeback"
    await world.move(row.id, DAN)


async def test_a_seat_that_resigned_can_come_back(world: World) -> None:
    row = await begun(world, 0)
    played(await world.play.resign(row.id, DAN.id, request="r"))
    back = played(await world.service.undo.take_back(row.id, DAN.id, request="u"))
    assert back.match.seats.gone == frozenset()


async def test_nobody_is_called_and_each_board_comes_once(world: World) -> None:
    row = await begun(world, 0)
    await world.move(row.id, DAN)
    drafts = await world.drafts(row.id)
    assert [(draft.kind, draft.user) for draft in drafts] == [("board", DAN.id)] * 2
    assert all(draft.message.to_json()["ping"] == [] for draft in drafts)
    assert await world.store.pings(row.id) == ()


async def test_what_needs_others_is_refused(world: World) -> None:
    row = await begun(world, 0)
    service = world.service
    assert refused(await service.play.offer_draw(row.id, DAN.id, request="a")) == "match.refuse.study"
    assert refused(await service.plans.add(row.id, DAN.id, "any: 1")) == "match.refuse.study"
    seen = await service.queries.current(row.id)
    assert not isinstance(seen, Refused)
    why = service.seats.why_not_give(seen.row, seen.match, DAN.id, BOB.id)
    assert why is not None
    assert why.key == "match.refuse.study"
    assert refused(await service.play.submit(row.id, ANN.id, "card 1", request="c")) == (
        "match.refuse.not_yours"
    )


async def test_a_doubled_request_begins_one_study_and_there_is_a_limit(world: World) -> None:
    source = await over(world)
    study = world.service.forks.study
    first = await study(source, DAN, 77, request="s0")
    again = await study(source, DAN, 77, request="s0")
    assert isinstance(first, MatchRow)
    assert isinstance(again, MatchRow)
    assert first.id == again.id
    for n in range(1, MAX_STUDIES):
        assert isinstance(await study(source, DAN, 77, request=f"s{n}"), MatchRow)
    assert refused(await study(source, DAN, 77, request="more")) == "match.fork.studies"
    assert isinstance(await study(source, ANN, 78, request="other"), MatchRow)
    assert played(await world.play.resign(first.id, DAN.id, request="r")).match.ending is not None
    assert isinstance(await study(source, DAN, 77, request="more"), MatchRow)


@pytest.mark.parametrize("move", [0, 4])
async def test_hands_stay_with_their_seats(world: World, move: int) -> None:
    row = await begun(world, move)
    seen = await world.queries.current(row.id)
    assert not isinstance(seen, Refused)
    assert await world.queries.legal(row.id, DAN.id)
    assert await world.queries.legal(row.id, ANN.id) == ()


async def test_a_study_can_be_studied_and_continued_once_it_is_over(world: World) -> None:
    row = await begun(world, 4)
    live = await world.queries.row(row.id)
    assert live is not None
    assert refused(await world.service.forks.find(live)) == "match.fork.live"
    while not (done := await world.move(row.id, DAN)).match.ending:
        pass
    assert (
        opened(await world.service.forks.open(done.row, DAN, row.place, request="o")).row.provenance.origin
        is not None
    )
