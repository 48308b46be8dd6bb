"""Handle deletions by others: post a deleted board or lobby once more, report a deleted channel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.context import Context
from bot.outbound.reports import unreachable
from matches import outbox_drafts as drafts
from matches.outbox.messages import BoardMessage, LobbyMessage


async def messages_deleted(ctx: Context, messages: Iterable[int]) -> None:
    """Restore the current board of a live match, or an open lobby, if its message was deleted."""
    messages = frozenset(messages)
    for message in sorted(messages):
        post = await ctx.store.find_post(message)
        if post is not None and post.kind == "board":
            await _restore_board(ctx, post.match, message)
        elif post is not None and post.kind == "lobby":
            await _restore_lobby(ctx, post.match, message)
    for case in await ctx.store.showcases():
        if case.message in messages:  # its list is posted anew
            await ctx.store.note_showcase(replace(case, message=None, shown=""))
    await ctx.delivery.send()


async def _restore_board(ctx: Context, match_id: str, message: int) -> None:
    row = await ctx.service.queries.row(match_id)
    if row is None or row.status != "live" or row.unreachable or row.place.guild is None:
        return
    boards = await ctx.store.posts(match_id, "board")
    last = boards[-1]
    came_back = any((post.seq, post.channel) == (last.seq, last.channel) for post in boards[:-1])
    if last.message != message or came_back or await ctx.store.outbox_pending(match_id):
        return  # deleted twice, so on purpose, perhaps by another bot
    first = (await ctx.service.queries.last_change(row)).first
    board = drafts.draft(BoardMessage(first, row.version, again=True), row.id)
    await ctx.store.outbox_add(board, ctx.clock.now())


async def _restore_lobby(ctx: Context, match_id: str, message: int) -> None:
    """Post a lobby's message again, once: without it the lobby can't be joined or started."""
    row = await ctx.service.queries.row(match_id)
    if row is None or row.status != "lobby" or row.lobby.message != message:
        return
    if len(await ctx.store.posts(match_id, "lobby")) == 1 and not await ctx.store.outbox_pending(match_id):
        await ctx.store.outbox_add(drafts.draft(LobbyMessage(), row.id), ctx.clock.now())


async def channel_deleted(ctx: Context, channel: int) -> None:
    """Mark the matches of a deleted thread or channel as unreachable, and notify their people."""
    for row in await ctx.service.queries.live_in(channel):
        await unreachable(ctx, row, "channel")
    await ctx.delivery.send()
