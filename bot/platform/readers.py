"""How somebody reads: language, theme, picture or text; from their settings and Discord's locale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import discord

import render
from bot.platform.config import Config
from bot.platform.preferences import Preferences
from games.engine.game import Seat
from games.engine.message import Msg
from locales import Catalogue


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom something is written and drawn; `seat` is the one they hold, None for spectators."""

    catalogue: Catalogue = field(repr=False, compare=False)
    language: str = "en"
    theme: str = "classic"
    text: bool = False
    """Whether boards are shown as text instead of pictures."""
    seat: Seat | None = None

    def say(self, message: Msg, names: Callable[[int], str] | None = None) -> str:
        """Return a sentence in the reader's language; `names` says who sits on a seat."""
        return self.catalogue.say(message, self.language, names)

    @property
    def voice(self) -> Callable[[Msg], str]:
        """`say` for pictures and text boards, where seats go by their colour."""
        return self.catalogue.speaker(self.language)


class Readers:
    """Makes readers from what servers and people have set."""

    def __init__(self, catalogue: Catalogue, config: Config, preferences: Preferences) -> None:
        self.catalogue = catalogue
        self._config = config
        self._preferences = preferences

    @property
    def default(self) -> Reader:
        """How the operator has set it, for whoever we know nothing of."""
        return Reader(self.catalogue, self._config.language, self._config.theme)

    async def public(self, guild: int | None) -> Reader:
        """How boards look that everybody in a server sees."""
        return self._of_server(await self._preferences.get("guild", guild) if guild else {})

    def known_public(self, guild: int | None) -> Reader | None:
        """The same without asking the store; None if the server's settings aren't in memory."""
        made = self._preferences.known("guild", guild) if guild else {}
        return None if made is None else self._of_server(made)

    async def person(self, user: int, locale: str | None, seat: Seat | None = None) -> Reader:
        """How one person reads in private; `locale` is used where they have set no language."""
        made = await self._preferences.get("user", user)
        return Reader(
            self.catalogue,
            self._language(made.get("language"), locale),
            self._theme(made.get("theme")),
            made.get("board") == "text",
            seat,
        )

    async def of(self, interaction: discord.Interaction[Any], seat: Seat | None = None) -> Reader:
        """How the person of an interaction reads."""
        return await self.person(interaction.user.id, str(interaction.locale), seat)

    def _of_server(self, made: Mapping[str, Any]) -> Reader:
        return Reader(self.catalogue, self._language(made.get("language")), self._theme(made.get("theme")))

    def _theme(self, name: object) -> str:
        return str(name) if name in render.THEMES else self._config.theme

    def _language(self, *wished: object) -> str:
        for wish in wished:
            if wish and (language := self.catalogue.language(str(wish))) is not None:
                return language
        return self._config.language
