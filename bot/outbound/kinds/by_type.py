"""Which kind each type of message is of; the type checker refuses a type without one."""

from __future__ import annotations

import logging
from typing import Any, assert_never

from bot.context import Context
from bot.outbound.kinds.board import BoardMessages
from bot.outbound.kinds.direct import DirectMessages
from bot.outbound.kinds.lobby import LobbyMessages
from bot.outbound.kinds.moderation_log import ModerationMessages
from bot.outbound.kinds.notices import NoticeMessages
from bot.outbound.kinds.pings import PingMessages
from bot.outbound.kinds.thread import ThreadMessages
from bot.outbound.kinds.watching import FinishedMessages, FollowMessages, MirrorMessages
from bot.outbound.posting import MessageKind, Poster
from matches.outbox import messages
from matches.outbox.messages import Unreadable
from matches.outbox.queue import OutboxRow

log = logging.getLogger(__name__)


class UnreadableMessages(MessageKind[Unreadable]):
    """What a newer version has stored, perhaps: it is dropped, and kept as it was."""

    async def deliver(self, row: OutboxRow, message: Unreadable) -> None:
        """Log it, and drop the row."""
        log.error("a stored message can't be read", extra={"row": row.id, "why": message.why})
        await self._ctx.store.outbox_drop(row.id, "unreadable")


class Kinds:
    """The kinds of messages, each made once."""

    def __init__(self, ctx: Context, poster: Poster) -> None:
        self._pings = PingMessages(ctx, poster)
        self._boards = BoardMessages(ctx, poster, self._pings)
        self._threads = ThreadMessages(ctx, poster)
        self._lobbies = LobbyMessages(ctx, poster)
        self._notices = NoticeMessages(ctx, poster)
        self._direct = DirectMessages(ctx, poster)
        self._mirrors = MirrorMessages(ctx, poster)
        self._follows = FollowMessages(ctx, poster)
        self._finished = FinishedMessages(ctx, poster)
        self._moderation = ModerationMessages(ctx, poster)
        self._unreadable = UnreadableMessages(ctx, poster)

    def __call__(self, row: OutboxRow) -> MessageKind[Any]:
        """Return the kind of a row's message."""
        match row.draft.message:
            case messages.BoardMessage() | messages.LogNotice():
                return self._boards
            case messages.LobbyMessage():
                return self._lobbies
            case messages.Thread():
                return self._threads
            case (
                messages.LobbyReminder()
                | messages.LobbyFull()
                | messages.LobbyClosed()
                | messages.Invitation()
                | messages.ClockChanged()
                | messages.SeatOffered()
                | messages.IdleQuestion()
                | messages.SetAside()
            ):
                return self._notices
            case messages.DirectMessage() | messages.PlanNews():
                return self._direct
            case messages.PingMessage() | messages.Withdrawal() | messages.Digest():
                return self._pings
            case messages.Mirror():
                return self._mirrors
            case messages.Follow() | messages.NewsMessage():
                return self._follows
            case messages.Finished():
                return self._finished
            case messages.ModerationPost() | messages.Moved():
                return self._moderation
            case Unreadable():
                return self._unreadable
            case unknown:
                assert_never(unknown)
