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

    def take(self, match: str, user: int) -> list[discord.Message]:
        """Return the answers to a person in a match, and forget them."""
        return self._standing.pop((match, user), [])


async def delete_answers(answers: list[discord.Message]) -> None:
    """Delete answers, as far as Discord lets us."""
    for answer in answers:
        with contextlib.suppress(discord.HTTPException):  # already deleted, or not allowed
            await answer.delete()
