"""Servers of chosen shards, with people who play in them."""

from __future__ import annotations

from typing import Any

import discord
from simcord.builders import ChannelHandle

from tests.bot_process.house import House, calls, ends


class Club:
    """A server of a shard, with two people."""

    def __init__(self, house: House, name: str, shard: int, count: int) -> None:
        self.house = house
        self.guild = house.server.create_guild(name, shard=(shard, count))
        self.room = self.guild.create_text_channel("games")
        self.ann, self.ben = (house.server.create_person(f"{name} {who}", self.guild) for who in "AB")
        self.people = {person.id: person for person in (self.ann, self.ben)}

    async def begin(self) -> str:
        """Start a match; its id and thread."""
        house = self.house
        known = {row.id for row in house.records.rows()}

        def is_new(message: discord.Message) -> bool:
            return bool(calls(message)) and calls(message)[0][1] not in known

        await self.ann.slash(self.room, "play", answered=False, game="focus", players=2)
        lobby = await house.server.wait_for_message(self.room, is_new)
        match = calls(lobby)[0][1]
        await self.ben.click(lobby, f"domb:join:{match}:-1")
        lobby = await house.server.wait_for_message(self.room, lambda one: is_new(one) and may_start(one))
        await self.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
        await house.server.wait_until(lambda: self.row(match).status == "live" and self.row(match).thread)
        await house.server.wait_for_message(self.thread(match), is_board)
        return match

    def row(self, match: str) -> Any:
        return next(row for row in self.house.records.rows() if row.id == match)

    def thread(self, match: str) -> ChannelHandle:
        (thread,) = [one for one in self.house.server.threads(self.room) if one.id == self.row(match).thread]
        return thread

    def write(self, match: str, *, direct: bool = False) -> None:
        """Type a move, in the thread or in direct messages."""
        row, now = self.row(match), self.house.now(match)
        mover = next(self.people[row.seats[seat]] for seat in now.to_act)
        move = self.house.any_move(match)
        if direct:
            mover.send(mover.dm, f"{match} {move}")
        else:
            mover.send(self.thread(match), move)

    async def move(self, match: str, *, direct: bool = False) -> None:
        """A typed move, and its board in the thread."""
        plays = len(self.house.plays(match))
        self.write(match, direct=direct)
        await self.house.server.wait_until(lambda: len(self.house.plays(match)) > plays)
        await self.shown(match)

    async def shown(self, match: str) -> None:
        """Wait until the board of the newest move is there; each move has one."""
        house, thread = self.house, self.thread(match)
        wanted = ends(house.records.entries(match))
        await house.server.wait_until(lambda: boards(house, thread)[-1:] == wanted[-1:])
        assert boards(house, thread) == wanted


def may_start(message: discord.Message) -> bool:
    """Whether a message is a lobby whose match can begin."""
    buttons = [child for row in message.components for child in getattr(row, "children", ())]
    return any(":start:" in str(one.custom_id) and not one.disabled for one in buttons)


def is_board(message: discord.Message) -> bool:
    return bool(calls(message)) and calls(message)[0][0] == "moves"


def boards(house: House, thread: ChannelHandle) -> list[int]:
    """The entries that the boards in a thread show."""
    return [call[2] for one in house.server.messages(thread) for call in calls(one)[:1] if call[0] == "moves"]
