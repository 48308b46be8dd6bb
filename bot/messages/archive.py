"""A person's finished matches, page by page: what is asked for is carried by the buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final, get_args

import discord

from bot.messages.buttons import NO_MATCH
from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.names import match_title, thread_name
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICE, MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.message import msg
from matches.ids import read_id
from matches.store.archive import ArchiveMark, ArchiveQuery, ArchiveResult
from matches.store.rows import MatchRow

PAGE: Final = 10
"""Matches on a page."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MS, _DAY = timedelta(milliseconds=1), timedelta(days=1)
_SEPARATOR: Final = "."
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_MAX_DIGITS, _TIME_DIGITS = 13, 9
"""Digits of a Discord id and of a time in milliseconds, in base 36."""
_MAX_NUMBER: Final = 2**63 - 1
"""The largest number that a database takes."""


@dataclass(frozen=True, slots=True)
class ArchiveView:
    """What is asked for, without the person, and where its page begins or, with `newer`, ends."""

    query: ArchiveQuery = field(default_factory=ArchiveQuery)
    mark: ArchiveMark | None = None
    newer: bool = False

    @property
    def text(self) -> str:
        """The view as buttons carry it."""
        asked, mark = self.query, self.mark
        code = "" if asked.game is None else registry.get(asked.game).code
        way = "" if mark is None else "n" if self.newer else "o"
        place = ("", "") if mark is None else (_in_digits((mark.at - _EPOCH) // _MS), mark.match)
        days = ("" if at is None else _in_digits((at - _EPOCH) // _DAY) for at in (asked.since, asked.until))
        opponent = "" if asked.opponent is None else _in_digits(asked.opponent)
        return _SEPARATOR.join((code, opponent, (asked.result or "")[:1], *days, way, *place))


def read_archive_view(text: str) -> ArchiveView:
    """Return the view that a button carries; the first page of everything for what no button of ours has."""
    parts = text.split(_SEPARATOR)
    if len(parts) != 8:
        return ArchiveView()
    code, opponent, result, since, until, way, at, match = parts
    mark, moment, found = None, _number(at[:_TIME_DIGITS]), read_id(match)
    if way in ("o", "n") and moment is not None and found is not None:
        mark = ArchiveMark(_EPOCH + moment * _MS, found)
    asked = ArchiveQuery(
        game=next((game.key for game in registry.all_games() if game.code == code), None),
        opponent=_number(opponent),
        result=next((one for one in get_args(ArchiveResult) if one[:1] == result), None),
        since=_day(since),
        until=_day(until),
    )
    return ArchiveView(asked, mark, mark is not None and way == "n")


def archive_message(
    rows: Sequence[MatchRow], view: ArchiveView, user: int, reader: Reader, *, newer: bool, older: bool
) -> Outgoing:
    """Return a page, with buttons to `newer` and `older` ones where there are any."""
    say = reader.say
    asked = _asked(view.query, reader)
    if not rows:
        return Outgoing("\n".join(filter(None, (say(msg("bot.archive.none")), asked))))
    lines = [say(msg("bot.archive.head")), asked, *(_line(row, user, reader) for row in rows)]
    while len("\n".join(lines)) > MAX_CONTENT:
        lines = [line[: MAX_CONTENT // (PAGE + 2)] for line in lines]
    choices = [
        discord.SelectOption(label=thread_name(row, reader)[:MAX_CHOICE], value=row.id) for row in rows
    ]
    items: list[CallButton | CallMenu] = [
        CallMenu.make(Call("archived", NO_MATCH, 0), choices, say(msg("bot.archive.pick")), row=0)
    ]
    turns = (
        ("newer", ArchiveMark.of(rows[0]), True, newer),
        ("older", ArchiveMark.of(rows[-1]), False, older),
    )
    for key, mark, back, there in turns:
        if there:
            call = Call("archive", NO_MATCH, 0, replace(view, mark=mark, newer=back).text)
            items.append(CallButton.make(call, say(msg(f"bot.archive.{key}")), row=1))
    return Outgoing("\n".join(filter(None, lines)), (), tuple(items))


def _line(row: MatchRow, user: int, reader: Reader) -> str:
    seat = next((one.seat for one in row.seats if one.user == user), None)
    ranks: Sequence[int] = () if row.result is None else row.result["ranks"]
    how = "over"
    if seat is not None and seat < len(ranks):
        how = "drawn" if set(ranks) == {1} else "won" if ranks[seat] == 1 else "lost"
    values = {"match": row.id, "title": match_title(row, seat, reader)}
    when = discord.utils.format_dt(row.updated, "d")
    return reader.say(msg("bot.archive.line", when=when, how=msg(f"bot.archive.{how}"), **values))


def _asked(query: ArchiveQuery, reader: Reader) -> str:
    """Return in words what was asked for; empty if it was everything."""
    say, parts = reader.say, list[str]()
    if query.game is not None:
        parts.append(say(msg(f"{query.game}.title")))
    if query.opponent is not None:
        parts.append(say(msg("bot.archive.against", who=f"<@{query.opponent}>")))
    if query.result is not None:
        parts.append(say(msg(f"bot.archive.{query.result}")))
    if query.since is not None:
        parts.append(say(msg("bot.archive.since", when=discord.utils.format_dt(query.since, "D"))))
    if query.until is not None:
        last = discord.utils.format_dt(query.until - _DAY, "D")
        parts.append(say(msg("bot.archive.until", when=last)))
    return f"-# {' · '.join(parts)}" if parts else ""


def _in_digits(number: int) -> str:
    """Return a number in base 36."""
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def _number(text: str) -> int | None:
    if not 0 < len(text) <= _MAX_DIGITS or not set(text) <= set(_DIGITS):
        return None
    number = int(text, 36)
    return number if number <= _MAX_NUMBER else None


def _day(text: str) -> datetime | None:
    number = _number(text)
    return None if number is None or number > 2_000_000 else _EPOCH + number * _DAY
