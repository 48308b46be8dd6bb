"""Discord on real sockets: one server on 127.0.0.1 that lives on while the bot is killed and started again.

Requests are logged, meet the faults planted for them, and are answered out of the world; what the world tells
goes to every gateway session. Tests wait for a state of the world, never for a span of time.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import discord
from aiohttp import web
from simcord._clock import Clock
from simcord.builders import ChannelHandle, GuildHandle

from tests.discord_rules.messages import REQUEST_LIMIT
from tests.loopback.gateway import Drop, Gateway
from tests.loopback.limits import Limits
from tests.loopback.log import LoggedRequest
from tests.loopback.people import Person
from tests.loopback.routes import Routes
from tests.loopback.serving import Serving
from tests.loopback.world import AnyMessage, World

LONG_AGO = "2024-02-29T12:00:00+00:00"
"""When the bot has joined a guild that isn't new."""

INVITED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    attach_files=True,
    add_reactions=True,
)
"""What a bot has that is invited to talk, and to manage nothing."""


class LoopbackDiscord(Serving):
    """The server, the world behind it and the people in it."""

    def __init__(
        self,
        *,
        token: str = "MTAwMDAwMDAwMDAwMDAwMDAx.loop.back",
        bot_name: str = "Dominium",
        approved: discord.Intents | None = None,
        invited: discord.Permissions = INVITED,
        clock: Clock | None = None,
        socket_path: Path | None = None,
    ) -> None:
        """Describe the server.

        ``approved`` are the intents switched on for the bot (no privileged ones), ``invited`` the rights
        that its own role has in each guild. ``clock`` is the world's, the true time without it. With
        ``socket_path`` the server listens on a Unix socket there instead of a port.
        """
        super().__init__(token)
        self.bot_name = bot_name
        self.approved = approved or discord.Intents.default()
        self.invited = invited
        self._clock = clock
        self._socket_path = socket_path
        self._judged = 0

    async def __aenter__(self) -> Self:
        listener = self._listen()
        self.world = World(origin=self.url, bot_name=self.bot_name, approved=self.approved, clock=self._clock)
        self._routes = Routes(self.world)
        self.limits = Limits(self.world.now, self.world.written)
        self.gateway = Gateway(self.world, self.token, self.gateway_url, self.changed)
        app = web.Application(client_max_size=2 * REQUEST_LIMIT)
        app.router.add_route("*", "/api/v10/{path:.*}", self._api)
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_get("/cdn/{path:.*}", self._cdn)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.SockSite(self._runner, listener).start()
        return self

    def _listen(self) -> socket.socket:
        """Return a listening socket, and note its port; in the address of a Unix socket any port stands."""
        if self._socket_path is None:
            listener = socket.create_server(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
            return listener
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self._socket_path))
        self.port = 1
        return listener

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.faults.clear()
        self.gateway.close()
        await self._runner.cleanup()
        if kind is None and (refused := self.take_refused()):
            wrong = "\n".join(f"  {one}\n    {fault}" for one in refused for fault in one.verdict.faults)
            raise AssertionError(f"Discord would have refused:\n{wrong}")

    # ------------------------------------------------------------------ world

    @property
    def bot_id(self) -> int:
        """The bot's user id."""
        return self.world.backend.bot_user.id

    @property
    def bot_mention(self) -> str:
        """The text that mentions the bot."""
        return f"<@{self.bot_id}>"

    def create_guild(
        self, name: str = "Guild", *, shard: tuple[int, int] | None = None, new: bool = False
    ) -> GuildHandle:
        """A guild with the bot in it; channels come from ``guild.create_text_channel(name)``.

        The bot has a managed role of its own name there, with the rights it was invited with. ``shard`` is
        the one that the guild is to belong to, and the number of shards. The bot has been a member for long,
        unless the guild is ``new``.
        """
        number = None
        if shard is not None:
            made, (mine, count) = self.world.backend.snowflake() - (60_000 << 22), shard
            number = made + ((mine - (made >> 22)) % count << 22)
            while number in self.world.backend.guilds:  # made of another millisecond
                number += count << 22
        self.world.joined = None if new else LONG_AGO
        guild = self.world.create_guild(name, id=number)
        if not new:
            self.world.backend.guilds[guild.id].members[self.bot_id].joined_at = LONG_AGO
        self.world.own_role(guild).permissions = self.invited.value
        return guild

    def create_foreign_guild(self, name: str = "Elsewhere") -> GuildHandle:
        """A guild without the bot, in which people may have it installed for themselves."""
        guild = self.world.create_guild(name)
        self.world.kick_bot(guild)
        return guild

    def create_private_channel(self, *people: Person) -> ChannelHandle:
        """A conversation of people among themselves, in which they may have the bot installed."""
        channel = self.world.installs.create_private_channel([person.id for person in people])
        return ChannelHandle(self.world, None, channel)

    def create_person(self, name: str, *guilds: GuildHandle) -> Person:
        """A person, member of these guilds."""
        person = Person(self, self.world.create_user(name))
        for guild in guilds:
            person.join(guild)
        return person

    def messages(self, channel: ChannelHandle) -> list[discord.Message]:
        """The messages everybody in the channel can see, oldest first."""
        return [self.world.read(message) for message in self.world.stored_messages(channel.id)]

    def threads(self, channel: ChannelHandle) -> list[ChannelHandle]:
        """The threads of a channel, oldest first."""
        return sorted(channel.threads, key=lambda thread: thread.id)

    def file(self, attachment: discord.Attachment) -> bytes:
        """The bytes behind an attachment.

        Raises:
            KeyError: the server never stored them.
        """
        data = self.world.files.get(attachment.url)
        if data is None:
            raise KeyError(attachment.url)
        return data

    def forbid(self, channel: ChannelHandle, *rights: str) -> None:
        """Take exactly these rights, named as in ``discord.Permissions``, from the bot in a channel."""
        self.world.set_bot_overwrite(channel, deny=rights)

    def allow(self, channel: ChannelHandle, *rights: str) -> None:
        """Give exactly these rights to the bot in a channel, whatever its roles have there."""
        self.world.set_bot_overwrite(channel, allow=rights)

    def kick_bot(self, guild: GuildHandle) -> None:
        """Throw the bot out of a guild."""
        self.world.kick_bot(guild)

    def invite_bot(self, guild: GuildHandle) -> None:
        """Let the bot into a guild again, with the rights of its invitation."""
        self.world.invite_bot(guild, self.invited)

    def revoke_token(self) -> None:
        """Reset the bot's token: requests are answered with 401, its session is closed with 4004."""
        self.token = f"{self.token}.new"
        self.gateway.set_token(self.token)
        self.gateway.close_with(4004)

    def delete_message(self, message: AnyMessage) -> None:
        """Delete a message, as a moderator would."""
        stored = self.world.stored(message)
        self.world.backend.delete_message(stored.channel_id, stored.id)

    def delete_channel(self, channel: ChannelHandle) -> None:
        """Delete a channel with its threads, or a thread; only the one that was deleted is told."""
        self.world.delete_channel(channel.id)

    def archive(self, thread: ChannelHandle, *, locked: bool = False) -> None:
        """Archive a thread, as a moderator would; a locked one is woken only by who manages threads."""
        self.world.threads.set(thread._channel, {"archived": True, "locked": locked})

    def lock(self, thread: ChannelHandle, *, locked: bool = True) -> None:
        """Lock an active thread, as a moderator would: only who manages threads can write there."""
        self.world.threads.set(thread._channel, {"locked": locked})

    def is_archived(self, thread: ChannelHandle) -> bool:
        """Whether a thread is archived now."""
        self.world.threads.archive_idle()
        meta = thread._channel.thread_metadata
        return meta is not None and meta.archived

    def advance(self, seconds: float) -> None:
        """Let time pass on the server alone: interactions expire, nonces are forgotten, threads archive."""
        self.world.backend.advance_clock(seconds)
        self.world.threads.archive_idle()

    @property
    def gaps(self) -> list[LoggedRequest]:
        """Requests that could not be answered as Discord would: unknown routes and fields above all."""
        return [request for request in self.requests if request.gap is not None]

    def take_refused(self) -> list[LoggedRequest]:
        """Requests, not yet taken, that Discord would refuse for what stands in them.

        The server refuses them as well. A test that means to send such a request takes it; whatever is not
        taken when the server closes fails the test.
        """
        refused = [one for one in self.requests[self._judged :] if one.verdict.faults and one.verdict.known]
        self._judged = len(self.requests)
        return refused

    # ---------------------------------------------------------------- waiting

    async def wait_for_message(
        self,
        channel: ChannelHandle,
        predicate: Callable[[discord.Message], bool] = lambda message: True,
        *,
        after: int = 0,
        by_bot: bool = True,
    ) -> discord.Message:
        """The oldest message later than the id ``after`` that fits; anybody's, if ``by_bot`` is false."""
        judged: dict[int, str | None] = {}

        def find() -> discord.Message | None:
            for stored in self.world.stored_messages(channel.id):
                if stored.id <= after or (by_bot and stored.author_id != self.bot_id):
                    continue
                if judged.get(stored.id, "") == stored.edited_timestamp:
                    continue
                judged[stored.id] = stored.edited_timestamp
                message = self.world.read(stored)
                if predicate(message):
                    return message
            return None

        return await self.wait_until(find, f"a message in {channel.name}")

    async def wait_for_thread(self, channel: ChannelHandle, name: str | None = None) -> ChannelHandle:
        """The oldest thread of a channel, or the one with this name."""
        return await self.wait_until(
            lambda: next((one for one in self.threads(channel) if name in (None, one.name)), None), "a thread"
        )

    async def wait_for_request(
        self, predicate: Callable[[LoggedRequest], bool], *, after: int = -1
    ) -> LoggedRequest:
        """The oldest handled request later than number ``after`` that fits."""
        return await self.wait_until(
            lambda: next(
                (
                    request
                    for request in self.requests[after + 1 :]
                    if request.status is not None and predicate(request)
                ),
                None,
            ),
            "a request",
        )

    async def wait_connected(self, launch: int | None = None) -> None:
        """Wait until the bot has identified or resumed and has been told its guilds."""
        await self.wait_until(lambda: self.gateway.connected(launch), "the bot's gateway session")

    def drop_gateway(self, *, resume: bool = True, how: Drop = Drop.RESET) -> None:
        """End the bot's gateway socket; without ``resume`` the session and its missed events are lost."""
        self.gateway.drop(resume=resume, how=how)

    @contextlib.asynccontextmanager
    async def gateway_outage(self, *, resume: bool = True, how: Drop = Drop.RESET) -> AsyncIterator[None]:
        """No gateway inside this block; what happens in it is replayed after it only with ``resume``."""
        async with self.gateway.outage(resume=resume, how=how):
            yield
