"""What others delete: a board or table comes back once, a lost channel is told to the match's people."""

from __future__ import annotations

from collections.abc import Iterable

from bot.context import Context
from bot.outbound.delivery_failures import unreachable
from matches.ports import Draft


async def messages_gone(ctx: Context, messages: Iterable[int]) -> None:
    """Messages were deleted: a live match's present board or an open table comes back, once."""
    for message in sorted(messages):
        post = await ctx.store.find_post(message)
        if post is not None and post.kind == "board":
            await _board_gone(ctx, post.match, message)
        elif post is not None and post.kind == "lobby":
            await _table_gone(ctx, post.match, message)
    await ctx.send()


async def _board_gone(ctx: Context, match_id: str, message: int) -> None:
    row = await ctx.service.queries.row(match_id)
    if row is None or row.status != "live" or row.unreachable or row.place.guild is None:
        return
    boards = await ctx.store.posts(match_id, "board")
    last = boards[-1]
    came_back = any(post.seq == last.seq for post in boards[:-1])
    if last.message != message or came_back or await ctx.store.outbox_pending(match_id):
        return  # whoever deletes it twice means it, and so may another bot
    first = (await ctx.service.queries.last_change(row)).first
    told = {"first": first, "last": row.version, "again": True}
    await ctx.store.outbox_add(Draft("board", row.id, row.id, told), ctx.clock.now())


async def _table_gone(ctx: Context, match_id: str, message: int) -> None:
    """A table whose message is gone could be neither joined nor started."""
    row = await ctx.service.queries.row(match_id)
    if row is None or row.status != "lobby" or row.lobby_message != message:
        return
    if len(await ctx.store.posts(match_id, "lobby")) == 1 and not await ctx.store.outbox_pending(match_id):
        await ctx.store.outbox_add(Draft("lobby", row.id, row.id, {}), ctx.clock.now())


async def place_gone(ctx: Context, channel: int) -> None:
    """A thread or channel was deleted: its matches wait elsewhere, and their people hear of it."""
    for row in await ctx.service.queries.live_in(channel):
        if not row.unreachable:
            await unreachable(ctx, row, "channel")
    await ctx.send()
