"""Read marks: up to which message each channel has been read.

A mark never passes a message that is being handled or waits for the database, nor a gap that hasn't been
read: after a crash or an outage of Discord these are read the next time.
"""

from __future__ import annotations


class ReadMarks:
    """Tracks the messages being handled and the channels with a gap."""

    def __init__(self) -> None:
        self._at_work: dict[int, set[int]] = {}
        self._done: dict[int, int] = {}
        self.gaps: set[int] = set()

    def begin(self, channel: int, message: int) -> bool:
        """Note that a message is being handled; return False if it was noted before."""
        at_work = self._at_work.setdefault(channel, set())
        new = message not in at_work
        at_work.add(message)
        return new

    def end(self, channel: int, message: int) -> int | None:
        """Note that a message was handled; return the channel's new read mark, or None if it stays."""
        at_work = self._at_work[channel]
        at_work.discard(message)
        done = self._done[channel] = max(message, self._done.get(channel, message))
        if at_work and min(at_work) < done:
            return None
        del self._done[channel]
        if not at_work:
            del self._at_work[channel]
        return None if channel in self.gaps else done

    def passable(self, channel: int, message: int) -> bool:
        """Return whether the mark may pass a message: neither it nor an earlier one is being handled."""
        return all(other > message for other in self._at_work.get(channel, ()))
