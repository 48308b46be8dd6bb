"""One socket of Discord's gateway, frame by frame.

https://docs.discord.com/developers/events/gateway
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID_SESSION, HELLO = 0, 1, 2, 6, 9, 10
INTENTS = 1 << 0 | 1 << 9
"""Servers and their messages: nothing that has to be switched on."""

PATIENCE = 15.0
"""Seconds to wait for a frame."""


class ClosedError(Exception):
    """Discord closed the socket; `code` says why."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the gateway closed with {code}")
        self.code = code


class GatewayLine:
    """A socket, the frames that came, and the session that it belongs to."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, token: str) -> None:
        self._socket, self._token = socket, token
        self.session = ""
        self.sequence: int | None = None
        self.events: list[dict[str, Any]] = []
        """All events since the start, with their name as `t`, data as `d` and number as `s`."""

    async def send(self, op: int, data: Any) -> None:
        """Send a frame."""
        await self._socket.send_str(json.dumps({"op": op, "d": data}))

    async def frame(
        self, fits: Callable[[dict[str, Any]], bool], patience: float | None = None
    ) -> dict[str, Any]:
        """Return the next frame that fits.

        Raises ClosedError if Discord closes the socket first, TimeoutError after `patience` seconds (15).
        """
        async with asyncio.timeout(patience or PATIENCE):
            while True:
                message = await self._socket.receive()
                if message.type is not aiohttp.WSMsgType.TEXT:
                    raise ClosedError(self._socket.close_code or 0)
                frame: dict[str, Any] = json.loads(message.data)
                if frame.get("s") is not None:
                    self.sequence = frame["s"]
                if frame["op"] == DISPATCH:
                    self.events.append(frame)
                if fits(frame):
                    return frame

    async def event(
        self,
        name: str,
        where: Callable[[dict[str, Any]], bool] = lambda data: True,
        patience: float | None = None,
    ) -> dict[str, Any]:
        """Return the data of the first event of this name for which `where` holds. Raises as `frame`."""
        for known in self.events:
            if known["t"] == name and where(known["d"]):
                data: dict[str, Any] = known["d"]
                return data
        found = await self.frame(lambda frame: frame["t"] == name and where(frame["d"]), patience)
        wanted: dict[str, Any] = found["d"]
        return wanted

    async def identify(self, token: str | None = None) -> dict[str, Any]:
        """Begin a session; return the data of READY. Raises as `frame`."""
        properties = {"os": "linux", "browser": "dominium", "device": "dominium"}
        asked = {"token": token or self._token, "intents": INTENTS, "properties": properties}
        await self.send(IDENTIFY, asked)
        ready = await self.event("READY")
        self.session = ready["session_id"]
        return ready

    async def resume(self, session: str, sequence: int | None) -> None:
        """Ask for a session to be taken up again."""
        await self.send(RESUME, {"token": self._token, "session_id": session, "seq": sequence or 0})

    async def close(self, code: int) -> None:
        """Close the socket; after another code than 1000 and 1001 the session can be resumed."""
        await self._socket.close(code=code)


@contextlib.asynccontextmanager
async def gateway(session: aiohttp.ClientSession, url: str, token: str) -> AsyncIterator[GatewayLine]:
    """Open a socket, past HELLO, whose heart beats. Raises as `GatewayLine.frame`."""
    async with session.ws_connect(f"{url}?v=10&encoding=json", max_msg_size=0) as socket:
        line = GatewayLine(socket, token)
        hello = await line.frame(lambda frame: frame["op"] == HELLO)

        async def beat() -> None:
            while not socket.closed:
                await asyncio.sleep(hello["d"]["heartbeat_interval"] / 1000)
                await line.send(HEARTBEAT, line.sequence)

        beating = asyncio.create_task(beat())
        try:
            yield line
        finally:
            beating.cancel()
