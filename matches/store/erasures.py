"""What is kept about a person, and people who are forgotten: part of the protocol of a Store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

ERASED_NAME = "Someone"
"""What stands in place of the name of a person who was forgotten."""

PersonalData = Mapping[str, tuple[Mapping[str, Any], ...]]
"""Rows by table, each by column, as the database has them."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """A person who is being forgotten, and the random number below zero that takes the place of their id."""

    user: int
    token: int


class ErasureStore(Protocol):
    """What is kept about a person, and how they are forgotten."""

    async def personal_data(self, user: int, limit: int) -> PersonalData:
        """Return what is kept about a person, at most `limit` rows of each table.

        Of rows that are about others too it has only what the person may know: no ids of others, no secrets.
        """
        ...

    async def begin_erasure(self, user: int, token: int, now: datetime) -> Erasure:
        """Note that a person is to be forgotten, and return it, or the erasure that has begun already.

        Raises ValueError if the token is taken or isn't below zero.
        """
        ...

    async def erasures(self) -> tuple[Erasure, ...]:
        """Return the erasures that have begun and aren't done, oldest first."""
        ...

    async def erase(self, user: int, now: datetime, *, even_playing: bool = False) -> bool:
        """Forget a person whose erasure has begun, in one transaction, and return whether that is done.

        It is not, and nothing is changed, while they have a seat in a lobby or a live match, or host a lobby;
        with `even_playing` the token takes their seats too.
        Their settings, plans, follows, mirrors and messages are removed; elsewhere the token takes the place
        of their id, and ERASED_NAME that of their name. What protects others from them stays: servers in
        which they may not play, and people who block them. Raises LookupError if no erasure has begun.
        """
        ...

    async def clean_up(self, now: datetime) -> bool:
        """Leave no trace of forgotten people in the database's free space; return whether there was work."""
        ...
