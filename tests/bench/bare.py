"""The least a bot can do with discord.py: answer each message with a file of a given size."""

from __future__ import annotations

import os
import random
from io import BytesIO

import discord

from bot.platform.loopback import point_discord_at

PICTURE = random.Random(0).randbytes(int(os.environ.get("BARE_SIZE", "30000")))


class BareBot(discord.Client):
    """One event, one answer."""

    async def on_message(self, message: discord.Message) -> None:
        """Answer with the file."""
        if message.author != self.user:
            await message.reply("here", file=discord.File(BytesIO(PICTURE), "board.png"))


def main() -> None:
    """Run until killed."""
    point_discord_at(os.environ["DOMINIUM_DISCORD_API"])
    intents = discord.Intents(guilds=True, guild_messages=True)
    client = BareBot(intents=intents, allowed_mentions=discord.AllowedMentions.none())
    client.run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
