"""Which messages a change asks for. Each goes into the outbox in the transaction of the change itself.

Lanes: the match's id for its home, `{id}/mirror/{channel}` for mirrors, `{id}/dm/{user}` for people.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.game import Seat
from games.engine.match import Entry, Match
from matches.changes import POSITION_KEPT
from matches.ports import Draft, MatchRow, OutboxKind


def mirror_lane(match_id: str, channel: int) -> str:
    """The lane of a mirror in a channel."""
    return f"{match_id}/mirror/{channel}"


def person_lane(match_id: str, user: int) -> str:
    """The lane of what a person gets directly."""
    return f"{match_id}/dm/{user}"


def mirror(match_id: str, channel: int) -> Draft:
    """Bring the mirror in a channel up to date: what a Store queues for a commit with `mirrors`."""
    return Draft("mirror", match_id, mirror_lane(match_id, channel), {"channel": channel})


def lobby(row: MatchRow, before: MatchRow | None = None) -> tuple[Draft, ...]:
    """Bring the lobby up to date: in its channel, and with the guests of a table in direct messages.

    Who was just removed is told as well, hence `before`.
    """
    home = Draft("lobby", row.id, row.id, {})
    if row.place.guild is not None:
        return (home,)
    rows = (row,) if before is None else (before, row)
    users = dict.fromkeys(seat.user for one in rows for seat in one.seats if seat.user is not None)
    users.pop(row.host, None)
    return (home, *(Draft("lobby", row.id, person_lane(row.id, user), {}, user) for user in users))


def newly_called(row: MatchRow, before: Match | None, after: Match, author: int | None) -> tuple[int, ...]:
    """Return the people who are to act after a change and weren't before it, less its author.

    Whoever was to act before it has been pinged then, and nobody is pinged for their own next step. `before`
    is None at the start.
    """
    if after.ending is not None:
        return ()
    waiting = frozenset[Seat]() if before is None else before.to_act
    seats = (row.seats[seat] for seat in sorted(after.to_act - waiting) if seat >= 0)
    users = (seat.user for seat in seats if seat.occupant == "person")
    return tuple(user for user in users if user is not None and user != author)


def start(row: MatchRow, last: int, ping: Sequence[int]) -> tuple[Draft, ...]:
    """A thread if the match is to have one, the lobby as it stands now, the first board."""
    wanted = row.use_thread and row.place.guild is not None and row.place.thread is None
    thread = (Draft("thread", row.id, row.id, {}),) if wanted else ()
    return (*thread, *lobby(row), *_news(row, "board", 0, last, ping))


def play(
    row: MatchRow, entries: Sequence[Entry], ping: Sequence[int], since: int | None = None
) -> tuple[Draft, ...]:
    """A new board; a line is enough where only the offer of a draw has changed.

    `since` is the first entry that it tells of, if earlier changes are told with it.
    """
    quiet = all(entry.kind in POSITION_KEPT for entry in entries)
    return _news(
        row, "notice" if quiet else "board", entries[0].seq if since is None else since, entries[-1].seq, ping
    )


def reminder(row: MatchRow) -> Draft:
    """Say once that a lobby still waits."""
    return Draft("notice", row.id, row.id, {"reminder": True})


def _news(row: MatchRow, kind: OutboxKind, first: int, last: int, ping: Sequence[int]) -> tuple[Draft, ...]:
    told: dict[str, Any] = {"first": first, "last": last}
    if kind == "board":
        told["ping"] = list(ping)
    if row.place.guild is not None:
        return (Draft(kind, row.id, row.id, told),)
    users = (seat.user for seat in row.seats if seat.occupant == "person" and seat.user is not None)
    return tuple(Draft(kind, row.id, person_lane(row.id, user), told, user) for user in users)


def direct_message(match_id: str, user: int, text: str) -> Draft:
    """Return a text for one person alone."""
    return Draft("dm", match_id, person_lane(match_id, user), {"text": text}, user)
