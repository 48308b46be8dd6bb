"""Show what dice showed, by seat in a match or for a person over their matches, and that they were fair."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately
from bot.actions.match_access import may_look, respond_unknown_match
from bot.context import Context
from bot.messages.components import Call
from bot.messages.dice import dice_text, match_dice, person_dice
from bot.messages.lobby import COMMITMENT_CHARS
from bot.messages.names import colour_names, escaped_name, seat_names
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.dice import commitment
from games.engine.message import Msg, msg
from matches.records.verification import is_unsealed
from matches.store.rows import MatchRow

MOST_CHECKED: Final = 25
"""Maximum number of someone else's matches of which Discord is asked whether the asker may see them."""


async def show_match_dice(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, reader: Reader
) -> None:
    """Answer with the dice of a match that the person may look at."""
    with ctx.service.dice.callers.hold(interaction.user.id) as first:
        outgoing = await match_dice_message(ctx, row, reader) if first else _busy(reader)
    await respond_privately(interaction, outgoing)


async def match_dice_message(ctx: Context, row: MatchRow, reader: Reader) -> Outgoing:
    """Return the dice of a match by seat, their test, and how to check them."""
    if not registry.get(row.game).has_dice:
        return Outgoing(reader.say(msg("dice.refuse.no_dice", game=msg(f"{row.game}.title"))))
    rolls = await ctx.service.dice.of_match(row)
    if not rolls:
        return Outgoing(reader.say(msg("dice.refuse.no_rolls", match=row.id)))
    names = seat_names(row, reader)

    def say(message: Msg) -> str:
        return reader.say(message, names)

    over = row.status == "over"
    head = say(msg("dice.match" if over else "dice.match_live", match=row.id))
    foot = [f"-# {say(msg('dice.only'))}", f"-# {say(_how_to_check(row))}"]
    colours = colour_names(row, reader)
    return Outgoing(dice_text(head, match_dice(rolls), foot, lambda each: reader.say(each, colours)))


def _how_to_check(row: MatchRow) -> Msg:
    """Return how the draws of a match can be checked."""
    if not row.secret:
        return msg("dice.check_never")
    seal = commitment(bytes.fromhex(row.secret))[:COMMITMENT_CHARS]
    if row.status == "over":
        return msg("dice.check", match=row.id, commit=seal)
    return msg("dice.check_later", commit=seal)


async def show_person_dice(
    ctx: Context, interaction: discord.Interaction[Any], person: discord.User | discord.Member
) -> None:
    """Answer with a person's dice in all finished matches that the asker may see."""
    reader = await ctx.readers.of(interaction)
    with ctx.service.dice.callers.hold(interaction.user.id) as first:
        outgoing = await _person_dice(ctx, interaction, person, reader) if first else _busy(reader)
    await respond_privately(interaction, outgoing)


async def _person_dice(
    ctx: Context,
    interaction: discord.Interaction[Any],
    person: discord.User | discord.Member,
    reader: Reader,
) -> Outgoing:
    own = person.id == interaction.user.id
    name = escaped_name(person.display_name)
    if person.bot:
        return Outgoing(reader.say(msg("dice.refuse.computer")))
    rows, more = await _shown(ctx, interaction, person)
    found = await ctx.service.dice.of_person(person.id, rows)
    if not found.counts:
        why = msg("dice.refuse.nobody") if own else msg("dice.refuse.nobody_else", name=name)
        return Outgoing(reader.say(why))
    n = found.matches
    head = msg("dice.own", n=n) if own else msg("dice.person", n=n, name=name)
    foot = [msg("dice.latest")] if more or found.more else []
    small = [f"-# {reader.say(each)}" for each in (*foot, msg("dice.only"), msg("dice.check_any"))]
    return Outgoing(dice_text(reader.say(head), person_dice(found.counts), small, reader.say))


async def _shown(
    ctx: Context, interaction: discord.Interaction[Any], person: discord.User | discord.Member
) -> tuple[list[MatchRow], bool]:
    """Return a person's finished matches with dice that the asker may see, and whether there may be more."""
    seat_of = ctx.service.queries.seat_of
    rows = [
        row
        for row in await ctx.store.by_user(person.id, ("over",))
        if seat_of(row, person.id) is not None and registry.get(row.game).has_dice
    ]
    if person.id == interaction.user.id:
        return rows, False
    asked = rows[:MOST_CHECKED]
    seen = [row for row in asked if await may_look(ctx, row, interaction.user, interaction.channel_id)]
    return seen, len(rows) > len(asked)


def _busy(reader: Reader) -> Outgoing:
    return Outgoing(reader.say(msg("dice.refuse.busy")))


@on("sealed")
async def sealed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the SHA-256 of the secret and how to check it; the secret itself only after the match."""
    row = await ctx.service.queries.row(call.match)
    if row is None:
        await respond_unknown_match(ctx, interaction, call.match)
        return
    reader = await ctx.readers.of(interaction)
    lines = [reader.say(msg("bot.sealed.text", match=row.id, commit=commitment(bytes.fromhex(row.secret))))]
    if is_unsealed(row):
        lines.append(reader.say(msg("bot.sealed.secret", secret=row.secret)))
    await respond_privately(interaction, Outgoing("\n".join(lines)))
