"""Ratings, profiles, leaderboards and reasons as texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import discord

from bot.messages.buttons import NO_MATCH
from bot.messages.clock import duration
from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.outgoing import MAX_CONTENT, File, Outgoing
from bot.messages.quoting import escaped_name, plain_name
from bot.messages.seats import match_title
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.message import Msg, msg
from matches.standing.weng_lin import expected, is_provisional
from matches.store.rows import MatchRow
from matches.store.standing_rows import EVERYWHERE, MatchResult, PersonResult, Rating, RatingChange
from matches.store.standing_store import GameRecord, Ladder, Ranked, Reliability
from render import RankTable, RatingChart, TableRow

PAGE: Final = 10
"""People on a page of a leaderboard."""
MOST_RATINGS: Final = 12
"""Maximum number of ratings in a profile."""
_POINT: Final = 1000
_MAX_LABEL: Final = 100


def rating_text(rating: Rating) -> Msg:
    """Return a rating with its uncertainty; with a question mark while it is provisional."""
    key = "provisional" if is_provisional(rating) else "rating"
    return msg(f"bot.standing.{key}", mu=_points(rating.mu), sigma=_points(rating.sigma))


def _points(value: int) -> str:
    """Return thousandths of a point as whole points."""
    return str(round(value / _POINT))


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


def _is_offered(ladder: Ladder) -> bool:
    return ladder.game in {game.key for game in registry.all_games()}


# --- profiles ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Profile:
    """What is shown of a person. `guild` is the server in which they are looked at."""

    name: str
    ratings: Mapping[Ladder, Rating]
    records: Mapping[str, GameRecord]
    reliability: Reliability
    guild: int | None
    own: bool = False
    private: bool = False


def profile_text(profile: Profile, reader: Reader) -> str:
    """Return a profile: ratings by family, results by game, reliability."""
    say = reader.say
    name = escaped_name(profile.name)
    if not profile.reliability.matches:
        return say(msg("bot.profile.empty", name=name))
    lines = [say(msg("bot.profile.head", name=name)), *_rating_lines(profile, reader), ""]
    lines += [
        say(msg("bot.profile.record", game=msg(f"{game}.title"), won=one.won, drawn=one.drawn, lost=one.lost))
        for game, one in profile.records.items()
        if _is_offered(Ladder(game, "", EVERYWHERE))
    ]
    lines.append(_reliability_line(profile.reliability, reader))
    if profile.own:
        lines.append(say(msg("bot.profile.note")))
    if profile.own and profile.private:
        lines.append(say(msg("bot.profile.private")))
    return "\n".join(lines)


def shown_ladder(profile: Profile) -> Ladder | None:
    """Return the ladder over all servers of which a profile has a chart: the one with most matches."""
    known = [one for one in profile.ratings.items() if one[0].scope == EVERYWHERE and _is_offered(one[0])]
    return min(known, key=lambda one: (-one[1].matches, one[0]))[0] if known else None


def rating_chart(ladder: Ladder, history: Sequence[Rating], reader: Reader) -> tuple[RatingChart, str]:
    """Return the chart of a rating from `rating_history`, and its alt text."""
    head = msg("bot.profile.chart", family=family_text(ladder, reader), n=len(history) - 1)
    points = tuple((one.mu / _POINT, one.sigma / _POINT) for one in history)
    best = max(history, key=lambda one: one.mu)
    alt = msg(
        "bot.profile.chart_alt",
        first=reader.say(rating_text(history[0])).replace("**", ""),
        last=reader.say(rating_text(history[-1])).replace("**", ""),
        best=_points(best.mu),
    )
    return RatingChart(points, head), f"{reader.say(head)}: {reader.say(alt)}"


def _rating_lines(profile: Profile, reader: Reader) -> list[str]:
    say = reader.say
    everywhere = [
        (ladder, rating)
        for ladder, rating in profile.ratings.items()
        if ladder.scope == EVERYWHERE and _is_offered(ladder)
    ]
    if not everywhere:
        return [say(msg("bot.profile.unrated"))]
    lines = []
    for ladder, rating in sorted(everywhere, key=lambda one: (-one[1].matches, one[0]))[:MOST_RATINGS]:
        here = profile.ratings.get(Ladder(ladder.game, ladder.family, profile.guild or EVERYWHERE))
        matches = msg("bot.profile.matches", n=rating.matches)
        line = msg(
            "bot.profile.rating",
            family=family_text(ladder, reader),
            rating=rating_text(rating),
            matches=matches,
        )
        lines.append(say(line))
        if profile.guild is not None and here is not None and here != rating:
            lines.append(say(msg("bot.profile.here", rating=rating_text(here))))
    return lines


def _reliability_line(found: Reliability, reader: Reader) -> str:
    """Return how many matches were played to their end, and how long a move takes."""
    kept = found.matches - found.abandoned
    percent = 100 * kept // found.matches
    parts = [reader.say(msg("bot.profile.reliable", n=found.matches, kept=kept, percent=percent))]
    if found.pace is not None:
        span = timedelta(milliseconds=found.pace)
        quick = span < timedelta(minutes=1)
        pace = msg("bot.profile.quick") if quick else msg("bot.profile.pace", time=duration(span))
        parts.append(reader.say(pace))
    return "; ".join(parts)


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
        points = round((change.after.mu - change.before.mu) / _POINT)
        delta = msg(
            "bot.why.changed", change=f"{points:+d}".replace("-", "−"), rating=rating_text(change.after)
        )
    when = discord.utils.format_dt(result.at, "d")
    title = match_title(row, mine.seat, reader)
    head = say(msg("bot.why.line", when=when, delta=delta, title=title, match=row.id))
    reasons = (_outcome(result, mine), *_reasons(result, changes, change, mine))
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
    said: list[Msg] = []
    if len(others) == 1 and result.sides == 2:
        said.append(msg("bot.why.expected", percent=round(100 * expected(change.before, others[0]))))
    if change.nth > 1:
        said.append(msg("bot.why.again", n=change.nth))
    return tuple(said)


# --- leaderboards -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopView:
    """A page of a leaderboard as buttons carry it: `here` stands for the server where they are."""

    game: str
    family: str
    here: bool
    page: int = 0

    @property
    def text(self) -> str:
        """The view as text."""
        code = registry.get(self.game).code
        return f"{code}.{self.family}.{'h' if self.here else 'a'}.{self.page}"

    def ladder(self, guild: int | None) -> Ladder:
        """Return the ladder, as seen in a server."""
        return Ladder(self.game, self.family, guild if self.here and guild is not None else EVERYWHERE)


def read_top_view(text: str) -> TopView | None:
    """Return the view that a button carries; None for what no button of ours has."""
    code, _, rest = text.partition(".")
    family, _, end = rest.partition(".")
    scope, _, page = end.partition(".")
    game = next((game.key for game in registry.all_games() if game.code == code), None)
    if game is None or not family or scope not in ("h", "a") or not (page.isascii() and page.isdigit()):
        return None
    return TopView(game, family, scope == "h", min(int(page[:6]), 99_999))


def top_message(
    view: TopView,
    guild: int | None,
    ladders: Sequence[tuple[Ladder, int]],
    shown: Sequence[Ranked],
    own: Sequence[Ranked],
    user: int,
    reader: Reader,
    *,
    more: bool,
    picture: File | None = None,
) -> Outgoing:
    """Return a page of a leaderboard. `own` are the reader and neighbours, if not on the page.

    `picture` shows the same.
    """
    say = reader.say
    ladder = view.ladder(guild)
    where = msg("bot.standing.here" if ladder.scope else "bot.standing.everywhere")
    lines = [say(msg("bot.top.head", family=family_text(ladder, reader), where=where))]
    lines += [_line(one, user, reader) for one in shown]
    if own:
        lines += [say(msg("bot.top.gap")), *(_line(one, user, reader) for one in own)]
    people = next((count for one, count in ladders if one == ladder), 0)
    lines.append(say(msg("bot.top.page", n=people)))
    items: list[CallButton | CallMenu] = []
    options = [
        discord.SelectOption(
            label=say(msg("bot.top.option", family=family_text(one, reader), n=count))[:_MAX_LABEL],
            value=TopView(one.game, one.family, view.here).text,
            default=one == ladder,
        )
        for one, count in ladders
        if _is_offered(one)
    ]
    if len(options) > 1:
        items.append(CallMenu.make(Call("top", NO_MATCH, 0), options, say(msg("bot.top.pick")), row=0))
    for key, page, there in (("up", view.page - 1, view.page > 0), ("down", view.page + 1, more)):
        if there:
            call = Call("top", NO_MATCH, 0, TopView(view.game, view.family, view.here, page).text)
            items.append(CallButton.make(call, say(msg(f"bot.top.{key}")), row=1))
    if guild is not None:
        other = TopView(view.game, view.family, not view.here)
        label = say(msg("bot.standing.everywhere" if view.here else "bot.standing.here"))
        items.append(CallButton.make(Call("top", NO_MATCH, 0, other.text), label, row=1))
    files = () if picture is None else (picture,)
    return Outgoing("\n".join(lines)[:MAX_CONTENT], files, tuple(items))


def top_table(
    ladder: Ladder, shown: Sequence[Ranked], own: Sequence[Ranked], user: int, reader: Reader
) -> tuple[RankTable, str] | None:
    """Return a page of a leaderboard to be drawn, and its alt text; None for an empty one."""
    if not shown:
        return None
    where = reader.say(msg("bot.standing.here" if ladder.scope else "bot.standing.everywhere"))
    head = msg("bot.top.table", family=family_text(ladder, reader), where=where)
    rows = [_row(one, user) for one in shown]
    if own:
        rows += [
            TableRow(reader.say(msg("bot.top.gap")), "", ("", "", "")),
            *(_row(one, user) for one in own),
        ]
    columns = tuple(msg(f"bot.top.column.{key}") for key in ("rating", "spread", "matches"))
    alt = ", ".join(f"{one.place} {one.name} {one.numbers[0]}" for one in rows if one.name)
    return RankTable(head, columns, tuple(rows)), f"{reader.say(head)}: {alt}"


def _row(one: Ranked, user: int) -> TableRow:
    faint = is_provisional(one.rating)
    points = _points(one.rating.mu) + ("?" if faint else "")
    numbers = (points, _points(one.rating.sigma), str(one.rating.matches))
    return TableRow(f"{one.place}.", plain_name(one.name), numbers, faint=faint, tinted=one.user == user)


def _line(one: Ranked, user: int, reader: Reader) -> str:
    rating, matches = rating_text(one.rating), msg("bot.profile.matches", n=one.rating.matches)
    if one.user == user:
        return reader.say(msg("bot.top.own", place=one.place, rating=rating, matches=matches))
    name = escaped_name(one.name)
    return reader.say(msg("bot.top.line", place=one.place, name=name, rating=rating, matches=matches))
