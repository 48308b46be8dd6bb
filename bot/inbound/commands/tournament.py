"""`/tournament`: create one, join, leave, start, standings, log, and what organisers repair."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, Literal, get_args

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lobby.lobby_panel import person
from bot.actions.lobby.opening import clock_option, read_options
from bot.actions.match_places import lobby_place
from bot.actions.tournaments import respond, show_agreement, take_part, tournament_here, withdraw
from bot.context import Context
from bot.inbound.commands.common import Choices, Menu, command, complete_clock, game_choices
from bot.messages.outgoing import Outgoing
from bot.messages.tournaments import tournament_log
from bot.outbound.tournaments import illustrated
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.clocks.control import to_json
from matches.results import Refused
from matches.store.tournaments import TournamentPlan, TournamentRow, TournamentStatus
from matches.tournaments import tournament_rules
from tournaments.event import Format

_DONE = "tournament.done"
MAX_HOURS: Final = 720
"""Maximum number of hours until sign-up ends, and of those that a pairing is given."""
_TEAM_NAME: Final = 24
"""Maximum length of a team's name, in characters."""
_ROUNDS: Final = 4
"""Number of rounds of groups, unless another one is chosen."""


async def complete_tournament(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the tournaments of the server."""
    rows = await ctx.store.tournaments_in(interaction.guild_id or 0, MAX_CHOICES)
    wanted = folded(current)
    return [
        app_commands.Choice(name=f"{row.title} ({row.id})"[:MAX_CHOICE], value=str(row.id))
        for row in rows
        if wanted in folded(f"{row.title} {row.id}")
    ]


async def complete_level(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the computers of the game of the tournament that is meant."""
    rows = await ctx.store.tournaments_in(interaction.guild_id or 0, MAX_CHOICES)
    named = getattr(interaction.namespace, "tournament", None)
    row = next((one for one in rows if named in (None, str(one.id))), None)
    levels = () if row is None else ctx.service.levels.names(row.game)
    say = ctx.readers.default.say
    return [
        app_commands.Choice(name=say(msg(f"ai.level.{level}"))[:MAX_CHOICE], value=level)
        for level in levels
        if folded(current) in level
    ][:MAX_CHOICES]


async def _find(
    ctx: Context, interaction: discord.Interaction[Any], named: str | None
) -> TournamentRow | None:
    """Return the tournament that is named, else the latest of the server; None after an answer."""
    await defer(interaction)
    row = None
    if named is None:
        rows = await ctx.store.tournaments_in(interaction.guild_id or 0, 1)
        row = rows[0] if rows else None
    elif named.isascii() and named.isdigit():
        row = await tournament_here(ctx, interaction.guild_id, int(named[:15]))
    if row is None:
        key = "tournament.none" if named is None else "tournament.refuse.unknown"
        await respond(ctx, interaction, Refused(msg(key)), key)
    return row


def in_hours(ctx: Context, hours: int) -> datetime | None:
    """Return the moment in n hours; None for 0."""
    return ctx.clock.now() + timedelta(hours=hours) if hours else None


def team_names(text: str) -> tuple[str, ...]:
    """Return the names of teams that someone has typed, with commas between.

    >>> team_names("Reds,  Deep   Blues")
    ('Reds', 'Deep Blues')
    """
    names = (" ".join(name.split())[:_TEAM_NAME] for name in text.split(","))
    return tuple(name for name in names if name)


def _manages(interaction: discord.Interaction[Any]) -> bool:
    return interaction.permissions.manage_guild


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""
    group = menu.tournament
    formats = [
        app_commands.Choice(name=ctx.readers.default.say(msg(f"tournament.format.{key}")), value=key)
        for key in get_args(Format)
    ]

    @command(group, ctx, "tournament.create", clock=complete_clock)
    @app_commands.choices(game=game_choices(ctx), format=formats)
    async def create(
        interaction: discord.Interaction[Any],
        title: str,
        game: str,
        format: Literal["swiss", "round_robin", "single", "double", "groups", "league"],  # noqa: A002 - the option's name
        clock: str = "",
        places: app_commands.Range[int, 2, 500] = 32,
        rounds: app_commands.Range[int, 1, 20] | None = None,
        at_once: app_commands.Range[int, 1, 10] = 2,
        counts: Literal["rated", "friendly"] = "friendly",
        options: str = "",
        sign_up: app_commands.Range[int, 1, MAX_HOURS] | None = None,
        check_in: app_commands.Range[int, 5, 180] | None = None,
        players: app_commands.Range[int, 2, 6] = 2,
        division: app_commands.Range[int, 3, 20] = 6,
        days: app_commands.Range[int, 7, 365] | None = None,
        teams: str = "",
        seeding: Literal["rating", "lot"] = "rating",
    ) -> None:
        reader = await ctx.readers.of(interaction)
        made = await ctx.preferences.get("guild", interaction.guild_id or 0)
        found = await lobby_place(ctx, interaction, game, made)
        chosen = read_options(game, options, {})
        agreed = await clock_option(ctx, clock, made)
        await defer(interaction)
        if isinstance(found, Msg) or isinstance(chosen, Msg) or isinstance(agreed, Msg):
            why = next(one for one in (found, chosen, agreed) if isinstance(one, Msg))
            await respond_privately(interaction, Outgoing(reader.say(why)))
            return
        if not found.use_thread:
            await respond(ctx, interaction, Refused(msg("tournament.refuse.channel")), _DONE)
            return
        plan = TournamentPlan(
            format,
            rounds or (_ROUNDS if format == "groups" else 0),
            places,
            at_once,
            None if agreed is None else to_json(agreed),
            dict(chosen),
            counts == "rated",
            players,
            check_in or 0,
            division if format == "league" else 0,
            (days or 0) if format == "league" else 0,
            teams=team_names(teams),
            by_lot=seeding == "lot",
        )
        answer = await ctx.service.tournaments.create(
            person(interaction.user),
            interaction.guild_id or 0,
            found.at.channel,
            title,
            game,
            plan,
            in_hours(ctx, sign_up or 0),
        )
        await respond(ctx, interaction, answer, "tournament.made")

    @command(group, ctx, "tournament.join", tournament=complete_tournament)
    async def join(interaction: discord.Interaction[Any], tournament: str | None = None) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            await take_part(ctx, interaction, row.id)

    @command(group, ctx, "tournament.leave", tournament=complete_tournament)
    async def leave(interaction: discord.Interaction[Any], tournament: str | None = None) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            await withdraw(ctx, interaction, row.id)

    @command(group, ctx, "tournament.standings", tournament=complete_tournament)
    async def standings(interaction: discord.Interaction[Any], tournament: str | None = None) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            reader = await ctx.readers.of(interaction)
            await respond_privately(interaction, await illustrated(ctx, row, reader))

    @command(group, ctx, "tournament.log", tournament=complete_tournament)
    async def log(interaction: discord.Interaction[Any], tournament: str | None = None) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            reader = await ctx.readers.of(interaction)
            entries = await ctx.store.tournament_log(row.id)
            await respond_privately(interaction, tournament_log(row, entries, reader))

    @command(group, ctx, "tournament.start", tournament=complete_tournament)
    async def start(interaction: discord.Interaction[Any], tournament: str | None = None) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            cups, by = ctx.service.tournaments, interaction.user.id
            answer = await cups.start(row.id, by, manager=_manages(interaction))
            await respond(ctx, interaction, answer, _DONE)

    @command(group, ctx, "tournament.computer", tournament=complete_tournament, level=complete_level)
    async def computer(
        interaction: discord.Interaction[Any], level: str, tournament: str | None = None
    ) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            cups, by = ctx.service.tournaments, interaction.user.id
            answer = await cups.add_computer(row.id, by, folded(level), manager=_manages(interaction))
            await respond(ctx, interaction, answer, _DONE)

    @command(group, ctx, "tournament.result", tournament=complete_tournament)
    async def result(
        interaction: discord.Interaction[Any],
        pairing: app_commands.Range[int, 1, 100_000],
        won: Literal["first", "draw", "second", "neither"] | None = None,
        ranks: str = "",
        tournament: str | None = None,
    ) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            cups, by = ctx.service.tournaments, interaction.user.id
            answer = await cups.repair(row.id, by, pairing, won or ranks, manager=_manages(interaction))
            await respond(ctx, interaction, answer, _DONE)

    @command(group, ctx, "tournament.time", tournament=complete_tournament)
    async def time(
        interaction: discord.Interaction[Any],
        pairing: app_commands.Range[int, 1, 100_000],
        more: app_commands.Range[int, 1, MAX_HOURS],
        tournament: str | None = None,
    ) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            cups, by, request = ctx.service.tournaments, interaction.user.id, f"i{interaction.id}"
            manager, seconds = _manages(interaction), 3600 * more
            answer = await cups.give_time(row.id, by, pairing, seconds, request=request, manager=manager)
            await respond(ctx, interaction, answer, _DONE)
            if not isinstance(answer, Refused) and (match := answer.matches[pairing - 1]) is not None:
                await ctx.delivery.finish(match)

    @command(group, ctx, "tournament.replace", tournament=complete_tournament)
    async def replace(
        interaction: discord.Interaction[Any],
        entrant: app_commands.Range[int, 1, 500],
        who: discord.Member,
        tournament: str | None = None,
    ) -> None:
        if (row := await _find(ctx, interaction, tournament)) is None:
            return
        if who.bot:
            await respond(ctx, interaction, Refused(msg("bot.blocks.bot")), _DONE)
            return
        cups, by = ctx.service.tournaments, interaction.user.id
        answer = await cups.substitute(row.id, by, entrant, person(who), manager=_manages(interaction))
        await respond(ctx, interaction, answer, _DONE)

    @command(group, ctx, "tournament.remove", tournament=complete_tournament)
    async def remove(
        interaction: discord.Interaction[Any],
        entrant: app_commands.Range[int, 1, 500],
        tournament: str | None = None,
    ) -> None:
        by, at = interaction.user.id, ctx.clock.now()
        await _organise(
            ctx, interaction, tournament, lambda row: tournament_rules.leave(row, entrant, by, at)
        )

    @command(group, ctx, "tournament.agreement", tournament=complete_tournament)
    async def agreement(
        interaction: discord.Interaction[Any],
        entrant: app_commands.Range[int, 1, 500],
        tournament: str | None = None,
    ) -> None:
        if (row := await _find(ctx, interaction, tournament)) is not None:
            await show_agreement(ctx, interaction, row, entrant, manager=_manages(interaction))

    @command(group, ctx, "tournament.deadline", tournament=complete_tournament)
    async def deadline(
        interaction: discord.Interaction[Any],
        hours: app_commands.Range[int, 0, MAX_HOURS],
        tournament: str | None = None,
    ) -> None:
        by, at, until = interaction.user.id, ctx.clock.now(), in_hours(ctx, hours)
        await _organise(
            ctx, interaction, tournament, lambda row: tournament_rules.set_deadline(row, until, by, at)
        )

    @command(group, ctx, "tournament.state", tournament=complete_tournament)
    async def state(
        interaction: discord.Interaction[Any],
        to: Literal["paused", "running", "cancelled"],
        tournament: str | None = None,
    ) -> None:
        by, at, status = interaction.user.id, ctx.clock.now(), to

        def judge(row: TournamentRow) -> tournament_rules.Judged:
            new: TournamentStatus = status
            return tournament_rules.set_status(row, new, by, at)

        await _organise(ctx, interaction, tournament, judge)


async def _organise(
    ctx: Context,
    interaction: discord.Interaction[Any],
    tournament: str | None,
    judge: Callable[[TournamentRow], tournament_rules.Judged],
) -> None:
    """Do what only organisers may do, and answer."""
    if (row := await _find(ctx, interaction, tournament)) is not None:
        answer = await ctx.service.tournaments.organise(
            row.id, interaction.user.id, judge, manager=_manages(interaction)
        )
        await respond(ctx, interaction, answer, _DONE)
