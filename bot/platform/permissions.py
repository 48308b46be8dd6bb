"""The least the bot needs in a channel, and how to say what is missing to whom."""

from __future__ import annotations

from typing import Any

import discord

from games.engine.message import Msg, msg

POSTING = ("view_channel", "send_messages", "attach_files", "read_message_history")
THREADS = ("create_public_threads", "send_messages_in_threads")
INVITE = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    read_message_history=True,
    create_public_threads=True,
    send_messages_in_threads=True,
)
"""What an invitation link asks for."""


def missing(interaction: discord.Interaction[Any], *, threads: bool) -> tuple[str, ...]:
    """Names of the permissions that the bot lacks where the interaction was made; none in direct messages."""
    if interaction.guild_id is None:
        return ()
    have = interaction.app_permissions
    if have.administrator:
        return ()
    needed = POSTING + (THREADS if threads else ())
    return tuple(name for name in needed if not getattr(have, name))


def complaint(interaction: discord.Interaction[Any], lacking: tuple[str, ...]) -> Msg:
    """Which permission is missing, said to somebody who can grant it, or who knows whom to ask."""
    labels = tuple(msg(f"bot.permission.{name}") for name in lacking)
    can = interaction.permissions.manage_roles or interaction.permissions.administrator
    place = f"<#{interaction.channel_id}>"
    if can:
        return msg("bot.permission.grant", n=len(labels), what=labels, place=place)
    return msg("bot.permission.ask", n=len(labels), what=labels, place=place)
