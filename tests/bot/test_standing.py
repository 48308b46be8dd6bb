"""Profiles, reasons and leaderboards, as people in a server see them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simcord.actors import MemberActor

from bot.messages.profile import FIRST_LEVEL, OF_RESULTS, Profile, profile_text
from bot.messages.standing import TopView, read_top_view, reason_lines
from bot.platform.reader_settings import Reader
from games.engine import registry
from locales import Catalogue
from matches.results import Played
from matches.store.rows import SeatRow
from matches.store.standing import (
    GameRecord,
    Ladder,
    MatchResult,
    PersonResult,
    Rating,
    RatingChange,
    Reliability,
    Seen,
    Unrated,
    Why,
)
from tests.bot.acts import rows_of
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, legal, shown, text_of, words_of
from tests.bot.test_places import manager
from tests.fakes import START
from tests.storage.rows import over

pytestmark = pytest.mark.slow

DOMINANCE = Ladder("dominance", "2", 0)


async def beaten(stage: Stage, winner: MemberActor, loser: MemberActor, *, moves: int = 2) -> str:
    """A match of Dominance that the loser has given up after some moves."""
    match, _ = await stage.open(winner, loser, game="dominance", counts="rated")
    play = stage.bot.context.service.play
    for number in range(moves):
        mover = await stage.mover(match)
        text = legal(await stage.match(match))[0]
        assert isinstance(await play.submit(match, mover.id, text, request=f"{match}{number}"), Played)
    assert isinstance(await play.resign(match, loser.id, request=f"end {match}"), Played)
    await stage.later(seconds=60)
    return match


async def crowd(stage: Stage) -> None:
    """Twenty-four people with a match each; Ann lost two, and someone else three."""
    pairs = [(5000 + n, 5001 + n) for n in range(0, 24, 2)]
    pairs += [(5000, stage.ann.id), (5002, stage.ann.id), (5004, 4999), (5006, 4999), (5008, 4999)]
    store, results = stage.bot.context.store, []
    for number, (one, other) in enumerate(pairs):
        seats = (SeatRow(0, "person", one, f"P*{one}"), SeatRow(1, "person", other, f"P*{other}"))
        await store.create(over(f"D-{number}", game="dominance", seats=seats, agreed=(), options={}))
        people = (PersonResult(one, 0, 0, 1, moves=1), PersonResult(other, 1, 1, 2, moves=1))
        at = START + timedelta(hours=number)
        results.append(
            MatchResult(f"D-{number}", at, "dominance", "2", stage.guild.id, 2, "", people),
        )
    await store.replace_standing(results)


async def test_a_profile_has_ratings_results_and_reliability(stage: Stage) -> None:
    empty = text_of(await stage.ann.slash(stage.channel, "ranking profile"))
    assert empty == "Ann has finished no match yet."
    await beaten(stage, stage.ann, stage.ben)
    rating = (await stage.bot.context.store.ratings_of(stage.ann.id))[DOMINANCE]
    text = text_of(await stage.ann.slash(stage.channel, "ranking profile"))
    assert f"- Dominance, 2 players: **{round(rating.mu / 1000)}?** ± 337, one match" in text
    assert "Dominance: 1 won, 0 drawn, 0 lost" in text
    assert "1 of 1 match played to its end (100 %)" in text
    assert "/ranking profile why:latest" in text
    assert "this server" not in text, "it is the same there"
    lost = text_of(await stage.ben.slash(stage.channel, "ranking profile"))
    assert "0 won, 0 drawn, 1 lost" in lost


async def test_profiles_of_others_are_shown_where_they_are_and_unless_private(stage: Stage) -> None:
    await beaten(stage, stage.ann, stage.ben)

    async def look(place: Any = None) -> str:
        who = stage.ann.user if place is None else stage.ann
        if place is None:
            return text_of(await stage.ben.user.slash("ranking profile", who=who))
        return text_of(await stage.ben.slash(place, "ranking profile", who=who))

    seen = await look(stage.channel)
    assert "Dominance: 1 won" in seen
    assert "why:" not in seen
    assert "in this server only" in await look()
    settings = await stage.ann.slash(stage.channel, "settings me", standing="private")
    assert "Profile and leaderboards: Private" in text_of(settings)
    assert await look(stage.channel) == "Ann keeps their profile private."
    own = text_of(await stage.ann.slash(stage.channel, "ranking profile"))
    assert "Dominance: 1 won" in own
    assert "your profile is private" in own
    assert "Ann" not in text_of(await stage.ben.slash(stage.channel, "ranking top"))
    await stage.ann.slash(stage.channel, "settings me", standing="public")
    assert "Dominance: 1 won" in await look(stage.channel)
    assert "Ann" in text_of(await stage.ben.slash(stage.channel, "ranking top"))


async def test_the_rest_of_a_profile_is_one_choice_away(stage: Stage) -> None:
    await beaten(stage, stage.ann, stage.ben)
    await beaten(stage, stage.ann, stage.ben)
    await beaten(stage, stage.cleo, stage.ann)
    page = shown(await stage.ann.slash(stage.channel, "ranking profile"))
    assert len(words_of(page)) <= FIRST_LEVEL
    assert "At best 2 won in a row" in words_of(page)

    async def part(name: str, who: MemberActor = stage.ann) -> str:
        return text_of(await who.select(page, [name]))

    assert "Ben: 2 won, 0 drawn, 0 lost" in await part("opponents")
    assert "Cleo: 0 won, 0 drawn, 1 lost" in await part("opponents")
    assert "only wins that counted" in await part("wins")
    assert "Dominance: 2 won, 0 drawn, 1 lost" in await part("ratings")
    assert "only moves that began more than one match" in await part("openings")
    listed = shown(await stage.ann.select(page, ["matches"]))
    assert words_of(listed).count("Dominance against") == 3
    replay = shown(await stage.ann.select(listed, [words_of(listed).split("`")[1]]))
    assert replay.attachments, "a match is replayed from there"
    for _ in range(5):
        await beaten(stage, stage.ann, stage.ben)
    openings = await part("openings")
    assert re.search(r"Dominance: \S+ [2-8] times, \d+ % won", openings), openings


def test_streaks_are_said_only_where_they_are_streaks() -> None:
    reader = Reader(Catalogue(strict=True))
    for outcomes, said in (
        (("lost", "lost", "won"), "Lost the last 2\n"),
        (("lost", "lost", "won", "won", "won"), "Lost the last 2; at best 3 won in a row"),
        (("won", "won"), "Won the last 2; at best 2 in a row"),
        (("drawn", "won", "won"), "At best 2 won in a row"),
        (("won", "lost"), ""),
        ((), ""),
    ):
        records = {"focus": GameRecord(1, 1, 1)}
        made = Profile(1, "Ann", {}, records, Reliability(5, 0, None), outcomes, 1)  # type: ignore[arg-type]
        text = profile_text(made, reader)
        assert said in text
        assert ("row" in text or "last" in text) == bool(said)


def test_the_first_level_of_a_profile_fits_a_phone() -> None:
    ladders = [Ladder(game.key, "2", scope) for game in registry.all_games() for scope in (0, 1)]
    ratings = {one: Rating(1_500_000 + one.scope * 1000, 90_000, 1000) for one in ladders}
    records = {one.game: GameRecord(1000, 1000, 1000) for one in ladders}
    reliability = Reliability(9999, 99, 3_600_000)
    reader = Reader(Catalogue(strict=True))
    for seen in get_args(Seen):
        made = Profile(1, "W" * 32, ratings, records, reliability, ("won",) * 100, 1, own=True, seen=seen)
        text = profile_text(made, reader)
        assert len(text) <= FIRST_LEVEL, len(text)
        assert "1500" in text


async def test_each_part_of_a_profile_is_private_if_its_person_wants_that(stage: Stage) -> None:
    await beaten(stage, stage.ann, stage.ben)
    page = shown(await stage.ben.slash(stage.channel, "ranking profile", who=stage.ann))
    assert "Ben" in text_of(await stage.ben.select(page, ["opponents"]))
    await stage.ann.slash(stage.channel, "settings me", standing="ratings")
    seen = words_of(shown(await stage.ben.slash(stage.channel, "ranking profile", who=stage.ann)))
    assert "Dominance, 2 players: " in seen
    assert "1 of 1 match played to its end" in seen
    assert "won" not in seen
    for part in OF_RESULTS:
        assert "keeps their profile private" in text_of(await stage.ben.select(page, [part])), part
    rest = text_of(await stage.ben.select(page, ["ratings"]))
    assert "Dominance, 2 players: " in rest
    assert "won" not in rest
    assert "Ann" in text_of(await stage.ben.slash(stage.channel, "ranking top"))
    await stage.ann.slash(stage.channel, "settings me", standing="unlisted")
    assert "Ann" not in text_of(await stage.ben.slash(stage.channel, "ranking top"))
    assert "1 won" in text_of(await stage.ben.slash(stage.channel, "ranking profile", who=stage.ann))
    await stage.ann.slash(stage.channel, "settings me", standing="private")
    assert "keeps their profile private" in text_of(await stage.ben.select(page, ["ratings"]))
    of_ben = shown(await stage.ben.slash(stage.channel, "ranking profile"))
    assert "Ann" in text_of(await stage.ben.select(of_ben, ["opponents"])), "one knows whom one has met"
    others = shown(await stage.cleo.slash(stage.channel, "ranking profile", who=stage.ben))
    assert "There are none yet" in text_of(await stage.cleo.select(others, ["opponents"]))


async def test_each_change_is_explained(stage: Stage) -> None:
    assert "no match yet" in text_of(await stage.ann.slash(stage.channel, "ranking profile", why="latest"))
    first = await beaten(stage, stage.ann, stage.ben)
    second = await beaten(stage, stage.ben, stage.ann)
    early = await beaten(stage, stage.ann, stage.ben, moves=1)
    lines = text_of(await stage.ann.slash(stage.channel, "ranking profile", why="latest")).splitlines()
    head, *pairs = lines
    assert "all servers" in head
    assert [one.split("`")[1] for one in pairs[::2]] == [early, second, first]
    unmoved, lost, won = pairs[1::2]
    assert "**+" in pairs[4]
    assert "Won. Your chance was 50 %." in won
    assert "**−" in pairs[2]
    assert "Lost. Your chance was" in lost
    assert "Match 2 of the same people within a day: it counts 1/2." in lost
    assert "**±0**" in pairs[0]
    assert "it doesn't count for you" in unmoved or "yours doesn't either" in unmoved
    assert all("Dominance against Ben" in one for one in pairs[::2])
    own = text_of(await stage.ben.slash(stage.channel, "ranking profile", why="latest", who=stage.ann))
    assert "your own changes only" in own


def test_each_reason_has_a_sentence_of_its_own() -> None:
    reader, new = Reader(Catalogue(strict=True)), Rating(1_500_000, 350_000)
    row = over("D-1", game="dominance", options={})
    people = (PersonResult(1, 0, 0, 1, moves=1), PersonResult(2, 1, 1, 2, moves=1))
    result = MatchResult("D-1", START, "dominance", "2", 1, 2, "", people)
    said = [
        reason_lines(row.row, result, [RatingChange(1, 0, new, new, why)], 1, reader) for why in get_args(Why)
    ]
    said += [
        reason_lines(row.row, replace(result, unrated=why), [], 1, reader) for why in get_args(Unrated) if why
    ]
    assert len(set(said)) == len(get_args(Why)) + len(get_args(Unrated)) - 1
    assert "Your chance" not in said[0], "nobody else counted"
    decided = replace(row.row, result={"how": "ruling", "ranks": [1, 2]})
    assert "Won. A moderator decided it." in reason_lines(decided, result, [], 1, reader)
    assert "moderator decided" not in reason_lines(row.row, result, [], 1, reader)


async def test_a_leaderboard_has_pages_ones_own_place_and_neighbours(stage: Stage) -> None:
    assert "Nobody has a rating here" in text_of(await stage.ann.slash(stage.channel, "ranking top"))
    await crowd(stage)
    page = shown(await stage.ann.slash(stage.channel, "ranking top"))
    lines = words_of(page).splitlines()
    assert lines[0] == "**Dominance, 2 players** in this server"
    assert [line.partition(".")[0] for line in lines[1:]] == [
        *map(str, range(1, 11)),
        "…",
        "24",
        "25",
        "26",
        lines[-1].partition(".")[0],
    ]
    assert lines[13].startswith("25. **You** **1")
    assert lines[14].startswith("26. P\\*4999 **1")
    assert lines[-1].startswith("-# 26 people.")
    assert rows_of(page) == [["Lower", "all servers", "this season"]]
    (picture,) = page.attachments
    assert picture.filename == "top-1.png"
    assert (picture.description or "").startswith("Dominance, 2 players, this server: 1. P*50")
    assert f"25. P*{stage.ann.id} 1" in (picture.description or "")
    await stage.restart()
    page = shown(await stage.ann.click(page, label="Lower"))
    assert rows_of(page) == [["Higher", "Lower", "all servers", "this season"]]
    assert words_of(page).splitlines()[1].startswith("11. ")
    assert [each.filename for each in page.attachments] == ["top-2.png"], "the picture follows"
    page = shown(await stage.ann.click(page, label="Lower"))
    lines = words_of(page).splitlines()
    assert [line.partition(".")[0] for line in lines[1:-1]] == ["21", "22", "23", "24", "25", "26"]
    assert "**You**" in lines[5]
    page = shown(await stage.ann.click(page, label="all servers"))
    assert words_of(page).startswith("**Dominance, 2 players** in all servers\n1. ")
    assert rows_of(page) == [["Lower", "this server", "this season"]]
    direct = shown(await stage.ann.user.slash("ranking top"))
    assert words_of(direct).startswith("**Dominance, 2 players** in all servers")
    assert rows_of(direct) == [["Lower", "this season"]]


async def test_a_season_lists_those_who_have_played_in_it(stage: Stage) -> None:
    await beaten(stage, stage.ann, stage.ben)
    page = shown(await stage.ann.slash(stage.channel, "ranking top", when="this season"))
    lines = words_of(page).splitlines()
    assert [line[:2] for line in lines[1:3]] == ["1.", "2."]
    assert "This season, a quarter of the year: those who have had a match that counted since <t" in lines[-1]
    assert "this season: 1. Ann" in (page.attachments[0].description or "")
    page = shown(await stage.ann.click(page, label="all time"))
    assert "This season" not in words_of(page)
    await stage.later(hours=93 * 24)
    await beaten(stage, stage.cleo, stage.ben)
    page = shown(await stage.ann.click(page, label="this season"))
    assert "Ann" not in words_of(page)
    assert "-# 2 people." in words_of(page)
    await stage.later(hours=93 * 24)
    none = text_of(await stage.ann.slash(stage.channel, "ranking top", when="this season"))
    assert none.startswith("Nobody has had a match that counted this season")


async def test_one_chooses_among_the_leaderboards_that_have_people(stage: Stage) -> None:
    await beaten(stage, stage.ann, stage.ben)
    match, _ = await stage.open(stage.ann, stage.ben, game="dominance", options="board=hex5", counts="rated")
    play = stage.bot.context.service.play
    for number in range(2):
        mover, text = await stage.mover(match), legal(await stage.match(match))[0]
        assert isinstance(await play.submit(match, mover.id, text, request=f"{match}{number}"), Played)
    assert isinstance(await play.resign(match, stage.ann.id, request="end"), Played)
    page = shown(await stage.cleo.slash(stage.channel, "ranking top", game="dominance"))
    assert "…" not in words_of(page)
    other = TopView("dominance", "2 board=hex5", here=True)
    page = shown(await stage.cleo.select(page, [other.text]))
    assert words_of(page).splitlines()[0] == "**Dominance, 2 players, Board: 61 hexagons** in this server"
    assert words_of(page).splitlines()[1].startswith("1. Ben ")
    assert "Nobody has a rating" in text_of(await stage.ann.slash(stage.channel, "ranking top", game="focus"))


@given(
    st.builds(
        TopView,
        st.sampled_from([game.key for game in registry.all_games()]),
        st.sampled_from(["2", "2v2", "6 mode=mission", "3 fast=true"]),
        st.booleans(),
        st.integers(0, 99_999),
        st.booleans(),
    )
)
def test_a_button_carries_a_page(view: TopView) -> None:
    assert read_top_view(view.text) == view
    assert len(f"domb:top:-:0:{view.text}") <= 100


@given(st.text(max_size=60) | st.text("D.2ha0", max_size=12))
def test_what_no_button_of_ours_carries_is_read_all_the_same(text: str) -> None:
    view = read_top_view(text)
    assert view is None or read_top_view(view.text) == view


@pytest.mark.parametrize("text", ["", "D.2.h", "Q.2.h.0", "D..h.0", "D.2.x.0", "D.2.h.-1", "D.2.h.²"])
def test_a_view_that_is_none_of_ours(text: str) -> None:
    assert read_top_view(text) is None


async def test_the_lobby_says_that_it_is_rated_and_its_server_may_make_that_usual(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="focus", start=False)
    assert "Rated" not in words_of(await stage.lobby(match))
    panel = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    panel = shown(await stage.ann.click(panel, label="Friendly"))
    assert not any("Hints" in label for label in labels(panel)), "a rated match gives none"
    assert "Rated: the result counts for `/ranking top`, and nobody gets hints." in words_of(
        await stage.lobby(match)
    )
    await stage.ben.click(await stage.lobby(match), label="Join")
    panel = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    assert "Others have joined already" in text_of(await stage.ann.click(panel, label="Rated"))
    manager(stage)
    said = text_of(await stage.ann.slash(stage.channel, "server settings", counts="rated"))
    assert "New lobbies are: `rated`" in said
    usual, _ = await stage.open(stage.cleo, game="focus", start=False)
    assert (await stage.row(usual)).conditions.rated
    chosen, _ = await stage.open(stage.ben, game="focus", start=False, counts="friendly")
    assert not (await stage.row(chosen)).conditions.rated


async def test_a_profile_has_a_chart_from_the_second_match_that_counts(stage: Stage) -> None:
    await beaten(stage, stage.ann, stage.ben)
    assert not shown(await stage.ann.slash(stage.channel, "ranking profile")).attachments
    await beaten(stage, stage.ann, stage.ben)
    (chart,) = shown(await stage.ann.slash(stage.channel, "ranking profile")).attachments
    alt = chart.description or ""
    assert alt.startswith("Dominance, 2 players: rating over the last 2 matches: from 1500? ± 350 to ")
    best = round((await stage.bot.context.store.ratings_of(stage.ann.id))[DOMINANCE].mu / 1000)
    assert alt.endswith(f"at best {best}")
