"""Our answers to typing mistakes, remembered until the right move comes and makes them needless."""

from __future__ import annotations

import contextlib

import discord
from cachetools import LRUCache

_REMEMBERED = 1024


class Corrections:
    """By match and person; a restart forgets them, and they stay where they are."""

    def __init__(self) -> None:
        self._standing: LRUCache[tuple[str, int], list[discord.Message]] = LRUCache(_REMEMBERED)

    def add(self, match: str, user: int, answer: discord.Message) -> None:
        """Remember an answer to a text that was no move."""
        self._standing.setdefault((match, user), []).append(answer)

    def forget(self, match: str, user: int) -> None:
        """Let the answers stand for good."""
        self._standing.pop((match, user), None)

    async def take_away(self, match: str, user: int) -> None:
        """Delete the answers that were given to a person in a match."""
        for answer in self._standing.pop((match, user), ()):
            with contextlib.suppress(discord.HTTPException):  # somebody was quicker, or it must stay
                await answer.delete()
