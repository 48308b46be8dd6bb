"""A small bot that uses every part of Discord the server speaks; the tests run it as a program.

It keeps no state, so what it does after a restart depends on the server alone.
"""

from __future__ import annotations

import asyncio
import os
from io import BytesIO
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(40_000)
FRUITS = ("apple", "apricot", "banana", "cherry")


def point_discord_at(url: str) -> None:
    """Send discord.py to a server on this machine.

    Raises:
        ValueError: the address isn't on 127.0.0.1.
    """
    server = yarl.URL(url)
    if server.host != "127.0.0.1" or server.port is None:
        raise ValueError("only 127.0.0.1")
    discord.http.Route.BASE = f"{url}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{server.port}/gateway")
    discord.asset.Asset.BASE = f"{url}/cdn"


class Question(discord.ui.Modal, title="A question"):
    """One text field whose content is given back."""

    reply: discord.ui.TextInput[Question] = discord.ui.TextInput(label="Answer", custom_id="reply")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Say what was written."""
        await interaction.response.send_message(f"you wrote {self.reply.value}")


class Press(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"press:(?P<number>\d+)"):
    """A button that outlives the process."""

    def __init__(self, number: int) -> None:
        super().__init__(discord.ui.Button(label=f"Press {number}", custom_id=f"press:{number}"))
        self.number = number

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: object, /
    ) -> Press:
        """Rebuild the button from what stands in its message."""
        custom_id = getattr(item, "custom_id", "press:0")
        return cls(int(str(custom_id).partition(":")[2]))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Put the next number on the button."""
        view = discord.ui.View(timeout=None)
        view.add_item(Press(self.number + 1)).add_item(Fruit())
        await interaction.response.edit_message(content=f"pressed {self.number}", view=view)


class Fruit(discord.ui.Select[discord.ui.View]):
    """A menu; its choice is answered to the chooser only."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=fruit, value=fruit) for fruit in FRUITS]
        super().__init__(custom_id="fruit", options=options)

    async def callback(self, interaction: discord.Interaction) -> None:
        """Say what was chosen, after a deferral."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send(f"you chose {self.values[0]}", ephemeral=True)


class TinyBot(discord.Client):
    """The client, its commands and its reactions to messages."""

    def __init__(self) -> None:
        intents = discord.Intents.default()
        intents.message_content = os.environ.get("CONTENT") == "1"
        intents.members = os.environ.get("MEMBERS") == "1"
        super().__init__(
            intents=intents, guild_ready_timeout=0.05, allowed_mentions=discord.AllowedMentions.none()
        )
        self.tree = app_commands.CommandTree(self)
        commands: list[app_commands.Command[Any, ..., None]] = [think, ask, pick, open_thread]
        for command in commands:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        """Register the commands and what outlives a restart."""
        self.add_dynamic_items(Press)
        view = discord.ui.View(timeout=None)
        view.add_item(Fruit())
        self.add_view(view)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify anew at once: discord.py would let five seconds pass, for the sake of a limit."""

    async def on_ready(self) -> None:
        """Tell the test."""
        print("READY", flush=True)

    async def on_resumed(self) -> None:
        """Tell the test."""
        print("RESUMED", flush=True)

    async def on_message(self, message: discord.Message) -> None:
        """Obey a word in a message, if its text can be read."""
        if message.author == self.user:
            return
        words = message.content.replace(f"<@{self.application_id}>", "").split()
        words = [word for word in words if not word.startswith("<@")]
        match words:
            case ["panel"]:
                view = discord.ui.View(timeout=None)
                view.add_item(Press(1))
                view.add_item(Fruit())
                await message.channel.send("panel", view=view)
            case ["picture", nonce]:
                picture = discord.File(BytesIO(PICTURE), "board.png", description="A board")
                await message.channel.send("picture", file=picture, nonce=nonce)
            case ["reply"]:
                await message.reply("here", mention_author=True)
            case ["twice", *nonces]:
                await self._post_stubbornly(message.channel, nonces[0] if nonces else None)
            case ["history", after]:
                marker = discord.Object(int(after))
                texts = [old.content async for old in message.channel.history(limit=None, after=marker)]
                await message.channel.send("|".join(texts))
            case ["back"] if message.attachments:
                data = await message.attachments[0].read()
                await message.channel.send(f"{len(data)} bytes")
            case ["dm"]:
                await message.author.send("psst")
            case ["archive"] if isinstance(message.channel, discord.Thread):
                await message.channel.edit(archived=True)
            case ["members"] if message.guild is not None:
                names = sorted(member.name for member in message.guild.members)
                await message.channel.send(" ".join(names))
            case ["strange"]:
                await self.http.request(discord.http.Route("GET", "/no/such/route"))
            case ["say", *rest]:
                await message.channel.send(" ".join(rest))
            case _:
                await message.add_reaction("👀")

    async def _post_stubbornly(self, channel: discord.abc.Messageable, nonce: str | None) -> None:
        """Post, and post again if Discord was not heard; what failed is printed."""
        for _ in range(2):
            try:
                await channel.send("stubborn", nonce=nonce) if nonce else await channel.send("stubborn")
            except (OSError, discord.DiscordServerError, discord.RateLimited) as error:
                print(f"FAILED {type(error).__name__} {getattr(error, 'errno', None)}", flush=True)
            except Exception as error:
                print(f"FAILED {type(error).__name__}", flush=True)
            else:
                return


@app_commands.command(description="Defer, then answer, then say more")
async def think(interaction: discord.Interaction, about: str, times: int = 1) -> None:
    """Answer late."""
    await interaction.response.defer(thinking=True)
    await interaction.edit_original_response(content=f"{about} " * times)
    await interaction.followup.send("and more", file=discord.File(BytesIO(PICTURE), "more.png"))


@app_commands.command(description="Open a modal")
async def ask(interaction: discord.Interaction) -> None:
    """Open a modal."""
    await interaction.response.send_modal(Question())


@app_commands.command(description="Pick a fruit")
async def pick(interaction: discord.Interaction, fruit: str) -> None:
    """Answer to the asker only."""
    await interaction.response.send_message(f"picked {fruit}", ephemeral=True)


@pick.autocomplete("fruit")
async def _fruits(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=fruit, value=fruit) for fruit in FRUITS if fruit.startswith(typed)]


@app_commands.command(name="thread", description="Open a thread")
async def open_thread(interaction: discord.Interaction, name: str) -> None:
    """Open a thread on a message of its own and write into it."""
    if not isinstance(interaction.channel, discord.TextChannel):
        await interaction.response.send_message("not here")
        return
    await interaction.response.send_message("opening", ephemeral=True)
    start = await interaction.channel.send(f"thread {name}")
    thread = await start.create_thread(name=name)
    await thread.add_user(interaction.user)
    await thread.send("welcome")


async def _main() -> None:
    point_discord_at(os.environ["LOOPBACK_URL"])
    discord.utils.setup_logging()
    async with TinyBot() as bot:
        await bot.start(os.environ["LOOPBACK_TOKEN"])


if __name__ == "__main__":
    asyncio.run(_main())
