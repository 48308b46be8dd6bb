"""What people want of pings on the stage, and which pings they got."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from matches.pings.settings import PingSettings, QuietHours, read_settings, with_settings
from tests.bot.stage import Stage, legal


async def wants(stage: Stage, person: MemberActor, **chosen: Any) -> None:
    """Set what a person wants of pings."""
    preferences = stage.bot.context.preferences
    made = await preferences.get("user", person.id)
    await preferences.save("user", person.id, with_settings(made, PingSettings(**chosen)))


async def chosen_by(stage: Stage, person: MemberActor) -> PingSettings:
    """What a person wants of pings."""
    return read_settings(await stage.bot.context.preferences.get("user", person.id))


async def moves(stage: Stage, match: str) -> tuple[MemberActor, MemberActor]:
    """The next move is made elsewhere: who made it, and who is to move then."""
    mover = await stage.mover(match)
    await mover.slash(stage.channel, "move", move=legal(await stage.match(match))[0], match=match)
    await stage.later(seconds=3)  # messages that follow from a board come with the poller
    return mover, await stage.mover(match)


async def pair(stage: Stage, **chosen: Any) -> tuple[str, ChannelHandle, MemberActor, MemberActor]:
    """A match in which one wants this, and the other is to move: its id and thread, the one, the other."""
    match, thread = await stage.open(stage.ann, stage.ben)
    one, other = await stage.waiting(match), await stage.mover(match)
    await wants(stage, one, **chosen)
    return match, thread, one, other


def night(stage: Stage, hours: float = 2) -> QuietHours:
    """Quiet hours that have begun, and end in so many hours."""
    now = stage.bot.context.clock.now()
    end = now + timedelta(hours=hours)
    return QuietHours(
        (now - timedelta(hours=1)).time().replace(second=0, microsecond=0),
        end.time().replace(second=0, microsecond=0),
    )


def direct(person: MemberActor) -> list[discord.Message]:
    """What the bot has written to a person that still stands."""
    return [message for message in person.user.dm_channel.history() if message.author.bot]


def calling(thread: ChannelHandle, person: MemberActor) -> list[discord.Message]:
    """The messages in which a person is mentioned now."""
    return [message for message in thread.history() if f"<@{person.id}>" in message.content]


def calls_made(stage: Stage, person: MemberActor) -> int:
    """How many messages of matches were posted that notify a person, whatever became of them.

    What calls a host to start a full lobby isn't counted.
    """
    found = 0
    for request in stage.env.http_requests:
        body = request.json if isinstance(request.json, dict) else {}
        lobby = ":start:" in str(body.get("components"))
        if request.method == "POST" and request.path.endswith("/messages") and not lobby:
            found += str(person.id) in map(str, body.get("allowed_mentions", {}).get("users", ()))
            found += request.path == f"/channels/{person.user.dm_channel.id}/messages"
    return found


def notified(stage: Stage, text: str) -> list[set[int]]:
    """Whom each message that was posted with a text notifies, in order; nobody if it was posted silently."""
    found = []
    for request in stage.env.http_requests:
        body = request.json if isinstance(request.json, dict) else {}
        if request.method == "POST" and text in (body.get("content") or ""):
            silent = discord.MessageFlags._from_value(body.get("flags") or 0).suppress_notifications
            users = body.get("allowed_mentions", {}).get("users", ())
            found.append(set() if silent else set(map(int, users)))
    return found


async def thread_message(stage: Stage, message: discord.Message) -> discord.Message:
    """A message as it is now."""
    (found,) = [
        m
        for m in stage.home(await stage.row(message.attachments[0].filename[:8])).history()
        if m.id == message.id
    ]
    return found
