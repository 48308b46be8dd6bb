"""Remember our answers to typing mistakes, to delete them once the person has made their move."""

from __future__ import annotations

import contextlib

import discord
from cachetools import LRUCache

_REMEMBERED = 1024
"""Maximum number of remembered pairs of match and person."""


class Corrections:
    """The answers by match and person. A restart forgets them, and they stay in the channel."""

    def __init__(self) -> None:
        self._standing: LRUCache[tuple[str, int], list[discord.Message]] = LRUCache(_REMEMBERED)

    def add(self, match: str, user: int, answer: discord.Message) -> None:
        """Remember an answer to a text that couldn't be played."""
        self._standing.setdefault((match, user), []).append(answer)

    def forget(self, match: str, user: int) -> None:
        """Leave the answers to a person in the channel for good."""
        self._standing.pop((match, user), None)

    async def delete(self, match: str, user: int) -> None:
        """Delete the answers given to a person in a match."""
        for answer in self._standing.pop((match, user), ()):
            with contextlib.suppress(discord.HTTPException):  # already deleted, or not allowed
                await answer.delete()
