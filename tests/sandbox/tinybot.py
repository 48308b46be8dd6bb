"""A small bot that uses every part of Discord the sandbox offers, and one that it doesn't, for its tests.

Law: it knows nothing of the sandbox but the `idle` hook, and answers the same way every time.
"""

from __future__ import annotations

import asyncio
import io
import logging
import re
from collections.abc import Awaitable
from datetime import timedelta
from typing import Any, Self, TypeVar

import discord
from discord import app_commands
from discord.ext import tasks
from PIL import Image, ImageDraw

T = TypeVar("T")

FRUITS = ("apple", "apricot", "banana", "cherry")


def board() -> discord.File:
    """A picture of a board, with alt text."""
    picture = Image.new("RGB", (480, 480), "#d8c3a0")
    pen = ImageDraw.Draw(picture)
    for x in range(8):
        for y in range(8):
            if (x + y) % 2:
                pen.rectangle((x * 60, y * 60, x * 60 + 59, y * 60 + 59), fill="#8f6b45")
            if y in (1, 6):
                pen.ellipse(
                    (x * 60 + 12, y * 60 + 12, x * 60 + 47, y * 60 + 47),
                    fill="#b3402f" if y == 1 else "#2f6b4f",
                )
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    buffer.seek(0)
    return discord.File(buffer, "board.png", description="Eight red pieces face eight green pieces.")


class Count(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"tiny:count:(?P<number>\d+)"
):
    """A button that counts, also after a restart."""

    def __init__(self, number: int) -> None:
        super().__init__(
            discord.ui.Button(
                label=f"Count {number}",
                style=discord.ButtonStyle.primary,
                custom_id=f"tiny:count:{number}",
            )
        )
        self.number = number

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(int(match["number"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.edit_message(view=Desk(self.number + 1))


class Form(discord.ui.Modal, title="About you"):
    """A form with two lines, a menu and a list of which one is chosen."""

    who: discord.ui.Label[Form] = discord.ui.Label(text="Name", component=discord.ui.TextInput(max_length=20))
    story: discord.ui.Label[Form] = discord.ui.Label(
        text="Story", component=discord.ui.TextInput(required=False, default="of old")
    )
    side: discord.ui.Label[Form] = discord.ui.Label(
        text="Side",
        description="Which side to play",
        component=discord.ui.Select(
            options=[discord.SelectOption(label="Red"), discord.SelectOption(label="Green", default=True)]
        ),
    )

    pace: discord.ui.Label[Form] = discord.ui.Label(
        text="Pace",
        component=discord.ui.RadioGroup(
            options=[
                discord.RadioGroupOption(label="Slow", default=True),
                discord.RadioGroupOption(label="Fast"),
            ]
        ),
    )

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        who, story, menu = self.who.component, self.story.component, self.side.component
        assert isinstance(who, discord.ui.TextInput)
        assert isinstance(story, discord.ui.TextInput)
        assert isinstance(menu, discord.ui.Select)
        pace = self.pace.component
        assert isinstance(pace, discord.ui.RadioGroup)
        await interaction.response.send_message(
            f"{who.value} plays {menu.values[0]}: {story.value}, {pace.value}"
        )


class Desk(discord.ui.View):
    """Buttons of every style and menus of both kinds."""

    def __init__(self, number: int = 0) -> None:
        super().__init__(timeout=None)
        self.add_item(Count(number))
        self.add_item(discord.ui.Button(label="Closed", disabled=True, custom_id="tiny:closed"))
        self.add_item(discord.ui.Button(label="Rules", url="https://example.org/rules"))

    @discord.ui.button(label="Join", style=discord.ButtonStyle.success, custom_id="tiny:join")
    async def join(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Desk]) -> None:
        await interaction.response.send_message(f"Welcome, {interaction.user.display_name}.", ephemeral=True)

    @discord.ui.button(label="Fill in", style=discord.ButtonStyle.danger, custom_id="tiny:form")
    async def form(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Desk]) -> None:
        await interaction.response.send_modal(Form())

    @discord.ui.select(
        placeholder="Fruit",
        custom_id="tiny:fruit",
        min_values=1,
        max_values=2,
        options=[discord.SelectOption(label=fruit.title(), value=fruit) for fruit in FRUITS],
    )
    async def fruit(self, interaction: discord.Interaction[Any], menu: discord.ui.Select[Desk]) -> None:
        await interaction.response.send_message("Chosen: " + " and ".join(menu.values))

    @discord.ui.select(cls=discord.ui.UserSelect, placeholder="Friend", custom_id="tiny:friend")
    async def friend(self, interaction: discord.Interaction[Any], menu: discord.ui.UserSelect[Desk]) -> None:
        await interaction.response.send_message(f"Friend: {menu.values[0].mention}")


class Card(discord.ui.LayoutView):
    """A Components V2 layout with the picture of a board; the sandbox can't show its separator."""

    box: discord.ui.Container[Card] = discord.ui.Container(
        discord.ui.Section(
            "## A card", "with a *text*", accessory=discord.ui.Button(label="Press", custom_id="tiny:v2")
        ),
        discord.ui.Separator(),
        discord.ui.TextDisplay("-# small print"),
        discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="A board")),
        discord.ui.ActionRow(
            discord.ui.Select(
                placeholder="Colour",
                custom_id="tiny:colour",
                options=[
                    discord.SelectOption(label="Red"),
                    discord.SelectOption(label="Green", description="as grass", default=True),
                ],
            )
        ),
        accent_colour=discord.Colour(0x2F6B4F),
    )


class TinyBot(discord.Client):
    """See the module."""

    def __init__(self) -> None:
        intents = discord.Intents.default()
        intents.message_content = True
        super().__init__(intents=intents, allowed_mentions=discord.AllowedMentions.none())
        self.tree = app_commands.CommandTree(self)
        self.jobs: asyncio.Queue[discord.abc.Messageable] = asyncio.Queue()
        self.worker: asyncio.Task[None] | None = None
        self.reminders: list[tuple[Any, discord.abc.Messageable]] = []
        _commands(self)

    async def idle(self, aw: Awaitable[T]) -> T:
        return await aw

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Count)
        self.add_view(Desk())
        await self.tree.sync()
        self.worker = asyncio.create_task(self._work())
        self.remind.start()

    async def close(self) -> None:
        self.remind.cancel()
        if self.worker is not None:
            self.worker.cancel()
        await super().close()

    async def _work(self) -> None:
        while True:
            target = await self.idle(self.jobs.get())
            await target.send("The worker did it.")

    @tasks.loop(seconds=30)
    async def remind(self) -> None:
        now = discord.utils.utcnow()
        for entry in [entry for entry in self.reminders if entry[0] <= now]:
            self.reminders.remove(entry)
            await entry[1].send("An hour has passed.")

    async def on_message(self, message: discord.Message) -> None:
        if message.author.bot:
            return
        text, here = message.content, message.channel
        if text == "boom":
            raise RuntimeError("the tiny bot fell over")
        if text == "grumble":
            logging.getLogger("tiny").error("a message could not be made", exc_info=ValueError("no ink"))
        elif text == "long" and isinstance(here, discord.TextChannel):
            thread = await here.create_thread(
                name="A match with a very long name " * 3, type=discord.ChannelType.public_thread
            )
            await thread.send(f"`{'0123456789abcdef' * 4}` {'word' * 50}", file=board())
        elif text == "work":
            self.jobs.put_nowait(here)
        elif text == "think":
            await here.typing()
        elif text == "remind":
            self.reminders.append((discord.utils.utcnow() + timedelta(hours=1), here))
        elif text == "desk":
            await here.send("The desk is open.", view=Desk())
        elif text == "card":
            await here.send(view=Card(), file=board())
        elif text == "board":
            await here.send("The board, as it stands:", file=board())
        elif isinstance(here, discord.DMChannel):
            await here.send(f"You said: {text}")
        elif message.reference is not None and self.user in message.mentions:
            await message.reply(f"You replied: {text}", mention_author=False)
        elif self.user in message.mentions:
            await here.send("You called?")


def _commands(bot: TinyBot) -> None:
    tree = bot.tree

    @tree.command(description="Say something back")
    @app_commands.describe(
        text="What to say",
        times="How often",
        quiet="Only for you",
        who="To whom",
        where="Where",
        file="A file",
    )
    async def echo(
        interaction: discord.Interaction[Any],
        text: str,
        times: app_commands.Range[int, 1, 3] = 1,
        quiet: bool = False,
        who: discord.Member | None = None,
        where: discord.TextChannel | None = None,
        which: discord.Role | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        words = [text] * times + [one.mention for one in (who, where, which) if one is not None]
        if file is not None:
            words.append(f"{file.filename}: {(await file.read()).decode()}")
        await interaction.response.send_message(" ".join(words), ephemeral=quiet)

    @tree.command(description="Pick a fruit")
    async def pick(interaction: discord.Interaction[Any], fruit: str) -> None:
        await interaction.response.send_message(f"You picked {fruit}.")

    @pick.autocomplete("fruit")
    async def fruits(_: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f.title(), value=f) for f in FRUITS if f.startswith(typed.lower())]

    @tree.command(description="Start a match in a thread")
    @app_commands.choices(
        game=[app_commands.Choice(name="Focus", value="focus"), app_commands.Choice(name="Go", value="go")]
    )
    async def play(interaction: discord.Interaction[Any], game: str) -> None:
        await interaction.response.defer()
        assert isinstance(interaction.channel, discord.TextChannel)
        thread = await interaction.channel.create_thread(
            name=f"{game}: {interaction.user.display_name}", type=discord.ChannelType.public_thread
        )
        await thread.send("Your move.", file=board())
        await interaction.followup.send(f"The match is in {thread.mention}.")

    @tree.command(description="Fail on purpose")
    async def fail(interaction: discord.Interaction[Any]) -> None:
        raise RuntimeError("the command fell over")
