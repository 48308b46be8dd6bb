"""Kinds of channels, as far as they matter to a match, and the tags of posts in forums."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias

import discord

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
