"""The command `dominium`, with a meter on its event loop: how long each callback kept the loop's thread busy.

Counted is the thread's own CPU time, so that other programs and waiting for a lock don't show. SIGUSR1 begins
anew. On exit the figures are written as JSON to the file that LAG_FILE names.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import signal
from pathlib import Path
from time import thread_time

from cli import main

KEPT = 5
"""Number of longest callbacks that are named."""
_plain = asyncio.Handle._run
times: list[float] = []
longest: list[tuple[float, str]] = []


def _metered(self: asyncio.Handle) -> None:
    begun = thread_time()
    _plain(self)
    took = 1000 * (thread_time() - begun)
    times.append(took)
    if len(longest) < KEPT or took > longest[-1][0]:
        longest.append((took, _name(self)))
        longest.sort(reverse=True)
        del longest[KEPT:]


def _name(handle: asyncio.Handle) -> str:
    """Return what a callback is: a step of a task by its coroutine, anything else by its function."""
    callback = handle._callback  # type: ignore[attr-defined]
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        return str(getattr(task.get_coro(), "__qualname__", task.get_name()))
    return str(getattr(callback, "__qualname__", callback))


def _begin_anew(*_: object) -> None:
    times.clear()
    longest.clear()


def _write() -> None:
    Path(os.environ["LAG_FILE"]).write_text(
        json.dumps({"times": times, "longest": longest}), encoding="utf-8"
    )


if __name__ == "__main__":
    asyncio.Handle._run = _metered  # type: ignore[method-assign]
    atexit.register(_write)
    signal.signal(signal.SIGUSR1, _begin_anew)
    main(prog_name="dominium")
