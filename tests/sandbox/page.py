"""A page without a browser: the sandbox's WebSocket, spoken by a test.

Law: it keeps what a page keeps, messages by id and news in order, and waits for events, never for time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import discord

from sandbox import serve
from tests.patience import PATIENCE


class RefusedError(Exception):
    """The sandbox said no; the text is its reason."""


class Page:
    """One person's page."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self.hello: dict[str, Any] = {}
        self.channels: list[dict[str, Any]] = []
        self.messages: dict[str, dict[str, Any]] = {}
        self.news: list[dict[str, Any]] = []
        self.stirred = asyncio.Condition()
        self._reader: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Read the greeting, then everything that follows."""
        self.hello = await self._socket.receive_json()
        self.channels = self.hello["channels"]
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for received in self._socket:
            told = received.json()
            if "re" in told:
                answer = self._answers.pop(told["re"])
                if told["ok"]:
                    answer.set_result(told["data"])
                else:
                    answer.set_exception(RefusedError(told["why"]))
                continue
            async with self.stirred:
                self.news.append(told)
                if told["what"] == "message":
                    self.messages[told["message"]["id"]] = told["message"]
                elif told["what"] == "gone":
                    self.messages.pop(told["message"], None)
                elif told["what"] == "channels":
                    self.channels = told["channels"]
                self.stirred.notify_all()

    async def ask(self, verb: str, **what: Any) -> Any:
        """Ask and wait for the answer; raises `RefusedError`."""
        self._number += 1
        answer = self._answers[self._number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": self._number, "do": verb, **what})
        async with asyncio.timeout(PATIENCE):
            return await answer

    async def until(self, true: Callable[[], Any]) -> Any:
        """Wait until `true` gives something true, and give it back."""
        async with asyncio.timeout(PATIENCE), self.stirred:
            await self.stirred.wait_for(true)
        return true()

    def channel(self, name: str) -> str:
        """The id of a channel by its name, or "direct" for the bot's."""
        return next(str(c["id"]) for c in self.channels if name in (c["name"], c["kind"]))

    def saying(self, text: str) -> dict[str, Any] | None:
        """The newest message that holds `text`."""
        found = [m for m in self.messages.values() if text in f"{m['content']}{json.dumps(m['components'])}"]
        return max(found, key=lambda m: int(m["id"]), default=None)

    async def wait_for(self, text: str) -> dict[str, Any]:
        """Wait for a message that holds `text`."""
        message: dict[str, Any] = await self.until(lambda: self.saying(text))
        return message

    async def notice(self, text: str) -> dict[str, Any]:
        """Wait for a notice that holds `text`."""

        def told() -> dict[str, Any] | None:
            return next((n for n in self.news if n["what"] == "notice" and text in n["text"]), None)

        notice: dict[str, Any] = await self.until(told)
        return notice

    async def close(self) -> None:
        """Leave."""
        await self._socket.close()
        if self._reader is not None:
            await self._reader


def part(page: Page, begins: str, *, enabled: bool = True) -> dict[str, Any] | None:
    """Return the newest component whose id begins like that, with its message as `in`."""
    for message in sorted(page.messages.values(), key=lambda one: -int(one["id"])):
        for row in message["components"]:
            for one in row.get("components", ()):
                if str(one.get("custom_id")).startswith(begins) and not (enabled and one.get("disabled")):
                    return dict(one) | {"in": message["id"]}
    return None


async def use(page: Page, channel: str, begins: str, *values: str) -> None:
    """Press a button, or choose from a menu, as soon as it is there."""
    found = await page.until(lambda: part(page, begins))
    about: dict[str, Any] = {
        "channel": channel,
        "message": found["in"],
        "custom_id": found["custom_id"],
    }
    if values:
        await page.ask("select", **about, values=values)
    else:
        await page.ask("click", **about)


class Sandbox:
    """A sandbox that runs, and the pages open on it."""

    def __init__(self, url: str, http: aiohttp.ClientSession) -> None:
        self.url = url
        self.http = http
        self._pages: list[Page] = []

    async def page(self, person: str) -> Page:
        """Open a page as somebody."""
        socket = await self.http.ws_connect(f"{self.url}ws?as={person}", origin=self.url.rstrip("/"))
        page = Page(socket)
        await page.begin()
        self._pages.append(page)
        return page

    async def close(self) -> None:
        """Close every page."""
        for page in self._pages:
            await page.close()


@contextlib.asynccontextmanager
async def running(
    make_bot: Callable[[], discord.Client], world: Path, *, port: int | None = 0, **options: Any
) -> AsyncIterator[Sandbox]:
    """A sandbox in this process, until the end of the block."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(
        serve(make_bot, port=port, world=world, ready=address.set_result, **options)
    )
    waiting: list[asyncio.Future[Any]] = [address, serving]
    await asyncio.wait(waiting, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        await serving
    async with aiohttp.ClientSession() as http:
        sandbox = Sandbox(await address, http)
        try:
            yield sandbox
        finally:
            await sandbox.close()
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving
