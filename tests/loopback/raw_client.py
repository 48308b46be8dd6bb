"""A client by hand for tests of the server: raw HTTP requests, with Discord's answers as they are."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp

from tests.loopback.server import LoopbackDiscord


class RawClient:
    """Sends what a test says, as the bot."""

    def __init__(self, server: LoopbackDiscord, session: aiohttp.ClientSession) -> None:
        self._server = server
        self._session = session
        self.headers: dict[str, str] = {}
        """Of the last answer."""

    async def ask(self, method: str, path: str, body: Any = None, **params: Any) -> tuple[int, Any]:
        """Return the status and the JSON of the answer."""
        sent = {"json": body} if body is not None else {}
        headers = {"Authorization": f"Bot {self._server.token}"}
        url = f"{self._server.url}/api/v10{path}"
        async with self._session.request(method, url, headers=headers, params=params, **sent) as answer:
            self.headers = dict(answer.headers)
            return answer.status, (None if answer.status == 204 else await answer.json())


@contextlib.asynccontextmanager
async def raw_client(server: LoopbackDiscord) -> AsyncIterator[RawClient]:
    """A connection to a running server."""
    async with aiohttp.ClientSession() as session:
        yield RawClient(server, session)
