"""Post the boards of a match, and the entries of its log without a board: offers and answers.

A board calls those whose turns began with it, and is recorded with whom it called in one transaction.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.context import Context
from bot.messages.match import notice, reason_line, users_to_act
from bot.messages.names import seat_names
from bot.messages.operation import with_line
from bot.messages.outgoing import File, Outgoing
from bot.messages.record_file import record_file
from bot.outbound.kinds.pings import PingMessages, mentions_of
from bot.outbound.posting import Channel, MessageKind, Poster
from bot.platform.reader_settings import Reader
from games.engine.game import Fact, Seat
from games.engine.match import Match
from games.engine.message import Who, msg
from matches.clocks.timekeeper import ClockFace
from matches.long_work import long_in_thread
from matches.lookback.story import Story
from matches.outbox.messages import BoardMessage, LogNotice
from matches.outbox.queue import OutboxRow
from matches.pings.pinging import BoardCall
from matches.ports import StoreError
from matches.store.pings import PingRow
from matches.store.rows import MatchRow, Post

log = logging.getLogger(__name__)


class _Shown(NamedTuple):
    """What a message shows, and to whom."""

    row: MatchRow
    match: Match
    facts: tuple[Fact, ...]
    reader: Reader
    face: ClockFace | None


async def story_at_the_end(ctx: Context, row: MatchRow, match: Match) -> Story | None:
    """Return the story of a match whose end is shown; None if there is none, or it can't be written.

    Raises StoreError.
    """
    if match.ending is None or row.version != match.seq:
        return None
    try:
        return await ctx.service.stories.of(row)
    except StoreError:
        raise
    except Exception:  # the result is worth posting without it
        log.exception("%s: its story can't be written", row.id)
        return None


class BoardMessages(MessageKind[BoardMessage | LogNotice]):
    """Boards, and notices about the log."""

    def __init__(self, ctx: Context, poster: Poster, pings: PingMessages) -> None:
        super().__init__(ctx, poster)
        self._pings = pings

    async def deliver(self, row: OutboxRow, message: BoardMessage | LogNotice) -> None:
        """Post a board or a notice about the log entries first..last of a match."""
        draft = row.draft
        if isinstance(message, BoardMessage):
            await self._pings.play_plans(draft.match)
        found = await self._ctx.store.match_and_pings(draft.match)
        if found is None:
            await self._ctx.store.outbox_drop(row.id, "no such match")
            return
        current, pings = found
        channel = await self._poster.channel(row, current)
        if isinstance(message, BoardMessage) and await self._is_outdated(row, message, channel):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        match, facts = await self._ctx.service.queries.facts(draft.match, message.first, message.last)
        reader = await self._ctx.readers.public(current.place.guild)
        if draft.user is not None:
            seat = next((s.seat for s in current.seats if s.user == draft.user), None)
            reader = await self._ctx.readers.person(draft.user, None, None if seat is None else Seat(seat))
        shown = _Shown(current, match, facts, reader, await self._face(current, match))
        if isinstance(message, LogNotice):
            text = notice(current, match, facts, reader, shown.face, message.reason)
            outgoing, calls = await self._pings.with_calls(text, current, match.seq, draft.user)
        else:
            outgoing, calls = await self._board(row, message, shown, pings)
        posted = await self._poster.post(row, channel, outgoing)
        if current.unreachable:
            await self._ctx.service.channels.mark_reachable(draft.match)
        post = Post(posted.id, posted.channel.id, draft.match, draft.kind, match.seq)
        if calls:
            await self._pings.record_board(row, current, posted, post, calls)
        else:
            await self._ctx.store.outbox_sent(row.id, post)

    async def record_posted(self, row: OutboxRow, message: BoardMessage | LogNotice) -> bool:
        """Record a board that an earlier try has posted without knowing it; return whether there is one."""
        current = await self._ctx.service.queries.row(row.draft.match)
        if current is None or isinstance(message, LogNotice):
            return False
        posted = await self._poster.find_board(row, message.last, await self._poster.channel(row, current))
        if posted is None:
            return False
        post = Post(posted.id, posted.channel.id, row.draft.match, row.draft.kind, message.last)
        await self._pings.record_board(row, current, posted, post)
        return True

    async def _is_outdated(self, row: OutboxRow, board: BoardMessage, channel: Channel) -> bool:
        """Return whether a board that was laid aside has been replaced by another in its channel."""
        if not row.error or board.again:
            return False
        boards = await self._ctx.store.posts(row.draft.match, "board")
        return any(post.channel == channel.id and (post.seq or 0) >= board.last for post in boards)

    async def _board(
        self, row: OutboxRow, message: BoardMessage, shown: _Shown, pings: Sequence[PingRow]
    ) -> tuple[Outgoing, Sequence[BoardCall]]:
        """Return a board, and what was decided of those whose turns began with it."""
        current, match, facts, reader, face = shown
        user = row.draft.user
        extra: tuple[File, ...] = ()
        story = await story_at_the_end(self._ctx, current, match)
        if match.ending:
            held = await self._ctx.store.holders(current.id)
            english = self._ctx.readers.default
            extra = (await long_in_thread(record_file, current, match, english, held),)
        note = await self._note(message, shown)
        calls: Sequence[BoardCall] | None = ()
        if not message.again:
            calls = await self._ctx.service.pings.for_board(current, match.seq, user, pings)
        if calls is None:
            calls, ping = (), users_to_act(current, match) if message.ping is None else message.ping
        else:
            ping = mentions_of(calls)
        if user is not None:
            ping = (user,) if user in ping else ()
        outgoing = await self._poster.drawn(
            row,
            lambda picture: self._ctx.presenter.board(
                current,
                match,
                facts,
                reader if picture else replace(reader, text=True),
                own=not message.again,
                ping=ping,
                note=note,
                extra=extra,
                face=face,
                story=story,
            ),
        )
        return (replace(outgoing, silent=True) if user is not None and not ping else outgoing), calls

    async def _note(self, message: BoardMessage, shown: _Shown) -> str:
        """Return what stands below a board: who has left, maintenance, a moderator's reason."""
        current, match, _, reader, _ = shown
        if message.again:
            return reader.say(msg("bot.board.again"))
        note = await self._players_left(current, match, reader)
        if not match.ending:
            note = with_line(note, await self._ctx.operation.maintenance.current(), reader)
        if message.reason:
            note = "\n".join(filter(None, (note, reason_line(message.reason, reader))))
        return note

    async def _face(self, row: MatchRow, match: Match) -> ClockFace | None:
        """Return what the clocks show once a board of a match is posted; None for an earlier position."""
        if not await self._ctx.service.queries.is_current(row, match.seq):
            return None
        return await self._ctx.service.time_up.face(row, posting=True)

    async def _players_left(self, row: MatchRow, match: Match, reader: Reader) -> str:
        """Return a line that names players who are to act but have left the server; empty if none."""
        guild = row.place.guild
        if guild is None or match.ending:
            return ""
        users = {seat: row.seats[seat].user for seat in sorted(match.to_act) if seat >= 0}
        away = [
            Who(seat)
            for seat, user in users.items()
            if user is not None and await self._ctx.discord.members.has_left(guild, user)
        ]
        if not away:
            return ""
        text = msg("bot.board.left", n=len(away), who=tuple(away))
        return "-# " + reader.say(text, seat_names(row, reader))
