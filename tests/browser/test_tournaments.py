"""A tournament in a real browser, from its sign-up to its end, on a desk and on a phone in the dark."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import sandbox.people
from bot.messages.tournaments import points_text
from matches.results import Played
from matches.store.tournaments import TournamentRow
from tests.browser.helpers import Person, Seen
from tests.browser.house import House, picture
from tests.browser.test_short_games import room
from tournaments.standings import standings

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@asynccontextmanager
async def club(tmp_path: Path) -> AsyncIterator[tuple[House, Person, Person]]:
    """A room in which tournaments are looked after often: Ann at a desk, Ben on a phone in the dark."""
    async with room(tmp_path) as (house, people):
        house.bots[-1].pollers.tournaments.change_interval(seconds=0.5)
        for person in people.values():
            await person.open("games")
        yield house, people["Ann"], people["Ben"]


async def test_a_round_robin_of_two_and_a_computer_runs_on_its_own(tmp_path: Path) -> None:
    async with club(tmp_path) as (house, ann, ben):
        await ann.slash("/tournament create", title="Spring", game="Dominance", format="Round robin")
        sign_up = await ben.wait_for(text=re.compile("Tournament 1, organised"))
        await ben.click("Join", on=sign_up)
        await ann.click("Join")
        await ben.wait_for(text=re.compile("In so far: (Ann|Ben) and (Ann|Ben)"))
        await ann.slash("/tournament computer", level="random")
        await ben.wait_for(text="a random computer")
        await picture(ben, "tournament-sign-up")
        await ann.slash("/tournament start")
        await ben.wait_for(text="3 matches left")
        await picture(ben, "tournament-begun")
        ctx = house.bots[-1].context
        store, play = ctx.store, ctx.service.play
        (cup,) = await store.tournaments_in(ctx.discord.guilds.all[0].id, 1)
        for match in filter(None, cup.matches):
            row = await house.row(match)
            people_in = [seat.user for seat in row.seats if seat.user is not None]
            given_up = await play.resign(match, people_in[-1], request=f"end {match}")
            assert isinstance(given_up, Played)
        await ben.wait_for(text="The tournament is over.")
        await picture(ben, "tournament-over")
        await picture(ann, "tournament-over-desk")
        await ann.slash("/tournament log")
        await ann.wait_for(text="Ann started the tournament with 3.")
        await picture(ann, "tournament-log")


SIX = ("ann", "ben", "cleo", "dan", "eve", "finn")
GUS = "gus"
"""Joins, doesn't check in, and is a substitute later."""
NAMES = {"cleo": "Cléo"}


async def latest(house: House) -> TournamentRow:
    """The only tournament."""
    ctx = house.bots[-1].context
    return (await ctx.store.tournaments_in(ctx.discord.guilds.all[0].id, 1))[0]


async def names_in(house: House, match: str) -> list[str]:
    """The accounts of the people in a match."""
    seats = (await house.row(match)).seats
    accounts = {NAMES.get(one, one.title()): one for one in (*SIX, GUS)}
    return [accounts[seat.name] for seat in seats if seat.user is not None]


async def live(house: House) -> list[str]:
    """The matches of the tournament that people still play."""
    row = await latest(house)
    found = [row.matches[index] for index in row.event.open]
    return [one for one in found if one is not None and (await house.row(one)).status == "live"]


async def as_(phone: Person, name: str, channel: str) -> None:
    """Go on as someone else, in a channel."""
    if phone.name != name:
        await phone.become(name)
    await phone.open(channel)


async def draw(phone: Person, match: str, people: list[str]) -> None:
    """Agree on a draw."""
    for name in people:
        await as_(phone, name, match)
        await phone.slash("/match draw")
    await phone.wait_for(text=re.compile("draw", re.IGNORECASE))


async def resign(house: House, match: str) -> None:
    """Let the last person in a match resign."""
    user = [seat.user for seat in (await house.row(match)).seats if seat.user is not None][-1]
    assert isinstance(
        await house.bots[-1].context.service.play.resign(match, user, request=f"end {match}"), Played
    )


async def sign_up(house: House, ann: Person, phone: Person) -> Seen:
    """Seven people join, six of them check in, with three computers; two hours later it has begun."""
    await ann.slash(
        "/tournament create",
        title="Autumn",
        game="Two Domains",
        format="Swiss",
        rounds="3",
        sign_up="2",
        check_in="60",
    )
    message = await ann.wait_for(text=re.compile("Tournament 1, organised"))
    await ann.click("Join", on=message)
    for name in (*SIX[1:], GUS):
        await as_(phone, name, "games")
        await phone.click("Join", on=message)
    for _ in range(3):
        await ann.slash("/tournament computer", level="random")
    await ann.wait_for(text=re.compile("Taken: 10 of 32"))
    await picture(phone, "swiss-sign-up")
    await ann.hour_later()
    await ann.wait_for(text="Check in now")
    await ann.click("Check in or join", on=message)
    for name in SIX[1:]:
        await as_(phone, name, "games")
        await phone.click("Check in or join", on=message)
    await ann.wait_for(text=re.compile("Checked in: 6 of 7"))
    await picture(phone, "swiss-check-in")
    await ann.hour_later()
    await ann.wait_for(text=re.compile("Round 1, "))
    return message


@pytest.mark.soak
async def test_a_swiss_of_nine_with_all_that_can_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = (("finn", "Finn"), (GUS, "Gus"))
    monkeypatch.setattr(sandbox.people, "PEOPLE", (*sandbox.people.PEOPLE, *more))
    async with club(tmp_path) as (house, ann, phone):
        message = await sign_up(house, ann, phone)
        row = await latest(house)
        assert len(row.entrants) == 9
        assert sum(one.user is None for one in row.entrants) == 3

        await ann.wait_for(text=re.compile(r"Pairing \d: .* in [A-Z]"))
        among = {match: await names_in(house, match) for match in await live(house)}
        tied = next(match for match, players in among.items() if len(players) == 2)
        await draw(phone, tied, among.pop(tied))
        await picture(phone, "swiss-draw")
        for match, players in among.items():
            await as_(phone, players[-1], match)
            await phone.slash("/match resign")
            await phone.click("Yes, I resign")
        await ann.wait_for(text=re.compile("Round 2, "))
        row = await latest(house)
        first = row.matches.index(tied)
        assert row.pairings[first].points == (1, 1)

        decisive = next(
            n for n, one in enumerate(row.pairings, 1) if one.points in ((2, 0), (0, 2)) and one.played
        )
        won = "second" if row.pairings[decisive - 1].points == (2, 0) else "first"
        await ann.slash("/tournament result", pairing=decisive, won=won)
        await as_(phone, "eve", "games")
        await phone.click("Leave", on=message)
        dan = next(one.number for one in row.entrants if one.name == "Dan")
        await ann.slash("/tournament replace", entrant=dan, who="Gus")
        await ann.wait_for(text=re.compile(r"Gus \(entrant"))
        await picture(phone, "swiss-round-2")
        for number, ahead in ((2, "Round 3, "), (3, "The tournament is over")):
            pressed, *others = await live(house)
            await as_(phone, (await names_in(house, pressed))[-1], pressed)
            await phone.click("Resign or draw")
            await phone.click("Yes, I resign")
            await picture(phone, f"swiss-resigned-{number}")
            for match in others:
                await resign(house, match)
            await ann.wait_for(text=ahead)
            await as_(phone, "finn", "games")
            await standings_shown(house, phone, ann, f"swiss-after-{number}", ahead)
            assert pressed not in await live(house)
        for person, name in ((ann, "swiss-over-desk"), (phone, "swiss-over")):
            await picture(person, name)
        await ann.slash("/tournament log")
        log = (await ann.wait_for(text="The tournament ended.")).text
        for told in (
            "One person didn't check in",
            "Eve withdrew",
            "put Gus in place",
            f"result of pairing {decisive}",
        ):
            assert told in log
        await picture(ann, "swiss-log")
        await judge(house, await phone.read(phone.message(message)), first)


async def standings_shown(house: House, phone: Person, desk: Person, name: str, text: str) -> None:
    """The standings at a desk, and on a phone for someone who likes boards dark."""
    dark = next(one.user for one in (await latest(house)).entrants if one.name == phone.name.title())
    await house.bots[-1].context.preferences.save("user", dark or 0, {"theme": "dark"})
    for person, where in ((phone, name), (desk, f"{name}-desk")):
        await person.slash("/tournament standings")
        await person.wait_for(text=text)
        await picture(person, where)


async def judge(house: House, shown: Seen, tied: int) -> None:
    """Nobody met twice, who stayed has three rounds, and the picture says who stands where."""
    row = await latest(house)
    met = [frozenset(one.seats) for one in row.pairings if len(one.seats) == 2]
    assert len(set(met)) == len(met)
    eve = next(one.number for one in row.entrants if one.name == "Eve")
    for one in row.entrants:
        assert len(list(row.event.of(one.number))) == 3 or one.number == eve
    assert row.pairings[tied].points == (1, 1)
    (alt,) = shown.alts
    assert alt.startswith("Autumn, standings in round 3: 1. ")
    assert alt.split(", ")[1].endswith(f" {points_text(standings(row.event)[0].points)}")


async def give_up(house: House, match: str) -> None:
    """Let everyone in a match move once, and a person resign; nothing for two computers."""
    service = house.bots[-1].context.service
    people = [seat.user for seat in (await house.row(match)).seats if seat.user is not None]
    for number in range(2 if people else 0):
        row = await house.row(match)
        loaded = await service.queries.at(match, row.version)
        (mover,) = loaded.to_act
        user = row.seats[mover].user
        if user is None:
            await service.computers.run(match)
            continue
        (text, *_) = await service.queries.legal(match, user)
        assert isinstance(await service.play.submit(match, user, text, request=f"{number}{match}"), Played)
    if people:
        assert isinstance(await service.play.resign(match, people[-1], request=f"end {match}"), Played)


@pytest.mark.soak
async def test_a_league_shows_its_divisions_and_its_people_are_ranked(tmp_path: Path) -> None:
    async with club(tmp_path) as (house, ann, ben):
        league = {"format": "League with divisions", "division": "3", "counts": "rated", "at_once": "10"}
        await ann.slash("/tournament create", title="Autumn", game="Dominance", **league)
        sign_up = await ben.wait_for(text="Season 1, in divisions of about 3.")
        await ben.click("Join", on=sign_up)
        await ann.click("Join")
        await ben.wait_for(text=re.compile("In so far: (Ann|Ben) and (Ann|Ben)"))
        for level in ("beginner", "beginner", "easy", "easy"):
            await ann.slash("/tournament computer", level=level)
        await ann.slash("/tournament start")
        await ben.wait_for(text="Division 2")
        await picture(ben, "league-begun")
        ctx = house.bots[-1].context
        (cup,) = await ctx.store.tournaments_in(ctx.discord.guilds.all[0].id, 1)
        for match in filter(None, cup.matches):
            await give_up(house, match)
        in_the_dark = next(one.user for one in cup.entrants if one.name == "Ben")
        await ctx.preferences.save("user", in_the_dark or 0, {"theme": "dark"})
        await ben.slash("/ranking top")
        await ben.wait_for(text=re.compile("Dominance, 2 players"))
        await picture(ben, "ranking-top")
        await ann.slash("/ranking top")
        await ann.wait_for(text=re.compile("Dominance, 2 players"))
        await picture(ann, "ranking-top-desk")
        for person, name in ((ben, "profile"), (ann, "profile-desk")):
            await person.slash("/ranking profile")
            await person.wait_for(text=re.compile("matches played to their end"))
            await picture(person, name)
        await ben.slash("/games")
        await ben.click("Against the computer")
        await ben.wait_for(text="Press a game, and you play it against the computer at once.")
        await picture(ben, "solo")
        await ben.slash("/tournament standings", tournament="1")
        await ben.wait_for(text="The tournament is over.")
        await picture(ben, "league")
