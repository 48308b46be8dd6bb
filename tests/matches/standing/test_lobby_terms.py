"""Whom a lobby is for: a least share of matches played to their end, a range of ratings."""

from __future__ import annotations

import pytest

from matches.standing.ratings import START
from matches.store.rows import NO_TERMS, MatchRow, Terms
from matches.store.standing import EVERYWHERE, Ladder, MatchResult, PersonResult
from tests.matches.world import ANN, BOB, CYD, World, opened, played, refused


async def asking(world: World, terms: Terms) -> MatchRow:
    """A lobby of Cyd's for those who fit."""
    row = await world.open_lobby(CYD)
    return opened(await world.lobbies.set_terms(row.id, CYD.id, terms, request=world.new)).row


async def ann_beats_bob(world: World) -> tuple[int, int]:
    """A rated match; return the ratings of both afterwards, in points."""
    begun = await world.match(ANN, BOB, rated=True)
    for who in (ANN, BOB):
        await world.move(begun.row.id, who)
    played(await world.play.resign(begun.row.id, BOB.id, request=world.new))
    ratings = [await world.store.ratings_of(who.id) for who in (ANN, BOB)]
    first, second = (round(one[Ladder("toy", "2", EVERYWHERE)].points) for one in ratings)
    return first, second


async def test_who_has_another_rating_reads_why_and_opens_a_lobby_of_their_own(world: World) -> None:
    high, low = await ann_beats_bob(world)
    assert high > START.points > low
    row = await asking(world, Terms(least=low + 1))
    assert refused(await world.lobbies.join(row.id, BOB, request=world.new)) == "lobby.refuse.rating_low"
    opened(await world.lobbies.join(row.id, ANN, request=world.new))
    row = await asking(world, Terms(most=high - 1))
    assert refused(await world.lobbies.join(row.id, ANN, request=world.new)) == "lobby.refuse.rating_high"
    opened(await world.lobbies.join(row.id, BOB, request=world.new))
    row = await asking(world, Terms(least=low, most=high))
    opened(await world.lobbies.join(row.id, BOB, request=world.new))


async def test_someone_new_has_the_rating_at_which_all_begin_and_has_left_nothing(world: World) -> None:
    row = await asking(world, Terms(kept=100, least=1500, most=1500))
    opened(await world.lobbies.join(row.id, ANN, request=world.new))
    row = await asking(world, Terms(least=1501))
    assert refused(await world.lobbies.join(row.id, ANN, request=world.new)) == "lobby.refuse.rating_low"


async def test_who_leaves_matches_reads_why_unless_they_are_invited(world: World) -> None:
    begun = await world.match(ANN, BOB)
    played(await world.play.resign(begun.row.id, BOB.id, request=world.new))
    left = PersonResult(BOB.id, 1, 1, 2, share="none", why="left")
    at = world.clock.now()
    await world.store.replace_standing([MatchResult(begun.row.id, at, "toy", "2", None, 2, "", (left,))])
    assert (await world.store.reliability(BOB.id)).percent == 0
    row = await asking(world, Terms(kept=90))
    answer = await world.lobbies.join(row.id, BOB, request=world.new)
    assert refused(answer) == "lobby.refuse.kept_too_few"
    opened(await world.lobbies.invite(row.id, CYD.id, [BOB], request=world.new))
    opened(await world.lobbies.join(row.id, BOB, request=world.new))


async def test_only_the_host_chooses_and_only_what_someone_can_fit(world: World) -> None:
    row = await world.open_lobby(ANN)
    answer = await world.lobbies.set_terms(row.id, BOB.id, Terms(kept=5), request=world.new)
    assert refused(answer) == "lobby.refuse.host"
    for terms, why in (
        (Terms(kept=101), "lobby.refuse.terms_kept"),
        (Terms(kept=-1), "lobby.refuse.terms_kept"),
        (Terms(least=-1), "lobby.refuse.terms_ratings"),
        (Terms(most=-1), "lobby.refuse.terms_ratings"),
        (Terms(least=1700, most=1600), "lobby.refuse.terms_ratings"),
    ):
        answer = await world.lobbies.set_terms(row.id, ANN.id, terms, request=world.new)
        assert refused(answer) == why, terms
    kept = opened(await world.lobbies.set_terms(row.id, ANN.id, Terms(90, 1, 2), request=world.new)).row
    stored = await world.store.match(row.id)
    assert stored is not None
    assert stored.lobby.terms == kept.lobby.terms == Terms(90, 1, 2)


@pytest.mark.parametrize("terms", [NO_TERMS, Terms(90), Terms(0, 1400, 1600)])
async def test_terms_are_kept(world: World, terms: Terms) -> None:
    row = await asking(world, terms)
    stored = await world.store.match(row.id)
    assert stored is not None
    assert stored.lobby.terms == terms
