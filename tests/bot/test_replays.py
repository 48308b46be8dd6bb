"""A replay is drawn once for all who see the same; a failed one is drawn again."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import render
from bot.messages import replays as module
from bot.messages.replays import Replays
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Match, begin
from games.engine.scene import Scene
from locales import Catalogue
from tests.bot.acts import last_board
from tests.bot.stage import Stage, shown

READER = Reader(Catalogue())


async def as_it_is(scene: Scene) -> Scene:
    return scene


def short_match(name: str = "F-SHRT") -> Match:
    """A match that has just begun."""
    game = registry.get("focus")
    return begin(game, game.setup(2), Sealed(b"replay", name, "salt")).match


class Films:
    """Stands in for `render.animate`: the films drawn, and who is let go on."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.size = 10
        self.failures = 0
        self.gate = threading.Event()
        self.gate.set()

    def animate(self, frames: Any, say: Any, *, theme: str) -> bytes:
        self.drawn.append(threading.current_thread().name)
        self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise ValueError("can't be drawn")
        return b"." * self.size


@pytest.fixture
def films(monkeypatch: pytest.MonkeyPatch) -> Films:
    made = Films()
    monkeypatch.setattr(render, "animate", made.animate)
    return made


@pytest.fixture
def replays() -> Iterator[Replays]:
    made = Replays(as_it_is)
    yield made
    made.close()


async def test_all_who_see_the_same_share_one_film(films: Films, replays: Replays) -> None:
    match = short_match()
    films.gate.clear()
    waiting = [asyncio.ensure_future(replays.replay(match, READER)) for _ in range(12)]
    films.gate.set()
    assert len({made.data for made in await asyncio.gather(*waiting)}) == 1
    await replays.replay(match, READER)
    assert films.drawn == ["replay_0"]
    await replays.replay(match, Reader(READER.catalogue, seat=Seat(1)))
    await replays.replay(match, Reader(READER.catalogue, theme="night"))
    await replays.replay(short_match("F-ELSE"), READER)
    assert films.drawn == ["replay_0"] * 4


async def test_who_stops_waiting_stops_nobody_else(films: Films, replays: Replays) -> None:
    films.gate.clear()
    first, second = (asyncio.ensure_future(replays.replay(short_match(), READER)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    films.gate.set()
    assert (await second).data
    assert len(films.drawn) == 1


async def test_a_film_that_failed_is_drawn_again(films: Films, replays: Replays) -> None:
    films.failures = 1
    with pytest.raises(ValueError, match="drawn"):
        await replays.replay(short_match(), READER)
    assert (await replays.replay(short_match(), READER)).data


async def test_what_is_too_large_is_not_kept(
    films: Films, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_CACHED", 9)
    for _ in range(2):
        assert len((await replays.replay(short_match(), READER)).data) == 10
    assert len(films.drawn) == 2


def test_one_person_waits_once_for_a_match(replays: Replays) -> None:
    with replays.asked_by(1, "F-A") as first:
        with replays.asked_by(1, "F-A") as again, replays.asked_by(1, "F-B") as other:
            assert (first, again, other) == (True, False, True)
        with replays.asked_by(1, "F-A") as again, replays.asked_by(2, "F-A") as someone:
            assert (again, someone) == (False, True)
    with replays.asked_by(1, "F-A") as later:
        assert later


async def test_a_second_press_has_the_same_film(stage: Stage, films: Films) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    sure = shown(await stage.ann.slash(thread, "resign"))
    await stage.ann.click(sure, label="Yes, I resign")
    for person in (stage.cleo, stage.dan, stage.cleo):
        answer = shown(await person.click(await last_board(stage, match), label="Replay"))
        assert answer.attachments[0].filename == f"{match}.gif"
    assert len(films.drawn) == 1
