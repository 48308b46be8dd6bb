"""Seats drawn by lot: for games that ask for it, by the sealed dice, once."""

from __future__ import annotations

import pytest

from games.engine import registry
from games.engine.dice import Sealed
from tests.matches.world import ANN, BOB, World, opened, played

SEATS = 3


@pytest.fixture
def lots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(registry.get("toy")), "seats_by_lot", lambda game, setup: True)


async def started(world: World) -> tuple[list[int | None], list[int | None], str]:
    """Who sits where before the start and after it, and the match."""
    row = await world.open_lobby(ANN, seats=SEATS)
    opened(await world.lobbies.join(row.id, BOB, request=world.new))
    row = opened(await world.lobbies.add_computer(row.id, 1, request=world.new)).row
    before = [seat.user for seat in row.seats]
    done = played(await world.lobbies.start(row.id, 1, request=world.new))
    assert [seat.seat for seat in done.row.seats] == list(range(SEATS))
    return before, [seat.user for seat in done.row.seats], row.id


async def test_seats_stay_where_the_game_has_no_lots(world: World) -> None:
    for _ in range(4):
        before, after, _ = await started(world)
        assert before == after


@pytest.mark.usefixtures("lots")
async def test_lots_are_drawn_by_the_sealed_dice_of_the_start(world: World) -> None:
    seen = set()
    for _ in range(12):
        before, after, id_ = await started(world)
        assert set(before) == set(after)
        row = await world.store.match(id_)
        assert row is not None
        match = await world.queries.at(id_, row.version)
        dice = Sealed(bytes.fromhex(row.secret), id_, match.salt).dice(0)
        assert after == [before[seat] for seat in dice.shuffled(range(SEATS))]
        seen.add(tuple(after))
        await world.check(id_)
    assert len(seen) > 2


@pytest.mark.usefixtures("lots")
async def test_a_rematch_turns_the_seats_and_draws_no_lots(world: World) -> None:
    for _ in range(6):
        _, after, id_ = await started(world)
        played(await world.play.resign(id_, 1, request=world.new))
        played(await world.play.resign(id_, 2, request=world.new))
        again = opened(await world.rematches.open(id_, ANN, request=world.new)).row
        opened(await world.lobbies.join(again.id, BOB, request=world.new))
        done = played(await world.lobbies.start(again.id, 1, request=world.new))
        assert [seat.user for seat in done.row.seats] == [*after[1:], after[0]]
