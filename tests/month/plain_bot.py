"""A plain bot, as one writes it in an evening: discord.py, `on_message`, matches in memory.

It is given its best: discord.py reconnects and retries, its own messages are ignored, games are ours. In
the channel of a match each message that is a legal move of the one to move is played, and the board is
posted; "!play GAME @friend..." begins a match. Nothing is kept anywhere else.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import discord

from games.engine import match as engine
from games.engine import orders, registry
from games.engine.dice import Sealed
from games.engine.game import Done, Seat
from games.engine.match import Match
from games.engine.orders import Executed


@dataclass
class Played:
    """A match in memory."""

    seats: list[int]
    match: Match
    sealed: Sealed


@dataclass(eq=False)
class Journal:
    """What the bot has played, written down for the test alone: the bot never reads it."""

    counted: list[tuple[int, int]] = field(default_factory=list)
    """The messages whose moves were played, with their channels."""
    begun: int = 0
    """How many matches were begun."""


class PlainBot(discord.Client):
    """The bot."""

    def __init__(self, journal: Journal, dice: random.Random) -> None:
        intents = discord.Intents.default()
        intents.message_content = True
        super().__init__(intents=intents, allowed_mentions=discord.AllowedMentions(replied_user=False))
        self.journal, self.dice = journal, dice
        self.matches: dict[int, Played] = {}

    async def on_message(self, message: discord.Message) -> None:
        """Begin a match, or play a move."""
        if message.author.bot:
            return
        text = message.content.replace(f"<@{self.user.id if self.user else 0}>", "").strip()
        if text.startswith("!play "):
            self.begin(message, text.split()[1])
        elif message.channel.id in self.matches:
            if not self.play(message, self.matches[message.channel.id], text):
                if self.user in message.mentions:
                    await message.reply("That isn't a move that you can make now.")
                return
        elif self.user in message.mentions or message.guild is None:
            await message.reply("No match is played here.")
            return
        else:
            return
        await message.channel.send(self.board(self.matches[message.channel.id]))

    def begin(self, message: discord.Message, key: str) -> None:
        """Begin a match of the author and those who are mentioned, in this channel."""
        sealed = Sealed(self.dice.randbytes(32), f"{message.id}", "plain")
        seats = [message.author.id, *(user.id for user in message.mentions if not user.bot)]
        game = registry.get(key)
        begun = engine.begin(game, game.setup(len(seats)), sealed)
        self.journal.begun += 1
        self.matches[message.channel.id] = Played(seats, begun.match, sealed)

    def play(self, message: discord.Message, played: Played, text: str) -> bool:
        """Play a move if it is one; return whether it is."""
        if message.author.id not in played.seats or played.match.ending is not None:
            return False
        seat, game = Seat(played.seats.index(message.author.id)), played.match.game
        done: Any = game.parse(game.view(played.match.state, seat), seat, text)
        after = orders.play(played.match, seat, done, played.sealed) if isinstance(done, Done) else None
        if not isinstance(after, Executed):
            return False
        played.match = after.change.match
        self.journal.counted.append((message.channel.id, message.id))
        return True

    def board(self, played: Played) -> str:
        """Return the board as a text; here only its number, for drawing isn't compared."""
        turn = ", ".join(f"<@{played.seats[seat]}>" for seat in sorted(played.match.to_act) if seat >= 0)
        return f"Board {played.match.id}/{played.match.seq} ({turn or 'over'})"

    def busy(self, soon: float) -> bool:
        """Return whether it isn't connected yet."""
        return not self.is_ready()

    def crash(self) -> None:
        """Nothing to lose but memory."""
