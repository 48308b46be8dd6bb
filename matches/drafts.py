"""Draft the messages of a change. They go into the outbox in the same transaction as the change.

Lanes: the match's id for its own channel, `{id}/mirror/{channel}` for mirrors, `{id}/dm/{user}` for people,
`{id}/ping/{user}` and `{id}/unping` for pings, `digest/{user}` for digests, `{id}/clock` for a lobby's clock,
`{id}/follow/{user}` and `news/{user}` for those who follow matches, `{id}/finished` for showcases,
`modlog/{server}` for the log of its moderators, `{id}/moved/{channel}` for the channel that a match has left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from games.engine.game import Seat
from games.engine.match import Entry, Kind, Match
from matches import seating
from matches.log.changes import POSITION_KEPT
from matches.store.moderation_rows import ModerationRow
from matches.store.ping_rows import PingPost, PingReason, PingRow
from matches.store.rows import Draft, MatchRow, OutboxKind, Place
from matches.store.seat_offers import SeatOffer
from matches.studies import is_study


def mirror_lane(match_id: str, channel: int) -> str:
    """Return the lane of a mirror in a channel."""
    return f"{match_id}/mirror/{channel}"


def person_lane(match_id: str, user: int) -> str:
    """Return the lane of a person's direct messages."""
    return f"{match_id}/dm/{user}"


_TALK = POSITION_KEPT - {Kind.SUBSTITUTE}
"""Kinds of entries that are told without a new board."""
_HEARD_FROM = "user/"


def until_heard_from(user: int) -> str:
    """Return what a parked message waits for if a person takes no direct messages."""
    return f"{_HEARD_FROM}{user}"


def awaited_person(until: str) -> int | None:
    """Return the person that a parked message waits for; None if it waits for a match."""
    return int(until.removeprefix(_HEARD_FROM)) if until.startswith(_HEARD_FROM) else None


def mirror(match_id: str, channel: int) -> Draft:
    """Return the draft that updates a mirror; a Store queues it for commits with `mirrors`."""
    return Draft("mirror", match_id, mirror_lane(match_id, channel), {"channel": channel})


def lobby(row: MatchRow, before: MatchRow | None = None) -> tuple[Draft, ...]:
    """Return the drafts that update a lobby: in its channel, and in direct messages with each guest.

    Guests who have a seat only in `before` are updated too: they were just removed.
    """
    home = Draft("lobby", row.id, row.id, {})
    if row.place.guild is not None:
        return (home,)
    rows = (row,) if before is None else (before, row)
    users = dict.fromkeys(seat.user for one in rows for seat in one.seats if seat.user is not None)
    users.pop(row.host, None)
    return (home, *(Draft("lobby", row.id, person_lane(row.id, user), {}, user) for user in users))


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
        return _board_or_notice(row, "board", 0, last, ping)
    wanted = row.use_thread and row.place.guild is not None and row.place.thread is None
    thread = (Draft("thread", row.id, row.id, {}),) if wanted else ()
    return (*thread, *lobby(row), *_board_or_notice(row, "board", 0, last, ping))


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
    reason is told.
    """
    quiet = all(entry.kind in _TALK and not _calls_again(entry) for entry in entries)
    first = entries[0].seq if since is None else since
    made = _board_or_notice(row, "notice" if quiet else "board", first, entries[-1].seq, ping, left)
    if act is None:
        return made
    return tuple(replace(draft, payload={**draft.payload, "reason": act.reason}) for draft in made)


def _calls_again(entry: Entry) -> bool:
    """Return whether an entry lets a match go on that a moderator has stopped: its board calls people."""
    return entry.kind is Kind.RULING and entry.data == "resume"


def invitation(row: MatchRow, users: Sequence[int]) -> tuple[Draft, ...]:
    """Return the message that calls invited people; none in direct messages, where each gets the lobby."""
    if row.place.guild is None:
        return ()
    return (Draft("notice", row.id, row.id, {"invited": list(users)}),)


def clock_changed(row: MatchRow, before: MatchRow) -> tuple[Draft, ...]:
    """Return what tells those who have sat down in a lobby that its host has changed the clock since.

    Its lanes are its own, so that it can be edited while the host tries out others.
    """
    users = sorted(seating.people(row) - {row.host})
    if row.clock == before.clock or not users:
        return ()
    lane = f"{row.id}/clock"
    if row.place.guild is not None:
        return (Draft("notice", row.id, lane, {"clock": users}),)
    return tuple(Draft("notice", row.id, f"{lane}/{user}", {"clock": [user]}, user) for user in users)


def seat_offer(row: MatchRow, offer: SeatOffer, reason: str = "") -> Draft:
    """Return the message of an offer: in the match's channel, or to the person in a match without one.

    `reason` is that of the moderator who offers it.
    """
    payload: dict[str, Any] = {"offer": [offer.seat, offer.by, offer.entry, offer.to, offer.own]}
    if reason:
        payload["reason"] = reason
    if row.place.guild is None and offer.to is not None:
        return Draft("notice", row.id, person_lane(row.id, offer.to), payload, offer.to)
    return Draft("notice", row.id, row.id, payload)


def cleared(row: MatchRow, reason: str) -> Draft:
    """Return the message that a moderator has closed a lobby."""
    return Draft("notice", row.id, row.id, {"cleared": reason})


def moved(row: MatchRow, left: Place) -> Draft:
    """Return what those are told who read where a match was played until a moderator moved it."""
    told = {"guild": left.guild, "channel": left.home, "to": row.place.home}
    return Draft("moved", row.id, f"{row.id}/moved/{left.home}", told)


def reminder(row: MatchRow) -> Draft:
    """Return the reminder that a lobby is still waiting."""
    return Draft("notice", row.id, row.id, {"reminder": True})


def idle(row: MatchRow, since: datetime) -> Draft:
    """Return the question whether to go on with a match in which nobody has moved since a time."""
    return Draft("notice", row.id, row.id, {"idle": row.version, "since": int(since.timestamp())})


def set_aside(row: MatchRow) -> tuple[Draft, ...]:
    """Return the message that a match was set aside."""
    return (Draft("notice", row.id, row.id, {"set_aside": row.version}),)


def again(row: MatchRow, match: Match, first: int) -> tuple[Draft, ...]:
    """Return the current board of a match that was taken up again, which calls those who are to act."""
    return _board_or_notice(row, "board", first, match.seq, newly_to_act(row, None, match, None))


def _board_or_notice(
    row: MatchRow, kind: OutboxKind, first: int, last: int, ping: Sequence[int], left: Sequence[int] = ()
) -> tuple[Draft, ...]:
    payload: dict[str, Any] = {"first": first, "last": last}
    if kind == "board":
        payload["ping"] = list(ping)
    if row.place.guild is not None:
        return (Draft(kind, row.id, row.id, payload),)
    users = (seat.user for seat in row.seats if seat.occupant == "person" and seat.user is not None)
    return tuple(Draft(kind, row.id, person_lane(row.id, user), payload, user) for user in (*users, *left))


def plan_news(match_id: str, user: int, what: str, move: str = "", left: str = "") -> Draft:
    """Return a direct message that tells a person what became of their plan, in words of the catalogue.

    `what` is the key of the news, `move` the text that was planned, `left` the part that wasn't carried out.
    """
    payload = {"text": "", "plan": {"what": what, "move": move, "left": left}}
    return Draft("dm", match_id, person_lane(match_id, user), payload, user)


def direct_message(match_id: str, user: int, text: str, unreachable: str = "") -> Draft:
    """Return a direct message to one person; with `unreachable` only sent if the match still is, for that."""
    payload = {"text": text} | ({"unreachable": unreachable} if unreachable else {})
    return Draft("dm", match_id, person_lane(match_id, user), payload, user)


# --- pings ------------------------------------------------------------------------------------------------


def ping(row: PingRow, reason: PingReason, *, dm: bool) -> Draft:
    """Return a message that only pings someone: in their direct messages, or where the match is played."""
    told = {"seat": row.seat, "user": row.user, "turn": row.turn, "reason": reason, "dm": dm}
    return Draft("ping", row.match, f"{row.match}/ping/{row.user}", told)


def withdrawal(post: PingPost, keep: Sequence[int]) -> Draft:
    """Return what withdraws the ping of a message that is over; a Store queues it.

    `keep` are the people whom the message still pings. A message that was nothing but a ping is deleted.
    """
    what = {"channel": post.channel, "message": post.message, "ours": post.ours}
    told = {"text": post.text, "keep": list(keep)}
    return Draft("unping", post.match, f"{post.match}/unping", what | told)


def digest(user: int, rows: Sequence[PingRow]) -> Draft:
    """Return a person's digest, made when it is sent; it is about these rows, and whatever else waits."""
    about = [[row.match, row.seat, row.turn] for row in rows]
    return Draft("digest", "", f"digest/{user}", {"user": user, "about": about})


# --- people who watch -------------------------------------------------------------------------------------


def follow(match_id: str, user: int, *, over: bool) -> Draft:
    """Return the message that tells a follower of a match how it stands, or that it is over."""
    return Draft("follow", match_id, f"{match_id}/follow/{user}", {"over": over}, user)


def news(user: int, about: Mapping[str, int]) -> Draft:
    """Return a person's daily message about matches that they follow; `about` has the entry told last."""
    return Draft("news", "", f"news/{user}", {"about": dict(about)}, user)


def moderation_post(row: ModerationRow, number: int, channel: int) -> Draft:
    """Return the post of what a moderator did in the channel of the log; a Store queues it."""
    told = {"number": number, "channel": channel, "guild": row.guild}
    return Draft("modlog", row.match, f"modlog/{row.guild}", told)


def finished(match_id: str, channel: int) -> Draft:
    """Return the post of a finished match in a showcase; a Store queues it for the commit that ends one."""
    return Draft("finished", match_id, f"{match_id}/finished", {"channel": channel})
