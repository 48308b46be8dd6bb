"""One open page: requests in, news out, over one WebSocket.

Every request is answered exactly once, by `re` with its number; news are sent as they come, each
message in its newest form, and only what this page's person may see.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any

from aiohttp import WSMsgType, web

from sandbox import views
from sandbox.actions import Actions, Modal
from sandbox.world import News, RefusedError, World

log = logging.getLogger("sandbox")

_REQUEST_LIMIT = 1 << 24  # bytes of one request: a message, a form, or a command with files in base64


class Session:
    """The page of one person, for as long as its socket is open."""

    def __init__(self, world: World, actions: Actions, person: int) -> None:
        self._world = world
        self._actions = actions
        self.person = person
        self.asked = 0.0
        """When this page last asked for something, in the loop's seconds."""
        self._socket = web.WebSocketResponse(heartbeat=20, max_msg_size=_REQUEST_LIMIT)
        self._news: dict[tuple[str, int, int, str], News] = {}
        self._modals: list[tuple[int, Modal]] = []
        self._stir = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, request: web.Request) -> web.WebSocketResponse:
        """Serve until the page goes away."""
        await self._socket.prepare(request)
        self._world.hearers.append(self._hear)
        sender = asyncio.create_task(self._send_news())
        try:
            await self._send({"what": "hello", **views.hello(self._world, self.person)})
            async for received in self._socket:
                if received.type is not WSMsgType.TEXT:
                    break
                self._begin(received.data)
        except ConnectionError:
            log.debug("a page went away in the middle of a message")
        finally:
            self._world.hearers.remove(self._hear)
            sender.cancel()
            await asyncio.gather(sender, *self._tasks, return_exceptions=True)
        return self._socket

    async def close(self) -> None:
        """Say goodbye: the server ends."""
        await self._socket.close(code=1001, message=b"the sandbox ends")

    # ------------------------------------------------------------------ news

    def _hear(self, news: News) -> None:
        # May be called from within the bot's work: take a note, wake the sender, nothing else.
        if news.person in (None, self.person):
            self._news[news.what, news.channel, news.message, news.text] = news
            self._stir.set()

    def show_modal(self, interaction: int, modal: Modal) -> None:
        """Open a form on this page."""
        self._modals.append((interaction, modal))
        self._stir.set()

    async def _send_news(self) -> None:
        try:
            while True:
                await self._stir.wait()
                self._stir.clear()
                # Channels first: messages speak of them.
                batch = sorted(self._news.values(), key=lambda news: news.what != "channels")
                self._news = {}
                for news in batch:
                    event = self._event_of(news)
                    if event is not None:
                        await self._send(event)
                modals, self._modals = self._modals, []
                for interaction, modal in modals:
                    await self._send({"what": "modal", "interaction": str(interaction), "modal": modal})
        except ConnectionError:
            log.debug("a page went away while it was sent the news")

    def _event_of(self, news: News) -> dict[str, Any] | None:
        world, backend = self._world, self._world.backend
        match news.what:
            case "message":
                stored = backend.messages.get(news.channel, {}).get(news.message)
                if stored is None or not stored.visible_to(self.person) or not self._may(news.channel):
                    return None
                return {"what": "message", "message": views.message(backend, stored, self.person)}
            case "gone":
                return {"what": "gone", "channel": str(news.channel), "message": str(news.message)}
            case "channels":
                return {"what": "channels", "channels": views.channels(world, self.person)}
            case "typing":
                return {"what": "typing", "channel": str(news.channel)} if self._may(news.channel) else None
            case "time":
                return {"what": "time", "now": views.clock(world)}
            case "busy":
                return {"what": "busy", "busy": world.busy > 0}
            case "notice":
                return {"what": "notice", "text": news.text, "level": news.level}
            case "commands":
                return {"what": "commands"}
        return None

    def _may(self, channel: int) -> bool:
        return views.can_read(self._world.backend, channel, self.person)

    async def _send(self, message: Mapping[str, Any]) -> None:
        if not self._socket.closed:
            await self._socket.send_str(json.dumps(message, ensure_ascii=False))

    # ------------------------------------------------------------------ requests

    def _begin(self, text: str) -> None:
        task = asyncio.create_task(self._answer(text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, text: str) -> None:
        number: object = None
        try:
            request = json.loads(text)
            if not isinstance(request, dict):
                raise TypeError("a request is an object")
            number = request.get("id")
            answer = {"ok": True, "data": await self._do(request)}
        except RefusedError as refused:
            answer = {"ok": False, "why": str(refused)}
        except (KeyError, TypeError, ValueError) as wrong:
            answer = {"ok": False, "why": f"That request can't be read: {wrong}."}
        except Exception:
            log.exception("a request of the page failed")
            answer = {"ok": False, "why": "The sandbox itself failed; see its log."}
        try:
            await self._send({"re": number, **answer})
        except ConnectionError:
            log.debug("a page went away before its answer came")

    async def _do(self, request: Mapping[str, Any]) -> object:
        """Do what a request asks for; most return nothing, because their effect comes as news."""
        verb, me = str(request["do"]), self.person
        self.asked = asyncio.get_running_loop().time()
        match verb:
            case "jump":
                await self._world.jump(float(request["seconds"]))
                return None
            case "restart":
                await self._world.restart()
                return None
            case "submit":
                await self._actions.submit(me, int(request["interaction"]), _object(request, "values"))
                return None
        channel = int(request["channel"])
        if not self._may(channel):
            raise RefusedError("You can't see that channel.")
        match verb:
            case "history":
                before = request.get("before")
                return views.history(
                    self._world.backend, channel, me, None if before is None else int(before)
                )
            case "commands":
                return views.commands(self._world.backend, channel, me)
            case "autocomplete":
                typed, option = str(request["value"]), str(request["option"])
                name, filled = str(request["name"]), _object(request, "options")
                return await self._actions.autocomplete(me, channel, name, option, typed, filled)
            case "slash":
                name, filled = str(request["name"]), _object(request, "options")
                await self._actions.slash(me, channel, name, filled)
            case "send":
                reply = request.get("reply")
                text = str(request["text"])
                await self._actions.send(me, channel, text, None if reply is None else int(reply))
            case _:
                await self._on_message(verb, channel, request)
        return None

    async def _on_message(self, verb: str, channel: int, request: Mapping[str, Any]) -> None:
        me, message, actions = self.person, int(request["message"]), self._actions
        match verb:
            case "edit":
                await actions.edit(me, channel, message, str(request["text"]))
            case "delete":
                await actions.delete(me, channel, message)
            case "dismiss":
                actions.dismiss(me, channel, message)
            case "click":
                await actions.click(me, channel, message, str(request["custom_id"]))
            case "select":
                values = [str(value) for value in request["values"]]
                await actions.select(me, channel, message, str(request["custom_id"]), values)
            case _:
                raise ValueError(f"nobody knows how to {verb}")


def _object(request: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = request[key]
    if not isinstance(value, dict):
        raise TypeError(f"{key} is an object")
    return value
