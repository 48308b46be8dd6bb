"""`/server operator`: what the owner of the application does for the whole bot, such as excluding people."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.servers.joined_servers import leave_panel, read_id, servers_panel
from bot.context import Context
from bot.inbound.commands.common import Menu, command
from bot.messages.names import as_code, escaped_text
from bot.messages.operation import error_lines, maintenance_line
from bot.messages.outgoing import Outgoing
from bot.platform.application import is_owner
from bot.platform.maintenance import MAX_MINUTES, Pause, read_time
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.people.exclusions import MAX_DAYS, Kind
from matches.store.moderation import MAX_REASON, ModerationRow

Do = Literal[
    "status",
    "exclude person",
    "exclude server",
    "lift person",
    "lift server",
    "log of people",
    "log of servers",
    "clear errors",
    "list servers",
    "leave server",
    "plan maintenance",
    "withdraw maintenance",
]
"""What the owner can choose."""
_MAX_ERRORS = 5
"""Maximum number of groups of errors that are shown."""


def add(menu: Menu, ctx: Context) -> None:
    """Add the command to the menu."""

    @command(menu.server, ctx, "operator")
    async def operator(
        interaction: discord.Interaction[Any],
        do: Do,
        id: str = "",  # noqa: A002 - what people see
        reason: app_commands.Range[str, 0, MAX_REASON] = "",
        days: app_commands.Range[int, 1, MAX_DAYS] | None = None,
        when: str = "",
        minutes: app_commands.Range[int, 1, MAX_MINUTES] = 10,
    ) -> None:
        reader = await ctx.readers.of(interaction)
        if not is_owner(ctx.discord.client, interaction.user.id):
            await respond_privately(interaction, Outgoing(reader.say(msg("bot.status.owner"))))
            return
        if do == "status":
            await respond_privately(interaction, Outgoing(await status_text(ctx, reader)))
            return
        await defer(interaction)
        if do in ("list servers", "leave server"):
            panel = await (
                servers_panel(ctx, reader) if do == "list servers" else leave_panel(ctx, reader, id)
            )
            await respond_privately(interaction, panel)
            return
        kind: Kind = "server" if "server" in do else "person"
        if do == "clear errors":
            await ctx.operation.errors.save(ctx.store)
            text = reader.say(msg("bot.errors.cleared", n=await ctx.store.clear_errors()))
        elif do == "plan maintenance":
            text = reader.say(await _plan(ctx, reader, when, minutes))
        elif do == "withdraw maintenance":
            withdrawn = await ctx.operation.maintenance.withdraw()
            text = reader.say(msg(f"bot.maintenance.{'withdrawn' if withdrawn else 'nothing'}"))
        elif do.startswith("log"):
            text = await _log(ctx, reader, kind)
        else:
            lasts = None if days is None else timedelta(days=days)
            by = interaction.user.id
            text = reader.say(await _act(ctx, do.startswith("exclude"), kind, id, by, reason, lasts))
        await respond_privately(interaction, Outgoing(text))


async def _plan(ctx: Context, reader: Reader, typed: str, minutes: int) -> Msg:
    time = read_time(typed)
    bad = msg("bot.maintenance.bad_time", text=as_code(typed))
    if time is None:
        return bad
    pause = Pause(time, minutes)
    try:
        await ctx.operation.maintenance.plan(pause)
    except ValueError:
        return bad
    return msg("bot.maintenance.planned", text=maintenance_line(pause, reader))


async def _act(
    ctx: Context, exclude: bool, kind: Kind, typed: str, by: int, reason: str, lasts: timedelta | None
) -> Msg:
    who = read_id(typed)
    if who is None:
        return msg("bot.operator.bad_id", id=as_code(typed))
    exclusions, named = ctx.service.exclusions, str(who)
    if not exclude:
        lifted = await exclusions.lift(kind, who, by, reason)
        return msg("bot.operator.lifted" if lifted else "bot.operator.nobody", id=named)
    try:
        left = await exclusions.exclude(kind, who, by, reason, lasts)
    except ValueError:
        return msg("bot.operator.reason", n=MAX_REASON)
    for match in left:
        await ctx.delivery.finish(match)
    return msg("bot.operator.excluded", id=named)


async def _log(ctx: Context, reader: Reader, kind: Kind) -> str:
    rows = await ctx.service.exclusions.log(kind)
    return "\n".join(_line(reader, row) for row in rows) or reader.say(msg("bot.operator.none"))


def _line(reader: Reader, row: ModerationRow) -> str:
    done = msg("bot.operator.did_lift")
    if row.action == "forbid":
        done = msg("bot.operator.did_forbid")
        if row.until is not None:
            done = msg("bot.operator.did_forbid_until", until=discord.utils.format_dt(row.until, "f"))
    by = f"<@{row.moderator}>" if row.moderator > 0 else "`dominium`"
    when, reason = discord.utils.format_dt(row.at, "f"), escaped_text(row.reason)
    return reader.say(
        msg("bot.operator.line", when=when, id=row.person or 0, done=done, by=by, reason=reason)
    )


async def status_text(ctx: Context, reader: Reader) -> str:
    """Return how the bot is doing: since when it runs, what waits, what was counted, and what failed."""
    say = reader.say
    since = discord.utils.format_dt(ctx.operation.counters.since, "R")
    waiting = len(await ctx.store.outbox_pending())
    counts = ctx.operation.counters.snapshot()
    lines = [
        say(msg("bot.status.head", since=since, n=len(ctx.discord.guilds.all))),
        say(msg("bot.status.waiting", n=waiting)),
    ]
    await ctx.operation.errors.save(ctx.store)
    if groups := await ctx.store.error_groups():
        lines += [say(msg("bot.errors.latest")), *error_lines(groups[:_MAX_ERRORS], reader)]
    lines += [f"- {name}: {count:,}" for name, count in counts.items()]
    return "\n".join(lines if counts else [*lines, say(msg("bot.status.nothing"))])
