"""Rehearsals against the loopback server, whose time passes at once, and deviations planted in it."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
import pytest
from simcord.builders import ChannelHandle

from bot.platform.loopback import point_discord_at
from cli.rehearse.presses import BUTTON, IMPOSSIBLE
from cli.rehearse.rehearsal import Observation, rehearse
from cli.rehearse.stage import COMMAND, NAME, NEEDED, WISHED, RehearsalStage, RehearsalTime
from cli.rehearse.wire import Rest
from tests.loopback.log import LoggedRequest
from tests.loopback.people import Person
from tests.loopback.pointing import pointed_back
from tests.loopback.routes import Reply
from tests.loopback.server import LoopbackDiscord
from tests.loopback.sessions import Line

Json = dict[str, Any]
RIGHTS = (*NEEDED, *WISHED)
MEMBERS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    read_message_history=True,
    attach_files=True,
    use_application_commands=True,
)
HISTORY = r"/channels/\d+/messages"
MESSAGE = rf"{HISTORY}/\d+"


@dataclass
class Deviation:
    """One thing that a Discord does differently, in answers or in events, and the fact that tells it."""

    fact: str
    method: str = ""
    path: str = ""
    when: Callable[[Json], bool] = lambda body: True
    status: int = 200
    code: int | None = None
    change: Callable[[Any], Any] | None = None
    """Changes the body of an answer, or the frame of an event; None is an event that never comes."""
    event: str = ""

    def answered(self, request: LoggedRequest, reply: Reply) -> Reply:
        """Return what is answered instead."""
        body = request.body if isinstance(request.body, dict) else {}
        fits = request.method == self.method and re.fullmatch(self.path, request.path)
        if not fits or not self.when(body):
            return reply
        if self.code is not None:
            return Reply(self.status, {"message": "otherwise", "code": self.code})
        return Reply(self.status, self.change(copy.deepcopy(reply.body)) if self.change else reply.body)

    def told(self, text: str) -> str | None:
        """Return which frame is sent instead, None for none."""
        frame = json.loads(text)
        if not self.event or self.change is None or frame["t"] != self.event:
            return text
        changed = self.change(frame)
        return None if changed is None else json.dumps(changed)


class DeviantDiscord(LoopbackDiscord):
    """A server that deviates in one thing, once its rehearsal runs."""

    deviation: Deviation | None = None

    def _answer(self, request: LoggedRequest) -> Reply:
        reply = super()._answer(request)
        return reply if self.deviation is None else self.deviation.answered(request, reply)


@asynccontextmanager
async def rehearsing(
    rights: tuple[str, ...] = RIGHTS, deviation: Deviation | None = None, *, with_person: bool = False
) -> AsyncIterator[tuple[DeviantDiscord, RehearsalStage]]:
    """Yield a server with these rights for the bot, and a stage in it."""
    invited = discord.Permissions(**dict.fromkeys(rights, True))
    with pytest.MonkeyPatch.context() as patch, pointed_back():
        async with DeviantDiscord(invited=invited) as server, aiohttp.ClientSession() as http:
            server.deviation = deviation
            server.limits.per_route("POST", "/channels/{channel_id}/messages", 5, 5.0)
            patch.setattr("cli.rehearse.wire.PATIENCE", 0.5)
            if deviation is not None and deviation.event:
                patch.setattr(Line, "frame", _deviating(Line.frame, deviation))
            guild = server.create_guild("Own")
            server.world.backend.guilds[guild.id].roles[guild.id].permissions = 0
            guild.create_text_channel(NAME)  # of the same name, and not the rehearsal's
            point_discord_at(server.url)
            passed = [0.0]

            async def wait(seconds: float) -> None:
                passed[0] += seconds
                server.advance(seconds)

            pace = RehearsalTime(lambda: passed[0], wait)
            stage = RehearsalStage(http, Rest(http, server.token, wait), pace, guild.id, server.token)
            stage.old_edits = True
            if not with_person:
                yield server, stage
            else:
                stage.with_person, stage.patience = True, 2.0
                server.world.backend.guilds[guild.id].roles[guild.id].permissions = MEMBERS.value
                person = server.create_person("ann", guild)
                present = asyncio.create_task(obey(server, stage, person))
                yield server, stage
                present.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await present
            server.take_refused()


def _deviating(frame: Callable[[Line, str], None], deviation: Deviation) -> Callable[[Line, str], None]:
    def deviate(line: Line, text: str) -> None:
        if (told := deviation.told(text)) is not None:
            frame(line, told)

    return deviate


async def obey(server: LoopbackDiscord, stage: RehearsalStage, person: Person) -> None:
    """Do what the bot asks a person for, in its order; clients refuse a press in an archived thread."""
    made = await server.wait_until(lambda: stage.channel, "the channel of the rehearsal")
    backend = server.world.backend
    channel = ChannelHandle(server.world, None, backend.get_channel(int(made)))

    async def asked(number: int) -> discord.Message:
        return await server.wait_for_message(channel, lambda one: one.content.startswith(f"{number} of 6."))

    await person.click(await asked(1), BUTTON, answered=False)
    shown = await person.click(await asked(2), BUTTON)
    await person.submit_modal(shown, {"words": "word"})
    person.send(channel, "any word", reply_to=await asked(3), ping=False)
    await person.apps(await asked(4), COMMAND)
    person.forward(await asked(5), channel)
    await person.click(await asked(6), IMPOSSIBLE)


async def findings(stage: RehearsalStage) -> list[Observation]:
    """Rehearse to the end."""
    async with aclosing(rehearse(stage)) as tried:
        return [finding async for finding in tried]


def another(stage: RehearsalStage) -> RehearsalStage:
    """Return the stage of another start, which knows nothing of the first."""
    return RehearsalStage(stage.http, stage.rest, stage.pace, stage.guild, stage.token)


def channels(server: LoopbackDiscord, stage: RehearsalStage) -> list[str]:
    """Return the names of the server's channels and threads."""
    found = server.world.backend.channels.values()
    return [str(one.name) for one in found if one.guild_id == stage.guild]


def strays(server: LoopbackDiscord, stage: RehearsalStage, others: set[int]) -> list[str]:
    """Return what a next start wouldn't remove: channels without the mark, commands of another name."""
    backend = server.world.backend
    unmarked = [
        str(one.name)
        for one in backend.channels.values()
        if one.id not in others and not one.is_thread and one.topic != stage.mark
    ]
    commands = backend.commands.get(stage.guild, {}).values()
    return unmarked + [one["name"] for one in commands if one["name"] != COMMAND]
