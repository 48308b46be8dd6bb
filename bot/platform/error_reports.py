"""Unexpected errors, grouped by the place in our own code where they happen.

One hook: whatever fails unexpectedly is logged as an error with its exception, by us, by asyncio or by a
library, so a handler of the root logger counts all of it. Kept are the names of module, function and
exception, a line, a count and times: nothing of an error's text, which may have texts of people, paths or
secrets. New counts are stored from time to time; if the webhook is set, operators are notified of new groups
there, in one message for all.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import version
from typing import Final, TypeAlias

import aiohttp

from bot.platform.error_places import error_of
from matches.ports import Clock, Store
from matches.store.operation import MAX_GROUPS, ErrorGroup

log = logging.getLogger(__name__)

EVERY: Final = timedelta(minutes=10)
"""Least time between two messages to the webhook, and between two attempts."""
MAX_REPORTED: Final = 10
"""Maximum number of groups that a message names."""
_PATIENCE: Final = aiohttp.ClientTimeout(total=10)

Post: TypeAlias = Callable[[str, str], Awaitable[None]]
"""Posts a text to the address of a webhook."""


class ErrorReports(logging.Handler):
    """Counts the errors that are logged, on every thread, until they are stored."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(logging.ERROR)
        self._clock = clock
        self._version = version("dominium")
        self._guard = threading.Lock()
        self._new: dict[tuple[str, str], ErrorGroup] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record of an error."""
        try:
            if (found := error_of(record)) is not None:
                now = self._clock.now()
                self._count((ErrorGroup(*found, 1, now, now, self._version),))
        except Exception:
            self.handleError(record)

    def _count(self, groups: Sequence[ErrorGroup]) -> None:
        with self._guard:
            for one in groups:
                key = one.place, one.kind
                if (known := self._new.pop(key, None)) is not None:
                    since, latest = min(known.since, one.since), max(known.latest, one.latest)
                    one = replace(one, count=known.count + one.count, since=since, latest=latest)  # noqa: PLW2901
                self._new[key] = one
            while len(self._new) > MAX_GROUPS:
                del self._new[next(iter(self._new))]

    async def save(self, store: Store) -> None:
        """Store what was counted since the last call. Raises StoreError; the next call then tries again."""
        with self._guard:
            new, self._new = tuple(self._new.values()), {}
        if not new:
            return
        try:
            await store.note_errors(new)
        except BaseException:
            self._count(new)
            raise


class ErrorWebhook:
    """Notifies operators of new groups of errors, at an address that they set. Failures disturb nothing."""

    def __init__(
        self, address: str, clock: Clock, write: Callable[[Sequence[ErrorGroup], int], str], post: Post
    ) -> None:
        """`write` makes the text about some groups, and the number of those that aren't shown."""
        self._address = address
        self._clock = clock
        self._write = write
        self._post = post
        self._tried = clock.now() - EVERY

    async def tick(self, store: Store) -> None:
        """Report the groups that weren't reported yet, if the last message was long enough ago.

        Raises StoreError. What can't be delivered is tried again, with what has come since.
        """
        if not self._address:
            return
        now, groups = self._clock.now(), await store.error_groups()
        unreported = [one for one in groups if one.told is None]
        last = max([self._tried, *(one.told for one in groups if one.told is not None)])
        if not unreported or now - last < EVERY:
            return
        self._tried = now
        shown = unreported[:MAX_REPORTED]
        try:
            await self._post(self._address, self._write(shown, len(unreported) - len(shown)))
        except (
            aiohttp.ClientError,
            OSError,
            TimeoutError,
            ValueError,
        ) as error:  # their texts have the address
            log.warning("the error webhook took no message", extra={"error": type(error).__name__})
            return
        await store.errors_reported(unreported, now)


async def post_text(address: str, text: str) -> None:
    """Post a text to a Discord webhook, without pings.

    Raises aiohttp.ClientError, OSError or TimeoutError.
    """
    body = {"content": text, "allowed_mentions": {"parse": []}}
    async with (
        aiohttp.ClientSession(timeout=_PATIENCE, raise_for_status=True) as session,
        session.post(address, json=body, allow_redirects=False),
    ):
        pass
