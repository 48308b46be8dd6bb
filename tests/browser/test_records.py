"""A match of each game on a phone: watched, told, exported, brought back, continued, finished again."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import expect

from dominium import new
from games.engine.match import Match
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, hurry, picture, started
from tests.soak import sampled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GAMES = {
    "focus": "Focus",
    "dominance": "Dominance",
    "dominion": "Dominion",
    "domination": "Domination",
    "two_domains": "Two Domains",
}
MOVES = 8


def any_move(match: Match, random: Random) -> str:
    """A legal action of the first seat to act, as it is typed."""
    seat = min(match.to_act)
    view = match.game.view(match.state, seat)
    return match.game.format(view, match.game.pick(view, seat, random.randrange))


def elsewhere(key: str, path: Path) -> Path:
    """The record of a match that was played at a prompt."""
    random, played = Random(5), new(key, seats=2, seed="5")
    for _ in range(MOVES):
        played.play(random.choice(played.legal()))
    path.write_text(played.record(), "utf-8")
    return path


async def saved(person: Person, path: Path) -> Path:
    """The newest file that the person sees, as they save it."""
    link = person.log.get_by_test_id("file").last
    answer = await person.page.request.get(person.url.rstrip("/") + (await link.get_attribute("href") or ""))
    await asyncio.to_thread(path.write_bytes, await answer.body())
    return path


async def give_up(person: Person) -> None:
    """End the match of the open channel, as the person in it."""
    await person.slash("/match resign")
    await person.click("Yes, I resign")


@pytest.mark.parametrize("key", sampled(GAMES, ["focus"]))
async def test_a_match_of_each_game_travels(tmp_path: Path, key: str) -> None:
    house, random = House(tmp_path / "matches.sqlite3"), Random(3)
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True, scheme="dark")
        ben, cleo = await scene.person("ben"), await scene.person("cleo", size=PHONE, touch=True)
        match_id = await started(ann, ben, GAMES[key])
        for _ in range(MOVES):
            await hurry(house, match_id, [any_move(await house.match(match_id), random)])

        # While it runs: stepped through, animated, followed by somebody else.
        await cleo.open("general")
        await cleo.slash("/matches watch follow", match=match_id, tell="at each turn")
        await cleo.wait_for(text="I'll send you a direct message")
        await ann.slash("/replay steps")
        there = await ann.wait_for(text="still being played")
        await ann.click("Back", on=there)
        await expect(ann.message(there)).not_to_contain_text(f"Move {MOVES} of {MOVES}")
        await picture(ann, f"{key}-running")
        await ann.slash("/replay film", part="last 2 rounds")
        film = await ann.wait_for(text=re.compile(r"from move \d+ to move \d+|move \d+"))
        assert film.alts

        # Over: told, given out, brought back.
        await give_up(ben)
        over = await ann.wait_for(text="record is attached")
        await picture(ann, f"{key}-over")
        await ann.click("Story", on=over)
        await ann.wait_for(text=re.compile("moves|turns"))
        await picture(ann, f"{key}-story")
        await ann.slash("/replay film", part="all")
        await ann.wait_for(text=re.compile(r"the whole match"))
        await ann.slash("/replay record", format="json")
        await ann.wait_for(text="as JSON")
        own = await saved(ann, tmp_path / "own.json")
        await cleo.slash("/matches import", file=own)
        await cleo.wait_for(text="which was played here")
        await cleo.slash("/matches import", file=elsewhere(key, tmp_path / "other.txt"))
        brought = await cleo.wait_for(text="Imported as")
        imported = re.search(r"`([A-Z]-[A-Z0-9]+)`", brought.text) or re.search(
            r"([A-Z]-[A-Z0-9]+)", brought.text
        )
        assert imported is not None
        await cleo.slash("/replay steps", match=imported[1], move="3")
        await cleo.wait_for(text=re.compile(rf"([Mm]ove|order) \d of {MOVES}"))
        await picture(cleo, f"{key}-imported")

        # Continued from a move, and finished again.
        await cleo.open("games")
        await cleo.slash("/replay fork", match=imported[1], move="4")
        lobby = await cleo.wait_for(text=re.compile(rf"From move 4 of {imported[1]}"))
        await picture(cleo, f"{key}-fork")
        await ben.open("games")
        await ben.click("Join", on=lobby)
        await cleo.wait_for(text="Ben")
        await cleo.click("Start", on=lobby)
        found = re.search(r"[A-Z]-[A-Z0-9]+", lobby.text)
        assert found is not None
        fork = found[0]
        await cleo.open(fork)
        await hurry(house, fork, [any_move(await house.match(fork), random)])
        await ben.open(fork)
        await give_up(ben)
        await cleo.wait_for(text="record is attached")
        await picture(cleo, f"{key}-fork-over")
        await ben.hour_later()
        await ben.slash("/matches archive")
        await ben.wait_for(text="The records of your 2 finished matches")
        await cleo.slash("/matches finished")
        await cleo.wait_for(text="Your finished matches, the latest first")
        await picture(cleo, f"{key}-archive")
        await cleo.open("direct")
        await cleo.wait_for(text=f"{match_id} is over")
        await picture(cleo, f"{key}-followed")
