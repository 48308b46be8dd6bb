"""Whole matches of Dominion in real browsers: for two, for three, and for four in two camps.

The two play by a script; where more play, two people hunt and computers have the other seats.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from games.engine.game import Shortcut
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, hurry, picture
from tests.browser.turns import tap, warns
from tests.browser.warfare import duel, hunt

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OVER = "record is attached"
ROUTES = ("reply", "bare", "move")
AHEAD = 12
"""Maximum number of moves that computers make before a person is to move again."""


@asynccontextmanager
async def hall(
    tmp_path: Path, players: int, options: str
) -> AsyncIterator[tuple[House, str, dict[str, Person]]]:
    """Start a match of Ann at a desk and Ben on a phone, with computers in the other seats."""
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        await ann.open("games")
        await ben.open("games")
        await ann.slash("/play", game="Dominion", players=str(players), options=options)
        lobby = await ben.wait_for(text=re.compile("Dominion · A-"))
        if players == 4:  # allies sit opposite each other
            await ann.click("Add computer", on=lobby)
            await ann.choose("How strong should the computer be?", "Beginner")
            await ben.wait_for(text="computer, ")
        await ben.click("Join", on=lobby)
        await ann.wait_for(text="Ben")
        if players > 2:
            await ann.click("Add computer", on=lobby)
            await ann.choose("How strong should the computer be?", "Beginner")
        found = re.search(r"A-[A-Z0-9]+", lobby.text)
        assert found is not None
        await ann.click("Start", on=lobby)
        await ann.open(found[0])
        await ben.open(found[0])
        yield house, found[0], {"Ann": ann, "Ben": ben}


def order(text: str) -> str:
    """An answer to Fate as a standing order: `+f3`, `-g2=G`, `@g5`."""
    kind, _, what = text.partition(" ")
    return {"promote": "+", "demote": "-", "peasant": "@"}[kind] + what


async def act(house: House, match_id: str, person: Person, text: str) -> None:
    """Play a text by one of the routes; answer Fate, and confirm a warning, by buttons."""
    now = await house.match(match_id)
    route = ROUTES[now.plays % len(ROUTES)]
    if now.state.position.phase != "move":
        reader = house.bots[-1].context.readers.default

        def say(shortcut: Shortcut) -> str:
            return reader.say(shortcut.label)

        await tap(house, match_id, person, say, text)
    elif route == "reply":
        await person.reply(await person.wait_for(text=f"move {now.plays} ·"), text)
    elif route == "bare":
        await person.say(text)
    else:
        await person.slash("/move", move=text)
    if warns(now, text):
        await person.wait_for(text="Nothing is played until you send")
        await person.click("Play it")


async def asked(people: Mapping[str, Person], plays: int) -> None:
    """Wait until everyone sees that a person is to move after at least `plays` moves, or the end."""
    names, moves = "|".join(people), "|".join(str(plays + more) for more in range(AHEAD))
    turn = re.compile(rf"\((?:{names})\) to move[\s\S]*move (?:{moves}) ·|{OVER}")
    for person in people.values():
        await person.wait_for(text=turn)


async def choose_sergeants(people: Sequence[Person]) -> None:
    """Each by the button of a private view: the default."""
    for person in people:
        board = await person.wait_for(text="move 0 ·")
        await person.click("My view", on=board)
        await person.click(await _default(person))


async def _default(person: Person) -> str:
    """The label of the button that makes the default Sergeants."""
    button = person.log.locator("[data-testid=button][data-label$='(default)']").last
    return await button.get_attribute("data-label") or ""


async def test_a_duel_with_a_ring_a_conquest_and_an_heir(tmp_path: Path) -> None:
    async with hall(tmp_path, 2, "succession=kind") as (house, match_id, people):
        names = [seat.name for seat in (await house.row(match_id)).seats]
        course = duel(await house.match(match_id), await house.sealed(match_id))
        north, south = people[names[0]], people[names[1]]
        board = await north.wait_for(text="move 0 ·")
        await north.click("My view", on=board)
        await north.click(await _default(north))
        await south.slash("/move", move=course[1][1])
        at = max(2, len(course) - 14)
        await south.wait_for(text="move 2 ·")
        await hurry(house, match_id, [text for _, text in course[2:at]])
        while at < len(course):
            await north.wait_for(text=f"move {at} ·")
            await south.wait_for(text=f"move {at} ·")
            seat, text = course[at]
            at += 1
            if at < len(course) and course[at][0] == seat and text.count("-") == 1:
                text += f" ! {order(course[at][1])}"
                at += 1
            await act(house, match_id, people[names[seat]], text)
            if len(course) - at in (3, 12):
                await picture(people[names[seat]], f"duel-{at}")
        last = await south.wait_for(text=OVER)
        await north.wait_for(text=OVER)
        assert "Victory" in last.text
        await picture(south, "duel-end-south")
        await picture(north, "duel-end-north")
        told = " ".join(message.text for message in await south.messages())
        for event in (
            "Surrounded",
            "lost control of",
            "now controls North",
            "Prince is Emperor now",
            "is out",
        ):
            assert event in told
        assert (await house.match(match_id)).ending is not None


@pytest.mark.soak
@pytest.mark.parametrize(("players", "options"), [(3, ""), (4, "allied")])
async def test_people_hunt_among_computers(tmp_path: Path, players: int, options: str) -> None:
    async with hall(tmp_path, players, options) as (house, match_id, people):
        random = Random(players)
        await choose_sergeants([*people.values()])
        await asked(people, players)
        while (now := await house.match(match_id)).ending is None:
            (seat,) = now.to_act
            name = (await house.row(match_id)).seats[seat].name
            text = now.game.format(now.game.view(now.state, seat), hunt(now, seat, random))
            if now.plays % 3:
                await hurry(house, match_id, [text])
                continue
            await act(house, match_id, people[name], text)
            if now.plays in range(12, 18):
                await picture(people[name], f"hunt-{players}-{now.plays}")
            await asked(people, now.plays + 1)
        for name, person in people.items():
            last = await person.wait_for(text=OVER)
            assert "Victory" in last.text
            await picture(person, f"hunt-{players}-end-{name}")
        if players == 4:
            row, ending = await house.row(match_id), (await house.match(match_id)).ending
            assert ending is not None
            assert ending.outcome is not None
            won = [seat.name for seat in row.seats if ending.outcome.ranks[seat.seat] == 1]
            assert sorted(won) in (["Ann", "Ben"], ["", ""]), "allies win together"
