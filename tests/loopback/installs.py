"""Where the bot is installed: in guilds, by people for themselves; and conversations that it isn't in.

https://docs.discord.com/developers/resources/application#installation-context,
https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import discord
from simcord.backend import Backend
from simcord.backend.errors import SetupError
from simcord.backend.models import Channel, Interaction
from simcord.enums import ChannelType

IN_GUILD, IN_DMS, IN_PRIVATE = 0, 1, 2
"""Contexts of an interaction."""
FOR_GUILD, FOR_USER = 0, 1
"""Kinds of installation, as in an application's `integration_types_config`."""
_SCOPES = {FOR_GUILD: ["applications.commands", "bot"], FOR_USER: ["applications.commands"]}
SLASH, MESSAGE = 1, 3
"""Types of commands."""
MOST_FOLLOWUPS = 5
"""Followups of one interaction where the bot is only installed by a user."""
_ANYWHERE = discord.Permissions(attach_files=True, embed_links=True, mention_everyone=True)


class Installs:
    """Who has installed the bot, and which channels are private ones of people."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.users: set[int] = set()
        self.kinds = {FOR_GUILD, FOR_USER}
        """How the application may be installed: both ways, as that of a new application."""
        self._private: set[int] = set()
        self._followups: dict[int, int] = {}

    def config(self) -> dict[str, Any]:
        """Return the application's `integration_types_config`: a key for each kind that is allowed."""
        return {
            str(kind): {"oauth2_install_params": {"scopes": _SCOPES[kind], "permissions": "0"}}
            for kind in sorted(self.kinds)
        }

    def install(self, user: int) -> None:
        """Install the bot for a person.

        Raises:
            SetupError: the application doesn't allow it, and Discord shows an error instead.
        """
        if FOR_USER not in self.kinds:
            raise SetupError("the application can't be installed by people for themselves")
        self.users.add(user)

    def create_private_channel(self, people: Sequence[int]) -> Channel:
        """Return a new conversation of people, without the bot."""
        channel = self._backend.create_channel(None, None, type=ChannelType.DM)
        channel.recipient_ids = list(people)
        self._private.add(channel.id)
        return channel

    def is_private(self, channel_id: int) -> bool:
        """Whether a channel is a conversation without the bot."""
        return channel_id in self._private

    def is_there(self, channel_id: int) -> bool:
        """Whether the bot is in a channel's guild, or in the conversation."""
        channel = self._backend.get_channel(channel_id)
        if channel.guild_id is None:
            return not self.is_private(channel_id)
        guild = self._backend.guilds.get(channel.guild_id)
        return guild is not None and self._backend.bot_user.id in guild.members

    def check(self, name: str, kind: int, channel_id: int, user: int) -> None:
        """Let a person use a command where one of its installations offers it.

        Raises:
            SetupError: clients don't offer it there.
        """
        command = self._backend.find_command(name, None, type=kind)
        if command is None:
            return  # SimCord refuses it
        for_guild = self.is_there(channel_id) and not self.is_private(channel_id)
        offered = command.get("integration_types") or [FOR_GUILD]
        if not (for_guild and FOR_GUILD in offered) and not (user in self.users and FOR_USER in offered):
            raise SetupError(f"{name!r} isn't offered in {channel_id}: {offered}")
        contexts = command.get("contexts")
        if contexts is not None and self._context(channel_id) not in contexts:
            raise SetupError(f"{name!r} isn't offered in {channel_id}: {contexts}")

    def _context(self, channel_id: int) -> int:
        if self._backend.get_channel(channel_id).guild_id is not None:
            return IN_GUILD
        return IN_PRIVATE if self.is_private(channel_id) else IN_DMS

    @contextmanager
    def speaking_in(self, channel_id: int, user: int) -> Iterator[None]:
        """Let SimCord take a private channel for a person's conversation with the bot."""
        if not self.is_private(channel_id):
            yield
            return
        known = self._backend.get_dm_channel(user).id
        self._backend.dm_channels[user] = channel_id
        try:
            yield
        finally:
            self._backend.dm_channels[user] = known

    def interaction(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Return an interaction that says where it was started, and for whom the bot is installed there."""
        channel_id = int(payload["channel_id"])
        user = (payload.get("user") or payload["member"]["user"])["id"]
        guild, there = payload.get("guild_id"), self.is_there(channel_id)
        owners = {}
        if there:
            owners[str(FOR_GUILD)] = guild or "0"
        if int(user) in self.users:
            owners[str(FOR_USER)] = user
        sent = {**payload, "context": self._context(channel_id), "authorizing_integration_owners": owners}
        if guild is not None:
            sent["guild"] = {"id": guild, "locale": "en-US", "features": []}
        if not there:
            sent["app_permissions"] = str(_ANYWHERE.value)
        return sent

    def admit_followup(self, record: Interaction) -> bool:
        """Count a followup; return False if the bot has no more of them there."""
        if self.is_there(record.channel_id):
            return True
        self._followups[record.id] = self._followups.get(record.id, 0) + 1
        return self._followups[record.id] <= MOST_FOLLOWUPS
