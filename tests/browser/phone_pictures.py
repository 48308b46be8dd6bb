"""Phones as the documents show them: `make pictures` plays a little in a browser, and keeps what is seen.

The sandbox's page stands for Discord. A test plays the same without keeping anything.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.helpers import PHONE, SHARED, Person, stage
from tests.browser.house import House, hurry, started

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


async def play(scratch: Path, folder: Path | None) -> None:
    """Open the front page and a match, be refused a move, look, and ask to take one back."""

    async def keep(person: Person, name: str) -> None:
        if folder is not None:
            await person.pictures_loaded()
            _save(await person.page.screenshot(), folder / f"phone-{name}.png")

    house = House(scratch / "matches.sqlite3")
    async with stage(house.make, scratch / "world") as scene:
        ann = await scene.person("ann", size=PHONE, touch=True)
        ben = await scene.person("ben", size=PHONE, touch=True)
        await ann.open("games")
        await ann.slash("/games")
        front = await ann.wait_for(text="Press a button")
        assert {"Play", "Against the computer", "Learn", "My matches", "More"} <= set(front.buttons)
        await keep(ann, "front")
        await ann.slash("/server settings")
        await ann.wait_for(text="Showcase of live matches")
        await keep(ann, "server")
        match = await started(ann, ben, "Focus")
        await hurry(house, match, [(await _legal(house, match))[0]])
        due, late = (ann, ben) if await house.mover(match) == "Ann" else (ben, ann)
        await due.wait_for(text=re.compile("to move.*@"))
        start = (await _legal(house, match))[0][:2]
        await due.say(f"{start}{start[0]}{7 if start[1] < '5' else 2}")
        refused = await due.wait_for(text="Move fewer spaces")
        assert "Possible instead" in refused.text
        await keep(due, "refused")
        await late.click("Undo")
        question = await late.wait_for(text=re.compile(r"Take back .* in"))
        assert question.buttons == ("Take it back",)
        await keep(late, "undo")


async def _legal(house: House, match: str) -> tuple[str, ...]:
    """Return the legal moves of who is to move."""
    (seat,) = (await house.match(match)).to_act
    user = (await house.row(match)).seats[seat].user
    assert user is not None
    return await house.bots[-1].context.service.queries.legal(match, user)


def _save(data: bytes, path: Path) -> None:
    """Write a picture with a palette of its own."""
    with Image.open(BytesIO(data)) as picture:
        picture.convert("RGB").quantize(128).save(path, "PNG", optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


async def _main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        try:
            await play(Path(scratch), PICTURES)
        finally:
            await SHARED.close()


if __name__ == "__main__":
    try:
        asyncio.run(_main())
    except pytest.skip.Exception as why:
        print(f"No pictures of phones: {why}")
