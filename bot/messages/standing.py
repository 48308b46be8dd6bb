"""Ratings, leaderboards and reasons as texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

import discord

from bot.messages.buttons import NO_MATCH
from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.names import escaped_name, match_title, plain_name
from bot.messages.outgoing import File, Outgoing
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.message import Msg, msg
from matches.standing.ratings import expected, is_provisional
from matches.store.rows import MatchRow
from matches.store.standing import EVERYWHERE, Ladder, MatchResult, PersonResult, Ranked, Rating, RatingChange
from render import RankTable, TableRow

PAGE: Final = 10
"""People on a page of a leaderboard."""
_MAX_LABEL: Final = 100


def rating_text(rating: Rating) -> Msg:
    """Return a rating with its uncertainty; with a question mark while it is provisional."""
    key = "provisional" if is_provisional(rating) else "rating"
    return msg(f"bot.standing.{key}", mu=whole(rating.points), sigma=whole(rating.error))


def whole(points: float) -> str:
    """Return points as people read them."""
    return str(round(points))


def family_text(ladder: Ladder, reader: Reader) -> str:
    """Return a game and family in words, such as `Focus, 2 players, Fast game: 6 captures`."""
    sides, *options = ladder.family.split(" ")
    teams = sides.split("v")
    if len(teams) == 1:
        parts = [reader.say(msg("bot.standing.players", n=int(sides)))]
    elif len(teams) == 2:
        parts = [reader.say(msg("bot.standing.against", n=int(teams[0]), m=int(teams[1])))]
    else:
        parts = [" : ".join(teams)]
    for option in options:
        key, _, value = option.partition("=")
        name = reader.say(msg(f"{ladder.game}.option.{key}"))
        choice = reader.say(msg(f"{ladder.game}.option.{key}.{value}"))
        parts.append(name if value == "true" else f"{name}: {choice}")
    game = msg(f"{ladder.game}.title")
    return reader.say(msg("bot.standing.family", game=game, what=", ".join(parts)))


def is_offered(ladder: Ladder) -> bool:
    """Return whether a ladder's game is still here."""
    return ladder.game in {game.key for game in registry.all_games()}


# --- why a rating changed -----------------------------------------------------------------------------------


def reason_lines(
    row: MatchRow, result: MatchResult, changes: Sequence[RatingChange], user: int, reader: Reader
) -> str:
    """Return what a match changed for a person over all servers, and why, in two lines."""
    say = reader.say
    mine = next(one for one in result.people if one.user == user)
    change = next((one for one in changes if (one.scope, one.user) == (EVERYWHERE, user)), None)
    delta = msg("bot.why.same")
    if change is not None and change.after.mu != change.before.mu:
        points = round(change.after.points - change.before.points)
        delta = msg(
            "bot.why.changed", change=f"{points:+d}".replace("-", "−"), rating=rating_text(change.after)
        )
    when = discord.utils.format_dt(result.at, "d")
    title = match_title(row, mine.seat, reader)
    head = say(msg("bot.why.line", when=when, delta=delta, title=title, match=row.id))
    decided = row.result is not None and row.result["how"] == "ruling"
    ruling = (msg("bot.why.ruling"),) if decided else ()
    reasons = (_outcome(result, mine), *ruling, *_reasons(result, changes, change, mine))
    return f"{head}\n-# {' '.join(map(say, reasons))}"


def _outcome(result: MatchResult, mine: PersonResult) -> Msg:
    if result.sides > 2:
        return msg("bot.why.place", place=mine.place, n=result.sides)
    return msg("bot.why.drawn") if mine.tied else msg("bot.why.won" if mine.place == 1 else "bot.why.lost")


def _reasons(
    result: MatchResult, changes: Sequence[RatingChange], change: RatingChange | None, mine: PersonResult
) -> tuple[Msg, ...]:
    """Return why a result counts as it does."""
    if result.unrated or change is None:
        return (msg(f"bot.why.unrated.{result.unrated}"),) if result.unrated else ()
    if change.why:
        return (msg(f"bot.why.share.{change.why}"),)
    others = [
        one.before for one in changes if one.scope == EVERYWHERE and one.user != mine.user and one.counted
    ]
    others += [Rating(one.mu, one.sigma) for one in result.computers]
    texts: list[Msg] = []
    if len(others) == 1 and result.sides == 2:
        texts.append(msg("bot.why.expected", percent=round(100 * expected(change.before, others[0]))))
    if change.nth > 1:
        texts.append(msg("bot.why.again", n=change.nth))
    return tuple(texts)


# --- leaderboards -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopView:
    """A page of a leaderboard as buttons carry it: `here` stands for the server where they are.

    That of this `season` lists those who have had a match that counted in it.
    """

    game: str
    family: str
    here: bool
    page: int = 0
    season: bool = False

    @property
    def text(self) -> str:
        """The view as text."""
        code = registry.get(self.game).code
        scope = "h" if self.here else "a"
        return f"{code}.{self.family}.{scope.upper() if self.season else scope}.{self.page}"

    def ladder(self, guild: int | None) -> Ladder:
        """Return the ladder, as seen in a server."""
        return Ladder(self.game, self.family, guild if self.here and guild is not None else EVERYWHERE)


def read_top_view(text: str) -> TopView | None:
    """Return the view that a button carries; None for what no button of ours has."""
    code, _, rest = text.partition(".")
    family, _, end = rest.partition(".")
    scope, _, page = end.partition(".")
    game = next((game.key for game in registry.all_games() if game.code == code), None)
    known = scope in ("h", "a", "H", "A") and page.isascii() and page.isdigit()
    if game is None or not family or not known:
        return None
    return TopView(game, family, scope in "hH", min(int(page[:6]), 99_999), scope.isupper())


def season_start(now: datetime) -> datetime:
    """Return when the current season of leaderboards, a quarter of the year, began, in UTC.

    >>> season_start(datetime(2026, 11, 28, tzinfo=UTC)).isoformat()
    '2026-10-01T00:00:00+00:00'
    """
    return datetime(now.year, 1 + (now.month - 1) // 3 * 3, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class TopPage:
    """What the store knows of a page of a leaderboard; `own` are the reader and neighbours, if not on it."""

    ladders: tuple[tuple[Ladder, int], ...]
    shown: tuple[Ranked, ...]
    own: tuple[Ranked, ...]
    more: bool
    since: datetime | None
    """When the season began, if it is that of one."""


def top_message(
    view: TopView, guild: int | None, page: TopPage, user: int, reader: Reader, picture: File | None = None
) -> Outgoing:
    """Return a page of a leaderboard; `picture` shows the same."""
    say, ladders = reader.say, page.ladders
    ladder = view.ladder(guild)
    where = msg("bot.standing.here" if ladder.scope else "bot.standing.everywhere")
    lines = [say(msg("bot.top.head", family=family_text(ladder, reader), where=where))]
    lines += [_line(one, user, reader) for one in page.shown]
    if page.own:
        lines += [say(msg("bot.top.gap")), *(_line(one, user, reader) for one in page.own)]
    people = next((count for one, count in ladders if one == ladder), 0)
    lines.append(say(msg("bot.top.page", n=people)))
    if page.since is not None:
        lines.append(say(msg("bot.top.season", since=discord.utils.format_dt(page.since, "D"))))
    items: list[CallButton | CallMenu] = []
    options = [
        discord.SelectOption(
            label=say(msg("bot.top.option", family=family_text(one, reader), n=count))[:_MAX_LABEL],
            value=TopView(one.game, one.family, view.here, season=view.season).text,
            default=one == ladder,
        )
        for one, count in ladders
        if is_offered(one)
    ]
    if len(options) > 1:
        items.append(CallMenu.make(Call("top", NO_MATCH, 0), options, say(msg("bot.top.pick")), row=0))
    others = [
        ("bot.top.up", replace(view, page=view.page - 1), view.page > 0),
        ("bot.top.down", replace(view, page=view.page + 1), page.more),
        (
            "bot.standing.everywhere" if view.here else "bot.standing.here",
            replace(view, page=0, here=not view.here),
            guild is not None,
        ),
        (
            "bot.top.all_time" if view.season else "bot.top.this_season",
            replace(view, page=0, season=not view.season),
            True,
        ),
    ]
    items += [
        CallButton.make(Call("top", NO_MATCH, 0, other.text), say(msg(label)), row=1)
        for label, other, there in others
        if there
    ]
    files = () if picture is None else (picture,)
    return Outgoing("\n".join(lines)[:MAX_CONTENT], files, tuple(items))


def top_table(ladder: Ladder, page: TopPage, user: int, reader: Reader) -> tuple[RankTable, str] | None:
    """Return a page of a leaderboard to be drawn, and its alt text; None for an empty one."""
    if not page.shown:
        return None
    where = reader.say(msg("bot.standing.here" if ladder.scope else "bot.standing.everywhere"))
    key = "bot.top.table" if page.since is None else "bot.top.table_season"
    head = msg(key, family=family_text(ladder, reader), where=where)
    rows = [_row(one, user) for one in page.shown]
    if page.own:
        rows += [
            TableRow(reader.say(msg("bot.top.gap")), "", ("", "", "")),
            *(_row(one, user) for one in page.own),
        ]
    columns = tuple(msg(f"bot.top.column.{key}") for key in ("rating", "spread", "matches"))
    return described(RankTable(head, columns, tuple(rows)), reader)


def described(table: RankTable, reader: Reader) -> tuple[RankTable, str]:
    """Return a table of people with its alt text: the place, name and first number of each."""
    rows = (f"{one.place} {one.name} {one.numbers[0]}".strip() for one in table.rows if one.name)
    return table, f"{reader.say(table.headline)}: {', '.join(rows)}"


def _row(one: Ranked, user: int) -> TableRow:
    faint = is_provisional(one.rating)
    points = whole(one.rating.points) + ("?" if faint else "")
    numbers = (points, whole(one.rating.error), str(one.rating.matches))
    return TableRow(f"{one.place}.", plain_name(one.name), numbers, faint=faint, tinted=one.user == user)


def _line(one: Ranked, user: int, reader: Reader) -> str:
    rating, matches = rating_text(one.rating), msg("bot.profile.matches", n=one.rating.matches)
    if one.user == user:
        return reader.say(msg("bot.top.own", place=one.place, rating=rating, matches=matches))
    name = escaped_name(one.name)
    return reader.say(msg("bot.top.line", place=one.place, name=name, rating=rating, matches=matches))
