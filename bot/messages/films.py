"""Animate matches, without holding up the pictures of boards, and say what each frame shows.

Animations have a worker thread of their own, in which they wait for each other; boards use the common
threads. One is made once for all who see the same content in the same language and theme, and the latest are
cached.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from cachetools import LRUCache

import render
from bot.messages.facts import facts_for, summary
from bot.messages.match import winners_line
from bot.messages.names import game_title, plain_name
from bot.messages.scenes import frame, turned
from bot.platform.discord_limits import MAX_FILE_BYTES
from bot.platform.reader_settings import Reader
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from games.engine.scene import Scene
from matches.long_work import OnePerPerson, Run, guarded
from matches.lookback.films import CLOSING, OPENING, PlannedFrame
from matches.lookback.since import Absence, Moment
from matches.store.rows import MatchRow
from render import EndCard, FilmFrame

log = logging.getLogger(__name__)
MAX_CACHED = 16 * 1024 * 1024
"""Maximum size of all cached replays together, in bytes."""
_Key: TypeAlias = tuple[str, int, int, Seat | None, str, str]
"""Match, first and last entry, seat, language and theme."""
_FilmKey: TypeAlias = tuple[tuple[Hashable, ...], Seat | None, str, str]
"""The content of a film by its script, then seat, language and theme."""
_LONGEST: Final = 90
"""Length beyond which a game shortens what happened, in characters: two lines below a board."""


class Replay(NamedTuple):
    """A part of a match as an animated GIF, and the alt text of its last position."""

    data: bytes
    alt: str


@dataclass(frozen=True)
class FilmScript:
    """What is to be animated; `frames` replays the match, in a worker thread."""

    content: tuple[Hashable, ...]
    """What decides the frames besides the reader: the match first, entries, side, names."""
    count: int
    """Number of frames."""
    frames: Callable[[], list[FilmFrame]]
    end: EndCard | None = None


@dataclass(eq=False)
class FilmRun(Run):
    """An animation in progress."""

    total: int
    done: int = 0
    """Number of frames that have been drawn."""
    made: Replay | None = None
    """The result; None as long as it is in progress, and if it failed."""
    task: asyncio.Future[None] | None = None


class Replays:
    """Makes replays, one after the other."""

    def __init__(self, fetch: Callable[[Scene], Awaitable[Scene]]) -> None:
        """`fetch` adds the picture and mask of an uploaded map to its scene."""
        self._fetch = fetch
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replay")
        self._running: dict[_Key, asyncio.Future[Replay]] = {}
        self._films: dict[_FilmKey, FilmRun] = {}
        self._made: LRUCache[_Key | _FilmKey, Replay] = LRUCache(
            MAX_CACHED, getsizeof=lambda made: len(made.data)
        )
        self.callers = OnePerPerson()

    def film(self, script: FilmScript, reader: Reader) -> FilmRun:
        """Return the animation of a script in progress, begun now unless it runs already or is cached.

        Its result fails with ValueError if it can't be drawn.
        """
        key = (script.content, reader.seat, reader.language, reader.theme)
        run = self._films.get(key)
        if run is None:
            run = self._films[key] = FilmRun(script.count)
            task = asyncio.ensure_future(self._make_film(key, script, reader, run))
            run.task = task
        return run

    async def _make_film(self, key: _FilmKey, script: FilmScript, reader: Reader, run: FilmRun) -> None:
        try:
            if (made := self._made.get(key)) is None:
                loop = asyncio.get_running_loop()
                drawn = await loop.run_in_executor(self._thread, guarded(script.frames))
                frames = [replace(each, scene=await self._fetch(each.scene)) for each in drawn]
                made = await loop.run_in_executor(self._thread, guarded(_film), frames, script, reader, run)
                if len(made.data) <= MAX_CACHED:
                    self._made[key] = made
            run.made = made
        except Exception:
            log.exception("%s: an animation can't be drawn", script.content[0])
        finally:
            del self._films[key]
            run.ended.set()

    async def since(self, absence: Absence, reader: Reader) -> Replay:
        """Return what the reader's side has missed. Raises ValueError if it can't be drawn."""

        def frames() -> list[Scene]:
            return [frame(moment.match, moment.facts, reader.seat) for moment in absence.moments]

        return await self._film((absence.match.id, absence.first, absence.match.seq), reader, frames)

    async def _film(
        self, what: tuple[str, int, int], reader: Reader, frames: Callable[[], list[Scene]]
    ) -> Replay:
        key = (*what, reader.seat, reader.language, reader.theme)
        if (made := self._made.get(key)) is not None:
            return made
        running = self._running.get(key)
        if running is None:
            running = self._running[key] = asyncio.ensure_future(self._make(key, frames, reader))
        return await asyncio.shield(running)

    async def _make(self, key: _Key, frames: Callable[[], list[Scene]], reader: Reader) -> Replay:
        try:
            loop = asyncio.get_running_loop()
            drawn = await loop.run_in_executor(self._thread, guarded(frames))
            whole = [await self._fetch(each) for each in drawn]
            made = await loop.run_in_executor(self._thread, guarded(_animate), whole, reader)
            if len(made.data) <= MAX_CACHED:
                self._made[key] = made
            return made
        finally:
            del self._running[key]

    def close(self) -> None:
        """Drop the replays that wait; one that is being drawn ends on its own."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _animate(frames: Sequence[Scene], reader: Reader) -> Replay:
    data = render.animate(frames, reader.say, theme=reader.theme)
    return Replay(data, render.alt_text(frames[-1], reader.say))


def _film(frames: Sequence[FilmFrame], script: FilmScript, reader: Reader, run: FilmRun) -> Replay:
    def drawn(number: int) -> None:
        run.done = number

    data = render.film(
        frames,
        reader.say,
        theme=reader.theme,
        end=script.end,
        max_bytes=MAX_FILE_BYTES,
        progress=drawn,
    )
    return Replay(data, render.alt_text(frames[-1].scene, reader.say))


def colours_of(match: Match, reader: Reader) -> Callable[[Msg], str]:
    """Return a function that renders messages with seats by their colours, without symbols and markdown."""

    def name(seat: int) -> str:
        return reader.say(match.game.look(match.setup, Seat(seat)).name)

    return lambda message: reader.say(message, name)


def opening_frame(moment: Moment, plays: int, reader: Reader) -> FilmFrame:
    """Return the frame of the position before a stretch."""
    caption = msg("bot.film.after", n=plays) if plays else msg("bot.film.opening")
    return FilmFrame(frame(moment.match, (), reader.seat), OPENING, reader.say(caption))


def film_frame(moment: Moment, planned: PlannedFrame, reader: Reader, *, last: bool) -> FilmFrame:
    """Return a frame with what happened; the `last` one is held, as no card follows it."""
    match, news = moment.match, facts_for(moment.facts, reader.seat)
    say = colours_of(match, reader)
    what = summary(news, say, _LONGEST)
    if len(what) > _LONGEST:
        what = summary(match.game.recap(news), say, _LONGEST)
    text = " · ".join(what.splitlines())
    caption = reader.say(msg("bot.film.caption", at=planned.step.plays, what=text))
    length = planned.milliseconds + (CLOSING if last else 0)
    return FilmFrame(frame(match, moment.facts, reader.seat), length, caption, planned.step.by)


def from_side(made: FilmFrame, match: Match, reader: Reader, side: str) -> FilmFrame:
    """Return a frame as seen from a seat's side: "" the reader's own, "-" the public one."""
    if not side:
        return made
    seat = next((seat for seat in range(match.setup.seats) if str(seat) == side), None)
    scene = turned(made.scene, match, None if seat is None else Seat(seat))
    return FilmFrame(scene, made.milliseconds, made.caption, made.by)


def end_card_of(row: MatchRow, match: Match, reader: Reader) -> EndCard | None:
    """Return the card with the result of a match; None while it is in progress."""
    ending = match.ending
    if ending is None:
        return None
    title = f"{game_title(row, reader)} · {row.id}"
    if ending.outcome is None:
        seats = tuple((seat.seat, "", _player(row, seat.seat, reader)) for seat in row.seats)
        return EndCard(title, reader.say(msg("bot.result.abort")), seats, CLOSING)
    say, outcome = colours_of(match, reader), ending.outcome
    why = say(outcome.why)
    if (winners := winners_line(outcome, match.setup)) is not None:
        why = f"{why}. {say(winners)}"
    order = sorted(range(len(outcome.ranks)), key=lambda seat: (outcome.ranks[seat], seat))
    places = tuple(
        (seat, reader.say(msg("bot.film.place", n=outcome.ranks[seat])), _player(row, seat, reader))
        for seat in order
    )
    return EndCard(title, why, places, CLOSING)


def _player(row: MatchRow, seat: int, reader: Reader) -> str:
    """Return who held a seat at the end, without markdown."""
    held = row.seats[seat]
    if held.occupant == "computer":
        return reader.say(msg("bot.seat.computer", level=held.level))
    return plain_name(held.name) if held.occupant == "person" else ""
