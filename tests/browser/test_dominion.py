"""Dominion in a real browser: secret Sergeants, standing orders, Fate's buttons, a warning, a closer look.

Ann plays at a desk, Ben on a phone. What chance will draw is known to the test, which holds the secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import expect

from games.engine import orders
from games.engine.dice import Sealed
from games.engine.game import Done
from games.engine.match import Match
from tests.browser.helpers import PHONE, Person, stage
from tests.browser.house import House, picture, started
from tests.browser.turns import warns

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST, TRIES, LOOKED_AT = 60, 12, 12
ASKS = ("promote_lower", "promote_upper", "demote_lower", "demote_upper", "peasant")


def moves(match: Match) -> list[str]:
    """What the mover may do."""
    (seat,) = match.to_act
    view = match.game.view(match.state, seat)
    return [match.game.format(view, action) for action in match.game.actions(view, seat)]


def after(match: Match, sealed: Sealed, text: str) -> Match:
    """The match after a text of the mover."""
    (seat,) = match.to_act
    done = match.game.parse(match.game.view(match.state, seat), seat, text)
    assert isinstance(done, Done), text
    carried = orders.play(match, seat, done, sealed)
    assert isinstance(carried, orders.Executed), text
    return carried.change.match


def lead(match: Match, wanted: Callable[[Match, str], bool], sealed: Sealed) -> tuple[list[str], str]:
    """The shortest of some ways to a move that does what is wanted: the moves before it, and the move."""
    best: tuple[list[str], str] | None = None
    for number in range(TRIES):
        random, now = Random(number), match
        way: list[str] = []
        while not now.ending and len(way) < (MOST if best is None else len(best[0])):
            texts = moves(now)
            random.shuffle(texts)
            if (found := next((text for text in texts[:LOOKED_AT] if wanted(now, text)), None)) is not None:
                best = way, found
                break
            way.append(texts[0])
            now = after(now, sealed, texts[0])
    assert best is not None, "no such move was found"
    return best


def order_for(match: Match) -> str:
    """The first answer to what Fate asks, as a standing order."""
    verb, what = moves(match)[0].split()
    return {"promote": "+", "demote": "-", "peasant": "@"}[verb] + what


def phase(match: Match) -> str:
    """What is due."""
    return str(match.state.position.phase)


async def follow(house: House, id_: str, people: dict[str, Person], way: list[str]) -> None:
    """Play moves by typing them; against a warning twice."""
    for text in way:
        now = await house.match(id_)
        person = people[await house.mover(id_)]
        board = await person.wait_for(text=f"move {now.plays} ·")
        await person.reply(board, text)
        if warns(now, text):
            await person.wait_for(text="Nothing is played until you send")
            await person.click("Play it")
        await person.wait_for(text=f"move {now.plays + 1} ·")


@pytest.mark.soak
async def test_a_match_of_dominion(tmp_path: Path) -> None:
    house = House(tmp_path / "matches.sqlite3")
    async with stage(house.make, tmp_path / "world") as scene:
        ann = await scene.person("ann")
        ben = await scene.person("ben", size=PHONE, touch=True, scheme="dark")
        people = {"Ann": ann, "Ben": ben}
        id_ = await started(ann, ben, "Dominion", options="fate=2")
        board = await ben.wait_for(text="move 0 ·")
        await picture(ben, "dominion-start")
        # --- Sergeants, each in private -----------------------------------------------------------------
        await ben.click("My view", on=board)
        await ben.wait_for(text="move 0 ·")
        await expect(ben.log.locator('[data-testid=button][data-label="Choose two"]')).to_have_count(1)
        await picture(ben, "dominion-sergeants")
        await ben.click("f3 + h3 (default)")
        await ann.wait_for(text="has chosen two Sergeants")
        assert "f3 and h3" not in (await ann.last_message()).text
        await ann.slash("/move", move="sgt e11 i11")
        await ben.wait_for(text="move 2 ·")
        await picture(ben, "dominion-first")

        def asks(phases: tuple[str, ...]) -> Callable[[Match, str], bool]:
            return lambda m, text: phase(m) == "move" and phase(after(m, sealed, text)) in phases

        # --- standing orders ------------------------------------------------------------------------------
        sealed = await house.sealed(id_)
        now = await house.match(id_)
        way, text = lead(now, asks(ASKS), sealed)
        await follow(house, id_, people, way)
        now = await house.match(id_)
        mover = people[await house.mover(id_)]
        order = order_for(after(now, sealed, text))
        await mover.reply(await mover.wait_for(text=f"move {now.plays} ·"), f"{text} ! {order}")
        if warns(now, text):
            await mover.click("Play it")
        board = await ben.wait_for(text=f"move {now.plays + 2} ·")
        assert "Fate: yes" in board.text
        assert board.text.count("\n") <= 6, "the story of a turn has five lines at most"
        await picture(ben, "dominion-orders")
        # --- Fate by a button -----------------------------------------------------------------------------
        now = await house.match(id_)
        way, text = lead(now, asks(ASKS[:4]), sealed)
        await follow(house, id_, people, [*way, text])
        now = await house.match(id_)
        mover = people[await house.mover(id_)]
        board = await mover.wait_for(text=f"move {now.plays} ·")
        assert board.buttons
        await picture(ben, "dominion-fate")
        await mover.click(board.buttons[0], on=board)
        await ben.wait_for(text=f"move {now.plays + 1} ·")
        # --- a warning ------------------------------------------------------------------------------------
        now = await house.match(id_)
        way, text = lead(now, lambda m, t: phase(m) == "move" and warns(m, t), sealed)
        await follow(house, id_, people, way)
        now = await house.match(id_)
        mover = people[await house.mover(id_)]
        await mover.slash("/move", move=text)
        await mover.wait_for(text="Nothing is played until you send")
        await picture(mover, "dominion-warning")
        assert (await house.match(id_)).plays == now.plays
        await mover.click("Play it")
        await ben.wait_for(text=f"move {now.plays + 1} ·")
        # --- looking closely ------------------------------------------------------------------------------
        await ben.slash("/ask board", part="south")
        await ben.log.locator('[data-testid=menu-field][data-label="Zoom in on a part"]').last.wait_for()
        await picture(ben, "dominion-part")
        await ben.choose("Zoom in on a part", "The whole board")
        await ben.slash("/ask about", what="score")
        await ben.wait_for(text=re.compile("is held by|Nobody holds"))  # by chance neither may hold any
        await ben.slash("/ask about", what="scan g1")
        await ben.wait_for(text="Around it")
        await picture(ben, "dominion-look")
        now = await house.match(id_)
        if phase(now) == "move":
            mover = people[await house.mover(id_)]
            await mover.slash("/ask moves", piece=moves(now)[0].split("-")[0])
            await mover.wait_for(text=f"{moves(now)[0]}")
            await picture(mover, "dominion-moves")
