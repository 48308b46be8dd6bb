"""A worker with jobs that go wrong on purpose. `file` in a job's data is where it leaves a trace."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

from bot.platform.thinkers.worker import Worker


def echo(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
    """Return what was sent, with the priority and the id of the process."""
    return data | {"nice": os.nice(0), "pid": os.getpid(), "token": os.environ.get("DISCORD_TOKEN")}


def wait(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
    """Wait until the job is dropped."""
    Path(data["file"]).touch()
    pause = Event()
    while not dropped():
        pause.wait(0.01)
    return {}


def hang(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
    """Never end."""
    Path(data["file"]).touch()
    Event().wait()
    return {}


def die_once(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
    """Be killed the first time."""
    file = Path(data["file"])
    if not file.exists():
        file.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"pid": os.getpid()}


def die(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
    """Be killed each time."""
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def grow(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
    """Take memory until the end."""
    taken, pause = [], Event()
    while True:
        taken.append(b"x" * (4 << 20))
        pause.wait(0.005)


def fail(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
    """Raise an error."""
    print("this must not garble the answer")
    raise LookupError("nothing there")


KINDS = {each.__name__: each for each in (echo, wait, hang, die_once, die, grow, fail)}

if __name__ == "__main__":
    os.nice(5)
    Worker(KINDS, float(sys.argv[2])).serve()
