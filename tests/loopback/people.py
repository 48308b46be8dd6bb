"""People: what users do in Discord, with the rights and the sight of users.

A verb returns once the bot has given its first answer to the interaction, unless the test says that it does
not wait; a message is simply sent.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from simcord.actors import MemberActor, _dispatch_actor_interaction, _resolve_visible_command
from simcord.backend.errors import SetupError
from simcord.backend.models import Interaction
from simcord.backend.serializers import message_payload
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.enums import InteractionType
from simcord.results import InteractionResult, ResponseMessage

from tests.bot.stage import words_of
from tests.loopback.installs import MESSAGE, SLASH
from tests.loopback.world import AnyMessage

if TYPE_CHECKING:
    from tests.loopback.server import LoopbackDiscord


class Answer:
    """What the bot has made of one interaction so far; it goes on changing while the bot works on it."""

    def __init__(self, server: LoopbackDiscord, result: InteractionResult) -> None:
        self._server = server
        self.result = result

    @property
    def acknowledged(self) -> bool:
        """Whether the bot has answered at all."""
        return self.result.acknowledged

    @property
    def deferred(self) -> bool:
        """Whether the person still sees that the bot is thinking."""
        return self.result.deferred

    @property
    def ephemeral(self) -> bool:
        """Whether only this person sees the answer."""
        return self.result.ephemeral

    @property
    def message(self) -> ResponseMessage | None:
        """The answer as a message; ``None`` if there is none (or none yet)."""
        return self.result.response

    @property
    def content(self) -> str:
        """The answer's text, or the texts of its layout; empty without an answer."""
        message = self.message
        if message is None:
            return ""
        return words_of(message.message) if isinstance(message.message, discord.Message) else message.content

    @property
    def followups(self) -> list[ResponseMessage]:
        """The further messages that hang on the interaction."""
        return self.result.followups

    @property
    def modal(self) -> dict[str, Any] | None:
        """The modal that opened, as Discord's JSON."""
        return self.result.modal

    @property
    def choices(self) -> list[dict[str, Any]]:
        """What autocomplete offered, as ``{"name": ..., "value": ...}``."""
        return self.result.autocomplete_choices or []

    async def acknowledge(self) -> Answer:
        """Wait for the first answer."""
        await self._server.wait_until(lambda: self.acknowledged, "an answer to the interaction")
        return self

    async def complete(self) -> Answer:
        """Wait until nothing is pending: answered, and not only deferred."""
        await self._server.wait_until(
            lambda: self.acknowledged and not self.deferred, "the deferred answer to the interaction"
        )
        return self

    async def followup(self, number: int = 0) -> ResponseMessage:
        """Wait for a followup, counted from 0."""
        found = await self._server.wait_until(
            lambda: self.followups if len(self.followups) > number else None, f"followup {number}"
        )
        return found[number]


class Person:
    """A user, and the same user as a member of guilds."""

    def __init__(self, server: LoopbackDiscord, user: UserHandle) -> None:
        self._server = server
        self.user = user
        self.members: dict[int, MemberActor] = {}

    @property
    def id(self) -> int:
        """The user id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The user name."""
        return self.user.name

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return self.user.mention

    @property
    def dm(self) -> ChannelHandle:
        """The channel of direct messages with the bot."""
        return self.user.dm_channel

    def join(self, guild: GuildHandle) -> Person:
        """Become a member of a guild."""
        self.members[guild.id] = guild.add_member(self.user)
        return self

    def leave(self, guild: GuildHandle) -> None:
        """Leave a guild."""
        guild.remove_member(self.members.pop(guild.id))

    def close_dms(self, *, closed: bool = True) -> None:
        """Take no direct messages any more: the bot's are refused with error 50007."""
        change = self._server.world.closed_dms.add if closed else self._server.world.closed_dms.discard
        change(self.id)

    def install(self) -> None:
        """Install the bot for oneself, so that it may write although no guild is shared."""
        self._server.world.installs.install(self.id)

    def _in(self, guild_id: int | None) -> MemberActor | UserHandle:
        if guild_id is not None and guild_id not in self.members:
            raise SetupError(f"{self.name} is no member of the guild {guild_id}")
        return self.user if guild_id is None else self.members[guild_id]

    def send(
        self,
        channel: ChannelHandle,
        content: str = "",
        *,
        reply_to: AnyMessage | None = None,
        ping: bool = True,
        mention: bool = False,
        files: Sequence[tuple[str, bytes]] = (),
    ) -> discord.Message:
        """Write a message; ``mention`` puts the bot's mention before it, ``ping`` is a reply's switch.

        Raises:
            BackendError: this person may not write there.
        """
        return self._server.world.say(
            self.id,
            channel,
            f"{self._server.bot_mention} {content}" if mention else content,
            reply_to=None if reply_to is None else reply_to.id,
            ping=ping,
            files=list(files),
        )

    def forward(self, message: AnyMessage, channel: ChannelHandle) -> discord.Message:
        """Forward a message to a channel.

        Raises:
            BackendError: this person can't see it, or may not write there.
        """
        return self._server.world.forward(self.id, message, channel)

    def time_out(self, guild: GuildHandle, until: datetime.datetime | None) -> None:
        """Be timed out in a guild until a moment; ``None`` ends it."""
        self._server.world.time_out(guild, self.id, until)

    async def edit(self, message: AnyMessage, content: str) -> None:
        """Edit an own message.

        Raises:
            BackendError: it stands in an archived or locked thread.
        """
        self._server.world.check_edit(message, self.id)
        await self._in(self._server.world.guild_of(message)).edit(message, content)

    async def delete(self, message: AnyMessage) -> None:
        """Delete an own message, or, with the right to, another's."""
        await self._in(self._server.world.guild_of(message)).delete(message)

    async def slash(
        self, channel: ChannelHandle, name: str, /, *, answered: bool = True, **options: Any
    ) -> Answer:
        """Run a slash command, ``"group sub"`` for a subcommand.

        Raises:
            SetupError: no such command is registered, or not for this person here; or the thread is
                archived or locked.
            OptionError: a value that Discord would not let through.
        """
        world, actor = self._server.world, self._in(channel.guild.id if channel.guild else None)
        world.check_client(channel.id, self.id)
        world.installs.check(name.split()[0], SLASH, channel.id, self.id)
        with world.installs.speaking_in(channel.id, self.id):
            if isinstance(actor, MemberActor):
                result = await actor.slash(channel, name, **options)
            else:
                result = await actor.slash(name, **options)
        return await self._answer(result, answered=answered)

    async def apps(self, message: AnyMessage, name: str, *, answered: bool = True) -> Answer:
        """Use a command from the menu of a message, under "Apps".

        Raises:
            SetupError: no such command is offered here.
        """
        world = self._server.world
        stored = world.stored(message)
        actor = self._in(world.guild_of(message))
        world.check_client(stored.channel_id, self.id)
        world.installs.check(name, MESSAGE, stored.channel_id, self.id)
        with world.installs.speaking_in(stored.channel_id, self.id):
            command = _resolve_visible_command(actor, stored.channel_id, name, MESSAGE)
            guild = actor.guild if isinstance(actor, MemberActor) else None
            result = await _dispatch_actor_interaction(
                actor,
                InteractionType.APPLICATION_COMMAND,
                ChannelHandle(world, guild, world.backend.get_channel(stored.channel_id)),
                {
                    "id": command["id"],
                    "name": name,
                    "type": MESSAGE,
                    "target_id": str(stored.id),
                    "resolved": {"messages": {str(stored.id): message_payload(world.backend, stored)}},
                },
            )
        return await self._answer(result, answered=answered)

    async def autocomplete(
        self, channel: ChannelHandle, name: str, option: str, typed: str, /, **options: Any
    ) -> list[dict[str, Any]]:
        """Type into an option and return the choices offered, as ``{"name": ..., "value": ...}``."""
        records = self._server.world.backend.interactions
        actor = self._in(channel.guild.id if channel.guild else None)
        if isinstance(actor, MemberActor):
            await actor.autocomplete(channel, name, option, typed, **options)
        else:
            await actor.autocomplete(name, option, typed, **options)
        newest: Interaction = records[max(records)]
        answer = Answer(self._server, InteractionResult(self._server.world, newest))
        return (await answer.acknowledge()).choices

    async def click(self, message: AnyMessage, button: str, *, answered: bool = True) -> Answer:
        """Click the button with this ``custom_id`` or label.

        Raises:
            SetupError: there is no such button, it is disabled, or the message is out of sight, or stands in
                an archived or locked thread.
        """
        actor = self._pressing(message)
        result = await actor.click(message, **self._server.world.button(message, button))
        return await self._answer(result, answered=answered)

    async def select(
        self, message: AnyMessage, *values: Any, custom_id: str | None = None, answered: bool = True
    ) -> Answer:
        """Choose in a menu; the ``custom_id`` is needed only when there are several."""
        actor = self._pressing(message)
        result = await actor.select(message, values, custom_id=custom_id)
        return await self._answer(result, answered=answered)

    async def submit_modal(self, shown: Answer, values: dict[str, Any], *, answered: bool = True) -> Answer:
        """Fill in the modal that an answer opened; values by ``custom_id``."""
        actor = self._in(shown.result._interaction.guild_id)
        return await self._answer(await actor.submit_modal(shown.result, values), answered=answered)

    def _pressing(self, message: AnyMessage) -> MemberActor | UserHandle:
        """This person at a message whose buttons and menus are to be used."""
        self._server.world.check_client(self._server.world.stored(message).channel_id, self.id)
        return self._in(self._server.world.guild_of(message))

    async def _answer(self, result: InteractionResult, *, answered: bool) -> Answer:
        answer = Answer(self._server, result)
        return await answer.acknowledge() if answered else answer
