"""Someone who reads nothing but the labels of buttons plays whole matches against the computer.

The script knows the labels of the front page, the names of the games and what every board has below it; all
other buttons of a board are the game's own. Presses are counted: one for a button, one for a menu's choice.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Locator, expect

from games.engine.game import Seat
from games.engine.message import msg
from matches.store.rows import MatchRow
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, picture
from tests.patience import PATIENCE
from tests.soak import SEED, sampled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GAMES = ["focus", "dominance", "two_domains", "dominion", "domination"]
BELOW = frozenset(
    (
        "Moves",
        "My view",
        "My hand",
        "Undo",
        "Resign or draw",
        "More",
        "Since you left",
        "Odds",
        "Show",
        "Type a move",
    )
)
"""The labels that don't play."""
_SHOWN = """[...document.querySelectorAll('[data-testid=log] :is([data-testid=content], .button)')]
    .map((part) => part.closest('[data-message]').dataset.message + part.innerText).join()"""
"""What the messages say and which buttons they have, as an expression of the page."""
MOST_BEFORE = 3
"""Maximum number of presses from the front page to the first move against a computer."""
MOST_WITH_A_FRIEND = 5
"""The same with a friend, the presses of both counted, whoever is to move first."""
_OWN = 0.5
"""How often a button is pressed where there are menus too."""
WHOLE, FEW = 400, 6
"""Maximum number of presses of a match; whoever hasn't won or lost by then gives up by the same buttons."""


class Presser:
    """Presses what the newest messages offer, and counts."""

    def __init__(self, person: Person, seed: int) -> None:
        self.person = person
        self.presses = 0
        self._random = Random(seed)
        self._messages = person.log.get_by_test_id("message")

    async def press(self, label: str, on: Locator | None = None) -> None:
        """Press a button, the newest with this label, and wait for the message that it brings."""
        where = self.person.log if on is None else on
        newest = await self._messages.last.get_attribute("data-message") or ""
        await where.locator(f'[data-testid=button][data-label="{label}"]').last.click()
        self.presses += 1
        await expect(self._messages.last).not_to_have_attribute("data-message", newest)
        await expect(self.person.log.locator(".thinking")).to_have_count(0)

    async def move(self, board: Locator) -> None:
        """Play a move by what a board offers, or by the panel behind "Moves"."""
        own = [label for label in (await self.person.read(board)).buttons if label not in BELOW]
        await self.press(self._random.choice(own) if own else "Moves", board)

    async def answer(self) -> None:
        """Choose something in the newest private answer: a button, or an entry of a menu. It then changes."""
        offers = self.person.page.get_by_test_id("button").or_(self.person.page.get_by_test_id("menu-field"))
        private = self._messages.filter(has=self.person.page.get_by_test_id("dismiss"))
        panel = private.filter(has=offers).last
        offers = panel.get_by_test_id("button").or_(panel.get_by_test_id("menu-field"))
        await expect(offers.first).to_be_visible()
        seen = await self.person.read(panel)
        before = await self.person.page.evaluate(_SHOWN)
        own = [label for label in seen.buttons if label not in BELOW]
        menus = await panel.get_by_test_id("menu-field").all()
        if own and (not menus or self._random.random() < _OWN):
            button = self._random.choice(own)
            await panel.locator(f'[data-testid=button][data-label="{button}"]').last.click()
        else:
            menu = self._random.choice(menus)
            await menu.click()
            choices = menu.locator("..").get_by_test_id("choice")
            await choices.nth(self._random.randrange(await choices.count())).click()
        self.presses += 1
        await self.person.page.wait_for_function(f"before => {_SHOWN} !== before", arg=before)
        await expect(self.person.log.locator(".thinking")).to_have_count(0)


async def started(house: House, presser: Presser, game: str) -> MatchRow:
    """Begin a match from the front page."""
    say = house.bots[-1].context.readers.default.say
    await presser.person.open("games")
    await presser.press("Against the computer")
    await presser.press(say(msg(f"{game}.title")))
    (row,) = await house.bots[-1].context.store.by_status("live")
    return row


async def thought(match: str) -> None:
    """Wait until the computers of a match have moved."""
    if thinking := [one for one in asyncio.all_tasks() if one.get_name() == f"computers of {match}"]:
        await asyncio.wait(thinking)
    else:
        await asyncio.sleep(0)


async def made(house: House, person: Person, match: str, before: int) -> None:
    """Wait until one more move has been made than before."""
    async with asyncio.timeout(PATIENCE):
        while (await house.match(match)).plays == before:
            await person.page.evaluate("new Promise(requestAnimationFrame)")


@pytest.mark.parametrize(
    ("game", "most"),
    sampled([(game, WHOLE) for game in GAMES], [("domination", FEW)]),  # the game with most to choose
)
async def test_a_whole_match_is_played_by_labels(tmp_path: Path, game: str, most: int) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True)
        presser = Presser(ann, SEED)
        row = await started(house, presser, game)
        seat = next(Seat(each.seat) for each in row.seats if each.user is not None)
        await picture(ann, f"by-labels-{game}-begun")
        before = (await house.match(row.id)).plays
        await presser.answer()
        await made(house, ann, row.id, before)
        assert presser.presses <= MOST_BEFORE, "presses to the first move"
        await ann.open(row.id)
        while (now := await house.match(row.id)).ending is None:
            if seat not in now.to_act:
                await thought(row.id)
                continue
            newest = ann.page.locator(f'[data-custom="domb:resign:{row.id}:{now.seq}"]')
            board = ann.log.get_by_test_id("message").filter(has=newest).last
            await expect(board).to_be_visible()
            if presser.presses > most:
                await presser.press("Resign or draw")
                await presser.press("Yes, I resign")
                continue
            await presser.move(board)
            while (await house.match(row.id)).seq == now.seq:
                await presser.answer()
        assert now.ending.outcome is not None
        await picture(ann, f"by-labels-{game}-over")
        print(f"{game}: {presser.presses} presses, {now.plays} moves")


async def test_two_friends_begin_by_labels(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann, ben = [await scene.person(name, size=PHONE, touch=True) for name in ("ann", "ben")]
        host, friend = Presser(ann, SEED), Presser(ben, SEED)
        for person in (ann, ben):
            await person.open("games")
        await host.press("Play")
        await host.press("Dominance")
        await ben.wait_for(text="starts as soon as all seats are taken")
        await ben.click("Join")
        friend.presses += 1
        await ben.wait_for(text="The match has begun")
        (row,) = await house.bots[-1].context.store.by_status("live")
        mover = friend if await house.mover(row.id) == "Ben" else host
        before = (await house.match(row.id)).plays
        await picture(ben, "by-labels-joined")
        if mover is host:
            await ann.open(row.id)
            await host.press("Moves")
        await mover.answer()
        await made(house, mover.person, row.id, before)
        assert host.presses + friend.presses <= MOST_WITH_A_FRIEND
