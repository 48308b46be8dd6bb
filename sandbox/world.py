"""A world that lives: the bot in it, the clock that follows the wall, one thing at a time.

Everything that touches SimCord goes through one lock; an error of the bot is shown and logged, and never
ends the world. Time in the world is the wall's plus an offset, and never runs backwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeVar

import discord
import simcord

from sandbox import people
from sandbox.backend import PATIENCE, SandboxEnv, WatchedBackend
from sandbox.worldfile import WorldFile

# Their errors are the sandbox's own, or reach it as exceptions of the bot.
_SILENT = ("sandbox", "discord", "asyncio", "aiohttp")


class LogNotices(logging.Handler):
    """Passes each error of the log to `notify`, in the loop that was running when it was made."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._notify = notify
        self._loop = asyncio.get_running_loop()

    def emit(self, record: logging.LogRecord) -> None:
        """Pass on one record."""
        if record.name.split(".")[0] in _SILENT or self._loop.is_closed():
            return
        error = record.exc_info[1] if record.exc_info else None
        cause = f": {type(error).__name__}: {error}" if error is not None else ""
        self._loop.call_soon_threadsafe(self._notify, f"{record.name}: {record.getMessage()}{cause}")


log = logging.getLogger("sandbox")

T = TypeVar("T")
BotFactory = Callable[[], discord.Client]

_BEAT = 0.25  # seconds between two looks at the wall clock
_SETTLE = 0.8  # seconds an action waits for the bot to come to rest
_STRIDE = timedelta(minutes=10)  # a jump in time is walked, so that timers fire in their order
_ANSWER_IN = timedelta(seconds=3)  # Discord: the first answer to an interaction


@dataclass(frozen=True, slots=True)
class News:
    """Something happened: what, where, to which message; `text` is for people."""

    what: Literal["message", "gone", "channels", "commands", "typing", "notice", "time", "busy", "trouble"]
    channel: int = 0
    message: int = 0
    text: str = ""
    level: Literal["info", "warning", "error"] = "info"
    person: int | None = None


class RefusedError(Exception):  # a refusal with a reason, not a failure
    """A person can't do that; the text is the reason."""


class World:
    """The sandbox's Discord, with one bot in it."""

    def __init__(
        self,
        make_bot: BotFactory,
        file: WorldFile,
        *,
        wall: Callable[[], float] = time.time,
        on_world_reset: Callable[[], None] | None = None,
    ) -> None:
        self._make_bot = make_bot
        self._on_world_reset = on_world_reset
        self._wall = wall
        self.file = file
        self.hearers: list[Callable[[News], None]] = []
        self.lock = asyncio.Lock()
        self.busy = 0
        self.backend = WatchedBackend(file, self._heard)
        self.env: SandboxEnv
        self.guild: simcord.GuildHandle
        self.offset = 0.0
        self.begun = False
        """The world stands, and a bot runs in it. The first outlives a bot that failed to start again."""
        self.running = False
        self._errors_shown = 0
        self._log_notices: LogNotices | None = None
        self._pump: asyncio.Task[None] | None = None
        self._waiting: dict[int, tuple[int, datetime]] = {}
        self.answered: Callable[[int], None] = lambda _interaction: None
        """Called with the id of an interaction once it opened a modal or was left unanswered."""

    # ------------------------------------------------------------------ news

    def notify(self, news: News) -> None:
        """Let every hearer know; they only take notes, so this may be called from anywhere."""
        for hearer in list(self.hearers):
            hearer(news)

    def notice(
        self, text: str, level: Literal["info", "warning", "error"] = "info", person: int | None = None
    ) -> None:
        """Show a line on the page, to one person or to all."""
        self.notify(News("notice", text=text, level=level, person=person))

    def _heard(self, what: str, channel: int, message: int) -> None:
        match what:
            case "trouble":
                log.error("the world's file can't be written: %s", self.backend.trouble)
                self.notice(
                    f"{self.file.path} can't be written: changes from now on won't be saved.", "error"
                )
            case "message" | "gone" | "channels" | "commands" | "typing":
                self.notify(News(what, channel, message))

    # ------------------------------------------------------------------ start and end

    async def start(self) -> None:
        """Read or build the world, start the bot, let time run.

        Raises what the bot raises at its start, and `WorldFileError` for a damaged file.
        """
        self._log_notices = LogNotices(lambda text: self.notice(text, "error"))
        logging.getLogger().addHandler(self._log_notices)
        self.offset = float(self.file.fact("offset") or 0.0)
        known = self.backend.load()
        if not known and self._on_world_reset is not None:
            self._on_world_reset()
        bot = self._make_bot()
        self.env = SandboxEnv(bot, check_errors=False, settle_timeout=_SETTLE)
        self.env.backend = self.backend
        latest = self.backend.latest()
        if latest is not None:
            # A wall clock that was set back must not make time, or ids, repeat.
            self.offset = max(self.offset, latest.timestamp() + 1.0 - self._wall())
        self.backend.advance_clock(max(0.0, self._due()))
        if not known:
            people.build(self.env, self.backend)
        self.guild = simcord.GuildHandle(self.env, next(iter(self.backend.guilds.values())))
        self._prepare(bot)
        await self.env.start()
        self.begun = self.running = True
        self._report()
        self._pump = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop time, close the bot, close the file."""
        if self._log_notices is not None:
            logging.getLogger().removeHandler(self._log_notices)
        if self._pump is not None:
            self._pump.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._pump
        async with self.lock:
            await self._close_bot()
            if self.running:
                self.running = False
                try:
                    await self.env.shutdown()
                except Exception:  # the bot's own ending; the world's file is what counts
                    log.exception("the bot did not end cleanly")
            self._report()
        self.file.close()

    def _prepare(self, bot: discord.Client) -> None:
        """Give a bot what it needs before it starts: its rights, and a wait that the simulation knows of."""
        people.invite(self.backend, bot)

        async def idle(aw: Awaitable[T]) -> T:
            result: T = await self.env.external_wait(aw, reason="the bot waits for something to do")
            return result

        if hasattr(bot, "idle"):
            bot.idle = idle

    async def _close_bot(self) -> None:
        if not hasattr(self, "env"):
            return  # the world itself could not be read
        try:
            async with asyncio.timeout(PATIENCE):
                await self.env.bot.close()
        except Exception:
            log.exception("the bot did not close cleanly")

    async def restart(self) -> None:
        """Close the bot and start a new one; the world stays. A failure to start is reported, not raised."""
        async with self._at_work():
            await self._close_bot()
            try:
                bot = self._make_bot()
                self._prepare(bot)
                replaced = await self._replace(bot)
            except Exception as error:
                await self._bot_is_down(error)
                return
            if not replaced:
                self.notice("The bot is still busy. Restart it again in a moment.", "warning")
                return
            self.running = True
            self._waiting.clear()
            self._report()
            self.notice("The bot was restarted.")
            self.notify(News("commands"))

    async def _replace(self, bot: discord.Client) -> bool:
        """Put the new bot in the old one's place; False when a thread of the old one is still at work."""
        if self.running:
            self.env.settle_timeout = PATIENCE
            try:
                await self.env.restart_bot(bot)
            except TimeoutError:
                log.warning("the old bot did not come to rest", exc_info=True)
            else:
                return True
            finally:
                self.env.settle_timeout = _SETTLE
        old, self.env.bot = self.env.bot, bot
        try:
            await self.env.start()
        except simcord.SetupError:
            if not self.running:
                raise
            self.env.bot = old  # SimCord has not let go of it
            return False
        return True

    async def _bot_is_down(self, error: BaseException) -> None:
        if self.running:
            self.running = False
            with contextlib.suppress(Exception):
                await self.env.shutdown()
        log.error("the bot did not start", exc_info=error)
        self.notice(f"The bot didn't start: {type(error).__name__}: {error}", "error")

    # ------------------------------------------------------------------ time

    def now(self) -> datetime:
        """Return the instant in the world, aware, UTC."""
        return self.backend.clock.now()

    def _due(self) -> float:
        """Return how many seconds the world is behind."""
        return self._wall() + self.offset - self.now().timestamp()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_BEAT)
            try:
                async with self.lock:
                    await self._tick()
            except Exception:
                log.exception("a beat of the sandbox failed")

    async def _tick(self) -> None:
        behind = max(0.0, self._due())
        if self.running:
            with contextlib.suppress(TimeoutError):  # a busy bot: the next beat goes on
                await self.env.advance_time(behind)
        else:
            self.backend.advance_clock(behind)
        self.backend.tidy()
        self._watch_answers()
        self._report()

    async def jump(self, seconds: float) -> None:
        """Let `seconds` pass at once. Timers fire in order, a stride of ten minutes at a time.

        Time waits for what the bot does meanwhile, within `PATIENCE`: its own limits are in this time, too.

        Raises RefusedError for less than a second or more than a month.
        """
        if not 0 < seconds <= 31 * 86400:
            raise RefusedError("Time can advance by up to a month at once.")
        async with self._at_work():
            self.offset += seconds
            self.file.put_fact("offset", self.offset)
            behind = self._due()
            until = time.monotonic() + PATIENCE
            await self._come_to_rest(until)
            while behind > 0:
                step = min(behind, _STRIDE.total_seconds())
                behind -= step
                self.backend.advance_clock(step)
                await self._come_to_rest(until)
            self.backend.tidy()
            self._report()
        self.notify(News("time"))

    async def _come_to_rest(self, until: float) -> None:
        """Let the bot do what time has brought, until that moment of `time.monotonic` at most."""
        if not self.running:
            return
        self.env.patience = max(0.0, until - time.monotonic())
        try:
            with contextlib.suppress(TimeoutError):
                await self.env.advance_time(0)
        finally:
            self.env.patience = 0.0

    # ------------------------------------------------------------------ acting

    @contextlib.asynccontextmanager
    async def _at_work(self) -> AsyncIterator[None]:
        self.busy += 1
        self.notify(News("busy"))
        try:
            async with self.lock:
                yield
        finally:
            self.busy -= 1
            self.notify(News("busy"))

    async def act(self, person: int, action: Callable[[], Awaitable[T]]) -> T | None:
        """Do one thing as a person and wait for the bot to come to rest.

        None when the bot is still at it after a while. Raises `RefusedError` when a real person could not
        have done it.
        """
        async with self._at_work():
            if not self.running:
                raise RefusedError("The bot isn't running. Restart it first.")
            before = set(self.backend.interactions)
            try:
                return await action()
            except TimeoutError:
                log.debug("the bot is still at work", exc_info=True)
                return None
            except (simcord.SetupError, simcord.BackendError) as refused:
                raise RefusedError(_plainly(refused)) from refused
            finally:
                for number in self.backend.interactions.keys() - before:
                    self._waiting[number] = (person, self.now())
                self._watch_answers()
                self._report()

    def _watch_answers(self) -> None:
        for number, (person, since) in list(self._waiting.items()):
            interaction = self.backend.interactions.get(number)
            if interaction is None or interaction.responded:
                del self._waiting[number]
                self.answered(number)
            elif self.now() - since > _ANSWER_IN:
                del self._waiting[number]
                if interaction.type != discord.InteractionType.autocomplete.value:
                    self.notice("The bot didn't answer in time.", "warning", person)

    def _report(self) -> None:
        """Show and log what the bot raised since the last look."""
        if not hasattr(self, "env"):
            return
        for error in self.env.errors_since(self._errors_shown):
            log.error("the bot raised an error", exc_info=error)
            cause = getattr(error, "original", error)
            self.notice(f"The bot raised {type(cause).__name__}: {cause}", "error")
        self._errors_shown = self.env.error_cursor

    def person(self, user_id: int) -> simcord.UserHandle:
        """Return the person with this id. Raises `RefusedError` for anyone else, including the bot."""
        user = self.backend.users.get(user_id)
        if user is None or user.bot or user_id not in self.backend.dm_channels:
            raise RefusedError("Nobody here has that name.")
        return simcord.UserHandle(self.env, user)

    def people(self) -> list[simcord.UserHandle]:
        """Return everyone a person can play as, in the order they joined."""
        return [self.person(user_id) for user_id in sorted(self.backend.dm_channels)]


def _plainly(refused: simcord.SetupError | simcord.BackendError) -> str:
    text = refused.message if isinstance(refused, simcord.BackendError) else str(refused)
    return text.split(" — ")[0].rstrip(".") + "."
