"""Standing: leaderboards page by page, and profiles with the reasons of a person's latest changes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, get_args

import discord

from bot.actions.handlers import ID, on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.match_access import may_look
from bot.context import Context
from bot.messages.components import Call
from bot.messages.names import as_code, escaped_name
from bot.messages.outgoing import File, Outgoing, panel
from bot.messages.profile import (
    OF_RESULTS,
    PARTS,
    Profile,
    matches_part,
    openings_part,
    opponents_part,
    profile_menu,
    profile_text,
    rating_chart,
    ratings_part,
    shown_ladder,
    wins_part,
)
from bot.messages.standing import (
    PAGE,
    TopPage,
    TopView,
    read_top_view,
    reason_lines,
    season_start,
    top_message,
    top_table,
)
from bot.platform.discord_limits import MAX_CHOICES, MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.message import Msg, msg
from matches.store.rows import MatchRow
from matches.store.standing import (
    EVERYWHERE,
    PRIVATE,
    STANDING,
    FirstMove,
    Ladder,
    Ranked,
    Seen,
    StandingStore,
)

EXPLAINED: Final = 8
"""Number of matches whose changes are explained."""
CHARTED: Final = 200
"""Maximum number of matches in a chart."""
STREAKS: Final = 1000
"""Number of latest matches in which streaks are found."""
LISTED: Final = 10
"""Maximum number of opponents, wins, openings and matches in the list of each."""
_LEAST: Final = 2
"""A chart has more ratings than that: one match makes no curve."""


async def first_page(
    ctx: Context,
    guild: int | None,
    user: int,
    reader: Reader,
    game: str | None,
    *,
    here: bool,
    season: bool = False,
) -> Outgoing:
    """Return the first page of the largest leaderboard of a game, or of any game for None."""
    here = here and guild is not None
    since = season_start(ctx.clock.now()) if season else None
    for ladder, _ in await _ladders(ctx.store, guild if here else None, since):
        if game is None or ladder.game == game:
            view = TopView(ladder.game, ladder.family, here, season=season)
            return await _page(ctx, guild, user, reader, view)
    return Outgoing(reader.say(msg("bot.top.nobody_in_season" if season else "bot.top.nobody")))


async def _ladders(
    store: StandingStore, guild: int | None, since: datetime | None
) -> tuple[tuple[Ladder, int], ...]:
    """Return the ladders of a server, or of all for None, of games that are still here."""
    games = {game.key for game in registry.all_games()}
    found = await store.ladders(guild or EVERYWHERE, MAX_CHOICES, since)
    return tuple(one for one in found if one[0].game in games)


async def read_top(
    store: StandingStore, view: TopView, guild: int | None, user: int, now: datetime
) -> TopPage:
    """Return a page of a leaderboard as someone reads it."""
    ladder, since = view.ladder(guild), season_start(now) if view.season else None
    rows = await store.leaderboard(ladder, PAGE + 1, view.page * PAGE, since)
    shown = rows[:PAGE]
    mine = await store.ranked(ladder, user, since)
    own: tuple[Ranked, ...] = ()
    if mine is not None and mine.place not in {one.place for one in shown}:
        near = (mine, *await store.neighbours(ladder, mine, since))
        own = tuple(sorted(set(near) - set(shown), key=lambda one: one.place))
    ladders = await _ladders(store, guild if view.here else None, since)
    return TopPage(ladders, shown, own, len(rows) > PAGE, since)


async def _page(ctx: Context, guild: int | None, user: int, reader: Reader, view: TopView) -> Outgoing:
    page = await read_top(ctx.store, view, guild, user, ctx.clock.now())
    picture = None if reader.text else await _picture(ctx, view, view.ladder(guild), page, user, reader)
    return top_message(view, guild, page, user, reader, picture)


async def _picture(
    ctx: Context, view: TopView, ladder: Ladder, page: TopPage, user: int, reader: Reader
) -> File | None:
    if (table := top_table(ladder, page, user, reader)) is None:
        return None
    return f"top-{view.page + 1}.png", await ctx.presenter.pictures.table(table[0], reader), table[1]


@on("top")
async def turn_page(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another page or leaderboard to the person who presses."""
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    view = read_top_view(call.values[0] if call.values else call.arg)
    guild, user = interaction.guild_id, interaction.user.id
    if view is None:
        page = await first_page(ctx, guild, user, reader, None, here=True)
    else:
        page = await _page(ctx, guild, user, reader, view)
    await edit_in_place(interaction, page)


async def show_profile(
    ctx: Context, interaction: discord.Interaction[Any], who: discord.User | discord.Member | None
) -> None:
    """Answer with one's own profile, or that of someone in the same server who isn't private."""
    reader = await ctx.readers.of(interaction)
    person = who or interaction.user
    own, seen = person.id == interaction.user.id, await _seen(ctx, person.id)
    if not own and (why := _why_not(person, seen)) is not None:
        await respond_privately(interaction, Outgoing(reader.say(why)))
        return
    name, guild = person.display_name, interaction.guild_id
    profile = await read_profile(ctx.store, person.id, name, guild, own=own, seen=seen)
    files = await _chart(ctx, profile, reader)
    text, menu = profile_text(profile, reader), profile_menu(profile, reader)
    await respond_privately(interaction, panel(text, reader, files, menu))


async def read_profile(
    store: StandingStore,
    user: int,
    name: str = "",
    guild: int | None = None,
    *,
    own: bool = True,
    seen: Seen = "public",
) -> Profile:
    """Return what the store knows of a person, as it is shown in a server."""
    return Profile(
        user=user,
        name=name,
        ratings=await store.ratings_of(user),
        records=await store.game_records(user),
        reliability=await store.reliability(user),
        outcomes=await store.outcomes(user, STREAKS),
        guild=guild,
        own=own,
        seen=seen,
    )


async def _seen(ctx: Context, user: int) -> Seen:
    """Return what others see of a person."""
    made = (await ctx.preferences.get("user", user)).get(STANDING)
    return next((one for one in get_args(Seen) if one == made), "public")


async def _chart(ctx: Context, profile: Profile, reader: Reader) -> tuple[File, ...]:
    """Return the chart of the rating of which most is known; none before the second match that counts."""
    if (ladder := shown_ladder(profile)) is None:
        return ()
    history = await ctx.store.rating_history(ladder, profile.user, CHARTED)
    if len(history) <= _LEAST:
        return ()
    chart, alt = rating_chart(ladder, history, reader)
    return (("rating.png", await ctx.presenter.pictures.rating_chart(chart, reader), alt),)


def _why_not(person: discord.User | discord.Member, seen: Seen) -> Msg | None:
    """Return why someone's profile isn't shown to another person; None if it is."""
    if person.bot:
        return msg("bot.profile.bot")
    if not isinstance(person, discord.Member):
        return msg("bot.profile.elsewhere")
    hidden = seen == PRIVATE[STANDING]
    return msg("bot.profile.hidden", name=escaped_name(person.display_name)) if hidden else None


@on("profile", ID, "|".join(PARTS))
async def show_part(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show a part of a profile that was chosen in its menu, if the person may still see it."""
    await defer(interaction)
    reader, user, part = await ctx.readers.of(interaction), int(call.arg), call.values[0]
    own, seen, guild = user == interaction.user.id, await _seen(ctx, user), interaction.guild_id
    gone = not own and (guild is None or await ctx.discord.members.has_left(guild, user))
    hidden = not own and (seen == PRIVATE[STANDING] or (seen == "ratings" and part in OF_RESULTS))
    if gone or hidden:
        why = msg("bot.profile.elsewhere") if gone else msg("bot.profile.hidden", name=f"<@{user}>")
        await respond_privately(interaction, Outgoing(reader.say(why)))
        return
    lines, menu = await _part(ctx, interaction, user, part, reader, own=own, seen=seen)
    head = reader.say(msg(f"bot.profile.part.head.{part}", who=f"<@{user}>"))
    lines = lines or [reader.say(msg(f"bot.profile.part.none.{part}"))]
    while len("\n".join((head, *lines))) > MAX_CONTENT:
        lines.pop()
    await respond_privately(interaction, panel("\n".join((head, *lines)), reader, (), menu))


async def _part(
    ctx: Context,
    interaction: discord.Interaction[Any],
    user: int,
    part: str,
    reader: Reader,
    *,
    own: bool,
    seen: Seen,
) -> tuple[list[str], tuple[Any, ...]]:
    """Return the lines of a part of a profile, and a menu below them."""
    store = ctx.store
    match part:
        case "opponents":
            return opponents_part(await store.opponents(user, LISTED, everyone=own), reader), ()
        case "wins":
            return wins_part(await store.best_wins(user, LISTED, everyone=own), reader), ()
        case "openings":
            moves = [(one, await _notation(ctx, one)) for one in await store.first_moves(user, LISTED)]
            return openings_part(moves, reader), ()
        case "matches":
            lines, menu = matches_part(await _matches(ctx, interaction, user), user, reader)
            return lines, () if menu is None else (menu,)
    profile = await read_profile(store, user, "", interaction.guild_id, own=own, seen=seen)
    return ratings_part(profile, reader), ()


async def _notation(ctx: Context, one: FirstMove) -> str:
    """Return a first move as people write it."""
    match = await ctx.service.queries.at(one.match, 0)
    (seat,) = match.to_act
    return as_code(match.game.format(match.game.view(match.state, seat), match.game.decode(one.data)), 40)


async def _matches(ctx: Context, interaction: discord.Interaction[Any], user: int) -> list[MatchRow]:
    """Return someone's latest matches that the person who asks may look at."""
    found = []
    for match in await ctx.store.latest_results(user, LISTED):
        row = await ctx.service.queries.row(match)
        if row is not None and await may_look(ctx, row, interaction.user, interaction.channel_id):
            found.append(row)
    return found


async def explain_changes(ctx: Context, interaction: discord.Interaction[Any]) -> None:
    """Answer with the latest matches of the person who asks, and why each changed their ratings as it did."""
    reader, user = await ctx.readers.of(interaction), interaction.user.id
    lines = [reader.say(msg("bot.why.head"))]
    for match in await ctx.store.latest_results(user, EXPLAINED):
        row, found = await ctx.service.queries.row(match), await ctx.store.match_result(match)
        if row is not None and found is not None:
            lines.append(reason_lines(row, *found, user, reader))
    if len(lines) == 1:
        lines = [reader.say(msg("bot.why.none"))]
    while len("\n".join(lines)) > MAX_CONTENT:
        lines.pop()
    await respond_privately(interaction, Outgoing("\n".join(lines)))
