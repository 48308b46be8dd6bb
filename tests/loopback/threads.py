"""How threads live: archived by time, woken by posts, closed to those without the right when locked.

Activity is a message, an unarchiving or a new archive time; edits and reactions are none. In an archived
thread messages can be deleted and nothing else ("Threads", https://docs.discord.com/developers/topics/threads).
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from simcord.backend import Backend, serializers
from simcord.backend.models import Channel, ThreadMetadata
from simcord.backend.permissions import flag
from simcord.enums import ChannelType
from simcord.http import router

from tests.discord_facts import says
from tests.loopback.errors import refusal, refuse
from tests.loopback.forums import POSTS_ONLY

_OWNER_MAY_EDIT = {"name", "archived", "auto_archive_duration", "applied_tags"}
_MEMBER_MAY_EDIT = {"archived"}
_SETTINGS = ("archived", "locked", "auto_archive_duration", "invitable")
_PARENTS = (ChannelType.TEXT, ChannelType.NEWS, ChannelType.FORUM)


class Threads:
    """The threads of a world.

    Attributes:
        most_active: active threads that a guild may have.
        most_members: people a thread may have.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._activity: dict[int, datetime.datetime] = {}
        self.most_active = 1_000
        self.most_members = 1_000

    # ------------------------------------------------------------------- time

    def _now(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self._backend.now_iso())

    def note(self, event: str, payload: Mapping[str, Any]) -> None:
        """Take note of what counts as activity: a message."""
        if event == "MESSAGE_CREATE":
            self._activity[int(payload["channel_id"])] = self._now()

    def archive_idle(self) -> None:
        """Archive the threads that had no activity for as long as they were made for."""
        now = self._now()
        for guild in list(self._backend.guilds.values()):
            for thread in self._backend.active_threads(guild.id):
                meta = _meta(thread)
                since = datetime.datetime.fromisoformat(meta.archive_timestamp or meta.create_timestamp)
                since = max(since, self._activity.get(thread.id, since))
                if now - since >= datetime.timedelta(minutes=meta.auto_archive_duration):
                    self.set(thread, {"archived": True})

    def set(self, thread: Channel, changes: Mapping[str, Any]) -> None:
        """Change a thread's settings, and the time from which it is idle with them."""
        if {"archived", "auto_archive_duration"} & changes.keys():
            changes = {**changes, "archive_timestamp": self._backend.now_iso()}
        self._backend.edit_channel(thread.id, {}, thread_metadata=changes)

    # ----------------------------------------------------------------- rights

    def manages(self, thread: Channel, user: int) -> bool:
        """Whether a user may manage threads here."""
        rights = self._backend.compute_permissions(thread.guild_id or 0, user, thread.id)
        return bool(rights & flag("manage_threads"))

    def admit_post(self, channel: Channel, author: int) -> None:
        """Let a message in: it wakes an archived thread.

        Raises:
            BackendError: 160005, the thread is locked; 160006, too many threads are active to wake one more.
        """
        self.check_kind(channel)
        meta = channel.thread_metadata
        if meta is None:
            return
        if meta.locked:
            refuse("locked-for-managers" if self.manages(channel, author) else "locked-thread")
        if meta.archived:
            refuse("post-wakes")
            self._check_room(channel.guild_id or 0)
            self.set(channel, {"archived": says("post-wakes", "archived yes")})

    def check_kind(self, channel: Channel) -> None:
        """Whether a kind of channel takes messages.

        Raises:
            BackendError: 50008.
        """
        if channel.type in (*POSTS_ONLY, ChannelType.CATEGORY):
            refuse("post-in-forum")

    def admit_change(self, channel: Channel, author: int, fact: str = "edit-in-archived") -> None:
        """Let an edit, a reaction, a pin or a new member in.

        Raises:
            BackendError: 50083, the thread is archived; 160005, it is locked.
        """
        meta = channel.thread_metadata
        if meta is None:
            return
        if meta.archived:
            refuse(fact)
        if meta.locked and not self.manages(channel, author):
            refuse("locked-thread", 1)

    def admit_deletion(self, channel: Channel, author: int) -> None:
        """Let a message be deleted: in archived threads too, unless they are locked.

        Raises:
            BackendError: 50083.
        """
        meta = channel.thread_metadata
        if meta is None or not meta.archived:
            return
        refuse("deletion-in-archived")
        if meta.locked and not self.manages(channel, author):
            raise refusal(50083)

    def admit_answer(self, channel: Channel, author: int) -> None:
        """Let the public answer to an interaction in.

        Raises:
            BackendError: 50083, the thread was locked meanwhile (discord/discord-api-docs#6884).
        """
        meta = channel.thread_metadata
        if meta is None:
            return
        if meta.locked and not self.manages(channel, author):
            raise refusal(50083)
        self.admit_post(channel, author)

    # --------------------------------------------------------------- changing

    def _check_room(self, guild_id: int) -> None:
        if len(self._backend.active_threads(guild_id)) >= self.most_active:
            raise refusal(160006)

    def check_creation(self, parent: Channel, body: Mapping[str, Any], message: int | None) -> None:
        """Whether a thread can be made here at all.

        Raises:
            BackendError: 50024 for a kind of channel without threads, 160004 for a second one on a message,
                160006 for one too many.
        """
        if parent.is_thread:
            refuse("thread-in-thread")
        if parent.type not in _PARENTS or (message is not None and parent.type == ChannelType.FORUM):
            raise refusal(50024)
        if body.get("type") == ChannelType.PRIVATE_THREAD and parent.type != ChannelType.TEXT:
            raise refusal(50024)
        if message is not None and message in self._backend.channels:
            refuse("thread-of-message")
        self._check_room(parent.guild_id or 0)

    def check_new_member(self, thread: Channel, user: int) -> None:
        """Whether one more can join.

        Raises:
            BackendError: 30033, the thread is full; 50001, they are not in the guild.
        """
        if user not in thread.thread_members and len(thread.thread_members) >= self.most_members:
            raise refusal(30033)
        if user not in self._backend.get_guild(thread.guild_id or 0).members:
            raise refusal(50001)

    def edit(self, thread: Channel, body: Mapping[str, Any], user: int) -> dict[str, Any]:
        """Do what PATCH asks; return the thread's payload.

        Raises:
            BackendError: 50013 or 50001 for a missing right, 50083 if it is archived and stays so.
        """
        meta = _meta(thread)
        waking = body.get("archived") is False
        self._backend.require_permissions(thread.guild_id, user, thread.id)
        if not self.manages(thread, user):
            may = set()
            if thread.owner_id == user:
                refuse("own-thread", 1 if body.get("archived") else 0)
                may = _OWNER_MAY_EDIT if not meta.locked or waking else set()
            elif user in thread.thread_members and waking and not meta.locked:
                may = _MEMBER_MAY_EDIT
            if waking:  # "only the SEND_MESSAGES permission", which in threads is the one for threads
                self._backend.require_permissions(
                    thread.guild_id, user, thread.id, "send_messages_in_threads"
                )
            if body.keys() - may:
                raise refusal(50013)
        if meta.archived and not waking:
            refuse("name-of-archived")
        if meta.archived:
            refuse("waking")
            self._check_room(thread.guild_id or 0)
        changes = {key: value for key, value in body.items() if key not in _SETTINGS}
        if unknown := changes.keys() - {"name", "rate_limit_per_user", "applied_tags"}:
            raise router.UnsupportedField("PATCH", f"/channels/{thread.id}", sorted(unknown))
        if "applied_tags" in changes:
            changes["applied_tags"] = [int(tag) for tag in changes["applied_tags"]]
        if changes:
            self._backend.edit_channel(thread.id, changes)
        if settings := {key: body[key] for key in _SETTINGS if key in body}:
            self.set(thread, settings)
        return dict(serializers.channel_payload(self._backend, thread))


def _meta(thread: Channel) -> ThreadMetadata:
    if thread.thread_metadata is None:
        raise refusal(50024)
    return thread.thread_metadata
