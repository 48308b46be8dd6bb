"""A worker process: reads jobs from standard input and writes their results, each as one line of JSON.

    in   {"job": 3, "kind": "turns", "data": {...}}     work on this
    in   {"stop": 3}                                    end that as soon as possible, the result isn't wanted
    out  {"hello": 71234}                               ready, with the process's id
    out  {"job": 3, "data": {...}, "log": [...], "memory": 61.5}
    out  {"job": 3, "error": "...", "log": [["line", "module:function:70", "KeyError"]], "memory": 61.5}

A second thread listens all the time. The end of standard input is the end of the process, even in the middle
of a job: so no worker outlives its bot, whatever has killed that. A process that grows beyond its limit of
memory ends on its own, before the machine runs short.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import queue
import resource
import select
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from typing import Any, Final

from bot.platform.error_places import error_of
from bot.platform.tablebases import find_oracles
from games.ai.players_by_level import Levels
from matches.thinking import wire
from matches.thinking.questions import answer_question
from matches.thinking.turns import DroppedError, Patience, play_turns, seconds_for

NICENESS: Final = 10
"""How much the priority of a worker is lowered (see `os.nice`)."""
GROWN: Final = 77
"""Exit status of a worker that has taken too much memory."""
_LOOK_EVERY: Final = 0.25
"""Seconds between two looks at the memory that is in use."""
_STDIN: Final = 0
_MB: Final = 1024 * 1024
_STATM: Final = Path("/proc/self/statm")

Work = Callable[[dict[str, Any], Callable[[], bool]], dict[str, Any]]
"""Works on the data of a job, asking from time to time whether it was dropped; returns the result's data."""


def memory() -> float:
    """Return how many MB this process uses on its own: without files that are mapped, where that is known."""
    try:
        _, resident, shared = map(int, _STATM.read_text("ascii").split()[:3])
    except OSError:  # not Linux: the most that was used so far
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (_MB if sys.platform == "darwin" else 1024)
    return (resident - shared) * resource.getpagesize() / _MB


class KeptLines(logging.Handler):
    """Keeps what is logged during a job, for the bot: lines, and of errors their place and kind."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        self.lines: list[tuple[str, str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record as text."""
        error = error_of(record) if record.levelno >= logging.ERROR else None
        self.lines.append((self.format(record), *(error or ("", ""))))


class Worker:
    """The jobs of this process, one after the other."""

    def __init__(self, kinds: Mapping[str, Work], limit: float) -> None:
        """`kinds` has the function for each kind of job; `limit` is the memory to end at, in MB."""
        self._kinds = kinds
        self._limit = limit
        self._jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._stopped = 0
        """The latest job that is to end."""
        self._kept = KeptLines()
        self._out = os.dup(1)
        os.dup2(2, 1)  # whatever prints must not garble the answers
        logging.basicConfig(handlers=[self._kept], force=True)

    def serve(self) -> None:
        """Work until standard input ends."""
        Thread(target=self._listen, daemon=True).start()
        self._send({"hello": os.getpid()})
        while True:
            self._work_on(self._jobs.get())

    def _work_on(self, job: dict[str, Any]) -> None:
        number = job["job"]
        answer: dict[str, Any] = {"job": number}
        try:
            answer["data"] = self._kinds[job["kind"]](job["data"], lambda: self._stopped >= number)
        except DroppedError:
            answer["data"] = {}
        except Exception as error:
            logging.getLogger(__name__).exception("a job failed")
            answer["error"] = f"{type(error).__name__}: {error}"
        self._send(answer | {"log": self._kept.lines, "memory": memory()})
        self._kept.lines = []

    def _send(self, what: dict[str, Any]) -> None:
        data = f"{json.dumps(what)}\n".encode()
        while data:
            data = data[os.write(self._out, data) :]

    def _listen(self) -> None:
        """Take in jobs, and end the process where it has to end."""
        rest = b""
        while True:
            if select.select([_STDIN], (), (), _LOOK_EVERY)[0]:
                if not (read := os.read(_STDIN, 1 << 16)):
                    os._exit(0)
                *lines, rest = (rest + read).split(b"\n")
                for line in lines:
                    message = json.loads(line)
                    if "stop" in message:
                        self._stopped = message["stop"]
                    else:
                        self._jobs.put(message)
            if memory() > self._limit:
                os._exit(GROWN)


def turns_of(levels: Levels) -> Work:
    """Return how to play turns with these computer players."""

    def work(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
        job = wire.unpack_job(data)
        patience = Patience.of(dropped, seconds=seconds_for(job, levels))
        return wire.pack_turns(play_turns(job, levels, patience))

    return work


def appraisals_of(levels: Levels) -> Work:
    """Return how to answer questions with what these computer players know."""

    def work(data: dict[str, Any], dropped: Callable[[], bool]) -> dict[str, Any]:
        job = wire.unpack_question(data)
        patience = Patience.of(dropped, seconds=job.total_seconds, decision=job.seconds)
        return wire.pack_appraisal(job.game, answer_question(job, levels, patience))

    return work


def main() -> None:
    """Serve the process that has started this one."""
    parser = argparse.ArgumentParser(description="A worker process of Dominium. The bot starts it.")
    parser.add_argument("tables", type=Path, help="the folder with tables of exact values")
    parser.add_argument("limit", type=float, help="MB of memory at which to end")
    asked = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends us
    os.nice(NICENESS)
    levels = Levels(find_oracles(asked.tables))
    Worker({"turns": turns_of(levels), "appraise": appraisals_of(levels)}, asked.limit).serve()


if __name__ == "__main__":
    main()
