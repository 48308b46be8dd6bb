"""SimCord's backend, watched: every change is written to the world's file before the bot receives it.

A change is kept first and reported second; a repeated `nonce` returns the first message, as Discord's
`enforce_nonce` does for a few minutes (Discord, "Create Message"). What is ephemeral is reported, never kept.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import discord
from simcord.backend import Backend
from simcord.backend.models import Channel, Message, Overwrite
from simcord.env import Env
from simcord.http import RequestContext, router
from simcord.http._helpers import message_response

from sandbox.worldfile import (
    WorldFile,
    WorldFileError,
    freeze_channel,
    freeze_guild,
    freeze_message,
    freeze_user,
    thaw_channel,
    thaw_guild,
    thaw_message,
    thaw_user,
)

Hearer = Callable[[str, int, int], None]
"""Called after each change: what happened, in which channel, to which id."""

PATIENCE = 60.0
"""Seconds that a bot may take to start, to close, or to do what time has brought."""
_NONCE_LIFE = timedelta(minutes=5)
# Diagnostics of SimCord that grow without limit; a sandbox runs for days.
_LOG_KEPT = 200
_INTERACTIONS_KEPT = 500


class WatchedBackend(Backend):
    """The world behind the bot, kept in `file` and reported to `hear`."""

    def __init__(self, file: WorldFile, hear: Hearer) -> None:
        self._file = file
        self._hear = hear
        self._pinned: set[int] = set()
        self._nonces: dict[tuple[int, str], int] = {}
        self._nonce_of: dict[int, str] = {}
        self._whole = False
        self.trouble: sqlite3.Error | None = None
        """Set when the file could not be written: the world goes on, but no longer survives."""
        super().__init__()
        # Kept before `store_attachment` returns, and not held in memory.
        self.cdn._blobs = file.uploads  # type: ignore[assignment]  # a mapping is all SimCord asks of it

    # ------------------------------------------------------------------ reading back

    def load(self) -> bool:
        """Fill an untouched backend from the file; False when the file holds no world yet.

        Raises `WorldFileError` when a record doesn't fit.
        """
        file = self._file
        identity = file.fact("bot")
        if identity is None:
            return False
        try:
            self._load(file, identity)
        except (KeyError, TypeError, ValueError, sqlite3.Error) as error:
            raise WorldFileError(f"The sandbox's world {file.path} is damaged: {error!r}.") from error
        return True

    def _load(self, file: WorldFile, identity: dict[str, int]) -> None:
        self.users.clear()
        for data in file.records("user"):
            user = thaw_user(data)
            self.users[user.id] = user
        self.application_id = identity["application"]
        self.bot_user = self.users[identity["user"]]
        for data in file.records("guild"):
            guild = thaw_guild(data)
            self.guilds[guild.id] = guild
        for data in file.records("channel"):
            channel = thaw_channel(data)
            self._place(channel)
        for data in file.records("message"):
            nonce = data.pop("nonce", None)
            message = thaw_message(data)
            if message.channel_id not in self.channels:
                continue
            self.messages[message.channel_id][message.id] = message
            self.channels[message.channel_id].last_message_id = message.id
            if message.pinned:
                self._pinned.add(message.id)
            if nonce is not None:
                self._nonces[message.channel_id, nonce] = message.id
                self._nonce_of[message.id] = nonce
        for channel in self.channels.values():
            channel.message_count = len(self.messages[channel.id])
        for data in file.records("commands"):
            scope = None if data["guild"] is None else int(data["guild"])
            self.commands[scope] = {(item["name"], item["type"]): item for item in data["commands"]}
        self._reserved_ids.update(self._known_ids())
        used = {
            entry["url"]
            for shelf in self.messages.values()
            for m in shelf.values()
            for entry in m.attachments
        }
        for url in set(file.uploads) - used:
            del file.uploads[url]
        self._whole = True

    def _place(self, channel: Channel) -> None:
        if channel.is_thread and channel.parent_id not in self.channels:
            return  # its channel was deleted, and the thread went with it
        self.channels[channel.id] = channel
        self.messages[channel.id] = {}
        if channel.guild_id is None:
            for user_id in channel.recipient_ids:
                self.dm_channels[user_id] = channel.id
            return
        guild = self.guilds[channel.guild_id]
        (guild.thread_ids if channel.is_thread else guild.channel_ids).append(channel.id)

    def _known_ids(self) -> set[int]:
        found = {self.application_id, *self.users, *self.guilds, *self.channels}
        for guild in self.guilds.values():
            found.update(guild.roles)
        for shelf in self.messages.values():
            found.update(shelf)
            found.update(int(entry["id"]) for message in shelf.values() for entry in message.attachments)
        for commands in self.commands.values():
            found.update(int(command["id"]) for command in commands.values())
        return found

    def latest(self) -> datetime | None:
        """Return the time of the newest thing in the world."""
        stamps = [
            datetime.fromisoformat(message.timestamp)
            for shelf in self.messages.values()
            for message in shelf.values()
        ]
        return max(stamps, default=None)

    # ------------------------------------------------------------------ writing down

    def keep_everything(self) -> None:
        """Write a world that was just built; the bot's identity goes last and makes it whole."""
        for user in self.users.values():
            self._file.put("user", user.id, freeze_user(user))
        for guild in self.guilds.values():
            self._file.put("guild", guild.id, freeze_guild(guild))
        for channel in self.channels.values():
            self._file.put("channel", channel.id, freeze_channel(channel))
        self._file.put_fact("bot", {"application": self.application_id, "user": self.bot_user.id})
        self._whole = True

    def _keep(self, *actions: Callable[[WorldFile], None]) -> None:
        if not self._whole:
            return  # a world in the making is written at once, when it is whole
        try:
            for action in actions:
                action(self._file)
        except sqlite3.Error as error:
            self.trouble = error
            self._hear("trouble", 0, 0)

    def _keep_message(self, message: Message) -> None:
        if message.is_ephemeral:
            return
        data = freeze_message(message)
        nonce = self._nonce_of.get(message.id)
        if nonce is not None:
            data["nonce"] = nonce
        self._keep(lambda file: file.put("message", message.id, data, home=message.channel_id))

    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        """Keep and report what an event changed, then pass the event to the bot."""
        number = int(payload.get("id") or 0)
        home = int(payload.get("channel_id") or 0)
        if event in {
            "CHANNEL_CREATE",
            "CHANNEL_UPDATE",
            "THREAD_CREATE",
            "THREAD_UPDATE",
            "THREAD_MEMBERS_UPDATE",
        }:
            channel = self.channels[number]
            self._keep(lambda file: file.put("channel", number, freeze_channel(channel)))
            self._hear("channels", number, 0)
        elif event in {"CHANNEL_DELETE", "THREAD_DELETE"}:
            self._keep(
                lambda file: file.drop("channel", number), lambda file: file.drop_home("message", number)
            )
            self._hear("channels", number, 0)
        elif event.startswith("MESSAGE_REACTION"):
            self._touch(home, int(payload.get("message_id") or 0))
        elif event == "CHANNEL_PINS_UPDATE":
            for message in self.messages[home].values():
                if message.pinned != (message.id in self._pinned):
                    self._pinned ^= {message.id}
                    self._touch(home, message.id)
        elif event == "MESSAGE_DELETE_BULK":
            for gone in payload["ids"]:
                self._forget(home, int(gone))
        elif event == "TYPING_START" and int(payload["user_id"]) == self.bot_user.id:
            self._hear("typing", home, 0)
        elif event == "USER_UPDATE":
            self._keep(lambda file: file.put("user", number, freeze_user(self.users[number])))
        elif event.startswith("GUILD_") and event not in {"GUILD_CREATE", "GUILD_DELETE"}:
            guild = self.guilds[int(payload.get("guild_id") or number)]
            self._keep(lambda file: file.put("guild", guild.id, freeze_guild(guild)))
        super().emit(event, payload)

    def _touch(self, home: int, number: int) -> None:
        message = self.messages.get(home, {}).get(number)
        if message is not None:
            self._keep_message(message)
            self._hear("message", home, number)

    def _forget(self, home: int, number: int) -> None:
        self._keep(lambda file: file.drop("message", number))
        self._hear("gone", home, number)

    def edit_channel(
        self,
        channel_id: int,
        changes: Mapping[str, Any],
        *,
        overwrites: list[Overwrite] | None = None,
        thread_metadata: Mapping[str, Any] | None = None,
    ) -> Channel:
        """SimCord's edit; archiving and opening are dated, and count as life (Discord, "Threads")."""
        if thread_metadata and "archived" in thread_metadata:
            thread_metadata = {**thread_metadata, "archive_timestamp": self.now_iso()}
        return super().edit_channel(
            channel_id, changes, overwrites=overwrites, thread_metadata=thread_metadata
        )

    def commit_message(self, message: Message, *, broadcast: bool = True) -> Message:
        """SimCord's commit; a message in an archived thread opens it again, as in Discord."""
        channel = self.get_channel(message.channel_id)
        meta = channel.thread_metadata
        if meta is not None and meta.archived and not meta.locked and not message.is_ephemeral:
            self.edit_channel(channel.id, {}, thread_metadata={"archived": False})
        committed = super().commit_message(message, broadcast=broadcast)
        self._touch(committed.channel_id, committed.id)
        return committed

    def edit_message(self, channel_id: int, message_id: int, fields: dict[str, Any]) -> Message:
        """SimCord's edit."""
        message = super().edit_message(channel_id, message_id, fields)
        self._touch(channel_id, message_id)
        return message

    def delete_message(self, channel_id: int, message_id: int) -> None:
        """SimCord's deletion."""
        super().delete_message(channel_id, message_id)
        self._forget(channel_id, message_id)

    def register_commands(self, guild_id: int | None, payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """SimCord's registration. Kept, because a bot syncs only when its commands changed."""
        registered = super().register_commands(guild_id, payloads)
        data = {"guild": guild_id, "commands": registered}
        self._keep(lambda file: file.put("commands", guild_id or 0, data))
        self._hear("commands", guild_id or 0, 0)
        return registered

    # ------------------------------------------------------------------ housekeeping

    def remember_nonce(self, channel_id: int, nonce: str, message_id: int) -> None:
        """From now on `nonce` in this channel means this message."""
        self._nonces[channel_id, nonce] = message_id
        self._nonce_of[message_id] = nonce
        self._touch(channel_id, message_id)

    def message_of_nonce(self, channel_id: int, nonce: str) -> Message | None:
        """Return the message that was sent with `nonce` a few minutes ago at most."""
        message = self.messages.get(channel_id, {}).get(self._nonces.get((channel_id, nonce), 0))
        if message is None or datetime.fromisoformat(message.timestamp) < self.clock.now() - _NONCE_LIFE:
            return None
        return message

    def tidy(self) -> None:
        """Archive idle threads and drop what only diagnostics would want."""
        now = self.clock.now()
        for channel in list(self.channels.values()):
            meta = channel.thread_metadata
            if meta is None or meta.archived:
                continue
            last = discord.utils.snowflake_time(channel.last_message_id or channel.id)
            since = max(last, datetime.fromisoformat(meta.archive_timestamp))
            if now - since >= timedelta(minutes=meta.auto_archive_duration):
                self.edit_channel(channel.id, {}, thread_metadata={"archived": True})
        del self.transcript[:-_LOG_KEPT]
        del self.http_requests[:-_LOG_KEPT]
        for number in list(self.interactions)[:-_INTERACTIONS_KEPT]:
            del self.interaction_tokens[self.interactions.pop(number).token]


def _honour_nonces() -> None:
    """Put `enforce_nonce` before SimCord's send route, which ignores it; other backends are untouched."""
    template = ["channels", "{channel_id}", "messages"]
    routes = router._ROUTES["POST"]
    place = next(index for index, (path, _) in enumerate(routes) if path == template)
    plain = routes[place][1]

    def send(ctx: RequestContext) -> Any:
        body, backend = ctx.body(), ctx.backend
        if not isinstance(backend, WatchedBackend) or not body.get("enforce_nonce") or not body.get("nonce"):
            return plain(ctx)
        channel_id, nonce = ctx.int_arg("channel_id"), str(body["nonce"])
        known = backend.message_of_nonce(channel_id, nonce)
        if known is not None:
            return message_response(ctx, known)
        answer = plain(ctx)
        backend.remember_nonce(channel_id, nonce, int(answer["id"]))
        return answer

    routes[place] = (template, send)


_honour_nonces()


class SandboxEnv(Env):
    """SimCord's environment, looking five times as often whether the bot has come to rest.

    A start has `PATIENCE`: SimCord's own limit, five seconds, is too short for a slow machine. A longer
    limit of SimCord's would be one for the bot's timers, too: it would wait for those that end within it.
    """

    patience = 0.0
    """Seconds for which a bot that doesn't come to rest is asked again."""

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109  # SimCord's own signature
        idle: float = 0.01,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + (self.patience if timeout is None else PATIENCE)  # only a start gives one
        while True:
            try:
                await super()._settle_internal(
                    timeout=timeout, idle=idle, dispatch=dispatch, _deadline=_deadline
                )
            except TimeoutError:
                if loop.time() >= until:
                    raise
                _deadline = None
            else:
                return
