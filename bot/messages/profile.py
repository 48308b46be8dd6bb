"""Profiles as texts: what is shown at once, and what is one choice of a menu away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile
from typing import Final

import discord

from bot.messages.buttons import NO_MATCH
from bot.messages.clock import duration
from bot.messages.components import Call, CallMenu
from bot.messages.names import escaped_name, match_title, thread_name
from bot.messages.standing import family_text, is_offered, rating_text, whole
from bot.platform.discord_limits import MAX_CHOICE
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.store.rows import MatchRow
from matches.store.standing import (
    EVERYWHERE,
    BestWin,
    FirstMove,
    GameRecord,
    Ladder,
    Opponent,
    Outcome,
    Rating,
    Reliability,
    Seen,
)
from render import RatingChart

MOST_RATINGS: Final = 12
"""Maximum number of ratings in the whole list."""
_AT_ONCE: Final = 3
"""Number of ratings, and of games with results, that are shown at once."""
FIRST_LEVEL: Final = 600
"""Maximum length of a text that is shown at once, in characters."""
_LEAST_STREAK: Final = 2
PARTS: Final = ("ratings", "opponents", "wins", "openings", "matches")
"""What can be chosen in the menu of a profile."""
OF_RESULTS: Final = PARTS[1:]
"""Those that are about results and matches."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is shown of a person. `guild` is where they are looked at, `seen` is what others see."""

    user: int
    name: str
    ratings: Mapping[Ladder, Rating]
    records: Mapping[str, GameRecord]
    reliability: Reliability
    outcomes: Sequence[Outcome]
    """How their latest matches ended, the latest first."""
    guild: int | None
    own: bool = False
    seen: Seen = "public"

    @property
    def shows_results(self) -> bool:
        """Whether the reader may see results and matches."""
        return self.own or self.seen != "ratings"


def profile_text(profile: Profile, reader: Reader) -> str:
    """Return a profile at a glance: the ratings and results with most matches, streaks, reliability."""
    say = reader.say
    name = escaped_name(profile.name)
    if not profile.reliability.matches:
        return say(msg("bot.profile.empty", name=name))
    ratings = rating_lines(profile, reader)
    results = _result_lines(profile, reader)[:_AT_ONCE] if profile.shows_results else []
    last = [reliability_text(profile.reliability, reader)]
    if profile.shows_results and (streak := _streak(profile.outcomes)) is not None:
        last.insert(0, say(streak))
    if profile.own:
        last.append(say(msg("bot.profile.note")))
        if profile.seen != "public":
            last.append(say(msg(f"bot.profile.seen.{profile.seen}")))
    shown = 2 * _AT_ONCE
    while True:
        text = "\n".join((say(msg("bot.profile.head", name=name)), *ratings[:shown], "", *results, *last))
        if len(text) <= FIRST_LEVEL or shown == 1:
            return text
        shown -= 1
        results = results[: max(1, shown // 2)]


def profile_menu(profile: Profile, reader: Reader) -> tuple[CallMenu, ...]:
    """Return the menu with everything else; none for someone without a match."""
    if not profile.reliability.matches:
        return ()
    parts = PARTS if profile.shows_results else PARTS[:1]
    options = [
        discord.SelectOption(label=reader.say(msg(f"bot.profile.part.{part}"))[:MAX_CHOICE], value=part)
        for part in parts
    ]
    placeholder = reader.say(msg("bot.profile.part.pick"))
    return (CallMenu.make(Call("profile", NO_MATCH, 0, str(profile.user)), options, placeholder),)


def shown_ladder(profile: Profile) -> Ladder | None:
    """Return the ladder over all servers of which a profile has a chart: the one with most matches."""
    known = [one for one in profile.ratings.items() if one[0].scope == EVERYWHERE and is_offered(one[0])]
    return min(known, key=lambda one: (-one[1].matches, one[0]))[0] if known else None


def rating_chart(ladder: Ladder, history: Sequence[Rating], reader: Reader) -> tuple[RatingChart, str]:
    """Return the chart of a rating from `rating_history`, and its alt text."""
    head = msg("bot.profile.chart", family=family_text(ladder, reader), n=len(history) - 1)
    points = tuple((one.points, one.error) for one in history)
    best = max(history, key=lambda one: one.mu)
    alt = msg(
        "bot.profile.chart_alt",
        first=reader.say(rating_text(history[0])).replace("**", ""),
        last=reader.say(rating_text(history[-1])).replace("**", ""),
        best=whole(best.points),
    )
    return RatingChart(points, head), f"{reader.say(head)}: {reader.say(alt)}"


def rating_lines(profile: Profile, reader: Reader) -> list[str]:
    """Return all ratings, those with most matches first, each with that of the server if it differs."""
    say = reader.say
    everywhere = [
        (ladder, rating)
        for ladder, rating in profile.ratings.items()
        if ladder.scope == EVERYWHERE and is_offered(ladder)
    ]
    if not everywhere:
        return [say(msg("bot.profile.unrated"))]
    lines = []
    for ladder, rating in sorted(everywhere, key=lambda one: (-one[1].matches, one[0]))[:MOST_RATINGS]:
        here = profile.ratings.get(Ladder(ladder.game, ladder.family, profile.guild or EVERYWHERE))
        matches = msg("bot.profile.matches", n=rating.matches)
        family = family_text(ladder, reader)
        lines.append(
            say(msg("bot.profile.rating", family=family, rating=rating_text(rating), matches=matches))
        )
        if profile.guild is not None and here is not None and here != rating:
            lines.append(say(msg("bot.profile.here", rating=rating_text(here))))
    return lines


def _result_lines(profile: Profile, reader: Reader) -> list[str]:
    return [
        reader.say(msg("bot.profile.record", game=msg(f"{game}.title"), record=record_text(one)))
        for game, one in profile.records.items()
        if is_offered(Ladder(game, "", EVERYWHERE))
    ]


def record_text(one: GameRecord) -> Msg:
    """Return results in words."""
    return msg("bot.profile.results", won=one.won, drawn=one.drawn, lost=one.lost)


def _streak(outcomes: Sequence[Outcome]) -> Msg | None:
    """Return how often someone has won or lost in a row, and their longest run of wins; None if short."""
    if not outcomes:
        return None
    current = sum(1 for _ in takewhile(lambda one: one == outcomes[0], outcomes))
    longest = run = 0
    for one in outcomes:
        run = run + 1 if one == "won" else 0
        longest = max(longest, run)
    if outcomes[0] == "lost" and longest < _LEAST_STREAK <= current:
        return msg("bot.profile.streak.only_lost", n=current)
    if outcomes[0] != "drawn" and current >= _LEAST_STREAK:
        return msg(f"bot.profile.streak.{outcomes[0]}", n=current, best=longest)
    return msg("bot.profile.streak.best", best=longest) if longest >= _LEAST_STREAK else None


def reliability_text(found: Reliability, reader: Reader) -> str:
    """Return how many matches were played to their end, and how long a move takes."""
    kept = found.matches - found.abandoned
    parts = [reader.say(msg("bot.profile.reliable", n=found.matches, kept=kept, percent=found.percent))]
    if found.pace is not None:
        span = timedelta(milliseconds=found.pace)
        quick = span < timedelta(minutes=1)
        pace = msg("bot.profile.quick") if quick else msg("bot.profile.pace", time=duration(span))
        parts.append(reader.say(pace))
    return "; ".join(parts)


# --- what the menu opens ------------------------------------------------------------------------------------


def ratings_part(profile: Profile, reader: Reader) -> list[str]:
    """Return all ratings and all results by game."""
    results = _result_lines(profile, reader) if profile.shows_results else []
    return [*rating_lines(profile, reader), *([""] if results else []), *results]


def opponents_part(found: Sequence[Opponent], reader: Reader) -> list[str]:
    """Return results by opponent."""
    return [
        reader.say(msg("bot.profile.opponent", name=escaped_name(one.name), record=record_text(one.record)))
        for one in found
    ]


def wins_part(found: Sequence[BestWin], reader: Reader) -> list[str]:
    """Return the best wins."""
    return [
        reader.say(
            msg(
                "bot.profile.win",
                name=escaped_name(one.name),
                rating=rating_text(one.rating),
                when=discord.utils.format_dt(one.at, "d"),
                match=one.match,
            )
        )
        for one in found
    ]


def openings_part(found: Sequence[tuple[FirstMove, str]], reader: Reader) -> list[str]:
    """Return the first moves that someone plays most often, each with its notation."""
    return [
        reader.say(
            msg(
                "bot.profile.opening",
                game=msg(f"{one.game}.title"),
                move=move,
                n=one.played,
                percent=round(100 * one.won / one.played),
            )
        )
        for one, move in found
    ]


def matches_part(rows: Sequence[MatchRow], user: int, reader: Reader) -> tuple[list[str], CallMenu | None]:
    """Return someone's matches, and a menu that opens one of them to replay; None if there are none."""
    lines = []
    for row in rows:
        seat = next((one.seat for one in row.seats if one.user == user), None)
        values = {"match": row.id, "title": match_title(row, seat, reader)}
        when = discord.utils.format_dt(row.updated, "d")
        lines.append(reader.say(msg("bot.profile.match", when=when, **values)))
    if not rows:
        return lines, None
    choices = [
        discord.SelectOption(label=thread_name(row, reader)[:MAX_CHOICE], value=row.id) for row in rows
    ]
    menu = CallMenu.make(Call("archived", NO_MATCH, 0), choices, reader.say(msg("bot.archive.pick")))
    return lines, menu
