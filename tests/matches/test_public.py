"""A match is made public by its host where anyone can read, elsewhere by all; any of its people ends it."""

from __future__ import annotations

import pytest

from tests.matches.world import ANN, BOB, CYD, World, opened, refused


async def public(world: World, match: str, user: int, *, open_place: bool = False) -> object:
    """The row after a person has agreed, or why not."""
    return await world.service.channels.agree_to_show(match, user, open_place=open_place)


async def test_all_people_of_a_private_match_agree_after_the_host(world: World) -> None:
    match = (await world.match(ANN, BOB, CYD)).row.id
    assert refused(await public(world, match, 2)) == "match.refuse.show"
    assert refused(await public(world, match, 2, open_place=True)) == "match.refuse.show"
    assert refused(await public(world, match, 9)) == "match.refuse.not_yours"
    for user, agreed in ((1, (1,)), (1, (1,)), (2, (1, 2)), (3, (1, 2, 3))):
        await public(world, match, user)
        row = await world.store.match(match)
        assert row is not None
        assert (row.publicity.agreed, row.publicity.public) == (agreed, len(agreed) == 3)


@pytest.mark.parametrize("user", [1, 2])
async def test_the_host_is_enough_where_anyone_can_read_and_any_player_ends_it(
    world: World, user: int
) -> None:
    match = (await world.match(ANN, BOB)).row.id
    await public(world, match, 1, open_place=True)
    row = await world.store.match(match)
    assert row is not None
    assert row.publicity.public
    assert refused(await world.service.channels.stop_showing(match, 9)) == "match.refuse.not_yours"
    await world.service.channels.stop_showing(match, user)
    row = await world.store.match(match)
    assert row is not None
    assert (row.publicity.public, row.publicity.agreed) == (False, ())


async def test_only_started_matches_are_public(world: World) -> None:
    row = await world.open_lobby(ANN, BOB)
    assert refused(await public(world, row.id, 1)) == "match.refuse.not_started"
    assert refused(await public(world, "T-404", 1)) == "match.refuse.unknown"


async def test_a_move_keeps_a_match_public_and_a_rematch_is_private(world: World) -> None:
    match = (await world.match(ANN, BOB)).row.id
    await public(world, match, 1, open_place=True)
    await world.play.resign(match, 1, request="resign")
    row = await world.store.match(match)
    assert row is not None
    assert (row.status, row.publicity.public) == ("over", True)
    again = opened(await world.rematches.open(match, BOB, request="again")).row
    assert (again.publicity.public, again.publicity.agreed) == (False, ())
