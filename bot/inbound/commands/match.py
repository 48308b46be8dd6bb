"""`/match`: undo, resign, offer a draw, share, claim time and pause; plans; and seats that change hands."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.match_places import this_place, why_not_here
from bot.actions.play.offers import resign_question, respond_with_outcome
from bot.actions.play.plans import PlanRequest, added_note, plan_message
from bot.actions.play.undo import undo_question
from bot.actions.seats import come_back, offer_to, offer_to_all, respond_refused, rights_of, seat_meant
from bot.actions.watching.publicity import publicity_text, set_publicity
from bot.context import Context
from bot.inbound.commands.common import (
    Choices,
    Menu,
    command,
    complete_match,
    match_to_complete,
    resolve_match,
    subgroup,
)
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from bot.platform.permissions import bot_is_there
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches import outbox_drafts as drafts
from matches.outbox.messages import BoardMessage
from matches.results import Refused
from matches.seats import kept_seat
from matches.store.rows import MatchRow, Place


async def complete_line(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest how the typed line of a plan may go on."""
    row = await match_to_complete(ctx, interaction)
    if row is None or row.status != "live":
        return []
    texts = await ctx.service.plans.suggest(row.id, interaction.user.id, current, limit=MAX_CHOICES)
    return [app_commands.Choice(name=text, value=text) for text in texts if len(text) <= MAX_CHOICE]


async def _answer_with_plan(
    ctx: Context, interaction: discord.Interaction[Any], match: str | None, ask: PlanRequest
) -> str | None:
    """Answer with the plan after a request; return the id of its match, if there is one."""
    if (found := await resolve_match(ctx, interaction, match)) is None:
        return None
    row, reader = found
    result = await ask(row.id, interaction.user.id)
    await respond_privately(interaction, await plan_message(ctx, row, reader, result))
    return row.id


async def complete_level(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the levels of the match's computer players."""
    row = await match_to_complete(ctx, interaction)
    if row is None:
        return []
    levels = ctx.service.levels.names(row.game)
    say = ctx.readers.default.say
    return [
        app_commands.Choice(name=say(msg(f"ai.level.{level}"))[:MAX_CHOICE], value=level)
        for level in levels
        if level.startswith(folded(current))
    ]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.match, ctx, "undo", match=complete_match)
    async def undo(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            row, reader = found
            question = await undo_question(ctx, row, interaction.user.id, reader)
            await respond_privately(interaction, question)

    @command(menu.match, ctx, "resign", match=complete_match)
    async def resign(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond_privately(interaction, await resign_question(ctx, *found))

    @command(menu.match, ctx, "draw", match=complete_match)
    async def draw(
        interaction: discord.Interaction[Any],
        answer: Literal["offer", "accept", "decline"] = "offer",
        match: str | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, _ = found
        user, request = interaction.user.id, f"i{interaction.id}"
        if answer == "decline":
            result = await ctx.service.play.decline_draw(row.id, user, request=request)
        else:
            result = await ctx.service.play.offer_draw(row.id, user, request=request)
        await respond_with_outcome(ctx, interaction, row.id, result)

    @command(menu.match, ctx, "public", name="share", match=complete_match)
    async def share(
        interaction: discord.Interaction[Any],
        answer: Literal["yes", "no"] | None = None,
        match: str | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        if answer is None:
            await respond_privately(interaction, Outgoing(publicity_text(*found)))
        else:
            await set_publicity(ctx, interaction, *found, public=answer == "yes")

    @command(menu.match, ctx, "continue", match=complete_match)
    async def go_on(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await _continue_here(ctx, interaction, match)

    @command(menu.match, ctx, "claim", match=complete_match)
    async def claim(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            id_, user = found[0].id, interaction.user.id
            result = await ctx.service.time_up.claim(id_, user, request=f"i{interaction.id}")
            done = msg("bot.claim.done", match=id_)
            await respond_with_outcome(ctx, interaction, id_, result, done)

    @command(menu.match, ctx, "pause", match=complete_match)
    async def pause(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            id_, user = found[0].id, interaction.user.id
            result = await ctx.service.pauses.ask(id_, user, request=f"i{interaction.id}")
            paused = not isinstance(result, Refused) and result.match.talk.paused
            done = msg("bot.pause.done" if paused else "bot.pause.asked", match=id_)
            await respond_with_outcome(ctx, interaction, id_, result, done)

    @command(menu.match, ctx, "resume", match=complete_match)
    async def resume(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            id_, user = found[0].id, interaction.user.id
            result = await ctx.service.pauses.resume(id_, user, request=f"i{interaction.id}")
            await respond_with_outcome(ctx, interaction, id_, result, msg("bot.pause.ended", match=id_))

    _add_plan(subgroup(menu.match, ctx, "plan"), ctx)
    _add_seat(subgroup(menu.match, ctx, "seat"), ctx)


def _add_plan(group: app_commands.Group, ctx: Context) -> None:
    @command(group, ctx, "plan.add", line=complete_line, match=complete_match)
    async def add_line(interaction: discord.Interaction[Any], line: str, match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            row, reader = found
            result = await ctx.service.plans.add(row.id, interaction.user.id, line)
            outgoing = await plan_message(ctx, row, reader, result, added_note(result))
            await respond_privately(interaction, outgoing)

    @command(group, ctx, "plan.show", match=complete_match)
    async def show(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await _answer_with_plan(ctx, interaction, match, ctx.service.plans.show)

    @command(group, ctx, "plan.clear", match=complete_match)
    async def clear(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await _answer_with_plan(ctx, interaction, match, ctx.service.plans.remove)

    @command(group, ctx, "plan.only", match=complete_match)
    async def only(
        interaction: discord.Interaction[Any], answer: Literal["yes", "no"], match: str | None = None
    ) -> None:
        switch = partial(ctx.service.plans.set_only_move, on=answer == "yes")
        if (changed := await _answer_with_plan(ctx, interaction, match, switch)) is not None:
            await ctx.delivery.finish(changed)


def _add_seat(group: app_commands.Group, ctx: Context) -> None:
    async def respond(interaction: discord.Interaction[Any], row: MatchRow, what: Msg) -> None:
        await respond_refused(ctx, interaction, row.id, what)  # it names seats
        await ctx.delivery.send()

    @command(group, ctx, "seat.give", match=complete_match)
    async def give(
        interaction: discord.Interaction[Any], user: discord.User, match: str | None = None
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond(interaction, found[0], await offer_to(ctx, interaction, found[0], user))

    @command(group, ctx, "seat.offer", match=complete_match)
    async def offer(
        interaction: discord.Interaction[Any], player: discord.User | None = None, match: str | None = None
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond(interaction, found[0], await offer_to_all(ctx, interaction, found[0], player))

    @command(group, ctx, "seat.computer", level=complete_level, match=complete_match)
    async def computer(
        interaction: discord.Interaction[Any],
        level: str,
        player: discord.User | None = None,
        match: str | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, reader = found
        seat = await seat_meant(ctx, row, interaction.user.id, player)
        if seat is None:
            await respond(interaction, row, msg("bot.seats.which"))
            return
        result = await ctx.service.seats.fill_in(
            row.id,
            seat,
            folded(level),
            by=interaction.user.id,
            request=f"i{interaction.id}",
            rights=await rights_of(ctx, interaction, row, seat),
        )
        if isinstance(result, Refused):
            await respond_refused(ctx, interaction, row.id, result)
            return
        key = "bot.seats.left" if result.back == interaction.user.id else "bot.seats.filled_in"
        await respond_privately(interaction, Outgoing(reader.say(msg(key, match=row.id))))
        await ctx.delivery.finish(row.id)

    @command(group, ctx, "seat.back", match=complete_match)
    async def back(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        named = None if match is None else await ctx.service.queries.find(match)
        held = () if named is None else await ctx.store.holders(named.id)
        if named is not None and kept_seat(named, held, interaction.user.id) is not None:
            await come_back(ctx, interaction, named.id)  # also where they can't look at it meanwhile
        elif (found := await resolve_match(ctx, interaction, match)) is not None:
            await come_back(ctx, interaction, found[0].id)


async def _continue_here(ctx: Context, interaction: discord.Interaction[Any], match: str | None) -> None:
    """Continue a match whose thread or channel was lost in this channel."""
    if (found := await resolve_match(ctx, interaction, match)) is None:
        return
    row, reader = found
    say = reader.say
    if reader.seat is None:
        await respond_privately(interaction, Outgoing(say(msg("bot.move.not_yours", match=row.id))))
        return
    if not bot_is_there(interaction):
        await respond_privately(interaction, Outgoing(say(msg("bot.elsewhere.continue"))))
        return
    at = this_place(interaction)
    if not row.unreachable or at is None or row.place.guild != interaction.guild_id:
        text = say(msg("bot.continue.no_need", match=row.id, place=f"<#{row.place.home}>"))
        await respond_privately(interaction, Outgoing(text))
        return
    if (why := await why_not_here(ctx, interaction, at)) is not None:
        await respond_privately(interaction, Outgoing(say(why)))
        return
    await defer(interaction)
    moved = await ctx.service.channels.move(row.id, Place(interaction.guild_id, at.channel))
    if not await ctx.store.outbox_pending(row.id):
        board = BoardMessage((await ctx.service.queries.last_change(row)).first, row.version)
        await ctx.store.outbox_add(drafts.draft(board, row.id), moved.updated)
    await respond_privately(interaction, Outgoing(say(msg("bot.continue.done", match=row.id))))
    await ctx.delivery.send()
