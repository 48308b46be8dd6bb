"""Tournaments as people in a server see them: one message kept current, buttons, and commands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import discord
import pytest
from simcord.actors import MemberActor

import render
from bot.messages.tournaments import (
    points_text,
    standings_table,
    tie_break_text,
    tournament_log,
    tournament_message,
)
from bot.platform.reader_settings import Reader
from locales import Catalogue
from matches.results import Played
from matches.store.tournaments import TournamentEntry, TournamentKind, TournamentRow, TournamentStatus
from tests.bot.acts import button_with
from tests.bot.stage import Stage, text_of
from tests.bot.test_moderation import do, give, panel, seat_panel
from tests.bot.test_places import manager
from tests.fakes import START
from tests.storage.tournament_rows import CUP, with_people
from tournaments.event import Format
from tournaments.progress import advanced
from tournaments.standings import team_standings

pytestmark = pytest.mark.slow


POINTS = (["1½", "½", "0"], ["1", "½", "½"])
"""Of three people, one of whose matches is won and one drawn, in the order of their standing."""


async def latest(stage: Stage) -> TournamentRow:
    return (await stage.bot.context.store.tournaments_in(stage.guild.id, 1))[0]


async def message_of(stage: Stage) -> discord.Message:
    """The message of the latest tournament, as it is now."""
    await stage.later(seconds=32)
    row = await latest(stage)
    (message,) = [one for one in stage.channel.history() if "Tournament" in one.content]
    assert message.id == row.message
    return message


async def order(stage: Stage, member: MemberActor, command: str, **options: Any) -> str:
    return text_of(await member.slash(stage.channel, f"tournament {command}", **options))


async def created(stage: Stage, **options: Any) -> discord.Message:
    how = {"title": "Spring *Cup*", "game": "dominance", "format": "swiss"} | options
    assert "is open" in await order(stage, stage.ann, "create", **how)
    return await message_of(stage)


async def over(stage: Stage, match: str) -> None:
    """The second seat of a match resigns."""
    row = await stage.row(match)
    loser = next(seat.user for seat in reversed(row.seats) if seat.user is not None)
    play = stage.bot.context.service.play
    assert isinstance(await play.resign(match, loser, request=f"end {match}"), Played)


async def test_a_tournament_goes_from_sign_up_to_its_end_in_one_message(stage: Stage) -> None:
    message = await created(stage, format="round_robin", at_once=1)
    assert message.content.splitlines()[0] == r"**Spring \*Cup\*** · Dominance · Round robin"
    for who in (stage.ann, stage.ben, stage.cleo):
        await stage.press_id(who, message, button_with(message, "Join"))
    assert "Ann, Ben, and Cleo" in (await message_of(stage)).content
    assert "Done" in await order(stage, stage.ann, "start")
    for number in range(3):
        text = (await message_of(stage)).content
        row = await latest(stage)
        live = [row.matches[index] for index in row.event.open if row.matches[index] is not None]
        assert len(live) == 1
        match = str(live[0])
        assert f"`{match}`" in text
        home = (await stage.row(match)).place
        assert home.thread is not None, "it has a thread of its own"
        assert len(await stage.boards(match)) == 1
        if number == 1:
            await stage.restart()
        await over(stage, match)
    message = await message_of(stage)
    text = message.content
    assert "The tournament is over." in text
    assert text.count("(entrant ") == 3
    (picture,) = message.attachments
    assert (picture.description or "").startswith("Spring *Cup*, standings in round 3: 1. ")
    log = await order(stage, stage.ben, "log")
    assert "opened the tournament" in log
    assert log.count("ended 1 : 0") == 3


async def test_what_a_moderator_decides_about_a_match_counts(stage: Stage) -> None:
    message = await created(stage, format="round_robin", at_once=1)
    for who in (stage.ann, stage.ben, stage.cleo):
        await stage.press_id(who, message, button_with(message, "Join"))
    assert "Done" in await order(stage, stage.ann, "start")
    give(stage, stage.eve, manage_messages=True)
    decided = []
    for winner in (True, False):  # one match is awarded, and one is drawn
        await message_of(stage)
        (row,) = [
            await stage.row(one) for one in filter(None, (await latest(stage)).matches) if one not in decided
        ]
        decided.append(row.id)
        thread = stage.home(row)
        if winner:
            (user, *_) = [seat.user for seat in row.seats if seat.user is not None]
            said = await do(stage.eve, await seat_panel(stage, stage.eve, thread, user), "Award the match")
        else:
            said = await do(stage.eve, await panel(stage.eve, thread), "End as a draw")
        assert text_of(said).startswith("Done")
        await stage.restart()
    text = (await message_of(stage)).content
    assert [line.rpartition(": ")[2] for line in text.splitlines() if "(entrant " in line] in POINTS
    log = await order(stage, stage.ben, "log")
    assert log.count("ended 1 : 0") + log.count("ended 0 : 1") == 1
    assert log.count("ended ½ : ½") == 1


async def test_organisers_repair_and_others_read_why_they_cannot(stage: Stage) -> None:
    message = await created(stage)
    for who in (stage.ann, stage.ben):
        await stage.press_id(who, message, button_with(message, "Join"))
    assert "Only the organiser" in await order(stage, stage.ben, "start")
    assert "Beginner" in await order(stage, stage.ann, "computer", level="cleverest")
    assert "Done" in await order(stage, stage.ann, "computer", level="random")
    assert "You're out" in await order(stage, stage.ben, "leave")
    assert "isn't in" in await order(stage, stage.ben, "leave")
    assert "You're in" in await order(stage, stage.ben, "join")
    assert "Done" in await order(stage, stage.ann, "start")
    await message_of(stage)
    number = (await latest(stage)).number_of(stage.ben.id)
    assert "Done" in await order(stage, stage.ann, "replace", entrant=number, who=stage.cleo)
    assert "Done" in await order(stage, stage.ann, "state", to="paused")
    assert "Paused" in (await message_of(stage)).content
    assert "Done" in await order(stage, stage.ann, "result", pairing=1, won="draw")
    assert "Only the organiser" in await order(stage, stage.ben, "result", pairing=1, won="draw")
    manager(stage, stage.cleo)
    assert "Done" in await order(stage, stage.cleo, "state", to="cancelled")
    text = (await message_of(stage)).content
    assert "was cancelled" in text
    assert "½" in text
    assert "over" in await order(stage, stage.ann, "remove", entrant=1)
    assert "set the result of pairing 1 to ½ : ½" in await order(stage, stage.ben, "log")


@pytest.mark.parametrize("command", ["standings", "log", "join", "leave", "start"])
async def test_where_there_is_no_tournament_each_command_says_so(stage: Stage, command: str) -> None:
    assert "no tournament" in await order(stage, stage.ann, command)
    assert "no such tournament" in await order(stage, stage.ann, command, tournament="77")


def test_every_state_and_entry_reads_well() -> None:
    reader = Reader(Catalogue(strict=True))
    base = replace(with_people(CUP), id=3, matches=("F-1", None, None), plan=replace(CUP.plan, clock=None))
    for status in get_args(TournamentStatus):
        text = tournament_message(replace(base, status=status), reader).content
        assert "Tournament 3, organised by" in text

    assert "Pairing 3: a random computer and Ann, not begun" in text
    assert "1. Ben (entrant 2, withdrew): 1" in text
    data = {
        "number": 2,
        "pairing": 1,
        "points": [1, 1],
        "round": 1,
        "entrants": 3,
        "match": "F-1",
        "until": 9,
        "seconds": 7200,
    }
    entries = [TournamentEntry(START, 7, kind, data) for kind in get_args(TournamentKind)]
    lines = tournament_log(base, entries, reader).content.splitlines()
    assert len(lines) == 1 + len(entries) == len(set(lines))
    many = tournament_log(base, entries * 20, reader).content
    assert len(many) <= 2000
    assert many.splitlines()[-1] == lines[-1], "the latest ones are shown"
    endless = tournament_log(base, [TournamentEntry(START, 7, "deadline", {"until": None})], reader)
    assert "left the end open" in endless.content
    assert [points_text(n) for n in range(4)] == ["0", "½", "1", "1½"]


@pytest.mark.parametrize("how", get_args(Format))
def test_the_picture_has_the_tie_breaks_of_the_format_and_says_them_in_its_alt_text(how: Format) -> None:
    reader = Reader(Catalogue(strict=True))
    row = replace(with_people(CUP), status="over", plan=replace(CUP.plan, format=how), pairings=())
    row = replace(row, pairings=advanced(row.event).pairings)
    found = standings_table(row, reader)
    assert found is not None
    table, alt = found
    assert {len(one.numbers) for one in table.rows} == {len(table.columns)}
    assert render.draw_table(table, reader.say)
    league = how == "league"
    head = "season 1: Division 1, " if league else f"standings in round {row.event.round}: "
    assert alt.startswith(f"Spring ü, {head}1. ")
    assert "a random computer (3)" in alt
    assert [one.name for one in table.rows if one.faint and one.place] == ["Ben"]
    assert standings_table(CUP, reader) is None, "nobody has met yet"
    assert [tie_break_text(key, 5) for key in ("direct", "buchholz", "berger", "wins")] == [
        "2½",
        "2½",
        "1¼",
        "5",
    ]


def test_the_picture_of_a_tournament_of_teams_begins_with_them() -> None:
    reader = Reader(Catalogue(strict=True))
    row = with_people(CUP)
    entrants = tuple(replace(one, team=1 + nth % 2) for nth, one in enumerate(row.entrants))
    row = replace(row, status="over", plan=replace(CUP.plan, teams=("Reds", "Blues")), entrants=entrants)
    found = standings_table(row, reader)
    assert found is not None
    table, alt = found
    teams = [(one.place, row.plan.teams[one.team - 1]) for one in team_standings(row.event)]
    assert [(one.place, one.name) for one in table.rows[:2]] == [(f"{n}.", name) for n, name in teams]
    assert [one.tinted for one in table.rows[2:]] == [False] * (1 + len(entrants)), "a team has won"
    assert [one.tinted for one in table.rows[:2]] == [one.place == "1." for one in table.rows[:2]]
    assert table.rows[2].name == "", "a gap"
    assert ": 1. " in alt
    assert alt.index(teams[1][1]) < alt.index("Ben · ")
    assert render.draw_table(table, reader.say)


async def test_people_check_in_by_the_button_before_it_starts(stage: Stage) -> None:
    wrong = await order(stage, stage.ann, "create", title="x", game="focus", format="swiss", check_in=30)
    assert "Check-in needs an end of sign-up" in wrong
    message = await created(stage, sign_up=1, check_in=30)
    assert "In the last 30 minutes before, everyone has to check in." in message.content
    for who in (stage.ann, stage.ben, stage.cleo):
        await stage.press_id(who, message, button_with(message, "Join"))
    await stage.later(hours=0.5)
    message = await message_of(stage)
    assert "Checked in: 0 of 3" in message.content
    button = button_with(message, "Check in or join")
    assert "You've checked in. " in text_of(await stage.press_id(stage.ann, message, button))
    assert "already" in text_of(await stage.press_id(stage.ann, message, button))
    assert "Only the organiser" in await order(stage, stage.ben, "deadline", hours=2)
    assert "Done" in await order(stage, stage.ann, "deadline", hours=1)
    assert "Check-in begins" in await order(stage, stage.ann, "join")
    await stage.later(hours=0.5)
    for who in (stage.ann, stage.ben):
        assert "You've checked in. " in await order(stage, who, "join")
    await stage.later(hours=0.5)
    message = await message_of(stage)
    assert "Round 1, one match left." in message.content
    assert "Cleo" not in message.content
    assert button_with(message, "Join")
    assert "One person didn't check in" in await order(stage, stage.cleo, "log")


async def test_a_picture_that_discord_does_not_take_leaves_the_text(stage: Stage) -> None:
    message = await created(stage)
    for who in (stage.ann, stage.ben):
        await stage.press_id(who, message, button_with(message, "Join"))
    await message_of(stage)
    path = f"/channels/{stage.channel.id}/messages/{message.id}"
    stage.env.inject_error("PATCH", path, status=400, code=40005, message="Too large", times=1)
    await order(stage, stage.ann, "start")
    await stage.later(seconds=16)
    assert not (await message_of(stage)).attachments
    assert "Round 1" in (await message_of(stage)).content


async def test_a_tournament_needs_a_channel_with_threads(stage: Stage) -> None:
    await stage.bot.context.preferences.save("guild", stage.guild.id, {"place": "channel"})
    said = await order(stage, stage.ann, "create", title="x", game="focus", format="single")
    assert "can have threads" in said
    assert await stage.bot.context.store.tournaments_in(stage.guild.id, 1) == ()
    wrong = await order(
        stage, stage.ann, "create", title="x", game="focus", format="single", options="colour"
    )
    assert "colour" in wrong


async def test_a_league_shows_its_divisions_and_opens_the_next_season(stage: Stage) -> None:
    message = await created(stage, format="league", division=3, days=30, at_once=10)
    assert "Season 1, in divisions of about 3." in message.content
    await stage.press_id(stage.ann, message, button_with(message, "Join"))
    await stage.press_id(stage.ben, message, button_with(message, "Join"))
    for _ in range(4):
        assert "Done" in await order(stage, stage.ann, "computer", level="random")
    assert "Done" in await order(stage, stage.ann, "start")
    message = await message_of(stage)
    lines = message.content.splitlines()
    assert any(line.startswith("Season 1: ") and line.endswith(" left.") for line in lines)
    assert lines[lines.index("**Division 1**") + 3].endswith(" ▼")
    assert lines[lines.index("**Division 2**") + 1].endswith(" ▲")
    assert message.content.count("▲") == message.content.count("▼") == 2, "one of each, and the legend"
    (picture,) = message.attachments
    alt = picture.description or ""
    assert alt.index("Division 1") < alt.index(" · down") < alt.index("Division 2") < alt.index(" · up")


async def test_people_join_a_team_by_its_button_and_the_message_adds_up(stage: Stage) -> None:
    message = await created(stage, format="round_robin", teams="Reds, Deep *Blues*")
    assert "**Reds**: nobody yet" in message.content
    await stage.press_id(stage.ann, message, button_with(message, "Join Deep *Blues*"))
    await stage.press_id(stage.ben, message, button_with(message, "Join"))
    text = (await message_of(stage)).content
    assert "**Reds**: Ben" in text
    assert r"**Deep \*Blues\***: Ann" in text
    assert "Done" in await order(stage, stage.ann, "start")
    row = await latest(stage)
    await message_of(stage)
    row = await latest(stage)
    await over(stage, str(row.matches[0]))
    text = (await message_of(stage)).content
    assert ": 1, the points of its best" in text
    (picture,) = (await message_of(stage)).attachments
    assert "· Reds" in (picture.description or "")
    assert "Teams can't play in groups or a league" in await order(
        stage, stage.ann, "create", title="T", game="focus", format="groups", players=3, teams="A, B"
    )


async def test_teams_of_partners_are_shown_with_their_members(stage: Stage) -> None:
    how = {"players": 4, "options": "partners=yes", "format": "single"}
    assert "Name 2 to 8 teams" in await order(stage, stage.ann, "create", title="T", game="focus", **how)
    message = await created(stage, game="focus", teams="Reds, Deep *Blues*", **how)
    await stage.press_id(stage.ann, message, button_with(message, "Join Reds"))
    await stage.press_id(stage.ben, message, button_with(message, "Join Deep *Blues*"))
    for _ in range(2):
        assert "at least 4 to start" in await order(stage, stage.ann, "start")
        assert "Done" in await order(stage, stage.ann, "computer", level="random")
    assert "Done" in await order(stage, stage.ann, "start")
    await message_of(stage)
    text = (await message_of(stage)).content
    row = await latest(stage)
    ann = next(one for one in row.entrants if one.user == stage.ann.id)
    assert f". **Reds**: 0 · Ann (entrant {ann.number}) and " in text
    (playing,) = (line for line in text.splitlines() if line.startswith("Pairing 1: "))
    assert all(name in playing for name in ("**Reds** (", r"**Deep \*Blues\*** (", "Ann", "Ben"))
    (picture,) = (await message_of(stage)).attachments
    assert "Deep *Blues*" in (picture.description or "")
    await over(stage, str(row.matches[0]))
    assert "tournament is over" in (await message_of(stage)).content


async def test_only_the_organiser_sees_how_often_moves_agree(stage: Stage) -> None:
    message = await created(stage)
    for who in (stage.ann, stage.ben):
        await stage.press_id(who, message, button_with(message, "Join"))
    await order(stage, stage.ann, "computer", level="random")
    assert "Only the organiser" in await order(stage, stage.ben, "agreement", entrant=1)
    said = await order(stage, stage.ann, "agreement", entrant=2)
    assert "no match of theirs in this tournament has been analysed yet" in said
    assert "This can't show that someone had help, nor that they had none" in said
    assert "There is no such entrant" in await order(stage, stage.ann, "agreement", entrant=9)
    assert "is a computer" in await order(stage, stage.ann, "agreement", entrant=3)


async def test_where_matches_have_no_threads_there_is_no_tournament(stage: Stage) -> None:
    await stage.bot.context.preferences.save("guild", stage.guild.id, {"place": "channel"})
    how = {"title": "Spring", "game": "dominance", "format": "swiss"}
    assert "A tournament needs a channel where matches can have threads" in await order(
        stage, stage.ann, "create", **how
    )
    assert not await stage.bot.context.store.tournaments_in(stage.guild.id, 1)
