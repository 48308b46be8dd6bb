"""Commands that show information: `/matches`, `/rules`, `/help`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

import discord
from discord import app_commands

from bot.actions.help_text import help_text
from bot.actions.interaction_responses import respond_privately
from bot.actions.match_places import is_archived
from bot.actions.rules_pages import rules_page
from bot.context import Context
from bot.inbound.commands.common import describe, game_choices
from bot.messages.clock import moment
from bot.messages.outgoing import Outgoing
from bot.messages.seats import match_title
from bot.outbound.board_links import board_link
from bot.platform.permissions import bot_is_there
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.game import Seat
from games.engine.message import Msg, msg
from matches.clocks.spans import END_OF_TIME
from matches.results import CurrentMatch
from matches.rows import MatchRow
from matches.time_up import opponents
from matches.timekeeper import ClockFace

_MAX_LISTED = 20


async def matches_text(ctx: Context, user: int, reader: Reader) -> str:
    """Return a person's live matches on all servers with links: those waiting for them first, by deadline."""
    say = reader.say
    lines = []
    mine = [await _turn(ctx, seen, user) for seen in await ctx.service.queries.mine(user)]
    for turn in sorted(mine, key=lambda each: each.urgency)[:_MAX_LISTED]:
        row = turn.row
        link = await board_link(ctx, row)
        title = match_title(row, turn.seat, reader)
        asleep = f" ({say(msg('bot.matches.archived'))})" if is_archived(ctx, row) else ""
        lines.append(f"{'▶' if turn.mine else '·'} `{row.id}` {title}: {say(turn.state)} {link}{asleep}")
    if not lines:
        return say(msg("bot.matches.none"))
    return "\n".join([say(msg("bot.matches.head", n=len(lines))), *lines])


class _Turn(NamedTuple):
    """A match in a person's list, and whether they are to act in it, or may claim someone's time."""

    row: MatchRow
    seat: int | None
    mine: bool
    face: ClockFace | None
    claimable: bool

    @property
    def due(self) -> datetime | None:
        """When the person's own time is up."""
        if not self.mine or self.face is None or self.seat is None:
            return None
        return self.face.readings[self.seat].deadline

    @property
    def urgency(self) -> tuple[bool, bool, datetime]:
        """The key to sort by: one's own turns first, by deadline, then what can be claimed."""
        return not self.mine, not self.claimable, self.due or END_OF_TIME

    @property
    def state(self) -> Msg:
        """Whose turn it is, and until when."""
        if not self.mine:
            claim = msg("bot.matches.claimable", match=self.row.id)
            return claim if self.claimable else msg("bot.matches.theirs")
        if self.face is None:
            return msg("bot.matches.yours")
        if self.seat in self.face.late:
            return msg("bot.matches.due_late")
        return (
            msg("bot.matches.due_stopped")
            if self.due is None
            else msg("bot.matches.due", when=moment(self.due))
        )


async def _turn(ctx: Context, seen: CurrentMatch, user: int) -> _Turn:
    row, match = seen.row, seen.match
    seat, face = ctx.service.queries.seat_of(row, user), await ctx.service.time_up.face(row)
    late = () if face is None or face.control.acts != "claim" else face.late
    claimable = any(seat in opponents(match, Seat(each)) for each in late)
    return _Turn(row, seat, seat is not None and seat in match.to_act, face, claimable)


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add the commands of this file to the tree."""
    games = game_choices(ctx)

    @tree.command(name="matches", description=describe(ctx, "matches"))
    async def matches(interaction: discord.Interaction[Any]) -> None:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(await matches_text(ctx, interaction.user.id, reader)))

    @tree.command(name="rules", description=describe(ctx, "rules"))
    @app_commands.describe(game=describe(ctx, "rules.game"))
    @app_commands.choices(game=games)
    async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        reader = await ctx.readers.of(interaction)
        if game is None:
            here = await ctx.service.queries.live_in(interaction.channel_id or 0)
            game = here[0].game if here else registry.all_games()[0].key
        await respond_privately(interaction, rules_page(game, 1, reader))

    @tree.command(name="help", description=describe(ctx, "help"))
    async def help_(interaction: discord.Interaction[Any]) -> None:
        reader = await ctx.readers.of(interaction)
        text = help_text(ctx, reader)
        if not bot_is_there(interaction):
            text += f"\n{reader.say(msg('bot.help.elsewhere'))}"
        await respond_privately(interaction, Outgoing(text))
