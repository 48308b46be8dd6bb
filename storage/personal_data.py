"""Which columns hold something about a person, and the export of what they hold.

Each column of the schema is listed, as personal or not; a test compares the list with the schema. What has to
happen to a personal column when its person is forgotten is its `Fate`; `storage/anonymisation.py` does it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from matches.store.erasures import PersonalData
from storage.transactions import SqlitePart

Fate = Literal["remove", "token", "name", "null", "empty", "scrub", "keep"]
"""What an erasure does: `remove` the row; put the token in place of the id, or ERASED_NAME in place of the
name; set it to `null`; make the JSON object `empty`; `scrub` a text, in which the id is a part; `keep` the
row, because it protects others."""


@dataclass(frozen=True, slots=True)
class PersonalColumn:
    """A column with something about a person. `by` is the column of the same row with whom it is about."""

    table: str
    name: str
    fate: Fate
    by: str = ""


def _columns(table: str, **fates: Fate) -> tuple[PersonalColumn, ...]:
    return tuple(PersonalColumn(table, name, fate, name) for name, fate in fates.items())


PERSONAL: tuple[PersonalColumn, ...] = (
    # Names come first: afterwards the ids that say whose they are, are gone.
    PersonalColumn("seats", "name", "name", "user"),
    PersonalColumn("holders", "name", "name", "user"),
    PersonalColumn("tournament_entrants", "name", "name", "user"),
    PersonalColumn("imports", "headers", "empty", "owner"),
    *_columns("seats", user="token"),
    *_columns("holders", user="token", back="null"),
    *_columns("imports", owner="token"),
    *_columns("matches", host="token", agreed="scrub"),
    *_columns("entries", user="token"),
    *_columns("outbox", user="remove", payload="scrub", lane="scrub"),
    *_columns("outbox_dead", user="remove", payload="scrub", lane="scrub", until="scrub"),
    *_columns("watches", by="remove"),
    PersonalColumn("settings", "id", "remove", "id"),
    PersonalColumn("settings", "settings", "remove", "id"),
    *_columns("maps", by="token"),
    *_columns("vacations", user="remove"),
    *_columns("pings", user="remove"),
    *_columns("ping_posts", user="remove", text="scrub"),
    *_columns("plans", user="remove"),
    PersonalColumn("plans", "lines", "remove", "user"),
    *_columns("seat_offers", user="remove", by="remove"),
    *_columns("follows", user="remove"),
    *_columns("showcases", by="token"),
    *_columns("moderation", moderator="token", person="token", reason="scrub", detail="scrub"),
    *_columns("forbidden", user="keep"),
    *_columns("blocks", user="remove", other="keep"),
    *_columns("lessons", user="remove"),
    *_columns("puzzles", user="remove"),
    *_columns("daily_answers", user="remove"),
    *_columns("match_results", user="token"),
    *_columns("rating_changes", user="token"),
    *_columns("ratings", user="token"),
    *_columns("tournaments", organiser="token"),
    *_columns("tournament_entrants", user="token"),
    *_columns("tournament_log", user="token"),
    *_columns("erasures", user="null"),
)
"""All columns about people, in the order in which an erasure takes them. `erasures.user` is its last step."""

NOT_PERSONAL: dict[str, str] = {
    "matches": "n id game status guild channel thread options secret created updated version revision "
    "use_thread lobby_message reminded expires result previous unreachable public clock hints source "
    "origin delay rated starts_full terms",
    "seats": "match seat occupant level",
    "entries": "match seq kind seat data at",
    "requests": "id match version revision",
    "outbox": "id kind match nonce created due tries error",
    "outbox_dead": "id kind match nonce created died tries error",
    "posts": "message channel match kind seq",
    "watches": "n match channel message",
    "settings": "scope private",
    "file_mark": "id constant current previous in_use",
    "seen": "channel message",
    "snapshots": "match version data",
    "maps": "n guild game key title at data picture mask ground",
    "deadlines": "match seat due",
    "unseen": "match start until",
    "downtimes": "start until",
    "heartbeat": "one at",
    "vacations": "start until automatic",
    "pings": "match seat turn kind state began due sent unseen alone remind reason stamp",
    "ping_posts": "message channel match seat turn ours",
    "plans": "match seat version only_move",
    "holders": "match seat since occupant level why at",
    "idle": "match version asked at",
    "seat_offers": "match seat entry own",
    "outages": "guild start until",
    "analyses": "match source made data",
    "follows": "match tell since told due sent closed stamp",
    "showcases": "guild channel since message shown edited kind",
    "imports": "match checksum",
    "moderation": "n guild action at match",
    "forbidden": "guild n",
    "blocks": "at",
    "erasures": "n token begun done cleaned",
    "departures": "guild since",
    "greetings": "guild at",
    "lessons": "game step nth at",
    "puzzles": "puzzle game solved at",
    "puzzle_counts": "game puzzle tries solves",
    "daily_puzzles": "guild n game puzzle due",
    "daily_answers": "guild n streak at",
    "match_results": "match seat at game family guild sides unrated side place tied share why since moves "
    "pace last_move timed_out computers",
    "rating_changes": "match scope mu sigma matches new_mu new_sigma new_matches why nth",
    "ratings": "game family scope mu sigma matches provisional latest",
    "tournaments": "id guild channel title game status plan pairings revision shown message created updated "
    "wake deadline checking",
    "tournament_entrants": "tournament number level joined gone here team",
    "tournament_matches": "match tournament",
    "tournament_log": "tournament n at kind data",
    "errors": "place kind count since latest version told",
}
"""The other columns of each table."""

JSON_COLUMNS = frozenset({"payload", "agreed"})
"""Personal columns whose texts are JSON."""

OWN_ROWS: dict[str, tuple[str, str]] = {
    "matches": ("host", "id, game, status, created, updated, public, source"),
    "seats": ("user", "match, seat, name"),
    "holders": ("user", "match, seat, name, since, why, at"),
    "imports": ("owner", "match, checksum, headers"),
    "entries": ("user", "match, seq, kind, seat, at"),
    "watches": ("by", "match, channel, message"),
    "maps": ("by", "guild, game, key, title, at"),
    "vacations": ("user", "start, until, automatic"),
    "pings": ("user", "match, seat, turn, kind, state, began, due, sent"),
    "ping_posts": ("user", "message, channel, match, seat, turn"),
    "plans": ("user", "match, seat, version, only_move, lines"),
    "seat_offers": ("user", "match, seat, entry"),
    "follows": ("user", "match, tell, since, told, due, sent"),
    "showcases": ("by", "guild, channel, since"),
    "moderation": ("moderator", "guild, action, reason, at, match"),
    "blocks": ("user", "other, at"),
    "lessons": ("user", "game, step, nth, at"),
    "puzzles": ("user", "game, puzzle, solved, at"),
    "daily_answers": ("user", "guild, n, streak, at"),
    "match_results": (
        "user",
        "match, seat, at, place, unrated, share, why, moves, pace, last_move, timed_out",
    ),
    "rating_changes": ("user", "match, scope, mu, sigma, new_mu, new_sigma, why, nth"),
    "ratings": ("user", "game, family, scope, mu, sigma, matches"),
    "tournaments": ("organiser", "id, guild, title, game, status, created"),
    "tournament_entrants": ("user", "tournament, number, name, joined, gone, here"),
    "tournament_log": ("user", "tournament, n, at, kind"),
    "outbox": ("user", "kind, match, created"),
    "outbox_dead": ("user", "kind, match, created, died"),
}
"""What an export has of each table: the column that names the person, and the columns that they may see.

Moves of matches in progress may be hidden from their own opponents, so entries come without their data: the
records of finished matches have all of it. The list of people they block is their own, and the one place with
ids of others.
"""

PLAYED = (
    '(SELECT match FROM seats WHERE "user" = {user} UNION SELECT match FROM holders WHERE "user" = {user})'
)
"""A subquery: the matches in which a person has or had a seat. It has a place for the person."""

Place = Callable[[str], str]
"""Returns the place of a named value in a statement."""


def export_queries(place: Place) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield each table with something about a person, its columns, and the query for them."""
    for table, (by, listed) in OWN_ROWS.items():
        columns = tuple(listed.split(", "))
        names = ", ".join(f'"{name}"' for name in columns)
        which = f'"{by}" = {place("user")}'
        if table == "entries":
            # Entries have no index by their author.
            which += f" AND match IN {PLAYED.format(user=place('user'))}"
        query = f"SELECT {names} FROM {table} WHERE {which} ORDER BY 1, 2 LIMIT {place('limit')}"  # noqa: S608
        yield table, columns, query


def exported(
    found: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Any]]]], settings: Sequence[Any] | None
) -> PersonalData:
    """Return the rows of queries by table and column, JSON as values, without tables that have none."""
    data: dict[str, tuple[Mapping[str, Any], ...]] = {
        table: tuple(
            {name: _value(name, each) for name, each in zip(columns, row, strict=True)} for row in rows
        )
        for table, (columns, rows) in found.items()
        if rows
    }
    if settings is not None:
        data["settings"] = ({"settings": _value("settings", settings[0])},)
    return data


def _value(column: str, value: Any) -> Any:
    is_json = column in JSON_COLUMNS or column in ("lines", "headers", "settings")
    return json.loads(value) if is_json and isinstance(value, str) else value


class SqlitePersonalData(SqlitePart):
    """The part of the Store that exports what is kept about people."""

    async def personal_data(self, user: int, limit: int) -> PersonalData:
        """Return what is kept about a person."""

        def read(db: sqlite3.Connection) -> PersonalData:
            found = {
                table: (columns, db.execute(query, {"user": user, "limit": limit}).fetchall())
                for table, columns, query in export_queries(lambda name: f":{name}")
            }
            own = "SELECT settings FROM settings WHERE scope = 'user' AND id = ?"
            return exported(found, db.execute(own, (user,)).fetchone())

        return await self._database.read(read)
