"""Post what moderators do in the channel that their server has named for it, and where a match has gone."""

from __future__ import annotations

from bot.context import Context
from bot.messages.moderation import log_line
from bot.messages.outgoing import Outgoing
from bot.outbound.posting import AwayError, Poster
from games.engine.message import msg
from matches.rows import OutboxRow


class ModerationLog:
    """Posts one row at a time, and lets errors through."""

    def __init__(self, ctx: Context, poster: Poster) -> None:
        self._ctx = ctx
        self._poster = poster

    async def serve(self, row: OutboxRow) -> None:
        """Post a row of the log, unless its channel is no longer the one that is named."""
        told = row.draft.payload
        guild, channel = int(told["guild"]), int(told["channel"])
        act = await self._ctx.store.moderation(int(told["number"]))
        made = await self._ctx.preferences.get("guild", guild)
        if act is None or (made.get("log_channel") != channel and not self._poster.was_posted(row)):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        if self._ctx.guilds.has_left(guild):
            raise AwayError
        reader = await self._ctx.readers.public(guild)
        target = self._ctx.client.get_partial_messageable(channel, guild_id=guild)
        await self._poster.post(row, target, Outgoing(log_line(act, reader)))
        await self._ctx.store.outbox_sent(row.id, None)

    async def serve_moved(self, row: OutboxRow) -> None:
        """Say in the channel that a match has left where it goes on."""
        told = row.draft.payload
        guild = int(told["guild"])
        if self._ctx.guilds.has_left(guild):
            raise AwayError
        reader = await self._ctx.readers.public(guild)
        place = f"<#{int(told['to'])}>"
        text = reader.say(msg("bot.moderation.moved_on", match=row.draft.match, place=place))
        target = self._ctx.client.get_partial_messageable(int(told["channel"]), guild_id=guild)
        await self._poster.post(row, target, Outgoing(text))
        await self._ctx.store.outbox_sent(row.id, None)
