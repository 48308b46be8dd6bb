"""Forums, media channels and announcement threads: what SimCord lacks of them.

A forum takes no messages, only posts: threads with a starter message. Tags may be required, and some may be
set by who manages threads only (https://docs.discord.com/developers/resources/channel#forum-tag-object). Of
the codes Discord documents none for a missing tag; bots' logs show 40067, and for a moderated tag nothing is
reported: it counts as a missing right here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from simcord.backend import Backend
from simcord.backend.models import Channel, Message
from simcord.backend.permissions import flag
from simcord.builders import ChannelHandle, GuildHandle
from simcord.enums import ChannelType

from tests.loopback.errors import refusal, refuse

MEDIA = 16
NEWS_THREAD = 10
POSTS_ONLY = (ChannelType.FORUM, MEDIA)
_REQUIRE_TAG = 1 << 4


class Forums:
    """The forums of a world."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._requiring: set[int] = set()
        self._create_post = backend.create_forum_post
        backend.create_forum_post = self._post_with_one_id  # type: ignore[method-assign] # of this world only

    def _post_with_one_id(
        self, forum_id: int, name: str, starter: Message, **settings: Any
    ) -> tuple[Channel, Message]:
        """Give a post the id of its starter message, as Discord does."""
        create_thread = self._backend.create_thread
        self._backend.create_thread = partial(  # type: ignore[method-assign] # for this one call
            create_thread, message_id=starter.id
        )
        try:
            return self._create_post(forum_id, name, starter, **settings)
        finally:
            self._backend.create_thread = create_thread  # type: ignore[method-assign]

    def create(
        self,
        guild: GuildHandle,
        name: str,
        *,
        tags: Iterable[str] = (),
        moderated: Iterable[str] = (),
        required: bool = False,
    ) -> ChannelHandle:
        """A forum with tags; those `moderated` come first, and only who manages threads may set them."""
        forum = guild.create_forum_channel(name)
        self.set_tags(forum, tags=tags, moderated=moderated, required=required)
        return forum

    def create_media(self, guild: GuildHandle, name: str) -> ChannelHandle:
        """A media channel."""
        channel = self._backend.create_channel(guild.id, name, type=MEDIA, announce=False)
        self._backend.announce_channel_update(channel.id)
        return ChannelHandle(guild._env, guild, channel)

    def set_tags(
        self,
        forum: ChannelHandle,
        *,
        tags: Iterable[str] = (),
        moderated: Iterable[str] = (),
        required: bool = False,
    ) -> None:
        """Change the tags of a forum, and whether a post needs one; CHANNEL_UPDATE tells."""
        self._set(
            forum.id, [*((name, True) for name in moderated), *((name, False) for name in tags)], required
        )

    def settle(self, forum: int, body: Mapping[str, Any]) -> None:
        """Give a forum that the bot has just made the tags it asked for."""
        tags = [(str(tag["name"]), bool(tag.get("moderated"))) for tag in body.get("available_tags") or ()]
        self._set(forum, tags, bool(int(body.get("flags") or 0) & _REQUIRE_TAG))

    def _set(self, forum: int, tags: Iterable[tuple[str, bool]], required: bool) -> None:
        self._backend.get_channel(forum).available_tags = [
            {
                "id": str(self._backend.snowflake()),
                "name": name,
                "moderated": restricted,
                "emoji_id": None,
                "emoji_name": None,
            }
            for name, restricted in tags
        ]
        (self._requiring.add if required else self._requiring.discard)(forum)
        self._backend.announce_channel_update(forum)

    def tag_names(self, post: ChannelHandle) -> list[str]:
        """The names of a post's tags."""
        parent = self._backend.get_channel(post._channel.parent_id or 0)
        names = {int(tag["id"]): str(tag["name"]) for tag in parent.available_tags}
        return [names[tag] for tag in post._channel.applied_tags]

    def thread_of(
        self, owner: int, parent: ChannelHandle, name: str, *, private: bool = False
    ) -> ChannelHandle:
        """A person's thread in a channel, or post in a forum."""
        kind = ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD
        made = self._backend.create_thread(
            parent.id, name, owner, type=kind, broadcast=parent._channel.type not in POSTS_ONLY
        )
        return next(one for one in parent.threads if one.id == made.id)

    def check_post(self, forum: Channel, body: Mapping[str, Any], user: int, *, files: bool) -> None:
        """Whether a post can be made.

        Raises:
            BackendError: 40067 without a tag that is required, 50013 for a missing right.
        """
        rights = self._backend.compute_permissions(forum.guild_id or 0, user, forum.id)
        if files and not rights & flag("attach_files"):
            raise refusal(50013)
        chosen = {int(tag) for tag in body.get("applied_tags") or ()}
        if forum.id in self._requiring and not chosen:
            refuse("forum-tag")
        restricted = {int(tag["id"]) for tag in forum.available_tags if tag["moderated"]}
        if chosen & restricted and not rights & flag("manage_threads"):
            raise refusal(50013)

    def completed(self, value: Any) -> Any:
        """Return a JSON value in which channels have what SimCord leaves out."""
        if isinstance(value, (list, tuple)):
            return [self.completed(one) for one in value]
        if not isinstance(value, Mapping):
            return value
        made = {key: self.completed(one) for key, one in value.items()}
        if "position" in made and made.get("type") in POSTS_ONLY:
            made.setdefault("available_tags", [])
            made["flags"] = _REQUIRE_TAG if int(made["id"]) in self._requiring else 0
        if made.get("type") == ChannelType.PUBLIC_THREAD and made.get("parent_id"):
            parent = self._backend.channels.get(int(made["parent_id"]))
            if parent is not None and parent.type == ChannelType.NEWS:
                made["type"] = NEWS_THREAD
        return made
