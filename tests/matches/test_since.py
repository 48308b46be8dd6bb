"""What has happened since a seat's own last move: told in few turns, shown in few positions."""

from __future__ import annotations

import pytest

from matches.lookback.since import MAX_MOMENTS, MAX_TURNS, Absence
from matches.store.rows import MatchRow
from tests.matches.test_undo import mover_of
from tests.matches.world import ANN, BOB, CYD, World, played


async def absence(world: World, match_id: str, user: int) -> Absence:
    row = await world.queries.row(match_id)
    assert row is not None
    return await world.service.since.absence(row, user)


async def moves(world: World, match_id: str, count: int) -> list[int]:
    """First legal moves of whoever is to move; return who made them."""
    made = []
    for _ in range(count):
        mover, _ = await mover_of(world, match_id)
        text = (await world.queries.legal(match_id, mover))[0]
        played(await world.play.submit(match_id, mover, text, request=world.new))
        made.append(mover)
    return made


async def test_it_begins_after_ones_own_last_move(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD, game="focus")).row.id
    first, second, third = await moves(world, id_, 3)
    told = await absence(world, id_, first)
    assert told.own
    assert [turn.by is not None for turn in told.turns] == [True, True]
    assert (told.first, told.earlier, len(told.moments)) == (3, 0, 3), "entry 1 draws who begins"
    assert [moment.match.seq for moment in told.moments] == [2, 3, 4]
    assert (await absence(world, id_, second)).first == 4
    nothing = await absence(world, id_, third)
    assert (nothing.turns, nothing.first, len(nothing.moments)) == ((), 5, 1)
    spectator = await absence(world, id_, 77)
    assert (spectator.own, spectator.first, len(spectator.turns)) == (False, 2, 3)
    await moves(world, id_, 2)
    assert (await absence(world, id_, 77)).first == 4


async def test_who_has_not_moved_is_told_from_the_start(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    assert (await absence(world, id_, ANN.id)).turns == ()
    (mover,) = await moves(world, id_, 1)
    other = BOB.id if mover == ANN.id else ANN.id
    told = await absence(world, id_, other)
    assert (told.own, told.first, len(told.turns)) == (False, 2, 1)


async def test_a_long_absence_is_cut(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD, game="focus")).row.id
    row = await world.queries.row(id_)
    await moves(world, id_, 1)
    mover, _ = await mover_of(world, id_)
    played(await world.play.resign(id_, mover, request="gone"))  # who resigns has seen the board, too
    made = await moves(world, id_, MAX_MOMENTS + 10)
    told = await absence(world, id_, mover)
    assert row is not None
    assert len(told.turns) == MAX_TURNS - 1
    assert told.earlier + len(told.turns) == len(made)
    assert len(told.moments) == MAX_MOMENTS + 1
    assert told.match.seq == told.moments[-1].match.seq == (await current(world, id_)).version


async def current(world: World, match_id: str) -> MatchRow:
    row = await world.queries.row(match_id)
    assert row is not None
    return row


async def test_dice_belong_to_the_move_before_them(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="two_domains")).row.id
    for _ in range(12):
        (mover,) = await moves(world, id_, 1)
        told = await absence(world, id_, mover)
        assert told.first == (await current(world, id_)).version + 1
        assert told.turns == ()


async def test_what_others_hide_is_not_told(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="dominion")).row.id
    texts = {person.id: (await world.queries.legal(id_, person.id))[-1] for person in (ANN, BOB)}
    played(await world.play.submit(id_, ANN.id, texts[ANN.id], request="a"))
    for user in (BOB.id, 77):
        told = await absence(world, id_, user)
        assert not any(word in str(told.turns) for word in texts[ANN.id].split()[1:])


async def test_a_takeback_is_told_and_counts_as_having_looked(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    (mover,) = await moves(world, id_, 1)
    played(await world.service.undo.take_back(id_, mover, request="undo"))
    assert (await absence(world, id_, mover)).turns == ()
    other = BOB.id if mover == ANN.id else ANN.id
    keys = [fact.msg.key for turn in (await absence(world, id_, other)).turns for fact in turn.facts]
    assert keys[-1] == "match.fact.takeback"


async def test_a_lobby_has_no_absence(world: World) -> None:
    row = await world.open_lobby(ANN, BOB)
    with pytest.raises(LookupError):
        await world.service.since.absence(row, ANN.id)


async def test_it_is_the_same_after_a_restart(world: World) -> None:
    id_ = (await world.match(ANN, BOB, game="focus")).row.id
    first, *_ = await moves(world, id_, 40)
    before = await absence(world, id_, first)
    world.restart()
    after = await absence(world, id_, first)
    assert (after.first, after.turns, after.earlier) == (before.first, before.turns, before.earlier)
