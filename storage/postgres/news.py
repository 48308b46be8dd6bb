"""Hear what other processes of this bot have changed: one connection in a thread of its own.

What is announced while nobody listens is lost; so after each new connection everything may have changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Final

import psycopg

from matches.ports import StoreError
from storage.postgres.sessions import CHANNEL, TOGETHER, connect
from storage.postgres.target import Target

log = logging.getLogger(__name__)

_PATIENCE: Final = 0.5
"""Seconds to wait for news, or after a failure, before looking whether this is closed."""

Heard = Callable[[str, str], None]
"""Called on the event loop with a topic and a key; with two empty texts if all may have changed."""


class ProcessNews:
    """Listens from `start` to `close`."""

    def __init__(self, target: Target, process: int) -> None:
        self._target = target
        self._process = process
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, heard: Heard) -> None:
        """Call `heard` on the running event loop from now on."""
        loop = asyncio.get_running_loop()

        def pass_on(topic: str, key: str) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended before us
                loop.call_soon_threadsafe(heard, topic, key)

        self._thread = threading.Thread(target=self._listen, args=(pass_on,), name="news", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def _listen(self, pass_on: Heard) -> None:
        while not self._closed.is_set():
            try:
                with connect(self._target, TOGETHER, self._process) as db:
                    db.execute(f"LISTEN {CHANNEL}")
                    pass_on("", "")
                    while not self._closed.is_set():
                        for notice in db.notifies(timeout=_PATIENCE):
                            teller, _, what = notice.payload.partition("/")
                            if teller != str(self._process):
                                topic, _, key = what.partition(":")
                                pass_on(topic, key)
            except (psycopg.Error, StoreError) as error:
                log.warning("news of other processes can't be heard", extra={"error": repr(error)})
                self._closed.wait(_PATIENCE)
