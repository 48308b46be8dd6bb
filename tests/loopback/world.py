"""The world behind the server: SimCord's guilds, permission checks, routes and error codes, without its bot.

With `routes` this is the only module that touches SimCord's internals. What goes out to the bot passes the
filters of intents, rights and message content here.
"""

from __future__ import annotations

import asyncio
import datetime
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from simcord import _dpy_internals
from simcord._clock import Clock
from simcord.backend import Backend, serializers
from simcord.backend.access import channel_accessible
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import AllowedMentions, Message, Overwrite, Role
from simcord.backend.permissions import _is_timed_out
from simcord.builders import ChannelHandle, GuildHandle
from simcord.components import walk_components
from simcord.enums import ChannelType, OverwriteType
from simcord.env import Env
from simcord.gateway import FakeGateway
from simcord.http.client import FakeHTTPClient
from simcord.intents import missing_privileged_intents
from simcord.results import ResponseMessage, to_discord_message

from tests.loopback.errors import refusal
from tests.loopback.forums import POSTS_ONLY, Forums
from tests.loopback.installs import Installs
from tests.loopback.payloads import event_payload, tagged_roles
from tests.loopback.served_files import ServedFiles
from tests.loopback.threads import Threads

Deliver = Callable[[str, Mapping[str, Any]], None]
AnyMessage = discord.Message | ResponseMessage


class WallClock(Clock):
    """The true time, plus whatever a test lets pass."""

    def now(self) -> datetime.datetime:
        """The present moment in UTC, shifted by ``advance``."""
        return datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=self.elapsed)


class _Parsers(dict[str, Callable[[Mapping[str, Any]], None]]):
    """Stands for discord.py's event parsers: every event has one, and it puts the event on the wire."""

    def __init__(self, deliver: Deliver) -> None:
        super().__init__()
        self._deliver = deliver

    def __missing__(self, event: str) -> Callable[[Mapping[str, Any]], None]:
        return partial(self._deliver, event)


@dataclass(frozen=True, slots=True)
class _Recipient:
    """Stands for discord.py's connection state on the far side of a gateway session."""

    intents: discord.Intents
    parsers: _Parsers


class World(Env):
    """SimCord's environment with the bot elsewhere: nothing here waits for it or looks into it."""

    def __init__(
        self, *, origin: str, bot_name: str, approved: discord.Intents, clock: Clock | None = None
    ) -> None:
        """Build an empty world inside a running event loop.

        ``origin`` is the server's own address, ``clock`` the time in the world, the true one without it.
        """
        reader = discord.Client(intents=discord.Intents(guilds=True))  # reads for the tests, never connects
        super().__init__(reader, approved_intents=approved)
        self.approved = approved
        self.backend = Backend(clock=clock or WallClock())
        self.backend.bot_user.name = bot_name
        self.files = ServedFiles(f"{origin}/cdn")
        self.backend.cdn = self.files
        self.closed_dms: set[int] = set()
        self._message_states.add(_dpy_internals.get_state(reader))
        _dpy_internals.install_http(reader, FakeHTTPClient(self.backend, asyncio.get_running_loop()))
        self.nonce: str | None = None
        self.joined: str | None = None
        """Since when the bot is a member of the guilds that it is told to have joined; None for just now."""
        self._listeners: list[Deliver] = []
        self.installs = Installs(self.backend)
        self.threads = Threads(self.backend)
        self.forums = Forums(self.backend)
        self.owner: int | None = None
        """Who owns the application; the bot itself if nobody was named."""
        self.backend.subscribers.append(self._publish)

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - SimCord's own signature
        idle: float = 0.05,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        """The bot lives in another process: there is nothing to wait for."""

    # ---------------------------------------------------------------- gateway

    def listen(self, listener: Deliver) -> None:
        """Hear every event of the world, before any filter."""
        self._listeners.append(listener)

    def _publish(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE" and self.nonce is not None:
            payload = {**payload, "nonce": self.nonce}
        payload = self.forums.completed(event_payload(self.backend, event, payload))
        if event == "INTERACTION_CREATE":
            payload = self.installs.interaction(payload)
        if event == "GUILD_CREATE":  # of a guild that was joined just now
            payload = {key: value for key, value in payload.items() if key != "unavailable"}
            payload["members"] = [self._member(one) for one in payload.get("members", ())]
        self.threads.note(event, payload)
        if event == "THREAD_MEMBERS_UPDATE" and self._is_added(payload):
            self._publish("THREAD_CREATE", {**payload, "member": payload["added_members"][0]})
        for listener in self._listeners:
            listener(event, payload)

    def _member(self, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a member of a guild that was joined, the bot with the time since when it is one."""
        own = int(payload["user"]["id"]) == self.backend.bot_user.id and self.joined is not None
        return {**payload, "joined_at": self.joined} if own else payload

    def _is_added(self, payload: Mapping[str, Any]) -> bool:
        """Return whether the bot was added to a private thread."""
        added = [int(one["user_id"]) for one in payload.get("added_members", ())]
        return payload["type"] == ChannelType.PRIVATE_THREAD and added == [self.backend.bot_user.id]

    def subscription(self, intents: discord.Intents, deliver: Deliver) -> Deliver:
        """A filter for one session: ``deliver`` gets what these intents and the bot's rights let through."""
        gate = FakeGateway(self.backend, _Recipient(intents, _Parsers(deliver)))

        def feed(event: str, payload: Mapping[str, Any]) -> None:
            if event == "GUILD_MEMBER_UPDATE" and int(payload["user"]["id"]) == self.backend.bot_user.id:
                deliver(event, payload)  # whatever the intents
            elif self._concerns_bot(event, payload):
                gate.feed(event, payload)

        return feed

    def _concerns_bot(self, event: str, payload: Mapping[str, Any]) -> bool:
        if event.startswith(("MESSAGE_", "TYPING_")):
            room = payload.get("channel_id")
        elif event.startswith("THREAD_"):
            room = payload.get("id")
        else:
            return True
        if room is None or int(room) not in self.backend.channels:
            return True
        if self.installs.is_private(int(room)):
            return False
        return channel_accessible(self.backend, int(room), self.backend.bot_user.id)

    def ready_payload(
        self, session_id: str, resume_url: str, shard: tuple[int, int], guilds: list[int]
    ) -> dict[str, Any]:
        """READY for a session that begins now, with the guilds of its shard."""
        return {
            "v": 10,
            "user": serializers.user_payload(self.backend.bot_user),
            "guilds": [{"id": str(guild), "unavailable": True} for guild in guilds],
            "session_id": session_id,
            "resume_gateway_url": resume_url,
            "shard": list(shard),
            "application": {"id": str(self.backend.application_id), "flags": self.application_flags()},
        }

    def guilds_of_bot(self) -> list[int]:
        """The guilds that the bot is in."""
        bot = self.backend.bot_user.id
        return [guild.id for guild in self.backend.guilds.values() if bot in guild.members]

    def guild_payload(self, guild_id: int) -> dict[str, Any]:
        """GUILD_CREATE of a guild, with the active threads that the bot may see."""
        guild, bot = self.backend.guilds[guild_id], self.backend.bot_user.id
        payload: dict[str, Any] = dict(serializers.guild_create_payload(self.backend, guild))
        payload["unavailable"] = False
        payload["roles"] = tagged_roles(self.backend, guild_id, payload["roles"])
        payload["threads"] = []
        for thread in self.backend.active_threads(guild.id):
            if channel_accessible(self.backend, thread.id, bot):
                entry: dict[str, Any] = dict(serializers.thread_payload(self.backend, thread))
                if bot in thread.thread_members:
                    entry["member"] = serializers.thread_member_payload(thread, bot)
                payload["threads"].append(entry)
        return dict(self.forums.completed(payload))

    def delete_channel(self, channel_id: int) -> None:
        """Delete a channel; its threads go with it, without a THREAD_DELETE of their own."""
        self.backend.delete_channel(channel_id)
        self.forget_threads(channel_id)

    def forget_threads(self, channel_id: int) -> None:
        """Take away the threads of a channel that is deleted."""
        for thread in [one for one in self.backend.channels.values() if one.parent_id == channel_id]:
            if thread.is_thread:
                del self.backend.channels[thread.id]
                self.backend.messages.pop(thread.id, None)
                self.backend.guilds[thread.guild_id or 0].thread_ids.remove(thread.id)

    def kick_bot(self, guild: GuildHandle) -> None:
        """Remove the bot from a guild, its role with it; GUILD_DELETE tells."""
        stored = self.backend.guilds[guild.id]
        stored.roles.pop(self.own_role(guild).id)
        stored.members.pop(self.backend.bot_user.id)
        self._publish("GUILD_DELETE", {"id": str(guild.id)})

    def invite_bot(self, guild: GuildHandle, rights: discord.Permissions) -> None:
        """Bring the bot into a guild again, with a new role; GUILD_CREATE tells."""
        stored, name = self.backend.guilds[guild.id], self.backend.bot_user.name
        role = Role(self.backend.snowflake(), name, permissions=rights.value, position=1, managed=True)
        stored.roles[role.id] = role
        self.backend.add_member(guild.id, self.backend.bot_user.id, roles=[role.id])
        self._publish("GUILD_CREATE", self.guild_payload(guild.id))

    def members_chunk(self, wanted: Mapping[str, Any]) -> dict[str, Any] | None:
        """GUILD_MEMBERS_CHUNK for a REQUEST_GUILD_MEMBERS; ``None`` for an unknown guild."""
        guild = self.backend.guilds.get(int(wanted["guild_id"]))
        if guild is None:
            return None
        members = list(guild.members.values())
        ids = wanted.get("user_ids")
        if ids is not None:
            chosen = {int(one) for one in (ids if isinstance(ids, list) else [ids])}
            members = [member for member in members if member.user_id in chosen]
        elif wanted.get("query"):
            start = str(wanted["query"]).lower()
            members = [m for m in members if self.backend.users[m.user_id].name.lower().startswith(start)]
        members = members[: int(wanted.get("limit") or 0) or None]
        chunk: dict[str, Any] = {
            "guild_id": str(guild.id),
            "members": [serializers.member_payload(self.backend, guild, member) for member in members],
            "chunk_index": 0,
            "chunk_count": 1,
        }
        if wanted.get("nonce"):
            chunk["nonce"] = wanted["nonce"]
        return chunk

    def unapproved(self, intents: discord.Intents) -> list[str]:
        """The privileged intents that were asked for but not switched on for this bot."""
        return missing_privileged_intents(intents, self.approved)

    def application_flags(self) -> int:
        """The application's flags: which privileged intents are switched on, as for a bot in few guilds."""
        flags = discord.ApplicationFlags()
        flags.gateway_message_content_limited = self.approved.message_content
        flags.gateway_guild_members_limited = self.approved.members
        flags.gateway_presence_limited = self.approved.presences
        return flags.value

    # --------------------------------------------------------- for the people

    def shares_guild(self, user: int) -> bool:
        """Whether the bot may write to a user: they share a guild, or the user has installed the bot."""
        bot = self.backend.bot_user.id
        guilds = self.backend.guilds.values()
        return user in self.installs.users or any({bot, user} <= guild.members.keys() for guild in guilds)

    def written(self, channel: int, message: int) -> datetime.datetime | None:
        """When a message was posted; ``None`` if there is no such message."""
        stored = self.backend.messages.get(channel, {}).get(message)
        return None if stored is None else datetime.datetime.fromisoformat(stored.timestamp)

    def check_edit(self, message: AnyMessage, user: int) -> None:
        """Whether a person may edit where a message stands.

        Raises:
            BackendError: 50083 or 160005, the thread is archived or locked.
        """
        self.threads.archive_idle()
        self.threads.admit_change(self.backend.get_channel(self.stored(message).channel_id), user)

    def check_client(self, channel_id: int, user: int) -> None:
        """Whether a person's client offers commands, buttons and menus here.

        Raises:
            SetupError: in archived threads it doesn't, and buttons don't work in locked ones either; nor
                for people who are timed out, nor in a forum outside its posts, nor where the bot is gone,
                unless the person has installed it.
        """
        self.threads.archive_idle()
        channel = self.backend.get_channel(channel_id)
        if user not in self.installs.users and not self.installs.is_there(channel_id):
            raise SetupError(f"clients offer no commands and buttons of a bot that isn't in {channel_id}")
        guild = self.backend.guilds.get(channel.guild_id or 0)
        if guild is not None and _is_timed_out(guild, user, self.now()):
            raise SetupError(f"clients refuse commands and buttons of {user}, who is timed out")
        if channel.type in POSTS_ONLY:
            raise SetupError(f"clients offer no commands in the forum {channel_id}, only in its posts")
        meta = channel.thread_metadata
        if meta is not None and (meta.archived or meta.locked):
            state = "archived" if meta.archived else "locked"
            raise SetupError(f"clients refuse commands and buttons in the {state} thread {channel_id}")

    def say(
        self,
        author: int,
        channel: ChannelHandle,
        content: str,
        *,
        reply_to: int | None,
        ping: bool,
        files: list[tuple[str, bytes]],
    ) -> discord.Message:
        """Post as a person, with a person's rights.

        Raises:
            BackendError: the person may not write there.
        """
        self.threads.archive_idle()
        room = channel._channel
        with self.installs.speaking_in(room.id, author):
            return self._say(author, channel, content, reply_to, ping, files)

    def _say(
        self,
        author: int,
        channel: ChannelHandle,
        content: str,
        reply_to: int | None,
        ping: bool,
        files: list[tuple[str, bytes]],
    ) -> discord.Message:
        room = channel._channel
        right = "send_messages_in_threads" if room.is_thread else "send_messages"
        rights = (right, "attach_files") if files else (right,)
        self.backend.require_permissions(room.guild_id, author, room.id, *rights)
        if room.guild_id is None and not self.shares_guild(author) and self.installs.is_there(room.id):
            raise refusal(50278)
        self.threads.admit_post(room, author)
        reference = None
        if reply_to is not None:
            reference = {"channel_id": str(room.id), "message_id": str(reply_to)}
        stored = self.backend.create_message(
            room.id,
            author,
            content,
            reference=reference,
            attachments=self.backend.store_attachments(room.id, files),
            allowed_mentions=AllowedMentions(replied_user=ping),
        )
        return to_discord_message(self, stored)

    def forward(self, author: int, message: AnyMessage, channel: ChannelHandle) -> discord.Message:
        """Forward a message as a person: a new one without text, with a snapshot of the other.

        https://docs.discord.com/developers/resources/message#message-snapshot-object

        Raises:
            BackendError: the person can't see that message, or may not write there.
        """
        self.threads.archive_idle()
        self.threads.admit_post(channel._channel, author)
        source = self.stored(message)
        reference = {"type": 1, "channel_id": str(source.channel_id), "message_id": str(source.id)}
        return to_discord_message(
            self, self.backend.create_message(channel.id, author, "", reference=reference)
        )

    def time_out(self, guild: GuildHandle, user: int, until: datetime.datetime | None) -> None:
        """Time a member out until a moment, or end that: the member only sees and reads meanwhile."""
        moment = None if until is None else until.isoformat()
        self.backend.edit_member(guild.id, user, {"timed_out_until": moment})

    def own_role(self, guild: GuildHandle) -> Role:
        """The bot's managed role in a guild."""
        return next(role for role in self.backend.guilds[guild.id].roles.values() if role.managed)

    def set_bot_overwrite(
        self, channel: ChannelHandle, *, allow: Iterable[str] = (), deny: Iterable[str] = ()
    ) -> None:
        """Allow and deny the bot exactly these rights in a channel."""
        values = [discord.Permissions(**dict.fromkeys(rights, True)).value for rights in (allow, deny)]
        bot = self.backend.bot_user.id
        overwrite = Overwrite(bot, OverwriteType.MEMBER, allow=values[0], deny=values[1])
        self.backend.set_overwrite(channel.id, overwrite)

    def button(self, message: AnyMessage, text: str) -> dict[str, str]:
        """How SimCord names the button with this ``custom_id`` or, failing that, this label."""
        stored = self.stored(message)
        ids = {component.get("custom_id") for component in walk_components(stored.components)}
        return {"custom_id": text} if text in ids else {"label": text}

    def stored(self, message: AnyMessage) -> Message:
        """The present state of a message.

        Raises:
            BackendError: 10008, it is deleted.
        """
        room = message.channel_id if isinstance(message, ResponseMessage) else message.channel.id
        return self.backend.get_message(room, message.id)

    def stored_messages(self, channel_id: int) -> list[Message]:
        """The messages of a channel that are not for one person only, oldest first."""
        messages = self.backend.messages.get(channel_id, {})
        return [messages[key] for key in sorted(messages) if not messages[key].is_ephemeral]

    def read(self, message: Message) -> discord.Message:
        """A stored message as a discord.py message."""
        return to_discord_message(self, message)

    def guild_of(self, message: AnyMessage) -> int | None:
        """The guild a message stands in; ``None`` for a direct message."""
        return self.backend.get_channel(self.stored(message).channel_id).guild_id


def to_wire(payload: Any) -> str:
    """JSON as short as Discord sends it."""
    return json.dumps(payload, separators=(",", ":"))


__all__ = ["AnyMessage", "BackendError", "Deliver", "SetupError", "World", "to_wire"]
