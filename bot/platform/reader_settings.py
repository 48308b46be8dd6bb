"""How each reader is spoken to: language, theme and time zone, from cached settings of servers and people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import discord
from cachetools import LRUCache

import render
from bot.platform.config import Config
from games.engine.game import Seat
from games.engine.message import Msg
from locales import Catalogue
from matches.ports import Store

Scope: TypeAlias = Literal["guild", "user"]
MAX_CACHED = 4096
"""Maximum number of cached servers and people."""


class Preferences:
    """The settings in the store, behind a cache."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._forgotten = 0
        """How often something was forgotten: what was being read meanwhile may be old."""
        self._known: LRUCache[tuple[Scope, int], dict[str, Any]] = LRUCache(MAX_CACHED)

    async def get(self, scope: Scope, owner: int) -> dict[str, Any]:
        """Return the settings of a server or person; empty if there are none."""
        made = self._known.get((scope, owner))
        if made is None:
            before = self._forgotten
            made = await self._store.settings(scope, owner)
            if before == self._forgotten:
                self._keep(scope, owner, made)
        return dict(made)

    def cached(self, scope: Scope, owner: int) -> dict[str, Any] | None:
        """Return the settings if they are in the cache, else None."""
        made = self._known.get((scope, owner))
        return None if made is None else dict(made)

    async def save(self, scope: Scope, owner: int, values: dict[str, Any]) -> None:
        """Replace the settings of a server or person."""
        self._known.pop((scope, owner), None)
        await self._store.save_settings(scope, owner, values)
        self._keep(scope, owner, values)

    def forget(self, scope: Scope, owner: int) -> None:
        """Read these settings from the store again: a part of the service has changed them there."""
        self._forgotten += 1
        self._known.pop((scope, owner), None)

    def forget_all(self) -> None:
        """Read all settings from the store again."""
        self._forgotten += 1
        self._known.clear()

    def _keep(self, scope: Scope, owner: int, values: dict[str, Any]) -> None:
        self._known[scope, owner] = dict(values)


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader that something is written and drawn for; `seat` is theirs, None for spectators."""

    catalogue: Catalogue = field(repr=False, compare=False)
    language: str = "en"
    theme: str = "classic"
    text: bool = False
    """Whether boards are shown as text instead of pictures."""
    seat: Seat | None = None

    def say(self, message: Msg, names: Callable[[int], str] | None = None) -> str:
        """Return a message in the reader's language; `names` gives the names of seats, else numbered."""
        return self.catalogue.say(message, self.language, names)

    @property
    def accent(self) -> int:
        """The colour of the edge of a panel, in the reader's theme."""
        return render.accent(self.theme)


class Readers:
    """Makes readers from the settings of servers and people."""

    def __init__(self, catalogue: Catalogue, config: Config, preferences: Preferences) -> None:
        self.catalogue = catalogue
        self._config = config
        self._preferences = preferences

    @property
    def default(self) -> Reader:
        """The reader that the operator has configured, for people without settings."""
        return Reader(self.catalogue, self._config.language, self._config.theme)

    async def public(self, guild: int | None) -> Reader:
        """Return the reader for public boards in a server, or for None the default."""
        return self._of_server(await self._preferences.get("guild", guild) if guild else {})

    def known_public(self, guild: int | None) -> Reader | None:
        """Return the public reader without asking the store; None if the server's settings aren't cached."""
        made = self._preferences.cached("guild", guild) if guild else {}
        return None if made is None else self._of_server(made)

    async def person(self, user: int, locale: str | None, seat: Seat | None = None) -> Reader:
        """Return the reader for a person; `locale` is used if they have set no language."""
        made = await self._preferences.get("user", user)
        return Reader(
            self.catalogue,
            self._language(made.get("language"), locale),
            self._theme(made.get("theme")),
            made.get("board") == "text",
            seat,
        )

    async def of(self, interaction: discord.Interaction[Any], seat: Seat | None = None) -> Reader:
        """Return the reader for the person of an interaction."""
        return await self.person(interaction.user.id, str(interaction.locale), seat)

    def _of_server(self, made: Mapping[str, Any]) -> Reader:
        return Reader(self.catalogue, self._language(made.get("language")), self._theme(made.get("theme")))

    def _theme(self, name: object) -> str:
        return str(name) if name in render.THEMES else self._config.theme

    def _language(self, *preferred: object) -> str:
        for each in preferred:
            if each and (language := self.catalogue.language(str(each))) is not None:
                return language
        return self._config.language
