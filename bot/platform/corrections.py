"""Remember our answers to typing mistakes, to delete them once the person has made their move."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass

import aiohttp
import discord
from cachetools import LRUCache

_REMEMBERED = 1024
"""Maximum number of remembered pairs of match and person."""


@dataclass(eq=False, slots=True)
class Correction:
    """An answer to a typing mistake.

    Attributes:
        message: the answer, once it is posted.
        over: whether the person has made their move, so that it needn't be posted any longer.
    """

    message: discord.Message | None = None
    over: bool = False


class Corrections:
    """The answers by match and person. A restart forgets them, and they stay in the channel."""

    def __init__(self) -> None:
        self._standing: LRUCache[tuple[str, int], list[Correction]] = LRUCache(_REMEMBERED)

    def add(self, match: str, user: int) -> Correction:
        """Remember an answer to a text that couldn't be played; it is posted next."""
        made = Correction()
        self._standing.setdefault((match, user), []).append(made)
        return made

    def take(self, match: str, user: int) -> list[Correction]:
        """Return the answers to a person in a match, and forget them: they are over."""
        taken = self._standing.pop((match, user), [])
        for each in taken:
            each.over = True
        return taken


async def delete_answers(corrections: Iterable[Correction]) -> None:
    """Delete answers, as far as Discord lets us."""
    for each in corrections:
        if each.message is not None:
            # Already deleted, or not allowed, or not now: then it stays.
            with contextlib.suppress(discord.DiscordException, OSError, aiohttp.ClientError):
                await each.message.delete()
