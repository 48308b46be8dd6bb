"""Post the notices of a match that aren't about its log: reminders, invitations, offers, questions."""

from __future__ import annotations

from dataclasses import replace

from bot.context import Context
from bot.messages.clock import moment
from bot.messages.idle import idle_question, set_aside_notice
from bot.messages.lobby import invitation
from bot.messages.match import reason_line
from bot.messages.outgoing import Outgoing
from bot.messages.seat_offers import offer_message
from bot.outbound.clock_news import ClockNews
from bot.outbound.posting import Poster
from bot.outbound.threads import Threads
from bot.platform.readers import Reader
from games.engine.message import msg
from matches.outbox.messages import (
    ClockChanged,
    IdleQuestion,
    Invitation,
    LobbyClosed,
    LobbyReminder,
    Notice,
    SeatOffered,
    SetAside,
)
from matches.outbox.queue import OutboxRow
from matches.store.rows import MatchRow, Post


class Notices:
    """Makes and posts them; one that has become void is left out."""

    def __init__(self, ctx: Context, poster: Poster, threads: Threads) -> None:
        self._ctx = ctx
        self._poster = poster
        self._clock_news = ClockNews(ctx, poster, threads)

    async def serve(self, row: OutboxRow, told: Notice) -> None:
        """Send the message of a row, and mark the row as sent."""
        current = await self._ctx.service.queries.row(row.draft.match)
        if current is None:
            await self._ctx.store.outbox_drop(row.id, "no such match")
            return
        match told:
            case LobbyReminder():
                await self._reminder(row, current)
            case Invitation() as message:
                await self._invitation(row, current, message)
            case ClockChanged() as message:
                await self._clock_news.serve(row, current, message)
            case LobbyClosed() as message:
                await self._closed(row, current, message)
            case SeatOffered() | IdleQuestion() | SetAside() as message:
                await self._question(row, current, message)

    async def _reminder(self, row: OutboxRow, current: MatchRow) -> None:
        if current.status != "lobby":
            await self._ctx.store.outbox_drop(row.id, "the lobby is closed")
            return
        reader = await self._ctx.readers.public(current.place.guild)
        if current.expires is None or current.expires <= self._ctx.clock.now():
            await self._ctx.store.outbox_drop(row.id, "the lobby closes now")
            return
        free = sum(seat.occupant in ("open", "invited") for seat in current.seats)
        when = moment(current.expires)
        if free:
            text = reader.say(msg("bot.lobby.reminder", match=current.id, when=when, n=free))
        else:
            host = f"<@{current.host}>"
            text = reader.say(msg("bot.lobby.reminder_full", match=current.id, when=when, host=host))
        message = await self._poster.post(row, await self._poster.channel(row, current), Outgoing(text))
        await self._ctx.store.outbox_sent(row.id, Post(message.id, message.channel.id, current.id, "notice"))

    async def _invitation(self, row: OutboxRow, current: MatchRow, message: Invitation) -> None:
        reader = await self._ctx.readers.public(current.place.guild)
        outgoing = invitation(current, message.users, reader)
        if outgoing is None:
            await self._ctx.store.outbox_drop(row.id, "nobody is invited any more")
            return
        posted = await self._poster.post(row, await self._poster.channel(row, current), outgoing)
        await self._ctx.store.outbox_sent(row.id, Post(posted.id, posted.channel.id, current.id, "notice"))

    async def _closed(self, row: OutboxRow, current: MatchRow, message: LobbyClosed) -> None:
        reader = await self._ctx.readers.public(current.place.guild)
        text = reader.say(msg("bot.moderation.cleared", match=current.id))
        outgoing = Outgoing(f"{text}\n{reason_line(message.reason, reader)}")
        channel = await self._poster.channel(row, current)
        posted = await self._poster.post(row, channel, outgoing)
        await self._ctx.store.outbox_sent(
            row.id, Post(posted.id, posted.channel.id, current.id, "notice", -1)
        )

    async def _question(
        self, row: OutboxRow, current: MatchRow, message: SeatOffered | IdleQuestion | SetAside
    ) -> None:
        """Post the offer of a seat, or what becomes of a match that nobody moves in, unless it is void."""
        reader = await self._ctx.readers.public(current.place.guild)
        if row.draft.user is not None:
            reader = await self._ctx.readers.person(row.draft.user, None)
        outgoing: Outgoing | None
        match message:
            case SeatOffered():
                outgoing = await self._offer(current, message, reader)
            case SetAside():
                outgoing = set_aside_notice(current, reader)
            case IdleQuestion():
                void = message.version != current.version
                outgoing = None if void else idle_question(current, message.since, reader)
        if outgoing is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        posted = await self._poster.post(row, await self._poster.channel(row, current), outgoing)
        post = Post(posted.id, posted.channel.id, current.id, "notice", current.version)
        await self._ctx.store.outbox_sent(row.id, post)

    async def _offer(self, current: MatchRow, message: SeatOffered, reader: Reader) -> Outgoing | None:
        """Return the message of an offer of a seat; None if it was closed meanwhile."""
        open_ = await self._ctx.store.seat_offers(current.id)
        offer = next((one for one in open_ if (one.seat, one.to) == (message.seat, message.to)), None)
        if offer is None:
            return None
        match = await self._ctx.service.queries.at(current.id, current.version)
        outgoing = offer_message(current, match, offer, reader)
        if outgoing is None or not message.reason:
            return outgoing
        return replace(outgoing, content=f"{reason_line(message.reason, reader)}\n{outgoing.content}")
