"""Post what moderators do in the channel that their server has named for it, and where a match has gone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.context import Context
from bot.messages.moderation import log_line
from bot.messages.outgoing import Outgoing
from bot.outbound.posting import AwayError, Poster
from bot.platform.readers import Reader
from games.engine.message import msg
from matches.outbox.messages import ModerationPost, Moved
from matches.outbox.queue import OutboxRow


class ModerationLog:
    """Posts one row at a time, and lets errors through."""

    def __init__(self, ctx: Context, poster: Poster) -> None:
        self._ctx = ctx
        self._poster = poster

    async def serve(self, row: OutboxRow, message: ModerationPost) -> None:
        """Post a row of the log, unless its channel is no longer the one that is named."""
        act = await self._ctx.store.moderation(message.number)
        made = await self._ctx.preferences.get("guild", message.guild)
        if act is None or (made.get("log_channel") != message.channel and not self._poster.was_posted(row)):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        await self._post(row, message, partial(log_line, act))

    async def serve_moved(self, row: OutboxRow, message: Moved) -> None:
        """Say in the channel that a match has left where it goes on."""
        said = msg("bot.moderation.moved_on", match=row.draft.match, place=f"<#{message.to}>")
        await self._post(row, message, lambda reader: reader.say(said))

    async def _post(
        self, row: OutboxRow, message: ModerationPost | Moved, text: Callable[[Reader], str]
    ) -> None:
        """Post a text for all who read a channel, and mark the row as sent."""
        if self._ctx.guilds.has_left(message.guild):
            raise AwayError
        reader = await self._ctx.readers.public(message.guild)
        target = self._ctx.client.get_partial_messageable(message.channel, guild_id=message.guild)
        await self._poster.post(row, target, Outgoing(text(reader)))
        await self._ctx.store.outbox_sent(row.id, None)
