"""People and servers that the operators exclude from the whole bot."""

from __future__ import annotations

from datetime import timedelta

import pytest

from locales.catalogue import Catalogue
from matches.lobby.admission import Admission
from matches.results import Lobby, Played, Refused
from matches.store.rows import Place
from tests.matches.clock_acts import begun
from tests.matches.test_moderation import key
from tests.matches.world import ANN, BOB, CYD, DAN, DIRECT, SERVER, World

OPERATOR = 77
GUILD = SERVER.guild or 0


async def test_an_excluded_person_begins_nothing_new_anywhere(world: World) -> None:
    lobby = await world.open_lobby(ANN)
    await world.service.exclusions.exclude("person", CYD.id, OPERATOR, "spam")
    for place in (SERVER, Place(901, 3), DIRECT):
        assert (
            key(await world.lobbies.create(CYD, place, "toy", request=world.new)) == "match.refuse.excluded"
        )
    assert key(await world.lobbies.join(lobby.id, CYD, request=world.new)) == "match.refuse.excluded"
    invited = await world.lobbies.invite(lobby.id, ANN.id, (CYD,), request=world.new)
    assert key(invited) == "match.refuse.guest_unavailable"
    assert isinstance(await world.lobbies.join(lobby.id, BOB, request=world.new), Lobby)


async def test_their_matches_go_on_and_their_lobbies_are_left(world: World) -> None:
    match = await begun(world, None)
    hosted = await world.open_lobby(ANN, CYD)
    seated = await world.open_lobby(CYD, ANN)
    alone = await world.open_lobby(ANN)
    left = await world.service.exclusions.exclude("person", ANN.id, OPERATOR, "spam")
    assert set(left) == {hosted.id, seated.id, alone.id}
    assert await world.store.by_user(ANN.id, ("lobby",)) == ()
    assert [row.id for row in await world.store.by_user(ANN.id)] == [match]
    assert isinstance(await world.play.resign(match, ANN.id, request=world.new), Played)
    asked = await world.rematches.open(match, ANN, request=world.new)
    assert key(asked) == "match.refuse.excluded"


async def test_an_exclusion_ends_by_itself_or_is_lifted_or_replaced(world: World) -> None:
    exclusions = world.service.exclusions
    await exclusions.exclude("person", CYD.id, OPERATOR, "spam", timedelta(days=2))
    world.clock.advance(timedelta(days=2, seconds=-1))
    refused = await world.lobbies.create(CYD, DIRECT, "toy", request=world.new)
    assert key(refused) == "match.refuse.excluded_until"
    world.clock.advance(timedelta(seconds=1))
    assert isinstance(await world.lobbies.create(CYD, DIRECT, "toy", request=world.new), Lobby)
    await exclusions.exclude("person", CYD.id, OPERATOR, "again")
    world.restart()
    again = await world.lobbies.create(CYD, DIRECT, "toy", request=world.new)
    assert isinstance(again, Refused)
    assert dict(again.why.values)["reason"] == "again"
    assert await world.service.exclusions.lift("person", CYD.id, OPERATOR)
    assert not await world.service.exclusions.lift("person", CYD.id, OPERATOR)
    assert isinstance(await world.lobbies.create(CYD, DIRECT, "toy", request=world.new), Lobby)
    log = await world.service.exclusions.log("person")
    assert [row.action for row in reversed(log)] == ["forbid", "lift", "forbid", "lift"]
    assert {(row.person, row.moderator) for row in log} == {(CYD.id, OPERATOR)}


async def test_an_excluded_server_begins_nothing_new(world: World) -> None:
    match = await begun(world, None)
    here, elsewhere = await world.open_lobby(ANN), await world.open_lobby(ANN, BOB, place=Place(901, 3))
    assert await world.service.exclusions.exclude("server", GUILD, OPERATOR, "raids") == (here.id,)
    opened = await world.lobbies.create(BOB, SERVER, "toy", request=world.new)
    assert key(opened) == "match.refuse.excluded_server"
    assert isinstance(await world.lobbies.start(elsewhere.id, ANN.id, request=world.new), Played)
    assert isinstance(await world.play.resign(match, ANN.id, request=world.new), Played)


async def test_a_seat_of_a_match_in_progress_finds_a_new_player_in_an_excluded_server_only(
    world: World,
) -> None:
    match = await begun(world, None)
    await world.service.exclusions.exclude("server", GUILD, OPERATOR, "raids")
    await world.service.exclusions.exclude("person", CYD.id, OPERATOR, "spam")
    row = await world.queries.row(match)
    assert row is not None
    admission = Admission(world.store, world.clock)
    why = await admission.why_not_join(row.place.guild, CYD.id, live=True)
    assert why is not None
    assert why.key == "match.refuse.excluded"
    assert await admission.why_not_join(row.place.guild, DAN.id, live=True) is None


async def test_a_lobby_that_was_opened_meanwhile_does_not_start(world: World) -> None:
    lobby = await world.open_lobby(ANN, BOB)
    moved = world.service.exclusions
    await moved.exclude("server", 901, OPERATOR, "raids")
    later = world.lobbies.start(lobby.id, ANN.id, request=world.new)
    await world.store.moderate(moved._row("server", GUILD, OPERATOR, "forbid", "raids"))
    assert key(await later) == "match.refuse.excluded_server"


async def test_the_support_link_is_shown_if_there_is_one(world: World) -> None:
    await world.service.exclusions.exclude("person", CYD.id, OPERATOR, "spam", timedelta(days=1))
    world.settings["support"] = "https://example.org"
    world.restart()
    refused = await world.lobbies.create(CYD, DIRECT, "toy", request=world.new)
    assert isinstance(refused, Refused)
    said = Catalogue().say(refused.why)
    assert said.startswith("You can't start or join matches with this bot until <t:")
    assert said.endswith("Reason: spam\nIf you have questions, ask here: <https://example.org>.")


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "two\nlines"])
async def test_an_exclusion_has_a_reason(world: World, reason: str) -> None:
    with pytest.raises(ValueError, match="reason"):
        await world.service.exclusions.exclude("person", CYD.id, OPERATOR, reason)
    assert await world.service.exclusions.log("person") == ()


async def test_who_was_forgotten_stays_excluded(world: World) -> None:
    await world.service.exclusions.exclude("person", CYD.id, OPERATOR, "spam")
    await world.service.erasures.forget(CYD.id)
    assert key(await world.lobbies.create(CYD, DIRECT, "toy", request=world.new)) == "match.refuse.excluded"
