"""The clock as an option of commands: what is suggested while it is being typed."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.context import Context
from bot.inbound.commands.common import Choices
from games.engine.normalization import folded
from matches.clocks.control import PRESETS
from matches.clocks.typed import MAX_TYPED, clock_readings, format_clock
from matches.clocks.typed_whole import suggest_whole_clocks
from matches.clocks.words import clock_words, preset_words
from matches.clocks.zones import zone_names
from matches.threads import in_thread


async def complete_clock(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest what the typed text can mean, then the presets that contain it, or all if none does.

    Once playing hours are being typed, suggest their time zone.
    """
    say = (await ctx.readers.of(interaction)).say
    if ended := await in_thread(_with_zones, current[:MAX_TYPED]):
        return ended
    listed = {name: say(preset_words(name)) for name in PRESETS}
    wanted = folded(current)
    chosen = {name: label for name, label in listed.items() if wanted in label.casefold()} or listed
    found = [app_commands.Choice(name=label[:100], value=name) for name, label in chosen.items()]
    own = clock_readings(current[:MAX_TYPED]) if wanted else ()
    return [
        *(
            app_commands.Choice(name=say(clock_words(each))[:100], value=format_clock(each))
            for each in own
            if each not in PRESETS.values()
        ),
        *found,
    ]


def _with_zones(text: str) -> Choices:
    texts = suggest_whole_clocks(text, zone_names())
    return [app_commands.Choice(name=each, value=each) for each in texts if len(each) <= MAX_TYPED]
