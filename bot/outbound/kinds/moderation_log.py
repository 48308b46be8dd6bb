"""Post what moderators do in the channel that their server has named for it, and where a match has gone.

The channel of a log that takes no posts is named no longer; the server's owner is notified.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.messages.moderation import log_line
from bot.messages.names import escaped_name
from bot.messages.outgoing import Outgoing
from bot.outbound import remedies
from bot.outbound.posting import AwayError, MessageKind
from bot.outbound.remedies import Fate, Meaning
from bot.platform.reader_settings import Reader
from games.engine.message import msg
from matches.outbox.messages import ModerationPost, Moved
from matches.outbox.queue import OutboxRow
from matches.outbox_drafts import direct_message


class ModerationMessages(MessageKind[ModerationPost | Moved]):
    """The posts of a log, and the messages in channels that a match has left."""

    async def deliver(self, row: OutboxRow, message: ModerationPost | Moved) -> None:
        """Post a row of the log while its channel is named, or say where a match goes on.

        Raises AwayError while its server can't be reached.
        """
        text = await self._text(row, message)
        if text is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        if self._ctx.discord.guilds.has_left(message.guild):
            raise AwayError
        reader = await self._ctx.readers.public(message.guild)
        target = self._ctx.discord.client.get_partial_messageable(message.channel, guild_id=message.guild)
        await self._poster.post(row, target, Outgoing(text(reader)))
        await self._ctx.store.outbox_sent(row.id, None)

    async def _text(self, row: OutboxRow, message: ModerationPost | Moved) -> Callable[[Reader], str] | None:
        if isinstance(message, Moved):
            place = f"<#{message.to}>"
            return lambda reader: reader.say(
                msg("bot.moderation.moved_on", match=row.draft.match, place=place)
            )
        act = await self._ctx.store.moderation(message.number)
        made = await self._ctx.preferences.get("guild", message.guild)
        named = made.get("log_channel") == message.channel or self._poster.was_posted(row)
        return partial(log_line, act) if act is not None and named else None

    async def lost(self, row: OutboxRow, message: ModerationPost | Moved, what: Meaning) -> Fate:
        """Switch off the channel of a log that takes no posts, and notify the server's owner once."""
        if isinstance(message, Moved) or remedies.passes(what):
            return Fate.DROPPED
        guild = self._ctx.discord.guilds.get(message.guild)
        made = await self._ctx.preferences.get("guild", message.guild)
        if guild is None or made.get("log_channel") != message.channel:
            return Fate.DROPPED
        await self._ctx.preferences.save("guild", message.guild, {**made, "log_channel": None})
        if guild.owner_id is not None:
            values = {
                "server": escaped_name(guild.name),
                "place": f"<#{message.channel}>",
                "code": what.label,
            }
            text = self._ctx.readers.default.say(msg("bot.moderation.log_ended", **values))
            await self._ctx.store.outbox_add(direct_message("", guild.owner_id, text), self._ctx.clock.now())
        return Fate.DROPPED
