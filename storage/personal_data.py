"""Which columns hold something about a person: the one list that exporting and erasing go by.

Each column of the schema is listed, as personal or not; a test compares the list with the schema. What has to
happen to a personal column when its person is forgotten is its `Fate`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from matches.store.erasures import ERASED_NAME

Fate = Literal["remove", "token", "name", "null", "empty", "scrub", "keep"]
"""What an erasure does: `remove` the row; put the token in place of the id, or ERASED_NAME in place of the
name; set it to `null`; make the JSON object `empty`; `scrub` a text, in which the id is a part; `keep` the
row, because it protects others."""


@dataclass(frozen=True, slots=True)
class PersonalColumn:
    """A column with something about a person. `by` is the column of the same row that says about whom."""

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

SCRUBBED_KEYS = {"matches": "id", "outbox": "id", "outbox_dead": "id", "moderation": "n"}
"""Tables with texts to scrub, and the column by which a row is found again."""

_MAX_SHOWN = 32
"""Maximum length of a name in messages, in characters."""
JSON_COLUMNS = frozenset({"payload", "agreed"})

NOT_EXPORTED = frozenset({"erasures", "forbidden"})
"""Tables that an export leaves out, besides what it shows otherwise."""

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


def without_person(value: Any, user: int, token: int) -> Any:
    """Return a JSON value or text in which the token stands for a person's id. Lists of pings lose it."""
    if isinstance(value, dict):
        return {
            key: [each for each in part if each != user]
            if key == "ping" and isinstance(part, list)
            else without_person(part, user, token)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [without_person(part, user, token) for part in value]
    if isinstance(value, str):
        named = re.sub(rf"<@!?{user}>", ERASED_NAME, value)
        return re.sub(rf"(?<!\d){user}(?!\d)", str(token), named)
    return token if value == user and not isinstance(value, bool) else value


_TEXTS = ("text", "reason")
"""What of a payload people read."""


def without_names(value: Any, names: Iterable[str]) -> Any:
    """Return a text, or a payload with texts, in which ERASED_NAME stands for a person's names.

    A name is found as messages show it: on one line, shortened, and with markdown escaped.
    """
    if isinstance(value, dict):
        return {key: without_names(part, names) if key in _TEXTS else part for key, part in value.items()}
    text = str(value)
    for name in sorted(names, key=len, reverse=True):
        text = _shown(name).sub(ERASED_NAME, text)
    return text


def _shown(name: str) -> re.Pattern[str]:
    plain = "".join(char for char in name if char.isprintable() or char.isspace())
    found = [_loose(part.split()) for part in (plain, plain[:_MAX_SHOWN]) if part.strip()]
    return re.compile(rf"(?<!\w)(?:{'|'.join(found)})(?!\w)" if found else r"(?!)")


def _loose(words: Iterable[str]) -> str:
    # Before a character there may be what takes away its meaning: a backslash, or a blank without width.
    return r"\s+".join("".join(rf"[\\\u200b]*{re.escape(char)}" for char in word) for word in words)


def scrubbed(column: str, text: str, user: int, token: int) -> str:
    """Return the text of a column without a person's id."""
    if column not in JSON_COLUMNS:
        return str(without_person(text, user, token))
    return json.dumps(without_person(json.loads(text), user, token), separators=(",", ":"))
