"""A house for whole matches in a browser: the bot on a real file, lobbies, pictures, and plans.

A plan is a way to an ending that was found by playing on with the match's own sealed dice: what chance will
draw is known to the test, which holds the secret, and to nobody who plays.

Ids, secrets and the computers' dice come from a seed, `make soak`'s from another one each time. The salt of
the dice holds the people's ids, which differ from run to run: no test may rely on what chance brings.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.app import Dominium
from bot.main import build
from bot.platform.config import Config
from games.engine.dice import Sealed
from games.engine.game import Done, Seat
from games.engine.match import Change, Match, play
from matches.results import Played, Warned
from matches.store.rows import MatchRow
from tests.browser.helpers import Person
from tests.soak import SEED

_MORE_TRIES = 20


class SeededEntropy:
    """Bytes that look like secrets and are the same in each run with a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def token(self, size: int) -> bytes:
        """Return the next `size` bytes."""
        return self._random.randbytes(size)


@dataclass
class House:
    """Makes bots on one file or database, and knows the one that runs."""

    path: Path
    database: str = ""
    """The URL of a PostgreSQL database, which then has the matches."""
    bots: list[Dominium] = field(default_factory=list)
    entropy: SeededEntropy = field(default_factory=lambda: SeededEntropy(SEED))

    def make(self) -> Dominium:
        """Return the next bot; it goes on with the randomness of the ones before it."""
        config = Config(
            data=self.path,
            database_url=self.database,
            always_sync=True,
            message_content=True,
            silence_seconds=1200,
            thinkers=0,
            answer_seconds=0,
        )
        self.bots.append(build(config, entropy=self.entropy))
        return self.bots[-1]

    async def row(self, match: str) -> MatchRow:
        """The match's row."""
        row = await self.bots[-1].context.service.queries.row(match)
        assert row is not None
        return row

    async def match(self, match: str) -> Match:
        """Return the current match."""
        return await self.bots[-1].context.service.queries.at(match, (await self.row(match)).version)

    async def mover(self, match: str) -> str:
        """The display name of who is to move."""
        (seat,) = (await self.match(match)).to_act
        return (await self.row(match)).seats[seat].name

    async def sealed(self, match: str) -> Sealed:
        """The match's dice."""
        row = await self.row(match)
        return Sealed(bytes.fromhex(row.secret), row.id, (await self.match(match)).salt)


async def hurry(house: House, match_id: str, texts: Sequence[str]) -> None:
    """Make moves without the page, which other moves test. Their boards are posted as usual."""
    bot = house.bots[-1]
    for text in texts:
        row, now = await house.row(match_id), await house.match(match_id)
        people = (row.seats[seat].user for seat in sorted(now.to_act) if row.seats[seat].user is not None)
        who = next(user for user in people if user is not None)
        for attempt in "ab":  # the second time against a warning
            request = f"hurry-{match_id}-{now.seq}-{attempt}"
            done = await bot.context.service.play.submit(match_id, who, text, request=request)
            if not isinstance(done, Warned):
                break
        assert isinstance(done, Played), (text, done)
        assert not done.repeated
    await bot.context.delivery.finish(match_id)
    while thinking := [one for one in asyncio.all_tasks() if one.get_name() == f"computers of {match_id}"]:
        await asyncio.wait(thinking)


async def picture(person: Person, name: str) -> None:
    """Keep a picture of the page where DOMINIUM_SHOTS names a folder to look at it later."""
    if folder := os.environ.get("DOMINIUM_SHOTS"):
        await person.pictures_loaded()
        await person.shot(Path(folder) / f"{name}.png")


async def started(ann: Person, ben: Person, game: str, **options: str) -> str:
    """Open a lobby as Ann, join as Ben, start, and return the match's id."""
    await ann.open("games")
    await ben.open("games")
    await ann.slash("/play", game=game, players="2", **options)
    lobby = await ben.wait_for(text=re.compile(rf"{game}[\s\S]*: open"))  # not one that is full
    await picture(ben, f"{game}-lobby")
    await ben.click("Join", on=lobby)
    await ann.wait_for(text="Ben")
    await ann.click("Start", on=lobby)
    found = re.search(r"[A-Z]-[A-Z0-9]+", lobby.text)
    assert found is not None
    await ann.open(found[0])
    await ben.open(found[0])
    return found[0]


def plan(
    match: Match,
    sealed: Sealed,
    wanted: Callable[[Match], bool],
    choose: Callable[[Match, Random], str],
    *,
    tries: int = 400,
    most: int = 120,
) -> list[str]:
    """The shortest of many ways to play on to a wanted ending, as texts; fails if none was found.

    The secret is another one in each run, and some hide the ending well: far more ways are tried then.
    """
    best: list[str] | None = None
    for number in range(_MORE_TRIES * tries):
        if best is not None and number >= tries:
            break
        random, now = Random(number), match
        texts: list[str] = []
        while not now.ending and len(texts) < (most if best is None else len(best)):
            (seat,) = now.to_act
            view = now.game.view(now.state, Seat(seat))
            texts.append(choose(now, random))
            done = now.game.parse(view, Seat(seat), texts[-1])
            assert isinstance(done, Done)
            change = play(now, Seat(seat), done.action, sealed)
            assert isinstance(change, Change)
            now = change.match
        if now.ending and wanted(now) and (best is None or len(texts) < len(best)):
            best = texts
    assert best is not None, "no way to that ending was found"
    return best
