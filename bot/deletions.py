"""What others delete: a board or table comes back once, a lost channel is told to the match's people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from matches.ports import Draft

if TYPE_CHECKING:
    from bot.app import Dominium


async def messages_gone(app: Dominium, messages: Iterable[int]) -> None:
    """Messages were deleted: a live match's present board or an open table comes back, once."""
    for message in sorted(messages):
        post = await app.store.find_post(message)
        if post is not None and post.kind == "board":
            await _board_gone(app, post.match, message)
        elif post is not None and post.kind == "lobby":
            await _table_gone(app, post.match, message)
    await app.publisher.drain()


async def _board_gone(app: Dominium, match_id: str, message: int) -> None:
    row = await app.service.row(match_id)
    if row is None or row.status != "live" or row.unreachable or row.place.guild is None:
        return
    boards = await app.store.posts(match_id, "board")
    last = boards[-1]
    came_back = any(post.seq == last.seq for post in boards[:-1])
    if last.message != message or came_back or await app.store.outbox_pending(match_id):
        return  # whoever deletes it twice means it, and so may another bot
    told = {"first": await app.service.last_change(row), "last": row.version, "again": True}
    await app.store.outbox_add(Draft("board", row.id, row.id, told), app.clock.now())


async def _table_gone(app: Dominium, match_id: str, message: int) -> None:
    """A table whose message is gone could be neither joined nor started."""
    row = await app.service.row(match_id)
    if row is None or row.status != "lobby" or row.lobby_message != message:
        return
    if len(await app.store.posts(match_id, "lobby")) == 1 and not await app.store.outbox_pending(match_id):
        await app.store.outbox_add(Draft("lobby", row.id, row.id, {}), app.clock.now())


async def place_gone(app: Dominium, channel: int) -> None:
    """A thread or channel was deleted: its matches wait elsewhere, and their people hear of it."""
    for row in await app.service.live_in(channel):
        await app.publisher.lost(row)
    await app.publisher.drain()
