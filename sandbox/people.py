"""The first day of a sandbox world: a server with a role, three channels, five people and the bot.

Built once, before any bot is attached; afterwards the world's file is the only source.
"""

from __future__ import annotations

from typing import Final

import discord
import simcord

from sandbox.backend import WatchedBackend

PEOPLE: Final = (("ann", "Ann"), ("ben", "Ben"), ("cleo", "Cléo"), ("dan", "Dan"), ("eve", "Eve"))
"""Account name and display name. The first one owns the server, the second one has its role."""

CHANNELS: Final = (
    ("general", "Anything else"),
    ("games", "Matches start here"),
    ("spectators", "Watch other people's matches"),
)
"""Channel and topic."""

SYSTEM: Final = "games"
"""The channel of the server's own news, in which bots greet. The page opens with it."""

INVITED: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
)
"""What an invitation with the least rights would ask for."""


def build(env: simcord.Env, backend: WatchedBackend) -> None:
    """Make the world in `env` and write it down."""
    backend.bot_user.name = "Dominium"
    users = [env.create_user(name, global_name=shown) for name, shown in PEOPLE]
    guild = env.create_guild("Dominium", owner=users[0])
    moderators = guild.create_role("Moderators")
    for user in users[1:]:
        guild.add_member(user, roles=[moderators] if user is users[1] else [])
    for name, topic in CHANNELS:
        channel = guild.create_text_channel(name, topic=topic)
        if name == SYSTEM:
            backend.guilds[guild.id].system_channel_id = channel.id
    for user in users:
        backend.get_dm_channel(user.id)
    backend.keep_everything()


def invite(backend: WatchedBackend, bot: discord.Client) -> None:
    """Give the bot's role the rights of its invitation, and those the bot lists in `invite_permissions`."""
    listed = getattr(bot, "invite_permissions", None)
    wanted = INVITED | listed if isinstance(listed, discord.Permissions) else INVITED
    for guild in backend.guilds.values():
        for role in guild.roles.values():
            if role.managed:
                role.permissions = wanted.value
