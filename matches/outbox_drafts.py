"""Draft the messages of a change. They go into the outbox in the same transaction as the change.

The room `outbox` has their types; it knows no rows of the Store, of which drafts are made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from games.engine.game import Seat
from games.engine.match import Entry, Kind, Match
from matches import occupants
from matches.log.changes import POSITION_KEPT
from matches.occupants import is_study
from matches.outbox.messages import (
    AnyMessage,
    BoardMessage,
    ClockChanged,
    Digest,
    DirectMessage,
    Finished,
    Follow,
    IdleQuestion,
    Invitation,
    LobbyClosed,
    LobbyFull,
    LobbyMessage,
    LobbyReminder,
    LogNotice,
    Mirror,
    ModerationPost,
    Moved,
    NewsMessage,
    PingMessage,
    PingReason,
    PlanNews,
    SeatOffered,
    SetAside,
    Thread,
    Withdrawal,
)
from matches.outbox.queue import Draft
from matches.store.moderation import ModerationRow
from matches.store.pings import PingPost, PingRow
from matches.store.rows import MatchRow, Place
from matches.store.seats import SeatOffer


def draft(message: AnyMessage, match_id: str, user: int | None = None) -> Draft:
    """Return the draft of a message, for the direct messages of `user` if it isn't None."""
    return Draft(message, match_id, message.lane(match_id, user), user)


_TALK = POSITION_KEPT - {Kind.SUBSTITUTE}
"""Kinds of entries that get a notice and no new board."""


def mirror(match_id: str, channel: int) -> Draft:
    """Return the draft that updates a mirror; a Store queues it for commits with `mirrors`."""
    return draft(Mirror(channel), match_id)


def lobby(row: MatchRow, before: MatchRow | None = None) -> tuple[Draft, ...]:
    """Return the drafts that update a lobby: in its channel, and in direct messages with each guest.

    Guests who have a seat only in `before` are updated too: they were just removed.
    """
    home = draft(LobbyMessage(), row.id)
    if row.place.guild is not None:
        return (home,)
    rows = (row,) if before is None else (before, row)
    users = dict.fromkeys(seat.user for one in rows for seat in one.seats if seat.user is not None)
    users.pop(row.host, None)
    return (home, *(draft(LobbyMessage(), row.id, user) for user in users))


def newly_to_act(row: MatchRow, before: Match | None, after: Match, author: int | None) -> tuple[int, ...]:
    """Return the users to ping: they are to act after a change, weren't before it, and aren't its author.

    `before` is None at the start.
    """
    if after.ending is not None or is_study(row):
        return ()
    waiting = frozenset[Seat]() if before is None else before.to_act
    seats = (row.seats[seat] for seat in sorted(after.to_act - waiting) if seat >= 0)
    users = (seat.user for seat in seats if seat.occupant == "person")
    return tuple(user for user in users if user is not None and user != author)


def start(row: MatchRow, last: int, ping: Sequence[int]) -> tuple[Draft, ...]:
    """Return the drafts of a start: a thread if the match is to have one, the lobby, the first board.

    A study has no lobby.
    """
    if is_study(row):
        return to_all(row, BoardMessage(0, last, tuple(ping)))
    wanted = row.lobby.use_thread and row.place.guild is not None and row.place.thread is None
    thread = (draft(Thread(), row.id),) if wanted else ()
    return (*thread, *lobby(row), *to_all(row, BoardMessage(0, last, tuple(ping))))


def play(
    row: MatchRow,
    entries: Sequence[Entry],
    ping: Sequence[int],
    since: int | None = None,
    *,
    left: Sequence[int] = (),
    act: ModerationRow | None = None,
) -> tuple[Draft, ...]:
    """Return the drafts of a change: a new board, or only a notice for draw offers and answers.

    `since` is the first entry to show, if the board shows earlier changes too. `left` are people who have
    just given up their seats: in direct messages, they get a last board. Of what a moderator does, `act`, the
    reason is shown.
    """
    quiet = all(entry.kind in _TALK and not _calls_again(entry) for entry in entries)
    first = entries[0].seq if since is None else since
    last, reason = entries[-1].seq, "" if act is None else act.reason
    return to_all(
        row, LogNotice(first, last, reason) if quiet else BoardMessage(first, last, tuple(ping), reason), left
    )


def _calls_again(entry: Entry) -> bool:
    """Return whether an entry lets a match go on that a moderator has stopped: its board calls people."""
    return entry.kind is Kind.RULING and entry.data == "resume"


def invitation(row: MatchRow, users: Sequence[int]) -> tuple[Draft, ...]:
    """Return the message that calls invited people; none in direct messages, where each gets the lobby."""
    if row.place.guild is None:
        return ()
    return (draft(Invitation(tuple(users)), row.id),)


def lobby_full(row: MatchRow) -> tuple[Draft, ...]:
    """Return the message that calls the host of a lobby, where it is, if it is full; nothing otherwise."""
    return (draft(LobbyFull(row.host), row.id),) if occupants.is_full(row) else ()


def clock_changed(row: MatchRow, before: MatchRow) -> tuple[Draft, ...]:
    """Return the notices that its host has changed a lobby's clock, for those who have sat down before."""
    users = sorted(occupants.people(row) - {row.host})
    if row.conditions.clock == before.conditions.clock or not users:
        return ()
    if row.place.guild is not None:
        return (draft(ClockChanged(tuple(users)), row.id),)
    return tuple(draft(ClockChanged((user,)), row.id, user) for user in users)


def seat_offer(row: MatchRow, offer: SeatOffer, reason: str = "") -> Draft:
    """Return the message of an offer: in the match's channel, or to the person in a match without one.

    `reason` is that of the moderator who offers it.
    """
    offered = SeatOffered(offer.seat, offer.by, offer.entry, offer.to, offer.own, reason)
    return draft(offered, row.id, offer.to if row.place.guild is None else None)


def cleared(row: MatchRow, reason: str) -> Draft:
    """Return the message that a moderator has closed a lobby."""
    return draft(LobbyClosed(reason), row.id)


def moved(row: MatchRow, left: Place) -> Draft:
    """Return the notice that a moderator has moved a match, for those who read where it was played."""
    return draft(Moved(left.guild or 0, left.home, row.place.home), row.id)


def reminder(row: MatchRow) -> Draft:
    """Return the reminder that a lobby is still waiting."""
    return draft(LobbyReminder(), row.id)


def idle(row: MatchRow, since: datetime) -> Draft:
    """Return the question whether to go on with a match in which nobody has moved since a time."""
    return draft(IdleQuestion(row.version, int(since.timestamp())), row.id)


def set_aside(row: MatchRow) -> tuple[Draft, ...]:
    """Return the message that a match was set aside."""
    return (draft(SetAside(row.version), row.id),)


def again(row: MatchRow, match: Match, first: int) -> tuple[Draft, ...]:
    """Return the current board of a match that was taken up again, which calls those who are to act."""
    return to_all(row, BoardMessage(first, match.seq, newly_to_act(row, None, match, None)))


def to_all(row: MatchRow, message: AnyMessage, left: Sequence[int] = ()) -> tuple[Draft, ...]:
    """Return the drafts of a message for all who play: one in a server, else one for each and for `left`."""
    if row.place.guild is not None:
        return (draft(message, row.id),)
    users = (seat.user for seat in row.seats if seat.occupant == "person" and seat.user is not None)
    return tuple(draft(message, row.id, user) for user in (*users, *left))


def plan_news(match_id: str, user: int, what: str, move: str = "", left: str = "") -> Draft:
    """Return a direct message to a person about what became of their plan, in words of the catalogue.

    `what` is the key of the news, `move` the text that was planned, `left` the part that wasn't carried out.
    """
    return draft(PlanNews(what, move, left), match_id, user)


def direct_message(match_id: str, user: int, text: str, unreachable: str = "") -> Draft:
    """Return a direct message to one person; with `unreachable` only sent if the match still is, for that."""
    return draft(DirectMessage(text, unreachable), match_id, user)


# --- pings ------------------------------------------------------------------------------------------------


def ping(row: PingRow, reason: PingReason, *, dm: bool) -> Draft:
    """Return a message that only pings someone: in their direct messages, or where the match is played."""
    return draft(PingMessage(row.seat, row.user, row.turn, reason, dm), row.match)


def withdrawal(post: PingPost, keep: Sequence[int]) -> Draft:
    """Return what withdraws the ping of a message that is over; a Store queues it.

    `keep` are the people whom the message still pings. A message that was nothing but a ping is deleted.
    """
    return draft(Withdrawal(post.channel, post.message, post.ours, post.text, tuple(keep)), post.match)


def digest(user: int, rows: Sequence[PingRow]) -> Draft:
    """Return a person's digest, made when it is sent; it is about these rows, and whatever else waits."""
    return draft(Digest(user, tuple((row.match, row.seat, row.turn) for row in rows)), "")


# --- people who watch -------------------------------------------------------------------------------------


def follow(match_id: str, user: int, *, over: bool) -> Draft:
    """Return the message to a follower of a match about how it stands, or that it is over."""
    return draft(Follow(over), match_id, user)


def news(user: int, about: Mapping[str, int]) -> Draft:
    """Return a person's daily message about matches that they follow; `about` has the last entry sent."""
    return draft(NewsMessage(dict(about)), "", user)


def moderation_post(row: ModerationRow, number: int, channel: int) -> Draft:
    """Return the post of what a moderator did in the channel of the log; a Store queues it."""
    return draft(ModerationPost(number, channel, row.guild), row.match)


def finished(match_id: str, channel: int) -> Draft:
    """Return the post of a finished match in a showcase; a Store queues it for the commit that ends one."""
    return draft(Finished(channel), match_id)
