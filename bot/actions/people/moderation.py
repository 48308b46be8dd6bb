"""What moderators do, from their private panels: the action is chosen, then a form asks for the reason."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final, get_args

import discord
from discord.app_commands import AppCommandChannel, AppCommandThread

from bot.actions.handlers import ID, NUMBER, NUMBERED, on
from bot.actions.interaction_responses import edit_in_place, respond_privately
from bot.actions.lobby.lobby_panel import person, why_no_guest
from bot.actions.match_access import may_look
from bot.actions.match_places import this_place, why_not_here
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.messages.buttons import NO_MATCH
from bot.messages.components import PEOPLE, Call
from bot.messages.moderation import PAGE, log_page, match_panel, person_panel, reason_form, seat_panel
from bot.messages.names import escaped_name, escaped_text, on_one_line
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICES
from bot.platform.reader_settings import Reader
from games.engine.game import Seat
from games.engine.message import Msg, msg
from matches.clocks.quantities import read_span
from matches.clocks.typed import format_span
from matches.outbox_drafts import direct_message
from matches.people.moderation import Ruling, SeatHeld
from matches.results import Refused
from matches.store.moderation import MAX_REASON, Action
from matches.store.rows import MatchRow, Place

ROLES: Final = "moderators"
"""The setting of a server with the ids of its moderators' roles."""
LOG_CHANNEL: Final = "log_channel"
"""The setting of a server with the channel in which the log is posted; the store reads it, too."""
_SHORTEST: Final = 60
MAX_MORE_TIME: Final = timedelta(days=30)
"""Longest time that a moderator gives a seat at once."""
_LONGEST: Final = int(MAX_MORE_TIME.total_seconds())


# --- who may ----------------------------------------------------------------------------------------------


def is_moderator(interaction: discord.Interaction[Any], made: Mapping[str, Any]) -> bool:
    """Return whether a person moderates this server: they may manage its messages, or have a named role."""
    user = interaction.user
    if interaction.guild_id is None or not isinstance(user, discord.Member):
        return False
    rights = user.guild_permissions
    named = {int(role) for role in made.get(ROLES) or ()}
    return rights.manage_messages or rights.manage_guild or any(role.id in named for role in user.roles)


async def respond_unless_moderator(ctx: Context, interaction: discord.Interaction[Any]) -> int | None:
    """Return the server if the person moderates it; otherwise say who does, and return None."""
    guild, reader = interaction.guild_id, await ctx.readers.of(interaction)
    if guild is None:
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.settings.guild_only"))))
        return None
    made = await ctx.preferences.get("guild", guild)
    if is_moderator(interaction, made):
        return guild
    named = tuple(f"<@&{role}>" for role in made.get(ROLES) or ())
    who = msg("bot.moderation.only_roles", roles=named) if named else msg("bot.moderation.only")
    await respond_privately(interaction, Outgoing(reader.say(who)))
    return None


# --- panels -----------------------------------------------------------------------------------------------


async def panel_of(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, note: Msg | None = None
) -> Outgoing:
    """Return the panel of a match or a lobby, with a note of what has just been done."""
    reader = await ctx.readers.of(interaction)
    match = None if row.version < 0 else await ctx.service.queries.at(row.id, row.version)
    here = interaction.channel_id == row.place.home
    return match_panel(row, match, reader, here=here, note=note)


async def person_panel_of(
    ctx: Context, interaction: discord.Interaction[Any], guild: int, user: int, note: Msg | None = None
) -> Outgoing:
    """Return the panel of a person, with the matches of the server in which the moderator can see them."""
    barred = await ctx.store.forbidden(guild, (user,))
    rows = [row for row in await ctx.store.by_user(user, ("lobby", "live")) if row.place.guild == guild]
    seen = [row.id for row in rows[:10] if await may_look(ctx, row, interaction.user, interaction.channel_id)]
    return person_panel(user, barred[0] if barred else None, seen, await ctx.readers.of(interaction), note)


async def _row_here(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, guild: int
) -> MatchRow | None:
    """Return the match of a panel if it is of this server; otherwise say that there is none."""
    row = await ctx.service.queries.row(call.match)
    if row is not None and row.place.guild == guild:
        return row
    await _refuse(ctx, interaction, msg("bot.match.unknown", match=call.match))
    return None


async def _refuse(
    ctx: Context, interaction: discord.Interaction[Any], why: Refused | Msg, row: MatchRow | None = None
) -> None:
    refused = why if isinstance(why, Refused) else Refused(why)
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, Outgoing(await refusal_text(ctx, refused, reader, row)))


@on("mod_match")
async def show_match(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Go back to the panel of a match."""
    guild = await respond_unless_moderator(ctx, interaction)
    if guild is not None and (row := await _row_here(ctx, interaction, call, guild)) is not None:
        await edit_in_place(interaction, await panel_of(ctx, interaction, row))


@on("mod_seat", value=NUMBERED)
async def show_seat(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show what can be done with the seat that is chosen."""
    guild = await respond_unless_moderator(ctx, interaction)
    row = None if guild is None else await _row_here(ctx, interaction, call, guild)
    if row is None or not call.values:
        return
    seat, match = int(call.values[0].partition(".")[0]), await ctx.service.queries.at(row.id, row.version)
    if Seat(seat) not in match.playing or match.ending is not None or row.set_aside:
        await edit_in_place(interaction, await panel_of(ctx, interaction, row))
        return
    levels, reader = ctx.service.levels.names(row.game), await ctx.readers.of(interaction)
    await edit_in_place(interaction, seat_panel(row, match, seat, levels, reader))


@on("mod_log")
async def show_log(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show a page of the log."""
    if (guild := await respond_unless_moderator(ctx, interaction)) is not None:
        page = await log_of(ctx, interaction, guild, call.seq or None)
        await (edit_in_place if call.seq else respond_privately)(interaction, page)


async def log_of(
    ctx: Context, interaction: discord.Interaction[Any], guild: int, before: int | None = None
) -> Outgoing:
    """Return a page of a server's log: the latest entries, or those before a number."""
    acts = await ctx.store.moderated(guild, before, PAGE + 1)
    return log_page(acts[:PAGE], await ctx.readers.of(interaction), more=len(acts) > PAGE)


# --- actions ----------------------------------------------------------------------------------------------


@on("mod_ask")
async def ask(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask for the reason of an action; its button or menu names the action, the seat and its person."""
    if await respond_unless_moderator(ctx, interaction) is None:
        return
    name = call.arg.partition(".")[0]
    action: Action | None = next((one for one in get_args(Action) if one == name), None)
    if action is None:
        await _refuse(ctx, interaction, msg("bot.error.old"))
        return
    if action == "offer" and (why := why_no_guest(interaction.extras.get(PEOPLE, ()))) is not None:
        await _refuse(ctx, interaction, why)
        return
    arg = ".".join((call.arg, *call.values[:1]))
    form = reason_form(Call("mod_do", call.match, call.seq, arg), action, await ctx.readers.of(interaction))
    await interaction.response.send_modal(form)


_SEAT: Final = rf"{NUMBER}\.{ID}"
_DEED: Final = (
    rf"pause|resume|end|draw|clear|move|(remove|win|time|forbid|lift)\.{_SEAT}"
    rf"|computer\.{_SEAT}\..+|offer\.{_SEAT}\.{ID}"
)
"""What a form about an action has: its name, and the seat with its person, or a person."""


@on("mod_do", arg=_DEED)
async def carry_out(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Do what a moderator has chosen, for the reason in the form, and show the panel as it is then."""
    guild = await respond_unless_moderator(ctx, interaction)
    if guild is None:
        return
    reason = on_one_line(call.values[-1])[:MAX_REASON].strip() if call.values else ""
    if not reason:
        await _refuse(ctx, interaction, msg("bot.moderation.no_reason"))
        return
    by = Ruling(guild, interaction.user.id, reason, f"i{interaction.id}")
    action, *rest = call.arg.split(".")
    if call.match == NO_MATCH and len(rest) > 1:
        await _about_person(ctx, interaction, by, action, int(rest[1]))
        return
    if (row := await _row_here(ctx, interaction, call, guild)) is None:
        return
    if row.version >= 0 and not await may_look(ctx, row, interaction.user, interaction.channel_id):
        await _refuse(ctx, interaction, msg("bot.match.unknown", match=call.match))
        return
    done = await _about_match(ctx, interaction, by, action, rest, call)
    if isinstance(done, Msg | Refused):
        await _refuse(ctx, interaction, done, row)
        return
    note = msg(f"bot.moderation.done.{action}", match=row.id)
    await edit_in_place(interaction, await panel_of(ctx, interaction, done, note))
    await ctx.delivery.finish(done.id)


async def _about_match(
    ctx: Context,
    interaction: discord.Interaction[Any],
    by: Ruling,
    action: str,
    rest: list[str],
    call: Call,
) -> MatchRow | Refused | Msg:
    """Do something with a match or one of its seats."""
    moderation, match = ctx.service.moderation, call.match
    match action:
        case "pause":
            return await moderation.pause(match, by)
        case "resume":
            return await moderation.resume(match, by)
        case "end":
            return await moderation.end(match, by)
        case "draw":
            return await moderation.draw(match, by)
        case "clear":
            return await moderation.clear(match, by)
        case "move":
            return await _move(ctx, interaction, match, by)
    held = SeatHeld(int(rest[0]), int(rest[1]) or None)
    match action:
        case "remove":
            return await moderation.remove(match, by, held)
        case "win":
            return await moderation.award(match, by, held)
        case "time":
            readings = read_span(call.values[0])
            possible = [each for each in readings if _SHORTEST <= each <= _LONGEST]
            if not possible:
                return msg("bot.moderation.no_time")
            if len(readings) > 1:
                spans = tuple(f"`{format_span(timedelta(seconds=each))}`" for each in possible)
                return msg("bot.moderation.which_time", n=len(spans), readings=spans)
            return await moderation.give_time(match, by, held, possible[0])
        case "computer":
            return await moderation.computer(match, by, held, rest[2])
        case "offer":
            found = None if interaction.guild is None else await _member(interaction.guild, int(rest[2]))
            if found is None:
                return msg("bot.moderation.not_here", who=f"<@{rest[2]}>")
            return await moderation.offer(match, by, held, person(found))
    return msg("bot.error.old")


async def _member(guild: discord.Guild, user: int) -> discord.Member | None:
    try:
        return guild.get_member(user) or await guild.fetch_member(user)
    except discord.NotFound:
        return None


async def _move(
    ctx: Context, interaction: discord.Interaction[Any], match: str, by: Ruling
) -> MatchRow | Refused | Msg:
    """Move a match to the channel that the moderator is in."""
    if (at := this_place(interaction)) is None:
        return msg("bot.error.old")
    if (why := await why_not_here(ctx, interaction, at)) is not None:
        return why
    return await ctx.service.moderation.move(match, by, Place(by.guild, at.channel))


async def _about_person(
    ctx: Context, interaction: discord.Interaction[Any], by: Ruling, action: str, user: int
) -> None:
    """Forbid a person to play here, or lift that, and notify them in a direct message."""
    theirs = await ctx.readers.person(user, None)
    server = escaped_name(interaction.guild.name) if interaction.guild is not None else "?"
    key = "you_forbidden" if action == "forbid" else "you_lifted"
    text = theirs.say(msg(f"bot.moderation.{key}", server=server, reason=escaped_text(by.reason)))
    notices = (direct_message("", user, text),)
    act = ctx.service.moderation.forbid if action == "forbid" else ctx.service.moderation.lift
    if (refused := await act(by, user, notices)) is not None:
        await _refuse(ctx, interaction, refused)
        return
    note = msg(f"bot.moderation.done.{action}", who=f"<@{user}>")
    await edit_in_place(interaction, await person_panel_of(ctx, interaction, by.guild, user, note))
    await ctx.delivery.send()


# --- settings ---------------------------------------------------------------------------------------------


def moderation_settings(
    made: Mapping[str, Any],
    add: discord.Role | None,
    remove: discord.Role | None,
    log: AppCommandChannel | AppCommandThread | None,
    *,
    off: bool,
) -> dict[str, Any]:
    """Return the settings of a server about its moderators, after a role or the log's channel was chosen."""
    roles = [int(role) for role in made.get(ROLES) or ()]
    if add is not None and add.id not in roles:
        roles = [*roles, add.id][-MAX_CHOICES:]
    if remove is not None:
        roles = [role for role in roles if role != remove.id]
    channel = log.id if log is not None else None if off else made.get(LOG_CHANNEL)
    return {ROLES: roles, LOG_CHANNEL: channel}


def moderation_lines(made: Mapping[str, Any], reader: Reader) -> list[str]:
    """Return what the settings of a server say about its moderators, one thing a line."""
    roles, channel = made.get(ROLES) or (), made.get(LOG_CHANNEL)
    named = " ".join(f"<@&{role}>" for role in roles) or reader.say(msg("bot.settings.nobody"))
    there = f"<#{channel}>" if channel else f"`{reader.say(msg('bot.settings.off'))}`"
    lines = [f"{reader.say(msg('bot.settings.moderators'))}: {named}"]
    if roles:
        lines.append("-# " + reader.say(msg("bot.settings.moderators_how")))
    return [*lines, f"{reader.say(msg('bot.settings.log'))}: {there}"]
