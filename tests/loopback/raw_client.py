"""A client by hand for tests of the server: requests, gateway frames, and Discord's answers as they are."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord

from tests.loopback.server import LoopbackDiscord
from tests.loopback.sessions import Op

INTENTS = discord.Intents.default()


class RawClient:
    """Sends what a test says, as the bot.

    Attributes:
        token: as whom it asks.
        headers: those of the last answer.
    """

    def __init__(self, server: LoopbackDiscord, session: aiohttp.ClientSession) -> None:
        self._server = server
        self._session = session
        self.token = server.token
        self.headers: dict[str, str] = {}

    async def ask(self, method: str, path: str, body: Any = None, **params: Any) -> tuple[int, Any]:
        """Return the status and the JSON of the answer, or its text if it is none."""
        sent = {"json": body} if body is not None else {}
        headers = {"Authorization": f"Bot {self.token}"}
        url = f"{self._server.url}/api/v10{path}"
        async with self._session.request(method, url, headers=headers, params=params, **sent) as answer:
            self.headers = dict(answer.headers)
            as_json = answer.content_type == "application/json"
            return answer.status, (await answer.json() if as_json else await answer.text())

    async def code(self, method: str, path: str, body: Any = None, **params: Any) -> tuple[int, int]:
        """Return the status and Discord's code of a refusal; the code is 0 for an answer without one."""
        status, answer = await self.ask(method, path, body, **params)
        return status, answer.get("code", 0) if isinstance(answer, dict) else 0

    @contextlib.asynccontextmanager
    async def gateway(self, intents: discord.Intents | None = INTENTS) -> AsyncIterator[RawGateway]:
        """A gateway socket; identified and past READY unless ``intents`` is ``None``."""
        async with self._session.ws_connect(self._server.gateway_url) as socket:
            line = RawGateway(self._server, socket)
            await line.next(Op.HELLO)
            if intents is not None:
                await line.identify(intents)
            yield line


class RawGateway:
    """One socket of the gateway.

    Attributes:
        session: the session's id, once READY has come.
        sequence: that of the last event.
    """

    def __init__(self, server: LoopbackDiscord, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._server = server
        self._socket = socket
        self.session = ""
        self.sequence = 0

    async def send(self, op: Op, data: Any = None) -> None:
        """Send a frame."""
        await self._socket.send_str(json.dumps({"op": op, "d": data}))

    async def next(self, op: Op) -> Any:
        """The data of the next frame of this kind; those before it are passed over.

        Raises:
            AssertionError: the socket was closed before; names the code.
        """
        return (await self._frame(lambda frame: frame["op"] == op))["d"]

    async def event(self, name: str) -> Any:
        """The data of the next event of this name; those before it are passed over."""
        return (await self._frame(lambda frame: frame["t"] == name))["d"]

    async def any_event(self) -> Any:
        """The next event, with its name as ``t`` and its data as ``d``."""
        return await self._frame(lambda frame: frame["op"] == Op.DISPATCH)

    async def _frame(self, fits: Any) -> Any:
        while True:
            message = await self._socket.receive(timeout=self._server.patience)
            if message.type is not aiohttp.WSMsgType.TEXT:
                raise AssertionError(f"the gateway closed with {self._socket.close_code}")
            frame = json.loads(message.data)
            if frame["s"] is not None:
                self.sequence = frame["s"]
            if fits(frame):
                return frame

    async def closed(self) -> int:
        """Wait until the server closes the socket; returns the code."""
        while not self._socket.closed:
            await self._socket.receive(timeout=self._server.patience)
        return self._socket.close_code or 0

    async def identify(
        self, intents: discord.Intents = INTENTS, *, shard: tuple[int, int] | None = None
    ) -> Any:
        """Begin a session; returns READY."""
        await self.ask_to_identify(intents, shard)
        ready = await self.event("READY")
        self.session = ready["session_id"]
        return ready

    async def ask_to_identify(
        self, intents: discord.Intents = INTENTS, shard: tuple[int, int] | None = None
    ) -> None:
        """Ask for a session, whatever comes of it."""
        properties = {"os": "linux", "browser": "test", "device": "test"}
        data = {"token": self._server.token, "intents": intents.value, "properties": properties}
        await self.send(Op.IDENTIFY, data | ({} if shard is None else {"shard": list(shard)}))

    async def resume(self, session: str, sequence: int) -> None:
        """Ask for a session to be taken up again."""
        await self.send(Op.RESUME, {"token": self._server.token, "session_id": session, "seq": sequence})


@contextlib.asynccontextmanager
async def raw_client(server: LoopbackDiscord) -> AsyncIterator[RawClient]:
    """A client of a running server."""
    async with aiohttp.ClientSession() as session:
        yield RawClient(server, session)
