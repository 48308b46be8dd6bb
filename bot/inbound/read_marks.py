"""Read marks: up to which message each channel has been read.

A mark moves with every message, written by anyone and handled or not, so that after a gap reading
begins where it ended. It never passes a message that is being handled or waits for the database, nor messages
that may have been missed: after a crash or an outage of Discord these are read the next time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from discord.utils import time_snowflake


def session_mark(count: int, shard: int) -> int:
    """Return the place of the read mark of a session: all that was written before it has reached us.

    No channel has such a low number, and no server, whose marks are below zero as well.
    """
    return -(count * 100_000 + shard)


class ReadMarks:
    """Tracks the messages being handled, and the marks that aren't stored yet.

    Only the channels in which a live match shows boards have marks. What is read elsewhere isn't recorded.
    """

    def __init__(self) -> None:
        self._at_work: dict[int, set[int]] = {}
        self._done: dict[int, int] = {}
        self._kept: set[int] = set()
        self._unsaved: dict[int, int] = {}

    def keep(self, channels: Iterable[int]) -> None:
        """Record the marks of these channels from now on, and of no others."""
        self._kept = set(channels)

    def keep_also(self, channel: int) -> None:
        """Record the marks of one more channel."""
        self._kept.add(channel)

    def begin(self, channel: int, message: int) -> bool:
        """Note that a message is being handled; return False if it was noted before."""
        at_work = self._at_work.setdefault(channel, set())
        new = message not in at_work
        at_work.add(message)
        return new

    def end(self, channel: int, message: int, *, held: bool = False) -> None:
        """Note that a message was handled, and move the mark; `held` if earlier ones may have been missed."""
        at_work = self._at_work[channel]
        at_work.discard(message)
        done = self._done[channel] = max(message, self._done.get(channel, message))
        if at_work and min(at_work) < done:
            return
        del self._done[channel]
        if not at_work:
            del self._at_work[channel]
        if not held:
            self.move(channel, done)

    def leave(self, channel: int, message: int) -> None:
        """Note that a message isn't handled here: the mark doesn't pass it until it is read once more."""
        self._done.pop(channel, None)
        if at_work := self._at_work.get(channel):
            at_work.discard(message)
            if not at_work:
                del self._at_work[channel]

    def move(self, channel: int, message: int) -> None:
        """Move the mark to a message before which none was missed, unless an earlier one is being handled."""
        if channel in self._kept and all(other > message for other in self._at_work.get(channel, ())):
            self._unsaved[channel] = max(message, self._unsaved.get(channel, message))

    def note_session(self, count: int, shard: int, heard: datetime) -> None:
        """Move the mark of a session to a time: all that was written until then has reached us."""
        self._unsaved[session_mark(count, shard)] = time_snowflake(heard)

    def take_unsaved(self) -> dict[int, int]:
        """Return the marks that moved since the last call."""
        unsaved, self._unsaved = self._unsaved, {}
        return unsaved

    def put_back(self, marks: dict[int, int]) -> None:
        """Keep marks that couldn't be stored for the next call."""
        for channel, message in marks.items():
            self._unsaved[channel] = max(message, self._unsaved.get(channel, message))
