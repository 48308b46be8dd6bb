"""A replay is drawn once for all who see the same; a failed one is drawn again."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageSequence
from simcord.builders import ChannelHandle

import render
from bot.messages import films as module
from bot.messages.films import FilmRun, FilmScript, Replay, Replays
from bot.platform.discord_limits import MAX_FILE_BYTES
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Match, begin
from games.engine.scene import Scene
from locales import Catalogue
from render import FilmFrame
from tests.bot.acts import play_quickly, rehearse
from tests.bot.stage import Stage, shown, text_of

READER = Reader(Catalogue())


async def as_it_is(scene: Scene) -> Scene:
    return scene


def short_match(name: str = "F-SHRT") -> Match:
    """A match that has just begun."""
    game = registry.get("focus")
    return begin(game, game.setup(2), Sealed(b"replay", name, "salt")).match


class Films:
    """Stands in for `render.film`: the films drawn, and who is let go on."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.size = 10
        self.failures = 0
        self.gate = threading.Event()
        self.gate.set()

    def film(
        self,
        frames: Any,
        say: Any,
        *,
        theme: str,
        end: Any,
        max_bytes: int,
        progress: Callable[[int], None],
    ) -> bytes:
        assert max_bytes == MAX_FILE_BYTES
        self.drawn.append(threading.current_thread().name)
        progress(1)
        self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise ValueError("can't be drawn")
        return b"." * self.size


def script(match: Match | None = None, *content: object) -> FilmScript:
    """One frame of a match."""
    now = short_match() if match is None else match

    def frames() -> list[FilmFrame]:
        return [FilmFrame(now.game.scene(now.state, None), 500)]

    return FilmScript((now.id, *content), 1, frames)


async def made(replays: Replays, wanted: FilmScript, reader: Reader = READER) -> Replay | None:
    run = replays.film(wanted, reader)
    await run.ended.wait()
    return run.made


@pytest.fixture
def films(monkeypatch: pytest.MonkeyPatch) -> Films:
    made = Films()
    monkeypatch.setattr(render, "film", made.film)
    return made


@pytest.fixture
def replays() -> Iterator[Replays]:
    made = Replays(as_it_is)
    yield made
    made.close()


async def test_all_who_see_the_same_share_one_film(films: Films, replays: Replays) -> None:
    films.gate.clear()
    waiting = [asyncio.ensure_future(made(replays, script())) for _ in range(12)]
    await asyncio.sleep(0)
    films.gate.set()
    assert len({found.data for found in await asyncio.gather(*waiting) if found}) == 1
    await made(replays, script())
    assert films.drawn == ["replay_0"]
    await made(replays, script(), Reader(READER.catalogue, seat=Seat(1)))
    await made(replays, script(), Reader(READER.catalogue, theme="night"))
    await made(replays, script(short_match("F-ELSE")))
    await made(replays, script(None, "from 3"))
    assert films.drawn == ["replay_0"] * 5


async def test_who_stops_waiting_stops_nobody_else(films: Films, replays: Replays) -> None:
    films.gate.clear()
    first, second = (asyncio.ensure_future(made(replays, script())) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    films.gate.set()
    assert await second
    assert len(films.drawn) == 1


async def test_a_film_that_failed_is_drawn_again(films: Films, replays: Replays) -> None:
    films.failures = 1
    assert await made(replays, script()) is None
    assert await made(replays, script())


async def test_what_is_too_large_is_not_kept(
    films: Films, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_CACHED", 9)
    for _ in range(2):
        assert await made(replays, script())
    assert len(films.drawn) == 2


def test_one_person_waits_for_one_film(replays: Replays) -> None:
    with replays.callers.hold(1) as first:
        with replays.callers.hold(1) as again, replays.callers.hold(2) as someone:
            assert (first, again, someone) == (True, False, True)
        with replays.callers.hold(1) as again:
            assert not again
    with replays.callers.hold(1) as later:
        assert later


# --- on the stage ---------------------------------------------------------------------------------------


async def over(stage: Stage, moves: int = 6) -> tuple[str, ChannelHandle]:
    """A match of Focus that Ann gave up after some moves."""
    match, thread = await stage.open(stage.ann, stage.ben)
    await play_quickly(stage, match, rehearse(await stage.match(match), 4).moves[:moves])
    sure = shown(await stage.ann.slash(thread, "match resign"))
    await stage.ann.click(sure, label="Yes, I resign")
    return match, thread


def frames_in(data: bytes) -> list[int]:
    """How long each frame of a GIF is shown, in milliseconds."""
    return [int(each.info["duration"]) for each in ImageSequence.Iterator(Image.open(BytesIO(data)))]


async def test_stretches_of_a_match(stage: Stage) -> None:
    match, thread = await over(stage)
    lengths = {}
    for text, part, count in (
        ("whole match", "the whole match", 9),
        ("from 5", "from move 5 to move 6", 5),
        ("2-3", "from move 2 to move 3", 3),
        ("last two rounds", "", None),
    ):
        answer = shown(await stage.dan.slash(thread, "replay film", part=text))
        assert part in answer.content
        (file,) = answer.attachments
        assert file.filename == f"{match}.gif"
        assert file.description
        lengths[text] = frames_in(await file.read())
        assert sum(lengths[text]) <= 40_000
        assert count is None or len(lengths[text]) == count, "the position before, the steps, a card"
    for text, why in (
        ("5-4", "comes after"),
        ("from 99", "There is no move 99"),
        ("now", "I can't read `now`"),
    ):
        assert why in text_of(await stage.dan.slash(thread, "replay film", part=text))
    live, other = await stage.open(stage.ann, stage.ben)
    nothing = text_of(await stage.ann.slash(other, "replay film", match=live, part="all"))
    assert nothing == "Nobody has moved yet, so there is nothing to animate."


async def test_the_form_of_a_replay_and_showing_it(stage: Stage) -> None:
    match, thread = await over(stage)
    replay = shown(await stage.ben.slash(thread, "replay steps", match=match))
    replay = shown(await stage.ben.click(replay, label="Turn the board"))
    form = await stage.ben.click(replay, label="Animation")
    mine = await stage.ben.submit_modal(form, {"part": "last turn"})
    assert mine.ephemeral
    answer = shown(mine)
    assert answer.attachments[0].filename == f"{match}.gif"
    await stage.restart()
    heard = await stage.hears(thread, stage.ben.click(answer, label="Show here"))
    (public,) = [each for each in heard if each.attachments]
    assert f"<@{stage.ben.id}> shows this." in public.content
    assert public.attachments[0].filename == f"{match}.gif"
    whole = await stage.ben.submit_modal(await stage.ben.click(replay, label="Animation"), {})
    assert "the whole match" in text_of(whole)


async def test_what_can_not_be_drawn_is_told(stage: Stage, films: Films) -> None:
    match, thread = await over(stage)
    films.failures = 1
    said = text_of(await stage.ann.slash(thread, "replay film", match=match, part="all"))
    assert said.startswith("This animation couldn't be drawn.")
    assert shown(await stage.ann.slash(thread, "replay film", match=match, part="all")).attachments


def test_progress_is_counted(films: Films) -> None:
    """The frames drawn so far are known while the film is being made."""
    run = FilmRun(3)
    assert module._film(script().frames(), script(), READER, run).data
    assert run.done == 1


async def test_one_is_made_at_a_time_for_each_person(stage: Stage) -> None:
    match, thread = await over(stage)
    with stage.bot.context.presenter.replays.callers.hold(stage.ann.id):
        busy = text_of(await stage.ann.slash(thread, "replay film", match=match, part="last turn"))
        assert busy.startswith("Your other animation is still being made.")
        assert shown(await stage.ben.slash(thread, "replay film", match=match, part="last turn")).attachments


async def test_progress_is_shown(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await over(stage)
    waits = iter([False, False])
    wait = FilmRun.wait

    async def impatient(run: FilmRun, seconds: float) -> bool:
        run.done += 3
        return next(waits, True) and await wait(run, seconds)

    monkeypatch.setattr(FilmRun, "wait", impatient)
    said = [
        str(request.json.get("content"))
        for request in await sent(stage, stage.ann.slash(thread, "replay film", match=match, part="all"))
        if isinstance(request.json, dict)
    ]
    made = [each for each in said if each.startswith(f"Animating `{match}`: ")]
    assert made, said
    assert all("ask again" in each for each in made)  # it stays like this if the bot restarts meanwhile


async def test_after_a_restart_in_the_middle_one_can_ask_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, thread = await over(stage)
    cut = asyncio.Event()

    async def waiting(run: FilmRun, seconds: float) -> bool:
        if cut.is_set():
            raise asyncio.CancelledError  # the process ends
        cut.set()
        return False

    with monkeypatch.context() as patch:
        patch.setattr(FilmRun, "wait", waiting)
        with contextlib.suppress(asyncio.CancelledError):
            left = text_of(await stage.ann.slash(thread, "replay film", match=match, part="all"))
    assert left.startswith((f"I'm about to animate `{match}`.", f"Animating `{match}`: "))
    assert left.endswith("ask again.")
    await stage.restart()
    assert shown(await stage.ann.slash(thread, "replay film", match=match, part="all")).attachments


async def sent(stage: Stage, doing: Awaitable[Any]) -> list[Any]:
    """The requests that the bot makes while something is done."""
    before = len(stage.env.http_requests)
    await doing
    return list(stage.env.http_requests[before:])
