"""Where people read a match: links to its boards, archived threads, and the channels of direct messages.

Discord sends a new session nothing about direct messages, and limits how many of them a bot may open. So
their channel is remembered once a message was sent in it, ours or theirs.
"""

from __future__ import annotations

import discord

from bot.context import Context
from bot.platform.reader_settings import Reader
from games.engine.message import msg
from matches.store.rows import MatchRow


async def board_words(ctx: Context, row: MatchRow, reader: Reader) -> str:
    """Return the words "the board", linked to it; or the channel if no board has been posted."""
    link = await board_link(ctx, row)
    return link if link.startswith("<#") else f"[{reader.say(msg('bot.link.board'))}](<{link}>)"


async def board_link(ctx: Context, row: MatchRow, channel: int | None = None) -> str:
    """Return a link to the latest board, or to the channel if no board has been posted.

    A match in direct messages has a board with each person; the link leads to one of them, to that in
    `channel` if it is given.
    """
    boards = await ctx.store.posts(row.id, "board")
    if channel is not None and row.place.guild is None:
        boards = tuple(board for board in boards if board.channel == channel) or boards
    if boards:
        last = boards[-1]
        return f"https://discord.com/channels/{row.place.guild or '@me'}/{last.channel}/{last.message}"
    return f"<#{row.place.home}>"


def is_archived(ctx: Context, row: MatchRow) -> bool:
    """Return whether a match is played in an archived thread: about these Discord sends us nothing."""
    guild = ctx.discord.guilds.get(row.place.guild)
    if guild is None or guild.unavailable or row.unreachable:
        return False
    return guild.get_channel_or_thread(row.place.home) is None


async def note_direct(ctx: Context, user: int, message: discord.Message) -> bool:
    """Remember the channel of a person's direct messages; return whether they play in a live match.

    It is kept with the settings of people who do: with them it is shown, and forgotten.
    """
    made = await ctx.preferences.get("user", user)
    if "direct" in made and made["direct"][0] == message.channel.id:
        return True
    if not await ctx.store.by_user(user):
        return False
    await ctx.preferences.save("user", user, {**made, "direct": [message.channel.id, message.id]})
    return True
