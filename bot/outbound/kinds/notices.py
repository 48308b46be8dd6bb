"""Post the notices of a match that aren't about its log: reminders, invitations, offers, questions.

One that has become void is left out. A host who tries out several clocks makes one message: it is edited for
a while, as long as it calls all who are to know. What it has called is kept in memory; after a restart there
is a new message.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

import discord
from cachetools import LRUCache

from bot.context import Context
from bot.messages.buttons import STYLE
from bot.messages.clock import moment
from bot.messages.components import Call, CallButton
from bot.messages.lobby import full_lobby, invitation
from bot.messages.lobby_clock import clock_news
from bot.messages.match import mentions, reason_line
from bot.messages.names import seat_names
from bot.messages.outgoing import Outgoing
from bot.outbound.posting import MessageKind, Poster
from bot.platform.reader_settings import Reader
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Who, msg
from matches.absence.idle import PATIENCE
from matches.outbox.messages import (
    ClockChanged,
    IdleQuestion,
    Invitation,
    LobbyClosed,
    LobbyFull,
    LobbyReminder,
    SeatOffered,
    SetAside,
)
from matches.outbox.queue import OutboxRow
from matches.store.rows import MatchRow, Post
from matches.store.seats import SeatOffer

NoticeToPeople: TypeAlias = (LobbyReminder | LobbyFull | Invitation | ClockChanged | LobbyClosed) | (
    SeatOffered | IdleQuestion | SetAside
)
_PATIENCE: Final = timedelta(minutes=10)
"""How long a notice of a clock is edited; who comes back later would overlook it."""


class _ClockNews(NamedTuple):
    message: int
    users: frozenset[int]
    at: datetime


class NoticeMessages(MessageKind[NoticeToPeople]):
    """The notices, each made by its type."""

    def __init__(self, ctx: Context, poster: Poster) -> None:
        super().__init__(ctx, poster)
        self._clock_news: LRUCache[tuple[str, int], _ClockNews] = LRUCache(256)
        """The last notice of the clock of a lobby in a channel."""

    async def deliver(self, row: OutboxRow, message: NoticeToPeople) -> None:
        """Send the message of a row, and mark the row as sent."""
        current = await self._ctx.service.queries.row(row.draft.match)
        if current is None:
            await self._ctx.store.outbox_drop(row.id, "no such match")
            return
        match message:
            case LobbyReminder():
                await self._reminder(row, current)
            case LobbyFull():
                await self._full(row, current, message)
            case Invitation():
                await self._invitation(row, current, message)
            case ClockChanged():
                await self._clock_changed(row, current, message)
            case LobbyClosed():
                await self._closed(row, current, message)
            case SeatOffered() | IdleQuestion() | SetAside():
                await self._question(row, current, message)

    async def _reminder(self, row: OutboxRow, current: MatchRow) -> None:
        if current.status != "lobby":
            await self._ctx.store.outbox_drop(row.id, "the lobby is closed")
            return
        reader = await self._ctx.readers.public(current.place.guild)
        if current.lobby.expires is None or current.lobby.expires <= self._ctx.clock.now():
            await self._ctx.store.outbox_drop(row.id, "the lobby closes now")
            return
        free = sum(seat.occupant in ("open", "invited") for seat in current.seats)
        when = moment(current.lobby.expires)
        if free:
            text = reader.say(msg("bot.lobby.reminder", match=current.id, when=when, n=free))
        else:
            host = f"<@{current.host}>"
            text = reader.say(msg("bot.lobby.reminder_full", match=current.id, when=when, host=host))
        await self._post(row, current, Outgoing(text), None)

    async def _post(self, row: OutboxRow, current: MatchRow, outgoing: Outgoing, seq: int | None) -> None:
        """Post a message and mark its row as sent; one without a `seq` goes when the lobby is over."""
        outgoing = await self._poster.gated(outgoing, current, row.draft.user)
        posted = await self._poster.post(row, await self._poster.channel(row, current), outgoing)
        await self._ctx.store.outbox_sent(
            row.id, Post(posted.id, posted.channel.id, current.id, "notice", seq)
        )

    async def _full(self, row: OutboxRow, current: MatchRow, message: LobbyFull) -> None:
        """Call the host to start, once if the lobby has been full several times since the last call."""
        reader = await self._ctx.readers.public(current.place.guild)
        outgoing = full_lobby(current, message.host, reader)
        waiting = await self._ctx.store.outbox_pending(current.id)
        again = any(one.id > row.id and isinstance(one.draft.message, LobbyFull) for one in waiting)
        if outgoing is None or again:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        await self._post(row, current, outgoing, None)

    async def _invitation(self, row: OutboxRow, current: MatchRow, message: Invitation) -> None:
        reader = await self._ctx.readers.public(current.place.guild)
        outgoing = invitation(current, message.users, reader)
        if outgoing is None:
            await self._ctx.store.outbox_drop(row.id, "nobody is invited any more")
            return
        await self._post(row, current, outgoing, None)

    async def _closed(self, row: OutboxRow, current: MatchRow, message: LobbyClosed) -> None:
        reader = await self._ctx.readers.public(current.place.guild)
        text = reader.say(msg("bot.moderation.cleared", match=current.id))
        await self._post(row, current, Outgoing(f"{text}\n{reason_line(message.reason, reader)}"), -1)

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
        await self._post(row, current, outgoing, current.version)

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

    async def _clock_changed(self, row: OutboxRow, current: MatchRow, changed: ClockChanged) -> None:
        """Post what the clock is now, or edit it; nothing is sent to who has left."""
        reader = await self._ctx.readers.public(current.place.guild)
        if row.draft.user is not None:
            reader = await self._ctx.readers.person(row.draft.user, None)
        outgoing = clock_news(current, changed.users, reader)
        if outgoing is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        outgoing = await self._poster.gated(outgoing, current, row.draft.user)
        channel = await self._poster.channel(row, current)
        key, users, now = (current.id, channel.id), frozenset(outgoing.ping), self._ctx.clock.now()
        notified = self._clock_news.get(key)
        fresh = notified is not None and users <= notified.users and now - notified.at < _PATIENCE
        if notified is not None and fresh and await self._poster.edit(channel, notified.message, outgoing):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        message = await self._poster.post(row, channel, outgoing)
        self._clock_news[key] = _ClockNews(message.id, users, now)
        await self._ctx.store.outbox_sent(row.id, Post(message.id, channel.id, current.id, "notice", -1))


def idle_question(row: MatchRow, since: int, reader: Reader) -> Outgoing | None:
    """Return the question whether to go on, which calls the players; None if the match isn't live.

    `since` is the time of the last move, in seconds since 1970.
    """
    if row.status != "live":
        return None
    users = tuple(seat.user for seat in row.seats if seat.occupant == "person" and seat.user is not None)
    when = discord.utils.format_dt(datetime.fromtimestamp(since, UTC), "R")
    text = reader.say(msg("bot.idle.question", match=row.id, when=when, n=PATIENCE.days))
    items = (
        CallButton.make(Call("idle_on", row.id, row.version), _label("idle_on", reader), STYLE.success),
        CallButton.make(Call("idle_off", row.id, row.version), _label("idle_off", reader)),
    )
    return Outgoing(f"{text}{mentions(users)}\n-# `{row.id}`", (), items, users)


def set_aside_notice(row: MatchRow, reader: Reader) -> Outgoing | None:
    """Return the message that a match was set aside, with a button to take it up; None if it goes on."""
    if not row.set_aside:
        return None
    text = reader.say(msg("bot.idle.set_aside", match=row.id))
    button = CallButton.make(Call("idle_up", row.id, row.version), _label("idle_up", reader), STYLE.success)
    return Outgoing(f"{text}\n-# `{row.id}`", (), (button,))


def _label(verb: str, reader: Reader) -> str:
    return reader.say(msg(f"bot.button.{verb}"))


def offer_message(row: MatchRow, match: Match, offer: SeatOffer, reader: Reader) -> Outgoing | None:
    """Return the message of an offer with its buttons; None if the seat can't change hands any longer."""
    if match.ending or Seat(offer.seat) not in match.playing:
        return None
    names, who = seat_names(row, reader), Who(offer.seat)
    ping: tuple[int, ...] = ()
    if offer.to is not None:
        arg = f"{offer.seat}.{offer.by}.{offer.to}"
        key = "give" if offer.own else "give_moderator"
        text = reader.say(msg(f"bot.seats.{key}", to=f"<@{offer.to}>", who=who, match=row.id), names)
        yes, no = Call("seat_yes", row.id, offer.entry, arg), Call("seat_no", row.id, offer.entry, arg)
        labels, ping = ("bot.button.accept", "bot.button.decline"), (offer.to,)
    else:
        arg = f"{offer.seat}.{'own' if offer.own else 'other'}"
        filled = row.seats[offer.seat].occupant == "computer"
        key = "filled" if filled else "own" if offer.own else "away"
        text = reader.say(msg(f"bot.seats.{key}", who=who, match=row.id), names)
        yes, no = Call("seat_take", row.id, offer.entry, arg), Call("seat_keep", row.id, offer.entry, arg)
        labels = ("bot.button.seat_take", "bot.button.seat_keep")
    items = (
        CallButton.make(yes, reader.say(msg(labels[0])), STYLE.success),
        CallButton.make(no, reader.say(msg(labels[1]))),
    )
    return Outgoing(f"{text}\n-# `{row.id}`", (), items, ping)
