"""The command `dominium`, with a meter on its event loop: how long each callback kept the loop's thread busy.

Counted is the thread's own CPU time, so that other programs and waiting for a lock don't show. How much too late
a timer fires, by the clock on the wall, is counted too: that shows what else takes the interpreter or the
processor. SIGUSR1 begins anew. On exit the figures are written as JSON to the file that LAG_FILE names.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import signal
from pathlib import Path
from time import monotonic, thread_time

from cli import main

KEPT = 5
"""Number of longest callbacks that are named."""
_plain = asyncio.Handle._run
EVERY = 0.01
"""Seconds between two timers that are compared with the clock."""
times: list[float] = []
late: list[float] = []
"""Milliseconds by which timers were late."""
_beating = False
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


def _beat(due: float | None) -> None:
    now = monotonic()
    if due is not None:
        late.append(1000 * (now - due))
    asyncio.get_running_loop().call_later(EVERY, _beat, now + EVERY)


def _begin_anew(*_: object) -> None:
    global _beating
    times.clear()
    longest.clear()
    late.clear()
    if not _beating:
        _beating = True
        asyncio.get_running_loop().call_soon_threadsafe(_beat, None)


def _write() -> None:
    Path(os.environ["LAG_FILE"]).write_text(
        json.dumps({"times": times, "longest": longest, "late": late}), encoding="utf-8"
    )


if __name__ == "__main__":
    asyncio.Handle._run = _metered  # type: ignore[method-assign]
    atexit.register(_write)
    signal.signal(signal.SIGUSR1, _begin_anew)
    main(prog_name="dominium")
