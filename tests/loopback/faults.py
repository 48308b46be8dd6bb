"""Faults that a test plants in front of a request or behind it.

A fault strikes the next requests that match its method and path, at one of two moments: before Discord has
handled the request, or after it has, when the effect stands and only the answer is missing.
"""

from __future__ import annotations

import asyncio
import enum
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.loopback.answers import HttpAnswer, planted, too_many
from tests.loopback.log import LoggedRequest


class Moment(enum.Enum):
    """Where in the life of a request a fault strikes or a hook is called."""

    BEFORE = "before handling"
    AFTER = "after handling, before answering"


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection ends without an answer: by a reset (errno 104), or by an orderly close."""

    orderly: bool = False


Strike = HttpAnswer | Cut | None
"""What a fault does; ``None`` means that it only holds the request up."""


@dataclass(eq=False)
class Fault:
    """One planted fault, and what it has struck so far.

    Attributes:
        times: how many more requests it strikes; ``None`` for all.
        struck: the requests it has struck.
        reached: set at the first strike.
        released: a held request goes on once this is set; set from the start unless the fault holds.
    """

    method: str
    path: re.Pattern[str]
    moment: Moment
    strike: Strike
    times: int | None = 1
    match: Callable[[LoggedRequest], bool] | None = None
    struck: list[LoggedRequest] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        """Let every held request go on, now and later."""
        self.released.set()

    def takes(self, moment: Moment, request: LoggedRequest) -> bool:
        """Whether this fault strikes the request at this moment."""
        return (
            self.moment is moment
            and self.times != 0
            and self.method in ("*", request.method)
            and self.path.fullmatch(request.path) is not None
            and (self.match is None or self.match(request))
        )


class Faults:
    """The planted faults of one server, oldest first; at most one strikes a request at each moment.

    Every method takes ``method`` (``"*"`` for any), ``path`` (a regular expression for the whole path below
    ``/api/v10``), ``times`` (``None`` for every request from now on) and ``match`` (a further condition).
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        """``changed`` is called whenever a fault strikes."""
        self._changed = changed
        self._planted: list[Fault] = []

    def clear(self) -> None:
        """Take all faults back and release what they hold."""
        for fault in self._planted:
            fault.times = 0
            fault.release()
        self._planted.clear()

    def error(
        self,
        status: int,
        *,
        method: str = "*",
        path: str = ".*",
        times: int | None = 1,
        code: int = 0,
        message: str = "the loopback server was told to fail",
        after_handling: bool = False,
        match: Callable[[LoggedRequest], bool] | None = None,
    ) -> Fault:
        """Answer with an HTTP status and Discord's JSON error ``code``."""
        answer = HttpAnswer(status, {"message": message, "code": code})
        return self._plant(method, path, times, match, answer, after_handling=after_handling)

    def rate_limit(
        self,
        retry_after: float,
        *,
        method: str = "*",
        path: str = ".*",
        times: int | None = 1,
        scope: str = "user",
        match: Callable[[LoggedRequest], bool] | None = None,
    ) -> Fault:
        """Answer 429 with ``retry_after`` seconds; ``scope`` is ``user``, ``shared`` or ``global``."""
        answer = too_many(retry_after, scope=scope)
        return self._plant(method, path, times, match, answer, after_handling=False)

    def refuse(
        self,
        code: int,
        *,
        method: str = "*",
        path: str = ".*",
        times: int | None = 1,
        retry_after: float = 0.01,
        match: Callable[[LoggedRequest], bool] | None = None,
    ) -> Fault:
        """Answer as Discord does with a code that `errors` lists; ``retry_after`` is for those with 429."""
        answer = planted(code, retry_after)
        return self._plant(method, path, times, match, answer, after_handling=False)

    def page(
        self,
        status: int,
        *,
        method: str = "*",
        path: str = ".*",
        times: int | None = 1,
        match: Callable[[LoggedRequest], bool] | None = None,
    ) -> Fault:
        """Answer as the proxy in front of Discord does when it bars an address: with a page, not JSON."""
        answer = HttpAnswer(status, "<html>Access denied</html>", content_type="text/html")
        return self._plant(method, path, times, match, answer, after_handling=False)

    def reset(
        self,
        *,
        method: str = "*",
        path: str = ".*",
        times: int | None = 1,
        after_handling: bool = False,
        orderly: bool = False,
        match: Callable[[LoggedRequest], bool] | None = None,
    ) -> Fault:
        """Cut the connection: the client sees errno 104, or, if ``orderly``, a server that hung up."""
        return self._plant(method, path, times, match, Cut(orderly), after_handling=after_handling)

    def hold(
        self,
        *,
        method: str = "*",
        path: str = ".*",
        times: int | None = 1,
        after_handling: bool = False,
        match: Callable[[LoggedRequest], bool] | None = None,
    ) -> Fault:
        """Hold the request until ``Fault.release()``."""
        return self._plant(method, path, times, match, None, after_handling=after_handling)

    def _plant(
        self,
        method: str,
        path: str,
        times: int | None,
        match: Callable[[LoggedRequest], bool] | None,
        strike: Strike,
        *,
        after_handling: bool,
    ) -> Fault:
        moment = Moment.AFTER if after_handling else Moment.BEFORE
        fault = Fault(method, re.compile(path), moment, strike, times, match)
        if strike is not None:
            fault.release()
        self._planted.append(fault)
        return fault

    async def meet(self, moment: Moment, request: LoggedRequest) -> Strike:
        """Let the first fitting fault strike; returns what replaces the answer, if anything does."""
        fault = next((planted for planted in self._planted if planted.takes(moment, request)), None)
        if fault is None:
            return None
        if fault.times is not None:
            fault.times -= 1
        fault.struck.append(request)
        fault.reached.set()
        self._changed()
        await fault.released.wait()
        return fault.strike
