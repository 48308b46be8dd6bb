"""Send people texts in direct messages, and news of their plans; one that isn't sent means nothing."""

from __future__ import annotations

from bot.messages.outgoing import Outgoing
from bot.messages.plans import plan_news
from bot.outbound.posting import MessageKind
from matches.outbox.messages import DirectMessage, PlanNews
from matches.outbox.queue import OutboxRow
from matches.store.rows import Post


class DirectMessages(MessageKind[DirectMessage | PlanNews]):
    """Texts as they are, and news in their reader's language."""

    async def deliver(self, row: OutboxRow, message: DirectMessage | PlanNews) -> None:
        """Send the message of a row, unless it has become void, and mark the row as sent."""
        outgoing = await self._made(row, message)
        if outgoing is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        outgoing = await self._poster.gated(outgoing, None, row.draft.user)
        posted = await self._poster.post(row, await self._poster.channel(row, None), outgoing)
        await self._ctx.store.outbox_sent(row.id, Post(posted.id, posted.channel.id, row.draft.match, "dm"))

    async def _made(self, row: OutboxRow, message: DirectMessage | PlanNews) -> Outgoing | None:
        """Return the message; None if it is about a match that can't be reached, but can by now."""
        of_match = isinstance(message, PlanNews) or bool(message.unreachable)
        current = await self._ctx.service.queries.row(row.draft.match) if of_match else None
        if isinstance(message, DirectMessage):
            return Outgoing(message.text) if current is None or current.unreachable else None
        if current is None or row.draft.user is None:
            return None
        return plan_news(current, message, await self._ctx.readers.person(row.draft.user, None))
