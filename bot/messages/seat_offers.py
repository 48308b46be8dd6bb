"""The messages by which a seat is offered: to one person, or to everyone who can read the channel."""

from __future__ import annotations

from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton
from bot.messages.outgoing import Outgoing
from bot.messages.seats import seat_names
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Who, msg
from matches.store.rows import MatchRow
from matches.store.seat_offers import SeatOffer


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
