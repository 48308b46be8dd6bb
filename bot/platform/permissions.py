"""The permissions that the bot needs in a channel, and the sentences that ask for missing ones."""

from __future__ import annotations

from typing import Any

import discord

from games.engine.message import Msg, msg

POSTING = ("view_channel", "send_messages", "attach_files", "read_message_history")
THREADS = ("create_public_threads", "send_messages_in_threads")
INVITE = discord.Permissions(**dict.fromkeys(POSTING + THREADS, True))
"""The permissions that an invitation link asks for."""


def missing_permissions(interaction: discord.Interaction[Any], *, threads: bool) -> tuple[str, ...]:
    """Return the names of the permissions that the bot lacks in a channel; none in direct messages."""
    if interaction.guild_id is None:
        return ()
    have = interaction.app_permissions
    if have.administrator:
        return ()
    needed = POSTING + (THREADS if threads else ())
    return tuple(name for name in needed if not getattr(have, name))


def permission_request(interaction: discord.Interaction[Any], lacking: tuple[str, ...]) -> Msg:
    """Return what is missing, as a request to grant it, or to ask someone who can."""
    labels = tuple(msg(f"bot.permission.{name}") for name in lacking)
    can = interaction.permissions.manage_roles or interaction.permissions.administrator
    place = f"<#{interaction.channel_id}>"
    if can:
        return msg("bot.permission.grant", n=len(labels), what=labels, place=place)
    return msg("bot.permission.ask", n=len(labels), what=labels, place=place)
