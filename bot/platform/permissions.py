"""Kinds of channels as far as they matter to a match, and the permissions that the bot needs in each.

In threads and forum posts "Send Messages in Threads" decides, and "Send Messages" has no effect. In a forum
"Send Messages" is the permission to create posts, and Discord's clients call it so.
(https://docs.discord.com/developers/topics/permissions#inherited-permissions-threads)
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, TypeAlias

import discord

from games.engine.message import Msg, msg
from games.engine.normalization import folded

PlaceKind: TypeAlias = Literal["channel", "chat", "thread", "forum", "media", "other"]
"""`channel` can have threads on messages, `chat` can't; a `forum` takes only posts, and so does `media`."""

_KINDS: dict[discord.ChannelType, PlaceKind] = {
    discord.ChannelType.text: "channel",
    discord.ChannelType.news: "channel",
    discord.ChannelType.voice: "chat",
    discord.ChannelType.stage_voice: "chat",
    discord.ChannelType.public_thread: "thread",
    discord.ChannelType.private_thread: "thread",
    discord.ChannelType.news_thread: "thread",
    discord.ChannelType.forum: "forum",
    discord.ChannelType.media: "media",
}
_OUR_TAG = "dominium"
POSTING = ("view_channel", "send_messages", "attach_files", "read_message_history")
THREADS = ("create_public_threads", "send_messages_in_threads")
INVITE = discord.Permissions(**dict.fromkeys(POSTING + THREADS, True))
"""The permissions that an invitation link asks for."""
_LABELS = {("forum", "send_messages"): "create_posts"}
"""Names of permissions that differ in some kinds of channels."""


def place_kind(of: discord.ChannelType) -> PlaceKind:
    """Return the kind of a channel by its type in Discord."""
    return _KINDS.get(of, "other")


def post_tags(
    forum: discord.ForumChannel, names: Collection[str], *, moderator: bool = False
) -> tuple[discord.ForumTag, ...] | None:
    """Return the tags for a post about a match: one named like the game (`names`) or like the bot.

    What a tag adds in brackets doesn't count. If there is none and the forum requires a tag, take the first.
    Tags that only moderators may set are left out, unless we are one. Return None if a tag is required and
    there is none to set.
    """
    open_tags = [tag for tag in forum.available_tags if moderator or not tag.moderated]
    wanted = {folded(name) for name in names}
    for fits in (wanted, {_OUR_TAG}):
        for tag in open_tags:
            if folded(tag.name).partition(" (")[0] in fits:
                return (tag,)
    if not forum.flags.require_tag:
        return ()
    return (open_tags[0],) if open_tags else None


def bot_is_there(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the bot itself is in the server or conversation of an interaction.

    Where only a person has installed it, it answers that person, and can neither read nor post.
    """
    if interaction.guild_id is not None:
        return interaction.client.get_guild(interaction.guild_id) is not None
    return not interaction.context.private_channel


def _needed(kind: PlaceKind, *, threads: bool) -> tuple[str, ...]:
    """Return what the bot needs to run a match in a channel; with `threads`, to make its thread too."""
    if kind == "thread":
        return tuple("send_messages_in_threads" if name == "send_messages" else name for name in POSTING)
    if kind == "forum":
        return (*POSTING, "send_messages_in_threads")
    return POSTING + (THREADS if threads else ())


def missing_permissions(
    have: discord.Permissions, kind: PlaceKind, *, threads: bool = False
) -> tuple[str, ...]:
    """Return the keys of the permissions that the bot lacks in a channel of a kind, out of those it has."""
    if have.administrator:
        return ()
    lacking = [name for name in _needed(kind, threads=threads) if not getattr(have, name)]
    return tuple(_LABELS.get((kind, name), name) for name in lacking)


def permissions_in(
    channel: discord.abc.GuildChannel | discord.Thread, member: discord.Member
) -> discord.Permissions:
    """Return a member's permissions in a channel as Discord counts them; in a thread, those of its parent.

    The library's own count takes "Attach Files" from those who lack "Send Messages", also in threads.
    """
    home = channel.parent if isinstance(channel, discord.Thread) else channel
    if home is None:
        return discord.Permissions.none()
    return discord.abc.GuildChannel.permissions_for(home, member)


def own_permissions(interaction: discord.Interaction[Any]) -> discord.Permissions:
    """Return the bot's permissions where an interaction comes from; all in direct messages."""
    return discord.Permissions.all() if interaction.guild_id is None else interaction.app_permissions


def kind_of(interaction: discord.Interaction[Any]) -> PlaceKind:
    """Return the kind of channel that an interaction comes from."""
    channel = interaction.channel
    return "channel" if channel is None else place_kind(channel.type)


def permission_request(interaction: discord.Interaction[Any], lacking: tuple[str, ...], place: int) -> Msg:
    """Return what is missing in a channel, as a request to grant it, or to ask someone who can."""
    labels = tuple(msg(f"bot.permission.{name}") for name in lacking)
    can = interaction.permissions.manage_roles or interaction.permissions.administrator
    key = "bot.permission.grant" if can else "bot.permission.ask"
    return msg(key, n=len(labels), what=labels, place=f"<#{place}>")
