"""Requests to Discord as they are, with no library between.

A request comes again only where a limit asks for patience, or after an error of Discord's own (5xx), which
says nothing on any fact.

https://docs.discord.com/developers/topics/rate-limits
"""

from __future__ import annotations

import io
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
from discord.http import Route

_PATIENCE = 5
"""How often a limit is waited for."""
_AGENT = "DiscordBot (https://github.com/Rapptz/discord.py, rehearsal)"


@dataclass(frozen=True, slots=True)
class RestAnswer:
    """What Discord answered to one request."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def code(self) -> int:
        """Discord's code of a refusal, else 0."""
        found = self.body.get("code", 0) if isinstance(self.body, dict) else 0
        return found if isinstance(found, int) else 0

    @property
    def ok(self) -> bool:
        """Whether the request was carried out."""
        return self.status < 300

    @property
    def verdict(self) -> str:
        """Status and code in a few characters: `200`, `404 10008`."""
        return str(self.status) if self.ok else f"{self.status} {self.code}"


class Rest:
    """Asks as one bot, far below all limits: waits where the last answer says that nothing is left."""

    def __init__(
        self, session: aiohttp.ClientSession, token: str, wait: Callable[[float], Awaitable[None]]
    ) -> None:
        self._session, self._token, self._wait = session, token, wait
        self._spent: dict[tuple[str, str], float] = {}
        self.asked = 0
        """How many requests were sent."""

    async def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        files: Mapping[str, bytes] | None = None,
        token: str | None = None,
        hasty: bool = False,
    ) -> RestAnswer:
        """Send a request; `hasty` ones neither wait for a limit nor come again.

        Raises aiohttp.ClientError if Discord can't be reached, or only answers with errors of its own.
        """
        route = (part if at < 3 or not part.isdigit() else "" for at, part in enumerate(path.split("/")))
        key = method, "/".join(route)
        if not hasty and (left := self._spent.pop(key, 0.0)):
            await self._wait(left)
        tries = 1 if hasty else _PATIENCE
        while True:
            answer = await self._send(method, path, body, files, token or self._token)
            tries -= 1
            if answer.headers.get("X-RateLimit-Remaining") == "0":
                self._spent[key] = float(answer.headers.get("X-RateLimit-Reset-After", 1))
            if answer.status < 500 and (answer.status != 429 or tries == 0):
                return answer
            if tries == 0:
                raise aiohttp.ClientError(f"Discord answers {answer.status}")
            told = answer.body if isinstance(answer.body, dict) else {}
            await self._wait(float(told.get("retry_after", 60 if answer.status == 429 else 2)))

    async def _send(
        self, method: str, path: str, body: Any, files: Mapping[str, bytes] | None, token: str
    ) -> RestAnswer:
        self.asked += 1
        headers = {"Authorization": f"Bot {token}", "User-Agent": _AGENT}
        sent: dict[str, Any] = {} if body is None else {"json": body}
        if files:
            form = aiohttp.FormData()
            form.add_field("payload_json", json.dumps(body or {}))
            for index, (name, data) in enumerate(files.items()):
                form.add_field(
                    f"files[{index}]",
                    io.BytesIO(data),
                    filename=name,
                    content_type="application/octet-stream",
                )
            sent = {"data": form}
        async with self._session.request(method, f"{Route.BASE}{path}", headers=headers, **sent) as answer:
            as_json = answer.content_type == "application/json"
            found = await answer.json() if as_json else await answer.text()
            return RestAnswer(answer.status, found, dict(answer.headers))
