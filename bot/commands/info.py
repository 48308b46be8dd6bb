"""Commands that only tell: `/matches`, `/rules`, `/help`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.answers import private
from bot.commands.common import describe
from bot.looks import rules_page
from bot.presenter import Outgoing
from games.engine import registry
from games.engine.message import msg

if TYPE_CHECKING:
    from bot.app import Dominium

_MOST = 20


async def matches_text(app: Dominium, user: int, language: str) -> str:
    """All live matches of a person, on all servers, theirs to move first, with links."""
    say = app.presenter.say
    lines = []
    for seen in (await app.service.mine(user))[:_MOST]:
        row, match = seen.row, seen.match
        seat = app.service.seat_of(row, user)
        turn = seat is not None and seat in match.to_act
        boards = await app.store.posts(row.id, "board")
        link = f"<#{row.place.home}>"
        if boards:
            last = boards[-1]
            link = f"https://discord.com/channels/{row.place.guild or '@me'}/{last.channel}/{last.message}"
        title = app.presenter.title(row, language)
        state = say(msg("bot.matches.yours"), language) if turn else say(msg("bot.matches.theirs"), language)
        lines.append(f"{'▶' if turn else '·'} `{row.id}` {title}: {state} {link}")
    if not lines:
        return say(msg("bot.matches.none"), language)
    return "\n".join([say(msg("bot.matches.head", n=len(lines)), language), *lines])


def add(app: Dominium) -> None:
    """The commands of this file."""
    games = [
        app_commands.Choice(name=app.presenter.say(msg(f"{g.key}.title"), "en")[:100], value=g.key)
        for g in registry.all_games()
    ]

    @app.tree.command(name="matches", description=describe(app, "matches"))
    async def matches(interaction: discord.Interaction[Any]) -> None:
        reader = await app.reader_of(interaction)
        await private(interaction, Outgoing(await matches_text(app, interaction.user.id, reader.language)))

    @app.tree.command(name="rules", description=describe(app, "rules"))
    @app_commands.describe(game=describe(app, "rules.game"))
    @app_commands.choices(game=games)
    async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        reader = await app.reader_of(interaction)
        if game is None:
            here = await app.service.live_in(interaction.channel_id or 0)
            game = here[0].game if here else registry.all_games()[0].key
        await private(interaction, rules_page(app, game, 1, reader))

    @app.tree.command(name="help", description=describe(app, "help"))
    async def help_(interaction: discord.Interaction[Any]) -> None:
        reader = await app.reader_of(interaction)
        bare = msg("bot.help.bare") if app.config.message_content else msg("bot.help.no_bare")
        text = app.presenter.say(msg("bot.help.text", bare=bare), reader.language)
        await private(interaction, Outgoing(text))
