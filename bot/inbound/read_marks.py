"""Up to where channels have been read.

A read mark never passes a message that is still being carried out, nor a gap that could not be read yet: what
a crash or a failing Discord keeps from us is read the next time.
"""

from __future__ import annotations


class ReadMarks:
    """Up to where each channel is read: knows the messages at work and the channels with a gap."""

    def __init__(self) -> None:
        self._at_work: dict[int, set[int]] = {}
        self._done: dict[int, int] = {}
        self.gaps: set[int] = set()

    def begin(self, channel: int, message: int) -> None:
        """A message is being carried out."""
        self._at_work.setdefault(channel, set()).add(message)

    def end(self, channel: int, message: int) -> int | None:
        """It was carried out: the message up to which the channel may be marked as read, if that changed."""
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
        """Whether no earlier message is at work."""
        return all(other > message for other in self._at_work.get(channel, ()))
